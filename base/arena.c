/* A list of chunks, each at least twice as large as the one before until 8 MiB; a request that does
 * not fit the rest of a chunk opens the next, so at most one chunk's tail is lost per growth step.
 */
#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__)
#define ARENA_POISON 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_POISON 1
#endif
#endif
#ifdef ARENA_POISON
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#define ASAN_UNPOISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#endif

enum {
    CHUNK_MIN = 64 * 1024,
    CHUNK_MAX = 8 * 1024 * 1024,
    KEEP_DEFAULT = 16 * 1024 * 1024,
    ALIGN_MAX = 64
};

struct arena_chunk {
    struct arena_chunk *next;
    size_t capacity; /* of data */
    size_t used;
    _Alignas(ALIGN_MAX) uint8_t data[];
};

void
arena_init(struct arena *arena, size_t keep_bytes)
{
    *arena = (struct arena){.keep_bytes = keep_bytes ? keep_bytes : KEEP_DEFAULT};
}

static void
free_chunks(struct arena_chunk *chunk)
{
    while (chunk) {
        struct arena_chunk *next = chunk->next;
        ASAN_UNPOISON_MEMORY_REGION(chunk->data, chunk->capacity);
        free(chunk);
        chunk = next;
    }
}

void
arena_clear(struct arena *arena)
{
    free_chunks(arena->first);
    arena_init(arena, arena->keep_bytes);
}

void
arena_reset(struct arena *arena)
{
    size_t kept = 0;
    struct arena_chunk **link = &arena->first;
    while (*link && kept + (*link)->capacity <= arena->keep_bytes) {
        struct arena_chunk *chunk = *link;
        kept += chunk->capacity;
        chunk->used = 0;
        ASAN_POISON_MEMORY_REGION(chunk->data, chunk->capacity);
        link = &chunk->next;
    }
    free_chunks(*link);
    *link = NULL;
    arena->current = arena->first;
    arena->used_bytes = 0;
}

/* Open a chunk that holds NEED bytes after the current one: the next kept one if it is large
 * enough, else a new one. */
static struct arena_chunk *
next_chunk(struct arena *arena, size_t need)
{
    struct arena_chunk *current = arena->current;
    struct arena_chunk *kept = current ? current->next : arena->first;
    if (kept && kept->capacity >= need) {
        arena->current = kept;
        return kept;
    }
    size_t capacity = current ? current->capacity * 2 : CHUNK_MIN;
    if (capacity > CHUNK_MAX)
        capacity = CHUNK_MAX;
    if (capacity < need)
        capacity = need;
    if (capacity > SIZE_MAX - sizeof(struct arena_chunk) - ALIGN_MAX)
        return NULL;
    size_t total = (sizeof(struct arena_chunk) + capacity + ALIGN_MAX - 1) / ALIGN_MAX * ALIGN_MAX;
    struct arena_chunk *chunk = aligned_alloc(ALIGN_MAX, total);
    if (!chunk)
        return NULL;
    *chunk = (struct arena_chunk){.next = kept, .capacity = capacity};
    ASAN_POISON_MEMORY_REGION(chunk->data, capacity);
    if (current)
        current->next = chunk;
    else
        arena->first = chunk;
    arena->current = chunk;
    return chunk;
}

void *
arena_alloc_raw(struct arena *arena, size_t size, size_t align)
{
    struct arena_chunk *chunk = arena->current;
    size_t at = chunk ? (chunk->used + align - 1) & ~(align - 1) : 0;
    if (!chunk || at > chunk->capacity || chunk->capacity - at < size) {
        chunk = next_chunk(arena, size);
        if (!chunk)
            return NULL;
        at = 0;
    }
    arena->used_bytes += at + size - chunk->used;
    chunk->used = at + size;
    ASAN_UNPOISON_MEMORY_REGION(chunk->data + at, size);
    return chunk->data + at;
}

void *
arena_alloc(struct arena *arena, size_t count, size_t size, size_t align)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        return NULL;
    void *result = arena_alloc_raw(arena, bytes, align);
    if (result && bytes)
        memset(result, 0, bytes);
    return result;
}

struct bytes
arena_copy(struct arena *arena, struct bytes b)
{
    uint8_t *copy = b.len < SIZE_MAX ? arena_alloc_raw(arena, b.len + 1, 1) : NULL;
    if (!copy)
        return (struct bytes){NULL, 0};
    if (b.len)
        memcpy(copy, b.data, b.len);
    copy[b.len] = 0;
    return (struct bytes){copy, b.len};
}

char *
arena_format(struct arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = n < 0 ? NULL : arena_alloc(arena, (size_t)n + 1, 1, 1);
    if (!text)
        return NULL;
    va_start(args, format);
    vsnprintf(text, (size_t)n + 1, format, args);
    va_end(args);
    return text;
}
