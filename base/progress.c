/* One thread wakes every tenth of a second on a terminal and every five seconds elsewhere, reads
 * the atomic counters and draws.  Time left is remaining units over the mean rate so far. */
#include "base/progress.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/printable.h"

enum { BAR_WIDTH = 24, TERMINAL_TICK_MS = 100, PLAIN_TICK_MS = 5000 };

struct progress {
    const char *verb;
    const char *unit;
    bool is_terminal;
    double started_s;
    atomic_uint_fast64_t done, total, bytes;
    atomic_uint_fast64_t outer_done, outer_total;
    _Atomic(const char *) outer_unit;
    atomic_uint_fast64_t aside;
    _Atomic(const char *) aside_unit;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    /* guarded by mutex */
    bool finished;
    bool line_drawn;
};

static double
now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void
format_time_left(char *out, size_t size, double seconds)
{
    if (seconds < 90)
        snprintf(out, size, "%.0f s", seconds);
    else if (seconds < 5400)
        snprintf(out, size, "%.0f min", seconds / 60);
    else
        snprintf(out, size, "%.1f h", seconds / 3600);
}

/* Guarded by the mutex. */
static void
erase_line(struct progress *p)
{
    if (p->line_drawn)
        fputs("\r\033[K", stderr);
    p->line_drawn = false;
}

/* Guarded by the mutex. */
static void
draw(struct progress *p)
{
    uint64_t done = atomic_load(&p->done);
    uint64_t total = atomic_load(&p->total);
    double elapsed_s = now_s() - p->started_s;
    double rate = elapsed_s > 0 ? (double)done / elapsed_s : 0;
    double mb_per_s = elapsed_s > 0 ? (double)atomic_load(&p->bytes) / 1e6 / elapsed_s : 0;
    const char *outer = atomic_load(&p->outer_unit);
    const char *aside = atomic_load(&p->aside_unit);

    erase_line(p);
    fprintf(stderr, "%s", p->verb);
    if (outer)
        fprintf(stderr, " %s %llu/%llu", outer, (unsigned long long)atomic_load(&p->outer_done),
                (unsigned long long)atomic_load(&p->outer_total));
    if (aside)
        fprintf(stderr, ", %llu %s,", (unsigned long long)atomic_load(&p->aside), aside);
    if (p->is_terminal && total > 0) {
        int filled =
            (int)((double)BAR_WIDTH * (double)(done < total ? done : total) / (double)total);
        fprintf(stderr, " [%.*s%*s]", filled, "########################", BAR_WIDTH - filled, "");
    }
    fprintf(stderr, " %llu/%llu %s, %.0f/s", (unsigned long long)done, (unsigned long long)total,
            p->unit, rate);
    if (mb_per_s > 0)
        fprintf(stderr, ", %.1f MB/s", mb_per_s);
    if (rate > 0 && total > done) {
        char left[32];
        format_time_left(left, sizeof(left), (double)(total - done) / rate);
        fprintf(stderr, ", %s left", left);
    }
    if (p->is_terminal)
        p->line_drawn = true;
    else
        fputc('\n', stderr);
    fflush(stderr);
}

static void *
progress_main(void *argument)
{
    struct progress *p = argument;
    pthread_mutex_lock(&p->mutex);
    while (!p->finished) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        long tick_ms = p->is_terminal ? TERMINAL_TICK_MS : PLAIN_TICK_MS;
        until.tv_sec += tick_ms / 1000;
        until.tv_nsec += tick_ms % 1000 * 1000000;
        if (until.tv_nsec >= 1000000000) {
            until.tv_sec++;
            until.tv_nsec -= 1000000000;
        }
        if (pthread_cond_timedwait(&p->wake, &p->mutex, &until) == ETIMEDOUT && !p->finished)
            draw(p);
    }
    erase_line(p);
    pthread_mutex_unlock(&p->mutex);
    return NULL;
}

struct progress *
progress_start(const char *verb, const char *unit, bool quiet)
{
    struct progress *p = quiet ? NULL : calloc(1, sizeof(*p));
    if (!p)
        return NULL;
    p->verb = verb;
    p->unit = unit;
    const char *term = getenv("TERM");
    p->is_terminal = isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
    p->started_s = now_s();
    pthread_mutex_init(&p->mutex, NULL);
    pthread_cond_init(&p->wake, NULL);
    if (pthread_create(&p->thread, NULL, progress_main, p) != 0) {
        free(p);
        return NULL;
    }
    return p;
}

void
progress_finish(struct progress *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->mutex);
    p->finished = true;
    pthread_cond_signal(&p->wake);
    pthread_mutex_unlock(&p->mutex);
    pthread_join(p->thread, NULL);
    pthread_mutex_destroy(&p->mutex);
    pthread_cond_destroy(&p->wake);
    free(p);
}

void
progress_add_total(struct progress *p, uint64_t n)
{
    if (p)
        atomic_fetch_add(&p->total, n);
}

void
progress_add_done(struct progress *p, uint64_t n)
{
    if (p)
        atomic_fetch_add(&p->done, n);
}

void
progress_add_bytes(struct progress *p, uint64_t n)
{
    if (p)
        atomic_fetch_add(&p->bytes, n);
}

void
progress_set_outer(struct progress *p, const char *unit, uint64_t done, uint64_t total)
{
    if (!p)
        return;
    atomic_store(&p->outer_done, done);
    atomic_store(&p->outer_total, total);
    atomic_store(&p->outer_unit, unit);
}

void
progress_add_aside(struct progress *p, const char *unit, uint64_t n)
{
    if (!p)
        return;
    atomic_fetch_add(&p->aside, n);
    atomic_store(&p->aside_unit, unit);
}

void
progress_note(struct progress *p, const char *format, ...)
{
    if (p) {
        pthread_mutex_lock(&p->mutex);
        erase_line(p);
    }
    char *text;
    va_list args;
    va_start(args, format);
    int len = vasprintf(&text, format, args);
    va_end(args);
    printable_write(stderr,
                    len < 0 ? BYTES("a message was lost: out of memory") : bytes_of_text(text));
    if (len >= 0)
        free(text);
    fputc('\n', stderr);
    if (p)
        pthread_mutex_unlock(&p->mutex);
}
