/*
 * The result.json of a run: statistics over its checkpoints, statistics over the sums of its
 * problems, and counts of what was solved.  Keys are in the order of the release's file.
 */
#include "aggregate/records/result.h"

#include <math.h>

#include "base/json_absent.h"
#include "aggregate/stats/compensated.h"
#include "aggregate/stats/exact.h"
#include "aggregate/stats/stats.h"

struct summary {
    const struct group *run;
    const struct groups *problems;
    const struct run_setup *setup;
    uint64_t expected;
    struct json_writer *json;
    struct series scratch;
    bool failed; /* memory ran out */
};

/* The scratch series, empty. */
static struct series *
fresh(struct summary *summary)
{
    series_reset(&summary->scratch);
    return &summary->scratch;
}

/* ---- Series of the run --------------------------------------------------------------------- */

/* FIELD of the records that have it.  The series is the scratch one, here and below. */
static struct series *
values_of(struct summary *summary, enum field field)
{
    struct series *values = fresh(summary);
    for (size_t i = 0; i < summary->run->n_records; i++)
        if (record_has(summary->run->records[i], field))
            series_add(values, record_value(summary->run->records[i], field));
    return values;
}

/* FIELD per physical line, of the records that have lines. */
static struct series *
values_per_line(struct summary *summary, enum field field)
{
    struct series *values = fresh(summary);
    for (size_t i = 0; i < summary->run->n_records; i++) {
        const struct record *record = summary->run->records[i];
        double loc = record_value(record, FIELD_PHYSICAL_LOC);
        if (record_has(record, field) && loc > 0)
            series_add(values, record_value(record, field) / loc);
    }
    return values;
}

/* The sum of FIELD in order of the records; *N_FOUND is the number of records that have it. */
static double
sum_of(const struct group *group, enum field field, size_t *n_found)
{
    struct compensated sum = {0};
    *n_found = 0;
    for (size_t i = 0; i < group->n_records; i++)
        if (record_has(group->records[i], field)) {
            compensated_add(&sum, record_value(group->records[i], field));
            ++*n_found;
        }
    return compensated_value(&sum);
}

/* The sum of FIELD by problem; with SKIP_EMPTY only of problems that have a value. */
static struct series *
problem_sums(struct summary *summary, enum field field, bool skip_empty)
{
    struct series *sums = fresh(summary);
    for (size_t i = 0; i < summary->problems->n_items; i++) {
        size_t n_found;
        double sum = sum_of(&summary->problems->items[i], field, &n_found);
        if (n_found || !skip_empty)
            series_add(sums, sum);
    }
    return sums;
}

static double
mean_of(struct summary *summary, const struct series *values)
{
    summary->failed = summary->failed || values->failed;
    return values->n ? exact_mean(values->values, values->n) : 0;
}

static void
write_stats(struct summary *summary, const char *name, struct series *values)
{
    struct stats stats = stats_of(values);
    summary->failed = summary->failed || values->failed;
    json_key(summary->json, name);
    stats_write(&stats, summary->json);
}

/* ---- Cost, time, tokens, steps ------------------------------------------------------------- */

static void
write_effort(struct summary *summary, const char *name, enum field field, bool skip_empty)
{
    json_key(summary->json, name);
    json_begin_object(summary->json);
    write_stats(summary, "checkpoint", values_of(summary, field));
    write_stats(summary, "problem", problem_sums(summary, field, skip_empty));
    if (field == FIELD_COST) {
        size_t n_found;
        json_member_double(summary->json, "total", sum_of(summary->run, field, &n_found));
    }
    json_end_object(summary->json);
}

static const enum field token_fields[] = {FIELD_INPUT, FIELD_OUTPUT, FIELD_CACHE_READ,
                                          FIELD_CACHE_WRITE, FIELD_REASONING};
enum { N_TOKEN_FIELDS = sizeof(token_fields) / sizeof(*token_fields) };

static void
write_tokens(struct summary *summary)
{
    struct json_writer *json = summary->json;
    json_key(json, "tokens");
    json_begin_object(json);
    for (size_t i = 0; i < N_TOKEN_FIELDS; i++) {
        size_t n_found;
        double sum = sum_of(summary->run, token_fields[i], &n_found);
        json_key(json, field_name(token_fields[i]));
        absent_number(json, sum);
    }
    json_key(json, "problem");
    json_begin_object(json);
    for (size_t i = 0; i < N_TOKEN_FIELDS; i++)
        json_member_double(json, field_name(token_fields[i]),
                           mean_of(summary, problem_sums(summary, token_fields[i], false)));
    json_end_object(json);
    json_key(json, "checkpoint");
    json_begin_object(json);
    for (size_t i = 0; i < N_TOKEN_FIELDS; i++)
        json_member_double(json, field_name(token_fields[i]),
                           mean_of(summary, values_of(summary, token_fields[i])));
    json_end_object(json);
    json_end_object(json);
}

