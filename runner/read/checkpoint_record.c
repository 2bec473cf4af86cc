/*
 * The record of a checkpoint, made from the files of its folder.
 *
 * evaluation.json gives the pass rates, inference_result.json cost and times, quality_analysis/ the
 * quality figures, rubric.jsonl the findings; each group is left out when its file is missing.  The
 * keys and the formulas are those of SlopCodeBench's own files.
 */
#include "runner/read/checkpoint_record.h"

#include <math.h>

#include "base/json_write.h"
#include "base/num.h"
#include "runner/read/iso_time.h"
#include "runner/read/quality_lines.h"

/* ---- Members ------------------------------------------------------------------------------- */

static const struct json_value *
object_member(const struct json_value *object, const char *name)
{
    const struct json_value *member = object ? json_member(object, name) : NULL;
    return member && json_type(member) == JSON_OBJECT ? member : NULL;
}

/* Read the number NAME of OBJECT; false when there is not one. */
static bool
get_number(const struct json_value *object, const char *name, double *out)
{
    const struct json_value *member = object ? json_member(object, name) : NULL;
    if (!member || json_type(member) != JSON_NUMBER)
        return false;
    *out = json_number(member);
    return true;
}

static double
number_or_0(const struct json_value *object, const char *name)
{
    double value;
    return get_number(object, name, &value) ? value : 0;
}

/* Write VALUE as a whole number when it is one. */
static void
write_whole(struct json_writer *json, const char *key, double value)
{
    if (value == rint(value) && fabs(value) < 9007199254740992.0)
        json_member_i64(json, key, (int64_t)value);
    else
        json_member_double(json, key, value);
}

enum number_kind { WHOLE, REAL };

static void
copy_number(struct json_writer *json, const char *key, const struct json_value *object,
            const char *name, enum number_kind kind)
{
    double value;
    if (!get_number(object, name, &value))
        return;
    if (kind == WHOLE)
        write_whole(json, key, value);
    else
        json_member_double(json, key, value);
}

/* ---- Groups of keys ------------------------------------------------------------------------ */

static void
write_subject(struct json_writer *json, const struct record_subject *subject)
{
    const struct run_problem *problem = subject->problem;
    const struct run_checkpoint *checkpoint = subject->checkpoint;
    json_member_bytes(json, "problem", problem->name);
    if (problem->version >= 0)
        json_member_i64(json, "version", problem->version);
    json_member_bytes(json, "checkpoint", checkpoint->name);
    json_member_bytes(json, "path", subject->path);
    if (checkpoint->idx >= 0)
        json_member_i64(json, "idx", checkpoint->idx);
    json_member_bytes(json, "state", checkpoint->state);
    if (checkpoint->is_configured) {
        json_member_bool(json, "is_first", checkpoint->is_first);
        json_member_bool(json, "is_last", checkpoint->is_last);
    }
}

static double
sum_of(const struct json_value *counts)
{
    double sum = 0;
    const struct json_value *first = counts ? json_first(counts) : NULL;
    for (const struct json_value *count = first; count; count = json_next(count))
        sum += json_number(count);
    return sum;
}

static double
rate(double passed, double total)
{
    return total > 0 ? passed / total : 0;
}

static void
write_evaluation(struct json_writer *json, const struct json_value *evaluation)
{
    static const char *const groups[][3] = {
        {"Core", "core_total", "core_passed"},
        {"Functionality", "functionality_total", "functionality_passed"},
        {"Error", "error_total", "error_passed"},
        {"Regression", "regression_total", "regression_passed"}};
    const struct json_value *totals = object_member(evaluation, "total_counts");
    const struct json_value *passes = object_member(evaluation, "pass_counts");
    double total = sum_of(totals), passed = sum_of(passes);
    if (total == 0)
        total = number_or_0(evaluation, "pytest_collected");
    double regression = number_or_0(totals, "Regression");
    double regression_passed = number_or_0(passes, "Regression");
    json_member_double(json, "strict_pass_rate", rate(passed, total));
    json_member_double(json, "core_pass_rate",
                       rate(number_or_0(passes, "Core"), number_or_0(totals, "Core")));
    json_member_double(json, "isolated_pass_rate",
                       rate(passed - regression_passed, total - regression));
    write_whole(json, "total_tests", total);
    write_whole(json, "passed_tests", passed);
    for (size_t i = 0; i < sizeof(groups) / sizeof(*groups); i++) {
        write_whole(json, groups[i][1], number_or_0(totals, groups[i][0]));
        write_whole(json, groups[i][2], number_or_0(passes, groups[i][0]));
    }
}

