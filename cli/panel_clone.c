/* strata panel clone: bare mirrors of the repositories of a manifest. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "miner/miner.h"
#include "miner/mirrors.h"

extern const struct cli_command cli_panel_clone;

struct arguments {
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

/* Say what it will take before anything is begun.  -1: the disk has not got it. */
static int
estimate(const struct arguments *a, const struct manifest *manifest, struct err *err)
{
    struct miner_clone_estimate e;
    if (miner_clone_estimate(a->mirrors, manifest->repositories, manifest->n_repositories, &e,
                             err) < 0)
        return -1;
    char basis[96] = "the mean of 40 of all sizes, from 0.4 to 147 MB";
    if (e.n_measured > 0)
        snprintf(basis, sizeof(basis), "the mean of the %zu that are there", e.n_measured);
    if (!a->quiet)
        fprintf(stderr,
                "%zu of %zu repositories to clone, about %.1f GB at %.1f MB each (%s); %.1f GB "
                "free\n",
                e.n_missing, manifest->n_repositories, (double)e.wanted_bytes / 1e9,
                (double)e.mean_bytes / 1e6, basis, (double)e.free_bytes / 1e9);
    if (e.wanted_bytes <= e.free_bytes || a->force)
        return 0;
    return err_set(err, ERR_FULL,
                   "the disk of %s has %.1f GB free and about %.1f GB are wanted; make room, or "
                   "give --force",
                   a->mirrors, (double)e.free_bytes / 1e9, (double)e.wanted_bytes / 1e9);
}

static int
clone_all(struct arguments *a, const struct manifest *manifest)
{
    struct err err;
    struct buf out = {0};
    struct miner_clone *results = calloc(manifest->n_repositories + 1, sizeof(*results));
    if (!results) {
        err_nomem(&err, "results");
        return cli_fail(&cli_panel_clone, &err);
    }
    a->options.progress = progress_start("cloning", "repositories", a->quiet);
    int done =
        miner_clone(&a->options, manifest->repositories, manifest->n_repositories, results, &err);
    progress_finish(a->options.progress);
    int status = CLI_DONE;
    if (done == 0 || err.code == ERR_STOPPED) {
        write_results(manifest, results, a->json, &out);
        status = cli_print(&cli_panel_clone, &out);
    }
    for (size_t i = 0; status == CLI_DONE && i < manifest->n_repositories; i++)
        if (results[i].state >= MINER_CLONE_FAILED)
            status = CLI_FINDINGS;
    if (done < 0)
        status = cli_fail(&cli_panel_clone, &err);
    free(results);
    return status;
}

static int
clone_panel(struct arguments *a)
{
    struct err err;
    struct arena arena;
    struct manifest manifest;
    if (!a->manifest_path || !a->mirrors)
        return cli_usage(&cli_panel_clone, "%s is missing",
                         a->manifest_path ? "--mirrors" : "--manifest");
    if (!(a->options.retry_delay_s >= 0 && a->options.retry_delay_s <= 3600))
        return cli_usage(&cli_panel_clone, "--retry-delay wants 0 to 3600 seconds");
    a->options.mirrors = a->mirrors;
    a->options.n_jobs = a->n_jobs;
    a->options.n_tries = (unsigned)a->n_tries;
    a->options.stall_s = (unsigned)a->stall_s;
    arena_init(&arena, 0);
    int status;
    if (manifest_read(a->manifest_path, &arena, &manifest, &err) < 0 ||
        estimate(a, &manifest, &err) < 0)
        status = cli_fail(&cli_panel_clone, &err);
    else
        status = clone_all(a, &manifest);
    arena_clear(&arena);
    return status;
}

static int
run(int argc, char **argv)
{
    struct arguments a = {
        .options = {.retry_delay_s = 2}, .n_jobs = 4, .n_tries = 5, .stall_s = 30};
    struct cli_list rest = {0};
    const struct cli_option options[] = {
        {.name = "--manifest", .text = &a.manifest_path},
        {.name = "--mirrors", .text = &a.mirrors},
        {.name = "--jobs", .number = &a.n_jobs, .min = 1, .max = 64},
        {.name = "--tries", .number = &a.n_tries, .min = 1, .max = 100},
        {.name = "--retry-delay", .real = &a.options.retry_delay_s},
        {.name = "--stall", .number = &a.stall_s, .min = 1, .max = 3600},
        {.name = "--update", .flag = &a.options.update},
        {.name = "--force", .flag = &a.force},
        {.name = "--quiet", .flag = &a.quiet},
        {.name = "--json", .flag = &a.json},
        {.name = NULL}};
    int status = CLI_USAGE;
    if (cli_parse(&cli_panel_clone, argc, argv, options, &rest) == 0)
        status = rest.n_items ? cli_usage(&cli_panel_clone, "'%s' is not asked for", rest.items[0])
                              : clone_panel(&a);
    cli_list_clear(&rest);
    return status;
}

const struct cli_command cli_panel_clone = {
    .name = "panel clone",
    .summary = "make bare mirrors of a panel's repositories",
    .help =
        "usage: strata panel clone --manifest FILE --mirrors DIR [OPTION...]\n"
        "\n"
        "Clones with the git of the system, over https, ssh, git or file, the whole history of\n"
        "each repository's default branch (or of the branch or tag its manifest names) into\n"
        "DIR/OWNER/NAME.git.  A mirror appears when it is complete: a run that was stopped goes "
        "on\n"
        "with those that lack.  Nobody is asked for a password.\n"
        "\n"
        "  --manifest FILE   the panel\n"
        "  --mirrors DIR     where the mirrors go; made when it is missing\n"
        "  --jobs N          how many at once [4]\n"
        "  --tries N         for each repository; what a server refuses for good is not asked\n"
        "                    again [5]\n"
        "  --retry-delay S   seconds before the second try, doubled for each after it [2]\n"
        "  --stall S         give a connection up that brings less than 1 kB/s for so long [30]\n"
        "  --update          fetch what is new into mirrors that are there\n"
        "  --force           begin even when the disk seems too small\n"
        "  --quiet           no progress\n"
        "  --json            a JSON line per repository\n"
        "\n"
        "Exit status: 0 every mirror is there; 1 some could not be made, as listed; 3 the "
        "manifest,\n"
        "the folder or git cannot be used; 130 stopped.\n",
    .run = run,
};
