/*
 * strata panel build: a stratified manifest from a table of candidates.
 *
 * The options become a struct panel_draw, panel_draw() chooses the repositories, and the manifest
 * is printed or written to a file.
 */
#include "cli/commands.h"
#include "manifests/manifests.h"

enum { TABLE_BYTES_MAX = 1 << 30, COUNT_MAX = 1000000 };

struct request {
    struct panel_draw draw;
    const char *name, *counts, *out, *created_before, *pushed_since, *url_prefix;
    struct cli_list licenses, exclude_sources, exclude, include;
    const char *candidates;
    struct arena arena;
};

static int
take_texts(struct request *request, const struct cli_list *list, struct text_list *out,
           struct err *err)
{
    struct bytes *items = ARENA_ARRAY(&request->arena, list->n_items, struct bytes);
    if (!items)
        return err_nomem(err, "arguments");
    for (size_t i = 0; i < list->n_items; i++)
        items[i] = bytes_of_text(list->items[i]);
    *out = (struct text_list){items, list->n_items};
    return 0;
}

/* Read "114,124,120,115", a count for each tier. */
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
            num_parse_u64(bytes_slice(rest, 0, len), 0, COUNT_MAX, &count) < 0)
            return err_set(err, ERR_USAGE,
                           "--counts takes four numbers such as 114,124,120,115, "
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
resolve(struct request *request, struct err *err)
{
    struct panel_draw *draw = &request->draw;
    draw->name = bytes_of_text(request->name);
    draw->created_before = text_or(request->created_before, draw->created_before);
    draw->pushed_since = text_or(request->pushed_since, draw->pushed_since);
    draw->url_prefix = bytes_of_text(request->url_prefix);
    if (request->counts && take_counts(request->counts, draw->counts, err) < 0)
        return -1;
    if (take_texts(request, &request->licenses, &draw->licenses, err) < 0 ||
        take_texts(request, &request->exclude_sources, &draw->exclude_sources, err) < 0 ||
        take_texts(request, &request->exclude, &draw->exclude, err) < 0)
        return -1;
    return take_texts(request, &request->include, &draw->include, err);
}

/* Draw the panel and append its manifest to OUT. */
static int
draw_manifest(struct request *request, struct buf *out, struct err *err)
{
    struct buf table = {0};
    struct manifest manifest;
    int rc = fs_read(request->candidates, TABLE_BYTES_MAX, &table, err);
    if (rc == 0)
        rc = panel_draw(&request->draw, buf_bytes(&table), request->candidates, &request->arena,
                        &manifest, err);
    if (rc == 0)
        manifest_write(&manifest, out);
    buf_clear(&table);
    return rc;
}

static int
build(struct request *request)
{
    struct err err;
    struct buf text = {0};
    int status;
    if (resolve(request, &err) < 0 || draw_manifest(request, &text, &err) < 0)
        status = cli_fail(&cli_panel_build, &err);
    else if (!request->out)
        status = cli_print(&cli_panel_build, &text);
    else if (buf_failed(&text) ? err_nomem(&err, "the manifest")
                               : fs_write(request->out, buf_bytes(&text), &err))
        status = cli_fail(&cli_panel_build, &err);
    else
        status = CLI_DONE;
    buf_clear(&text);
    return status;
}

static int
run(void *self, const struct cli_list *arguments)
{
    struct request *request = self;
    if (arguments->n_items == 0)
        return cli_usage(&cli_panel_build, "name one table of candidates");
    request->candidates = arguments->items[0];
    arena_init(&request->arena, 0);
    int status = build(request);
    arena_clear(&request->arena);
    return status;
}

static void
set_defaults(void *self)
{
    struct request *request = self;
    request->draw = panel_draw_default();
    request->name = (const char *)request->draw.name.data;
    request->url_prefix = (const char *)request->draw.url_prefix.data;
}

static const struct cli_option options[] = {
    {.name = "--counts",
     .value = "H,N,E,M",
     .help = "how many hobby, niche, established and major repositories",
     .no_default = "114,124,120,115",
     CLI_TEXT(struct request, counts)},
    {.name = "--seed",
     .value = "N",
     .help = "another seed gives another sample",
     CLI_NUMBER(struct request, draw.seed)},
    {.name = "--include",
     .value = "NAME",
     .help = "always in the panel, whatever the filters say; NAME@REF to mine a branch or tag",
     CLI_LIST(struct request, include)},
    {.name = "--exclude",
     .value = "NAME",
     .help = "never in the panel",
     CLI_LIST(struct request, exclude)},
    {.name = "--exclude-source",
     .value = "S",
     .help = "no repository whose source is S or S@DAY",
     CLI_LIST(struct request, exclude_sources)},
    {.name = "--license",
     .value = "ID",
     .help = "only repositories with this license",
     CLI_LIST(struct request, licenses)},
    {.name = "--created-before",
     .value = "DAY",
     .help = "only repositories created before DAY, such as 2023-01-01",
     CLI_TEXT(struct request, created_before)},
    {.name = "--pushed-since",
     .value = "DAY",
     .help =
         "only repositories pushed on DAY or later. A repository whose day is not recorded does "
         "not pass",
     CLI_TEXT(struct request, pushed_since)},
    {.name = "--url-prefix",
     .value = "TEXT",
     .help = "what comes before NAME.git",
     CLI_TEXT(struct request, url_prefix)},
    {.name = "--name",
     .value = "TEXT",
     .help = "the name of the panel",
     CLI_TEXT(struct request, name)},
    {.name = "--out",
     .value = "FILE",
     .help = "write there instead of to standard output",
     CLI_TEXT(struct request, out)},
    CLI_END,
};

const struct cli_command cli_panel_build = {
    .name = "panel build",
    .summary = "draw a stratified panel from a table of candidates",
    .usage = "[OPTION...] CANDIDATES.csv",
    .about = "Prints a manifest: for each star tier a random sample of the repositories that pass "
             "the filters. The table has the columns repo and stars, and where recorded as_of, "
             "license, created, pushed and source. The same table and options give the same bytes; "
             "one more candidate changes at most one repository of the sample.",
    .options = options,
    .statuses = "0; 2 usage; 3 when the table cannot be used or a tier has too few repositories.",
    .request_size = sizeof(struct request),
    .set_defaults = set_defaults,
    .n_arguments_max = 1,
    .run = run,
};