static void
write_inference(struct json_writer *json, const struct json_value *inference)
{
    static const char *const tokens[] = {"cache_read", "cache_write", "input", "output",
                                         "reasoning"};
    struct bytes started = json_string(json_member(inference, "started"));
    struct bytes ended = json_string(json_member(inference, "completed"));
    int64_t from_us, to_us;
    if (iso_time_parse(started, &from_us) == 0 && iso_time_parse(ended, &to_us) == 0) {
        json_member_bytes(json, "started", started);
        json_member_bytes(json, "ended", ended);
        json_member_double(json, "duration", (double)(to_us - from_us) / 1e6);
    }
    const struct json_value *usage = object_member(inference, "usage");
    const struct json_value *net = object_member(usage, "net_tokens");
    copy_number(json, "cost", usage, "cost", REAL);
    copy_number(json, "steps", usage, "steps", WHOLE);
    for (size_t i = 0; i < sizeof(tokens) / sizeof(*tokens); i++)
        copy_number(json, tokens[i], net, tokens[i], WHOLE);
}

/* Keys of a record that are copied from overall_quality.json, by section; "" is the top. */
static const struct {
    const char *key, *section, *name;
    enum number_kind kind;
} quality_keys[] = {
    {"loc", "lines", "total_lines", WHOLE},
    {"sloc", "lines", "loc", WHOLE},
    {"total_lines", "lines", "total_lines", WHOLE},
    {"single_comments", "lines", "single_comment", WHOLE},
    {"lint_errors", "lint", "errors", WHOLE},
    {"lint_fixable", "lint", "fixable", WHOLE},
    {"files", "", "file_count", WHOLE},
    {"functions", "symbols", "functions", WHOLE},
    {"methods", "symbols", "methods", WHOLE},
    {"classes", "symbols", "classes", WHOLE},
    {"statements", "symbols", "statements", WHOLE},
    {"symbols_total", "symbols", "total", WHOLE},
    {"cc_max", "functions", "cc_max", WHOLE},
    {"cc_mean", "functions", "cc_mean", REAL},
    {"cc_std", "functions", "cc_std", REAL},
    {"cc_high_count", "functions", "cc_high_count", WHOLE},
    {"cc_extreme_count", "functions", "cc_extreme_count", WHOLE},
    {"high_cc_mean", "functions", "high_cc_mean", REAL},
    {"cc_normalized", "functions", "cc_normalized", REAL},
    {"cc_concentration", "functions", "cc_concentration", REAL},
    {"cc_top20", "functions", "cc_top20", REAL},
    {"max_nesting_depth", "functions", "depth_max", WHOLE},
    {"lines_per_symbol", "functions", "lines_mean", REAL},
    {"single_use_functions", "waste", "single_use_functions", WHOLE},
    {"trivial_wrappers", "waste", "trivial_wrappers", WHOLE},
    {"unused_variables", "waste", "unused_variables", WHOLE},
    {"clone_lines", "redundancy", "clone_lines", WHOLE},
    {"cloned_sloc_lines", "redundancy", "cloned_sloc_lines", WHOLE},
    {"ast_grep_violations", "ast_grep", "violations", WHOLE},
    {"verbosity_flagged_sloc_lines", "", "verbosity_flagged_sloc_lines", WHOLE},
};

