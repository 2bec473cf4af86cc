#include "cmocka_all.h"
#include "manifests/manifests.h"

/* Two of each tier and more; the columns are not in the usual order. */
#define HEADER "stars,repo,as_of,license,created,pushed,source\n"
#define ROWS                                                         \
    "5,h/one,2026-01-01,MIT,2020-01-01,2025-01-01,list@2026-01-01\n" \
    "7,h/two,2026-01-02,\"BSD, new\",2020-01-01,,list@2026-01-01\n"  \
    "9,h/three,2026-01-03,MIT,2024-06-01,2025-01-01,town@2024\n"     \
    "100,n/one,,,,,\n"                                               \
    "999,n/two,,,,,\n"                                               \
    "1000,e/one,,,,,\n"                                              \
    "10000,m/one,,,,,\n"
static const char table[] = HEADER ROWS;

struct box {
    struct arena arena;
    struct panel_draw draw;
    struct manifest manifest;
    struct err err;
};

static int
set_up(void **state)
{
    static struct box box;
    box = (struct box){.draw = panel_draw_default()};
    arena_init(&box.arena, 0);
    memset(box.draw.counts, 0, sizeof(box.draw.counts));
    *state = &box;
    return 0;
}

static int
tear_down(void **state)
{
    struct box *box = *state;
    arena_clear(&box->arena);
    return 0;
}

static int
draw(struct box *box, const char *csv)
{
    return panel_draw(&box->draw, bytes_of_text(csv), "t.csv", &box->arena, &box->manifest,
                      &box->err);
}

/* The names drawn, with a space between. */
static void
assert_draws(struct box *box, const char *names)
{
    if (draw(box, table) < 0)
        fail_msg("%s", box->err.text);
    struct buf got = {0};
    for (size_t i = 0; i < box->manifest.n_repositories; i++)
        buf_printf(&got, "%s%.*s", i ? " " : "", BYTES_ARG(box->manifest.repositories[i].name));
    buf_append_byte(&got, 0);
    assert_string_equal(got.data, names);
    buf_clear(&got);
}

static void
assert_refuses(struct box *box, const char *csv, const char *message)
{
    assert_int_equal(draw(box, csv), -1);
    if (!strstr(box->err.text, message))
        fail_msg("wanted \"%s\" in \"%s\"", message, box->err.text);
}

static void
test_panel_draw__takes_the_counts_of_each_tier_sorted_by_name(void **state)
{
    struct box *box = *state;
    box->draw.counts[TIER_HOBBY] = 3;
    box->draw.counts[TIER_NICHE] = 2;
    box->draw.counts[TIER_MAJOR] = 1;
    assert_draws(box, "h/one h/three h/two m/one n/one n/two");
    const struct manifest_repository *two = &box->manifest.repositories[2];
    assert_true(bytes_equal(two->url, BYTES("https://github.com/h/two.git")));
    assert_true(bytes_equal(two->license, BYTES("BSD, new")));
    assert_true(two->stars == 7);
    assert_true(bytes_equal(box->manifest.as_of, BYTES("2026-01-03")));
}

static void
test_panel_draw__takes_a_table_as_spreadsheets_write_it(void **state)
{
    struct box *box = *state;
    box->draw.counts[TIER_HOBBY] = 1;
    if (draw(box, "\xef\xbb\xbfrepo,stars\r\na/b,1\r\n") < 0)
        fail_msg("%s", box->err.text);
    assert_true(bytes_equal(box->manifest.repositories[0].name, BYTES("a/b")));
}

