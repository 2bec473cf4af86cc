/*
 * Making mirrors with git.  A mirror is made in the folder NAME.git.part:
 *
 *   git ls-remote --symref URL HEAD            finds the default branch
 *   git init --bare; git fetch URL BRANCH
 *   git symbolic-ref HEAD BRANCH
 *
 * and then renamed to NAME.git.
 * 1. NAME.git is always complete.
 * 2. A failure that would happen again (no such repository, no access) is final; any other is tried
 * again after a delay that doubles.
 * 3. A .part folder that a stopped or killed run left is used again.  Packs that it has are not
 * fetched again, but everything that its refs lead to must be there before it is renamed.
 */
#include <assert.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/stop.h"
#include "base/thread_pool.h"
#include "miner/mirrors.h"
#include "git/objects.h"
#include "miner/mirrors/process.h"

enum { ARGUMENTS_MAX = 24, SLEEP_STEP_MS = 50, OPEN_MAX = 16 };

struct clone_run {
    const struct miner_clone_options *options;
    const struct manifest_repository *repositories;
    struct miner_clone *results;
};

/* One repository being cloned. */
struct clone {
    const struct miner_clone_options *options;
    const struct manifest_repository *repository;
    struct miner_clone *result;
    struct arena arena;
    const char *url;
    const char *path; /* of the mirror */
    const char *part; /* while it is being made */
    struct process_result git;
};

enum outcome { OUTCOME_DONE, OUTCOME_AGAIN, OUTCOME_NEVER, OUTCOME_STOPPED };

/* ---- Running git --------------------------------------------------------------------------- */

/* Take the last line off SAID. */
static struct bytes
take_last_line(struct bytes *said)
{
    while (said->len > 0 && said->data[said->len - 1] <= ' ')
        said->len--;
    size_t start = said->len;
    while (start > 0 && said->data[start - 1] != '\n' && said->data[start - 1] != '\r')
        start--;
    struct bytes line = bytes_slice(*said, start, said->len);
    said->len = start;
    return line;
}

/* Is LINE one with which git ends after many different errors? */
static bool
is_common_ending(struct bytes line)
{
    static const char *const endings[] = {"and the repository exists.",
                                          "Please make sure you have the correct access rights",
                                          "fatal: Could not read from remote repository."};
    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++)
        if (bytes_equal(line, bytes_of_text(endings[i])))
            return true;
    return false;
}

/* Keep the last line of git that is about this failure as the reason. */
static void
keep_reason(struct clone *clone)
{
    struct bytes said = buf_bytes(&clone->git.said);
    struct bytes line = take_last_line(&said);
    while (is_common_ending(line) && said.len > 0)
        line = take_last_line(&said);
    if (line.len == 0)
        snprintf(clone->result->reason, sizeof(clone->result->reason),
                 "git ended with status %d and said nothing", clone->git.status);
    else
        snprintf(clone->result->reason, sizeof(clone->result->reason), "%.*s", BYTES_ARG(line));
}

/* Would another try fail in the same way? */
static bool
is_final(const struct buf *said)
{
    static const char *const phrases[] = {"not found",
                                          "does not appear to be a git repository",
                                          "does not exist",
                                          "could not read Username",
                                          "Authentication failed",
                                          "Permission denied",
                                          "access denied",
                                          "returned error: 401",
                                          "returned error: 403",
                                          "returned error: 404",
                                          "returned error: 410",
                                          "couldn't find remote ref",
                                          "transport '",
                                          "No space left"};
    for (size_t i = 0; i < sizeof(phrases) / sizeof(phrases[0]); i++)
        if (said->len && memmem(said->data, said->len, phrases[i], strlen(phrases[i])))
            return true;
    return false;
}

