/*
 * Markers: does a commit say that a machine wrote or helped to write it?
 *
 * Looks at author, committer, Co-authored-by trailers and the lines of the message, by the list in
 * assistants.json, which is compiled in.
 */
#ifndef STRATA_MINER_MARKERS_H
#define STRATA_MINER_MARKERS_H

#include "base/arena.h"
#include "base/bytes.h"
#include "base/err.h"
#include "git/commit.h"

struct markers; /* the list; immutable, shared by all threads */

/* *out is the caller's, to markers_close. */
int markers_open(struct markers **out, struct err *err);
void markers_close(struct markers *markers);

/*
 * *OUT is a JSON array in ARENA of {"id", "kind", "where"} (where: author, committer, trailer or
 * message), each once, in order of the places; {NULL, 0} when the commit bears no mark.
 */
int markers_find(const struct markers *markers, const struct commit *commit, struct arena *arena,
                 struct bytes *out, struct err *err);

#endif
