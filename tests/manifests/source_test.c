#include "cmocka_all.h"
#include "manifests/manifests.h"

static bool
takes(const struct source_filter *filter, const char *path)
{
    return source_filter_takes(filter, bytes_of_text(path), 0100644);
}

static void
test_source_filter__default_takes_python_outside_the_listed_folders(void **state)
{
    (void)state;
    const struct source_filter *filter = source_filter_default();
    assert_true(takes(filter, "a.py"));
    assert_true(takes(filter, "tests/docs/a.py"));
    assert_true(takes(filter, "builds/a.py"));
    assert_false(takes(filter, "a.pyi"));
    assert_false(takes(filter, "a.PY"));
    assert_false(takes(filter, "build/a.py"));
    assert_false(takes(filter, "x/.tox/y/a.py"));
    assert_false(takes(filter, "x/site-packages/a.py"));
    assert_true(source_filter_excludes_dir(filter, BYTES("node_modules")));
    assert_false(source_filter_excludes_dir(filter, BYTES("node")));
}

static void
test_source_filter__takes_regular_files_only(void **state)
{
    (void)state;
    static const struct {
        uint32_t mode;
        bool taken;
    } cases[] = {{0100644, true},  {0100755, true}, {0100664, true}, {0120000, false},
                 {0160000, false}, {040000, false}, {0, false}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        assert_int_equal(source_filter_takes(source_filter_default(), BYTES("a.py"), cases[i].mode),
                         cases[i].taken);
}

static void
test_source_filter__include_narrows_then_exclude_takes_away(void **state)
{
    (void)state;
    const struct bytes include[] = {BYTES("src/**"), BYTES("setup.py")};
    const struct bytes exclude[] = {BYTES("*_pb2.py"), BYTES("src/vendor/**")};
    struct source_filter filter = *source_filter_default();
    filter.include = (struct text_list){include, 2};
    filter.exclude = (struct text_list){exclude, 2};
    assert_true(takes(&filter, "src/a/b.py"));
    assert_true(takes(&filter, "setup.py"));
    assert_false(takes(&filter, "docs/conf.py"));
    assert_false(takes(&filter, "src/a_pb2.py"));
    assert_false(takes(&filter, "src/vendor/x/y.py"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_source_filter__default_takes_python_outside_the_listed_folders),
        cmocka_unit_test(test_source_filter__takes_regular_files_only),
        cmocka_unit_test(test_source_filter__include_narrows_then_exclude_takes_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
