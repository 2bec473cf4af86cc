/* Notes: kept up to a bound, counted beyond it. */
#include "cmocka_all.h"
#include "intake/notes.h"

static void
test_notes_add__keeps_the_first_and_counts_the_rest(void **state)
{
    (void)state;
    struct arena arena;
    struct notes notes;
    struct err err;
    arena_init(&arena, 0);
    notes_init(&notes, &arena);
    assert_int_equal(notes_finish(&notes, &err), 0);
    assert_int_equal(notes.n_items, 0);
    for (int i = 0; i < NOTES_MAX + 7; i++)
        assert_int_equal(notes_addf(&notes, BYTES("a.py"), &err, "reason %d", i), 0);
    assert_int_equal(notes.n_items, NOTES_MAX);
    assert_int_equal(notes.n_lost, 7);
    assert_true(bytes_equal(notes.items[9].what, BYTES("a.py")));
    assert_true(bytes_equal(notes.items[NOTES_MAX - 1].reason, BYTES("reason 999")));
    assert_int_equal(notes_finish(&notes, &err), 0);
    assert_int_equal(notes.n_items, NOTES_MAX + 1);
    assert_true(bytes_equal(notes.items[NOTES_MAX].reason,
                            BYTES("7 more were left out; their reasons are not kept")));
    arena_clear(&arena);
}

/* Memory and a stop are about more than one thing, so they are not notes. */
static void
test_notes_add_failure__some_failures_end_more(void **state)
{
    (void)state;
    struct arena arena;
    struct notes notes;
    struct err err = {0}, why;
    static const enum err_code codes[] = {ERR_NOMEM, ERR_STOPPED};
    arena_init(&arena, 0);
    notes_init(&notes, &arena);
    err_set(&why, ERR_DAMAGED, "it is damaged");
    assert_int_equal(notes_add_failure(&notes, BYTES("a"), &why, &err), 0);
    assert_true(bytes_equal(notes.items[0].reason, BYTES("it is damaged")));
    for (size_t i = 0; i < 2; i++) {
        err_set(&why, codes[i], "it ends");
        assert_int_equal(notes_add_failure(&notes, BYTES("a"), &why, &err), -1);
        assert_int_equal(err.code, codes[i]);
    }
    assert_int_equal(notes.n_items, 1);
    arena_clear(&arena);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_notes_add__keeps_the_first_and_counts_the_rest),
        cmocka_unit_test(test_notes_add_failure__some_failures_end_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
