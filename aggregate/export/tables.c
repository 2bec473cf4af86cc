/* The columns of every table.  The rows in export.c add their cells in this order. */
#include "aggregate/export/writer.h"
#include "analyzer/facts.h"

#include <assert.h>

#define COUNTERS(prefix)                                                                       \
    {prefix "if", CELL_INTEGER}, {prefix "elif", CELL_INTEGER}, {prefix "else", CELL_INTEGER}, \
        {prefix "for", CELL_INTEGER}, {prefix "while", CELL_INTEGER},                          \
        {prefix "except", CELL_INTEGER}, {prefix "except_star", CELL_INTEGER},                 \
        {prefix "finally", CELL_INTEGER}, {prefix "with", CELL_INTEGER},                       \
        {prefix "assert", CELL_INTEGER}, {prefix "list_comp", CELL_INTEGER},                   \
        {prefix "set_comp", CELL_INTEGER}, {prefix "dict_comp", CELL_INTEGER},                 \
        {prefix "generator", CELL_INTEGER}, {prefix "comp_if", CELL_INTEGER},                  \
        {prefix "case", CELL_INTEGER}, {prefix "case_guard", CELL_INTEGER},                    \
        {prefix "and_or", CELL_INTEGER}, {prefix "ternary", CELL_INTEGER},                     \
        {prefix "lambda", CELL_INTEGER}, {prefix "loop_else", CELL_INTEGER},                   \
        {prefix "try_else", CELL_INTEGER}, {prefix "return", CELL_INTEGER},                    \
        {prefix "raise", CELL_INTEGER}, {prefix "yield", CELL_INTEGER},                        \
        {prefix "await", CELL_INTEGER}, {prefix "break", CELL_INTEGER},                        \
        {prefix "continue", CELL_INTEGER},                                                     \
    {                                                                                          \
        prefix "call", CELL_INTEGER                                                            \
    }

static const struct export_column TRAJECTORIES[] = {
    {"trajectory", CELL_TEXT}, {"kind", CELL_TEXT},       {"origin", CELL_TEXT},
    {"stars", CELL_INTEGER},   {"tier", CELL_TEXT},       {"as_of", CELL_TEXT},
    {"license", CELL_TEXT},    {"ref", CELL_TEXT},        {"head", CELL_TEXT},
    {"status", CELL_TEXT},     {"commits", CELL_INTEGER}, {"checkpoints", CELL_INTEGER},
    {"skips", CELL_INTEGER},   {"params", CELL_TEXT},
};

static const struct export_column CHECKPOINTS[] = {
    {"trajectory", CELL_TEXT},       {"ordinal", CELL_INTEGER},
    {"checkpoint", CELL_TEXT},       {"time", CELL_TEXT},
    {"time_s", CELL_INTEGER},        {"date_problem", CELL_TEXT},
    {"author_time", CELL_TEXT},      {"author_time_s", CELL_INTEGER},
    {"author", CELL_TEXT},           {"markers", CELL_TEXT},
    {"parents", CELL_INTEGER},       {"files", CELL_INTEGER},
    {"files_missing", CELL_INTEGER}, {"record", CELL_TEXT},
};

static const struct export_column SCORES[] = {
    {"trajectory", CELL_TEXT},
    {"ordinal", CELL_INTEGER},
    {"profile", CELL_TEXT},
    {"files_walked", CELL_INTEGER},
    {"files_scanned", CELL_INTEGER},
    {"files_skipped_parse", CELL_INTEGER},
    {"files_skipped", CELL_INTEGER},
    {"total_loc", CELL_INTEGER},
    {"total_lines", CELL_INTEGER},
    {"clone_loc", CELL_INTEGER},
    {"ast_grep_flagged_loc", CELL_INTEGER},
    {"ast_grep_hits", CELL_INTEGER},
    {"structural_rule_loc", CELL_INTEGER},
    {"structural_rule_findings", CELL_INTEGER},
    {"verbosity_flagged_loc", CELL_INTEGER},
    {"verbosity", CELL_REAL},
    {"total_functions", CELL_INTEGER},
    {"high_cc_functions", CELL_INTEGER},
    {"high_cog_functions", CELL_INTEGER},
    {"cc_max", CELL_REAL},
    {"cc_mean", CELL_REAL},
    {"total_mass", CELL_REAL},
    {"high_cc_mass", CELL_REAL},
    {"erosion", CELL_REAL},
    {"total_cog_mass", CELL_REAL},
    {"high_cog_mass", CELL_REAL},
    {"cog_erosion", CELL_REAL},
};

