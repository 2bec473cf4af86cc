#include "aggregate/render.h"

#include <string.h>

#include "cmocka_all.h"

static const struct column columns[] = {{"repository", "repository", COLUMN_TEXT, 0}};

/* Names come out of repositories; who reads the CSV wants RFC 4180 and UTF-8. */
static void
test_render_csv__names_are_quoted_and_utf8(void **state)
{
    (void)state;
    struct cell cells[] = {{.text = BYTES("plain")},
                           {.text = BYTES("a,b\"c")},
                           {.text = BYTES("new\nline")},
                           {.text = BYTES("bad\xff")},
                           {.text = BYTES("\xff,\"\xc3\xa9")}};
    const struct table table = {
        .name = "t", .columns = columns, .n_columns = 1, .cells = cells, .n_rows = 5};
    struct buf out = {0};
    render_csv_table(&table, &out);
    buf_append_byte(&out, 0);
    assert_string_equal((const char *)out.data, "repository\n"
                                                "plain\n"
                                                "\"a,b\"\"c\"\n"
                                                "\"new\nline\"\n"
                                                "bad\xef\xbf\xbd\n"
                                                "\"\xef\xbf\xbd,\"\"\xc3\xa9\"\n");
    buf_clear(&out);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_render_csv__names_are_quoted_and_utf8),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
