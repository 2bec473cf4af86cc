#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "aggregate/score.h"
#include "aggregate/panel.h"
#include "aggregate/records.h"
#include "aggregate/report.h"
#include "aggregate/export.h"
#include "manifests/profile_write.h"
#include "cmocka_all.h"

/* Facts and hits are made by hand, so that these tests rest on the definitions alone. */

struct fixture {
    struct arena arena;
    struct profile profile;
    struct score_rule rules[3];
};

static int
set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof(*fixture));
    struct err err;
    arena_init(&fixture->arena, 0);
    if (profile_read("paper", &fixture->arena, &fixture->profile, &err) < 0)
        return -1;
    fixture->rules[0] = (struct score_rule){.id = BYTES("first"), .severity = BYTES("warning")};
    fixture->rules[1] =
        (struct score_rule){.id = BYTES("often"), .severity = BYTES("hint"), .min_file_count = 3};
    fixture->rules[2] = (struct score_rule){.id = BYTES("off"), .severity = BYTES("off")};
    *state = fixture;
    return 0;
}

static int
tear_down(void **state)
{
    struct fixture *fixture = *state;
    arena_clear(&fixture->arena);
    free(fixture);
    return 0;
}

static struct score
score(const struct fixture *fixture, const struct score_rule *rules, size_t n_rules,
      const struct score_file *files, size_t n_files)
{
    struct scorer *scorer;
    struct score score;
    struct err err = {0};
    if (scorer_create(&fixture->profile, rules, n_rules, &scorer, &err) < 0 ||
        score_files(scorer, files, n_files, &score, &err) < 0)
        fail_msg("%s", err.text);
    scorer_destroy(scorer);
    return score;
}

/* Lines 1 to N are source lines, in both countings. */
static struct facts
plain_facts(struct line_run *run, uint32_t n)
{
    *run = (struct line_run){1, n};
    struct line_set lines = {run, n ? 1 : 0, n};
    return (struct facts){.physical_lines = n, .sloc = {lines, lines}};
}

static struct callable
callable(const char *name, uint32_t start, uint32_t sloc, uint32_t n_ifs, uint32_t cognitive)
{
    struct callable callable = {.name = bytes_of_text(name),
                                .start_line = start,
                                .end_line = start + sloc - 1,
                                .sloc = {sloc, sloc},
                                .cognitive = cognitive,
                                .flags = CALLABLE_REACHABLE};
    callable.all[COUNT_IF] = callable.own[COUNT_IF] = n_ifs;
    return callable;
}

static struct clone_candidate
candidate(uint64_t hash, uint32_t start, uint32_t end)
{
    return (struct clone_candidate){.hash = {hash, ~hash},
                                    .start_line = start,
                                    .end_line = end,
                                    .sloc = {end - start + 1, end - start + 1},
                                    .n_statements = 2,
                                    .definition = CLONE_SUBTREE,
                                    .kind = CLONE_KIND_IF};
}

static void
test_aggregate_score__erosion_is_the_high_share_of_mass(void **state)
{
    const struct fixture *fixture = *state;
    struct line_run run;
    struct callable callables[] = {callable("low", 1, 9, 9, 10), callable("high", 10, 16, 10, 11),
                                   callable("empty", 30, 0, 20, 20)};
    struct facts facts = plain_facts(&run, 30);
    facts.callables = callables;
    facts.n_callables = 3;
    struct score_file file = {BYTES("a.py"), &facts, {0}};
    struct score out = score(fixture, NULL, 0, &file, 1);
    assert_int_equal(out.total_functions, 3);
    assert_int_equal(out.high_cc_functions, 2);
    assert_int_equal(out.high_cog_functions, 2);
    assert_true(out.total_mass == 10 * 3 + 11 * 4);
    assert_true(out.high_cc_mass == 44);
    assert_true(out.erosion == 44.0 / 74.0);
    assert_true(out.cog_erosion == 44.0 / 74.0);
    assert_true(out.cc_max == 21);
}

