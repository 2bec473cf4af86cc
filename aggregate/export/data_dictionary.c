/* The program that prints the data dictionary, for docs/data-dictionary.md. */
#include <stdio.h>

#include "aggregate/export/dictionary.h"

int
main(void)
{
    struct buf out = {0};
    dictionary_write(&out);
    bool is_written = !buf_failed(&out) && fwrite(out.data, 1, out.len, stdout) == out.len;
    buf_clear(&out);
    return is_written && fflush(stdout) == 0 ? 0 : 1;
}
