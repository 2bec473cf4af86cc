#include "runner/read/iso_time.h"

#include "cmocka_all.h"

static void
test_runner_iso_time__reads_what_isoformat_writes(void **state)
{
    (void)state;
    const struct {
        struct bytes text;
        int64_t expected_us;
    } cases[] = {
        {BYTES("1970-01-01T00:00:00"), 0},
        {BYTES("1969-12-31T23:59:59.999999"), -1},
        {BYTES("2026-06-01T04:21:43.735535"), INT64_C(1780287703735535)},
        {BYTES("2000-02-29T12:00:00.5"), INT64_C(951825600500000)},
        {BYTES("2026-01-05 10:00:00Z"), INT64_C(1767607200000000)},
        {BYTES("2026-01-05T10:00:00+02:00"), INT64_C(1767600000000000)},
        {BYTES("2026-01-05T10:00:00.25-00:30"), INT64_C(1767609000250000)},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        int64_t got_us;
        assert_int_equal(iso_time_parse(cases[i].text, &got_us), 0);
        if (got_us != cases[i].expected_us)
            fail_msg("case %zu: %lld", i, (long long)got_us);
    }
}

static void
test_runner_iso_time__refuses_the_rest(void **state)
{
    (void)state;
    const struct bytes cases[] = {BYTES(""),
                                  BYTES("2026-06-01"),
                                  BYTES("2026-06-01T04:21"),
                                  BYTES("2026-02-29T00:00:00"),
                                  BYTES("2026-13-01T00:00:00"),
                                  BYTES("2026-06-01T24:00:00"),
                                  BYTES("2026-06-01T04:21:43."),
                                  BYTES("2026-06-01T04:21:43.1234567"),
                                  BYTES("2026-06-01T04:21:43+0200"),
                                  BYTES("2026-06-01T04:21:43 "),
                                  BYTES("2026-06-01T04:21:43\0")};
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        int64_t got_us;
        if (iso_time_parse(cases[i], &got_us) == 0)
            fail_msg("case %zu", i);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runner_iso_time__reads_what_isoformat_writes),
        cmocka_unit_test(test_runner_iso_time__refuses_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