/* Sums of masses do not depend on the order that the facts have the callables in. */
static void
test_aggregate_score__masses_are_added_by_line_and_name(void **state)
{
    const struct fixture *fixture = *state;
    struct line_run run;
    struct callable callables[] = {callable("c", 1, 7, 9, 10), callable("b", 10, 13, 10, 11),
                                   callable("a", 10, 5, 12, 13)};
    struct callable shuffled[] = {callables[1], callables[2], callables[0]};
    struct facts facts = plain_facts(&run, 30), other = facts;
    facts.callables = callables;
    other.callables = shuffled;
    facts.n_callables = other.n_callables = 3;
    struct score_file file = {BYTES("a.py"), &facts, {0}}, again = {BYTES("a.py"), &other, {0}};
    struct score out = score(fixture, NULL, 0, &file, 1);
    struct score same = score(fixture, NULL, 0, &again, 1);
    assert_memory_equal(&out.total_mass, &same.total_mass, sizeof(double));
    assert_memory_equal(&out.high_cc_mass, &same.high_cc_mass, sizeof(double));
    assert_int_equal(same.total_functions, 3);
}

static void
test_aggregate_score__profile_chooses_callables_and_size_term(void **state)
{
    struct fixture *fixture = *state;
    struct line_run run;
    struct callable callables[] = {callable("a", 1, 4, 0, 0), callable("b", 5, 4, 11, 0)};
    callables[1].flags = 0; /* under an `if` */
    struct facts facts = plain_facts(&run, 8);
    facts.callables = callables;
    facts.n_callables = 2;
    struct score_file file = {BYTES("a.py"), &facts, {0}};
    assert_int_equal(score(fixture, NULL, 0, &file, 1).total_functions, 1);
    fixture->profile.callables = CALLABLES_ALL;
    assert_true(score(fixture, NULL, 0, &file, 1).total_mass == 2 + 24);
    fixture->profile.size_term = SIZE_LINEAR;
    assert_true(score(fixture, NULL, 0, &file, 1).total_mass == 4 + 48);
    fixture->profile.size_term = SIZE_NONE;
    assert_true(score(fixture, NULL, 0, &file, 1).erosion == 12.0 / 13.0);
}

static void
test_aggregate_score__profile_chooses_the_counting_of_lines(void **state)
{
    struct fixture *fixture = *state;
    struct line_run run;
    struct callable callables[] = {callable("a", 1, 4, 3, 0)};
    struct facts facts = plain_facts(&run, 8);
    facts.callables = callables;
    facts.n_callables = 1;
    facts.statement_lines = 7;
    callables[0].text_lines = 9;
    struct score_file file = {.path = BYTES("a.py"), .facts = &facts};
    fixture->profile.sloc = SLOC_TEXT;
    struct score out = score(fixture, NULL, 0, &file, 1);
    assert_int_equal(out.source_loc, 7);
    assert_true(out.total_mass == 4 * 3);
    assert_true(out.cc_mean == 4);
}

static void
test_aggregate_score__files_that_do_not_count_are_counted_as_such(void **state)
{
    struct fixture *fixture = *state;
    struct line_run run;
    struct facts good = plain_facts(&run, 5), broken = good;
    broken.has_error = true;
    struct facts large = {.skipped = SKIP_TOO_LARGE};
    struct score_file files[] = {
        {BYTES("a.py"), &broken, {0}}, {BYTES("b.py"), &good, {0}}, {BYTES("c.py"), &large, {0}}};
    struct score out = score(fixture, NULL, 0, files, 3);
    assert_int_equal(out.files_walked, 3);
    assert_int_equal(out.files_scanned, 1);
    assert_int_equal(out.files_skipped_parse, 1);
    assert_int_equal(out.skipped_by_reason[SKIP_TOO_LARGE], 1);
    assert_int_equal(out.source_loc, 5);
    assert_true(out.erosion == 0);
    fixture->profile.on_syntax_error = SYNTAX_ERROR_KEEP;
    assert_int_equal(score(fixture, NULL, 0, files, 3).source_loc, 10);
}

static void
test_aggregate_score__clones_are_found_over_the_whole_checkpoint(void **state)
{
    const struct fixture *fixture = *state;
    struct line_run run;
    struct facts one = plain_facts(&run, 20), two = one;
    /* 1 and 2 appear twice, one of them inside the other; 3 once; a candidate of two lines is none.
     */
    struct clone_candidate in_one[] = {candidate(1, 2, 6), candidate(2, 3, 5),
                                       candidate(3, 10, 14)};
    struct clone_candidate in_two[] = {candidate(2, 18, 25), candidate(1, 1, 5), candidate(4, 7, 8),
                                       candidate(4, 7, 8)};
    one.clones = in_one;
    one.n_clones = 3;
    two.clones = in_two;
    two.n_clones = 4;
    struct score_file files[] = {{BYTES("a.py"), &one, {0}}, {BYTES("b.py"), &two, {0}}};
    assert_int_equal(score(fixture, NULL, 0, files, 1).clone_source_loc, 0);
    struct score out = score(fixture, NULL, 0, files, 2);
    assert_int_equal(out.clone_source_loc, 5 + 5 + 3); /* lines 18 to 20 of the second exist */
    assert_true(out.has_clones && !out.has_rules && !out.has_verbosity);
}

