/*
 * Reading JSON lines leniently: a bad line is noted and does not end the reading.
 */
#include "aggregate/records/json_lines.h"

#include <stdio.h>

/* Read LINE, at PLACE.  1 if it is left out, 0, or -1 as json_lines_read. */
static int
read_line(struct bytes line, const char *place, json_line *each, void *context, struct buf *notes,
          struct err *err)
{
    struct json_doc *doc;
    struct err why;
    if (json_open(line, place, true, &doc, &why) < 0) {
        if (why.code == ERR_NOMEM)
            return err_nomem(err, place);
        buf_printf(notes, "%s; the line is left out\n", why.text);
        return 1;
    }
    int rc = 1;
    if (json_type(json_root(doc)) == JSON_OBJECT)
        rc = each(context, json_root(doc), err);
    else
        buf_printf(notes, "%s: not a JSON object; the line is left out\n", place);
    json_close(doc);
    return rc;
}

int
json_lines_read(struct bytes text, const char *origin, json_line *each, void *context,
                struct buf *notes, struct err *err)
{
    size_t number = 0;
    bool any_left_out = false;
    struct bytes line;
    while (bytes_take_line(&text, &line)) {
        number++;
        if (bytes_is_blank(line))
            continue;
        char place[256];
        snprintf(place, sizeof(place), "%.200s line %zu", origin, number);
        int rc = read_line(line, place, each, context, notes, err);
        if (rc < 0)
            return -1;
        any_left_out |= rc > 0;
    }
    return buf_failed(notes) ? err_nomem(err, "notes") : any_left_out;
}
