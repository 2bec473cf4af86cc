/*
 * Pack file: the entries of one pack.
 *
 * Format: "PACK", the version (2 or 3) and the number of objects, 32 bits each; the entries; the
 * checksum of all that.  An entry begins with its kind (three bits) and the size of what it
 * inflates to: four bits, then seven a byte, lowest first, the high bit meaning more.  Kinds 1 to 4
 * are objects; 6 is a delta to the entry that begins a given number of bytes before it, 7 to the
 * object whose id follows. Then a zlib stream.
 */
#ifndef STRATA_GIT_ODB_PACK_FILE_H
#define STRATA_GIT_ODB_PACK_FILE_H

#include "git/odb/multi_index.h"
#include "git/odb/pack_index.h"

struct pack {
    char *name;                      /* without ".idx" or ".pack" */
    uint32_t number;                 /* unique in its odb: part of a base's key */
    struct file *file;               /* NULL until it is opened */
    uint64_t end;                    /* where its checksum begins */
    struct pack_index *index;        /* NULL when only the multi-pack index knows it */
    const struct multi_index *multi; /* that index, when it covers this pack; may be NULL */
    uint32_t number_in_multi;
    bool is_gone;             /* it was replaced; nothing is read from it any more */
    enum odb_outcome refusal; /* ODB_OK, or why it is not read */
    char reason[ODB_REASON_SIZE];
};

enum { ENTRY_OFS_DELTA = 6, ENTRY_REF_DELTA = 7, PACK_HEADER_BYTES = 12 };

struct pack_entry {
    unsigned kind; /* enum odb_kind, ENTRY_OFS_DELTA or ENTRY_REF_DELTA */
    uint64_t size; /* inflated */
    uint64_t data; /* offset of the stream */
    uint64_t base; /* of a delta: offset of its base in the same pack */
};

/* Open the file of PACK in FOLDER and compare it with its index, unless that was done before. */
enum odb_outcome pack_open(struct pack *pack, struct windows *windows, const char *folder,
                           size_t id_len, struct failure *failure);
/* Free what PACK holds, its index too. */
void pack_clear(struct pack *pack, struct windows *windows);

/* Where ID begins in PACK.  ODB_MISSING when its indexes do not have it. */
enum odb_outcome pack_find(const struct pack *pack, struct windows *windows, const uint8_t *id,
                           uint64_t *offset, struct failure *failure);
/* Read the entry at OFFSET of PACK, which is open. */
enum odb_outcome pack_read_entry(const struct pack *pack, struct windows *windows, size_t id_len,
                                 uint64_t offset, struct pack_entry *out, struct failure *failure);

#endif