/* Lines 1-2 by the first rule, 5 and 9 by the second, 12 by one that is off. */
static const struct hit some_hits[] = {{.rule = 0, .start_line = 1, .end_line = 2},
                                       {.rule = 1, .start_line = 5, .end_line = 5},
                                       {.rule = 1, .start_line = 9, .end_line = 9},
                                       {.rule = 2, .start_line = 12, .end_line = 12}};

static void
test_aggregate_score__verbosity_counts_a_line_once(void **state)
{
    struct fixture *fixture = *state;
    struct line_run run;
    struct facts facts = plain_facts(&run, 20);
    struct clone_candidate clones[] = {candidate(1, 2, 4), candidate(1, 9, 11)};
    facts.clones = clones;
    facts.n_clones = 2;
    struct score_file file = {BYTES("a.py"), &facts, {.hits = some_hits, .n_hits = 4}};
    struct score out = score(fixture, fixture->rules, 3, &file, 1);
    assert_int_equal(out.rule_source_loc, 4);
    assert_int_equal(out.clone_source_loc, 6);
    assert_int_equal(out.flagged_source_loc, 8);
    assert_true(out.has_verbosity && out.verbosity == 0.4);
    fixture->profile.min_file_count = true; /* "often" has but two hits */
    assert_int_equal(score(fixture, fixture->rules, 3, &file, 1).rule_source_loc, 2);
    fixture->profile.part_rules = false;
    assert_int_equal(score(fixture, fixture->rules, 3, &file, 1).flagged_source_loc, 6);
}

static void
test_aggregate_score__rules_are_chosen_by_id(void **state)
{
    struct fixture *fixture = *state;
    struct line_run run;
    struct facts facts = plain_facts(&run, 20);
    struct score_file file = {BYTES("a.py"), &facts, {.hits = some_hits, .n_hits = 4}};
    struct bytes often = BYTES("often");
    fixture->profile.rules_in = (struct text_list){&often, 1};
    assert_int_equal(score(fixture, fixture->rules, 3, &file, 1).rule_hits, 2);
    fixture->profile.rules_out = (struct text_list){&often, 1};
    assert_int_equal(score(fixture, fixture->rules, 3, &file, 1).rule_hits, 0);
}

static void
test_aggregate_score__advice_counts_where_it_is_wanted(void **state)
{
    struct fixture *fixture = *state;
    struct line_run run;
    struct facts facts = plain_facts(&run, 20);
    struct score_file file = {BYTES("a.py"), &facts, {.hits = some_hits, .n_hits = 4}};
    struct bytes often = BYTES("often");
    fixture->rules[1].is_advice = true;
    assert_int_equal(score(fixture, fixture->rules, 3, &file, 1).rule_hits, 1);
    fixture->profile.advice = true;
    assert_int_equal(score(fixture, fixture->rules, 3, &file, 1).rule_hits, 3);
    fixture->profile.advice = false;
    fixture->profile.rules_in = (struct text_list){&often, 1};
    assert_int_equal(score(fixture, fixture->rules, 3, &file, 1).rule_hits, 2);
}

/* first: strict, often: calibrated; off stays of nobody. */
static void
choose(struct fixture *fixture, enum rule_selection first, enum rule_selection often,
       enum profile_selection selection)
{
    fixture->rules[0].selection = first;
    fixture->rules[1].selection = often;
    fixture->profile.selection = selection;
}

