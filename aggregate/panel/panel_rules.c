/*
 * Reading a group of rules from a store.
 *
 * A group is the list of rules that were run together; hits count its rules by position.  Id,
 * severity, metadata and path scope of each rule come from the store, so that scoring needs no rule
 * files.
 */
#include "aggregate/panel/panel_rules.h"

#include <stdio.h>

#include "base/json_read.h"
#include "rules/rule_files.h"

char *
panel_rules_hex(const struct store_key *key, char out[PANEL_RULES_HEX_SIZE])
{
    for (size_t i = 0; i < STORE_KEY_BYTES; i++)
        snprintf(out + 2 * i, 3, "%02x", key->bytes[i]);
    return out;
}

/* The index of the one group among the N KEYS whose hexadecimal form begins with HEX; N if none or
 * several do. */
static size_t
find_group(const struct store_key *keys, size_t n, struct bytes hex)
{
    size_t found = n, n_found = 0;
    for (size_t i = 0; i < n; i++) {
        char text[PANEL_RULES_HEX_SIZE];
        panel_rules_hex(&keys[i], text);
        if (!bytes_starts_with(bytes_of_text(text), hex))
            continue;
        found = i;
        n_found++;
    }
    return n_found == 1 ? found : n;
}

/* Set *OUT to the index of the newest group among the N KEYS; to N if the store does not know it.
 */
static int
find_newest(struct store_reader *reader, const struct store_key *keys, size_t n,
            struct arena *arena, size_t *out, struct err *err)
{
    struct store_key newest;
    *out = n;
    enum store_outcome outcome = store_get_newest_group(reader, arena, &newest, err);
    for (size_t i = 0; outcome == STORE_FOUND && i < n; i++)
        if (memcmp(&keys[i], &newest, sizeof(newest)) == 0)
            *out = i;
    return outcome == STORE_FAILED ? -1 : 0;
}

/* Fail because HEX names no single group, or none was named. */
static int
refuse_groups(const struct store_key *keys, size_t n, struct bytes hex, struct err *err)
{
    struct buf list = {0};
    for (size_t i = 0; i < n; i++) {
        char text[PANEL_RULES_HEX_SIZE];
        panel_rules_hex(&keys[i], text);
        buf_printf(&list, "%s%.12s", i ? ", " : "", text);
    }
    if (hex.len)
        err_set(err, ERR_INPUT, "no single group of rules is named %.*s; the store has %.*s",
                BYTES_ARG(hex), BYTES_ARG(buf_bytes(&list)));
    else
        err_set(err, ERR_INPUT,
                "the store holds hits of %zu groups of rules; name one with --rules-group: %.*s", n,
                BYTES_ARG(buf_bytes(&list)));
    buf_clear(&list);
    return -1;
}

/* Take what scoring needs from METADATA, a JSON object; damaged metadata is ignored. */
static void
read_metadata(struct bytes metadata, struct score_rule *out)
{
    struct json_doc *doc;
    out->min_file_count = 1;
    if (!metadata.data || json_open(metadata, "metadata", false, &doc, NULL) < 0)
        return;
    const struct json_value *least = json_member(json_root(doc), "min_file_count");
    double number = least ? json_number(least) : 1;
    if (number >= 1 && number <= UINT32_MAX)
        out->min_file_count = (uint32_t)number;
    const struct json_value *advice = json_member(json_root(doc), "advice");
    out->is_advice = advice && json_is_true(advice);
    const struct json_value *selection = json_member(json_root(doc), "selection");
    if (selection)
        out->selection = rule_selection_of_name(json_string(selection));
    const struct json_value *extent = json_member(json_root(doc), "extent");
    out->is_of_function = extent && bytes_equal(json_string(extent), BYTES("function"));
    json_close(doc);
}

/*
 * Versions of strata without selections mined the strict rules, whose metadata did not name a
 * selection.  Such a group is recognised by this: no rule of RULES names its selection, and each
 * has the id of a strict rule.
 */
static void
recognize_strict(struct panel_rules *rules)
{
    for (size_t i = 0; i < rules->n_items; i++)
        if (rules->items[i].selection != SELECTION_NONE ||
            !builtin_rules_have_strict(rules->items[i].id))
            return;
    for (size_t i = 0; i < rules->n_items; i++)
        rules->items[i].selection = SELECTION_STRICT;
}

