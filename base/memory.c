/* One flag of the process, like that of stop.c: an allocation can fail inside a library that does
 * not report it, so there is no other way for the failure to reach the code that uses the result.
 */
#include "base/memory.h"

#include <stdatomic.h>
#include <stdlib.h>

static atomic_bool ran_out;

void
memory_note_failure(void)
{
    atomic_store_explicit(&ran_out, true, memory_order_relaxed);
}

bool
memory_ran_out(void)
{
    return atomic_load_explicit(&ran_out, memory_order_relaxed);
}

void
memory_clear(void)
{
    atomic_store(&ran_out, false);
}

void *
memory_alloc(size_t size)
{
    void *memory = malloc(size);
    if (!memory && size > 0)
        memory_note_failure();
    return memory;
}
