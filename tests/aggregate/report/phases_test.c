#include <string.h>

#include "aggregate/report/study/phases.h"
#include "cmocka_all.h"

/* The phases of checkpoints 1 to N, a letter each. */
static void
assert_phases(enum phase_split split, uint32_t n, const char *expected)
{
    assert_int_equal(strlen(expected), n);
    for (uint32_t i = 1; i <= n; i++)
        assert_int_equal(phase_name(phase_of(split, i, n))[0], expected[i - 1]);
}

static void
test_aggregate_phases__every_split_for_every_length(void **state)
{
    (void)state;
    static const struct {
        uint32_t n;
        const char *contiguous, *centres, *positions, *release;
    } rows[] = {
        {1, "S", "S", "S", "F"},
        {2, "SF", "SF", "SF", "MF"},
        {3, "SEF", "SMF", "SMF", "ELF"},
        {4, "SEMF", "SELF", "SEMF", "EMLF"},
        {5, "SEMLF", "SEMLF", "SEMLF", "SEMLF"},
        {6, "SEEMLF", "SEMMLF", "SEMMLF", "SEMLFF"},
        {7, "SEEMMLF", "SEEMLLF", "SEEMMLF", "SEMMLFF"},
        {8, "SEEMMLLF", "SEEMMLLF", "SEEMMLLF", "SEEMLLFF"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        assert_phases(SPLIT_CONTIGUOUS, rows[i].n, rows[i].contiguous);
        assert_phases(SPLIT_CENTRES, rows[i].n, rows[i].centres);
        assert_phases(SPLIT_POSITIONS, rows[i].n, rows[i].positions);
        assert_phases(SPLIT_RELEASE, rows[i].n, rows[i].release);
    }
}

static void
test_aggregate_phases__splits_are_named(void **state)
{
    (void)state;
    enum phase_split split;
    assert_int_equal(phase_split_parse(BYTES("centres"), &split), 0);
    assert_int_equal(split, SPLIT_CENTRES);
    assert_string_equal(phase_split_name(SPLIT_RELEASE), "release");
    assert_int_equal(phase_split_parse(BYTES("halves"), &split), -1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_aggregate_phases__every_split_for_every_length),
        cmocka_unit_test(test_aggregate_phases__splits_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
