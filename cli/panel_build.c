/* strata panel build CANDIDATES: a stratified manifest from a table of candidates. */
#include <stdlib.h>

#include "cli/cli.h"
#include "manifests/manifests.h"

extern const struct cli_command cli_panel_build;

enum { TABLE_MAX_BYTES = 1 << 30 };

/* The texts of a list option, as the room wants them. */
struct texts {
    struct cli_list list;
    struct bytes *items;
};

struct arguments {
    struct panel_draw draw;
    const char *name, *counts, *out, *created_before, *pushed_since, *url_prefix;
    struct texts licenses, exclude_sources, exclude, include;
    struct cli_list rest;
};

static void
texts_clear(struct texts *texts)
{
    cli_list_clear(&texts->list);
    free(texts->items);
}

static void
arguments_clear(struct arguments *arguments)
{
    texts_clear(&arguments->licenses);
    texts_clear(&arguments->exclude_sources);
    texts_clear(&arguments->exclude);
    texts_clear(&arguments->include);
    cli_list_clear(&arguments->rest);
}

static int
take_texts(struct texts *texts, struct text_list *out, struct err *err)
{
    size_t n = texts->list.n_items;
    texts->items = calloc(n ? n : 1, sizeof(*texts->items));
    if (!texts->items)
        return err_nomem(err, "arguments");
    for (size_t i = 0; i < n; i++)
        texts->items[i] = bytes_of_text(texts->list.items[i]);
    *out = (struct text_list){texts->items, n};
    return 0;
}

/* "114,124,120,115" */
static int
take_counts(const char *text, uint32_t counts[TIER_N], struct err *err)
{
    struct bytes rest = bytes_of_text(text);
    for (unsigned tier = 0; tier < TIER_N; tier++) {
        bool is_last = tier == TIER_N - 1;
        const uint8_t *comma = is_last || !rest.len ? NULL : memchr(rest.data, ',', rest.len);
        size_t len = comma ? (size_t)(comma - rest.data) : rest.len;
        uint64_t count;
        if ((!comma && !is_last) ||
            num_parse_u64(bytes_slice(rest, 0, len), 0, 1000000, &count) < 0)
            return err_set(err, ERR_USAGE,
                           "--counts wants four numbers such as 114,124,120,115, "
                           "not '%s'",
                           text);
        counts[tier] = (uint32_t)count;
        rest = bytes_slice(rest, len + (comma != NULL), rest.len);
    }
    return 0;
}

static struct bytes
text_or(const char *text, struct bytes fallback)
{
    return text ? bytes_of_text(text) : fallback;
}

static int
take_arguments(struct arguments *a, struct err *err)
{
    struct panel_draw *draw = &a->draw;
    draw->name = text_or(a->name, draw->name);
    draw->created_before = text_or(a->created_before, draw->created_before);
    draw->pushed_since = text_or(a->pushed_since, draw->pushed_since);
    draw->url_prefix = text_or(a->url_prefix, draw->url_prefix);
    if (a->counts && take_counts(a->counts, draw->counts, err) < 0)
        return -1;
    if (take_texts(&a->licenses, &draw->licenses, err) < 0 ||
        take_texts(&a->exclude_sources, &draw->exclude_sources, err) < 0 ||
        take_texts(&a->exclude, &draw->exclude, err) < 0)
        return -1;
    return take_texts(&a->include, &draw->include, err);
}

static int
build(struct arguments *a)
{
    struct err err;
    struct arena arena;
    struct buf table = {0}, text = {0};
    struct manifest manifest;
    const char *path = a->rest.items[0];
    arena_init(&arena, 0);
    int status = CLI_DONE;
    if (take_arguments(a, &err) < 0 || fs_read(path, TABLE_MAX_BYTES, &table, &err) < 0 ||
        panel_draw(&a->draw, buf_bytes(&table), path, &arena, &manifest, &err) < 0) {
        status = cli_fail(&cli_panel_build, &err);
    } else {
        manifest_write(&manifest, &text);
        if (!a->out)
            status = cli_print(&cli_panel_build, &text);
        else if (buf_failed(&text) ? err_nomem(&err, "the manifest")
                                   : fs_write(a->out, buf_bytes(&text), &err))
            status = cli_fail(&cli_panel_build, &err);
    }
    buf_clear(&text);
    buf_clear(&table);
    arena_clear(&arena);
    return status;
}

static int
run(int argc, char **argv)
{
    struct arguments a = {.draw = panel_draw_default()};
    const struct cli_option options[] = {
        {.name = "--counts", .text = &a.counts},
        {.name = "--created-before", .text = &a.created_before},
        {.name = "--exclude", .list = &a.exclude.list},
        {.name = "--exclude-source", .list = &a.exclude_sources.list},
        {.name = "--include", .list = &a.include.list},
        {.name = "--license", .list = &a.licenses.list},
        {.name = "--name", .text = &a.name},
        {.name = "--out", .text = &a.out},
        {.name = "--pushed-since", .text = &a.pushed_since},
        {.name = "--seed", .number = &a.draw.seed},
        {.name = "--url-prefix", .text = &a.url_prefix},
        {.name = NULL},
    };
    int status = CLI_USAGE;
    if (cli_parse(&cli_panel_build, argc, argv, options, &a.rest) == 0) {
        if (a.rest.n_items == 1)
            status = build(&a);
        else
            cli_usage(&cli_panel_build, "name one table of candidates");
    }
    arguments_clear(&a);
    return status;
}

const struct cli_command cli_panel_build = {
    .name = "panel build",
    .summary = "draw a stratified panel from a table of candidates",
    .help = "usage: strata panel build [OPTION...] CANDIDATES.csv\n"
            "\n"
            "Prints a manifest: for each star tier a random sample of the repositories that pass\n"
            "the filters.  The table has the columns repo and stars, and where recorded as_of,\n"
            "license, created, pushed and source.  The same table and options give the same\n"
            "bytes; a candidate more changes one repository at most.  Options with * may be\n"
            "given several times.\n"
            "\n"
            "  --counts H,N,E,M      hobby, niche, established, major (default 114,124,120,115)\n"
            "  --seed N              another seed, another sample (default 1)\n"
            "  --include NAME *      always in the panel, whatever the filters say; NAME@REF to "
            "mine a\n"
            "                        branch or tag\n"
            "  --exclude NAME *      never in the panel\n"
            "  --exclude-source S *  no repository whose source is S or S@DAY\n"
            "  --license L *         only these licenses\n"
            "  --created-before DAY  only repositories created before DAY (2023-01-01)\n"
            "  --pushed-since DAY    only repositories pushed on DAY or later; where a day is\n"
            "                        not recorded the repository does not pass\n"
            "  --url-prefix TEXT     goes before NAME.git (default https://github.com/)\n"
            "  --name TEXT           the panel's name (default panel)\n"
            "  --out FILE            write there, not to standard output\n"
            "\n"
            "Exit status: 0; 2 usage; 3 when the table cannot be used or a tier has too few.\n",
    .run = run,
};
