/*
 * Any bytes as a value of a store, or as its data file; the first byte says as which.
 *
 * A value is refused, or decoded into memory bounded by its size and encoded again to something
 * that stays the same from then on.  A data file is refused or found whole: every page that LMDB
 * would follow is looked at.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "analyzer/analyzer.h"
#include "fuzz.h"
#include "store/listing_codec.h"
#include "store/pages/check.h"

enum mode {
    MODE_TRAJECTORY,
    MODE_CHECKPOINT,
    MODE_RULE,
    MODE_GROUP,
    MODE_LISTING,
    MODE_HITS,
    MODE_DATA_FILE,
    MODE_N
};

/* Decoded things are larger than their bytes, but by no more than this. */
enum { GROWTH_MAX = 128, SMALL_BYTES = 64 * 1024, N_RULES = 300 };

static void
must(bool holds)
{
    if (!holds)
        abort();
}

/* ---- Values -------------------------------------------------------------------------------- */

/* Decode ENCODED and encode it again; false when it is refused. */
typedef bool again(struct bytes encoded, struct arena *arena, struct buf *out);

static bool
trajectory_again(struct bytes encoded, struct arena *arena, struct buf *out)
{
    struct store_trajectory trajectory;
    if (record_get_trajectory(encoded, arena, &trajectory) != RECORD_OK)
        return false;
    record_put_trajectory(out, &trajectory);
    return true;
}

static bool
checkpoint_again(struct bytes encoded, struct arena *arena, struct buf *out)
{
    struct store_checkpoint checkpoint;
    if (record_get_checkpoint(encoded, arena, &checkpoint) != RECORD_OK)
        return false;
    record_put_checkpoint(out, &checkpoint);
    return true;
}

static bool
rule_again(struct bytes encoded, struct arena *arena, struct buf *out)
{
    struct store_rule rule;
    (void)arena;
    if (record_get_rule(encoded, &rule) != RECORD_OK)
        return false;
    record_put_rule(out, &rule);
    return true;
}

static bool
group_again(struct bytes encoded, struct arena *arena, struct buf *out)
{
    struct store_key *rules;
    size_t n_rules;
    if (record_get_group(encoded, arena, &rules, &n_rules) != RECORD_OK)
        return false;
    record_put_group(out, rules, n_rules);
    return true;
}

/* Forty files that listings are read as changes of. */
static void
make_base(struct listing_base *base)
{
    struct store_file files[40];
    char paths[40][16];
    const struct store_key key = {{1}};
    for (size_t i = 0; i < 40; i++) {
        snprintf(paths[i], sizeof(paths[i]), "d/%02zu.py", i);
        files[i] = (struct store_file){bytes_of_text(paths[i]), {.len = OID_SHA1_BYTES}, 0100644};
        files[i].blob.id[0] = (uint8_t)i;
    }
    must(listing_base_copy(base, &key, files, 40) == 0);
}

static bool
listing_again(struct bytes encoded, struct arena *arena, struct buf *out)
{
    struct listing_base base;
    struct store_file *files, *back;
    struct store_key key;
    struct buf changes = {0};
    size_t n_files, n_back;
    listing_base_init(&base);
    make_base(&base);
    bool is_changes = listing_is_changes(encoded, &key);
    bool is_right =
        listing_get(encoded, is_changes ? &base : NULL, arena, &files, &n_files) == RECORD_OK;
    if (is_right) {
        listing_put_whole(out, files, n_files);
        listing_put_changes(&changes, &base, files, n_files);
        must(listing_get(buf_bytes(&changes), &base, arena, &back, &n_back) == RECORD_OK);
        must(n_back == n_files);
        for (size_t i = 0; i < n_back; i++)
            must(bytes_equal(back[i].path, files[i].path) &&
                 oid_equal(&back[i].blob, &files[i].blob) && back[i].mode == files[i].mode);
    }
    buf_clear(&changes);
    listing_base_clear(&base);
    return is_right;
}

static bool
hits_again(struct bytes encoded, struct arena *arena, struct buf *out)
{
    struct hit_list hits;
    struct err err;
    if (hits_decode(encoded, N_RULES, arena, &hits, &err) < 0)
        return false;
    hits_encode(&hits, out);
    return true;
}

static void
try_value(again *decode_and_encode, struct bytes encoded)
{
    struct arena arena;
    struct buf first = {0}, second = {0};
    arena_init(&arena, 0);
    if (decode_and_encode(encoded, &arena, &first)) {
        must(decode_and_encode(buf_bytes(&first), &arena, &second));
        must(bytes_equal(buf_bytes(&first), buf_bytes(&second)));
    }
    must(arena.used_bytes <= SMALL_BYTES + encoded.len * GROWTH_MAX);
    buf_clear(&first);
    buf_clear(&second);
    arena_clear(&arena);
}

/* ---- The data file ------------------------------------------------------------------------- */

static void
try_data_file(struct bytes content)
{
    struct page_meta meta;
    struct err err;
    int fd = memfd_create("data.mdb", MFD_CLOEXEC);
    must(fd >= 0 && write(fd, content.data, content.len) == (ssize_t)content.len);
    if (page_meta_read(fd, &meta, &err) == 0 && meta.page_bytes > 0)
        page_check(fd, &meta, NULL, &err);
    close(fd);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static again *const decoders[MODE_N] = {[MODE_TRAJECTORY] = trajectory_again,
                                            [MODE_CHECKPOINT] = checkpoint_again,
                                            [MODE_RULE] = rule_again,
                                            [MODE_GROUP] = group_again,
                                            [MODE_LISTING] = listing_again,
                                            [MODE_HITS] = hits_again};
    if (size == 0 || data[0] >= MODE_N)
        return 0;
    struct bytes rest = {data + 1, size - 1};
    if (data[0] == MODE_DATA_FILE)
        try_data_file(rest);
    else
        try_value(decoders[data[0]], rest);
    return 0;
}
