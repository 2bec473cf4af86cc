/*
 * Odb box: a folder of objects that a test writes byte by byte, damage included.
 */
#ifndef STRATA_TESTS_GIT_ODB_BOX_H
#define STRATA_TESTS_GIT_ODB_BOX_H

#include <libdeflate.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "git/odb/odb.h"
#include "git/odb/sha1.h"

enum { BOX_ENTRIES_MAX = 64 };

struct box_entry {
    struct oid id;
    uint64_t offset;
};

struct odb_box {
    char path[64];   /* the folder of objects */
    struct buf pack; /* being written */
    struct box_entry entries[BOX_ENTRIES_MAX];
    size_t n_entries;
};

static inline void
box_fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    abort();
}

/* Write CONTENT to the file NAME below the folder, whose folders are made. */
static inline void
box_write(const struct odb_box *box, const char *name, struct bytes content)
{
    char path[512];
    snprintf(path, sizeof(path), "%s/%s", box->path, name);
    for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = 0;
        mkdir(path, 0777);
        *slash = '/';
    }
    unlink(path);
    FILE *file = fopen(path, "wb");
    if (!file ||
        fwrite(content.data ? (const void *)content.data : "", 1, content.len, file) !=
            content.len ||
        fclose(file) != 0)
        box_fail(path);
}

static inline void
box_write_text(const struct odb_box *box, const char *name, const char *text)
{
    box_write(box, name, bytes_of_text(text));
}

/* cmocka set-up and tear-down: *state is a struct odb_box. */
static inline int
box_create(void **state)
{
    struct odb_box *box = calloc(1, sizeof(*box));
    if (!box)
        return -1;
    snprintf(box->path, sizeof(box->path), "/tmp/strata-odb.XXXXXX");
    *state = box;
    return mkdtemp(box->path) ? 0 : -1;
}

