#include "cli/panel_args.h"
#include "base/calendar.h"

#include <stdio.h>
#include <string.h>

struct panel_args
panel_args_default(void)
{
    struct panel_args args = {.profile_name = "paper", .common = cli_common_default()};
    arena_init(&args.arena, 0);
    return args;
}

void
panel_args_clear(struct panel_args *args)
{
    cli_list_clear(&args->tiers);
    cli_list_clear(&args->authors);
    cli_list_clear(&args->licenses);
    cli_list_clear(&args->paths);
    cli_list_clear(&args->not_paths);
    store_close(args->store);
    arena_clear(&args->arena);
}

static int
resolve_day(const char *text, const char *option, bool *has, int64_t *out,
            const struct cli_command *command)
{
    if (!text)
        return CLI_DONE;
    *has = true;
    if (calendar_parse_day(bytes_of_text(text), out) == 0)
        return CLI_DONE;
    return cli_usage(command, "%s %s is no day; write it as 2024-01-31", option, text);
}

static int
resolve_tiers(struct panel_args *args, const struct cli_command *command)
{
    for (size_t i = 0; i < args->tiers.n_items; i++) {
        unsigned bit = 0;
        for (int tier = 0; tier < TIER_N; tier++)
            if (strcmp(args->tiers.items[i], tier_name((enum tier)tier)) == 0)
                bit = 1u << tier;
        if (!bit)
            return cli_usage(command, "--tier %s: tiers are hobby, niche, established and major",
                             args->tiers.items[i]);
        args->options.filter.tiers |= bit;
    }
    return CLI_DONE;
}

static int
resolve_authors(struct panel_args *args, const struct cli_command *command)
{
    for (size_t i = 0; i < args->authors.n_items; i++) {
        unsigned bit = 0;
        for (int author = 0; author < AUTHOR_N; author++)
            if (strcmp(args->authors.items[i], author_name((enum author)author)) == 0)
                bit = 1u << author;
        if (!bit)
            return cli_usage(command, "--author %s: authors are human, bot and assistant",
                             args->authors.items[i]);
        args->options.filter.authors |= bit;
    }
    return CLI_DONE;
}

static struct text_list
to_texts(struct panel_args *args, const struct cli_list *list)
{
    struct bytes *items = ARENA_ARRAY(&args->arena, list->n_items, struct bytes);
    for (size_t i = 0; items && i < list->n_items; i++)
        items[i] = bytes_of_text(list->items[i]);
    return (struct text_list){items, items ? list->n_items : 0};
}

/* Globs of the user's; besides them every path is source here, the profile has its own say. */
static int
resolve_paths(struct panel_args *args, const struct cli_command *command)
{
    const struct cli_list *lists[] = {&args->paths, &args->not_paths};
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < lists[k]->n_items; i++) {
            const char *fault = glob_fault(bytes_of_text(lists[k]->items[i]));
            if (fault)
                return cli_usage(command, "glob %s: %s", lists[k]->items[i], fault);
        }
    if (args->paths.n_items == 0 && args->not_paths.n_items == 0)
        return CLI_DONE;
    struct bytes *any = ARENA_NEW(&args->arena, struct bytes);
    args->files = (struct source_filter){.suffixes = {any, any ? 1 : 0},
                                         .include = to_texts(args, &args->paths),
                                         .exclude = to_texts(args, &args->not_paths)};
    args->options.filter.files = &args->files;
    return CLI_DONE;
}

/* Where hits of several groups of rules are in the store, say which of them count. */
static int
note_group(struct panel_args *args, struct err *err)
{
    struct store_reader *reader;
    struct store_key *groups, newest;
    size_t n_groups;
    if (args->rules_group || !args->store || args->common.quiet)
        return 0;
    if (store_reader_open(args->store, &reader, err) < 0)
        return -1;
    int result = store_list_groups(reader, &args->arena, &groups, &n_groups, err);
    if (result == 0 && n_groups > 1 &&
        store_get_newest_group(reader, &args->arena, &newest, err) == STORE_FOUND)
        fprintf(stderr,
                "of %zu groups of rules in the store the newest counts, %02x%02x%02x%02x; "
                "--rules-group takes another\n",
                n_groups, newest.bytes[0], newest.bytes[1], newest.bytes[2], newest.bytes[3]);
    store_reader_close(reader);
    return result;
}

int
panel_args_resolve(struct panel_args *args, const struct cli_command *command)
{
    struct panel_filter *filter = &args->options.filter;
    int status = CLI_DONE;
    if (!args->store_path && !args->store_is_optional)
        return cli_usage(command, "name a store with --store");
    if (status == CLI_DONE)
        status = resolve_day(args->since, "--since", &filter->has_since, &filter->since_s, command);
    if (status == CLI_DONE)
        status = resolve_day(args->until, "--until", &filter->has_until, &filter->until_s, command);
    if (status == CLI_DONE)
        status = resolve_tiers(args, command);
    if (status == CLI_DONE)
        status = resolve_authors(args, command);
    if (status == CLI_DONE)
        status = resolve_paths(args, command);
    if (status != CLI_DONE)
        return status;
    if (args->rules_group)
        args->options.rules_group = bytes_of_text(args->rules_group);
    filter->licenses = to_texts(args, &args->licenses);
    args->options.profile = &args->profile;
    args->options.n_jobs = (size_t)args->common.jobs;

    struct err err;
    struct store_options store = {.path = args->store_path, .mode = STORE_READ};
    if (profile_read(args->profile_name, &args->arena, &args->profile, &err) < 0 ||
        (args->store_path && store_open(&store, &args->store, &err) < 0) ||
        note_group(args, &err) < 0)
        return cli_fail(command, &err);
    return CLI_DONE;
}
