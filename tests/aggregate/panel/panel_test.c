#include "../panel_box.h"
#include "base/calendar.h"

#include "aggregate/panel/scored_panel.h"

enum { N_CHECKPOINTS = 40 };

/* The score of a checkpoint from nothing, to hold the walk's against. */
static struct score
score_alone(struct panel_box *box, const struct scorer *scorer, uint32_t seed, uint32_t c)
{
    struct score_file files[BOX_FILES];
    struct score score;
    size_t n = 0;
    for (uint32_t f = 0; f < BOX_FILES; f++) {
        int blob = box_blob_at(seed, c, f);
        if (blob >= 0 && f % 3 != 0) /* what lies under "build" is no source */
            files[n++] = (struct score_file){
                bytes_of_text(box_path_of(box, f)),
                &box->blobs[blob],
                {.hits = box->hits[blob], .n_hits = box->has_rules ? BOX_HITS : 0}};
    }
    box_ok(box, score_files(scorer, files, n, &score, &box->err));
    return score;
}

/* Hold every score of a panel of two trajectories against one made from nothing. */
static void
compare_with_alone(struct panel_box *box)
{
    const uint32_t seeds[] = {1, 9};
    struct panel_rules rules;
    struct scorer *scorer;
    struct scored_panel *panel;
    struct panel_options options = {.profile = &box->profile, .n_jobs = 1};
    box_put_trajectory(box, "a/a", 5, seeds[0], N_CHECKPOINTS);
    box_put_trajectory(box, "b/b", 5000, seeds[1], N_CHECKPOINTS);
    box_commit(box);
    box_ok(box, panel_rules_open(box->store, options.rules_group, &box->arena, &rules, &box->err));
    assert_true(rules.has_group == box->has_rules);
    box_ok(box, panel_scorer(&rules, &box->profile, &scorer, NULL, &box->err));
    const struct scorer *scorers[] = {scorer};
    box_ok(box, scored_panel_create(box->store, &options, &rules, scorers, 1, &panel, &box->err));
    assert_int_equal(panel->n_trajectories, 2);
    uint64_t n_flagged = 0;
    for (size_t t = 0; t < 2; t++)
        for (uint32_t c = 0; c < N_CHECKPOINTS; c++) {
            struct score alone = score_alone(box, scorer, seeds[t], c);
            const struct score *walked = panel->trajectories[t].checkpoints[c].scores;
            assert_memory_equal(&alone, walked, sizeof(alone));
            n_flagged += alone.clone_source_loc + alone.rule_source_loc;
        }
    assert_true(n_flagged > 0);
    scored_panel_destroy(panel);
    scorer_destroy(scorer);
}

static void
test_aggregate_walk__every_checkpoint_scores_as_it_does_alone(void **state)
{
    (void)state;
    struct panel_box box;
    box_open(&box);
    compare_with_alone(&box);
    box_close(&box);
}

static void
test_aggregate_walk__hits_of_rules_and_their_least_counts_as_well(void **state)
{
    (void)state;
    struct panel_box box;
    box_open(&box);
    box_put_rules(&box);
    box.profile.min_file_count = box.profile.advice = true;
    compare_with_alone(&box);
    box_close(&box);
}

/* Without hits of one blob a checkpoint has no verbosity, which is said, and nothing else is lost.
 */