/* ---- Solved -------------------------------------------------------------------------------- */

static uint64_t
count_solved(const struct group *group, enum field rate)
{
    uint64_t n = 0;
    for (size_t i = 0; i < group->n_records; i++)
        n += record_is_solved(group->records[i], rate);
    return n;
}

/* Are all checkpoints solved, and is the last configured one among them if the records say which it
 * is? */
static bool
problem_is_solved(const struct group *problem)
{
    bool knows_last = false, has_last = false;
    for (size_t i = 0; i < problem->n_records; i++) {
        knows_last = knows_last || record_has(problem->records[i], FIELD_IS_LAST);
        has_last = has_last || record_value(problem->records[i], FIELD_IS_LAST) == 1;
    }
    return count_solved(problem, FIELD_STRICT_PASS_RATE) == problem->n_records &&
           (has_last || !knows_last);
}

static bool
problem_is_partly_solved(const struct group *problem)
{
    for (size_t i = 0; i < problem->n_records; i++)
        if (record_value(problem->records[i], FIELD_STRICT_PASS_RATE) == 1.0)
            return true;
    return false;
}

struct solved {
    uint64_t strict, isolated, core; /* checkpoints */
    uint64_t problems, partial;
};

static struct solved
count_all_solved(const struct summary *summary)
{
    struct solved solved = {0};
    bool has_rates = false;
    for (size_t i = 0; i < summary->run->n_records && !has_rates; i++)
        has_rates = record_has(summary->run->records[i], FIELD_STRICT_PASS_RATE) &&
                    record_has(summary->run->records[i], FIELD_ISOLATED_PASS_RATE);
    if (!has_rates)
        return solved;
    solved.strict = count_solved(summary->run, FIELD_STRICT_PASS_RATE);
    solved.isolated = count_solved(summary->run, FIELD_ISOLATED_PASS_RATE);
    solved.core = count_solved(summary->run, FIELD_CORE_PASS_RATE);
    for (size_t i = 0; i < summary->problems->n_items; i++) {
        solved.problems += problem_is_solved(&summary->problems->items[i]);
        solved.partial += problem_is_partly_solved(&summary->problems->items[i]);
    }
    return solved;
}

static void
write_solved(struct summary *summary)
{
    struct json_writer *json = summary->json;
    struct solved solved = count_all_solved(summary);
    double expected = (double)summary->expected;
    double n_problems = (double)summary->problems->n_items;
    json_member_u64(json, "checkpoints_solved", solved.strict);
    json_member_u64(json, "checkpoints_iso_solved", solved.isolated);
    json_member_u64(json, "checkpoints_core_solved", solved.core);
    json_member_double(json, "problem_solved", (double)solved.problems);
    json_member_double(json, "problem_partial", (double)solved.partial);
    json_member_double(json, "pct_checkpoints_solved", (double)solved.strict / expected * 100);
    json_member_double(json, "pct_checkpoints_iso_solved",
                       (double)solved.isolated / expected * 100);
    json_member_double(json, "pct_problems_solved", (double)solved.problems / n_problems * 100);
    json_member_double(json, "pct_problems_partial", (double)solved.partial / n_problems * 100);
    json_member_double(json, "pct_checkpoints_core_solved", (double)solved.core / expected * 100);
}

/* ---- Pass rates ---------------------------------------------------------------------------- */

struct test_kind {
    const char *name;
    enum field passed, total;
};

static const struct test_kind test_kinds[] = {
    {"core", FIELD_CORE_PASSED, FIELD_CORE_TOTAL},
    {"total", FIELD_PASSED_TESTS, FIELD_TOTAL_TESTS},
    {"error", FIELD_ERROR_PASSED, FIELD_ERROR_TOTAL},
    {"functionality", FIELD_FUNCTIONALITY_PASSED, FIELD_FUNCTIONALITY_TOTAL},
    {"regression", FIELD_REGRESSION_PASSED, FIELD_REGRESSION_TOTAL}};
enum { N_TEST_KINDS = sizeof(test_kinds) / sizeof(*test_kinds) };

