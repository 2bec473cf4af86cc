/*
 * Pack: is a pack file the one that its index describes?
 */
#ifndef STRATA_MINER_PACK_H
#define STRATA_MINER_PACK_H

/*
 * The file name of the first pack in OBJECTS_DIR, by name, that is missing, cut short, or ends in
 * another checksum than its index says; NULL when all are sound as far as that goes.  libgit2
 * passes over such a pack in silence.  The name is malloc'ed.
 */
char *pack_find_damaged(const char *objects_dir);

#endif
