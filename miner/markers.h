/*
 * Markers: does a commit say that a machine wrote or helped to write it?
 *
 * The marks are those of the list assistants.json, which is compiled in.  They are searched for in
 * the author, the committer, the Co-authored-by trailers and the lines of the message.
 */
#ifndef STRATA_MINER_MARKERS_H
#define STRATA_MINER_MARKERS_H

#include "base/arena.h"
#include "base/bytes.h"
#include "base/err.h"
#include "git/commit.h"

struct markers; /* the list; immutable, shared by all threads */

/* Compile the list.  *OUT is the caller's, to markers_close.  0, or -1 with ERR_NOMEM. */
int markers_open(struct markers **out, struct err *err);
/* Free MARKERS.  NULL is fine. */
void markers_close(struct markers *markers);

/*
 * Make *OUT a JSON array in ARENA of {"id", "kind", "where"}, where "where" is author, committer,
 * trailer or message: each mark of COMMIT once, in that order of places; {NULL, 0} when it has
 * none.  0, or -1 with ERR_NOMEM.
 */
int markers_find(const struct markers *markers, const struct commit *commit, struct arena *arena,
                 struct bytes *out, struct err *err);

#endif
