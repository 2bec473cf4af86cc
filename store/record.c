/*
 * Records: the fields of a struct one after another, in the order of the struct.
 *
 * 1. A text is its length plus one, then its bytes; 0 means unknown.
 * 2. A signed number is zigzag, so that small ones of either sign are short.
 * 3. A new field goes at the end and changes STORE_SCHEMA; a record that ends before it is of an
 * older schema (record_get_checkpoint).  tests/store/record_test.c has the bytes of every schema.
 */
#include "store/record.h"

#include <assert.h>
#include <string.h>

#include "base/decoder.h"

static void
put_text(struct buf *out, struct bytes text)
{
    if (!text.data && text.len == 0) {
        buf_append_varint(out, 0);
        return;
    }
    buf_append_varint(out, (uint64_t)text.len + 1);
    buf_append_bytes(out, text);
}

static struct bytes
get_text(struct decoder *decoder)
{
    uint64_t len = decoder_varint_max(decoder, decoder_left(decoder));
    if (len == 0)
        return (struct bytes){NULL, 0};
    return decoder_take(decoder, (size_t)len - 1);
}

static void
put_signed(struct buf *out, int64_t value)
{
    uint64_t doubled = (uint64_t)value << 1;
    buf_append_varint(out, value < 0 ? ~doubled : doubled);
}

static int64_t
get_signed(struct decoder *decoder)
{
    uint64_t zigzag = decoder_varint(decoder);
    uint64_t magnitude = zigzag >> 1;
    return zigzag & 1 ? -(int64_t)magnitude - 1 : (int64_t)magnitude;
}

static void
put_oid(struct buf *out, const struct oid *oid)
{
    assert(oid->len == 0 || oid->len == OID_SHA1_BYTES || oid->len == OID_SHA256_BYTES);
    buf_append_byte(out, oid->len);
    buf_append(out, oid->id, oid->len);
}

static struct oid
get_oid(struct decoder *decoder)
{
    size_t len = decoder_byte(decoder);
    if (len == 0)
        return (struct oid){0};
    struct bytes raw = decoder_take(decoder, len);
    if (len == OID_SHA1_BYTES || len == OID_SHA256_BYTES)
        return raw.data ? oid_from_raw(raw.data, raw.len) : (struct oid){0};
    decoder_fail(decoder);
    return (struct oid){0};
}

static void
put_notes(struct buf *out, const struct store_note *notes, uint32_t n_notes)
{
    assert(notes || n_notes == 0);
    buf_append_varint(out, n_notes);
    for (uint32_t i = 0; i < n_notes; i++) {
        put_text(out, notes[i].what);
        put_text(out, notes[i].reason);
    }
}

static enum record_outcome
get_notes(struct decoder *decoder, struct arena *arena, struct store_note **out, uint32_t *n_out)
{
    /* A note takes at least two bytes, so a damaged count cannot ask for much memory. */
    uint64_t n = decoder_varint_max(decoder, decoder_left(decoder) / 2);
    struct store_note *notes = ARENA_ARRAY(arena, n, struct store_note);
    if (!notes)
        return RECORD_NOMEM;
    for (uint64_t i = 0; i < n && !decoder->failed; i++) {
        notes[i].what = get_text(decoder);
        notes[i].reason = get_text(decoder);
    }
    *out = n ? notes : NULL;
    *n_out = (uint32_t)n;
    return RECORD_OK;
}

/* ---- Trajectories -------------------------------------------------------------------------- */

void
record_put_trajectory(struct buf *out, const struct store_trajectory *trajectory)
{
    assert((unsigned)trajectory->status < STORE_N_STATUSES);
    put_text(out, trajectory->kind);
    put_text(out, trajectory->origin);
    put_signed(out, trajectory->stars);
    put_text(out, trajectory->as_of);
    put_text(out, trajectory->license);
    put_text(out, trajectory->ref);
    put_oid(out, &trajectory->head);
    put_text(out, trajectory->params);
    buf_append_varint(out, (uint64_t)trajectory->status);
    buf_append_varint(out, trajectory->n_checkpoints);
    buf_append_varint(out, trajectory->n_commits);
    put_notes(out, trajectory->notes, trajectory->n_notes);
}

enum record_outcome
record_get_trajectory(struct bytes encoded, struct arena *arena, struct store_trajectory *out)
{
    struct decoder decoder = decoder_init(encoded);
    *out = (struct store_trajectory){0};
    out->kind = get_text(&decoder);
    out->origin = get_text(&decoder);
    out->stars = get_signed(&decoder);
    out->as_of = get_text(&decoder);
    out->license = get_text(&decoder);
    out->ref = get_text(&decoder);
    out->head = get_oid(&decoder);
    out->params = get_text(&decoder);
    out->status = (enum store_status)decoder_varint_max(&decoder, STORE_N_STATUSES - 1);
    out->n_checkpoints = (uint32_t)decoder_varint_max(&decoder, UINT32_MAX);
    out->n_commits = decoder_varint(&decoder);
    enum record_outcome outcome = get_notes(&decoder, arena, &out->notes, &out->n_notes);
    if (outcome != RECORD_OK)
        return outcome;
    return decoder_done(&decoder) ? RECORD_OK : RECORD_DAMAGED;
}

