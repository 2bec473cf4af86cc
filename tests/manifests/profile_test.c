#include <stdio.h>

#include "base/fs.h"
#include "cmocka_all.h"
#include "manifests/manifests.h"
#include "manifests/profile_fields.h"
#include "manifests/profile_write.h"

/* Each test reads into the arena of its state. */
static int
set_up(void **state)
{
    static struct arena arena;
    arena_init(&arena, 0);
    *state = &arena;
    return 0;
}

static int
tear_down(void **state)
{
    arena_clear(*state);
    return 0;
}

static struct profile
builtin(const char *name, struct arena *arena)
{
    struct profile p;
    struct err err = {0};
    if (profile_read(name, arena, &p, &err) < 0)
        fail_msg("%s", err.text);
    return p;
}

static double
weight(const struct profile *p, const char *counter)
{
    for (size_t i = 0; i < p->cc_weights.n_items; i++)
        if (bytes_equal(p->cc_weights.items[i].counter, bytes_of_text(counter)))
            return p->cc_weights.items[i].weight;
    return 0;
}

static void
test_profile_read__every_builtin_is_whole_and_named_as_it_is_asked_for(void **state)
{
    for (const char *const *name = profile_builtin_names; *name; name++) {
        struct profile p = builtin(*name, *state);
        assert_true(bytes_equal(p.name, bytes_of_text(*name)));
        assert_true(p.description.len > 0);
        assert_true(p.cc_base == 1 && p.cc_nested);
        assert_int_equal(p.cc_weights.n_items, 15);
        assert_true(weight(&p, "except") == 1 && weight(&p, "except*") == 1);
        assert_true(p.high_cc == 10 && p.high_cognitive == 10);
        assert_int_equal(p.clone_min_sloc, 3);
        assert_int_equal(p.severities.n_items, 4);
        assert_true(p.part_rules && p.part_clones);
    }
}

static void
test_profile_read__builtins_differ_as_their_definitions_do(void **state)
{
    struct profile paper = builtin("paper", *state);
    assert_int_equal(paper.callables, CALLABLES_REACHABLE);
    assert_int_equal(paper.on_syntax_error, SYNTAX_ERROR_SKIP);
    assert_int_equal(paper.clones, PROFILE_CLONES_SUBTREE);
    assert_int_equal(paper.size_term, SIZE_SQRT);
    assert_true(weight(&paper, "and_or") == 1 && weight(&paper, "with") == 0);
    assert_false(paper.trivial_wrapper || paper.part_structural);

    struct profile scb = builtin("scb-check-0.2", *state);
    assert_int_equal(scb.callables, CALLABLES_ALL);
    assert_int_equal(scb.on_syntax_error, SYNTAX_ERROR_KEEP);
    assert_int_equal(scb.clones, PROFILE_CLONES_FUNCTION_BODY);
    assert_true(scb.trivial_wrapper && scb.part_structural);

    struct profile released = builtin("released-code", *state);
    assert_int_equal(released.verbosity, VERBOSITY_SUM);
    assert_int_equal(released.sloc, SLOC_TEXT);
    assert_int_equal(paper.sloc, SLOC_TOKENS);
    assert_false(source_filter_excludes_dir(&released.source, BYTES("build")));
    assert_int_equal(builtin("linear-mass", *state).size_term, SIZE_LINEAR);
}

