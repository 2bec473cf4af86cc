/*
 * records: the figures of agent runs from the records of their checkpoints, as SlopCodeBench writes
 * them.
 *
 * May include base.
 *
 * Threads: every function may be called from any thread.
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

/* The text of a file and its name. */
struct report_text {
    struct bytes text;
    const char *origin;
};

struct report_problem {
    struct bytes name;
    uint64_t n_checkpoints; /* configured; 0 if not known */
};

/* The checkpoint records of a run, as JSON lines, and what is known of the run from elsewhere: it
 * counts where the records do not say. */
struct report_records {
    struct report_text file;
    struct run_setup setup; /* may be empty */
    const struct report_problem *problems;
    size_t n_problems;
};

/* ---- Agent runs from their records --------------------------------------------------------- */

struct summary_options {
    uint64_t expected;      /* configured checkpoints of a run; 0: what the records say */
    struct run_setup setup; /* counts where the records do not say */
    bool result_only;       /* only the result object, indented by 2; the text must have one run */
};

/*
 * Append to OUT a line {"model", "variant", "run", "result"} for every run in the JSON lines of
 * TEXT, in order of appearance.  ORIGIN names TEXT in messages.  NOTES gets a line for each thing
 * that is odd: lines left out, checkpoints counted twice.  1 if a line was left out, else 0; -1
 * with ERR_INPUT (no record, or several runs with result_only) or ERR_NOMEM.
 */
int summary_of_records(struct bytes text, const char *origin, const struct summary_options *options,
                       struct buf *out, struct buf *notes, struct err *err);
/*
 * For JSON lines with a member "fn", the list of [complexity, source lines] of a checkpoint's
 * functions: append each line to OUT with its texts and numbers, and the figures of complexity and
 * mass instead of the list.  Otherwise as summary_of_records.
 */
int summary_of_functions(struct bytes text, const char *origin, struct buf *out, struct buf *notes,
                         struct err *err);

#endif
