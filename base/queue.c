/*
 * A ring of pointers under one mutex, with two conditions: not full wakes writers, not empty wakes
 * readers.  Closing wakes all of both.
 */
#include "base/queue.h"

#include <stdlib.h>

int
queue_init(struct queue *queue, size_t capacity)
{
    void **items = calloc(capacity, sizeof(*items));
    if (!items)
        return -1;
    *queue = (struct queue){.items = items, .capacity = capacity};
    pthread_mutex_init(&queue->mutex, NULL);
    pthread_cond_init(&queue->not_full, NULL);
    pthread_cond_init(&queue->not_empty, NULL);
    return 0;
}

void
queue_clear(struct queue *queue)
{
    if (!queue->items)
        return;
    pthread_mutex_destroy(&queue->mutex);
    pthread_cond_destroy(&queue->not_full);
    pthread_cond_destroy(&queue->not_empty);
    free(queue->items);
    queue->items = NULL;
}

bool
queue_put(struct queue *queue, void *item)
{
    pthread_mutex_lock(&queue->mutex);
    while (queue->n_items == queue->capacity && !queue->closed)
        pthread_cond_wait(&queue->not_full, &queue->mutex);
    bool accepted = !queue->closed;
    if (accepted) {
        queue->items[(queue->first + queue->n_items) % queue->capacity] = item;
        queue->n_items++;
        pthread_cond_signal(&queue->not_empty);
    }
    pthread_mutex_unlock(&queue->mutex);
    return accepted;
}

/* Guarded by the mutex. */
static void *
take_first(struct queue *queue)
{
    if (queue->n_items == 0)
        return NULL;
    void *item = queue->items[queue->first];
    queue->first = (queue->first + 1) % queue->capacity;
    queue->n_items--;
    pthread_cond_signal(&queue->not_full);
    return item;
}

void *
queue_take(struct queue *queue)
{
    pthread_mutex_lock(&queue->mutex);
    while (queue->n_items == 0 && !queue->closed)
        pthread_cond_wait(&queue->not_empty, &queue->mutex);
    void *item = take_first(queue);
    pthread_mutex_unlock(&queue->mutex);
    return item;
}

void *
queue_try_take(struct queue *queue)
{
    pthread_mutex_lock(&queue->mutex);
    void *item = take_first(queue);
    pthread_mutex_unlock(&queue->mutex);
    return item;
}

void
queue_close(struct queue *queue)
{
    pthread_mutex_lock(&queue->mutex);
    queue->closed = true;
    pthread_cond_broadcast(&queue->not_full);
    pthread_cond_broadcast(&queue->not_empty);
    pthread_mutex_unlock(&queue->mutex);
}