static void
test_panel_draw__filters(void **state)
{
    struct box *box = *state;
    const struct bytes mit = BYTES("MIT"), town = BYTES("town"), one = BYTES("H/One");
    box->draw.counts[TIER_HOBBY] = 2;
    box->draw.licenses = (struct text_list){&mit, 1};
    assert_draws(box, "h/one h/three");
    box->draw.licenses = (struct text_list){NULL, 0};
    box->draw.exclude_sources = (struct text_list){&town, 1};
    assert_draws(box, "h/one h/two");
    box->draw.exclude_sources = (struct text_list){NULL, 0};
    box->draw.pushed_since = BYTES("2025-01-01"); /* h/two has no day */
    assert_draws(box, "h/one h/three");
    box->draw.counts[TIER_HOBBY] = 1;
    box->draw.created_before = BYTES("2024-06-01");
    assert_draws(box, "h/one");
    box->draw.exclude = (struct text_list){&one, 1};
    assert_refuses(box, table, "t.csv has 0 hobby candidates that pass the filters, 1 are asked");
    const struct bytes stable = BYTES("H/One@stable");
    box->draw.include = (struct text_list){&stable, 1};
    assert_draws(box, "h/one");
    assert_true(bytes_equal(box->manifest.repositories[0].ref, BYTES("stable")));
}

static void
test_panel_draw__does_not_depend_on_the_order_of_rows_but_on_the_seed(void **state)
{
    struct box *box = *state;
    bool drawn[3] = {false};
    box->draw.counts[TIER_HOBBY] = 1;
    for (box->draw.seed = 1; box->draw.seed <= 40; box->draw.seed++) {
        assert_int_equal(draw(box, table), 0);
        struct bytes first = box->manifest.repositories[0].name;
        drawn[first.len == 5 ? first.data[2] == 't' : 2] = true;
        assert_int_equal(draw(box, "repo,stars\nh/two,7\nh/three,9\nh/one,5\n"), 0);
        assert_true(bytes_equal(box->manifest.repositories[0].name, first));
    }
    assert_true(drawn[0] && drawn[1] && drawn[2]);
}

static void
test_panel_draw__written_and_read_back_is_the_same(void **state)
{
    struct box *box = *state;
    struct buf text = {0}, again = {0};
    struct manifest read;
    box->draw.counts[TIER_HOBBY] = 3;
    assert_int_equal(draw(box, table), 0);
    manifest_write(&box->manifest, &text);
    assert_int_equal(manifest_parse(buf_bytes(&text), "m", &box->arena, &read, &box->err), 0);
    manifest_write(&read, &again);
    assert_true(bytes_equal(buf_bytes(&text), buf_bytes(&again)));
    buf_clear(&text);
    buf_clear(&again);
}

static void
test_panel_draw__refusals_name_file_and_line(void **state)
{
    struct box *box = *state;
    assert_refuses(box, table, "all counts are 0");
    box->draw.counts[TIER_HOBBY] = 1;
    assert_refuses(box, "", "t.csv:1: the first line must name the columns");
    assert_refuses(box, "name,stars\n", "t.csv:1: the first line must name the columns");
    assert_refuses(box, "repo,stars\na/b,1\nA/B,2\n", "t.csv:3: repo: \"A/B\" is on line 2");
    assert_refuses(box, "repo,stars\na/b,-1\n", "t.csv:2: stars: must be a whole number");
    assert_refuses(box, "repo,stars\n../b,1\n", "t.csv:2: repo: has a part that starts");
    assert_refuses(box, "repo,stars,pushed\na/b,1,soon\n", "t.csv:2: pushed: must be empty or a");
    assert_refuses(box, "repo,stars\na/b,\"1\n\n", "t.csv:2: a quote is not closed");
    assert_refuses(box, "repo,stars\na/b,\"1\"x\n", "t.csv:2: a comma is missing");
    const struct bytes gone = BYTES("no/where");
    box->draw.include = (struct text_list){&gone, 1};
    assert_refuses(box, table, "no/where, which must be in the panel, is not among");
    box->draw.url_prefix = bytes_of_text("ext::sh ");
    assert_refuses(box, table, "'ext::sh ' does not begin the address of a repository");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_panel_draw__takes_the_counts_of_each_tier_sorted_by_name),
        TEST(test_panel_draw__takes_a_table_as_spreadsheets_write_it),
        TEST(test_panel_draw__filters),
        TEST(test_panel_draw__does_not_depend_on_the_order_of_rows_but_on_the_seed),
        TEST(test_panel_draw__written_and_read_back_is_the_same),
        TEST(test_panel_draw__refusals_name_file_and_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