static double
mean_rate(struct summary *summary, const struct group *group, const struct test_kind *kind)
{
    struct series *rates = fresh(summary);
    for (size_t i = 0; i < group->n_records; i++) {
        double rate = record_rate(group->records[i], kind->passed, kind->total);
        if (!isnan(rate))
            series_add(rates, rate);
    }
    return mean_of(summary, rates);
}

static double
mean_problem_rate(struct summary *summary, const struct test_kind *kind)
{
    struct series means = {0};
    for (size_t i = 0; i < summary->problems->n_items; i++)
        series_add(&means, mean_rate(summary, &summary->problems->items[i], kind));
    double mean = mean_of(summary, &means);
    series_clear(&means);
    return mean;
}

static void
write_pass_rates(struct summary *summary)
{
    struct json_writer *json = summary->json;
    json_key(json, "pass_rates");
    json_begin_object(json);
    json_key(json, "problem");
    json_begin_object(json);
    for (size_t i = 0; i < N_TEST_KINDS; i++)
        json_member_double(json, test_kinds[i].name, mean_problem_rate(summary, &test_kinds[i]));
    json_end_object(json);
    json_key(json, "checkpoint");
    json_begin_object(json);
    for (size_t i = 0; i < N_TEST_KINDS; i++)
        json_member_double(json, test_kinds[i].name,
                           mean_rate(summary, summary->run, &test_kinds[i]));
    json_end_object(json);
    json_end_object(json);
}

/* ---- The whole ----------------------------------------------------------------------------- */

/* Write the setup of the run: each text of the first record that has it, else of what is known. */
static void
write_setup(struct summary *summary)
{
    const struct run_setup *known = summary->setup;
    struct run_setup setup = {0};
    for (size_t i = 0; i < summary->run->n_records; i++)
        run_setup_complete(&setup, &summary->run->records[i]->setup);
    run_setup_complete(&setup, known);
    absent_member_bytes(summary->json, "model", setup.model);
    absent_member_bytes(summary->json, "thinking", setup.thinking);
    absent_member_bytes(summary->json, "prompt", setup.prompt);
    absent_member_bytes(summary->json, "agent_type", setup.agent_type);
    absent_member_bytes(summary->json, "agent_version", setup.agent_version);
}

static void
write_quality(struct summary *summary)
{
    struct json_writer *json = summary->json;
    json_key(json, "cc");
    json_begin_object(json);
    write_stats(summary, "high_count", values_of(summary, FIELD_CC_HIGH_COUNT));
    write_stats(summary, "high_mean", values_of(summary, FIELD_HIGH_CC_MEAN));
    write_stats(summary, "max", values_of(summary, FIELD_CC_MAX));
    json_end_object(json);
    json_key(json, "ratios");
    json_begin_object(json);
    write_stats(summary, "rubric", values_per_line(summary, FIELD_RUBRIC_TOTAL_FLAGS));
    write_stats(summary, "lint", values_per_line(summary, FIELD_LINT_ERRORS));
    write_stats(summary, "violation_pct", values_of(summary, FIELD_VIOLATION_PCT));
    json_end_object(json);
    write_stats(summary, "verbosity", values_of(summary, FIELD_VERBOSITY));
    write_stats(summary, "erosion", values_of(summary, FIELD_EROSION));
}

static void
write_all(struct summary *summary)
{
    struct json_writer *json = summary->json;
    json_begin_object(json);
    write_setup(summary);
    json_member_u64(json, "num_problems", summary->problems->n_items);
    json_member_u64(json, "num_checkpoints", summary->run->n_records);
    json_member_u64(json, "expected_checkpoints", summary->expected);
    write_effort(summary, "costs", FIELD_COST, false);
    write_effort(summary, "time", FIELD_DURATION, true);
    write_tokens(summary);
    write_effort(summary, "steps", FIELD_STEPS, false);
    write_solved(summary);
    write_pass_rates(summary);
    write_quality(summary);
    json_end_object(json);
}

int
summary_write(const struct group *run, const struct run_setup *setup, uint64_t expected,
              struct json_writer *json, struct err *err)
{
    struct groups problems;
    if (groups_of(run->records, run->n_records, group_by_problem, &problems, err) < 0)
        return -1;
    struct summary summary = {
        .run = run, .problems = &problems, .setup = setup, .expected = expected, .json = json};
    write_all(&summary);
    bool failed = summary.failed || summary.scratch.failed;
    series_clear(&summary.scratch);
    groups_clear(&problems);
    return failed ? err_nomem(err, "summary of a run") : 0;
}