static void
test_profile_parse__a_variant_changes_what_it_names(void **state)
{
    struct profile p;
    struct err err;
    struct bytes text = BYTES("{\"name\": \"mine\", \"extends\": \"scb-check-0.2\", \"high_cc\": 8,"
                              " \"cc\": {\"weights\": {\"call\": 0.5}},"
                              " \"rules\": {\"except\": [\"a\", \"b\"]},"
                              " \"verbosity\": {\"parts\": []}}");
    assert_int_equal(profile_parse(text, "p.json", *state, &p, &err), 0);
    assert_true(bytes_equal(p.name, BYTES("mine")));
    assert_true(p.high_cc == 8 && p.high_cognitive == 10);
    assert_int_equal(p.cc_weights.n_items, 1);
    assert_true(weight(&p, "call") == 0.5 && p.cc_base == 1);
    assert_int_equal(p.clones, PROFILE_CLONES_FUNCTION_BODY);
    assert_int_equal(p.rules_out.n_items, 2);
    assert_false(p.part_rules || p.part_clones || p.part_structural);
    assert_int_equal(profile_parse(BYTES("{\"name\": \"x\"}"), "p.json", *state, &p, &err), 0);
    assert_int_equal(p.callables, CALLABLES_REACHABLE);
}

/* A profile that does not name a selection takes that of the one it extends. */
static void
test_profile_parse__the_selection_is_that_of_the_extended_profile(void **state)
{
    static const struct {
        const char *text;
        enum profile_selection selection;
    } cases[] = {
        {"{\"name\": \"x\"}", PROFILE_CALIBRATED},
        {"{\"name\": \"x\", \"extends\": \"strict\"}", PROFILE_STRICT},
        {"{\"name\": \"x\", \"extends\": \"scb-check-0.2\"}", PROFILE_CALIBRATED},
        {"{\"name\": \"x\", \"rules\": {\"selection\": \"both\"}}", PROFILE_BOTH},
        {"{\"name\": \"x\", \"extends\": \"strict\", \"rules\": {\"advice\": true}}",
         PROFILE_STRICT},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct profile p;
        struct err err = {0};
        assert_int_equal(profile_parse(bytes_of_text(cases[i].text), "p", *state, &p, &err), 0);
        assert_int_equal(p.selection, cases[i].selection);
    }
    for (const char *const *name = profile_builtin_names; *name; name++)
        assert_int_equal(builtin(*name, *state).selection,
                         strcmp(*name, "strict") == 0 ? PROFILE_STRICT : PROFILE_CALIBRATED);
}

/* But for name, description and selection, `strict` is `paper`. */
static void
test_profile_read__strict_is_paper_with_another_selection(void **state)
{
    struct profile strict = builtin("strict", *state), paper = builtin("paper", *state);
    strict.selection = paper.selection;
    char strict_hash[PROFILE_HASH_HEX_SIZE], paper_hash[PROFILE_HASH_HEX_SIZE];
    assert_int_equal(profile_hash(&strict, strict_hash), 0);
    assert_int_equal(profile_hash(&paper, paper_hash), 0);
    assert_string_equal(strict_hash, paper_hash);
}

