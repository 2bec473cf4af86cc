/* See multi_index.h.  Chunks that this reader does not know are skipped, as the format requires. */
#include "git/odb/multi_index.h"

#include <stdlib.h>
#include <string.h>

enum {
    HEADER_BYTES = 12,
    CHUNK_BYTES = 12,
    PLACE_BYTES = 8,
    LARGE_BYTES = 8,
    NAMES_BYTES_MAX = 16 * 1024 * 1024,
    NAME_BYTES_MIN = sizeof("p.idx"),
    NAME_LEN_MAX = 255
};

enum chunk { CHUNK_NAMES, CHUNK_FAN, CHUNK_IDS, CHUNK_PLACES, CHUNK_LARGE, N_CHUNKS };

struct span {
    uint64_t from, len; /* from is 0 when the chunk is not there */
};

static const char chunk_names[N_CHUNKS][5] = {"PNAM", "OIDF", "OIDL", "OOFF", "LOFF"};

static enum odb_outcome
check_header(const struct multi_index *multi, const uint8_t *header, struct failure *failure)
{
    unsigned id_kind = multi->table.id_len == OID_SHA1_BYTES ? 1 : 2;
    if (memcmp(header, "MIDX", 4) != 0)
        return failure_set(failure, ODB_DAMAGED, "it is not a multi-pack index");
    if (header[4] != 1)
        return failure_set(failure, ODB_DAMAGED, "its version %u is not known", header[4]);
    if (header[5] != id_kind)
        return failure_set(failure, ODB_DAMAGED, "its ids are of kind %u, not %u", header[5],
                           id_kind);
    if (header[7] != 0)
        return failure_set(failure, ODB_DAMAGED, "it builds on %u other files", header[7]);
    return ODB_OK;
}

/* Note the chunk that ENTRY of the list of chunks is about. */
static enum odb_outcome
take_chunk(const uint8_t *entry, uint64_t end, struct span spans[N_CHUNKS], struct failure *failure)
{
    uint64_t from = be64_at(entry + 4), to = be64_at(entry + CHUNK_BYTES + 4);
    if (from < HEADER_BYTES || to < from || to > end)
        return failure_set(failure, ODB_DAMAGED, "a chunk goes from byte %llu to %llu",
                           (unsigned long long)from, (unsigned long long)to);
    for (size_t i = 0; i < N_CHUNKS; i++)
        if (memcmp(entry, chunk_names[i], 4) == 0)
            spans[i] = (struct span){from, to - from};
    return ODB_OK;
}

static enum odb_outcome
read_chunks(struct multi_index *multi, struct windows *windows, struct span spans[N_CHUNKS],
            struct failure *failure)
{
    uint8_t header[HEADER_BYTES] = {0}, list[256 * CHUNK_BYTES];
    struct file *file = multi->table.file;
    enum odb_outcome outcome = windows_copy(windows, file, 0, sizeof(header), header, failure);
    if (outcome == ODB_OK)
        outcome = check_header(multi, header, failure);
    size_t n_chunks = header[6];
    if (outcome == ODB_OK)
        outcome =
            windows_copy(windows, file, HEADER_BYTES, (n_chunks + 1) * CHUNK_BYTES, list, failure);
    uint64_t trailer = multi->table.id_len;
    if (outcome == ODB_OK && file_size(file) < trailer)
        outcome = failure_set(failure, ODB_DAMAGED, "it has no checksum");
    for (size_t i = 0; outcome == ODB_OK && i < n_chunks; i++)
        outcome = take_chunk(list + i * CHUNK_BYTES, file_size(file) - trailer, spans, failure);
    multi->n_packs = be32_at(header + 8);
    return outcome;
}

static enum odb_outcome
check_chunks(struct multi_index *multi, const struct span spans[N_CHUNKS], struct failure *failure)
{
    uint64_t n = id_table_count(&multi->table);
    const uint64_t least[N_CHUNKS] = {(uint64_t)multi->n_packs * NAME_BYTES_MIN, FAN_BYTES,
                                      n * multi->table.id_len, n * PLACE_BYTES, 0};
    for (size_t i = 0; i < N_CHUNKS; i++)
        if (spans[i].len < least[i] || (i != CHUNK_LARGE && spans[i].from == 0))
            return failure_set(failure, ODB_DAMAGED, "its chunk %s has %llu bytes, not %llu",
                               chunk_names[i], (unsigned long long)spans[i].len,
                               (unsigned long long)least[i]);
    return ODB_OK;
}

