/* A search bisects between two counts of the fan-out, so it ends whatever the ids are.  Ids are
 * evenly spread, so the first two reads are a few ids before and after the expected place. */
#include "git/odb/id_table.h"

#include <string.h>

enum odb_outcome
id_table_read_fan(struct id_table *table, struct windows *windows, uint64_t fan_offset,
                  struct failure *failure)
{
    uint8_t raw[FAN_BYTES];
    enum odb_outcome outcome =
        windows_copy(windows, table->file, fan_offset, sizeof(raw), raw, failure);
    if (outcome != ODB_OK)
        return outcome;
    for (size_t i = 0; i < 256; i++) {
        table->fan[i] = be32_at(raw + 4 * i);
        if (i > 0 && table->fan[i] < table->fan[i - 1])
            return failure_set(failure, ODB_DAMAGED, "its fan-out goes down at %02zx", i);
    }
    return ODB_OK;
}

const uint8_t *
id_table_at(const struct id_table *table, struct windows *windows, uint32_t position,
            struct failure *failure)
{
    size_t available;
    return windows_look(windows, table->file, table->first + (uint64_t)position * table->stride,
                        table->id_len, &available, failure);
}

enum odb_outcome
id_table_seek(const struct id_table *table, struct windows *windows, const uint8_t *id,
              uint32_t *position, struct failure *failure)
{
    uint32_t low = id[0] ? table->fan[id[0] - 1] : 0, high = table->fan[id[0]];
    uint32_t n = high - low;
    uint32_t guess = low + (uint32_t)((uint64_t)n * be32_at(id + 1) >> 32);
    /* About three times how far off a guess is. */
    uint32_t slack = 8 + n / 32;
    for (unsigned looks = 0; low < high; looks++) {
        uint32_t middle = low + (high - low) / 2;
        if (looks == 0 && guess - low > slack)
            middle = guess - slack;
        else if (looks <= 1 && guess >= low && guess < high && high - guess > slack)
            middle = guess + slack;
        const uint8_t *found = id_table_at(table, windows, middle, failure);
        if (!found)
            return failure->outcome;
        if (memcmp(found, id, table->id_len) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *position = low;
    return ODB_OK;
}

enum odb_outcome
id_table_find(const struct id_table *table, struct windows *windows, const uint8_t *id,
              uint32_t *position, struct failure *failure)
{
    enum odb_outcome outcome = id_table_seek(table, windows, id, position, failure);
    if (outcome != ODB_OK)
        return outcome;
    if (*position == id_table_count(table))
        return ODB_MISSING;
    const uint8_t *found = id_table_at(table, windows, *position, failure);
    if (!found)
        return failure->outcome;
    return memcmp(found, id, table->id_len) == 0 ? ODB_OK : ODB_MISSING;
}
