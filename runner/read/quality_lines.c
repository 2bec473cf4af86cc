/*
 * Three files with a JSON object per line, summed up one line at a time.  A line that cannot be
 * read makes the whole file unusable: a sum without it would be wrong, and nothing would show it.
 */
#include "runner/read/quality_lines.h"

#include <math.h>
#include <stdio.h>

#include "base/num.h"
#include "runner/read/run.h"

int
quality_folder_open(const struct run_folder *folder, struct run_folder *out, struct err *err)
{
    const struct source_entry *entry =
        source_find(folder->entries, folder->n_entries, "quality_analysis");
    if (!entry || !source_is_folder(entry))
        return 0;
    *out = *folder;
    struct bytes path = run_path(folder->arena, folder->path, entry->name);
    out->label = run_path(folder->arena, folder->label, entry->name);
    if (!path.data || !out->label.data)
        return err_nomem(err, "path");
    return run_folder_open(out, path, err) < 0 ? -1 : 1;
}

/* ---- A JSON object a line ------------------------------------------------------------------ */

typedef void each_line(void *context, const struct json_value *object);

/* Call EACH for every line of the file NAME.  1; 0 when it is missing or a line is broken, which
 * gets a note; -1. */
static int
read_lines(const struct run_folder *folder, const char *name, each_line *each, void *context,
           struct err *err)
{
    struct buf text = {0};
    int found = run_read_text(folder, name, &text, err);
    struct bytes rest = buf_bytes(&text), line;
    while (found > 0 && bytes_take_line(&rest, &line)) {
        struct json_doc *doc;
        struct err why;
        if (bytes_is_blank(line))
            continue;
        if (json_open(line, name, true, &doc, &why) < 0) {
            found = run_note(folder, name, &why, err);
        } else {
            each(context, json_root(doc));
            json_close(doc);
        }
    }
    buf_clear(&text);
    return found;
}

static double
number_of(const struct json_value *object, const char *name)
{
    const struct json_value *member = json_member(object, name);
    return member ? json_number(member) : 0;
}

/* ---- Changes ------------------------------------------------------------------------------- */

struct changes {
    const struct json_value *file_diffs;
    struct changed_lines *lines;
};

static void
add_changes(void *context, const struct json_value *file)
{
    struct changes *changes = context;
    struct bytes path = json_string(json_member(file, "file_path"));
    const struct json_value *diff =
        path.len ? json_member(changes->file_diffs, (const char *)path.data) : NULL;
    if (!diff)
        return;
    changes->lines->n_added += number_of(diff, "lines_added");
    changes->lines->n_removed += number_of(diff, "lines_removed");
}

int
quality_read_changes(const struct run_folder *folder, const struct run_folder *analysis,
                     struct changed_lines *out, struct err *err)
{
    struct json_doc *diff;
    struct changes changes = {.lines = out};
    *out = (struct changed_lines){0};
    int found = run_read_json(folder, "diff.json", &diff, err);
    if (found <= 0)
        return found;
    changes.file_diffs = json_member(json_root(diff), "file_diffs");
    found =
        changes.file_diffs ? read_lines(analysis, "files.jsonl", add_changes, &changes, err) : 0;
    json_close(diff);
    return found;
}

/* ---- Symbols ------------------------------------------------------------------------------- */

enum { HIGH_COMPLEXITY = 10 };

struct sums {
    double n, lines, mass, high_mass;
};

static void
add_symbol(void *context, const struct json_value *symbol)
{
    struct sums *sums = context;
    struct bytes type = json_string(json_member(symbol, "type"));
    if (!bytes_equal(type, BYTES("function")) && !bytes_equal(type, BYTES("method")))
        return;
    sums->n++;
    sums->lines += number_of(symbol, "lines");
    double sloc = number_of(symbol, "sloc"), complexity = number_of(symbol, "complexity");
    if (sloc <= 0)
        return;
    double mass = complexity * sqrt(sloc);
    sums->mass += mass;
    if (complexity > HIGH_COMPLEXITY)
        sums->high_mass += mass;
}

/* VALUE rounded to two places as printf does: half to even on the binary value. */
static double
rounded(double value)
{
    char text[400];
    snprintf(text, sizeof(text), "%.2f", value);
    double out = value;
    (void)num_parse_double(bytes_of_text(text), &out);
    return out;
}

int
quality_read_symbols(const struct run_folder *analysis, struct symbol_figures *out, struct err *err)
{
    struct sums sums = {0};
    *out = (struct symbol_figures){0};
    int found = read_lines(analysis, "symbols.jsonl", add_symbol, &sums, err);
    if (found <= 0 || sums.n == 0)
        return found;
    out->mean_lines = sums.lines / sums.n;
    out->mass = rounded(sums.mass);
    out->high_share = sums.mass > 0 ? sums.high_mass / sums.mass : 0;
    return 1;
}

/* ---- Rubric -------------------------------------------------------------------------------- */

static void
add_flag(void *context, const struct json_value *grade)
{
    struct rubric_flags *flags = context;
    struct bytes type = json_string(json_member(grade, "type"));
    flags->n++;
    flags->n_carried_over += json_member(grade, "carried_over") != NULL;
    flags->n_verbosity += bytes_equal(type, BYTES("verbosity"));
    flags->n_erosion += bytes_equal(type, BYTES("erosion"));
}

int
quality_read_rubric(const struct run_folder *folder, struct rubric_flags *out, struct err *err)
{
    *out = (struct rubric_flags){0};
    return read_lines(folder, "rubric.jsonl", add_flag, out, err);
}
