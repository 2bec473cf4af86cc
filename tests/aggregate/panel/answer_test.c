/* Which profiles a store answers in full, and what the others lack. */
#include "../panel_box.h"

/* A store of one trajectory, with rules or without. */
static void
box_fill(struct panel_box *box, bool with_rules)
{
    box_open(box);
    if (with_rules)
        box_put_rules(box);
    box_put_trajectory(box, "a", 100, 3, 4);
    box_ok(box, store_writer_commit(box->writer, &box->err));
}

static struct profile_answer
ask(struct panel_box *box, const char *profile_text)
{
    struct store_info info;
    struct profile profile;
    struct profile_answer answer;
    box_ok(box,
           profile_parse(bytes_of_text(profile_text), "test", &box->arena, &profile, &box->err));
    box_ok(box, store_get_info(box->store, &box->arena, &info, &box->err));
    box_ok(box, profile_look_up(box->store, &info, &profile, &box->arena, &answer, &box->err));
    return answer;
}

#define PAPER(more) "{\"name\": \"t\", \"extends\": \"paper\"" more "}"

static void
test_profile_look_up__in_full_when_every_listed_blob_has_what_it_asks(void **state)
{
    struct panel_box box;
    (void)state;
    box_fill(&box, true);
    struct profile_answer answer = ask(&box, PAPER(""));
    assert_null(answer.why_not);
    assert_int_equal(answer.n_rules, 1); /* the other is advice */
    assert_null(ask(&box, PAPER(", \"rules\": {\"advice\": true}")).why_not);
    assert_int_equal(ask(&box, PAPER(", \"rules\": {\"advice\": true}")).n_rules, 2);
    box_close(&box);
}

static void
test_profile_look_up__says_what_is_missing(void **state)
{
    struct panel_box box;
    (void)state;
    box_fill(&box, false);
    const char *const no_rules = PAPER(", \"verbosity\": {\"parts\": [\"clones\"]}");
    assert_non_null(strstr(ask(&box, PAPER("")).why_not, "no rules were run"));
    assert_null(ask(&box, no_rules).why_not);
    box_close(&box);

    box_fill(&box, true);
    assert_non_null(strstr(ask(&box, PAPER(", \"rules\": {\"only\": [\"ofen\"]}")).why_not,
                           "the rule \"ofen\", which was not run"));

    /* A listed blob that nobody analysed. */
    struct oid blob = oid_from_raw((const uint8_t *)"twenty bytes of a blob", OID_SHA1_BYTES);
    struct store_file file = {.path = BYTES("x.py"), .blob = blob, .mode = 0100644};
    struct store_checkpoint checkpoint = {.name = BYTES("c")};
    struct store_trajectory trajectory = {
        .id = BYTES("y"), .kind = BYTES("human"), .status = STORE_STATUS_DONE, .n_checkpoints = 1};
    box_ok(&box, store_put_listing(box.writer, &file, 1, &checkpoint.listing, &box.err));
    box_ok(&box, store_put_trajectory(box.writer, &trajectory, &checkpoint, 1, &box.err));
    box_ok(&box, store_writer_commit(box.writer, &box.err));
    assert_non_null(strstr(ask(&box, no_rules).why_not, "1 of "));
    assert_non_null(strstr(ask(&box, no_rules).why_not, "have no facts"));

    /* Facts alone are not enough where hits count. */
    box_ok(&box, store_put_facts(box.writer, &blob, &box.facts_key, BYTES("f"), 0, &box.err));
    box_ok(&box, store_writer_commit(box.writer, &box.err));
    assert_null(ask(&box, no_rules).why_not);
    assert_non_null(strstr(ask(&box, PAPER("")).why_not, "have no hits"));
    box_close(&box);
}

/* A store whose blobs were searched with RULES, at most four, which found nothing. */
static void
box_fill_with(struct panel_box *box, const struct store_rule *rules, size_t n)
{
    struct store_key keys[4], group;
    struct buf encoded = {0};
    struct hit_list none = {0};
    box_open(box);
    for (size_t i = 0; i < n; i++) {
        keys[i] = rules[i].key;
        box_ok(box, store_put_rule(box->writer, &rules[i], &box->err));
    }
    box_ok(box, store_put_group(box->writer, keys, n, &group, &box->err));
    hits_encode(&none, &encoded);
    for (uint32_t i = 0; i < BOX_BLOBS; i++) {
        struct oid id = box_blob_id(i);
        box_ok(box, store_put_hits(box->writer, &id, &group, buf_bytes(&encoded), &box->err));
    }
    buf_clear(&encoded);
    box_put_trajectory(box, "a", 100, 3, 4);
    box_ok(box, store_writer_commit(box->writer, &box->err));
}

/* Does the store lack what `paper` and `strict` count?  NULL: no. */
static void
assert_lacks(const struct store_rule *rules, size_t n, const char *paper, const char *strict)
{
    struct panel_box box;
    box_fill_with(&box, rules, n);
    struct profile_answer answers[] = {ask(&box, PAPER("")),
                                       ask(&box, "{\"name\": \"t\", \"extends\": \"strict\"}")};
    const char *const wanted[] = {paper, strict};
    for (size_t i = 0; i < 2; i++) {
        if (!wanted[i])
            assert_null(answers[i].why_not);
        else
            assert_non_null(strstr(answers[i].why_not, wanted[i]));
    }
    struct buf scores = {0}, warnings = {0};
    struct panel_options options = {.profile = &box.profile, .n_jobs = 1};
    box_ok(&box, panel_write_scores(box.store, &options, &scores, &warnings, &box.err));
    buf_append_byte(&scores, 0);
    buf_append_byte(&warnings, 0);
    assert_true((strstr((char *)scores.data, "\"verbosity\":") == NULL) == (paper != NULL));
    assert_true((strstr((char *)warnings.data, "verbosity is not known") != NULL) ==
                (paper != NULL));
    buf_clear(&scores);
    buf_clear(&warnings);
    box_close(&box);
}

/* Stores of earlier programs do not name a selection; their rules are known by their ids. */
static void
test_profile_look_up__a_selection_that_was_not_run_is_missing(void **state)
{
#define RULE(number, name, text)                                                                  \
    {                                                                                             \
        .key = {{number}}, .id = BYTES(name), .severity = BYTES("info"), .metadata = BYTES(text), \
        .source = BYTES("x")                                                                      \
    }
    const struct store_rule strict = RULE(1, "any-by-loop", "{\"selection\":\"strict\"}");
    const struct store_rule calibrated = RULE(2, "x", "{\"selection\":\"calibrated\"}");
    const struct store_rule earlier = RULE(3, "any-by-loop", "{\"category\":\"loops\"}");
    const struct store_rule foreign = RULE(4, "any-by-loops", "{}");
    const char *const no_calibrated = "no calibrated rules were run";
    (void)state;
    assert_lacks(&strict, 1, no_calibrated, NULL);
    assert_lacks(&earlier, 1, no_calibrated, NULL);
    assert_lacks(&calibrated, 1, NULL, "no strict rules were run");
    assert_lacks(&foreign, 1, NULL, NULL);
    assert_lacks((struct store_rule[]){strict, calibrated}, 2, NULL, NULL);
    assert_lacks((struct store_rule[]){earlier, foreign}, 2, NULL, NULL);
#undef RULE
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_profile_look_up__in_full_when_every_listed_blob_has_what_it_asks),
        cmocka_unit_test(test_profile_look_up__says_what_is_missing),
        cmocka_unit_test(test_profile_look_up__a_selection_that_was_not_run_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