static void
test_aggregate_score__a_selection_counts_its_own_rules(void **state)
{
    struct fixture *fixture = *state;
    struct line_run run;
    struct facts facts = plain_facts(&run, 20);
    struct score_file file = {BYTES("a.py"), &facts, {.hits = some_hits, .n_hits = 4}};
    static const struct {
        enum rule_selection first, often;
        enum profile_selection selection;
        bool advice; /* `often` is advice; does the profile take it? */
        uint64_t n_hits;
    } cases[] = {
        {SELECTION_STRICT, SELECTION_CALIBRATED, PROFILE_STRICT, true, 1},
        {SELECTION_STRICT, SELECTION_CALIBRATED, PROFILE_CALIBRATED, true, 2},
        {SELECTION_STRICT, SELECTION_CALIBRATED, PROFILE_CALIBRATED, false, 0},
        {SELECTION_STRICT, SELECTION_CALIBRATED, PROFILE_BOTH, true, 3},
        {SELECTION_STRICT, SELECTION_CALIBRATED, PROFILE_BOTH, false, 1},
        {SELECTION_BOTH, SELECTION_STRICT, PROFILE_CALIBRATED, true, 1},
        {SELECTION_BOTH, SELECTION_STRICT, PROFILE_STRICT, true, 3},
        {SELECTION_NONE, SELECTION_NONE, PROFILE_STRICT, true, 3},
        {SELECTION_NONE, SELECTION_NONE, PROFILE_CALIBRATED, true, 3},
        {SELECTION_NONE, SELECTION_STRICT, PROFILE_STRICT, false, 1},
    };
    fixture->rules[1].is_advice = true;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        choose(fixture, cases[i].first, cases[i].often, cases[i].selection);
        fixture->profile.advice = cases[i].advice;
        struct score out = score(fixture, fixture->rules, 3, &file, 1);
        assert_true(out.has_verbosity);
        assert_int_equal(out.rule_hits, cases[i].n_hits);
    }
}

/* Rules of another selection alone do not say how verbose the code is. */
static void
test_aggregate_score__a_selection_that_was_not_run_is_unknown(void **state)
{
    struct fixture *fixture = *state;
    struct line_run run;
    struct facts facts = plain_facts(&run, 20);
    struct score_file file = {BYTES("a.py"), &facts, {.hits = some_hits, .n_hits = 4}};
    struct bytes first = BYTES("first");

    choose(fixture, SELECTION_STRICT, SELECTION_STRICT, PROFILE_CALIBRATED);
    struct score out = score(fixture, fixture->rules, 3, &file, 1);
    assert_false(out.has_rules || out.has_verbosity);
    choose(fixture, SELECTION_STRICT, SELECTION_STRICT, PROFILE_BOTH);
    assert_false(score(fixture, fixture->rules, 3, &file, 1).has_verbosity);

    /* A profile that names its rules asks for no selection. */
    fixture->profile.rules_in = (struct text_list){&first, 1};
    out = score(fixture, fixture->rules, 3, &file, 1);
    assert_true(out.has_verbosity);
    assert_int_equal(out.rule_hits, 1);
}

static void
test_aggregate_score__parts_are_given_each_alone(void **state)
{
    struct fixture *fixture = *state;
    struct line_run run;
    struct facts facts = plain_facts(&run, 20);
    struct clone_candidate clones[] = {candidate(1, 1, 4), candidate(1, 7, 10)};
    static const struct hit hits[] = {{.rule = 0, .start_line = 3, .end_line = 5},
                                      {.rule = 1, .start_line = 4, .end_line = 12}};
    struct score_file file = {BYTES("a.py"), &facts, {.hits = hits, .n_hits = 2}};
    facts.clones = clones;
    facts.n_clones = 2;
    fixture->rules[1].is_of_function = true;
    struct score out = score(fixture, fixture->rules, 3, &file, 1);
    assert_int_equal(out.clone_source_loc, 8);
    assert_int_equal(out.statement_source_loc, 3);
    assert_int_equal(out.function_source_loc, 9);
    assert_int_equal(out.rule_source_loc, 10);
    assert_int_equal(out.flagged_source_loc, 12);
    assert_true(out.clone_share == 8 / 20.0 && out.statement_share == 3 / 20.0);
    assert_true(out.function_share == 9 / 20.0 && out.verbosity == 12 / 20.0);
}

static void
test_aggregate_score__absent_parts_are_absent_in_json(void **state)
{
    const struct fixture *fixture = *state;
    struct line_run run;
    struct facts facts = plain_facts(&run, 3);
    struct score_file file = {BYTES("a.py"), &facts, {0}};
    struct score out = score(fixture, NULL, 0, &file, 1);
    struct buf text = {0};
    struct json_writer json = json_writer_init(&text, 0);
    json_begin_object(&json);
    score_write_members(&out, &json);
    json_end_object(&json);
    buf_append_byte(&text, 0);
    assert_non_null(strstr((char *)text.data, "\"clone_loc\":0"));
    assert_null(strstr((char *)text.data, "\"verbosity\""));
    assert_null(strstr((char *)text.data, "ast_grep"));
    buf_clear(&text);
}

static void
test_aggregate_score__unknown_counter_is_refused_by_name(void **state)
{
    struct fixture *fixture = *state;
    struct profile_weight weight = {BYTES("gotos"), 1};
    fixture->profile.cc_weights = (struct profile_weights){&weight, 1};
    struct scorer *scorer;
    struct err err;
    assert_int_equal(scorer_create(&fixture->profile, NULL, 0, &scorer, &err), -1);
    assert_int_equal(err.code, ERR_INPUT);
    assert_non_null(strstr(err.text, "gotos"));
}

