#include <math.h>

#include "base/base.h"
#include "cmocka_all.h"

static void
test_json_write__nested_values_indented_and_not(void **state)
{
    (void)state;
    for (unsigned indent = 0; indent <= 2; indent += 2) {
        struct buf out = {0};
        struct json_writer json = json_writer_init(&out, indent);
        json_begin_object(&json);
        json_member_double(&json, "d", 0.5);
        json_key(&json, "list");
        json_begin_array(&json);
        json_u64(&json, UINT64_MAX);
        json_i64(&json, -1);
        json_begin_array(&json);
        json_end_array(&json);
        json_end_array(&json);
        json_member_double(&json, "none", INFINITY);
        json_end_object(&json);
        buf_append_byte(&out, 0);
        assert_string_equal(
            out.data, indent ? "{\n  \"d\": 0.5,\n  \"list\": [\n    18446744073709551615,\n"
                               "    -1,\n    []\n  ],\n  \"none\": null\n}"
                             : "{\"d\":0.5,\"list\":[18446744073709551615,-1,[]],\"none\":null}");
        buf_clear(&out);
    }
}

static void
test_json_quote__controls_escaped_and_bad_utf8_replaced(void **state)
{
    (void)state;
    struct buf out = {0};
    json_quote(&out, BYTES("a\"\\\n\x01\xc3\xa9\xff\xed\xa0\x80"));
    buf_append_byte(&out, 0);
    assert_string_equal(out.data,
                        "\"a\\\"\\\\\\n\\u0001\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
                        "\xef\xbf\xbd\"");
    buf_clear(&out);
}

static void
test_json_read__values_members_and_bare_words(void **state)
{
    (void)state;
    struct json_doc *doc;
    struct err err;
    assert_int_equal(json_open(BYTES("{\"a\": [1, -Infinity, NaN], \"Infinity\": \"NaN\"}"), "t",
                               true, &doc, &err),
                     0);
    const struct json_value *a = json_member(json_root(doc), "a");
    assert_int_equal(json_type(a), JSON_ARRAY);
    assert_int_equal(json_count(a), 3);
    const struct json_value *item = json_first(a);
    assert_true(json_number(item) == 1);
    item = json_next(item);
    assert_true(isinf(json_number(item)) && json_number(item) < 0);
    item = json_next(item);
    assert_int_equal(json_type(item), JSON_NUMBER);
    assert_true(isnan(json_number(item)));
    const struct json_value *word = json_member(json_root(doc), "Infinity");
    assert_true(bytes_equal(json_string(word), BYTES("NaN")));
    json_close(doc);
}

static void
test_json_read__nothing_is_lost_behind_a_nul(void **state)
{
    (void)state;
    struct json_doc *doc;
    struct err err;
    assert_int_equal(json_open(BYTES("[\"a\\u0000b\\\\u0000\"]"), "t", true, &doc, &err), 0);
    struct bytes text = json_string(json_first(json_root(doc)));
    assert_true(bytes_equal(text, BYTES("a\xef\xbf\xbd"
                                        "b\\u0000")));
    json_close(doc);
}

static void
test_json_read__refusals_name_the_place(void **state)
{
    (void)state;
    struct json_doc *doc;
    struct err err;
    assert_int_equal(json_open(BYTES("{\n  \"a\": 1,\n  b\n}"), "p.json", false, &doc, &err), -1);
    assert_int_equal(err.code, ERR_INPUT);
    assert_non_null(strstr(err.text, "p.json:3:"));
    assert_int_equal(json_open(BYTES("[1] x"), "p.json", false, &doc, &err), -1);
    assert_int_equal(json_open(BYTES(""), "p.json", false, &doc, &err), -1);
    assert_int_equal(json_open(BYTES("[Infinity]"), "p.json", false, &doc, &err), -1);
    assert_int_equal(json_open(BYTES("[\"a\\u0000b\"]"), "p.json", false, &doc, &err), -1);
    assert_non_null(strstr(err.text, "p.json:1:4: a NUL character"));
    struct buf deep = {0};
    for (int i = 0; i < 100000; i++)
        buf_append_byte(&deep, '[');
    assert_int_equal(json_open(buf_bytes(&deep), "p.json", false, &doc, &err), -1);
    assert_non_null(strstr(err.text, "256"));
    buf_clear(&deep);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json_write__nested_values_indented_and_not),
        cmocka_unit_test(test_json_quote__controls_escaped_and_bad_utf8_replaced),
        cmocka_unit_test(test_json_read__values_members_and_bare_words),
        cmocka_unit_test(test_json_read__nothing_is_lost_behind_a_nul),
        cmocka_unit_test(test_json_read__refusals_name_the_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
