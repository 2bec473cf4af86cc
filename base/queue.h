/*
 * Queue: a bounded queue of pointers between threads.
 *
 * Putting blocks while the queue is full, so a slow reader slows the writer and memory stays
 * bounded.  All functions but init and clear may be called by any thread.
 */
#ifndef STRATA_BASE_QUEUE_H
#define STRATA_BASE_QUEUE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct queue {
    pthread_mutex_t mutex;
    pthread_cond_t not_full;
    pthread_cond_t not_empty;
    /* guarded by mutex */
    void **items; /* ring */
    size_t capacity;
    size_t first;
    size_t n_items;
    bool closed;
};

/* An open, empty queue for CAPACITY (at least 1) items.  0, or -1 when memory is out. */
int queue_init(struct queue *queue, size_t capacity);
/* Free the queue, which no thread may be using.  Items still queued are not freed. */
void queue_clear(struct queue *queue);
/* Append ITEM (not NULL), waiting for room.  False when the queue is closed; ITEM stays yours. */
bool queue_put(struct queue *queue, void *item);
/* The oldest item, waiting for one; NULL when the queue is closed and empty. */
void *queue_take(struct queue *queue);
/* The oldest item, or NULL at once when there is none. */
void *queue_try_take(struct queue *queue);
/* No more puts; takers get what is left, then NULL. */
void queue_close(struct queue *queue);

#endif
