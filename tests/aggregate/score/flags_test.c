/*
 * What flags lines, against the score: on the Python files of this repository and the handed
 * sources, with the built-in rules, under every built-in profile and under changes of one.
 *
 * The lines of score_flags are counted here by themselves, each once, and must be the numbers of
 * the score.
 */
#include <stdlib.h>

#include "aggregate/score.h"
#include "analyzer/analyzer.h"
#include "base/fs.h"
#include "cmocka_all.h"
#include "rules/rule_files.h"

struct fixture {
    struct arena arena;
    struct ruleset *rules;
    struct score_rule *score_rules;
    uint32_t n_rules;
    struct score_file *files;
    size_t n_files;
};

static void
assert_done(int rc, const struct err *err)
{
    if (rc < 0)
        fail_msg("%s", err->text);
}

static void
load_rules(struct fixture *fixture)
{
    struct err err;
    size_t n = 0;
    while (builtin_rule_files[n].name)
        n++;
    struct rule_source *sources = ARENA_ARRAY(&fixture->arena, n, struct rule_source);
    for (size_t i = 0; i < n; i++)
        sources[i] = (struct rule_source){builtin_rule_files[i].name,
                                          {builtin_rule_files[i].data, builtin_rule_files[i].len}};
    assert_done(ruleset_load(sources, n, &fixture->rules, &err), &err);
    fixture->n_rules = ruleset_count(fixture->rules);
    fixture->score_rules = ARENA_ARRAY(&fixture->arena, fixture->n_rules, struct score_rule);
    for (uint32_t i = 0; i < fixture->n_rules; i++) {
        const struct rule_info *rule = ruleset_rule(fixture->rules, i);
        fixture->score_rules[i] =
            (struct score_rule){.id = rule->id,
                                .severity = bytes_of_text(rule_severity_name(rule->severity)),
                                .min_file_count = rule->min_file_count,
                                .is_advice = rule->is_advice,
                                .selection = rule->selection,
                                .is_of_function = rule->is_of_function};
    }
}

/* Analyse the file at PATH and keep what is known of it in FILE. */
static void
analyse(struct fixture *fixture, struct analyzer *analyzer, const char *path,
        struct score_file *file)
{
    struct err err;
    struct buf text = {0}, facts = {0}, hits = {0};
    struct analysis analysis;
    assert_done(fs_read(path, 16 << 20, &text, &err), &err);
    assert_done(analyzer_run(analyzer, buf_bytes(&text), &analysis, &err), &err);
    facts_encode(&analysis.facts, &facts);
    hits_encode(&analysis.hits, &hits);
    struct facts *kept = ARENA_NEW(&fixture->arena, struct facts);
    *file = (struct score_file){.path = bytes_of_text(path), .facts = kept};
    assert_done(
        facts_decode(arena_copy(&fixture->arena, buf_bytes(&facts)), &fixture->arena, kept, &err),
        &err);
    assert_done(hits_decode(arena_copy(&fixture->arena, buf_bytes(&hits)), fixture->n_rules,
                            &fixture->arena, &file->hits, &err),
                &err);
    buf_clear(&text);
    buf_clear(&facts);
    buf_clear(&hits);
}

/* Append the Python files below ROOT, if there is such a folder. */
static void
add_sources(struct fixture *fixture, struct analyzer *analyzer, const char *root)
{
    struct err err;
    struct fs_entry *entries;
    size_t n;
    if (fs_list(root, NULL, NULL, &fixture->arena, &entries, &n, &err) < 0)
        return;
    struct score_file *files =
        ARENA_ARRAY(&fixture->arena, fixture->n_files + n, struct score_file);
    for (size_t i = 0; i < fixture->n_files; i++)
        files[i] = fixture->files[i];
    fixture->files = files;
    for (size_t i = 0; i < n; i++)
        if (bytes_ends_with(entries[i].path, BYTES(".py")))
            analyse(fixture, analyzer,
                    arena_format(&fixture->arena, "%s/%.*s", root, BYTES_ARG(entries[i].path)),
                    &files[fixture->n_files++]);
}

static int
setup(void **state)
{
    struct err err;
    struct analyzer *analyzer;
    struct fixture *fixture = calloc(1, sizeof(*fixture));
    arena_init(&fixture->arena, 0);
    load_rules(fixture);
    struct analyzer_options options = {.limits = analyzer_limits_default(),
                                       .rules = fixture->rules};
    assert_done(analyzer_create(&options, &analyzer, &err), &err);
    add_sources(fixture, analyzer, TESTS_SOURCE_DIR);
    add_sources(fixture, analyzer, TESTS_SOURCE_DIR "/../benchmarks");
    add_sources(fixture, analyzer, TESTS_SOURCE_DIR "/../manifests/bundled");
    add_sources(fixture, analyzer, SHARED_DIR "/cases/sources");
    analyzer_destroy(analyzer);
    *state = fixture;
    return 0;
}

