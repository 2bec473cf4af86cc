/*
 * strata panel clone: bare mirrors of the repositories of a manifest.
 *
 * What the clones will take is estimated first and compared with the free space of the disk; then
 * the mirrors are made, several at a time, and what became of each is printed.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cli/commands.h"
#include "miner/miner.h"
#include "miner/mirrors.h"

struct request {
    const char *manifest_path, *mirrors;
    struct miner_clone_options options;
    uint64_t n_jobs, n_tries, stall_s;
    bool force, quiet, json;
};

static const char *
state_name(enum miner_clone_state state)
{
    static const char *const names[] = {"cloned", "updated", "present", "failed", "stopped"};
    return names[state];
}

static void
write_results(const struct manifest *manifest, const struct miner_clone *results, bool as_json,
              struct buf *out)
{
    size_t n[MINER_CLONE_STOPPED + 1] = {0};
    for (size_t i = 0; i < manifest->n_repositories; i++) {
        const struct miner_clone *result = &results[i];
        struct bytes name = manifest->repositories[i].name;
        n[result->state]++;
        if (as_json) {
            struct json_writer json = json_writer_init(out, 0);
            json_begin_object(&json);
            json_member_bytes(&json, "repository", name);
            json_member_text(&json, "state", state_name(result->state));
            json_member_u64(&json, "tries", result->n_tries);
            json_member_text(&json, "reason", result->reason[0] ? result->reason : NULL);
            json_end_object(&json);
            buf_append_byte(out, '\n');
        } else if (result->reason[0]) {
            buf_printf(out, "%.*s: %s after %u tries: ", BYTES_ARG(name), state_name(result->state),
                       result->n_tries);
            printable_append(out, bytes_of_text(result->reason));
            buf_append_byte(out, '\n');
        }
    }
    if (!as_json)
        buf_printf(out,
                   "%zu repositories: %zu cloned, %zu updated, %zu present, %zu failed, "
                   "%zu stopped\n",
                   manifest->n_repositories, n[MINER_CLONE_MADE], n[MINER_CLONE_UPDATED],
                   n[MINER_CLONE_PRESENT], n[MINER_CLONE_FAILED], n[MINER_CLONE_STOPPED]);
}

/* Print what the clones will take, before any is begun.  ERR_FULL: the disk has less. */
static int
estimate(const struct request *request, const struct manifest *manifest, struct err *err)
{
    struct miner_clone_estimate e;
    if (miner_clone_estimate(request->mirrors, manifest->repositories, manifest->n_repositories, &e,
                             err) < 0)
        return -1;
    char basis[96] = "the mean of 40 mirrors of 0.4 to 147 MB";
    if (e.n_measured > 0)
        snprintf(basis, sizeof(basis), "the mean of the %zu mirrors that are there", e.n_measured);
    if (!request->quiet)
        fprintf(stderr,
                "%zu of %zu repositories to clone, about %.1f GB at %.1f MB each (%s); %.1f GB "
                "free\n",
                e.n_missing, manifest->n_repositories, (double)e.wanted_bytes / 1e9,
                (double)e.mean_bytes / 1e6, basis, (double)e.free_bytes / 1e9);
    if (e.wanted_bytes <= e.free_bytes || request->force)
        return 0;
    return err_set(err, ERR_FULL,
                   "the disk of %s has %.1f GB free and about %.1f GB are needed; free some space, "
                   "or give --force",
                   request->mirrors, (double)e.free_bytes / 1e9, (double)e.wanted_bytes / 1e9);
}

static int
clone_all(struct request *request, const struct manifest *manifest)
{
    struct err err;
    struct buf out = {0};
    struct miner_clone *results = calloc(manifest->n_repositories + 1, sizeof(*results));
    if (!results) {
        err_nomem(&err, "results");
        return cli_fail(&cli_panel_clone, &err);
    }
    request->options.progress = progress_start("cloning", "repositories", request->quiet);
    int rc = miner_clone(&request->options, manifest->repositories, manifest->n_repositories,
                         results, &err);
    progress_finish(request->options.progress);
    int status = CLI_DONE;
    if (rc == 0 || err.code == ERR_STOPPED) {
        write_results(manifest, results, request->json, &out);
        status = cli_print(&cli_panel_clone, &out);
    }
    for (size_t i = 0; status == CLI_DONE && i < manifest->n_repositories; i++)
        if (results[i].state >= MINER_CLONE_FAILED)
            status = CLI_FINDINGS;
    if (rc < 0)
        status = cli_fail(&cli_panel_clone, &err);
    free(results);
    return status;
}

