/* strata panel check: which mirrors of a manifest are missing, shallow, partial, moved. */
#include <stdlib.h>

#include "cli/cli.h"
#include "miner/miner.h"
#include "miner/mirrors.h"

extern const struct cli_command cli_panel_check;

struct arguments {
    const char *manifest_path, *mirrors;
    bool json, all;
};

static void
write_mirror(const struct manifest_repository *repository, const struct miner_mirror *mirror,
             bool as_json, struct buf *out)
{
    char hex[OID_HEX_SIZE];
    if (!as_json) {
        buf_printf(out, "%-10s  %8llu  %.*s%s", miner_mirror_state_name(mirror->state),
                   (unsigned long long)mirror->n_commits, BYTES_ARG(repository->name),
                   mirror->reason[0] ? ": " : "");
        printable_append(out, bytes_of_text(mirror->reason));
        buf_append_byte(out, '\n');
        return;
    }
    struct json_writer json = json_writer_init(out, 0);
    json_begin_object(&json);
    json_member_bytes(&json, "repository", repository->name);
    json_member_text(&json, "state", miner_mirror_state_name(mirror->state));
    json_member_text(&json, "head", mirror->head.len ? oid_to_hex(&mirror->head, hex) : NULL);
    json_member_u64(&json, "commits", mirror->n_commits);
    json_member_text(&json, "reason", mirror->reason[0] ? mirror->reason : NULL);
    json_end_object(&json);
    buf_append_byte(out, '\n');
}

static int
check_mirrors(const struct arguments *a, const struct manifest *manifest, struct arena *arena)
{
    struct buf out = {0};
    struct err err;
    size_t n_good = 0;
    for (size_t i = 0; i < manifest->n_repositories; i++) {
        const struct manifest_repository *repository = &manifest->repositories[i];
        const char *path = miner_mirror_path(a->mirrors, repository->name, arena);
        struct miner_mirror mirror;
        if (stop_requested())
            err_set(&err, ERR_STOPPED, "stopped on request");
        else if (!path)
            err_nomem(&err, "path");
        if (stop_requested() || !path || miner_mirror_check(repository, path, &mirror, &err) < 0) {
            buf_clear(&out);
            return cli_fail(&cli_panel_check, &err);
        }
        n_good += mirror.state == MINER_MIRROR_GOOD;
        if (a->all || a->json || mirror.state != MINER_MIRROR_GOOD)
            write_mirror(repository, &mirror, a->json, &out);
    }
    if (!a->json)
        buf_printf(&out, "%zu of %zu mirrors are good\n", n_good, manifest->n_repositories);
    int status = cli_print(&cli_panel_check, &out);
    return status == CLI_DONE && n_good < manifest->n_repositories ? CLI_FINDINGS : status;
}

static int
check(const struct arguments *a)
{
    struct err err;
    struct arena arena;
    struct manifest manifest;
    if (!a->manifest_path || !a->mirrors)
        return cli_usage(&cli_panel_check, "%s is missing",
                         a->manifest_path ? "--mirrors" : "--manifest");
    arena_init(&arena, 0);
    int status = manifest_read(a->manifest_path, &arena, &manifest, &err) < 0
                     ? cli_fail(&cli_panel_check, &err)
                     : check_mirrors(a, &manifest, &arena);
    arena_clear(&arena);
    return status;
}

static int
run(int argc, char **argv)
{
    struct arguments a = {0};
    struct cli_list rest = {0};
    const struct cli_option options[] = {{.name = "--manifest", .text = &a.manifest_path},
                                         {.name = "--mirrors", .text = &a.mirrors},
                                         {.name = "--all", .flag = &a.all},
                                         {.name = "--json", .flag = &a.json},
                                         {.name = NULL}};
    int status = CLI_USAGE;
    if (cli_parse(&cli_panel_check, argc, argv, options, &rest) == 0)
        status = rest.n_items ? cli_usage(&cli_panel_check, "'%s' is not asked for", rest.items[0])
                              : check(&a);
    cli_list_clear(&rest);
    return status;
}

const struct cli_command cli_panel_check = {
    .name = "panel check",
    .summary = "say which mirrors of a panel are missing, shallow, partial or moved",
    .help =
        "usage: strata panel check --manifest FILE --mirrors DIR [--all] [--json]\n"
        "\n"
        "Looks at the mirror of every repository of the manifest and prints those that are not\n"
        "good: missing, damaged (its first-parent history cannot be walked), shallow, partial,\n"
        "lacking the commit that the manifest pins, or moved (its head is another one).  Reads\n"
        "only; no network.\n"
        "\n"
        "  --manifest FILE   the panel\n"
        "  --mirrors DIR     where the mirrors are, as NAME.git or NAME\n"
        "  --all             print the good ones too\n"
        "  --json            a JSON line per repository, good ones too\n"
        "\n"
        "Exit status: 0 all are good; 1 some are not; 3 the manifest cannot be used.\n",
    .run = run,
};