static void
test_aggregate_walk__a_blob_the_rules_were_not_run_on_leaves_verbosity_out(void **state)
{
    (void)state;
    struct panel_box box;
    struct buf out = {0}, notes = {0};
    box_open(&box);
    box_put_rules(&box);
    struct oid id = box_blob_id(250);
    struct buf encoded = {0};
    facts_encode(&box.blobs[0], &encoded);
    box_ok(&box,
           store_put_facts(box.writer, &id, &box.facts_key, buf_bytes(&encoded), 0, &box.err));
    struct store_file file = {BYTES("a.py"), id, 0100644};
    struct store_checkpoint checkpoint = {.name = BYTES("c0")};
    box_ok(&box, store_put_listing(box.writer, &file, 1, &checkpoint.listing, &box.err));
    struct store_trajectory trajectory = {
        .id = BYTES("new"), .kind = BYTES("agent"), .stars = -1, .n_checkpoints = 1};
    box_ok(&box, store_put_trajectory(box.writer, &trajectory, &checkpoint, 1, &box.err));
    box_commit(&box);
    struct panel_options options = {.profile = &box.profile, .n_jobs = 1};
    box_ok(&box, panel_write_scores(box.store, &options, &out, &notes, &box.err));
    buf_append_byte(&out, 0);
    buf_append_byte(&notes, 0);
    assert_non_null(strstr((char *)notes.data, "1 checkpoints have files that the rules were"));
    assert_non_null(strstr((char *)out.data, "\"files_without_hits\":1"));
    assert_non_null(strstr((char *)out.data, "\"erosion\""));
    assert_null(strstr((char *)out.data, "\"verbosity\""));
    buf_clear(&out);
    buf_clear(&notes);
    buf_clear(&encoded);
    box_close(&box);
}

static struct buf
score_lines(struct panel_box *box, struct panel_options options)
{
    struct buf out = {0}, notes = {0};
    box_commit(box);
    options.profile = &box->profile;
    box_ok(box, panel_write_scores(box->store, &options, &out, &notes, &box->err));
    assert_int_equal(notes.len, 0);
    return out;
}

static void
put_some(struct panel_box *box, bool backwards)
{
    for (uint32_t i = 0; i < 12; i++) {
        uint32_t t = backwards ? 11 - i : i;
        char id[16];
        snprintf(id, sizeof(id), "o/r%u", t);
        box_put_trajectory(box, id, (int64_t)t * t * 200, t, 3 + t);
    }
}

static void
test_aggregate_scores__same_bytes_for_any_jobs_and_order_of_putting(void **state)
{
    (void)state;
    struct panel_box box, reversed;
    box_open(&box);
    box_open(&reversed);
    put_some(&box, false);
    put_some(&reversed, true);
    struct buf one = score_lines(&box, (struct panel_options){.n_jobs = 1});
    struct buf eight = score_lines(&box, (struct panel_options){.n_jobs = 8});
    struct buf other = score_lines(&reversed, (struct panel_options){.n_jobs = 3});
    assert_true(one.len > 0);
    assert_true(bytes_equal(buf_bytes(&one), buf_bytes(&eight)));
    assert_true(bytes_equal(buf_bytes(&one), buf_bytes(&other)));
    buf_clear(&one);
    buf_clear(&eight);
    buf_clear(&other);
    box_close(&box);
    box_close(&reversed);
}

static size_t
count_lines(struct panel_box *box, struct panel_filter filter)
{
    struct buf out = score_lines(box, (struct panel_options){.n_jobs = 2, .filter = filter});
    size_t n = 0;
    for (size_t i = 0; i < out.len; i++)
        n += out.data[i] == '\n';
    buf_clear(&out);
    return n;
}

static void
test_aggregate_scores__filters_take_what_they_name(void **state)
{
    (void)state;
    struct panel_box box;
    box_open(&box);
    put_some(&box, false);
    assert_int_equal(count_lines(&box, (struct panel_filter){0}), 12 * 3 + 66);
    /* 0 stars; 200 and 800; 1800 to 9800; 12800 and more */
    assert_int_equal(count_lines(&box, (struct panel_filter){.tiers = 1u << TIER_HOBBY}), 3);
    assert_int_equal(count_lines(&box, (struct panel_filter){.tiers = 1u << TIER_NICHE}), 4 + 5);
    int64_t second = 1655000000 + 30 * 86400;
    assert_int_equal(count_lines(&box, (struct panel_filter){.has_until = true, .until_s = second}),
                     12);
    assert_int_equal(count_lines(&box, (struct panel_filter){.has_since = true,
                                                             .since_s = second,
                                                             .has_until = true,
                                                             .until_s = second + 1}),
                     12);
    size_t n_assisted = count_lines(&box, (struct panel_filter){.authors = 1u << AUTHOR_ASSISTANT});
    size_t n_others =
        count_lines(&box, (struct panel_filter){.authors = 1u << AUTHOR_HUMAN | 1u << AUTHOR_BOT});
    assert_true(n_assisted > 0);
    assert_int_equal(n_assisted + n_others, 12 * 3 + 66);
    box_close(&box);
}

