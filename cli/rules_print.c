/*
 * Hits as text, JSON lines, SARIF, or lines for comparing with ast-grep.
 *
 * Text is in the order of places in the file, lines for comparing are sorted by rule and place, the
 * other formats keep the scanner's order, by rule.
 */
#include <stdlib.h>

#include "cli/rules.h"

static int
compare_u32(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

/* ---- Text ---------------------------------------------------------------------------------- */

static int
compare_places(const void *a, const void *b)
{
    const struct hit *x = a, *y = b;
    int order = compare_u32(x->start_byte, y->start_byte);
    return order ? order : compare_u32(x->rule, y->rule);
}

static void
print_text(struct hit_printer *printer, const struct scanned_file *file)
{
    qsort(file->hits, file->n_hits, sizeof(*file->hits), compare_places);
    for (uint32_t i = 0; i < file->n_hits; i++) {
        const struct hit *hit = &file->hits[i];
        const struct rule_info *rule = ruleset_rule(printer->rules, hit->rule);
        printable_append(printer->out, file->path);
        buf_printf(printer->out, ":%u:%u: %s: ", hit->start_line, hit->start_column + 1,
                   rule_severity_name(rule->severity));
        printable_append(printer->out, rule->message.len ? rule->message : rule->id);
        buf_append_text(printer->out, " [");
        printable_append(printer->out, rule->id);
        buf_append_text(printer->out, "]\n");
    }
}

/* ---- JSON lines ---------------------------------------------------------------------------- */

static void
print_jsonl(struct hit_printer *printer, const struct scanned_file *file, struct bytes source)
{
    for (uint32_t i = 0; i < file->n_hits; i++) {
        const struct hit *hit = &file->hits[i];
        const struct rule_info *rule = ruleset_rule(printer->rules, hit->rule);
        struct json_writer json = json_writer_init(printer->out, 0);
        json_begin_object(&json);
        json_member_bytes(&json, "path", file->path);
        json_member_bytes(&json, "rule", rule->id);
        json_member_text(&json, "severity", rule_severity_name(rule->severity));
        json_member_text(&json, "selection", rule_selection_name(rule->selection));
        json_member_bytes(&json, "message", rule->message);
        json_member_u64(&json, "start_line", hit->start_line);
        json_member_u64(&json, "end_line", hit->end_line);
        json_member_u64(&json, "start_column", hit->start_column);
        json_member_u64(&json, "end_column", hit->end_column);
        json_member_u64(&json, "start_byte", hit->start_byte);
        json_member_u64(&json, "end_byte", hit->end_byte);
        json_member_bytes(&json, "text", bytes_slice(source, hit->start_byte, hit->end_byte));
        json_end_object(&json);
        buf_append_byte(printer->out, '\n');
    }
}

/* ---- Lines --------------------------------------------------------------------------------- */

struct line_key {
    const struct hit *hit;
    struct bytes id;
};

static int
compare_keys(const void *a, const void *b)
{
    const struct line_key *x = a, *y = b;
    int order = bytes_compare(x->id, y->id);
    if (order == 0)
        order = compare_u32(x->hit->start_line, y->hit->start_line);
    if (order == 0)
        order = compare_u32(x->hit->end_line, y->hit->end_line);
    if (order == 0)
        order = compare_u32(x->hit->start_column, y->hit->start_column);
    return order ? order : compare_u32(x->hit->end_column, y->hit->end_column);
}

static int
print_lines(struct hit_printer *printer, const struct scanned_file *file, struct err *err)
{
    struct line_key *keys = calloc(file->n_hits + 1, sizeof(*keys));
    if (!keys)
        return err_nomem(err, "hits");
    for (uint32_t i = 0; i < file->n_hits; i++)
        keys[i] =
            (struct line_key){&file->hits[i], ruleset_rule(printer->rules, file->hits[i].rule)->id};
    qsort(keys, file->n_hits, sizeof(*keys), compare_keys);
    for (uint32_t i = 0; i < file->n_hits; i++) {
        if (!printer->no_path) {
            printable_append(printer->out, file->path);
            buf_append_byte(printer->out, ' ');
        }
        printable_append(printer->out, keys[i].id);
        buf_printf(printer->out, " %u %u %u %u\n", keys[i].hit->start_line, keys[i].hit->end_line,
                   keys[i].hit->start_column, keys[i].hit->end_column);
    }
    free(keys);
    return 0;
}

/* ---- SARIF 2.1.0 --------------------------------------------------------------------------- */

static const char *
sarif_level(enum rule_severity severity)
{
    return severity == SEVERITY_ERROR ? "error" : severity == SEVERITY_WARNING ? "warning" : "note";
}

static void
write_message(struct json_writer *json, const char *name, struct bytes text)
{
    json_key(json, name);
    json_begin_object(json);
    json_member_bytes(json, "text", text);
    json_end_object(json);
}

static void
begin_sarif(struct hit_printer *printer)
{
    struct json_writer *json = &printer->json;
    *json = json_writer_init(printer->out, 1);
    json_begin_object(json);
    json_member_text(json, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    json_member_text(json, "version", "2.1.0");
    json_key(json, "runs");
    json_begin_array(json);
    json_begin_object(json);
    json_key(json, "tool");
    json_begin_object(json);
    json_key(json, "driver");
    json_begin_object(json);
    json_member_text(json, "name", "strata");
    json_member_text(json, "version", STRATA_VERSION);
    json_key(json, "rules");
    json_begin_array(json);
    for (uint32_t i = 0; i < ruleset_count(printer->rules); i++) {
        const struct rule_info *rule = ruleset_rule(printer->rules, i);
        json_begin_object(json);
        json_member_bytes(json, "id", rule->id);
        if (rule->message.len)
            write_message(json, "shortDescription", rule->message);
        if (rule->note.len)
            write_message(json, "help", rule->note);
        if (rule->url.len)
            json_member_bytes(json, "helpUri", rule->url);
        json_end_object(json);
    }
    json_end_array(json);
    json_end_object(json);
    json_end_object(json);
    json_member_text(json, "columnKind", "unicodeCodePoints");
    json_key(json, "results");
    json_begin_array(json);
}

/* Write PATH as a URI: bytes that it cannot hold become %XX. */
static void
write_uri(struct json_writer *json, struct bytes path)
{
    struct buf uri = {0};
    for (size_t i = 0; i < path.len; i++) {
        uint8_t c = path.data[i];
        bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                     memchr("-._~/", c, 5);
        if (plain)
            buf_append_byte(&uri, c);
        else
            buf_printf(&uri, "%%%02X", c);
    }
    json_member_bytes(json, "uri", buf_bytes(&uri));
    buf_clear(&uri);
}

static void
print_sarif(struct hit_printer *printer, const struct scanned_file *file)
{
    struct json_writer *json = &printer->json;
    for (uint32_t i = 0; i < file->n_hits; i++) {
        const struct hit *hit = &file->hits[i];
        const struct rule_info *rule = ruleset_rule(printer->rules, hit->rule);
        json_begin_object(json);
        json_member_bytes(json, "ruleId", rule->id);
        json_member_u64(json, "ruleIndex", hit->rule);
        json_member_text(json, "level", sarif_level(rule->severity));
        write_message(json, "message", rule->message.len ? rule->message : rule->id);
        json_key(json, "locations");
        json_begin_array(json);
        json_begin_object(json);
        json_key(json, "physicalLocation");
        json_begin_object(json);
        json_key(json, "artifactLocation");
        json_begin_object(json);
        write_uri(json, file->path);
        json_end_object(json);
        json_key(json, "region");
        json_begin_object(json);
        json_member_u64(json, "startLine", hit->start_line);
        json_member_u64(json, "startColumn", hit->start_column + 1);
        json_member_u64(json, "endLine", hit->end_line);
        json_member_u64(json, "endColumn", hit->end_column + 1);
        json_end_object(json);
        json_end_object(json);
        json_end_object(json);
        json_end_array(json);
        json_end_object(json);
    }
}

static void
end_sarif(struct hit_printer *printer)
{
    struct json_writer *json = &printer->json;
    json_end_array(json);
    json_end_object(json);
    json_end_array(json);
    json_end_object(json);
    buf_append_byte(printer->out, '\n');
}

/* ---- All ----------------------------------------------------------------------------------- */

void
hit_printer_begin(struct hit_printer *printer)
{
    if (printer->format == HITS_SARIF)
        begin_sarif(printer);
}

int
hit_printer_file(struct hit_printer *printer, const struct scanned_file *file, struct bytes source,
                 struct err *err)
{
    switch (printer->format) {
    case HITS_TEXT:
        print_text(printer, file);
        break;
    case HITS_JSONL:
        print_jsonl(printer, file, source);
        break;
    case HITS_SARIF:
        print_sarif(printer, file);
        break;
    case HITS_LINES:
        return print_lines(printer, file, err);
    }
    return 0;
}

void
hit_printer_end(struct hit_printer *printer)
{
    if (printer->format == HITS_SARIF)
        end_sarif(printer);
}
