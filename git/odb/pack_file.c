/* See pack_file.h.  A base is always before its delta or named by id; whether a chain of ids
 * ends is checked where it is followed (expand.c). */
#include "git/odb/pack_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRY_HEADER_MAX = 64 };

/* ---- Opening ------------------------------------------------------------------------------- */

static enum odb_outcome
check_header(const struct pack *pack, struct windows *windows, struct failure *failure)
{
    uint8_t header[PACK_HEADER_BYTES];
    enum odb_outcome outcome =
        windows_copy(windows, pack->file, 0, sizeof(header), header, failure);
    if (outcome != ODB_OK)
        return outcome;
    uint32_t version = be32_at(header + 4), n = be32_at(header + 8);
    if (memcmp(header, "PACK", 4) != 0)
        return failure_set(failure, ODB_DAMAGED, "it is not a pack");
    if (version != 2 && version != 3)
        return failure_set(failure, ODB_DAMAGED, "its version %u is not known", version);
    if (pack->index && n != id_table_count(&pack->index->table))
        return failure_set(failure, ODB_DAMAGED, "it says %u objects, its index %u", n,
                           id_table_count(&pack->index->table));
    return ODB_OK;
}

static enum odb_outcome
check_checksum(struct pack *pack, struct windows *windows, size_t id_len, struct failure *failure)
{
    uint8_t found[OID_MAX_BYTES];
    if (file_size(pack->file) < PACK_HEADER_BYTES + id_len)
        return failure_set(failure, ODB_DAMAGED, "it is cut short");
    pack->end = file_size(pack->file) - id_len;
    if (!pack->index)
        return ODB_OK;
    enum odb_outcome outcome = windows_copy(windows, pack->file, pack->end, id_len, found, failure);
    if (outcome == ODB_OK && memcmp(found, pack->index->pack_checksum, id_len) != 0)
        outcome =
            failure_set(failure, ODB_DAMAGED, "it is cut short or is not the one its index is of");
    return outcome;
}

static enum odb_outcome
open_file(struct pack *pack, struct windows *windows, const char *folder, size_t id_len,
          struct failure *failure)
{
    char *path;
    if (asprintf(&path, "%s/%s.pack", folder, pack->name) < 0)
        return failure_no_memory(failure);
    enum odb_outcome outcome = file_open(windows, path, &pack->file, failure);
    free(path);
    if (outcome == ODB_OK)
        outcome = check_header(pack, windows, failure);
    if (outcome == ODB_OK)
        outcome = check_checksum(pack, windows, id_len, failure);
    return outcome;
}

enum odb_outcome
pack_open(struct pack *pack, struct windows *windows, const char *folder, size_t id_len,
          struct failure *failure)
{
    if (pack->refusal != ODB_OK)
        return failure_set(failure, pack->refusal, "%s", pack->reason);
    if (pack->file)
        return ODB_OK;
    enum odb_outcome outcome = open_file(pack, windows, folder, id_len, failure);
    if (outcome == ODB_OK)
        return ODB_OK;
    file_close(windows, pack->file);
    pack->file = NULL;
    failure_wrap(failure, "%s.pack", pack->name);
    if (outcome == ODB_NO_MEMORY)
        return outcome;
    pack->refusal = outcome;
    memcpy(pack->reason, failure->text, sizeof(pack->reason));
    return outcome;
}

void
pack_clear(struct pack *pack, struct windows *windows)
{
    file_close(windows, pack->file);
    pack_index_close(windows, pack->index);
    free(pack->name);
    *pack = (struct pack){0};
}

/* ---- Looking up ---------------------------------------------------------------------------- */

static enum odb_outcome
find_in_multi(const struct pack *pack, struct windows *windows, const uint8_t *id, uint64_t *offset,
              struct failure *failure)
{
    uint32_t position, number;
    enum odb_outcome outcome = id_table_find(&pack->multi->table, windows, id, &position, failure);
    if (outcome == ODB_OK)
        outcome = multi_index_place(pack->multi, windows, position, &number, offset, failure);
    return outcome == ODB_OK && number != pack->number_in_multi ? ODB_MISSING : outcome;
}

enum odb_outcome
pack_find(const struct pack *pack, struct windows *windows, const uint8_t *id, uint64_t *offset,
          struct failure *failure)
{
    if (pack->index)
        return pack_index_find(pack->index, windows, id, offset, failure);
    return pack->multi ? find_in_multi(pack, windows, id, offset, failure) : ODB_MISSING;
}

