/*
 * CSV as RFC 4180 has it, a row at a time, with LF or CRLF as line ends.
 *
 * A cell is copied into the arena without its quotes.  Physical lines are counted, so a row with a
 * line end inside quotes is reported by the line on which it begins.
 */
#include "manifests/csv.h"

#include <assert.h>

#include "base/buf.h"

static int
refuse(const struct csv *csv, const char *why, struct err *err)
{
    return err_set(err, ERR_INPUT, "%s:%zu: %s", csv->origin, csv->line, why);
}

static bool
at_end(const struct csv *csv)
{
    return csv->at == csv->text.len;
}

static uint8_t
peek(const struct csv *csv)
{
    return csv->text.data[csv->at];
}

/* Skip an LF or CRLF; false when there is not one. */
static bool
pass_line_end(struct csv *csv)
{
    struct bytes rest = bytes_slice(csv->text, csv->at, csv->text.len);
    size_t n = bytes_starts_with(rest, BYTES("\r\n")) ? 2 : bytes_starts_with(rest, BYTES("\n"));
    csv->at += n;
    csv->next_line += n > 0;
    return n > 0;
}

/* Take a quoted cell from its opening quote to its closing one; two quotes mean one. */
static int
take_quoted(struct csv *csv, struct buf *cell, struct err *err)
{
    for (csv->at++; !at_end(csv); csv->at++) {
        uint8_t c = peek(csv);
        if (c == '"') {
            csv->at++;
            if (at_end(csv) || peek(csv) != '"')
                return 0;
        }
        csv->next_line += c == '\n';
        buf_append_byte(cell, c);
    }
    return refuse(csv, "a quote is not closed", err);
}

static int
take_cell(struct csv *csv, struct buf *cell, struct err *err)
{
    if (!at_end(csv) && peek(csv) == '"')
        return take_quoted(csv, cell, err);
    while (!at_end(csv) && peek(csv) != ',' && peek(csv) != '\n' && peek(csv) != '\r')
        buf_append_byte(cell, csv->text.data[csv->at++]);
    return 0;
}

static int
keep_cell(struct csv *csv, const struct buf *cell, struct err *err)
{
    if (csv->n_cells == CSV_CELLS_MAX)
        return refuse(csv, "more than 64 columns", err);
    struct bytes copy = arena_copy(csv->arena, buf_bytes(cell));
    if (buf_failed(cell) || !copy.data)
        return err_nomem(err, csv->origin);
    csv->cells[csv->n_cells++] = copy;
    return 0;
}

static int
take_row(struct csv *csv, struct buf *cell, struct err *err)
{
    csv->n_cells = 0;
    for (;;) {
        assert(csv->at <= csv->text.len);
        buf_reset(cell);
        if (take_cell(csv, cell, err) < 0 || keep_cell(csv, cell, err) < 0)
            return -1;
        if (at_end(csv) || pass_line_end(csv))
            return 1;
        if (peek(csv) != ',')
            return refuse(csv, "a comma is missing after a cell", err);
        csv->at++;
    }
}

int
csv_next(struct csv *csv, struct err *err)
{
    if (csv->at == 0 && bytes_starts_with(csv->text, BYTES("\xef\xbb\xbf")))
        csv->at = 3; /* the byte order mark that spreadsheets write */
    while (!at_end(csv) && pass_line_end(csv))
        continue;
    csv->line = csv->next_line;
    if (at_end(csv))
        return 0;
    struct buf cell = {0};
    int rc = take_row(csv, &cell, err);
    buf_clear(&cell);
    return rc;
}
