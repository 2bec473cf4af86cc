/*
 * Symbols: sets of code points that a regex treats alike.
 */
#ifndef STRATA_ANALYZER_REGEX_SYMBOLS_H
#define STRATA_ANALYZER_REGEX_SYMBOLS_H

#include "analyzer/regex/program.h"
#include "base/map.h"

/* The different classes of one regex. */
struct class_table {
    struct arena *arena;
    struct map index; /* ranges as bytes to index */
    struct regex_class *classes;
    uint32_t n_classes;
    uint32_t capacity;
};

/* Make TABLE empty, its classes in ARENA; free what it holds outside of ARENA. */
void class_table_init(struct class_table *table, struct arena *arena);
void class_table_clear(struct class_table *table);
/* The index of SET, which is added when it is new; UINT32_MAX when memory is out. */
uint32_t class_table_put(struct class_table *table, const struct regex_class *set);

/*
 * Split all code points into symbols by the classes of TABLE and fill the symbol part of PROGRAM,
 * its sets being those classes in order.
 */
int symbols_build(const struct class_table *table, struct regex_program *program,
                  struct arena *arena, struct err *err);

#endif
