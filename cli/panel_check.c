/*
 * strata panel check: which mirrors of a panel are missing, damaged, shallow, partial or moved.
 *
 * Each mirror is opened and its first-parent history walked, one after another; nothing is fetched.
 */
#include "cli/commands.h"
#include "miner/miner.h"
#include "miner/mirrors.h"

struct request {
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
check_mirrors(const struct request *request, const struct manifest *manifest, struct arena *arena)
{
    struct buf out = {0};
    struct err err;
    size_t n_good = 0;
    for (size_t i = 0; i < manifest->n_repositories; i++) {
        const struct manifest_repository *repository = &manifest->repositories[i];
        const char *path = miner_mirror_path(request->mirrors, repository->name, arena);
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
        if (request->all || request->json || mirror.state != MINER_MIRROR_GOOD)
            write_mirror(repository, &mirror, request->json, &out);
    }
    if (!request->json)
        buf_printf(&out, "%zu of %zu mirrors are good\n", n_good, manifest->n_repositories);
    int status = cli_print(&cli_panel_check, &out);
    return status == CLI_DONE && n_good < manifest->n_repositories ? CLI_FINDINGS : status;
}

static int
check_panel(const struct request *request)
{
    struct err err;
    struct arena arena;
    struct manifest manifest;
    if (!request->manifest_path || !request->mirrors)
        return cli_usage(&cli_panel_check, "%s is missing",
                         request->manifest_path ? "--mirrors" : "--manifest");
    arena_init(&arena, 0);
    int status = manifest_read(request->manifest_path, &arena, &manifest, &err) < 0
                     ? cli_fail(&cli_panel_check, &err)
                     : check_mirrors(request, &manifest, &arena);
    arena_clear(&arena);
    return status;
}

static int
run(void *self, const struct cli_list *arguments)
{
    (void)arguments;
    return check_panel(self);
}

static const struct cli_option options[] = {
    {.name = "--manifest",
     .value = "FILE",
     .help = "the panel",
     CLI_TEXT(struct request, manifest_path)},
    {.name = "--mirrors",
     .value = "DIR",
     .help = "where the mirrors are, as NAME.git or NAME",
     CLI_TEXT(struct request, mirrors)},
    {.name = "--all", .help = "also print the good ones", CLI_FLAG(struct request, all)},
    {.name = "--json",
     .help = "a JSON line for each repository, good ones as well",
     CLI_FLAG(struct request, json)},
    CLI_END,
};

const struct cli_command cli_panel_check = {
    .name = "panel check",
    .summary = "report mirrors that are missing, damaged, shallow, partial or moved",
    .usage = "--manifest FILE --mirrors DIR [--all] [--json]",
    .about =
        "Looks at the mirror of every repository of the manifest and prints those that are not "
        "good: missing, damaged (its first-parent history cannot be walked), shallow, partial, "
        "without the commit that the manifest pins, or moved (its head is another commit). "
        "Only reads, and does not use the network.",
    .options = options,
    .statuses = "0 all are good; 1 some are not; 2 usage; 3 the manifest cannot be used.",
    .request_size = sizeof(struct request),
    .run = run,
};