/* ---- Checkpoints --------------------------------------------------------------------------- */

void
record_put_checkpoint(struct buf *out, const struct store_checkpoint *checkpoint)
{
    assert((unsigned)checkpoint->author_date <= STORE_AUTHOR_DATE);
    put_text(out, checkpoint->name);
    buf_append_byte(out, checkpoint->has_time);
    put_signed(out, checkpoint->time_s);
    put_text(out, checkpoint->date_problem);
    buf_append(out, checkpoint->listing.bytes, STORE_KEY_BYTES);
    buf_append_varint(out, checkpoint->n_parents);
    put_text(out, checkpoint->markers);
    put_text(out, checkpoint->record);
    put_notes(out, checkpoint->notes, checkpoint->n_notes);
    if (checkpoint->author_date == STORE_AUTHOR_UNRECORDED)
        return;
    buf_append_byte(out, (uint8_t)checkpoint->author_date);
    put_signed(out, checkpoint->author_time_s);
}

static void
get_name(struct decoder *decoder, struct store_key *name)
{
    struct bytes raw = decoder_take(decoder, STORE_KEY_BYTES);
    if (raw.data)
        memcpy(name->bytes, raw.data, STORE_KEY_BYTES);
}

enum record_outcome
record_get_checkpoint(struct bytes encoded, struct arena *arena, struct store_checkpoint *out)
{
    struct decoder decoder = decoder_init(encoded);
    *out = (struct store_checkpoint){0};
    out->name = get_text(&decoder);
    uint8_t has_time = decoder_byte(&decoder);
    out->has_time = has_time != 0;
    out->time_s = get_signed(&decoder);
    out->date_problem = get_text(&decoder);
    get_name(&decoder, &out->listing);
    out->n_parents = (uint32_t)decoder_varint_max(&decoder, UINT32_MAX);
    out->markers = get_text(&decoder);
    out->record = get_text(&decoder);
    enum record_outcome outcome = get_notes(&decoder, arena, &out->notes, &out->n_notes);
    if (outcome != RECORD_OK)
        return outcome;
    uint8_t author_date = decoder_left(&decoder) ? decoder_byte(&decoder) : STORE_AUTHOR_UNRECORDED;
    bool is_known = author_date <= STORE_AUTHOR_DATE;
    out->author_date = is_known ? (enum store_author_date)author_date : STORE_AUTHOR_UNRECORDED;
    out->author_time_s = out->author_date == STORE_AUTHOR_UNRECORDED ? 0 : get_signed(&decoder);
    return decoder_done(&decoder) && has_time <= 1 && is_known ? RECORD_OK : RECORD_DAMAGED;
}

/* ---- Rules and groups ---------------------------------------------------------------------- */

void
record_put_rule(struct buf *out, const struct store_rule *rule)
{
    put_text(out, rule->id);
    put_text(out, rule->severity);
    put_text(out, rule->metadata);
    put_text(out, rule->source);
}

enum record_outcome
record_get_rule(struct bytes encoded, struct store_rule *out)
{
    struct decoder decoder = decoder_init(encoded);
    *out = (struct store_rule){0};
    out->id = get_text(&decoder);
    out->severity = get_text(&decoder);
    out->metadata = get_text(&decoder);
    out->source = get_text(&decoder);
    return decoder_done(&decoder) ? RECORD_OK : RECORD_DAMAGED;
}

void
record_put_group(struct buf *out, const struct store_key *rules, size_t n_rules)
{
    for (size_t i = 0; i < n_rules; i++)
        buf_append(out, rules[i].bytes, STORE_KEY_BYTES);
}

enum record_outcome
record_get_group(struct bytes encoded, struct arena *arena, struct store_key **out, size_t *n_out)
{
    if (encoded.len % STORE_KEY_BYTES != 0)
        return RECORD_DAMAGED;
    size_t n = encoded.len / STORE_KEY_BYTES;
    struct store_key *rules = ARENA_ARRAY(arena, n, struct store_key);
    if (!rules)
        return RECORD_NOMEM;
    struct decoder decoder = decoder_init(encoded);
    for (size_t i = 0; i < n; i++)
        get_name(&decoder, &rules[i]);
    *out = rules;
    *n_out = n;
    return RECORD_OK;
}

const char *
store_status_name(enum store_status status)
{
    assert((unsigned)status < STORE_N_STATUSES);
    static const char *const names[] = {[STORE_STATUS_UNFINISHED] = "unfinished",
                                        [STORE_STATUS_DONE] = "done",
                                        [STORE_STATUS_PARTIAL] = "partial",
                                        [STORE_STATUS_SKIPPED] = "skipped"};
    return names[status];
}
