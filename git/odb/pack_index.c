/* The sizes of all parts follow from the number of objects, so after one comparison with the size
 * of the file every later read is inside of it. */
#include "git/odb/pack_index.h"

#include <stdlib.h>
#include <string.h>

enum { MAGIC_BYTES = 8, OFFSET_BYTES = 4, CRC_BYTES = 4, LARGE_BYTES = 8 };

static enum odb_outcome
read_version(struct pack_index *index, struct windows *windows, struct failure *failure)
{
    uint8_t magic[MAGIC_BYTES];
    enum odb_outcome outcome =
        windows_copy(windows, index->table.file, 0, sizeof(magic), magic, failure);
    if (outcome != ODB_OK)
        return outcome;
    index->version = memcmp(magic, "\377tOc", 4) == 0 ? be32_at(magic + 4) : 1;
    if (index->version == 1 && magic[0] == 0xff)
        return failure_set(failure, ODB_DAMAGED, "it is not a pack index");
    if (index->version != 1 && index->version != 2)
        return failure_set(failure, ODB_DAMAGED, "its version %u is not known", index->version);
    return ODB_OK;
}

/* Do the parts that N objects need make up the file? */
static enum odb_outcome
check_size(struct pack_index *index, struct failure *failure)
{
    struct id_table *table = &index->table;
    uint64_t n = id_table_count(table), size = file_size(table->file);
    bool is_first = index->version == 1;
    uint64_t head = is_first ? FAN_BYTES : MAGIC_BYTES + FAN_BYTES;
    uint64_t each = table->id_len + OFFSET_BYTES + (is_first ? 0 : CRC_BYTES);
    uint64_t least = head + n * each + 2 * table->id_len;
    if (size < least || (is_first && size > least))
        return failure_set(failure, ODB_DAMAGED, "%llu objects need %llu bytes, it has %llu",
                           (unsigned long long)n, (unsigned long long)least,
                           (unsigned long long)size);
    index->n_large = (size - least) / LARGE_BYTES;
    if ((size - least) % LARGE_BYTES || index->n_large > n)
        return failure_set(failure, ODB_DAMAGED, "%llu objects cannot need %llu bytes",
                           (unsigned long long)n, (unsigned long long)size);
    table->first = is_first ? head + OFFSET_BYTES : head;
    table->stride = is_first ? OFFSET_BYTES + table->id_len : table->id_len;
    return ODB_OK;
}

static enum odb_outcome
read_parts(struct pack_index *index, struct windows *windows, struct failure *failure)
{
    struct id_table *table = &index->table;
    enum odb_outcome outcome = read_version(index, windows, failure);
    if (outcome == ODB_OK)
        outcome = id_table_read_fan(table, windows, index->version == 1 ? 0 : MAGIC_BYTES, failure);
    if (outcome == ODB_OK)
        outcome = check_size(index, failure);
    if (outcome == ODB_OK)
        outcome = windows_copy(windows, table->file, file_size(table->file) - 2 * table->id_len,
                               table->id_len, index->pack_checksum, failure);
    return outcome;
}

enum odb_outcome
pack_index_open(struct windows *windows, const char *path, size_t id_len, struct pack_index **out,
                struct failure *failure)
{
    struct pack_index *index = calloc(1, sizeof(*index));
    if (!index)
        return failure_no_memory(failure);
    index->table.id_len = id_len;
    enum odb_outcome outcome = file_open(windows, path, &index->table.file, failure);
    if (outcome == ODB_OK)
        outcome = read_parts(index, windows, failure);
    if (outcome == ODB_OK)
        *out = index;
    else
        pack_index_close(windows, index);
    return outcome;
}

void
pack_index_close(struct windows *windows, struct pack_index *index)
{
    if (!index)
        return;
    file_close(windows, index->table.file);
    free(index);
}

enum odb_outcome
pack_index_offset(const struct pack_index *index, struct windows *windows, uint32_t position,
                  uint64_t *out, struct failure *failure)
{
    const struct id_table *table = &index->table;
    uint64_t n = id_table_count(table), small = MAGIC_BYTES + FAN_BYTES;
    size_t available;
    small += n * (table->id_len + CRC_BYTES);
    uint64_t at = index->version == 1 ? FAN_BYTES + (uint64_t)position * table->stride
                                      : small + (uint64_t)position * OFFSET_BYTES;
    const uint8_t *raw = windows_look(windows, table->file, at, OFFSET_BYTES, &available, failure);
    if (!raw)
        return failure->outcome;
    uint32_t offset = be32_at(raw);
    *out = offset;
    if (index->version == 1 || !(offset & 0x80000000))
        return ODB_OK;
    offset &= 0x7fffffff;
    if (offset >= index->n_large)
        return failure_set(failure, ODB_DAMAGED, "it has no 64-bit offset %u", offset);
    raw = windows_look(windows, table->file,
                       small + n * OFFSET_BYTES + (uint64_t)offset * LARGE_BYTES, LARGE_BYTES,
                       &available, failure);
    if (!raw)
        return failure->outcome;
    *out = be64_at(raw);
    return ODB_OK;
}

enum odb_outcome
pack_index_find(const struct pack_index *index, struct windows *windows, const uint8_t *id,
                uint64_t *out, struct failure *failure)
{
    uint32_t position;
    enum odb_outcome outcome = id_table_find(&index->table, windows, id, &position, failure);
    return outcome == ODB_OK ? pack_index_offset(index, windows, position, out, failure) : outcome;
}
