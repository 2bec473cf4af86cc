/*
 * Function lists: the complexity and source lines of every function of agents' checkpoints, so that
 * erosion can be computed under other definitions without the sources.
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

/* Make LISTS empty. */
void function_lists_init(struct function_lists *lists);
/* Free the memory of LISTS. */
void function_lists_clear(struct function_lists *lists);
/*
 * Append the lists in the JSON lines of TEXT.  The members model, variant, run, problem and idx
 * name the checkpoint, "fn" is the list; the last list of a checkpoint counts.  ORIGIN names TEXT
 * in messages; NOTES gets a line for each line that is not a JSON object.  1 if a line was left
 * out, else 0; -1: ERR_INPUT, ERR_NOMEM.
 */
int function_lists_read(struct function_lists *lists, struct bytes text, const char *origin,
                        struct buf *notes, struct err *err);
/* The list of the checkpoint of RECORD, or NULL.  It belongs to LISTS. */
const struct function_list *
function_lists_find(const struct function_lists *lists, const struct record *record);

/* Append the member "fn" of OBJECT, [[complexity, source lines], ...], to COMPLEXITY and SLOC,
 * which are empty.  0, or -1 with ERR_INPUT. */
int function_pairs_read(const struct json_value *object, struct series *complexity,
                        struct series *sloc, struct err *err);
/* The share of the mass of LIST, by the size term SIZE, in functions of complexity above CUTOFF; 0
 * without mass. */
double
function_list_erosion(const struct function_list *list, double cutoff, enum profile_size_term size);

#endif