/* ---- Entries ------------------------------------------------------------------------------- */

/* Kind and size from the beginning of RAW; *AT moves past them. */
static bool
take_size(struct bytes raw, size_t *at, struct pack_entry *out)
{
    uint8_t byte = raw.data[(*at)++];
    unsigned shift = 4;
    out->kind = byte >> 4 & 7;
    out->size = byte & 15;
    while (byte & 0x80) {
        if (*at == raw.len || shift > 60 - 4)
            return false;
        byte = raw.data[(*at)++];
        out->size |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
    }
    return true;
}

/* How far before the delta its base begins: seven bits a byte, highest first, one added for each
 * that follows. */
static bool
take_distance(struct bytes raw, size_t *at, uint64_t *out)
{
    uint64_t value = 0;
    uint8_t byte;
    do {
        if (*at == raw.len || value >> 55)
            return false;
        byte = raw.data[(*at)++];
        value = value << 7 | (byte & 0x7f);
        value += byte >> 7;
    } while (byte & 0x80);
    *out = value;
    return true;
}

static enum odb_outcome
find_ref_base(const struct pack *pack, struct windows *windows, const uint8_t *id, size_t id_len,
              struct pack_entry *out, struct failure *failure)
{
    char hex[OID_HEX_SIZE];
    struct oid base = oid_from_raw(id, id_len);
    enum odb_outcome outcome = pack_find(pack, windows, base.id, &out->base, failure);
    if (outcome == ODB_MISSING)
        return failure_set(failure, ODB_DAMAGED, "the base %s of a delta is not in the pack",
                           oid_to_hex(&base, hex));
    return outcome;
}

static enum odb_outcome
find_base(const struct pack *pack, struct windows *windows, size_t id_len, uint64_t offset,
          struct bytes raw, size_t *at, struct pack_entry *out, struct failure *failure)
{
    if (out->kind == ENTRY_REF_DELTA) {
        if (raw.len - *at < id_len)
            return failure_set(failure, ODB_DAMAGED, "an entry is cut short");
        const uint8_t *id = raw.data + *at;
        *at += id_len;
        return find_ref_base(pack, windows, id, id_len, out, failure);
    }
    uint64_t distance;
    if (!take_distance(raw, at, &distance) || distance == 0 ||
        distance > offset - PACK_HEADER_BYTES)
        return failure_set(failure, ODB_DAMAGED,
                           "the delta at byte %llu has its base outside of what is before it",
                           (unsigned long long)offset);
    out->base = offset - distance;
    return ODB_OK;
}

enum odb_outcome
pack_read_entry(const struct pack *pack, struct windows *windows, size_t id_len, uint64_t offset,
                struct pack_entry *out, struct failure *failure)
{
    size_t at = 0, available;
    if (offset < PACK_HEADER_BYTES || offset >= pack->end)
        return failure_set(failure, ODB_DAMAGED, "an entry cannot begin at byte %llu",
                           (unsigned long long)offset);
    uint64_t rest = pack->end - offset;
    size_t len = rest < ENTRY_HEADER_MAX ? (size_t)rest : ENTRY_HEADER_MAX;
    struct bytes raw = {windows_look(windows, pack->file, offset, len, &available, failure), len};
    if (!raw.data)
        return failure->outcome;
    if (!take_size(raw, &at, out))
        return failure_set(failure, ODB_DAMAGED, "the size at byte %llu has no end",
                           (unsigned long long)offset);
    enum odb_outcome outcome = ODB_OK;
    if (out->kind == ENTRY_OFS_DELTA || out->kind == ENTRY_REF_DELTA)
        outcome = find_base(pack, windows, id_len, offset, raw, &at, out, failure);
    else if (out->kind < ODB_COMMIT || out->kind > ODB_TAG)
        outcome = failure_set(failure, ODB_DAMAGED, "the entry at byte %llu is of no known kind %u",
                              (unsigned long long)offset, out->kind);
    out->data = offset + at;
    if (outcome == ODB_OK && out->data >= pack->end)
        outcome = failure_set(failure, ODB_DAMAGED, "the entry at byte %llu is cut short",
                              (unsigned long long)offset);
    return outcome;
}