static void
test_aggregate_explain__groups_and_flags_say_why(void **state)
{
    struct fixture *fixture = *state;
    struct line_run run;
    struct facts one = plain_facts(&run, 20), two = one;
    struct clone_candidate in_one[] = {candidate(1, 2, 6)}, in_two[] = {candidate(1, 4, 8)};
    one.clones = in_one;
    two.clones = in_two;
    one.n_clones = two.n_clones = 1;
    struct score_file files[] = {{BYTES("a.py"), &one, {.hits = some_hits, .n_hits = 4}},
                                 {BYTES("b.py"), &two, {0}}};
    struct scorer *scorer;
    struct clone_group *groups;
    struct flag *flags;
    size_t n_groups, n_flags;
    assert_int_equal(scorer_create(&fixture->profile, fixture->rules, 3, &scorer, NULL), 0);
    assert_int_equal(
        score_clone_groups(scorer, files, 2, &fixture->arena, &groups, &n_groups, NULL), 0);
    assert_int_equal(n_groups, 1);
    assert_int_equal(groups[0].n_places, 2);
    assert_int_equal(groups[0].places[1].file, 1);
    assert_int_equal(groups[0].places[1].start_line, 4);
    assert_int_equal(
        score_flags(scorer, files, 0, groups, n_groups, &fixture->arena, &flags, &n_flags, NULL),
        0);
    assert_int_equal(n_flags, 5);
    assert_true(flags[0].kind == FLAG_RULE && flags[0].hit == &some_hits[0]);
    assert_true(flags[1].kind == FLAG_CLONE && flags[1].place == 0 && flags[1].end_line == 6);
    /* Hits of a rule that does not count are there, and do not count. */
    for (size_t i = 0; i < n_flags; i++)
        assert_true(flags[i].counts == (flags[i].kind == FLAG_CLONE || flags[i].hit->rule != 2));
    scorer_destroy(scorer);
}

/* What is written of a profile reads as that profile: written again it is the same text. */
static void
test_aggregate_profile_json__reads_back_as_it_was(void **state)
{
    struct fixture *fixture = *state;
    for (const char *const *name = profile_builtin_names; *name; name++) {
        struct profile profile, again;
        struct buf first = {0}, second = {0};
        struct err err = {0};
        assert_int_equal(profile_read(*name, &fixture->arena, &profile, &err), 0);
        struct json_writer json = json_writer_init(&first, 0);
        profile_json_write(&json, &profile);
        if (profile_parse(buf_bytes(&first), *name, &fixture->arena, &again, &err) < 0)
            fail_msg("%s", err.text);
        json = json_writer_init(&second, 0);
        profile_json_write(&json, &again);
        assert_true(bytes_equal(buf_bytes(&first), buf_bytes(&second)));
        assert_true(again.sloc == profile.sloc && again.callables == profile.callables);
        assert_true(again.clones == profile.clones && again.verbosity == profile.verbosity);
        assert_int_equal(again.cc_weights.n_items, profile.cc_weights.n_items);
        buf_clear(&first);
        buf_clear(&second);
    }
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_aggregate_score__erosion_is_the_high_share_of_mass),
        TEST(test_aggregate_score__masses_are_added_by_line_and_name),
        TEST(test_aggregate_score__profile_chooses_callables_and_size_term),
        TEST(test_aggregate_score__profile_chooses_the_counting_of_lines),
        TEST(test_aggregate_score__files_that_do_not_count_are_counted_as_such),
        TEST(test_aggregate_score__clones_are_found_over_the_whole_checkpoint),
        TEST(test_aggregate_score__verbosity_counts_a_line_once),
        TEST(test_aggregate_score__rules_are_chosen_by_id),
        TEST(test_aggregate_score__advice_counts_where_it_is_wanted),
        TEST(test_aggregate_score__a_selection_counts_its_own_rules),
        TEST(test_aggregate_score__a_selection_that_was_not_run_is_unknown),
        TEST(test_aggregate_score__parts_are_given_each_alone),
        TEST(test_aggregate_score__absent_parts_are_absent_in_json),
        TEST(test_aggregate_score__unknown_counter_is_refused_by_name),
        TEST(test_aggregate_profile_json__reads_back_as_it_was),
        TEST(test_aggregate_explain__groups_and_flags_say_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
