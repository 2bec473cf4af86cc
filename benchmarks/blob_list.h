/*
 * The blobs that a benchmark reads: "oid path" lines, as parse/workload writes them.
 */
#ifndef STRATA_BENCHMARKS_BLOB_LIST_H
#define STRATA_BENCHMARKS_BLOB_LIST_H

#include "base/base.h"

struct blob_list {
    struct oid *ids;
    size_t n;
};

/* *OUT is the caller's, to blob_list_clear.  ERR_INPUT where a line does not begin with an id. */
int blob_list_read(const char *path, struct blob_list *out, struct err *err);
void blob_list_clear(struct blob_list *list);

#endif