static void
write_quality(struct json_writer *json, const struct json_value *quality)
{
    for (size_t i = 0; i < sizeof(quality_keys) / sizeof(*quality_keys); i++) {
        const struct json_value *section =
            *quality_keys[i].section ? object_member(quality, quality_keys[i].section) : quality;
        copy_number(json, quality_keys[i].key, section, quality_keys[i].name, quality_keys[i].kind);
    }
    const struct json_value *redundancy = object_member(quality, "redundancy");
    const struct json_value *ast_grep = object_member(quality, "ast_grep");
    const struct json_value *graph = object_member(quality, "graph");
    if (ast_grep)
        write_whole(json, "sg_slop_violations",
                    number_or_0(object_member(ast_grep, "category_counts"), "slop"));
    double total = number_or_0(object_member(quality, "lines"), "total_lines");
    if (total > 0) {
        json_member_double(json, "lint_per_loc",
                           number_or_0(object_member(quality, "lint"), "errors") / total);
        json_member_double(json, "violation_pct", number_or_0(ast_grep, "violation_lines") / total);
        json_member_double(json, "cloned_pct",
                           number_or_0(redundancy, "cloned_sloc_lines") / total);
        json_member_double(json, "verbosity_flagged_pct",
                           number_or_0(quality, "verbosity_flagged_sloc_lines") / total);
    }
    copy_number(json, "graph_cyclic_dependency_mass", graph, "cyclic_dependency_mass", REAL);
    copy_number(json, "graph_propagation_cost", graph, "propagation_cost", REAL);
    copy_number(json, "graph_dependency_entropy", graph, "dependency_entropy", REAL);
}

/* Write the keys that are sums over files and symbols. */
static int
write_quality_lines(struct json_writer *json, const struct run_folder *folder,
                    const struct run_folder *analysis, const struct json_value *quality,
                    struct err *err)
{
    struct changed_lines changed;
    struct symbol_figures symbols;
    const struct json_value *counts = object_member(quality, "symbols");
    bool has_functions = number_or_0(counts, "functions") + number_or_0(counts, "methods") > 0;
    int has_changed = quality_read_changes(folder, analysis, &changed, err);
    int has_symbols = has_changed < 0 ? -1 : quality_read_symbols(analysis, &symbols, err);
    if (has_symbols < 0)
        return -1;
    if (has_changed) {
        write_whole(json, "lines_added", changed.n_added);
        write_whole(json, "lines_removed", changed.n_removed);
    }
    if (has_symbols || !has_functions) { /* without functions there may be no file of them */
        json_member_double(json, "mean_func_loc", symbols.mean_lines);
        json_member_double(json, "mass.cc", symbols.mass);
        json_member_double(json, "mass.high_cc_pct", symbols.high_share);
    }
    return 0;
}

static void
write_rubric(struct json_writer *json, const struct rubric_flags *rubric, double loc)
{
    write_whole(json, "rubric_total_flags", rubric->n);
    write_whole(json, "rubric_carried_over", rubric->n_carried_over);
    write_whole(json, "rubric_verbosity_flags", rubric->n_verbosity);
    write_whole(json, "rubric_erosion_flags", rubric->n_erosion);
    if (loc > 0)
        json_member_double(json, "rubric_per_loc", rubric->n / loc);
}

/* ---- The record ---------------------------------------------------------------------------- */

static int
write_quality_group(struct json_writer *json, const struct run_folder *folder, struct err *err)
{
    struct run_folder analysis;
    struct json_doc *quality = NULL;
    struct rubric_flags rubric;
    int found = quality_folder_open(folder, &analysis, err);
    if (found > 0)
        found = run_read_json(&analysis, "overall_quality.json", &quality, err);
    double loc = 0;
    if (found > 0) {
        const struct json_value *root = json_root(quality);
        loc = number_or_0(object_member(root, "lines"), "total_lines");
        write_quality(json, root);
        found = write_quality_lines(json, folder, &analysis, root, err);
    }
    json_close(quality);
    int has_rubric = found < 0 ? -1 : quality_read_rubric(folder, &rubric, err);
    if (has_rubric > 0)
        write_rubric(json, &rubric, loc);
    return has_rubric < 0 ? -1 : 0;
}

