/*
 * Team: a few threads started together and joined together.
 *
 * With one member the work runs on the calling thread when it is joined, so a run with --jobs 1
 * has no thread of ours in it and a debugger sees a plain loop.
 */
#ifndef STRATA_BASE_TEAM_H
#define STRATA_BASE_TEAM_H

#include <stddef.h>

#include "base/err.h"

/* Member INDEX (from 0) does its work with SHARED; SHARED is whatever the starter handed over. */
typedef void team_work(void *shared, size_t index);

/*
 * Run WORK in N_MEMBERS (at least 1) threads, the caller being one of them, and return when all
 * have returned.  When the system refuses a thread the team is smaller; that is not an error, so
 * work must be shared out through a queue or an atomic counter, never by index.
 */
void team_run(size_t n_members, team_work *work, void *shared);

/*
 * Call DO_ITEM(shared, i) for every i below N_ITEMS from N_MEMBERS threads, each i once, in an
 * order that is not fixed.  Stops early when the user asked to stop.
 */
void team_for_each(size_t n_members, size_t n_items, team_work *do_item, void *shared);

/* The number of cores this process may use, at least 1. */
size_t team_default_size(void);

#endif
