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

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_profile_look_up__in_full_when_every_listed_blob_has_what_it_asks),
        cmocka_unit_test(test_profile_look_up__says_what_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
