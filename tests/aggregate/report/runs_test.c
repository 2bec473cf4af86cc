#include "../panel_box.h"
#include "../report_box.h"

/* An agent's checkpoint with its record, under PARAMS. */
static void
put_agent(struct panel_box *box, const char *id, const char *params, const char *record)
{
    struct store_checkpoint checkpoint = {.name = BYTES("checkpoint_1"),
                                          .record = bytes_of_text(record),
                                          .listing = box_put_listing(box, 1, 0)};
    struct store_trajectory trajectory = {.id = bytes_of_text(id),
                                          .kind = BYTES("agent"),
                                          .stars = -1,
                                          .params = bytes_of_text(params),
                                          .status = STORE_STATUS_DONE,
                                          .n_checkpoints = 1};
    box_ok(box, store_put_trajectory(box->writer, &trajectory, &checkpoint, 1, &box->err));
}

#define SETUP "\"model\":\"m\",\"prompt\":\"just-solve\",\"problem\":\"p\",\"n_checkpoints\":1"

static void
compared_of(bool all_runs, bool *own, bool *after)
{
    struct panel_box box;
    box_open(&box);
    put_agent(&box, "m/a/p", "{" SETUP ",\"run\":\"a\"}",
              "{\"idx\":1,\"isolated_pass_rate\":0.5,\"core_pass_rate\":0.5}");
    put_agent(&box, "m/a/p/after_skill", "{" SETUP ",\"run\":\"a\",\"tree\":\"after_skill\"}",
              "{\"idx\":1,\"isolated_pass_rate\":1.0,\"core_pass_rate\":1.0}");
    box_commit(&box);
    struct report_options options = all_sections(&box.profile);
    options.study = (struct study_options){.all_runs = all_runs};
    struct report *report = build(box.store, (struct bytes){NULL, 0}, &options);
    const struct table *runs = report_box_table(report, "solve", "runs");
    *own = bytes_equal(report_box_cell(runs, "m/just-solve/", "compared")->text, BYTES("yes"));
    *after = bytes_equal(report_box_cell(runs, "m/just-solve/ after_skill", "compared")->text,
                         BYTES("yes"));
    report_destroy(report);
    box_close(&box);
}

static void
test_report_runs__trees_after_an_extra_step_stand_for_no_model(void **state)
{
    (void)state;
    bool own, after;
    compared_of(false, &own, &after);
    assert_true(own && !after);
    compared_of(true, &own, &after);
    assert_true(own && after);
}

static void
test_report_runs__without_the_baseline_prompt_it_is_said(void **state)
{
    (void)state;
    struct panel_box box;
    box_open(&box);
    put_agent(&box, "m/a/p", "{" SETUP ",\"run\":\"a\"}", "{\"idx\":1}");
    box_commit(&box);
    struct report_options options = all_sections(&box.profile);
    options.study = (struct study_options){.baseline_prompt = BYTES("other")};
    struct report *report = build(box.store, (struct bytes){NULL, 0}, &options);
    assert_true(report_box_has_note(report, "No agent run has the prompt other"));
    assert_false(report_box_has_note(report, "There are no agent runs in the input, so"));
    report_destroy(report);
    box_close(&box);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_report_runs__trees_after_an_extra_step_stand_for_no_model),
        cmocka_unit_test(test_report_runs__without_the_baseline_prompt_it_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
