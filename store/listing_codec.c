/*
 * Listings as bytes.
 *
 * A block of files is written in columns, which compress better than rows: length and mode of every
 * path, then the paths, then the ids.  A listing of changes has three columns of positions in its
 * base: files that changed, files that were removed, and the block of files that were added.
 *
 *   whole    0, id length, block
 *   block    n, n times (path length, mode), paths, ids
 *   changes  1, name of the base, id length,
 *            n changed, n times (gap, mode), their ids,
 *            n removed, n times gap,
 *            block of the added
 *
 * 1. Files are in strict bytewise order of paths, and all ids of a listing have one length.
 * 2. A gap is the number of files of the base between one position and the next, so positions rise.
 * 3. No position is both changed and removed, and no path that is added is one that the base keeps.
 * Decoding fails on bytes for which one of these does not hold.
 */
#include "store/listing_codec.h"

#include <assert.h>
#include <string.h>

#include "base/decoder.h"

enum { FORM_WHOLE = 0, FORM_CHANGES = 1 };

/* ---- Base ---------------------------------------------------------------------------------- */

void
listing_base_init(struct listing_base *base)
{
    *base = (struct listing_base){0};
    arena_init(&base->arena, 0);
}

void
listing_base_clear(struct listing_base *base)
{
    arena_clear(&base->arena);
    listing_base_init(base);
}

void
listing_base_reset(struct listing_base *base)
{
    base->is_set = false;
    arena_reset(&base->arena);
}

void
listing_base_take(struct listing_base *base, const struct store_key *key, struct store_file *files,
                  size_t n_files)
{
    base->key = *key;
    base->files = files;
    base->n_files = n_files;
    base->path_bytes = 0;
    for (size_t i = 0; i < n_files; i++)
        base->path_bytes += files[i].path.len;
    base->is_set = true;
}

int
listing_base_copy(struct listing_base *base, const struct store_key *key,
                  const struct store_file *files, size_t n_files)
{
    listing_base_reset(base);
    struct store_file *copies = ARENA_ARRAY(&base->arena, n_files, struct store_file);
    if (!copies)
        return -1;
    for (size_t i = 0; i < n_files; i++) {
        copies[i] = files[i];
        copies[i].path = arena_copy(&base->arena, files[i].path);
        if (!copies[i].path.data)
            return -1;
    }
    listing_base_take(base, key, copies, n_files);
    return 0;
}

/* ---- Encode -------------------------------------------------------------------------------- */

bool
listing_is_ordered(const struct store_file *files, size_t n_files)
{
    for (size_t i = 0; i < n_files; i++) {
        if (files[i].blob.len != files[0].blob.len)
            return false;
        if (i > 0 && bytes_compare(files[i - 1].path, files[i].path) >= 0)
            return false;
    }
    return n_files == 0 || files[0].blob.len == OID_SHA1_BYTES ||
           files[0].blob.len == OID_SHA256_BYTES;
}

static uint8_t
oid_length(const struct store_file *files, size_t n_files)
{
    return n_files ? files[0].blob.len : OID_SHA1_BYTES;
}

/* A step of the merge of base and files. */
enum pairing { PAIR_SAME, PAIR_CHANGED, PAIR_REMOVED, PAIR_ADDED };

/* Compare base[*B] with files[*F] and move past what was compared.  At least one is not at its end.
 */
static enum pairing
next_pair(const struct listing_base *base, size_t *b, const struct store_file *files,
          size_t n_files, size_t *f)
{
    assert(*b <= base->n_files && *f <= n_files && *b + *f < base->n_files + n_files);
    int order = *b == base->n_files ? 1
                : *f == n_files     ? -1
                                    : bytes_compare(base->files[*b].path, files[*f].path);
    if (order < 0) {
        (*b)++;
        return PAIR_REMOVED;
    }
    if (order > 0) {
        (*f)++;
        return PAIR_ADDED;
    }
    const struct store_file *old = &base->files[(*b)++], *new = &files[(*f)++];
    return old->mode == new->mode &&oid_equal(&old->blob, &new->blob) ? PAIR_SAME : PAIR_CHANGED;
}

static size_t
count_pairs(const struct listing_base *base, const struct store_file *files, size_t n_files,
            enum pairing wanted)
{
    size_t count = 0;
    for (size_t b = 0, f = 0; b < base->n_files || f < n_files;)
        count += next_pair(base, &b, files, n_files, &f) == wanted;
    return count;
}

static void
put_head(struct buf *out, size_t path_len, uint32_t mode)
{
    buf_append_varint(out, path_len);
    buf_append_varint(out, mode);
}

void
listing_put_whole(struct buf *out, const struct store_file *files, size_t n_files)
{
    assert(listing_is_ordered(files, n_files));
    buf_append_byte(out, FORM_WHOLE);
    buf_append_byte(out, oid_length(files, n_files));
    buf_append_varint(out, n_files);
    for (size_t i = 0; i < n_files; i++)
        put_head(out, files[i].path.len, files[i].mode);
    for (size_t i = 0; i < n_files; i++)
        buf_append_bytes(out, files[i].path);
    for (size_t i = 0; i < n_files; i++)
        buf_append(out, files[i].blob.id, files[i].blob.len);
}

