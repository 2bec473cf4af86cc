/*
 * Function lists: the complexity and source lines of every function of agents' checkpoints, as
 * lines of JSON hold them, so that erosion can be defined anew without the sources.
 */
#ifndef STRATA_AGGREGATE_RECORDS_FUNCTION_LISTS_H
#define STRATA_AGGREGATE_RECORDS_FUNCTION_LISTS_H

#include "aggregate/records/record.h"
#include "aggregate/stats/series.h"
#include "base/map.h"
#include "manifests/manifests.h"

struct function_list {
    const double *complexity, *sloc; /* by function, in the order of the line */
    size_t n;
};

struct function_lists {
    struct map places; /* of checkpoints among the items */
    struct function_list *items;
    size_t n_items, capacity;
    struct arena arena;
};

void function_lists_init(struct function_lists *lists);
void function_lists_clear(struct function_lists *lists);
/*
 * Append the lists in the JSON lines of TEXT, which ORIGIN names: the members model, variant, run,
 * problem, idx say of which checkpoint, "fn" is the list.  Of several for one checkpoint the last
 * counts.  What is no JSON object is said in NOTES.  ERR_INPUT, ERR_NOMEM.
 */
int function_lists_read(struct function_lists *lists, struct bytes text, const char *origin,
                        struct buf *notes, struct err *err);
/* The list of the checkpoint that RECORD is of, or NULL. */
const struct function_list *
function_lists_find(const struct function_lists *lists, const struct record *record);

/* The member "fn" of OBJECT, [[complexity, source lines], ...], into two empty series.  ERR_INPUT.
 */
int function_pairs_read(const struct json_value *object, struct series *complexity,
                        struct series *sloc, struct err *err);
/* The share of mass in functions above CUTOFF; 0 without any mass. */
double
function_list_erosion(const struct function_list *list, double cutoff, enum profile_size_term size);

#endif
