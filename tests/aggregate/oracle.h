/*
 * Oracle: statistics computed by oracle.py at test time, to compare ours with.
 */
#ifndef STRATA_TESTS_AGGREGATE_ORACLE_H
#define STRATA_TESTS_AGGREGATE_ORACLE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "aggregate/stats/series.h"
#include "cmocka_all.h"

/* What the oracle says of each series: N_ANSWERS numbers a series. */
struct oracle {
    char in_path[64], out_path[64];
    FILE *in, *out;
};

static inline void
oracle_open(struct oracle *oracle)
{
    strcpy(oracle->in_path, "/tmp/strata-oracle-in-XXXXXX");
    strcpy(oracle->out_path, "/tmp/strata-oracle-out-XXXXXX");
    oracle->in = fdopen(mkstemp(oracle->in_path), "w");
    int out = mkstemp(oracle->out_path);
    assert_non_null(oracle->in);
    assert_true(out >= 0);
    close(out);
    oracle->out = NULL;
}

static inline void
oracle_close(struct oracle *oracle)
{
    if (oracle->out)
        fclose(oracle->out);
    unlink(oracle->in_path);
    unlink(oracle->out_path);
}

/* Add one line of values to what is asked. */
static inline void
oracle_ask(struct oracle *oracle, const double *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        fprintf(oracle->in, "%a ", values[i]);
    fputc('\n', oracle->in);
}

/* Run the oracle on what was asked; skips the test where there is no python3. */
static inline void
oracle_run(struct oracle *oracle, const char *what)
{
    fclose(oracle->in);
    if (system("python3 -c 'import math; math.nextafter' 2>/dev/null") != 0) {
        print_message("skipped: no python3 of at least 3.9 here to compare with\n");
        oracle_close(oracle);
        skip();
    }
    char command[512];
    snprintf(command, sizeof(command), "python3 %s/aggregate/oracle.py %s <%s >%s",
             TESTS_SOURCE_DIR, what, oracle->in_path, oracle->out_path);
    assert_int_equal(system(command), 0);
    oracle->out = fopen(oracle->out_path, "r");
    assert_non_null(oracle->out);
}

/* The next number of the answers. */
static inline double
oracle_answer(struct oracle *oracle)
{
    char word[64];
    assert_int_equal(fscanf(oracle->out, "%63s", word), 1);
    return strtod(word, NULL);
}

/* A sequence of numbers that is the same in every run. */
static inline uint64_t
oracle_random(uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15u;
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

#endif