static void
test_profile_parse__refusals_name_file_and_place(void **state)
{
    static const struct {
        const char *text;
        const char *message;
    } cases[] = {
        {"3", "p.json: must be an object, is a number"},
        {"{\"high_cc\": 8}", "p.json: \"name\" is missing"},
        {"{\"extends\": \"papers\"}", "p.json: extends: must be one of \"paper\", "},
        {"{\"size_term\": \"log\"}",
         "p.json: size_term: must be one of \"none\", \"sqrt\", \"linear\", is \"log\""},
        {"{\"high_cc\": -1}", "p.json: high_cc: must not be negative"},
        {"{\"high_cc\": 1e999}", "p.json: high_cc: is too large"},
        {"{\"clones\": {\"min_sloc\": 2}}", "p.json: clones.min_sloc: must be from 3 to"},
        {"{\"cc\": {\"weights\": {\"if\": \"1\"}}}", "p.json: cc.weights.if: must be a number"},
        {"{\"cc\": {\"weights\": {\"if\": 1, \"if\": 2}}}", "cc.weights.if: is given twice"},
        {"{\"cc\": {\"weight\": {}}}", "p.json: cc: unknown field \"weight\"; there are base"},
        {"{\"verbosity\": {\"parts\": [\"rules\", \"smells\"]}}", "verbosity.parts[1]: must be"},
        {"{\"rules\": {\"severities\": [\"error\", \"warnings\"]}}",
         "p.json: rules.severities[1]: must be one of \"error\", \"warning\", \"info\", \"hint\""},
        {"{\"rules\": {\"selection\": \"lenient\"}}",
         "p.json: rules.selection: must be one of \"strict\", \"calibrated\", \"both\", is"},
        {"{\"rules\": {\"except\": [\"a\", \"a\"]}}", "rules.except[1]: \"a\" is in the list"},
        {"{\"cc\": null}", "p.json: cc: must be an object, is null"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct profile p;
        struct err err = {0};
        assert_int_equal(profile_parse(bytes_of_text(cases[i].text), "p.json", *state, &p, &err),
                         -1);
        assert_int_equal(err.code, ERR_INPUT);
        if (!strstr(err.text, cases[i].message))
            fail_msg("wanted \"%s\" in \"%s\"", cases[i].message, err.text);
    }
}

static void
test_profile_read__a_slip_in_a_name_lists_the_names(void **state)
{
    struct profile p;
    struct err err;
    assert_int_equal(profile_read("papper", *state, &p, &err), -1);
    assert_non_null(strstr(err.text, "\"papper\" is not a built-in profile (paper,"));
}

/* ---- The table of fields ------------------------------------------------------------------- */

/* Every byte of the struct belongs to one field, or is padding before a field of larger alignment
 * or the end: a member without a line in the table fails here, unless it hides in padding. */
static void
test_profile_fields__every_member_has_its_line(void **state)
{
    (void)state;
    size_t n;
    const struct profile_field *fields = profile_fields(&n);
    size_t sizes[sizeof(struct profile)] = {0}; /* of the field that a byte belongs to */
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < fields[i].size; k++) {
            assert_int_equal(sizes[fields[i].offset + k], 0);
            sizes[fields[i].offset + k] = fields[i].size;
        }
    for (size_t at = 0, gap = 0; at <= sizeof(struct profile); at++) {
        bool is_end = at == sizeof(struct profile);
        if (!is_end && sizes[at] == 0) {
            gap++;
            continue;
        }
        size_t size = is_end ? sizeof(double) : sizes[at];
        size_t alignment = size % sizeof(double) == 0 ? sizeof(double) : size;
        assert_true(gap < alignment);
        gap = 0;
    }
}

static void
test_profile_fields__objects_are_neighbours_and_names_unique(void **state)
{
    (void)state;
    size_t n;
    const struct profile_field *fields = profile_fields(&n);
    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; k < n; k++) {
            size_t len = strcspn(fields[i].name, ".") + 1;
            bool is_nested = fields[i].name[len - 1] == '.';
            assert_string_not_equal(fields[i].name, fields[k].name);
            if (is_nested && strncmp(fields[i].name, fields[k].name, len) == 0)
                assert_int_equal(strncmp(fields[i].name, fields[k - 1].name, len), 0);
        }
}

static struct buf
text_of(const struct profile *profile)
{
    struct buf text = {0};
    struct json_writer json = json_writer_init(&text, 0);
    profile_json_write(&json, profile);
    buf_append_byte(&text, 0);
    assert_false(buf_failed(&text));
    text.len--;
    return text;
}

/* Make TEXT be without the member that FIELD is, whose value is as in ENTRY. */
static void
drop_member(struct buf *text, const struct profile_field *field, const struct profile_entry *entry)
{
    char member[4096];
    const char *dot = strrchr(field->name, '.');
    int len = snprintf(member, sizeof(member), "\"%s\":%.*s", dot ? dot + 1 : field->name,
                       BYTES_ARG(entry->value));
    char *at = strstr((char *)text->data, member);
    if (dot) { /* two objects have a "definition" */
        char object[64];
        snprintf(object, sizeof(object), "\"%.*s\":{", (int)(dot - field->name), field->name);
        at = strstr(strstr((char *)text->data, object), member);
    }
    assert_non_null(at);
    char *end = at + len;
    if (*end == ',')
        end++;
    else if (at[-1] == ',')
        at--;
    memmove(at, end, strlen(end) + 1);
    text->len = strlen((char *)text->data);
}

