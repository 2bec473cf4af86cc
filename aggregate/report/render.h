/*
 * Render: a report as Markdown, HTML, aligned text, CSV or JSON, appended to a buffer.
 *
 * OUT remembers that memory ran out.
 */
#ifndef STRATA_AGGREGATE_REPORT_RENDER_H
#define STRATA_AGGREGATE_REPORT_RENDER_H

#include "aggregate/report/document.h"

/* Numbers from here on are written with an exponent: a record may hold 1e308. */
#define RENDER_PLAIN_END 1e15

/* Append CELL of COLUMN as readers see it; nothing if it does not have a value. */
void render_cell(const struct column *column, const struct cell *cell, struct buf *out);
/* Append TEXT, with the characters that HTML reserves written as entities. */
void render_entities(struct buf *out, struct bytes text);

/* Each of these appends the whole report. */
void render_markdown(const struct report *report, struct buf *out);
void render_html(const struct report *report, struct buf *out);
void render_text(const struct report *report, struct buf *out);
/* One table with a heading (RFC 4180, but lines end in LF). */
void render_csv_table(const struct table *table, struct buf *out);
/* The footnotes of all sections as a table of section and note. */
void render_csv_notes(const struct report *report, struct buf *out);
/* All tables, each after a line "# section/table". */
void render_csv(const struct report *report, struct buf *out);
/* One object: the definition of the report, and its sections in full precision. */
void render_json(const struct report *report, struct buf *out);

#endif
