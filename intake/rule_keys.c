/*
 * The keys of rules, in two halves: a hash of what the hits of a rule depend on, and a hash of the
 * rest.  store/FORMAT.md, "Tables", has the exact bytes.
 */
#include <xxhash.h>

#include "intake/intake.h"

static void
put_be64(uint64_t value, uint8_t out[8])
{
    for (int i = 0; i < 8; i++)
        out[i] = (uint8_t)(value >> (56 - 8 * i));
}

/* The number that follows from what the hits of RULE depend on. */
static uint64_t
hash_of_hits(const struct rule_info *rule, const struct analyzer_limits *limits,
             struct buf *scratch)
{
    buf_reset(scratch);
    buf_append(scratch, rule->fingerprint.bytes, sizeof(rule->fingerprint.bytes));
    buf_append_varint(scratch, limits->max_file_bytes);
    buf_append_varint(scratch, limits->max_depth);
    buf_append_varint(scratch, limits->max_nodes);
    buf_append_varint(scratch, limits->parse_steps_per_byte);
    return XXH3_64bits(scratch->data, scratch->len);
}

/* The number that follows from the rest of RULE. */
static uint64_t
hash_of_rest(const struct store_rule *rule, struct buf *scratch)
{
    const struct bytes texts[] = {rule->id, rule->severity, rule->metadata, rule->source};
    buf_reset(scratch);
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        buf_append_varint(scratch, texts[i].len);
        buf_append_bytes(scratch, texts[i]);
    }
    return XXH3_64bits(scratch->data, scratch->len);
}

struct store_rule *
ruleset_store_rules(const struct ruleset *set, const struct analyzer_limits *limits,
                    struct arena *arena)
{
    uint32_t n = ruleset_count(set);
    struct store_rule *rules = ARENA_ARRAY(arena, n, struct store_rule);
    struct buf scratch = {0};
    for (uint32_t i = 0; rules && i < n; i++) {
        const struct rule_info *info = ruleset_rule(set, i);
        rules[i] =
            (struct store_rule){.id = info->id,
                                .severity = bytes_of_text(rule_severity_name(info->severity)),
                                .metadata = info->metadata,
                                .source = info->source};
        put_be64(hash_of_hits(info, limits, &scratch), rules[i].key.bytes);
        put_be64(hash_of_rest(&rules[i], &scratch), rules[i].key.bytes + STORE_RULE_HIT_BYTES);
        if (buf_failed(&scratch))
            rules = NULL;
    }
    buf_clear(&scratch);
    return rules;
}