static int
read_rules(struct store_reader *reader, struct arena *arena, struct panel_rules *out,
           struct err *err)
{
    struct store_key *keys;
    size_t n;
    if (store_get_group(reader, &out->group, arena, &keys, &n, err) != STORE_FOUND)
        return err_wrap(err, "rules of the store");
    out->items = ARENA_ARRAY(arena, n, struct score_rule);
    out->scoped = ARENA_ARRAY(arena, n, uint32_t);
    if (!out->items || !out->scoped)
        return err_nomem(err, "rules");
    for (size_t i = 0; i < n; i++) {
        struct store_rule rule;
        switch (store_get_rule(reader, &keys[i], arena, &rule, err)) {
        case STORE_FOUND:
            break;
        case STORE_MISSING:
            return err_set(err, ERR_DAMAGED, "rule %zu of a group is not in the store; mine again",
                           i);
        case STORE_FAILED:
            return -1;
        }
        out->items[i] = (struct score_rule){.id = rule.id, .severity = rule.severity};
        read_metadata(rule.metadata, &out->items[i]);
        if (rule_scope_of_source(rule.source, arena, &out->items[i].scope, err) < 0)
            return err_wrap(err, "rule %.*s of the store", BYTES_ARG(rule.id));
        if (out->items[i].scope)
            out->scoped[out->n_scoped++] = (uint32_t)i;
    }
    out->n_items = n;
    recognize_strict(out);
    return 0;
}

static int
read_group(struct store_reader *reader, struct bytes group_hex, struct arena *arena,
           struct panel_rules *out, struct err *err)
{
    struct store_key *keys;
    size_t n;
    if (store_list_groups(reader, arena, &keys, &n, err) < 0)
        return -1;
    if (n == 0 && group_hex.len == 0)
        return 0;
    size_t index = 0;
    if (group_hex.len)
        index = find_group(keys, n, group_hex);
    else if (n > 1 && find_newest(reader, keys, n, arena, &index, err) < 0)
        return -1;
    if (index == n)
        return refuse_groups(keys, n, group_hex, err);
    out->has_group = true;
    out->group = keys[index];
    return read_rules(reader, arena, out, err);
}

int
panel_rules_open(struct store *store, struct bytes group_hex, struct arena *arena,
                 struct panel_rules *out, struct err *err)
{
    struct store_reader *reader;
    *out = (struct panel_rules){0};
    if (store_reader_open(store, &reader, err) < 0)
        return -1;
    int rc = read_group(reader, group_hex, arena, out, err);
    store_reader_close(reader);
    return rc;
}

static bool
has_rule(const struct panel_rules *rules, struct bytes id)
{
    for (size_t i = 0; i < rules->n_items; i++)
        if (bytes_equal(rules->items[i].id, id))
            return true;
    return false;
}

const struct bytes *
panel_rules_unknown(const struct panel_rules *rules, const struct text_list *ids)
{
    for (size_t i = 0; rules->has_group && i < ids->n_items; i++)
        if (!has_rule(rules, ids->items[i]))
            return &ids->items[i];
    return NULL;
}

static void
note_unknown(const struct panel_rules *rules, const struct profile *profile,
             const struct text_list *ids, struct buf *notes)
{
    struct text_list rest = *ids;
    const struct bytes *unknown;
    while ((unknown = panel_rules_unknown(rules, &rest))) {
        buf_printf(notes, "profile %.*s: no rule of the store is called \"%.*s\"\n",
                   BYTES_ARG(profile->name), BYTES_ARG(*unknown));
        rest.n_items -= (size_t)(unknown + 1 - rest.items);
        rest.items = unknown + 1;
    }
}

int
panel_scorer(const struct panel_rules *rules, const struct profile *profile, struct scorer **out,
             struct buf *notes, struct err *err)
{
    if (scorer_create(profile, rules->has_group ? rules->items : NULL, rules->n_items, out, err) <
        0)
        return -1;
    if (notes) {
        note_unknown(rules, profile, &profile->rules_in, notes);
        note_unknown(rules, profile, &profile->rules_out, notes);
        if (profile->part_rules && scorer_lacks_selection(*out))
            buf_printf(notes,
                       "profile %.*s: verbosity is not known: the store has hits of the built-in "
                       "rules, but of no %s ones; mine it again, which runs only these\n",
                       BYTES_ARG(profile->name), scorer_lacks_selection(*out));
    }
    return 0;
}
