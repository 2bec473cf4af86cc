/*
 * Candidates: the table that a panel is drawn from.
 */
#ifndef STRATA_MANIFESTS_CANDIDATES_H
#define STRATA_MANIFESTS_CANDIDATES_H

#include "base/arena.h"
#include "base/bytes.h"
#include "base/err.h"

/* Days and texts that are not recorded are empty. */
struct candidate {
    struct bytes repo;
    int64_t stars;
    struct bytes as_of;
    struct bytes license;
    struct bytes created;
    struct bytes pushed;
    struct bytes source;
};

/*
 * Read the CSV TABLE into ARENA, sorted by repo.  Other columns are passed over.  A repository that
 * comes twice, ignoring ASCII case, is ERR_INPUT like every value that is not what its column says.
 */
int candidates_read(struct bytes table, const char *origin, struct arena *arena,
                    const struct candidate **out, size_t *n_out, struct err *err);

#endif