/* The sum of MEMBER over all lines that the filter leaves. */
static uint64_t
sum_member(struct panel_box *box, struct panel_filter filter, const char *member)
{
    struct buf out = score_lines(box, (struct panel_options){.n_jobs = 2, .filter = filter});
    uint64_t sum = 0;
    buf_append_byte(&out, 0);
    for (char *at = (char *)out.data; (at = strstr(at, member)); at += strlen(member))
        sum += strtoull(at + strlen(member), NULL, 10);
    buf_clear(&out);
    return sum;
}

static void
test_aggregate_scores__filters_by_license_and_by_path(void **state)
{
    (void)state;
    static const char member[] = "\"total_loc\":";
    const struct bytes mit = BYTES("MIT"), any = BYTES(""), one = BYTES("pkg/m01.py");
    struct panel_box box;
    box_open(&box);
    put_some(&box, false);
    struct store_checkpoint checkpoint = {.name = BYTES("c0"),
                                          .has_time = true,
                                          .time_s = 1655000000,
                                          .listing = box_put_listing(&box, 3, 0)};
    struct store_trajectory licensed = {.id = BYTES("o/licensed"),
                                        .kind = BYTES("human"),
                                        .license = mit,
                                        .stars = 1,
                                        .n_checkpoints = 1};
    box_ok(&box, store_put_trajectory(box.writer, &licensed, &checkpoint, 1, &box.err));
    struct panel_filter by_license = {.licenses = {&mit, 1}};
    assert_int_equal(count_lines(&box, by_license), 1);

    struct source_filter only = {.suffixes = {&any, 1}, .include = {&one, 1}};
    struct source_filter without = {.suffixes = {&any, 1}, .exclude = {&one, 1}};
    uint64_t all = sum_member(&box, (struct panel_filter){0}, member);
    uint64_t of_one = sum_member(&box, (struct panel_filter){.files = &only}, member);
    uint64_t of_others = sum_member(&box, (struct panel_filter){.files = &without}, member);
    assert_true(of_one > 0 && of_others > of_one);
    assert_int_equal(of_one + of_others, all);
    box_close(&box);
}

static void
test_aggregate_scores__a_trajectory_without_facts_is_named_and_the_others_come(void **state)
{
    (void)state;
    struct panel_box box;
    struct buf out = {0}, notes = {0};
    box_open(&box);
    box_put_trajectory(&box, "good", 5, 1, 4);
    struct store_key listing;
    struct store_file file = {BYTES("a.py"), box_blob_id(200), 0100644};
    box_ok(&box, store_put_listing(box.writer, &file, 1, &listing, &box.err));
    struct store_checkpoint checkpoint = {.name = BYTES("c0"), .listing = listing};
    struct store_trajectory bad = {
        .id = BYTES("bad"), .kind = BYTES("human"), .stars = -1, .n_checkpoints = 1};
    box_ok(&box, store_put_trajectory(box.writer, &bad, &checkpoint, 1, &box.err));
    box_commit(&box);
    struct panel_options options = {.profile = &box.profile, .n_jobs = 2};
    box_ok(&box, panel_write_scores(box.store, &options, &out, &notes, &box.err));
    buf_append_byte(&out, 0);
    buf_append_byte(&notes, 0);
    assert_non_null(strstr((char *)notes.data, "bad: checkpoint c0: a.py: blob"));
    assert_non_null(strstr((char *)out.data, "\"good\""));
    buf_clear(&out);
    buf_clear(&notes);
    box_close(&box);
}

