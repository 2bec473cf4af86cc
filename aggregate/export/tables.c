/*
 * The columns of every exported table.
 *
 * Each table is a struct of rows.h and one array of columns over it.  Rows, headings, SQL types and
 * the data dictionary all follow from these arrays: to add a column, add a member to the struct, a
 * line here, and the value where export.c fills the row.
 */
#include "aggregate/export/rows.h"

#include <assert.h>

#define COLUMN(place, name, unit, description) ROW_COLUMN(ROW, place, name, unit, description)
#define COLUMN_IF(place, name, unit, presence, description) \
    ROW_COLUMN_IF(ROW, place, name, unit, presence, description)

static const struct row_presence RECORDED = {ROW_NO_FLAG, "recorded"};

/* ---- Trajectories -------------------------------------------------------------------------- */

#define ROW struct trajectory_row

static const struct row_presence WITH_STARS = {offsetof(ROW, has_stars), "the star count is known"};

static const struct row_column trajectory_columns[] = {
    COLUMN(trajectory, "trajectory", "", "id: the repository's name, or run and problem"),
    COLUMN(kind, "kind", "", "human or agent"),
    COLUMN_IF(origin, "origin", "", RECORDED, "URL or path it was mined from"),
    COLUMN_IF(stars, "stars", "stars", WITH_STARS, "star count of the repository"),
    COLUMN_IF(tier, "tier", "", WITH_STARS,
              "tier of the star count: hobby, niche, established or major"),
    COLUMN_IF(as_of, "as_of", "", RECORDED, "day of the star count, as 2024-01-31"),
    COLUMN_IF(license, "license", "", RECORDED, "license of the repository"),
    COLUMN_IF(ref, "ref", "", RECORDED, "branch or tag that was asked for"),
    COLUMN_IF(head, "head", "", RECORDED, "id of the commit that the sampling started from"),
    COLUMN(status, "status", "", "unfinished, done, partial or skipped"),
    COLUMN(n_commits, "commits", "commits", "commits walked when it was mined"),
    COLUMN(n_checkpoints, "checkpoints", "checkpoints", "in the store, whatever the filters are"),
    COLUMN(n_notes, "skips", "notes", "how many things were left out when it was mined"),
    COLUMN_IF(params, "params", "", RECORDED,
              "JSON object: sampling and source selection, or the setup of the agent's run"),
};

static const struct row_kind trajectory_kind = ROW_KIND(
    "trajectories", "One repository, or one agent's run on one problem.", trajectory_columns);

#undef ROW

/* ---- Checkpoints --------------------------------------------------------------------------- */

#define ROW struct checkpoint_row

static const struct row_presence WITH_TIME = {offsetof(ROW, has_time),
                                              "the commit has a date that can be real"};
static const struct row_presence WITHOUT_TIME = {ROW_NO_FLAG, "there is no time"};
static const struct row_presence WITH_AUTHOR_TIME = {
    offsetof(ROW, has_author_time), "the author's date was recorded and can be real"};
static const struct row_presence OF_AGENTS = {ROW_NO_FLAG, "it is an agent's checkpoint"};

static const struct row_column checkpoint_columns[] = {
    COLUMN(trajectory, "trajectory", "", "id of the trajectory"),
    COLUMN(ordinal, "ordinal", "", "place in the trajectory, from 0"),
    COLUMN(checkpoint, "checkpoint", "", "id of the commit, or name of the agent's checkpoint"),
    COLUMN_IF(time, "time", "UTC", WITH_TIME, "committer date, as 2024-01-31T23:59:59Z"),
    COLUMN_IF(time_s, "time_s", "s", WITH_TIME, "the same, in seconds since 1970"),
    COLUMN_IF(date_problem, "date_problem", "", WITHOUT_TIME, "why there is no time"),
    COLUMN_IF(author_time, "author_time", "UTC", WITH_AUTHOR_TIME, "author's date"),
    COLUMN_IF(author_time_s, "author_time_s", "s", WITH_AUTHOR_TIME,
              "the same, in seconds since 1970"),
    COLUMN(author, "author", "", "human, bot or assistant, by the marks of the commit"),
    COLUMN_IF(markers, "markers", "", RECORDED, "these marks, a JSON array"),
    COLUMN(n_parents, "parents", "commits", "parents of the commit"),
    COLUMN(n_files, "files", "files", "rows in the table files, without filters"),
    COLUMN(n_missing, "files_missing", "files", "files that could not be read when it was mined"),
    COLUMN_IF(record, "record", "", OF_AGENTS,
              "JSON object: tests, cost and tokens; see agent records below"),
};

