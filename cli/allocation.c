/*
 * Every failed allocation of the program's own code and of what is linked into it (tree-sitter and
 * its grammar) is noted in base/memory.h.  The linker replaces calls of NAME by calls of
 * __wrap_NAME, and __real_NAME is the C library's function (see CMakeLists.txt).
 */
#include <stddef.h>
#include <sys/mman.h>

#include "base/memory.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_reallocarray(void *memory, size_t count, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__real_mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_reallocarray(void *memory, size_t count, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void *__wrap_mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset);

/* MEMORY, a failure noted when it is NULL although something was asked for. */
static void *
noted(void *memory, size_t asked)
{
    if (!memory && asked > 0)
        memory_note_failure();
    return memory;
}

void *
__wrap_malloc(size_t size)
{
    return noted(__real_malloc(size), size);
}

void *
__wrap_calloc(size_t count, size_t size)
{
    return noted(__real_calloc(count, size), count && size);
}

void *
__wrap_realloc(void *memory, size_t size)
{
    return noted(__real_realloc(memory, size), size);
}

void *
__wrap_reallocarray(void *memory, size_t count, size_t size)
{
    return noted(__real_reallocarray(memory, count, size), count && size);
}

void *
__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return noted(__real_aligned_alloc(alignment, size), size);
}

/* Of mappings only those of memory count: a file that cannot be mapped is read instead. */
void *
__wrap_mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset)
{
    void *memory = __real_mmap(at, length, protection, flags, fd, offset);
    if (memory == MAP_FAILED && flags & MAP_ANONYMOUS)
        memory_note_failure();
    return memory;
}
