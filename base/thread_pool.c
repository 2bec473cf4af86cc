/* Started threads are kept in one array and joined by the thread that started them, which works as
 * thread 0 meanwhile.  Items of a loop are shared out through one atomic counter. */
#include "base/thread_pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/stop.h"

/* Threads parse deep trees with explicit stacks; 8 MiB is enough for the libraries' own depth. */
enum { STACK_BYTES = 8 * 1024 * 1024, THREADS_MAX = 1024 };

struct thread {
    pthread_t handle;
    thread_pool_work *work;
    void *shared;
    size_t index;
};

static void *
thread_main(void *argument)
{
    struct thread *thread = argument;
    thread->work(thread->shared, thread->index);
    return NULL;
}

void
thread_pool_run(size_t n_threads, thread_pool_work *work, void *shared)
{
    if (n_threads > THREADS_MAX)
        n_threads = THREADS_MAX;
    struct thread *threads = n_threads > 1 ? calloc(n_threads, sizeof(*threads)) : NULL;
    size_t n_started = 0;
    if (threads) {
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        pthread_attr_setstacksize(&attributes, STACK_BYTES);
        for (size_t i = 1; i < n_threads; i++) {
            struct thread *thread = &threads[n_started];
            *thread = (struct thread){.work = work, .shared = shared, .index = n_started + 1};
            if (pthread_create(&thread->handle, &attributes, thread_main, thread) != 0)
                break;
            n_started++;
        }
        pthread_attr_destroy(&attributes);
    }
    work(shared, 0);
    for (size_t i = 0; i < n_started; i++)
        pthread_join(threads[i].handle, NULL);
    free(threads);
}

struct for_each {
    atomic_size_t next;
    size_t n_items;
    thread_pool_work *do_item;
    void *shared;
};

static void
for_each_thread(void *shared, size_t index)
{
    (void)index;
    struct for_each *loop = shared;
    while (!stop_requested()) {
        size_t item = atomic_fetch_add(&loop->next, 1);
        if (item >= loop->n_items)
            return;
        loop->do_item(loop->shared, item);
    }
}

void
thread_pool_for_each(size_t n_threads, size_t n_items, thread_pool_work *do_item, void *shared)
{
    struct for_each loop = {.n_items = n_items, .do_item = do_item, .shared = shared};
    thread_pool_run(n_threads < n_items ? n_threads
                    : n_items           ? n_items
                                        : 1,
                    for_each_thread, &loop);
}

size_t
thread_pool_default_size(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof(set), &set) != 0)
        return 1;
    int n = CPU_COUNT(&set);
    return n < 1 ? 1 : (size_t)n;
}