static bool
is_name(const char *name, size_t len)
{
    return len > 4 && len <= NAME_LEN_MAX && strcmp(name + len - 4, ".idx") == 0 &&
           !strchr(name, '/');
}

static enum odb_outcome
read_names(struct multi_index *multi, struct windows *windows, struct span span,
           struct failure *failure)
{
    if (span.len > NAMES_BYTES_MAX)
        return failure_set(failure, ODB_DAMAGED, "its names of packs have %llu bytes",
                           (unsigned long long)span.len);
    size_t len = (size_t)span.len;
    multi->names_text = malloc(len + 1);
    multi->names = calloc((size_t)multi->n_packs + 1, sizeof(*multi->names));
    if (!multi->names_text || !multi->names)
        return failure_no_memory(failure);
    enum odb_outcome outcome = windows_copy(windows, multi->table.file, span.from, len,
                                            (uint8_t *)multi->names_text, failure);
    if (outcome != ODB_OK)
        return outcome;
    multi->names_text[len] = 0;
    for (size_t i = 0, at = 0; i < multi->n_packs; i++) {
        const char *name = multi->names_text + (at < len ? at : len);
        size_t name_len = strlen(name);
        if (!is_name(name, name_len))
            return failure_set(failure, ODB_DAMAGED, "its name number %zu is not that of an index",
                               i + 1);
        multi->names[i] = name;
        at += name_len + 1;
    }
    return ODB_OK;
}

static enum odb_outcome
read_parts(struct multi_index *multi, struct windows *windows, struct failure *failure)
{
    struct span spans[N_CHUNKS] = {{0}};
    struct id_table *table = &multi->table;
    enum odb_outcome outcome = read_chunks(multi, windows, spans, failure);
    if (outcome == ODB_OK && spans[CHUNK_FAN].len < FAN_BYTES)
        outcome = failure_set(failure, ODB_DAMAGED, "it has no fan-out");
    if (outcome == ODB_OK)
        outcome = id_table_read_fan(table, windows, spans[CHUNK_FAN].from, failure);
    if (outcome == ODB_OK)
        outcome = check_chunks(multi, spans, failure);
    if (outcome == ODB_OK)
        outcome = read_names(multi, windows, spans[CHUNK_NAMES], failure);
    table->first = spans[CHUNK_IDS].from;
    table->stride = table->id_len;
    multi->offsets = spans[CHUNK_PLACES].from;
    multi->large = spans[CHUNK_LARGE].from;
    multi->n_large = spans[CHUNK_LARGE].len / LARGE_BYTES;
    return outcome;
}

enum odb_outcome
multi_index_open(struct windows *windows, const char *path, size_t id_len, struct multi_index **out,
                 struct failure *failure)
{
    struct multi_index *multi = calloc(1, sizeof(*multi));
    if (!multi)
        return failure_no_memory(failure);
    multi->table.id_len = id_len;
    enum odb_outcome outcome = file_open(windows, path, &multi->table.file, failure);
    if (outcome == ODB_OK)
        outcome = read_parts(multi, windows, failure);
    if (outcome == ODB_OK)
        *out = multi;
    else
        multi_index_close(windows, multi);
    return outcome;
}

void
multi_index_close(struct windows *windows, struct multi_index *multi)
{
    if (!multi)
        return;
    file_close(windows, multi->table.file);
    free(multi->names_text);
    free(multi->names);
    free(multi);
}

enum odb_outcome
multi_index_place(const struct multi_index *multi, struct windows *windows, uint32_t position,
                  uint32_t *pack, uint64_t *offset, struct failure *failure)
{
    size_t available;
    const uint8_t *raw =
        windows_look(windows, multi->table.file, multi->offsets + (uint64_t)position * PLACE_BYTES,
                     PLACE_BYTES, &available, failure);
    if (!raw)
        return failure->outcome;
    *pack = be32_at(raw);
    uint32_t small = be32_at(raw + 4);
    *offset = small;
    if (*pack >= multi->n_packs)
        return failure_set(failure, ODB_DAMAGED, "it has no pack %u", *pack);
    /* Without a table of large offsets all 32 bits are an offset. */
    if (!(small & 0x80000000) || multi->n_large == 0)
        return ODB_OK;
    small &= 0x7fffffff;
    if (small >= multi->n_large)
        return failure_set(failure, ODB_DAMAGED, "it has no 64-bit offset %u", small);
    raw = windows_look(windows, multi->table.file, multi->large + (uint64_t)small * LARGE_BYTES,
                       LARGE_BYTES, &available, failure);
    if (!raw)
        return failure->outcome;
    *offset = be64_at(raw);
    return ODB_OK;
}
