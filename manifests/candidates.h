/*
 * Candidates: the table that a panel is drawn from, as CSV.
 */
#ifndef STRATA_MANIFESTS_CANDIDATES_H
#define STRATA_MANIFESTS_CANDIDATES_H

#include "base/arena.h"
#include "base/bytes.h"
#include "base/err.h"

/* A row.  A day or a text that is not recorded is empty. */
struct candidate {
    struct bytes repo; /* "owner/name" */
    int64_t stars;
    struct bytes as_of; /* the day of the star count, YYYY-MM-DD */
    struct bytes license;
    struct bytes created; /* days */
    struct bytes pushed;
    struct bytes source; /* the list it was found in */
};

/*
 * Read the CSV TABLE, which messages call ORIGIN, into *OUT, an array of *N_OUT in ARENA, sorted by
 * repo.  Columns that are not fields of struct candidate are ignored.  0, or -1: ERR_INPUT with
 * file, line and column for a value that does not fit its column or a repository that comes twice
 * (ASCII case is ignored), ERR_NOMEM.
 */
int candidates_read(struct bytes table, const char *origin, struct arena *arena,
                    const struct candidate **out, size_t *n_out, struct err *err);

#endif
