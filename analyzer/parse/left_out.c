/* Replacements for the parse methods that this build leaves out, so that parse.c does not depend on
 * the choice.  They are not called (methods.h); if they are, they fail with a message. */
#include "analyzer/parse/heap.h"
#include "analyzer/parse/language.h"
#include "analyzer/parse/walk.h"

#if !defined(STRATA_PARSE_HEAP) || !defined(STRATA_PARSE_DENSE) || !defined(STRATA_PARSE_DIRECT)
static int
is_left_out(struct err *err, const char *what)
{
    return err_set(err, ERR_UNSUPPORTED, "this build has no %s for the parser", what);
}
#endif

#ifndef STRATA_PARSE_HEAP
void
parse_heap_install(void)
{
}

int
parse_heap_create(struct parse_heap **out, struct err *err)
{
    (void)out;
    return is_left_out(err, "heap");
}

void
parse_heap_destroy(struct parse_heap *heap)
{
    (void)heap;
}

bool
parse_heap_run(struct parse_heap *heap, void (*work)(void *context), void *context)
{
    (void)heap;
    work(context);
    return true;
}
#endif

#ifndef STRATA_PARSE_DENSE
int
parse_language_create(TSLanguage **out, struct err *err)
{
    (void)out;
    return is_left_out(err, "dense table");
}
#endif

#ifndef STRATA_PARSE_DIRECT
int
parse_direct_create(const TSLanguage *language, struct parse_direct **out, struct err *err)
{
    (void)language;
    (void)out;
    return is_left_out(err, "direct walk");
}

void
parse_direct_destroy(struct parse_direct *direct)
{
    (void)direct;
}

enum skip_reason
parse_walk_direct(struct parse_direct *direct, const TSTree *tree, uint32_t depth_max,
                  struct flat *flat)
{
    (void)direct;
    return parse_walk_cursor(tree, depth_max, flat);
}
#endif
