/*
 * records: the figures of agent runs from their checkpoint records, as the benchmark writes them.
 *
 * May include base.
 */
#ifndef STRATA_AGGREGATE_RECORDS_H
#define STRATA_AGGREGATE_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/bytes.h"
#include "base/err.h"

/*
 * X(member, description): what tells one run of an agent from another, in the order that runs are
 * sorted by.  Members are called as the keys of a checkpoint's record.
 */
/* clang-format off */
#define RUN_SETUP(X)                            \
    X(model, "name of the model")               \
    X(prompt, "name of the prompt")             \
    X(variant, "variant of the setup")          \
    X(thinking, "thinking level of the model")  \
    X(agent_type, "agent program")              \
    X(agent_version, "its version")             \
    X(run, "name of the run")
/* clang-format on */

/* The setup of a run; {NULL, 0} for what is not known. */
struct run_setup {
#define RUN_SETUP_MEMBER(member, description) struct bytes member;
    RUN_SETUP(RUN_SETUP_MEMBER)
#undef RUN_SETUP_MEMBER
};

/* Below 0, 0 or above 0, as A comes before, equals or comes after B: by member, in bytewise order.
 */
int run_setup_compare(const struct run_setup *a, const struct run_setup *b);
/* Take the members that SETUP does not know from KNOWN. */
void run_setup_complete(struct run_setup *setup, const struct run_setup *known);

/* The text of a file, and its name. */
struct report_text {
    struct bytes text;
    const char *origin;
};

struct report_problem {
    struct bytes name;
    uint64_t n_checkpoints; /* configured; 0: not known */
};

/* Checkpoint records, JSON lines as for summary_of_records, and what is known of their run: it
 * counts where they do not say. */
struct report_records {
    struct report_text file;
    struct run_setup setup; /* may be empty */
    const struct report_problem *problems;
    size_t n_problems;
};

/* ---- Agent runs from their records --------------------------------------------------------- */

struct summary_options {
    uint64_t expected;      /* configured checkpoints of a run; 0: as the records say */
    struct run_setup setup; /* counts where the records do not say */
    bool result_only;       /* the bare result object of the one run there is, indented by 2 */
};

/*
 * Append to OUT the result figures of every run in the JSON lines of TEXT, in order of appearance:
 * a line {"model", "variant", "run", "result"} each.  ORIGIN names TEXT.  What is odd and was
 * counted or left out all the same is said in NOTES, a line each.  1 when a line was left out,
 * else 0; -1 with ERR_INPUT (no record, or more runs than one for result_only) or ERR_NOMEM.
 */
int summary_of_records(struct bytes text, const char *origin, const struct summary_options *options,
                       struct buf *out, struct buf *notes, struct err *err);
/*
 * The same for lines with a member "fn", a list of [complexity, source lines] of the functions of a
 * checkpoint: each line comes out again with the complexity and mass figures in place of the list.
 */
int summary_of_functions(struct bytes text, const char *origin, struct buf *out, struct buf *notes,
                         struct err *err);

#endif
