/*
 * Report input: the files a report is made of, read.
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

/* Read what ARGS names.  FILES is the caller's, to report_files_clear, also on failure. */
int report_files_read(const struct report_args *args, struct report_files *files,
                      struct buf *warnings, struct err *err);
void report_files_clear(struct report_files *files);

#endif
