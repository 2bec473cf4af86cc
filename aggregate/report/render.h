/*
 * Render: a report as Markdown, HTML, aligned text, CSV or JSON.
 */
#ifndef STRATA_AGGREGATE_REPORT_RENDER_H
#define STRATA_AGGREGATE_REPORT_RENDER_H

#include "aggregate/report/document.h"

/* From here on numbers are written with an exponent: a record can hold 1e308. */
#define RENDER_PLAIN_END 1e15

/* CELL as a reader sees it in COLUMN; nothing for no value. */
void render_cell(const struct column *column, const struct cell *cell, struct buf *out);
/* TEXT with what HTML would take as its own as entities. */
void render_entities(struct buf *out, struct bytes text);

void render_markdown(const struct report *report, struct buf *out);
void render_html(const struct report *report, struct buf *out);
void render_text(const struct report *report, struct buf *out);
/* One table with a header line (RFC 4180, lines end in LF). */
void render_csv_table(const struct table *table, struct buf *out);
/* What stands under the tables: section and note. */
void render_csv_notes(const struct report *report, struct buf *out);
/* All tables, each behind a line "# section/table". */
void render_csv(const struct report *report, struct buf *out);
/* One object: what made the report, and "sections" with everything in full precision. */
void render_json(const struct report *report, struct buf *out);

#endif
