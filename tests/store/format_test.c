/* The document of the format names the versions that the program writes. */
#include <stdio.h>

#include "analyzer/analyzer.h"
#include "base/fs.h"
#include "cmocka_all.h"
#include "store/store.h"

static char *
read_format(struct buf *out)
{
    struct err err;
    if (fs_read(TESTS_SOURCE_DIR "/../store/FORMAT.md", 1 << 20, out, &err) < 0)
        fail_msg("%s", err.text);
    buf_append_byte(out, 0);
    assert_false(buf_failed(out));
    return (char *)out->data;
}

static void
test_format__names_the_schema_of_stores(void **state)
{
    (void)state;
    struct buf text = {0};
    char line[64];
    snprintf(line, sizeof(line), "\nSchema version %d. ", STORE_SCHEMA);
    assert_non_null(strstr(read_format(&text), line));
    snprintf(line, sizeof(line), "Version %d, whose ", STORE_SCHEMA_OLDEST);
    assert_non_null(strstr((char *)text.data, line));
    buf_clear(&text);
}

static void
test_format__names_the_oldest_schema_of_facts(void **state)
{
    (void)state;
#define SCHEMA(schema, n_counters) schema,
    static const int schemas[] = {FACTS_SCHEMAS(SCHEMA)};
#undef SCHEMA
    struct buf text = {0};
    char line[64];
    snprintf(line, sizeof(line), "\n## Facts\n\nVersions from %d on, ", schemas[0]);
    assert_non_null(strstr(read_format(&text), line));
    buf_clear(&text);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_format__names_the_schema_of_stores),
        cmocka_unit_test(test_format__names_the_oldest_schema_of_facts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