static int
clone_panel(struct request *request)
{
    struct err err;
    struct arena arena;
    struct manifest manifest;
    if (!request->manifest_path || !request->mirrors)
        return cli_usage(&cli_panel_clone, "%s is missing",
                         request->manifest_path ? "--mirrors" : "--manifest");
    if (!(request->options.retry_delay_s >= 0 && request->options.retry_delay_s <= 3600))
        return cli_usage(&cli_panel_clone, "--retry-delay takes 0 to 3600 seconds");
    request->options.mirrors = request->mirrors;
    request->options.n_jobs = request->n_jobs;
    request->options.n_tries = (unsigned)request->n_tries;
    request->options.stall_s = (unsigned)request->stall_s;
    arena_init(&arena, 0);
    int status;
    if (manifest_read(request->manifest_path, &arena, &manifest, &err) < 0 ||
        estimate(request, &manifest, &err) < 0)
        status = cli_fail(&cli_panel_clone, &err);
    else
        status = clone_all(request, &manifest);
    arena_clear(&arena);
    return status;
}

static int
run(void *self, const struct cli_list *arguments)
{
    (void)arguments;
    return clone_panel(self);
}

static void
set_defaults(void *self)
{
    struct request *request = self;
    request->n_jobs = 4;
    request->n_tries = 5;
    request->stall_s = 30;
    request->options.retry_delay_s = 2;
}

static const struct cli_option options[] = {
    {.name = "--manifest",
     .value = "FILE",
     .help = "the panel",
     CLI_TEXT(struct request, manifest_path)},
    {.name = "--mirrors",
     .value = "DIR",
     .help = "where the mirrors go; created when it is missing",
     CLI_TEXT(struct request, mirrors)},
    {.name = "--jobs",
     .value = "N",
     .help = "clone this many at a time",
     .min = 1,
     .max = 64,
     CLI_NUMBER(struct request, n_jobs)},
    {.name = "--tries",
     .value = "N",
     .help = "for each repository. What a server refuses for good is not tried again",
     .min = 1,
     .max = 100,
     CLI_NUMBER(struct request, n_tries)},
    {.name = "--retry-delay",
     .value = "S",
     .help = "seconds before the second try, doubled for each after it",
     CLI_REAL(struct request, options.retry_delay_s)},
    {.name = "--stall",
     .value = "S",
     .help = "give a connection up that brings less than 1 kB/s for this many seconds",
     .min = 1,
     .max = 3600,
     CLI_NUMBER(struct request, stall_s)},
    {.name = "--update",
     .help = "fetch what is new into mirrors that are there",
     CLI_FLAG(struct request, options.update)},
    {.name = "--force",
     .help = "begin even when the disk seems too small",
     CLI_FLAG(struct request, force)},
    {.name = "--json", .help = "a JSON line for each repository", CLI_FLAG(struct request, json)},
    {.name = "--quiet", .help = "no progress", CLI_FLAG(struct request, quiet)},
    CLI_END,
};

const struct cli_command cli_panel_clone = {
    .name = "panel clone",
    .summary = "make bare mirrors of a panel's repositories",
    .usage = "--manifest FILE --mirrors DIR [OPTION...]",
    .about =
        "Clones with the git of the system, over https, ssh, git or file, the whole history of "
        "each repository's default branch (or of the branch or tag that its manifest names) "
        "into DIR/OWNER/NAME.git. A mirror appears when it is complete; the same command "
        "continues with those that are missing. Passwords are never asked for.",
    .options = options,
    .statuses = "0 every mirror is there; 1 some could not be made, as listed; 2 usage; 3 the "
                "manifest, the folder or git cannot be used; 130 stopped.",
    .request_size = sizeof(struct request),
    .set_defaults = set_defaults,
    .run = run,
};