int
checkpoint_record_write(const struct run_folder *folder, const struct record_subject *subject,
                        struct buf *out, struct err *err)
{
    struct json_writer json = json_writer_init(out, 0);
    struct json_doc *evaluation = NULL, *inference = NULL;
    json.spaced = true;
    json.nonfinite = JSON_NONFINITE_WORD;
    int rc = run_read_json(folder, "evaluation.json", &evaluation, err);
    if (rc >= 0)
        rc = run_read_json(folder, "inference_result.json", &inference, err);
    json_begin_object(&json);
    write_subject(&json, subject);
    if (evaluation)
        write_evaluation(&json, json_root(evaluation));
    if (inference)
        write_inference(&json, json_root(inference));
    if (rc >= 0)
        rc = write_quality_group(&json, folder, err);
    json_end_object(&json);
    json_close(evaluation);
    json_close(inference);
    if (rc >= 0 && buf_failed(out))
        rc = err_nomem(err, "record");
    return rc < 0 ? -1 : 0;
}

/* ---- Deltas -------------------------------------------------------------------------------- */

/* NUMERATOR / DENOMINATOR; 0 over 0 is 0, anything else over 0 is infinite. */
static double
ratio(double numerator, double denominator)
{
    if (denominator == 0)
        return numerator == 0 ? 0 : INFINITY;
    return numerator / denominator;
}

static double
change_percent(const struct json_value *before, const struct json_value *now, const char *name)
{
    double from = number_or_0(before, name);
    return ratio(number_or_0(now, name) - from, from) * 100;
}

int
checkpoint_record_add_deltas(struct bytes before, struct buf *record, struct err *err)
{
    struct json_doc *old = NULL, *new = NULL;
    int rc = json_open(before, "record", true, &old, err);
    if (rc == 0)
        rc = json_open(buf_bytes(record), "record", true, &new, err);
    if (rc == 0) {
        const struct json_value *from = json_root(old), *to = json_root(new);
        double added, removed;
        bool has_churn =
            get_number(to, "lines_added", &added) && get_number(to, "lines_removed", &removed);
        /* The closing brace gives way to a second object without its opening one. */
        struct buf tail = {0};
        struct json_writer json = json_writer_init(&tail, 0);
        json.spaced = true;
        json.nonfinite = JSON_NONFINITE_WORD;
        json_begin_object(&json);
        json_member_double(&json, "delta.loc", change_percent(from, to, "loc"));
        json_member_double(&json, "delta.ast_grep_violations",
                           change_percent(from, to, "ast_grep_violations"));
        if (has_churn)
            json_member_double(&json, "delta.churn_ratio",
                               ratio(added + removed, number_or_0(from, "total_lines")));
        json_end_object(&json);
        record->len--;
        buf_append_text(record, ", ");
        buf_append_bytes(record, bytes_slice(buf_bytes(&tail), 1, tail.len));
        if (buf_failed(&tail) || buf_failed(record))
            rc = err_nomem(err, "record");
        buf_clear(&tail);
    }
    json_close(old);
    json_close(new);
    return rc;
}

int
checkpoint_record_time(struct bytes record, int64_t *out_s)
{
    static const char *const names[] = {"ended", "started"};
    struct json_doc *doc;
    struct err err;
    int64_t time_us = 0;
    int rc = -1;
    if (json_open(record, "record", true, &doc, &err) < 0)
        return -1;
    for (size_t i = 0; i < 2 && rc < 0; i++)
        rc = iso_time_parse(json_string(json_member(json_root(doc), names[i])), &time_us);
    json_close(doc);
    *out_s = time_us / 1000000;
    return rc;
}