static void
test_profile_parse_builtin__a_field_that_is_left_out_is_an_error(void **state)
{
    size_t n, n_entries;
    const struct profile_field *fields = profile_fields(&n);
    struct profile paper = builtin("paper", *state), p;
    struct profile_entry *entries;
    struct err err;
    assert_int_equal(profile_list(&paper, *state, &entries, &n_entries), 0);
    assert_int_equal(n_entries, n);
    for (size_t i = 0; i < n; i++) {
        struct buf text = text_of(&paper);
        assert_int_equal(profile_parse_builtin(buf_bytes(&text), "p", *state, &p, &err), 0);
        if (fields[i].kind != PROFILE_EXTENDS) {
            char message[128];
            drop_member(&text, &fields[i], &entries[i]);
            assert_int_equal(profile_parse_builtin(buf_bytes(&text), "p", *state, &p, &err), -1);
            snprintf(message, sizeof(message), "p: \"%s\" is missing", fields[i].name);
            assert_string_equal(err.text, message);
        }
        buf_clear(&text);
    }
}

/* ---- Writing ------------------------------------------------------------------------------- */

/* A profile in which no field is as in a built-in one. */
static const char unlike_builtin[] =
    "{\"name\":\"x\",\"description\":\"y\",\"source\":{\"suffixes\":[\".pyi\"],"
    "\"exclude_dirs\":[],\"include\":[\"a/*\"],\"exclude\":[\"b\"]},"
    "\"on_syntax_error\":\"keep\",\"fstring_tokens\":\"one\",\"sloc\":\"text\","
    "\"callables\":\"all\",\"cc\":{\"base\":2.0,\"weights\":{\"if\":0.5},\"nested\":false},"
    "\"high_cc\":8.0,\"high_cognitive\":9.5,\"size_term\":\"none\","
    "\"clones\":{\"definition\":\"none\",\"min_sloc\":4,\"min_statements\":5,\"min_members\":6},"
    "\"rules\":{\"selection\":\"both\",\"severities\":[\"hint\"],\"only\":[\"a\"],"
    "\"except\":[\"b\"],\"advice\":true,\"min_file_count\":true,\"trivial_wrapper\":true},"
    "\"verbosity\":{\"definition\":\"sum\",\"parts\":[\"structural\"]}}";

static void
test_profile_json_write__every_field_reads_back(void **state)
{
    struct profile p;
    struct err err;
    assert_int_equal(profile_parse_builtin(bytes_of_text(unlike_builtin), "p", *state, &p, &err),
                     0);
    struct buf text = text_of(&p);
    assert_string_equal((char *)text.data, unlike_builtin);
    buf_clear(&text);
    for (const char *const *name = profile_builtin_names; *name; name++) {
        struct profile builtin_one = builtin(*name, *state), again;
        struct buf first = text_of(&builtin_one);
        assert_int_equal(profile_parse(buf_bytes(&first), "p", *state, &again, &err), 0);
        struct buf second = text_of(&again);
        assert_string_equal((char *)first.data, (char *)second.data);
        buf_clear(&first);
        buf_clear(&second);
    }
}

static void
test_profile_hash__follows_from_what_changes_a_score(void **state)
{
    char paper_hash[PROFILE_HASH_HEX_SIZE], hash[PROFILE_HASH_HEX_SIZE];
    struct profile paper = builtin("paper", *state), p = paper;
    assert_int_equal(profile_hash(&paper, paper_hash), 0);
    p.name = BYTES("renamed");
    p.description = BYTES("told otherwise");
    assert_int_equal(profile_hash(&p, hash), 0);
    assert_string_equal(hash, paper_hash);
    p.clone_min_members++;
    assert_int_equal(profile_hash(&p, hash), 0);
    assert_string_not_equal(hash, paper_hash);
    for (const char *const *name = profile_builtin_names + 1; *name; name++) {
        p = builtin(*name, *state);
        assert_int_equal(profile_hash(&p, hash), 0);
        assert_string_not_equal(hash, paper_hash);
    }
}

