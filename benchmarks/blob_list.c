#include "benchmarks/blob_list.h"

#include <stdlib.h>

static int
parse_lines(const char *path, struct bytes text, struct blob_list *out, struct err *err)
{
    out->ids = calloc(text.len / 40 + 1, sizeof(*out->ids));
    if (!out->ids)
        return err_nomem(err, path);
    while (text.len > 0) {
        const uint8_t *end = memchr(text.data, '\n', text.len);
        size_t line = end ? (size_t)(end - text.data) : text.len;
        const uint8_t *space = memchr(text.data, ' ', line);
        struct bytes hex = bytes_slice(text, 0, space ? (size_t)(space - text.data) : line);
        if (oid_from_hex(hex, &out->ids[out->n++]) < 0)
            return err_set(err, ERR_INPUT, "%s: no object id: %.*s", path, BYTES_ARG(hex));
        text = bytes_slice(text, end ? line + 1 : line, text.len);
    }
    return 0;
}

int
blob_list_read(const char *path, struct blob_list *out, struct err *err)
{
    struct buf text = {0};
    *out = (struct blob_list){0};
    int result = fs_read(path, SIZE_MAX / 2, &text, err);
    if (result == 0)
        result = parse_lines(path, buf_bytes(&text), out, err);
    if (result < 0)
        blob_list_clear(out);
    buf_clear(&text);
    return result;
}

void
blob_list_clear(struct blob_list *list)
{
    free(list->ids);
    *list = (struct blob_list){0};
}
