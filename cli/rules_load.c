/*
 * Rules from files: the files and folders that were named are read whole, then loaded together, so
 * that a rule can use another's utility.  The built-in rules are files in the program.
 */
#include <stdlib.h>
#include <sys/stat.h>

#include "base/array.h"
#include "rules/rule_files.h"
#include "cli/rules.h"

enum { RULE_FILE_BYTES_MAX = 64 << 20 };

static int
add_source(struct cli_sources *sources, const char *name, struct bytes text, struct err *err)
{
    if (!ARRAY_RESERVE(sources->items, sources->n, sources->capacity, 1))
        return err_nomem(err, "rule files");
    struct bytes kept_name = arena_copy(&sources->arena, bytes_of_text(name));
    struct bytes kept_text = arena_copy(&sources->arena, text);
    if (!kept_name.data || !kept_text.data)
        return err_nomem(err, "rule files");
    sources->items[sources->n++] = (struct rule_source){(const char *)kept_name.data, kept_text};
    return 0;
}

static int
add_file(struct cli_sources *sources, const char *name, struct err *err)
{
    struct buf text = {0};
    int rc = fs_read(name, RULE_FILE_BYTES_MAX, &text, err);
    if (rc == 0)
        rc = add_source(sources, name, buf_bytes(&text), err);
    buf_clear(&text);
    return rc;
}

static int
add_folder(struct cli_sources *sources, const char *folder, struct err *err)
{
    struct fs_entry *entries;
    size_t n_entries, n_before = sources->n;
    if (fs_list(folder, NULL, NULL, &sources->arena, &entries, &n_entries, err) < 0)
        return -1;
    for (size_t i = 0; i < n_entries; i++) {
        if (!bytes_ends_with(entries[i].path, BYTES(".yml")) &&
            !bytes_ends_with(entries[i].path, BYTES(".yaml")))
            continue;
        char *name =
            arena_format(&sources->arena, "%s/%s", folder, (const char *)entries[i].path.data);
        if (!name)
            return err_nomem(err, "rule files");
        if (bytes_ends_with(bytes_of_text(name), BYTES("/sgconfig.yml")))
            return err_set(
                err, ERR_INPUT,
                "%s says where rules are and is not one: name the folders of its ruleDirs", name);
        if (add_file(sources, name, err) < 0)
            return -1;
    }
    if (sources->n == n_before)
        return err_set(err, ERR_INPUT, "%s: no *.yml or *.yaml below this folder", folder);
    return 0;
}

static int
add_builtin(struct cli_sources *sources, struct err *err)
{
    for (const struct embedded_file *file = builtin_rule_files; file->name; file++)
        if (add_source(sources, file->name, (struct bytes){file->data, file->len}, err) < 0)
            return -1;
    return 0;
}

int
cli_read_yaml(const struct cli_list *names, struct cli_sources *out, struct err *err)
{
    *out = (struct cli_sources){0};
    arena_init(&out->arena, 0);
    for (size_t i = 0; i < names->n_items; i++) {
        struct stat info;
        bool is_folder = stat(names->items[i], &info) == 0 && S_ISDIR(info.st_mode);
        if ((is_folder ? add_folder(out, names->items[i], err)
                       : add_file(out, names->items[i], err)) < 0) {
            cli_sources_clear(out);
            return -1;
        }
    }
    return 0;
}

void
cli_sources_clear(struct cli_sources *sources)
{
    free(sources->items);
    arena_clear(&sources->arena);
    *sources = (struct cli_sources){0};
}

int
cli_load_rules(const struct cli_list *names, struct ruleset **out, struct err *err)
{
    struct cli_sources sources;
    if (cli_read_yaml(names, &sources, err) < 0)
        return -1;
    int rc = names->n_items ? 0 : add_builtin(&sources, err);
    if (rc == 0)
        rc = ruleset_load(sources.items, sources.n, out, err);
    cli_sources_clear(&sources);
    if (rc == 0 && ruleset_count(*out) == 0) {
        ruleset_destroy(*out);
        *out = NULL;
        return err_set(err, ERR_INPUT, "%s%s: there is no rule in it", names->items[0],
                       names->n_items > 1 ? " and the others" : "");
    }
    return rc;
}

int
rules_args_load(const struct cli_command *command, const struct rules_args *args,
                struct ruleset **out)
{
    struct err err;
    *out = NULL;
    if (args->none && args->files.n_items)
        return cli_usage(command, "give either --rules or --no-rules, not both");
    if (args->none)
        return CLI_DONE;
    return cli_load_rules(&args->files, out, &err) < 0 ? cli_fail(command, &err) : CLI_DONE;
}
