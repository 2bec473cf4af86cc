/* Blocks are cut from one reserved range of addresses; each size class has a free list.
 *
 * Most of what a parse allocates lives until its end, so a block is cut off the untouched rest with
 * one addition; a freed block is used again by the next request of its class, without which
 * a large file would need several times the memory of its tree.  One comparison says whether a
 * pointer is ours, because there is one range.  A block is an 8-byte header (its class) and the
 * memory of the caller, which is aligned to 16.
 *
 * tree-sitter does not ask whether an allocation succeeded.  When the range is used up there is
 * nothing to return, so the run is left with longjmp: all that it allocated is in the range. */
#include "analyzer/parse/heap.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <tree_sitter/api.h>

#if defined(__SANITIZE_ADDRESS__)
#define HEAP_POISON 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HEAP_POISON 1
#endif
#endif
#ifdef HEAP_POISON
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#define ASAN_UNPOISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#endif

/* Blocks up to SMALL_MAX come in steps of GRAIN, larger ones in quarters of a power of two. */
enum {
    GRAIN = 16,
    SMALL_SHIFT = 10,
    SMALL_MAX = 1 << SMALL_SHIFT,
    N_SMALL = SMALL_MAX / GRAIN + 1,
    N_CLASSES = N_SMALL + (29 - SMALL_SHIFT) * 4,
    RED_ZONE = 256,       /* poisoned after the newest block: the rest never is, it is too large */
    KEEP_BYTES = 16 << 20 /* stays with the heap between runs */
};

struct block {
    uint64_t class;
    union {
        struct block *next_free;
        _Alignas(8) uint8_t data[8];
    };
};

enum { HEADER_BYTES = offsetof(struct block, data) };

struct parse_heap {
    uint8_t *top; /* the first byte of the rest; 8 below a multiple of 16 */
    uint8_t *end;
    uint8_t *base;
    size_t asked_bytes; /* in this run */
    size_t peak_bytes;
    jmp_buf passed; /* a bound */
    struct block *free_blocks[N_CLASSES];
};

/* The heap whose run this thread is in: the hooks have no other way to know. */
static _Thread_local struct parse_heap *current;

static size_t
class_of(size_t bytes)
{
    if (bytes <= SMALL_MAX)
        return (bytes + GRAIN - 1) / GRAIN;
    size_t log2 = 63 - (size_t)__builtin_clzll(bytes - 1); /* bytes is in (2^log2, 2^(log2+1)] */
    size_t quarter = ((bytes - 1) >> (log2 - 2)) & 3;
    return N_SMALL + (log2 - SMALL_SHIFT) * 4 + quarter;
}

static size_t
class_bytes(size_t class)
{
    if (class < N_SMALL)
        return class * GRAIN;
    size_t log2 = (class - N_SMALL) / 4 + SMALL_SHIFT;
    size_t quarter = (class - N_SMALL) % 4 + 1;
    return ((size_t)1 << log2) + (quarter << (log2 - 2));
}

static struct block *
block_of(void *data)
{
    return (struct block *)(void *)((uint8_t *)data - HEADER_BYTES);
}

static bool
is_in(const struct parse_heap *heap, const void *data)
{
    return (uintptr_t)data - (uintptr_t)heap->base < PARSE_HEAP_BYTES;
}

/* Leave the run: there is nothing that could be returned to tree-sitter. */
static _Noreturn void
give_up(struct parse_heap *heap)
{
    longjmp(heap->passed, 1);
}

static void *
heap_take(struct parse_heap *heap, size_t size)
{
    heap->asked_bytes += size;
    if (size > PARSE_HEAP_BYTES / 2 || heap->asked_bytes > PARSE_HEAP_ASKED_BYTES)
        give_up(heap);
    size_t class = class_of(size + HEADER_BYTES);
    struct block *block = heap->free_blocks[class];
    if (block) {
        ASAN_UNPOISON_MEMORY_REGION(block->data, size < 8 ? 8 : size);
        heap->free_blocks[class] = block->next_free;
        return block->data;
    }
    size_t bytes = class_bytes(class);
    if ((size_t)(heap->end - heap->top) < bytes + RED_ZONE)
        give_up(heap);
    block = (struct block *)(void *)heap->top;
    heap->top += bytes;
    ASAN_POISON_MEMORY_REGION(block, bytes + RED_ZONE);
    ASAN_UNPOISON_MEMORY_REGION(block, HEADER_BYTES + size);
    block->class = class;
    return block->data;
}

