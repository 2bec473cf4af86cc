/*
 * Pack: is a pack file the one that its index describes?
 */
#ifndef STRATA_GIT_PACK_H
#define STRATA_GIT_PACK_H

/*
 * What is wrong with the first pack in OBJECTS_DIR, by name, that cannot be read, is missing, cut
 * short, or ends in another checksum than its index says, as a sentence with its name; NULL when
 * all are sound as far as that goes.  libgit2 passes over such a pack in silence.  malloc'ed.
 */
char *pack_explain_damaged(const char *objects_dir);

#endif