static int
teardown(void **state)
{
    struct fixture *fixture = *state;
    ruleset_destroy(fixture->rules);
    arena_clear(&fixture->arena);
    free(fixture);
    return 0;
}

/* ---- Counting ------------------------------------------------------------------------------ */

enum { FLAG_KINDS = FLAG_STRUCTURAL + 1, ANY = FLAG_KINDS };

/* How many source lines flags that count hold of a kind, by enum flag_kind, and of any. */
struct counts {
    uint64_t lines[FLAG_KINDS + 1];
    uint64_t n_flags[FLAG_KINDS];
};

static bool
holds(const struct line_set *set, uint32_t line)
{
    for (uint32_t i = 0; i < set->n_runs; i++)
        if (line >= set->runs[i].first && line - set->runs[i].first < set->runs[i].n)
            return true;
    return false;
}

static void
count_flags(const struct facts *facts, enum fstring_tokens fstring, const struct flag *flags,
            size_t n_flags, struct counts *out)
{
    for (uint32_t line = 1; line <= facts->physical_lines; line++) {
        bool is_flagged[FLAG_KINDS] = {false}, any = false;
        for (size_t i = 0; i < n_flags; i++)
            if (flags[i].counts && flags[i].start_line <= line && line <= flags[i].end_line)
                is_flagged[flags[i].kind] = any = true;
        if (!any || !holds(&facts->sloc[fstring], line))
            continue;
        for (int kind = 0; kind < FLAG_KINDS; kind++)
            out->lines[kind] += is_flagged[kind];
        out->lines[ANY]++;
    }
    for (size_t i = 0; i < n_flags; i++)
        out->n_flags[flags[i].kind] += flags[i].counts;
}

/* Score all files under PROFILE and compare with their flags; what they come to is added to SUM. */
static void
compare(struct fixture *fixture, const struct profile *profile, struct counts *sum)
{
    struct err err;
    struct arena arena;
    struct scorer *scorer;
    struct score score;
    struct clone_group *groups;
    size_t n_groups;
    struct counts counts = {0};
    arena_init(&arena, 0);
    assert_done(scorer_create(profile, fixture->score_rules, fixture->n_rules, &scorer, &err),
                &err);
    assert_done(score_files(scorer, fixture->files, fixture->n_files, &score, &err), &err);
    assert_done(score_clone_groups(scorer, fixture->files, fixture->n_files, &arena, &groups,
                                   &n_groups, &err),
                &err);
    for (size_t i = 0; i < fixture->n_files; i++) {
        struct flag *flags;
        size_t n_flags;
        assert_done(score_flags(scorer, fixture->files, i, groups, n_groups, &arena, &flags,
                                &n_flags, &err),
                    &err);
        count_flags(fixture->files[i].facts,
                    profile->fstring_tokens == PROFILE_FSTRING_ONE ? FSTRING_ONE : FSTRING_PARTS,
                    flags, n_flags, &counts);
    }
    assert_int_equal(counts.lines[ANY], score.flagged_source_loc);
    assert_int_equal(counts.lines[FLAG_RULE], profile->part_rules ? score.rule_source_loc : 0);
    assert_int_equal(counts.n_flags[FLAG_RULE], profile->part_rules ? score.rule_hits : 0);
    assert_int_equal(counts.lines[FLAG_CLONE], profile->part_clones ? score.clone_source_loc : 0);
    assert_int_equal(counts.n_flags[FLAG_STRUCTURAL],
                     profile->part_structural ? score.structural_findings : 0);
    for (int kind = 0; kind < FLAG_KINDS; kind++)
        sum->n_flags[kind] += counts.n_flags[kind];
    scorer_destroy(scorer);
    arena_clear(&arena);
}

static void
test_flags__are_the_lines_of_the_score(void **state)
{
    struct fixture *fixture = *state;
    struct counts sum = {0};
    struct err err;
    assert_true(fixture->n_files > 50);
    for (size_t i = 0; profile_builtin_names[i]; i++) {
        struct profile profile;
        assert_done(profile_read(profile_builtin_names[i], &fixture->arena, &profile, &err), &err);
        compare(fixture, &profile, &sum);
        profile.min_file_count = !profile.min_file_count;
        profile.trivial_wrapper = profile.part_structural = true;
        profile.clone_min_members = 3;
        compare(fixture, &profile, &sum);
        profile.part_rules = false;
        compare(fixture, &profile, &sum);
        profile.part_clones = !profile.part_clones;
        compare(fixture, &profile, &sum);
    }
    for (int kind = 0; kind < FLAG_KINDS; kind++)
        assert_true(sum.n_flags[kind] > 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_flags__are_the_lines_of_the_score, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
