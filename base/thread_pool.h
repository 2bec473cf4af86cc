/*
 * Thread pool: a few threads started together and joined together.
 *
 * With one thread the work runs on the calling thread, so a run with --jobs 1 starts no threads
 * and a debugger sees a plain loop.
 */
#ifndef STRATA_BASE_THREAD_POOL_H
#define STRATA_BASE_THREAD_POOL_H

#include <stddef.h>

#include "base/err.h"

/* What thread INDEX (from 0) does; SHARED is what the caller of thread_pool_run passed. */
typedef void thread_pool_work(void *shared, size_t index);

/*
 * Run WORK in N_THREADS (at least 1) threads, the caller being one of them, and return when all
 * have returned.  If the system refuses to start a thread, the pool is smaller; that is not an
 * error, so work must be shared out through a queue or an atomic counter, never by index.
 */
void thread_pool_run(size_t n_threads, thread_pool_work *work, void *shared);

/*
 * Call DO_ITEM(shared, i) for every i below N_ITEMS from N_THREADS threads, each i once, in no
 * particular order.  Stops early when the user asked to stop (base/stop.h).
 */
void
thread_pool_for_each(size_t n_threads, size_t n_items, thread_pool_work *do_item, void *shared);

/* The number of cores this process may use, at least 1. */
size_t thread_pool_default_size(void);

#endif