static void
heap_give(struct parse_heap *heap, void *data)
{
    struct block *block = block_of(data);
    block->next_free = heap->free_blocks[block->class];
    heap->free_blocks[block->class] = block;
    ASAN_POISON_MEMORY_REGION(data, class_bytes(block->class) - HEADER_BYTES);
}

static void *
heap_resize(struct parse_heap *heap, void *data, size_t size)
{
    size_t room = class_bytes(block_of(data)->class) - HEADER_BYTES;
    if (size <= room) {
        ASAN_UNPOISON_MEMORY_REGION(data, size);
        return data;
    }
    void *larger = heap_take(heap, size);
    ASAN_UNPOISON_MEMORY_REGION(data, room);
    memcpy(larger, data, room);
    heap_give(heap, data);
    return larger;
}

/* Outside of a run: as tree-sitter does without hooks, which is to end the process when memory is
 * out, since it could not go on. */
static void *
or_abort(void *data, size_t size)
{
    if (!data && size > 0) {
        fprintf(stderr, "out of memory: %zu bytes for tree-sitter\n", size);
        abort();
    }
    return data;
}

static void *
hook_malloc(size_t size)
{
    return current ? heap_take(current, size) : or_abort(malloc(size), size);
}

static void *
hook_calloc(size_t count, size_t size)
{
    size_t bytes;
    if (!current)
        return or_abort(calloc(count, size), count && size);
    if (__builtin_mul_overflow(count, size, &bytes))
        give_up(current);
    return memset(heap_take(current, bytes), 0, bytes);
}

static void *
hook_realloc(void *data, size_t size)
{
    if (!data)
        return hook_malloc(size);
    if (current && is_in(current, data))
        return heap_resize(current, data, size);
    return or_abort(realloc(data, size), size);
}

static void
hook_free(void *data)
{
    if (current && is_in(current, data))
        heap_give(current, data);
    else
        free(data);
}

static void
install(void)
{
    ts_set_allocator(hook_malloc, hook_calloc, hook_realloc, hook_free);
}

void
parse_heap_install(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
}

int
parse_heap_create(struct parse_heap **out, struct err *err)
{
    struct parse_heap *heap = calloc(1, sizeof(*heap));
    if (!heap)
        return err_nomem(err, "parser");
    void *base = mmap(NULL, PARSE_HEAP_BYTES, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) {
        free(heap);
        return err_nomem(err, "address space of a parser");
    }
    heap->base = base;
    heap->end = heap->base + PARSE_HEAP_BYTES;
    heap->top = heap->base + GRAIN - HEADER_BYTES;
    *out = heap;
    return 0;
}

void
parse_heap_destroy(struct parse_heap *heap)
{
    if (!heap)
        return;
    ASAN_UNPOISON_MEMORY_REGION(heap->base, heap->peak_bytes + RED_ZONE);
    munmap(heap->base, PARSE_HEAP_BYTES);
    free(heap);
}

static void
drop_all(struct parse_heap *heap)
{
    size_t used = (size_t)(heap->top - heap->base);
    if (used > heap->peak_bytes)
        heap->peak_bytes = used;
    ASAN_POISON_MEMORY_REGION(heap->base, used);
    if (used > KEEP_BYTES)
        madvise(heap->base + KEEP_BYTES, used - KEEP_BYTES, MADV_DONTNEED);
    memset(heap->free_blocks, 0, sizeof(heap->free_blocks));
    heap->asked_bytes = 0;
    heap->top = heap->base + GRAIN - HEADER_BYTES;
}

bool
parse_heap_run(struct parse_heap *heap, void (*work)(void *context), void *context)
{
    current = heap;
    bool is_done = setjmp(heap->passed) == 0;
    if (is_done)
        work(context);
    current = NULL;
    drop_all(heap);
    return is_done;
}

size_t
parse_heap_peak(const struct parse_heap *heap)
{
    return heap->peak_bytes;
}