/* Run git with the options that all calls share and ARGUMENTS, which end with NULL. */
static enum outcome
run_git(struct clone *clone, const char *const *arguments)
{
    char stall[64];
    snprintf(stall, sizeof(stall), "http.lowSpeedTime=%u", clone->options->stall_s);
    const char *all[ARGUMENTS_MAX] = {
        "git", "-c", "http.lowSpeedLimit=1000", "-c",
        stall, "-c", "fetch.unpackLimit=1"}; /* keep a pack, however small */
    size_t n = 7;
    for (size_t i = 0; arguments[i]; i++) {
        assert(n + 1 < ARGUMENTS_MAX);
        all[n++] = arguments[i];
    }
    struct err err;
    if (process_run(all, &clone->git, &err) < 0) {
        snprintf(clone->result->reason, sizeof(clone->result->reason), "%.500s", err.text);
        return err.code == ERR_STOPPED ? OUTCOME_STOPPED : OUTCOME_NEVER;
    }
    if (clone->git.status == 0)
        return OUTCOME_DONE;
    keep_reason(clone);
    return is_final(&clone->git.said) ? OUTCOME_NEVER : OUTCOME_AGAIN;
}

/* ---- One repository ------------------------------------------------------------------------ */

static enum outcome
never(struct clone *clone, const char *why)
{
    snprintf(clone->result->reason, sizeof(clone->result->reason), "%s", why);
    return OUTCOME_NEVER;
}

/* The branch in "ref: refs/heads/main\tHEAD", the answer of ls-remote --symref; NULL when it is not
 * there. */
static const char *
default_branch(struct clone *clone)
{
    struct bytes out = buf_bytes(&clone->git.out), start = BYTES("ref: "), end = BYTES("\tHEAD\n");
    if (!bytes_starts_with(out, start))
        return NULL;
    const uint8_t *tail = memmem(out.data, out.len, end.data, end.len);
    return tail ? arena_format(&clone->arena, "%.*s", (int)(tail - out.data - 5), out.data + 5)
                : NULL;
}

/* Make *OUT the full name of the ref to mirror: the one that the manifest names, or the default
 * branch. */
static enum outcome
find_ref(struct clone *clone, const char **out)
{
    struct bytes ref = clone->repository->ref;
    const char *const head[] = {"ls-remote", "--symref", "--", clone->url, "HEAD", NULL};
    if (ref.len == 0) {
        enum outcome outcome = run_git(clone, head);
        *out = outcome == OUTCOME_DONE ? default_branch(clone) : NULL;
        return outcome != OUTCOME_DONE || *out
                   ? outcome
                   : never(clone,
                           "the remote has no default branch: nothing was ever pushed there");
    }
    bool is_full = bytes_starts_with(ref, BYTES("refs/"));
    char *branch =
        arena_format(&clone->arena, is_full ? "%.*s" : "refs/heads/%.*s", BYTES_ARG(ref));
    char *tag = arena_format(&clone->arena, is_full ? "%.*s" : "refs/tags/%.*s", BYTES_ARG(ref));
    const char *const named[] = {"ls-remote", "--exit-code", "--", clone->url, branch, tag, NULL};
    if (!branch || !tag)
        return never(clone, "out of memory");
    enum outcome outcome = run_git(clone, named);
    if (clone->git.status == 2)
        return never(clone, "the remote has no branch or tag of the name that the manifest gives");
    if (outcome != OUTCOME_DONE)
        return outcome;
    struct bytes answer = buf_bytes(&clone->git.out);
    bool has_branch = answer.len && memmem(answer.data, answer.len, branch, strlen(branch));
    *out = has_branch ? branch : tag;
    return OUTCOME_DONE;
}

static enum outcome
fetch(struct clone *clone, const char *folder, const char *ref)
{
    char *refspec = arena_format(&clone->arena, "+%s:%s", ref, ref);
    const char *const arguments[] = {"--git-dir", folder,     "fetch", "--quiet", "--no-tags",
                                     "--",        clone->url, refspec, NULL};
    return refspec ? run_git(clone, arguments) : never(clone, "out of memory");
}

static enum outcome
point_head(struct clone *clone, const char *folder, const char *ref)
{
    const char *const branch[] = {"--git-dir", folder, "symbolic-ref", "HEAD", ref, NULL};
    char *commit = arena_format(&clone->arena, "%s^{commit}", ref);
    const char *const tag[] = {"--git-dir", folder, "update-ref", "--no-deref",
                               "HEAD",      commit, NULL};
    if (!commit)
        return never(clone, "out of memory");
    return run_git(clone, strncmp(ref, "refs/heads/", 11) == 0 ? branch : tag);
}