static const struct row_kind checkpoint_kind = ROW_KIND(
    "checkpoints", "One sampled commit, or one checkpoint of an agent's run.", checkpoint_columns);

#undef ROW

/* ---- Scores -------------------------------------------------------------------------------- */

#define ROW struct score_row

static const struct row_column score_columns[] = {
    COLUMN(trajectory, "trajectory", "", "id of the trajectory"),
    COLUMN(ordinal, "ordinal", "", "place in the trajectory, from 0"),
    COLUMN(profile, "profile", "", "name of the profile"),
    ROW_COLUMNS_OF_ROW(ROW, score, score_row_kind),
};

static const struct row_kind score_kind = ROW_KIND(
    "scores", "The score of one checkpoint under the profile of the export.", score_columns);

#undef ROW

/* ---- Files --------------------------------------------------------------------------------- */

#define ROW struct file_row

static const struct row_column file_columns[] = {
    COLUMN(trajectory, "trajectory", "", "id of the trajectory"),
    COLUMN(ordinal, "ordinal", "", "place in the trajectory, from 0"),
    COLUMN(path, "path", "", "path in the checkpoint's tree"),
    COLUMN(mode, "mode", "",
           "git's file mode as a decimal number: 33188 is 100644, 33261 is 100755"),
    COLUMN(blob, "blob", "", "git object id of the content"),
    COLUMN(is_scored, "is_scored", "",
           "1 if the profile and the options --path and --not-path take the file as source"),
};

static const struct row_kind file_kind =
    ROW_KIND("files", "One file of one checkpoint.", file_columns);

#undef ROW

/* ---- Blobs --------------------------------------------------------------------------------- */

#define ROW struct blob_row

static const struct row_presence NOT_ANALYSED = {ROW_NO_FLAG, "there are no facts"};
static const struct row_presence WITH_BYTES = {offsetof(ROW, has_bytes),
                                               "the store has a value for the blob"};
static const struct row_presence ANALYSED = {offsetof(ROW, is_analysed), "there are facts"};
static const struct row_presence REFUSED = {offsetof(ROW, is_analysed),
                                            "no version of Python accepts the file"};

static const struct row_column blob_columns[] = {
    COLUMN(blob, "blob", "", "git object id of the content"),
    COLUMN_IF(skipped, "skipped", "", NOT_ANALYSED, "why there are no facts"),
    COLUMN_IF(n_bytes, "bytes", "bytes", WITH_BYTES, "size of the file"),
    COLUMN_IF(encoding, "encoding", "", ANALYSED, "encoding it was read in"),
    COLUMN_IF(refusal, "refusal", "", REFUSED, "why no version of Python accepts it"),
    COLUMN_IF(has_error, "has_error", "", ANALYSED, "1 if the syntax tree has errors"),
    COLUMN_IF(n_errors, "errors", "nodes", ANALYSED, "error nodes in the syntax tree"),
    COLUMN_IF(physical_loc, "physical_lines", "physical lines", ANALYSED, "all lines"),
    COLUMN_IF(source_loc, "sloc", "source lines", ANALYSED,
              "lines with a token; an f-string is one token"),
    COLUMN_IF(source_loc_parts, "sloc_parts", "source lines", ANALYSED,
              "the same with an f-string as its parts"),
    COLUMN_IF(comment_lines, "comment_lines", "physical lines", ANALYSED,
              "lines with a comment and no token"),
    COLUMN_IF(n_classes, "classes", "classes", ANALYSED, "class definitions at any depth"),
    COLUMN_IF(n_statements, "statements", "statements", ANALYSED, "statements at any depth"),
    COLUMN_IF(n_callables, "callables", "callables", ANALYSED, "rows in the table callables"),
    COLUMN_IF(n_clones, "clone_candidates", "places", ANALYSED,
              "places that may have a copy elsewhere"),
};

