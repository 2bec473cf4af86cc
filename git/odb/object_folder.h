/*
 * Object folder: the packs of one folder of objects, and where its loose objects are.
 */
#ifndef STRATA_GIT_ODB_OBJECT_FOLDER_H
#define STRATA_GIT_ODB_OBJECT_FOLDER_H

#include <sys/stat.h>

#include "base/map.h"
#include "git/odb/expand.h"

struct object_folder {
    char *path;      /* "objects" or an alternate, without a '/' at its end */
    char *pack_path; /* the folder of its packs */
    dev_t dev;
    ino_t ino;
    struct timespec packs_changed, packs_listed; /* of the last listing */
    struct multi_index *multi;                   /* NULL when there is none that can be used */
    struct pack **packs;
    size_t n_packs, capacity;
    struct map by_name;     /* index of a pack plus one */
    size_t last_hit;        /* index of the pack that an object was found in last */
    struct failure problem; /* the first one found; its text is empty when there was none */
};

/* Numbers packs, so that each has its own within one odb. */
struct numbering {
    uint32_t last;
};

/* Open the folder PATH (copied) and list its packs.  ODB_MISSING or ODB_DAMAGED: it is not a folder
 * that can be read. */
enum odb_outcome
object_folder_open(const char *path, struct expander *expander, struct numbering *numbering,
                   struct object_folder **out, struct failure *failure);
/* Close FOLDER and its packs.  NULL is fine. */
void object_folder_close(struct object_folder *folder, struct expander *expander);

/* List the packs again if the folder changed.  *CHANGED is set, never cleared, when it did. */
enum odb_outcome
object_folder_refresh(struct object_folder *folder, struct expander *expander,
                      struct numbering *numbering, bool *changed, struct failure *failure);

/* The name of the file of the loose object ID, in OUT with a NUL. */
enum odb_outcome object_folder_loose_path(const struct object_folder *folder, const struct oid *id,
                                          struct buf *out, struct failure *failure);

/* Call VISIT for each loose object whose id begins with the byte FIRST, until it returns something
 * other than 0; *RESULT is what it returned last. */
enum odb_outcome
object_folder_each_loose(const struct object_folder *folder, size_t id_len, uint8_t first,
                         odb_visit *visit, void *context, int *result, struct failure *failure);

#endif
