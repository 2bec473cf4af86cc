#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "aggregate/score.h"
#include "aggregate/panel.h"
#include "aggregate/records.h"
#include "aggregate/report.h"
#include "aggregate/export.h"
#include "base/fs.h"
#include "base/json_read.h"
#include "cmocka_all.h"

#define RUNS SHARED_DIR "/data/agent-runs/"

static void
read_shared(const char *path, struct buf *out)
{
    if (access(path, R_OK) != 0) {
        print_message("skipped: %s is not here\n", path);
        skip();
    }
    assert_int_equal(fs_read(path, 1 << 28, out, NULL), 0);
}

/* The next line of TEXT from *AT on, as a document. */
static struct json_doc *
next_line(struct bytes text, size_t *at)
{
    const uint8_t *end = memchr(text.data + *at, '\n', text.len - *at);
    assert_non_null(end);
    size_t to = (size_t)(end - text.data);
    struct json_doc *doc;
    assert_int_equal(json_open(bytes_slice(text, *at, to), "line", true, &doc, NULL), 0);
    *at = to + 1;
    return doc;
}

/* Compare all numbers of EXPECTED with those at the same place in ACTUAL; how many there are. */
static size_t
compare_numbers(const struct json_value *expected, const struct json_value *actual)
{
    if (json_type(expected) == JSON_TEXT)
        return 0;
    assert_int_equal(json_type(expected), json_type(actual));
    if (json_type(expected) == JSON_NUMBER)
        assert_true(json_number(expected) == json_number(actual));
    if (json_type(expected) != JSON_OBJECT)
        return 1;
    size_t n = 0;
    const struct json_value *other = json_first(actual);
    for (const struct json_value *member = json_first(expected); member;
         member = json_next(member), other = json_next(other)) {
        assert_non_null(other);
        assert_true(bytes_equal(json_name(member), json_name(other)));
        n += compare_numbers(member, other);
    }
    assert_null(other);
    return n;
}

static void
test_aggregate_summary__real_runs_to_the_last_bit(void **state)
{
    (void)state;
    struct buf records = {0}, expected = {0}, out = {0}, notes = {0};
    read_shared(RUNS "checkpoints.jsonl", &records);
    read_shared(RUNS "summaries.jsonl", &expected);
    struct summary_options options = {0};
    assert_int_equal(
        summary_of_records(buf_bytes(&records), "records", &options, &out, &notes, NULL), 0);
    assert_int_equal(notes.len, 0);
    size_t n_numbers = 0, at = 0;
    for (size_t line = 0; line < expected.len;) {
        struct json_doc *want = next_line(buf_bytes(&expected), &line);
        struct json_doc *have = next_line(buf_bytes(&out), &at);
        n_numbers += compare_numbers(json_member(json_root(want), "result"),
                                     json_member(json_root(have), "result"));
        json_close(want);
        json_close(have);
    }
    assert_int_equal(at, out.len);
    assert_int_equal(n_numbers, 12 * 123);
    buf_clear(&records);
    buf_clear(&expected);
    buf_clear(&out);
    buf_clear(&notes);
}

static bool
is_same_checkpoint(const struct json_value *a, const struct json_value *b)
{
    static const char *const texts[] = {"model", "variant", "run", "problem"};
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
        if (!bytes_equal(json_string(json_member(a, texts[i])),
                         json_string(json_member(b, texts[i]))))
            return false;
    return json_number(json_member(a, "idx")) == json_number(json_member(b, "idx"));
}

/* Every figure of OWN is also in the record, and equal there. */
static void
compare_figures(const struct json_value *own, const struct json_value *record)
{
    for (const struct json_value *member = json_first(own); member; member = json_next(member)) {
        char name[64];
        snprintf(name, sizeof(name), "%.*s", BYTES_ARG(json_name(member)));
        const struct json_value *other = json_member(record, name);
        assert_non_null(other);
        if (json_type(member) == JSON_NUMBER)
            assert_true(json_number(member) == json_number(other));
    }
}

static void
test_aggregate_summary__real_function_lists_give_the_records_figures(void **state)
{
    (void)state;
    struct buf records = {0}, functions = {0}, out = {0}, notes = {0};
    read_shared(RUNS "checkpoints.jsonl", &records);
    read_shared(RUNS "functions.jsonl", &functions);
    assert_int_equal(summary_of_functions(buf_bytes(&functions), "functions", &out, &notes, NULL),
                     0);
    size_t n = 0, record_at = 0;
    for (size_t at = 0; at < out.len; n++) {
        struct json_doc *own = next_line(buf_bytes(&out), &at);
        struct json_doc *record = next_line(buf_bytes(&records), &record_at);
        while (!is_same_checkpoint(json_root(own), json_root(record))) {
            json_close(record);
            record = next_line(buf_bytes(&records), &record_at);
        }
        compare_figures(json_root(own), json_root(record));
        json_close(own);
        json_close(record);
    }
    assert_int_equal(n, 269);
    buf_clear(&records);
    buf_clear(&functions);
    buf_clear(&out);
    buf_clear(&notes);
}