static inline void
box_run(const char *format, ...)
{
    char command[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(command, sizeof(command), format, args);
    va_end(args);
    if (system(command) != 0)
        box_fail(command);
}

static inline int
box_destroy(void **state)
{
    struct odb_box *box = *state;
    box_run("rm -rf '%s'", box->path);
    buf_clear(&box->pack);
    free(box);
    return 0;
}

/* An id that no content has: FIRST, then zeros, then LAST. */
static inline struct oid
box_id(uint8_t first, uint8_t last)
{
    struct oid id = {.len = OID_SHA1_BYTES, .id = {first}};
    id.id[OID_SHA1_BYTES - 1] = last;
    return id;
}

static inline void
box_deflate(struct bytes content, struct buf *out)
{
    static struct libdeflate_compressor *compressor; /* made once: it is large */
    if (!compressor)
        compressor = libdeflate_alloc_compressor(1);
    size_t bound = libdeflate_zlib_compress_bound(compressor, content.len);
    uint8_t *to = buf_reserve(out, bound);
    size_t n = libdeflate_zlib_compress(compressor, content.data ? (const void *)content.data : "",
                                        content.len, to, bound);
    if (!to || n == 0)
        box_fail("deflate");
    out->len += n;
}

/* Write FILE as it is to where the loose object ID belongs. */
static inline void
box_loose_file(const struct odb_box *box, const struct oid *id, struct bytes file)
{
    char hex[OID_HEX_SIZE], name[OID_HEX_SIZE + 2];
    oid_to_hex(id, hex);
    snprintf(name, sizeof(name), "%.2s/%s", hex, hex + 2);
    box_write(box, name, file);
}

static inline void
box_loose(const struct odb_box *box, const struct oid *id, struct bytes raw)
{
    struct buf file = {0};
    box_deflate(raw, &file);
    box_loose_file(box, id, buf_bytes(&file));
    buf_clear(&file);
}

/* ---- Packs --------------------------------------------------------------------------------- */

static inline void
box_pack_begin(struct odb_box *box, uint32_t n_announced)
{
    buf_reset(&box->pack);
    box->n_entries = 0;
    buf_append_text(&box->pack, "PACK");
    buf_append_be32(&box->pack, 2);
    buf_append_be32(&box->pack, n_announced);
}

/* Begin the entry ID of KIND that announces SIZE bytes.  Returns its offset. */
static inline uint64_t
box_entry(struct odb_box *box, const struct oid *id, unsigned kind, uint64_t size)
{
    uint64_t offset = box->pack.len;
    box->entries[box->n_entries++] = (struct box_entry){*id, offset};
    uint8_t byte = (uint8_t)(kind << 4 | (size & 15));
    for (size >>= 4; size; size >>= 7) {
        buf_append_byte(&box->pack, byte | 0x80);
        byte = size & 0x7f;
    }
    buf_append_byte(&box->pack, byte);
    return offset;
}

/* The distance to a base, below 2^14. */
static inline void
box_distance(struct odb_box *box, uint64_t distance)
{
    if (distance >= 128)
        buf_append_byte(&box->pack, (uint8_t)(0x80 | ((distance >> 7) - 1)));
    buf_append_byte(&box->pack, distance & 0x7f);
}

static inline uint64_t
box_blob(struct odb_box *box, const struct oid *id, struct bytes content)
{
    uint64_t offset = box_entry(box, id, ODB_BLOB, content.len);
    box_deflate(content, &box->pack);
    return offset;
}

static inline uint64_t
box_ofs_delta(struct odb_box *box, const struct oid *id, uint64_t base, struct bytes delta)
{
    uint64_t offset = box_entry(box, id, 6, delta.len);
    box_distance(box, offset - base);
    box_deflate(delta, &box->pack);
    return offset;
}

static inline uint64_t
box_ref_delta(struct odb_box *box, const struct oid *id, const struct oid *base, struct bytes delta)
{
    uint64_t offset = box_entry(box, id, 7, delta.len);
    buf_append(&box->pack, base->id, base->len);
    box_deflate(delta, &box->pack);
    return offset;
}

static inline int
box_compare_entries(const void *a, const void *b)
{
    return oid_compare(&((const struct box_entry *)a)->id, &((const struct box_entry *)b)->id);
}

static inline void
box_append_fan(const struct odb_box *box, struct buf *out)
{
    for (unsigned first = 0; first < 256; first++) {
        uint32_t n = 0;
        for (size_t i = 0; i < box->n_entries; i++)
            n += box->entries[i].id.id[0] <= first;
        buf_append_be32(out, n);
    }
}

/* Version 2; offsets of LARGE_FROM and more go to the table of 64-bit ones. */
static inline void
box_append_index2(const struct odb_box *box, uint64_t large_from, struct buf *out)
{
    uint32_t n_large = 0;
    buf_append(out, "\377tOc", 4);
    buf_append_be32(out, 2);
    box_append_fan(box, out);
    for (size_t i = 0; i < box->n_entries; i++)
        buf_append(out, box->entries[i].id.id, OID_SHA1_BYTES);
    for (size_t i = 0; i < box->n_entries; i++)
        buf_append_be32(out, 0);
    for (size_t i = 0; i < box->n_entries; i++)
        buf_append_be32(out, box->entries[i].offset >= large_from
                                 ? 0x80000000 | n_large++
                                 : (uint32_t)box->entries[i].offset);
    for (size_t i = 0; i < box->n_entries; i++)
        if (box->entries[i].offset >= large_from)
            buf_append_be64(out, box->entries[i].offset);
}

static inline void
box_append_index1(const struct odb_box *box, struct buf *out)
{
    box_append_fan(box, out);
    for (size_t i = 0; i < box->n_entries; i++) {
        buf_append_be32(out, (uint32_t)box->entries[i].offset);
        buf_append(out, box->entries[i].id.id, OID_SHA1_BYTES);
    }
}

static inline void
box_append_checksum(struct buf *out)
{
    uint8_t digest[OID_SHA1_BYTES];
    sha1_of(buf_bytes(out), BYTES(""), digest);
    buf_append(out, digest, sizeof(digest));
}

/* The index of the pack that is written, checksums included. */
static inline void
box_make_index(const struct odb_box *box, unsigned version, uint64_t large_from, struct buf *out)
{
    if (version == 1)
        box_append_index1(box, out);
    else
        box_append_index2(box, large_from, out);
    buf_append(out, box->pack.data + box->pack.len - OID_SHA1_BYTES, OID_SHA1_BYTES);
    box_append_checksum(out);
}

/* End the pack; it and its index become pack/pack-a.pack and .idx. */
static inline void
box_pack_end(struct odb_box *box, unsigned version, uint64_t large_from)
{
    struct buf index = {0};
    box_append_checksum(&box->pack);
    qsort(box->entries, box->n_entries, sizeof(box->entries[0]), box_compare_entries);
    box_make_index(box, version, large_from, &index);
    box_write(box, "pack/pack-a.pack", buf_bytes(&box->pack));
    box_write(box, "pack/pack-a.idx", buf_bytes(&index));
    buf_clear(&index);
}

#endif
