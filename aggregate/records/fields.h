/*
 * Record fields: the one list of what is read from a checkpoint's record.
 *
 * enum field, struct record, the reader, field_name and the data dictionary are made from these two
 * lists and from RUN_SETUP.  To read another key of the records, add a line here.
 */
#ifndef STRATA_AGGREGATE_RECORDS_FIELDS_H
#define STRATA_AGGREGATE_RECORDS_FIELDS_H

/* X(member of struct record, description): texts besides those of struct run_setup */
/* clang-format off */
#define RECORD_TEXTS(X) \
    X(problem, "name of the problem") \
    X(checkpoint, "name of the checkpoint") \
    X(state, "ran, error, skipped or unknown")

/* X(FIELD_..., key, unit, description): numbers and booleans */
#define RECORD_NUMBERS(X) \
    X(IDX, "idx", "checkpoints", "number of the checkpoint within its problem, from 1") \
    X(N_CHECKPOINTS, "n_checkpoints", "checkpoints", "configured checkpoints of the problem") \
    X(IS_FIRST, "is_first", "", "1 for the first checkpoint of the problem") \
    X(IS_LAST, "is_last", "", "1 for the last checkpoint of the problem") \
    X(STRICT_PASS_RATE, "strict_pass_rate", "share", "tests passed, of all tests") \
    X(CORE_PASS_RATE, "core_pass_rate", "share", "core tests passed") \
    X(ISOLATED_PASS_RATE, "isolated_pass_rate", "share", "tests passed, of all but regression tests") \
    X(TOTAL_TESTS, "total_tests", "tests", "all tests") \
    X(PASSED_TESTS, "passed_tests", "tests", "all tests that passed") \
    X(CORE_TOTAL, "core_total", "tests", "core tests") \
    X(CORE_PASSED, "core_passed", "tests", "core tests that passed") \
    X(FUNCTIONALITY_TOTAL, "functionality_total", "tests", "functionality tests") \
    X(FUNCTIONALITY_PASSED, "functionality_passed", "tests", "functionality tests that passed") \
    X(ERROR_TOTAL, "error_total", "tests", "error tests") \
    X(ERROR_PASSED, "error_passed", "tests", "error tests that passed") \
    X(REGRESSION_TOTAL, "regression_total", "tests", "regression tests") \
    X(REGRESSION_PASSED, "regression_passed", "tests", "regression tests that passed") \
    X(DURATION, "duration", "s", "time the agent took") \
    X(COST, "cost", "USD", "cost of the checkpoint") \
    X(STEPS, "steps", "steps", "steps the agent took") \
    X(INPUT, "input", "tokens", "input tokens") \
    X(OUTPUT, "output", "tokens", "output tokens") \
    X(CACHE_READ, "cache_read", "tokens", "input tokens read from the cache") \
    X(CACHE_WRITE, "cache_write", "tokens", "input tokens written to the cache") \
    X(REASONING, "reasoning", "tokens", "reasoning tokens") \
    X(PHYSICAL_LOC, "loc", "physical lines", "size of the snapshot") \
    X(SOURCE_LOC, "sloc", "source lines", "size of the snapshot") \
    X(TOTAL_LINES, "total_lines", "physical lines", "what verbosity divides by; loc if a record does not have it") \
    X(LINT_ERRORS, "lint_errors", "findings", "findings of the linter") \
    X(CC_MAX, "cc_max", "", "largest cyclomatic complexity of a function") \
    X(CC_MEAN, "cc_mean", "", "mean cyclomatic complexity") \
    X(CC_HIGH_COUNT, "cc_high_count", "functions", "functions of cyclomatic complexity above 10") \
    X(HIGH_CC_MEAN, "high_cc_mean", "", "mean cyclomatic complexity of these") \
    X(CLONE_LINES, "clone_lines", "physical lines", "lines inside clones") \
    X(FLAGGED_SOURCE_LOC, "verbosity_flagged_sloc_lines", "source lines", "lines flagged by rules or clones") \
    X(AST_GREP_VIOLATIONS, "ast_grep_violations", "hits", "hits of rules") \
    X(VIOLATION_PCT, "violation_pct", "share", "hits of rules per line") \
    X(RUBRIC_TOTAL_FLAGS, "rubric_total_flags", "flags", "flags of the rubric") \
    X(LINES_ADDED, "lines_added", "physical lines", "lines added since the checkpoint before") \
    X(LINES_REMOVED, "lines_removed", "physical lines", "lines removed since the checkpoint before") \
    X(MASS_CC, "mass.cc", "mass", "complexity mass of the functions") \
    X(MASS_HIGH_CC_PCT, "mass.high_cc_pct", "share", "mass in functions of complexity above 10") \
    X(VERBOSITY, "verbosity", "share", "verbosity, where the record has it") \
    X(EROSION, "erosion", "share", "erosion, where the record has it") \
    X(DELTA_CHURN_RATIO, "delta.churn_ratio", "share", "lines added and removed over the lines of the checkpoint before")
/* clang-format on */

#endif