/* Fetch the pinned commit by its id, if the branch does not have it. */
static enum outcome
fetch_pinned(struct clone *clone, const char *folder)
{
    char hex[OID_HEX_SIZE], spec[OID_HEX_SIZE + 16];
    const struct oid *pinned = &clone->repository->head;
    if (pinned->len == 0)
        return OUTCOME_DONE;
    snprintf(spec, sizeof(spec), "%s^{commit}", oid_to_hex(pinned, hex));
    const char *const look[] = {"--git-dir", folder, "cat-file", "-e", spec, NULL};
    if (run_git(clone, look) == OUTCOME_DONE)
        return OUTCOME_DONE;
    snprintf(spec, sizeof(spec), "%s:refs/pinned", hex);
    const char *const ask[] = {"--git-dir", folder,     "fetch", "--quiet", "--no-tags",
                               "--",        clone->url, spec,    NULL};
    return run_git(clone, ask);
}

static enum outcome
fill(struct clone *clone, const char *folder)
{
    const char *ref = NULL;
    const char *const init[] = {"init", "--quiet", "--bare", "--", folder, NULL};
    enum outcome outcome = find_ref(clone, &ref);
    if (outcome == OUTCOME_DONE)
        outcome = run_git(clone, init);
    if (outcome == OUTCOME_DONE)
        outcome = fetch(clone, folder, ref);
    if (outcome == OUTCOME_DONE)
        outcome = point_head(clone, folder, ref);
    return outcome == OUTCOME_DONE ? fetch_pinned(clone, folder) : outcome;
}

static int
remove_entry(const char *path, const struct stat *st, int kind, struct FTW *where)
{
    (void)st;
    (void)kind;
    (void)where;
    return remove(path);
}

static void
remove_tree(const char *path)
{
    nftw(path, remove_entry, OPEN_MAX, FTW_DEPTH | FTW_PHYS);
}

static int
remove_leftover(const char *path, const struct stat *st, int kind, struct FTW *where)
{
    struct bytes name = bytes_of_text(path + where->base);
    (void)st;
    bool is_leftover =
        bytes_ends_with(name, BYTES(".lock")) || bytes_starts_with(name, BYTES("tmp_"));
    return kind == FTW_F && is_leftover ? remove(path) : 0;
}

/* Remove locks and unfinished packs of a git that was killed. */
static void
clean_tree(const char *path)
{
    nftw(path, remove_leftover, OPEN_MAX, FTW_PHYS);
}

/* Check that everything is there that the refs lead to, in a folder from an earlier run. */
static enum outcome
check_whole(struct clone *clone)
{
    const char *const walk[] = {"--git-dir", clone->part, "rev-list", "--objects",
                                "--quiet",   "--all",     NULL};
    enum outcome outcome = run_git(clone, walk);
    if (outcome == OUTCOME_STOPPED || outcome == OUTCOME_DONE)
        return outcome;
    remove_tree(clone->part);
    return OUTCOME_AGAIN;
}

static enum outcome
try_once(struct clone *clone, bool is_there)
{
    bool was_left = !is_there && access(clone->part, F_OK) == 0;
    enum outcome outcome = fill(clone, is_there ? clone->path : clone->part);
    if (outcome == OUTCOME_DONE && was_left)
        outcome = check_whole(clone);
    if (outcome != OUTCOME_DONE || is_there)
        return outcome;
    if (rename(clone->part, clone->path) == 0)
        return OUTCOME_DONE;
    snprintf(clone->result->reason, sizeof(clone->result->reason), "rename to %.400s: %s",
             clone->path, strerror(errno));
    return OUTCOME_NEVER;
}

/* Remove what cannot be used from the folder of an earlier run. */
static void
clean_part(struct clone *clone)
{
    char *path = arena_format(&clone->arena, "%s/objects", clone->part);
    struct objects *objects = NULL;
    bool is_damaged =
        path && objects_open(path, NULL, &objects, NULL) == 0 && objects_problem(objects) != NULL;
    objects_close(objects);
    if (is_damaged)
        remove_tree(clone->part);
    else
        clean_tree(clone->part);
}