static void
put_changed(struct buf *out, const struct listing_base *base, const struct store_file *files,
            size_t n_files)
{
    buf_append_varint(out, count_pairs(base, files, n_files, PAIR_CHANGED));
    size_t after = 0; /* the position after the last one that was written */
    for (size_t b = 0, f = 0; b < base->n_files || f < n_files;) {
        if (next_pair(base, &b, files, n_files, &f) == PAIR_CHANGED) {
            put_head(out, b - 1 - after, files[f - 1].mode);
            after = b;
        }
    }
    for (size_t b = 0, f = 0; b < base->n_files || f < n_files;) {
        if (next_pair(base, &b, files, n_files, &f) == PAIR_CHANGED)
            buf_append(out, files[f - 1].blob.id, files[f - 1].blob.len);
    }
}

static void
put_removed(struct buf *out, const struct listing_base *base, const struct store_file *files,
            size_t n_files)
{
    buf_append_varint(out, count_pairs(base, files, n_files, PAIR_REMOVED));
    size_t after = 0;
    for (size_t b = 0, f = 0; b < base->n_files || f < n_files;) {
        if (next_pair(base, &b, files, n_files, &f) == PAIR_REMOVED) {
            buf_append_varint(out, b - 1 - after);
            after = b;
        }
    }
}

static void
put_added(struct buf *out, const struct listing_base *base, const struct store_file *files,
          size_t n_files)
{
    buf_append_varint(out, count_pairs(base, files, n_files, PAIR_ADDED));
    enum { HEADS, PATHS, IDS, N_COLUMNS };
    for (int column = HEADS; column < N_COLUMNS; column++) {
        for (size_t b = 0, f = 0; b < base->n_files || f < n_files;) {
            if (next_pair(base, &b, files, n_files, &f) != PAIR_ADDED)
                continue;
            const struct store_file *file = &files[f - 1];
            if (column == HEADS)
                put_head(out, file->path.len, file->mode);
            else if (column == PATHS)
                buf_append_bytes(out, file->path);
            else
                buf_append(out, file->blob.id, file->blob.len);
        }
    }
}

void
listing_put_changes(struct buf *out, const struct listing_base *base,
                    const struct store_file *files, size_t n_files)
{
    assert(base->is_set && listing_is_ordered(files, n_files));
    buf_append_byte(out, FORM_CHANGES);
    buf_append(out, base->key.bytes, STORE_KEY_BYTES);
    buf_append_byte(out, oid_length(files, n_files));
    put_changed(out, base, files, n_files);
    put_removed(out, base, files, n_files);
    put_added(out, base, files, n_files);
}

/* ---- Decode -------------------------------------------------------------------------------- */

bool
listing_is_changes(struct bytes encoded, struct store_key *base)
{
    if (encoded.len < 1 + STORE_KEY_BYTES || encoded.data[0] != FORM_CHANGES)
        return false;
    memcpy(base->bytes, encoded.data + 1, STORE_KEY_BYTES);
    return true;
}

static size_t
get_oid_length(struct decoder *decoder)
{
    size_t len = decoder_byte(decoder);
    if (len != OID_SHA1_BYTES && len != OID_SHA256_BYTES)
        decoder_fail(decoder);
    return len;
}

static void
get_ids(struct decoder *decoder, struct store_file *files, size_t n, size_t oid_len)
{
    for (size_t i = 0; i < n; i++) {
        struct bytes raw = decoder_take(decoder, oid_len);
        if (!raw.data)
            return;
        files[i].blob = oid_from_raw(raw.data, oid_len);
    }
}

/* Decode a block, which must be in order.  NULL: damaged when DECODER has failed, else memory is
 * out. */
static struct store_file *
get_block(struct decoder *decoder, size_t oid_len, struct arena *arena, size_t *n_out)
{
    size_t n = (size_t)decoder_varint_max(decoder, decoder_left(decoder) / (2 + oid_len));
    struct store_file *files = ARENA_ARRAY(arena, n, struct store_file);
    if (!files)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        files[i].path.len = (size_t)decoder_varint(decoder);
        files[i].mode = (uint32_t)decoder_varint_max(decoder, UINT32_MAX);
    }
    for (size_t i = 0; i < n && !decoder->failed; i++)
        files[i].path = decoder_take(decoder, files[i].path.len);
    get_ids(decoder, files, n, oid_len);
    if (!decoder->failed && !listing_is_ordered(files, n))
        decoder_fail(decoder);
    *n_out = n;
    return files;
}

/* A file of the base that changed. */
struct change {
    size_t at; /* in the base */
    uint32_t mode;
    struct oid blob;
};

/* Read the next position of a column of gaps; SIZE_MAX when it is outside the base. */
static size_t
get_position(struct decoder *decoder, size_t *after, size_t n_base)
{
    size_t left = n_base - *after;
    if (left == 0) {
        decoder_fail(decoder);
        return SIZE_MAX;
    }
    size_t at = *after + (size_t)decoder_varint_max(decoder, left - 1);
    *after = at + 1;
    return at;
}

