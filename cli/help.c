/*
 * The help of a command, from its description.
 *
 * It has the usage lines, what the command does, the table of options, notes and exit statuses, in
 * this order.  Texts are wrapped here, so that the description need not count columns.  An option's
 * default is read from a request after the command has set its defaults, so it cannot differ from
 * what happens.
 */
#include <math.h>
#include <stdlib.h>

#include "cli/cli.h"

enum { OPTION_COLUMN_MAX = 25, OPTION_GAP = 2 };

/* ---- Wrapping ------------------------------------------------------------------------------ */

/* Where the next word goes. */
struct page {
    struct buf *out;
    size_t column; /* bytes on the line so far */
    size_t indent; /* of the lines that follow */
};

static void
break_line(struct page *page)
{
    buf_append_byte(page->out, '\n');
    page->column = 0;
}

static void
append_spaces(struct page *page, size_t column)
{
    for (; page->column < column; page->column++)
        buf_append_byte(page->out, ' ');
}

static void
append_word(struct page *page, struct bytes word)
{
    bool is_first = page->column <= page->indent;
    if (!is_first && page->column + 1 + word.len > CLI_HELP_COLUMNS) {
        break_line(page);
        is_first = true;
    }
    append_spaces(page, is_first ? page->indent : page->column + 1);
    buf_append_bytes(page->out, word);
    page->column += word.len;
}

/* Append the words of TEXT; a newline in it stays one. */
static void
append_text(struct page *page, const char *text)
{
    while (*text) {
        size_t len = strcspn(text, " \n");
        if (len)
            append_word(page, (struct bytes){(const uint8_t *)text, len});
        text += len;
        if (*text == '\n')
            break_line(page);
        text += *text != '\0';
    }
}

static void
append_paragraphs(struct buf *out, const char *label, const char *text)
{
    struct page page = {.out = out};
    break_line(&page);
    append_text(&page, label);
    append_text(&page, text);
    break_line(&page);
}

/* ---- Options ------------------------------------------------------------------------------- */

static void
append_size(struct buf *out, uint64_t size)
{
    static const char *const units[] = {"", "K", "M", "G"};
    size_t unit = 0;
    for (; unit < 3 && size > 0 && size % 1024 == 0; unit++)
        size /= 1024;
    buf_printf(out, "%llu%s", (unsigned long long)size, units[unit]);
}

/* Append the default of OPTION in REQUEST; nothing where there is not one. */
static void
append_default(struct buf *out, const struct cli_option *option, const void *request)
{
    const void *member = (const char *)request + option->offset;
    const char *text;
    uint64_t number;
    double real;
    unsigned choice;
    if (option->no_default) {
        buf_append_text(out, option->no_default);
        return;
    }
    switch (option->kind) {
    case CLI_KIND_TEXT:
        memcpy(&text, member, sizeof(text));
        buf_append_text(out, text ? text : "");
        break;
    case CLI_KIND_NUMBER:
        memcpy(&number, member, sizeof(number));
        if (number >= option->min && number <= (option->max ? option->max : UINT64_MAX))
            buf_printf(out, "%llu", (unsigned long long)number);
        break;
    case CLI_KIND_SIZE:
        memcpy(&number, member, sizeof(number));
        append_size(out, number);
        break;
    case CLI_KIND_REAL:
        memcpy(&real, member, sizeof(real));
        if (isfinite(real))
            buf_printf(out, "%g", real);
        break;
    case CLI_KIND_CHOICE:
        memcpy(&choice, member, sizeof(choice));
        buf_append_text(out, choice == CLI_NOT_GIVEN ? "" : cli_choice(option, choice));
        break;
    case CLI_KIND_FLAG:
    case CLI_KIND_LIST:
    case CLI_KIND_SET:
    case CLI_KIND_JOBS:
    case CLI_KIND_HEADING:
        break;
    }
}

/* What is said of OPTION: its help, the words it takes, its default, whether it may be repeated. */
static void
append_description(struct page *page, const struct cli_option *option, const void *request)
{
    struct buf text = {0}, value = {0};
    buf_append_text(&text, option->help);
    for (size_t i = 0; cli_choice(option, i); i++)
        buf_printf(&text, "%s%s", i ? ", " : ": ", cli_choice(option, i));
    append_default(&value, option, request);
    if (value.len)
        buf_printf(&text, " [%.*s]", BYTES_ARG(buf_bytes(&value)));
    if (option->kind == CLI_KIND_LIST || option->kind == CLI_KIND_SET)
        buf_append_text(&text, " (repeatable)");
    buf_append_byte(&text, 0);
    if (!buf_failed(&text))
        append_text(page, (const char *)text.data);
    buf_clear(&value);
    buf_clear(&text);
}

/* Bytes of "  --name VALUE". */
static size_t
label_width(const struct cli_option *option)
{
    return 2 + strlen(option->name) + (option->value ? 1 + strlen(option->value) : 0);
}

static size_t
description_column(const struct cli_option *options)
{
    size_t column = 0;
    for (const struct cli_option *option = options; option->help; option++)
        if (option->name && label_width(option) + OPTION_GAP > column)
            column = label_width(option) + OPTION_GAP;
    return column < OPTION_COLUMN_MAX ? column : OPTION_COLUMN_MAX;
}

static void
append_option(struct buf *out, const struct cli_option *option, size_t column, const void *request)
{
    struct page page = {.out = out, .column = label_width(option), .indent = column};
    buf_printf(out, "  %s%s%s", option->name, option->value ? " " : "",
               option->value ? option->value : "");
    if (page.column + OPTION_GAP > column)
        break_line(&page);
    append_description(&page, option, request);
    break_line(&page);
}

static void
append_options(const struct cli_command *command, const void *request, struct buf *out)
{
    size_t column = description_column(command->options);
    buf_append_byte(out, '\n');
    for (const struct cli_option *option = command->options; option->help; option++) {
        if (option->kind != CLI_KIND_HEADING)
            append_option(out, option, column, request);
        else
            buf_printf(out, "%s%s\n", option == command->options ? "" : "\n", option->help);
    }
}

/* ---- The help ------------------------------------------------------------------------------ */

static void
append_usage(const struct cli_command *command, struct buf *out)
{
    const char *line = command->usage, *label = "usage:";
    for (size_t len; line; line = line[len] ? line + len + 1 : NULL) {
        len = strcspn(line, "\n");
        buf_printf(out, "%s strata %s%s%.*s\n", label, command->name, len ? " " : "", (int)len,
                   line);
        label = "      ";
    }
}

int
cli_help(const struct cli_command *command, struct buf *out, struct err *err)
{
    void *request = calloc(1, command->request_size ? command->request_size : 1);
    if (!request)
        return err_nomem(err, "help");
    if (command->set_defaults)
        command->set_defaults(request);
    append_usage(command, out);
    append_paragraphs(out, "", command->about);
    if (command->options->help)
        append_options(command, request, out);
    if (command->notes)
        append_paragraphs(out, "", command->notes);
    append_paragraphs(out, "Exit status: ", command->statuses);
    free(request);
    return 0;
}