/* All of a store are of that version, so it is said once and not of every trajectory. */
static void
test_aggregate_scores__facts_of_another_version_are_said_once(void **state)
{
    (void)state;
    struct panel_box box;
    struct buf out = {0}, notes = {0};
    struct oid blob = box_blob_id(200);
    struct store_checkpoint checkpoint = {.name = BYTES("c0")};
    box_open(&box);
    box_put_trajectory(&box, "good", 5, 1, 4);
    box_ok(&box, store_put_facts(box.writer, &blob, &box.facts_key, BYTES("\x01old"), 0, &box.err));
    struct store_file file = {BYTES("a.py"), blob, 0100644};
    box_ok(&box, store_put_listing(box.writer, &file, 1, &checkpoint.listing, &box.err));
    struct store_trajectory old = {
        .id = BYTES("old"), .kind = BYTES("human"), .stars = -1, .n_checkpoints = 1};
    box_ok(&box, store_put_trajectory(box.writer, &old, &checkpoint, 1, &box.err));
    box_commit(&box);
    struct panel_options options = {.profile = &box.profile, .n_jobs = 2};
    assert_int_equal(panel_write_scores(box.store, &options, &out, &notes, &box.err), -1);
    assert_int_equal(box.err.code, ERR_UNSUPPORTED);
    assert_non_null(strstr(box.err.text, "facts of version 1"));
    assert_int_equal(out.len + notes.len, 0);
    buf_clear(&out);
    buf_clear(&notes);
    box_close(&box);
}

static void
test_aggregate_scores__rules_that_a_profile_misspells_are_named(void **state)
{
    (void)state;
    struct bytes ids[] = {BYTES("oftem"), BYTES("often"), BYTES("r99")};
    struct panel_box box;
    struct buf out = {0}, notes = {0};
    box_open(&box);
    box_put_rules(&box);
    box_put_trajectory(&box, "good", 5, 1, 4);
    box_commit(&box);
    box.profile.rules_in = (struct text_list){ids, 3};
    struct panel_options options = {.profile = &box.profile, .n_jobs = 1};
    box_ok(&box, panel_write_scores(box.store, &options, &out, &notes, &box.err));
    buf_append_byte(&notes, 0);
    assert_string_equal((char *)notes.data,
                        "profile paper: no rule of the store is called \"oftem\"\n"
                        "profile paper: no rule of the store is called \"r99\"\n");
    buf_clear(&out);
    buf_clear(&notes);
    box_close(&box);
}

static void
test_calendar_parse_day__takes_real_days_only(void **state)
{
    (void)state;
    int64_t day;
    assert_int_equal(calendar_parse_day(BYTES("1970-01-01"), &day), 0);
    assert_int_equal(day, 0);
    assert_int_equal(calendar_parse_day(BYTES("2024-01-01"), &day), 0);
    assert_int_equal(day, 1704067200);
    assert_int_equal(calendar_parse_day(BYTES("2024-02-29"), &day), 0);
    assert_int_equal(calendar_parse_day(BYTES("2023-02-29"), &day), -1);
    assert_int_equal(calendar_parse_day(BYTES("2023-2-1"), &day), -1);
    assert_int_equal(calendar_parse_day(BYTES("2023-13-01"), &day), -1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_aggregate_walk__every_checkpoint_scores_as_it_does_alone),
        cmocka_unit_test(test_aggregate_walk__hits_of_rules_and_their_least_counts_as_well),
        cmocka_unit_test(
            test_aggregate_walk__a_blob_the_rules_were_not_run_on_leaves_verbosity_out),
        cmocka_unit_test(test_aggregate_scores__same_bytes_for_any_jobs_and_order_of_putting),
        cmocka_unit_test(test_aggregate_scores__filters_take_what_they_name),
        cmocka_unit_test(test_aggregate_scores__filters_by_license_and_by_path),
        cmocka_unit_test(
            test_aggregate_scores__a_trajectory_without_facts_is_named_and_the_others_come),
        cmocka_unit_test(test_aggregate_scores__facts_of_another_version_are_said_once),
        cmocka_unit_test(test_aggregate_scores__rules_that_a_profile_misspells_are_named),
        cmocka_unit_test(test_calendar_parse_day__takes_real_days_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