/* The result of TEXT's one run; the document is the caller's. */
static struct json_doc *
summarise(const char *text, uint64_t expected, struct buf *notes)
{
    struct buf out = {0};
    struct summary_options options = {.expected = expected};
    struct err err = {0};
    int outcome = summary_of_records(bytes_of_text(text), "text", &options, &out, notes, &err);
    if (outcome < 0)
        fail_msg("%s", err.text);
    buf_append_byte(notes, 0);
    assert_int_equal(outcome, strstr((char *)notes->data, "left out") != NULL);
    notes->len--;
    size_t at = 0;
    struct json_doc *doc = next_line(buf_bytes(&out), &at);
    buf_clear(&out);
    return doc;
}

static double
figure(const struct json_doc *doc, const char *name)
{
    return json_number(json_member(json_member(json_root(doc), "result"), name));
}

/* Problem a is configured with two checkpoints, b with three, of which one was reached. */
static void
test_aggregate_summary__solved_against_what_was_configured(void **state)
{
    (void)state;
    const char *text = "{\"problem\":\"a\",\"idx\":1,\"n_checkpoints\":2,\"is_last\":false,"
                       "\"strict_pass_rate\":1.0,\"isolated_pass_rate\":1.0}\n"
                       "{\"problem\":\"a\",\"idx\":2,\"n_checkpoints\":2,\"is_last\":true,"
                       "\"strict_pass_rate\":0.5,\"isolated_pass_rate\":0.5}\n"
                       "\n"
                       "{\"problem\":\"b\",\"idx\":1,\"n_checkpoints\":3,\"is_last\":false,"
                       "\"strict_pass_rate\":1.0,\"isolated_pass_rate\":1.0}\n";
    struct buf notes = {0};
    struct json_doc *doc = summarise(text, 0, &notes);
    assert_true(figure(doc, "expected_checkpoints") == 5);
    assert_true(figure(doc, "checkpoints_solved") == 2);
    assert_true(figure(doc, "pct_checkpoints_solved") == 40);
    assert_true(figure(doc, "problem_solved") == 0);
    assert_true(figure(doc, "problem_partial") == 2);
    assert_true(figure(doc, "pct_problems_partial") == 100);
    assert_int_equal(notes.len, 0);
    json_close(doc);
    buf_clear(&notes);
}

static void
test_aggregate_summary__odd_lines_are_said_and_the_rest_counts(void **state)
{
    (void)state;
    const char *text = "{\"problem\":\"a\",\"idx\":1,\"n_checkpoints\":1,\"cost\":NaN}\n"
                       "{\"problem\":\"a\",\"idx\":1,\"n_checkpoints\":1,\"cost\":Infinity}\n"
                       "not json\n"
                       "[1]\n";
    struct buf notes = {0};
    struct json_doc *doc = summarise(text, 7, &notes);
    assert_true(figure(doc, "num_checkpoints") == 2);
    assert_true(figure(doc, "expected_checkpoints") == 7);
    const struct json_value *costs = json_member(json_member(json_root(doc), "result"), "costs");
    assert_true(isinf(json_number(json_member(costs, "total"))));
    buf_append_byte(&notes, 0);
    assert_non_null(strstr((char *)notes.data, "text line 3"));
    assert_non_null(strstr((char *)notes.data, "text line 4"));
    assert_non_null(strstr((char *)notes.data, "twice"));
    json_close(doc);
    buf_clear(&notes);
}

static void
test_aggregate_summary__no_record_is_an_error(void **state)
{
    (void)state;
    struct buf out = {0}, notes = {0};
    struct summary_options options = {0};
    struct err err = {0};
    assert_int_equal(summary_of_records(BYTES("\n"), "empty.jsonl", &options, &out, &notes, &err),
                     -1);
    assert_int_equal(err.code, ERR_INPUT);
    assert_non_null(strstr(err.text, "empty.jsonl"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_aggregate_summary__real_runs_to_the_last_bit),
        cmocka_unit_test(test_aggregate_summary__real_function_lists_give_the_records_figures),
        cmocka_unit_test(test_aggregate_summary__solved_against_what_was_configured),
        cmocka_unit_test(test_aggregate_summary__odd_lines_are_said_and_the_rest_counts),
        cmocka_unit_test(test_aggregate_summary__no_record_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