static void
sleep_for(double seconds)
{
    const struct timespec step = {0, SLEEP_STEP_MS * 1000000L};
    for (double slept = 0; slept < seconds && !stop_requested(); slept += SLEEP_STEP_MS / 1000.0)
        nanosleep(&step, NULL);
}

static void
try_repeatedly(struct clone *clone, bool is_there)
{
    struct miner_clone *result = clone->result;
    double delay_s = clone->options->retry_delay_s;
    enum outcome outcome = OUTCOME_AGAIN;
    while (outcome == OUTCOME_AGAIN && result->n_tries < clone->options->n_tries) {
        if (result->n_tries > 0) {
            progress_note(clone->options->progress, "%.*s: %s; trying again",
                          BYTES_ARG(clone->repository->name), result->reason);
            sleep_for(delay_s);
            delay_s *= 2;
        }
        result->n_tries++;
        clean_part(clone);
        outcome = stop_requested() ? OUTCOME_STOPPED : try_once(clone, is_there);
    }
    if (outcome == OUTCOME_DONE) {
        result->state = is_there ? MINER_CLONE_UPDATED : MINER_CLONE_MADE;
        result->reason[0] = '\0';
    } else if (outcome == OUTCOME_STOPPED) {
        result->state = MINER_CLONE_STOPPED;
    } else {
        result->state = MINER_CLONE_FAILED;
        remove_tree(clone->part); /* it may be the reason */
    }
}

static bool
is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Make the folders above PATH.  -1 with errno. */
static int
make_parents(const char *path, struct arena *arena)
{
    char *copy = arena_format(arena, "%s", path);
    if (!copy)
        return -1;
    for (char *slash = strchr(copy + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(copy, 0777) < 0 && errno != EEXIST)
            return -1;
        if (!is_folder(copy)) {
            errno = ENOTDIR;
            return -1;
        }
        *slash = '/';
    }
    return 0;
}

static bool
url_is_usable(struct bytes url)
{
    return url.len > 0 && url.data[0] != '-' && !memchr(url.data, '\0', url.len);
}

static void
clone_one(void *shared, size_t index)
{
    struct clone_run *run = shared;
    struct clone clone = {.options = run->options,
                          .repository = &run->repositories[index],
                          .result = &run->results[index]};
    arena_init(&clone.arena, 0);
    const struct manifest_repository *repository = clone.repository;
    clone.path = miner_mirror_path(run->options->mirrors, repository->name, &clone.arena);
    clone.part = arena_format(&clone.arena, "%s/%.*s.git.part", run->options->mirrors,
                              BYTES_ARG(repository->name));
    clone.url = arena_format(&clone.arena, "%.*s", BYTES_ARG(repository->url));
    bool is_there = clone.path && access(clone.path, F_OK) == 0;
    clone.result->state = MINER_CLONE_FAILED;
    if (!clone.path || !clone.part || !clone.url)
        never(&clone, "out of memory");
    else if (is_there && !run->options->update)
        clone.result->state = MINER_CLONE_PRESENT;
    else if (!url_is_usable(repository->url))
        never(&clone, "the manifest gives no url that git can clone");
    else if (make_parents(clone.path, &clone.arena) < 0)
        never(&clone, strerror(errno));
    else
        try_repeatedly(&clone, is_there);
    process_result_clear(&clone.git);
    arena_clear(&clone.arena);
    progress_add_done(run->options->progress, 1);
}

/* ---- All ----------------------------------------------------------------------------------- */

int
miner_clone(const struct miner_clone_options *options,
            const struct manifest_repository *repositories, size_t n_repositories,
            struct miner_clone *results, struct err *err)
{
    struct clone_run run = {options, repositories, results};
    struct process_result version = {0};
    const char *const arguments[] = {"git", "--version", NULL};
    int rc = process_run(arguments, &version, err);
    process_result_clear(&version);
    if (rc < 0)
        return -1;
    for (size_t i = 0; i < n_repositories; i++)
        results[i] = (struct miner_clone){.state = MINER_CLONE_STOPPED};
    progress_add_total(options->progress, n_repositories);
    thread_pool_for_each(options->n_jobs, n_repositories, clone_one, &run);
    return stop_requested() ? err_set(err, ERR_STOPPED, "stopped on request") : 0;
}
