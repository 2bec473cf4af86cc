/*
 * From the options that choose what is scored to those of the panel.
 *
 * Everything about commits and files becomes a struct panel_filter, the profile is read into the
 * arena, and the store stays open until panel_args_clear.
 */
#include "cli/panel_args.h"

#include <stdio.h>
#include <string.h>

#include "base/calendar.h"

void
panel_args_set_defaults(struct panel_args *args)
{
    arena_init(&args->arena, 0);
    args->profile_name = "paper";
}

void
panel_args_clear(struct panel_args *args)
{
    store_close(args->store);
    arena_clear(&args->arena);
}

const char *
panel_args_tier_at(size_t i)
{
    return i < TIER_N ? tier_name((enum tier)i) : NULL;
}

const char *
panel_args_author_at(size_t i)
{
    return i < AUTHOR_N ? author_name((enum author)i) : NULL;
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
    return cli_usage(command, "%s takes a day such as 2024-01-31, not '%s'", option, text);
}

static struct text_list
to_texts(struct panel_args *args, const struct cli_list *list)
{
    struct bytes *items = ARENA_ARRAY(&args->arena, list->n_items, struct bytes);
    for (size_t i = 0; items && i < list->n_items; i++)
        items[i] = bytes_of_text(list->items[i]);
    return (struct text_list){items, items ? list->n_items : 0};
}

/* Filter paths by the globs that were given.  Any suffix passes: the profile says what is source.
 */
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

/* When the store has hits of several groups of rules, print which of them counts. */
static int
report_group(struct panel_args *args, struct err *err)
{
    struct store_reader *reader;
    struct store_key *groups, newest;
    size_t n_groups;
    if (args->rules_group || !args->store || args->common.quiet)
        return 0;
    if (store_reader_open(args->store, &reader, err) < 0)
        return -1;
    int rc = store_list_groups(reader, &args->arena, &groups, &n_groups, err);
    if (rc == 0 && n_groups > 1 &&
        store_get_newest_group(reader, &args->arena, &newest, err) == STORE_FOUND)
        fprintf(stderr,
                "of %zu groups of rules in the store the newest counts, %02x%02x%02x%02x; "
                "--rules-group takes another\n",
                n_groups, newest.bytes[0], newest.bytes[1], newest.bytes[2], newest.bytes[3]);
    store_reader_close(reader);
    return rc;
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
        status = resolve_paths(args, command);
    if (status != CLI_DONE)
        return status;
    if (args->rules_group)
        args->options.rules_group = bytes_of_text(args->rules_group);
    filter->tiers = args->tiers;
    filter->authors = args->authors;
    filter->licenses = to_texts(args, &args->licenses);
    args->options.profile = &args->profile;
    args->options.n_jobs = (size_t)args->common.jobs;

    struct err err;
    struct store_options store = {.path = args->store_path, .mode = STORE_READ};
    if (profile_read(args->profile_name, &args->arena, &args->profile, &err) < 0 ||
        (args->store_path && store_open(&store, &args->store, &err) < 0) ||
        report_group(args, &err) < 0)
        return cli_fail(command, &err);
    return CLI_DONE;
}