static const struct row_kind blob_kind =
    ROW_KIND("blobs", "One file content, however many files have it.", blob_columns);

#undef ROW

/* ---- Callables ----------------------------------------------------------------------------- */

#define ROW struct callable_row

static const char *
name_counter(size_t counter)
{
    return counter_name((enum counter)counter);
}

static const struct row_column callable_columns[] = {
    COLUMN(blob, "blob", "", "git object id of the file's content"),
    COLUMN(number, "number", "", "place in the file, from 0 in order of appearance"),
    COLUMN(facts.name, "name", "", "name of the function or method"),
    COLUMN(facts.start_line, "start_line", "", "first physical line, from 1"),
    COLUMN(facts.end_line, "end_line", "", "last physical line"),
    COLUMN(facts.sloc[FSTRING_ONE], "sloc", "source lines",
           "lines with a token; an f-string is one token"),
    COLUMN(facts.sloc[FSTRING_PARTS], "sloc_parts", "source lines",
           "the same with an f-string as its parts"),
    COLUMN(facts.cognitive, "cognitive", "", "cognitive complexity"),
    COLUMN(facts.max_nesting, "max_nesting", "levels", "deepest nesting"),
    COLUMN(facts.n_statements, "statements", "statements", "at the top level of the body"),
    COLUMN(facts.n_parameters, "parameters", "parameters", "parameters"),
    COLUMN(is_async, "is_async", "", "1 for async def"),
    COLUMN(is_decorated, "is_decorated", "", "1 if it has a decorator"),
    COLUMN(is_method, "is_method", "", "1 if it is directly inside a class"),
    COLUMN(is_nested, "is_nested", "", "1 if it is inside another callable"),
    COLUMN(is_reachable, "is_reachable", "",
           "1 if only functions, classes, decorated definitions and blocks enclose it"),
    COLUMN(is_trivial_wrapper, "is_trivial_wrapper", "",
           "1 if its body is one call that passes its arguments on"),
    COLUMN(has_error, "has_error", "", "1 if an error node is inside"),
    COLUMN(is_counted, "is_counted", "", "1 if the profile counts it as a callable"),
    COLUMN(cc, "cc", "", "cyclomatic complexity under the profile"),
    COLUMN(mass, "mass", "mass", "cc times the profile's size term; 0 without a source line"),
    ROW_COLUMNS_OF_ARRAY(ROW, facts.all, "all_", "occurrences", name_counter,
                         "how often the construct occurs, nested callables included"),
    ROW_COLUMNS_OF_ARRAY(ROW, facts.own, "own_", "occurrences", name_counter,
                         "the same without nested callables and classes"),
};

static const struct row_kind callable_kind =
    ROW_KIND("callables", "One function or method of one blob.", callable_columns);

#undef ROW

/* ---- The tables ---------------------------------------------------------------------------- */

static const struct export_table tables[EXPORT_N_TABLES] = {
    [EXPORT_TRAJECTORIES] = {&trajectory_kind, "trajectory"},
    [EXPORT_CHECKPOINTS] = {&checkpoint_kind, "trajectory, ordinal"},
    [EXPORT_SCORES] = {&score_kind, "trajectory, ordinal"},
    [EXPORT_FILES] = {&file_kind, "trajectory, ordinal, path"},
    [EXPORT_BLOBS] = {&blob_kind, "blob"},
    [EXPORT_CALLABLES] = {&callable_kind, "blob, number"},
};

const struct export_table *
export_table(enum export_table_id id)
{
    assert(id < EXPORT_N_TABLES);
    return &tables[id];
}

const char *
export_table_name(enum export_table_id id)
{
    return export_table(id)->kind->name;
}

int
export_layouts_make(struct arena *arena, struct row_layout out[EXPORT_N_TABLES], struct err *err)
{
    for (int id = 0; id < EXPORT_N_TABLES; id++)
        if (row_layout_make(tables[id].kind, arena, &out[id], err) < 0)
            return -1;
    return 0;
}
