/*
 * Running a program: posix_spawn with two pipes, which are read by poll until both end.
 *
 * The child gets the environment of strata without variables that would redirect git, and with
 * settings that keep it from asking for passwords or host keys.  A requested stop ends the child
 * with SIGTERM.
 */
#include "miner/mirrors/process.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/stop.h"

enum { POLL_MS = 200, READ_STEP = 16 * 1024 };

extern char **environ;

/* Would VARIABLE make git use another repository, ask the user, or speak another language? */
static bool
is_removed(const char *variable)
{
    static const char *const names[] = {"GIT_DIR=",
                                        "GIT_WORK_TREE=",
                                        "GIT_COMMON_DIR=",
                                        "GIT_INDEX_FILE=",
                                        "GIT_NAMESPACE=",
                                        "GIT_OBJECT_DIRECTORY=",
                                        "GIT_ALTERNATE_OBJECT_DIRECTORIES=",
                                        "GIT_TERMINAL_PROMPT=",
                                        "GIT_ASKPASS=",
                                        "GIT_ALLOW_PROTOCOL=",
                                        "SSH_ASKPASS=",
                                        "LC_ALL=",
                                        "LANGUAGE="};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strncmp(variable, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* The environment of the child, to be freed; its strings are borrowed.  NULL when memory is out. */
static const char **
make_environment(void)
{
    static const char *const added[] = {"GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=true", "LC_ALL=C",
                                        "GIT_ALLOW_PROTOCOL=file:git:http:https:ssh",
                                        "GIT_SSH_COMMAND=ssh -o BatchMode=yes"};
    size_t n = 0, n_added = sizeof(added) / sizeof(added[0]);
    while (environ[n])
        n++;
    const char **out = reallocarray(NULL, n + n_added + 1, sizeof(*out));
    if (!out)
        return NULL;
    size_t kept = 0;
    bool has_ssh = getenv("GIT_SSH_COMMAND") || getenv("GIT_SSH");
    for (size_t i = 0; i < n; i++)
        if (!is_removed(environ[i]))
            out[kept++] = environ[i];
    for (size_t i = 0; i < n_added - has_ssh; i++)
        out[kept++] = added[i];
    out[kept] = NULL;
    return out;
}

static int
spawn(const char *const *arguments, const int out[2], const int said[2], pid_t *pid,
      struct err *err)
{
    const char **environment = make_environment();
    posix_spawn_file_actions_t actions;
    if (!environment)
        return err_nomem(err, "environment");
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, said[1], STDERR_FILENO);
    /* posix_spawn has no const in its parameters but does not change the strings. */
    int code = posix_spawnp(pid, arguments[0], &actions, NULL, (char **)(uintptr_t)arguments,
                            (char **)(uintptr_t)environment);
    posix_spawn_file_actions_destroy(&actions);
    free(environment);
    if (code == 0)
        return 0;
    errno = code;
    err_set_errno(err, "run %s", arguments[0]);
    return err_set(err, ERR_INPUT, "%s (is it installed?)", err ? err->text : "");
}

/* Read what FD has into OUT, of which the first or the last MAX_BYTES are kept.  False at the end.
 */
static bool
drain(int fd, struct buf *out, size_t max_bytes, bool keeps_tail)
{
    uint8_t chunk[READ_STEP];
    ssize_t n = read(fd, chunk, sizeof(chunk));
    if (n < 0)
        return errno == EINTR || errno == EAGAIN;
    if (n == 0)
        return false;
    if (keeps_tail) {
        buf_append(out, chunk, (size_t)n);
        if (out->len > max_bytes) {
            memmove(out->data, out->data + out->len - max_bytes, max_bytes);
            out->len = max_bytes;
        }
    } else if (out->len < max_bytes) {
        size_t left = max_bytes - out->len;
        buf_append(out, chunk, (size_t)n < left ? (size_t)n : left);
    }
    return true;
}

/* Read both streams until both end.  False: a stop was requested. */
static bool
collect(int out_fd, int said_fd, struct process_result *result)
{
    struct pollfd fds[2] = {{.fd = out_fd, .events = POLLIN}, {.fd = said_fd, .events = POLLIN}};
    while (fds[0].fd >= 0 || fds[1].fd >= 0) {
        if (stop_requested())
            return false;
        if (poll(fds, 2, POLL_MS) <= 0)
            continue;
        if (fds[0].revents && !drain(out_fd, &result->out, PROCESS_OUT_MAX, false))
            fds[0].fd = -1;
        if (fds[1].revents && !drain(said_fd, &result->said, PROCESS_SAID_MAX, true))
            fds[1].fd = -1;
    }
    return true;
}

static int
wait_for(pid_t pid)
{
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return 127;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int
open_pipes(int out[2], int said[2], struct err *err)
{
    if (pipe2(out, O_CLOEXEC) < 0)
        return err_set_errno(err, "make a pipe");
    if (pipe2(said, O_CLOEXEC) == 0)
        return 0;
    err_set_errno(err, "make a pipe");
    close(out[0]);
    close(out[1]);
    return -1;
}

int
process_run(const char *const *arguments, struct process_result *result, struct err *err)
{
    assert(arguments[0]);
    int out[2], said[2];
    pid_t pid;
    buf_reset(&result->out);
    buf_reset(&result->said);
    if (open_pipes(out, said, err) < 0)
        return -1;
    int started = spawn(arguments, out, said, &pid, err);
    close(out[1]);
    close(said[1]);
    bool ended = true;
    if (started == 0) {
        ended = collect(out[0], said[0], result);
        if (!ended)
            kill(pid, SIGTERM);
        result->status = wait_for(pid);
    }
    close(out[0]);
    close(said[0]);
    if (started < 0)
        return -1;
    if (!ended)
        return err_set(err, ERR_STOPPED, "stopped on request");
    return buf_failed(&result->out) || buf_failed(&result->said) ? err_nomem(err, "output of git")
                                                                 : 0;
}

void
process_result_clear(struct process_result *result)
{
    buf_clear(&result->out);
    buf_clear(&result->said);
}
