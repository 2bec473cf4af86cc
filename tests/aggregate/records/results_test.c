#include "../panel_box.h"
#include "../report_box.h"

static const char crashed[] =
    "{\n\"model\": \"m\", \"num_problems\": 10, \"num_checkpoints\": 50,\n"
    "\"checkpoints_solved\": 10, \"checkpoints_iso_solved\": 20,\n"
    "\"checkpoints_core_solved\": 30, \"pct_checkpoints_solved\": 20.0}";

static const char lines[] =
    "{\"run\": \"whole\", \"result\": {\"num_checkpoints\": 100, \"checkpoints_solved\": 15}}\n"
    "{\"run\": \"new\", \"result\": {\"num_checkpoints\": 80, \"expected_checkpoints\": 120, "
    "\"checkpoints_solved\": 30}}\n";

/* Of the run that crashed after half of its checkpoints more are solved than its old rates say. */
static void
test_report_solve__old_result_files_share_the_largest_number_of_checkpoints(void **state)
{
    (void)state;
    const struct report_text texts[] = {{bytes_of_text(crashed), "a/crashed/result.json"},
                                        {bytes_of_text(lines), "lines"},
                                        {bytes_of_text("{\"num_checkpoints\": \"many\"}"), "odd"}};
    struct panel_box box;
    box_open(&box);
    struct report_options options = all_sections(&box.profile);
    struct report_input input = {.results = texts, .n_results = 3};
    struct report *report;
    struct buf notes = {0};
    assert_int_equal(report_build(&input, &options, &report, &notes, NULL), 0);
    const struct table *table = report_box_table(report, "solve", "results");
    const size_t run = report_box_column(table, "run"), of = report_box_column(table, "expected");
    static const struct {
        const char *run;
        double expected, strict;
    } rows[] = {{"crashed", 100, 0.1}, {"whole", 100, 0.15}, {"new", 120, 0.25}};
    assert_int_equal(table->n_rows, 3);
    for (size_t i = 0; i < 3; i++) {
        const struct cell *cells = &table->cells[i * table->n_columns];
        assert_true(bytes_equal(cells[run].text, bytes_of_text(rows[i].run)));
        assert_true(cells[of].value == rows[i].expected);
        assert_true(cells[of + 1].value == rows[i].strict);
    }
    assert_true(report_box_has_note(report, "2 of 3 result files do not say"));
    assert_true(bytes_starts_with(buf_bytes(&notes), BYTES("odd: no result of a run")));
    buf_clear(&notes);
    report_destroy(report);
    box_close(&box);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            test_report_solve__old_result_files_share_the_largest_number_of_checkpoints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