static const char fields_begin[] =
    "<!-- fields: made by tests/manifests/profile_test --write -->\n";
static const char fields_end[] = "<!-- end of fields -->\n";

/* What of README.md is before, within and after the table of fields. */
static void
split_readme(const struct buf *readme, struct bytes parts[3])
{
    const char *text = (const char *)readme->data;
    const char *begin = strstr(text, fields_begin);
    const char *end = begin ? strstr(begin, fields_end) : NULL;
    if (!end)
        fail_msg("manifests/README.md lacks the marks of the table of fields");
    begin += strlen(fields_begin);
    size_t at = (size_t)(begin - text), to = (size_t)(end - text);
    parts[0] = bytes_slice(buf_bytes(readme), 0, at);
    parts[1] = bytes_slice(buf_bytes(readme), at, to);
    parts[2] = bytes_slice(buf_bytes(readme), to, readme->len);
}

static const char readme_path[] = TESTS_SOURCE_DIR "/../manifests/README.md";

static void
test_profile_document__the_readme_has_the_table(void **state)
{
    (void)state;
    struct buf readme = {0}, table = {0};
    struct bytes parts[3];
    struct err err;
    assert_int_equal(fs_read(readme_path, 1 << 20, &readme, &err), 0);
    buf_append_byte(&readme, 0);
    readme.len--;
    split_readme(&readme, parts);
    assert_int_equal(profile_document(&table, &err), 0);
    if (!bytes_equal(buf_bytes(&table), parts[1]))
        fail_msg("the table of fields in manifests/README.md is old: run this test with --write");
    buf_clear(&readme);
    buf_clear(&table);
}

/* Write the table of fields into README.md. */
static int
write_readme(void)
{
    struct buf readme = {0}, out = {0};
    struct bytes parts[3];
    struct err err;
    int rc = fs_read(readme_path, 1 << 20, &readme, &err);
    if (rc == 0) {
        buf_append_byte(&readme, 0);
        readme.len--;
        split_readme(&readme, parts);
        buf_append_bytes(&out, parts[0]);
        rc = profile_document(&out, &err);
        buf_append_bytes(&out, parts[2]);
    }
    if (rc == 0)
        rc = fs_write(readme_path, buf_bytes(&out), &err);
    if (rc < 0)
        fprintf(stderr, "%s\n", err.text);
    buf_clear(&readme);
    buf_clear(&out);
    return rc < 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--write") == 0)
        return write_readme();
    const struct CMUnitTest tests[] = {
        TEST(test_profile_read__every_builtin_is_whole_and_named_as_it_is_asked_for),
        TEST(test_profile_read__builtins_differ_as_their_definitions_do),
        TEST(test_profile_parse__a_variant_changes_what_it_names),
        TEST(test_profile_parse__the_selection_is_that_of_the_extended_profile),
        TEST(test_profile_read__strict_is_paper_with_another_selection),
        TEST(test_profile_parse__refusals_name_file_and_place),
        TEST(test_profile_read__a_slip_in_a_name_lists_the_names),
        TEST(test_profile_fields__every_member_has_its_line),
        TEST(test_profile_fields__objects_are_neighbours_and_names_unique),
        TEST(test_profile_parse_builtin__a_field_that_is_left_out_is_an_error),
        TEST(test_profile_json_write__every_field_reads_back),
        TEST(test_profile_hash__follows_from_what_changes_a_score),
        TEST(test_profile_document__the_readme_has_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