static const struct export_column FILES[] = {
    {"trajectory", CELL_TEXT}, {"ordinal", CELL_INTEGER}, {"path", CELL_TEXT},
    {"mode", CELL_INTEGER},    {"blob", CELL_TEXT},       {"is_scored", CELL_INTEGER},
};

static const struct export_column BLOBS[] = {
    {"blob", CELL_TEXT},
    {"skipped", CELL_TEXT},
    {"bytes", CELL_INTEGER},
    {"encoding", CELL_TEXT},
    {"refusal", CELL_TEXT},
    {"has_error", CELL_INTEGER},
    {"errors", CELL_INTEGER},
    {"physical_lines", CELL_INTEGER},
    {"sloc", CELL_INTEGER},
    {"sloc_parts", CELL_INTEGER},
    {"comment_lines", CELL_INTEGER},
    {"classes", CELL_INTEGER},
    {"statements", CELL_INTEGER},
    {"callables", CELL_INTEGER},
    {"clone_candidates", CELL_INTEGER},
};

static const struct export_column CALLABLES[] = {
    {"blob", CELL_TEXT},
    {"number", CELL_INTEGER},
    {"name", CELL_TEXT},
    {"start_line", CELL_INTEGER},
    {"end_line", CELL_INTEGER},
    {"sloc", CELL_INTEGER},
    {"sloc_parts", CELL_INTEGER},
    {"cognitive", CELL_INTEGER},
    {"max_nesting", CELL_INTEGER},
    {"statements", CELL_INTEGER},
    {"parameters", CELL_INTEGER},
    {"is_async", CELL_INTEGER},
    {"is_decorated", CELL_INTEGER},
    {"is_method", CELL_INTEGER},
    {"is_nested", CELL_INTEGER},
    {"is_reachable", CELL_INTEGER},
    {"is_trivial_wrapper", CELL_INTEGER},
    {"has_error", CELL_INTEGER},
    {"is_counted", CELL_INTEGER},
    {"cc", CELL_REAL},
    {"mass", CELL_REAL},
    COUNTERS("all_"),
    COUNTERS("own_"),
};

#define TABLE(name, columns, key)                                \
    {                                                            \
        name, columns, sizeof(columns) / sizeof(*(columns)), key \
    }

static const struct export_table TABLES[EXPORT_N_TABLES] = {
    [EXPORT_TRAJECTORIES] = TABLE("trajectories", TRAJECTORIES, "trajectory"),
    [EXPORT_CHECKPOINTS] = TABLE("checkpoints", CHECKPOINTS, "trajectory, ordinal"),
    [EXPORT_SCORES] = TABLE("scores", SCORES, "trajectory, ordinal"),
    [EXPORT_FILES] = TABLE("files", FILES, "trajectory, ordinal, path"),
    [EXPORT_BLOBS] = TABLE("blobs", BLOBS, "blob"),
    [EXPORT_CALLABLES] = TABLE("callables", CALLABLES, "blob, number"),
};

_Static_assert(sizeof(CALLABLES) / sizeof(*CALLABLES) == 21 + 2 * COUNT_N,
               "every counter has its columns");
_Static_assert(sizeof(CALLABLES) / sizeof(*CALLABLES) <= EXPORT_COLUMNS_MAX,
               "rows are long enough");

const struct export_table *
export_table(enum export_table_id id)
{
    return &TABLES[id];
}

const char *
export_table_name(enum export_table_id id)
{
    return TABLES[id].name;
}

/* ---- Rows ---------------------------------------------------------------------------------- */

void
row_reset(struct row *row)
{
    row->n_cells = 0;
}

static void
add(struct row *row, struct cell cell)
{
    assert(row->n_cells < EXPORT_COLUMNS_MAX);
    row->cells[row->n_cells++] = cell;
}

void
row_add_none(struct row *row)
{
    add(row, (struct cell){.type = CELL_NONE});
}

void
row_add_bytes(struct row *row, struct bytes text)
{
    add(row, (struct cell){.type = text.data ? CELL_TEXT : CELL_NONE, .text = text});
}

void
row_add_text(struct row *row, const char *text)
{
    row_add_bytes(row, text ? bytes_of_text(text) : (struct bytes){NULL, 0});
}

void
row_add_integer(struct row *row, uint64_t value)
{
    row_add_signed(row, value > INT64_MAX ? INT64_MAX : (int64_t)value);
}

void
row_add_signed(struct row *row, int64_t value)
{
    add(row, (struct cell){.type = CELL_INTEGER, .integer = value});
}

void
row_add_real(struct row *row, double value)
{
    add(row, (struct cell){.type = CELL_REAL, .real = value});
}
