/*
 * Commit: the headers of one commit object, parsed from its raw bytes.
 *
 * Only what the walk needs must be well formed: the tree and the parents.  An identity or a date
 * that cannot be read is absent and the rest is still used; libgit2 would refuse such a commit.
 */
#ifndef STRATA_GIT_COMMIT_H
#define STRATA_GIT_COMMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/err.h"
#include "base/oid.h"

/* Far above the largest merge of any real history. */
enum { COMMIT_PARENTS_MAX = 1024 };

enum date_state {
    DATE_GOOD,
    DATE_UNREADABLE, /* absent or not a number */
    DATE_BAD_ZONE,   /* without a time zone, or with one that does not exist */
    DATE_TOO_EARLY,  /* 1970 or before, when version control did not exist */
    DATE_AHEAD       /* after the latest time that was given */
};

struct commit {
    struct oid tree;
    const uint8_t *parents; /* the first of the lines "parent <id>\n"; see commit_parent */
    uint32_t n_parents;
    struct bytes author; /* "Name <address>", as stored; empty when there is none */
    struct bytes committer;
    struct bytes author_date; /* what follows the author: "<seconds> <zone>" */
    struct bytes date;        /* what follows the committer */
    struct bytes message;
};

/* Parse RAW, from which *OUT borrows.  -1: no tree line or a malformed parent; *WHY says so. */
int commit_parse(struct bytes raw, struct commit *out, const char **why);
/* Parent I, below n_parents. */
struct oid commit_parent(const struct commit *commit, uint32_t i);
/* Read "<seconds> <zone>".  *TIME_S is set when the state is not DATE_UNREADABLE. */
enum date_state commit_date(struct bytes date, int64_t latest_s, int64_t *time_s);
/* "before 1970" and so on; "" for DATE_GOOD. */
const char *date_state_name(enum date_state state);

#endif
