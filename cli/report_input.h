/*
 * Report input: the files that a report is made from, read into memory.
 */
#ifndef STRATA_CLI_REPORT_INPUT_H
#define STRATA_CLI_REPORT_INPUT_H

#include "cli/report_args.h"

struct report_files {
    struct report_input input; /* borrows from the texts */
    struct buf *texts;
    size_t n_texts;
    struct arena arena;
};

/*
 * Read the files that ARGS names.  What is odd in them is added to NOTES, a line each.  ERR_INPUT,
 * ERR_IO, ERR_NOMEM; FILES is the caller's, to report_files_clear, also after an error.
 */
int report_files_read(const struct report_args *args, struct report_files *files, struct buf *notes,
                      struct err *err);
/* Free the texts of FILES. */
void report_files_clear(struct report_files *files);

#endif