static struct change *
get_changed(struct decoder *decoder, size_t oid_len, size_t n_base, struct arena *arena,
            size_t *n_out)
{
    size_t n = (size_t)decoder_varint_max(decoder, decoder_left(decoder) / (2 + oid_len));
    struct change *changes = ARENA_ARRAY(arena, n, struct change);
    if (!changes)
        return NULL;
    size_t after = 0;
    for (size_t i = 0; i < n && !decoder->failed; i++) {
        changes[i].at = get_position(decoder, &after, n_base);
        changes[i].mode = (uint32_t)decoder_varint_max(decoder, UINT32_MAX);
    }
    for (size_t i = 0; i < n && !decoder->failed; i++) {
        struct bytes raw = decoder_take(decoder, oid_len);
        if (raw.data)
            changes[i].blob = oid_from_raw(raw.data, oid_len);
    }
    *n_out = n;
    return changes;
}

static size_t *
get_removed(struct decoder *decoder, size_t n_base, struct arena *arena, size_t *n_out)
{
    size_t n = (size_t)decoder_varint_max(decoder, decoder_left(decoder));
    size_t *removed = ARENA_ARRAY(arena, n, size_t);
    if (!removed)
        return NULL;
    size_t after = 0;
    for (size_t i = 0; i < n && !decoder->failed; i++)
        removed[i] = get_position(decoder, &after, n_base);
    *n_out = n;
    return removed;
}

static enum record_outcome
get_whole(struct decoder *decoder, struct arena *arena, struct store_file **out, size_t *n_out)
{
    size_t oid_len = get_oid_length(decoder);
    if (decoder->failed)
        return RECORD_DAMAGED;
    *out = get_block(decoder, oid_len, arena, n_out);
    if (!*out)
        return RECORD_NOMEM;
    return decoder_done(decoder) ? RECORD_OK : RECORD_DAMAGED;
}

/* Append FILE to the *N FILES; false when its path does not come after theirs. */
static bool
put_added_file(struct store_file *files, size_t *n, const struct store_file *file)
{
    if (*n > 0 && bytes_compare(files[*n - 1].path, file->path) >= 0)
        return false;
    files[(*n)++] = *file;
    return true;
}

/* Merge base and added files.  Both are in order, so only an added file must be compared with what
 * comes before it. */
static enum record_outcome
get_changes(struct decoder *decoder, const struct listing_base *base, struct arena *arena,
            struct store_file **out, size_t *n_out)
{
    size_t n_changed, n_removed, n_added;
    decoder_take(decoder, STORE_KEY_BYTES);
    size_t oid_len = get_oid_length(decoder);
    if (decoder->failed)
        return RECORD_DAMAGED;
    struct change *changed = get_changed(decoder, oid_len, base->n_files, arena, &n_changed);
    size_t *removed = changed ? get_removed(decoder, base->n_files, arena, &n_removed) : NULL;
    struct store_file *added = removed ? get_block(decoder, oid_len, arena, &n_added) : NULL;
    if (!added)
        return RECORD_NOMEM;
    if (!decoder_done(decoder))
        return RECORD_DAMAGED;

    size_t n_files = base->n_files - n_removed + n_added;
    struct store_file *files =
        arena_alloc_raw(arena, n_files * sizeof(*files), _Alignof(struct store_file));
    uint8_t *paths = arena_alloc_raw(arena, base->path_bytes, 1);
    if (!files || !paths)
        return RECORD_NOMEM;
    size_t f = 0, c = 0, r = 0, a = 0;
    for (size_t b = 0; b < base->n_files; b++) {
        const struct store_file *old = &base->files[b];
        for (; a < n_added && bytes_compare(added[a].path, old->path) < 0; a++)
            if (!put_added_file(files, &f, &added[a]))
                return RECORD_DAMAGED;
        bool is_changed = c < n_changed && changed[c].at == b;
        if (r < n_removed && removed[r] == b) {
            r++;
            c += is_changed;
            continue;
        }
        if (old->blob.len != oid_len)
            return RECORD_DAMAGED;
        files[f] = *old;
        files[f].path.data = paths;
        if (old->path.len)
            memcpy(paths, old->path.data, old->path.len);
        paths += old->path.len;
        if (is_changed) {
            files[f].mode = changed[c].mode;
            files[f].blob = changed[c++].blob;
        }
        f++;
    }
    for (; a < n_added; a++)
        if (!put_added_file(files, &f, &added[a]))
            return RECORD_DAMAGED;
    *out = files;
    *n_out = f;
    return RECORD_OK;
}

enum record_outcome
listing_get(struct bytes encoded, const struct listing_base *base, struct arena *arena,
            struct store_file **out, size_t *n_out)
{
    struct decoder decoder = decoder_init(encoded);
    uint8_t form = decoder_byte(&decoder);
    enum record_outcome outcome = RECORD_DAMAGED;
    if (form == FORM_WHOLE)
        outcome = get_whole(&decoder, arena, out, n_out);
    else if (form == FORM_CHANGES && base)
        outcome = get_changes(&decoder, base, arena, out, n_out);
    return outcome;
}
