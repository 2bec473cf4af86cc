/* Which group of rules a store is scored with: the newest, or the one that is named. */
#include "../panel_box.h"
#include "aggregate/panel/panel_rules.h"

/* A box whose store has two groups of rules; the second has the second rule alone. */
static void
open_two_groups(struct panel_box *box, struct store_key groups[2])
{
    const struct store_key keys[2] = {{{1}}, {{2}}};
    box_open(box);
    box_put_rules(box);
    box_ok(box, store_put_group(box->writer, keys, 2, &groups[0], &box->err));
    box_ok(box, store_put_group(box->writer, &keys[1], 1, &groups[1], &box->err));
    box_commit(box);
}

static int
open_rules(struct panel_box *box, const char *hex, struct panel_rules *out)
{
    return panel_rules_open(box->store, bytes_of_text(hex), &box->arena, out, &box->err);
}

static void
test_panel_rules__the_newest_group_is_the_default(void **state)
{
    (void)state;
    struct panel_box box;
    struct panel_rules rules;
    struct store_key groups[2];
    open_two_groups(&box, groups);
    assert_int_equal(open_rules(&box, "", &rules), -1); /* the store does not know which is */
    assert_int_equal(box.err.code, ERR_INPUT);
    assert_non_null(strstr(box.err.text, "--rules-group"));
    struct store_rule rule = {.key = {{2}},
                              .id = BYTES("rare"),
                              .severity = BYTES("hint"),
                              .metadata = BYTES("{\"min_file_count\": 2, \"advice\": true}"),
                              .source = BYTES("y")};
    box_ok(&box, store_put_rules(box.writer, &rule, 1, &groups[1], &box.err));
    box_commit(&box);
    box_ok(&box, open_rules(&box, "", &rules));
    assert_true(rules.has_group);
    assert_int_equal(rules.n_items, 1);
    assert_true(bytes_equal(rules.items[0].id, BYTES("rare")));
    assert_int_equal(rules.items[0].min_file_count, 2);
    assert_true(rules.items[0].is_advice);
    box_close(&box);
}

static void
test_panel_rules__a_group_is_named_by_the_start_of_its_key(void **state)
{
    (void)state;
    struct panel_box box;
    struct panel_rules rules;
    struct store_key groups[2];
    char hex[PANEL_RULES_HEX_SIZE];
    open_two_groups(&box, groups);
    panel_rules_hex(&groups[0], hex);
    hex[16] = '\0';
    box_ok(&box, open_rules(&box, hex, &rules));
    assert_int_equal(rules.n_items, 2);
    assert_memory_equal(&rules.group, &groups[0], sizeof(groups[0]));
    box_close(&box);
}

static void
test_panel_rules__a_name_that_is_not_there_is_refused(void **state)
{
    (void)state;
    struct panel_box box;
    struct panel_rules rules;
    struct store_key groups[2];
    open_two_groups(&box, groups);
    assert_int_equal(open_rules(&box, "no such group", &rules), -1);
    assert_int_equal(box.err.code, ERR_INPUT);
    assert_non_null(strstr(box.err.text, "no such group"));
    char hex[PANEL_RULES_HEX_SIZE];
    panel_rules_hex(&groups[1], hex);
    hex[12] = '\0';
    assert_non_null(strstr(box.err.text, hex)); /* the groups that there are */
    box_close(&box);
}

static void
test_panel_rules__a_store_without_rules_has_no_group(void **state)
{
    (void)state;
    struct panel_box box;
    struct panel_rules rules;
    box_open(&box);
    box_commit(&box);
    box_ok(&box, open_rules(&box, "", &rules));
    assert_false(rules.has_group);
    assert_int_equal(open_rules(&box, "ab", &rules), -1);
    assert_int_equal(box.err.code, ERR_INPUT);
    box_close(&box);
}

static void
test_panel_rules__a_missing_rule_is_damage(void **state)
{
    (void)state;
    struct panel_box box;
    struct panel_rules rules;
    const struct store_key keys[1] = {{{9}}};
    struct store_key group;
    box_open(&box);
    box_ok(&box, store_put_group(box.writer, keys, 1, &group, &box.err));
    box_commit(&box);
    assert_int_equal(open_rules(&box, "", &rules), -1);
    assert_int_equal(box.err.code, ERR_DAMAGED);
    box_close(&box);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_panel_rules__the_newest_group_is_the_default),
        cmocka_unit_test(test_panel_rules__a_group_is_named_by_the_start_of_its_key),
        cmocka_unit_test(test_panel_rules__a_name_that_is_not_there_is_refused),
        cmocka_unit_test(test_panel_rules__a_store_without_rules_has_no_group),
        cmocka_unit_test(test_panel_rules__a_missing_rule_is_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
