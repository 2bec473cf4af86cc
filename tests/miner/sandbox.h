/*
 * Sandbox: a folder of its own for one test, with git repositories made from fast-import text.
 */
#ifndef STRATA_TESTS_MINER_SANDBOX_H
#define STRATA_TESTS_MINER_SANDBOX_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"

struct sandbox {
    char path[64];     /* the folder */
    char repo[128];    /* of the repository made last */
    struct buf script; /* fast-import input being written */
    unsigned n_marks;
};

/* cmocka set-up and tear-down: *state is a struct sandbox. */
static inline int
sandbox_create(void **state)
{
    struct sandbox *box = calloc(1, sizeof(*box));
    if (!box)
        return -1;
    snprintf(box->path, sizeof(box->path), "/tmp/strata-test.XXXXXX");
    *state = box;
    return mkdtemp(box->path) ? 0 : -1;
}

/* Run a shell command; the test fails when it does. */
static inline void
sandbox_run(const char *format, ...)
{
    char command[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(command, sizeof(command), format, args);
    va_end(args);
    if (system(command) != 0)
        fail_msg("command failed: %s", command);
}

static inline int
sandbox_destroy(void **state)
{
    struct sandbox *box = *state;
    sandbox_run("chmod -R u+w '%s'; rm -rf '%s'", box->path, box->path);
    buf_clear(&box->script);
    free(box);
    return 0;
}

/* Start the history of a bare repository NAME. */
static inline void
sandbox_begin(struct sandbox *box, const char *name)
{
    snprintf(box->repo, sizeof(box->repo), "%s/%s", box->path, name);
    buf_reset(&box->script);
    box->n_marks = 0;
}

/*
 * Add a commit; its mark (from 1) is returned.  PARENTS is a list of marks ended by 0, FILES is
 * fast-import file commands ("M 644 inline a.py\ndata 2\nx\n").
 */
static inline unsigned
sandbox_commit(struct sandbox *box, const unsigned *parents, const char *files)
{
    unsigned mark = ++box->n_marks;
    buf_printf(&box->script,
               "commit refs/heads/main\nmark :%u\ncommitter A <a@example.invalid> %u +0000\n"
               "data 1\nm\n",
               mark, 1500000000 + mark * 1000);
    for (unsigned i = 0; parents[i]; i++)
        buf_printf(&box->script, "%s :%u\n", i ? "merge" : "from", parents[i]);
    buf_append_text(&box->script, files);
    buf_append_byte(&box->script, '\n');
    return mark;
}

/* Write what was begun; box->repo is then a bare repository with HEAD on main. */
static inline void
sandbox_end(struct sandbox *box)
{
    char script[160];
    struct err err;
    snprintf(script, sizeof(script), "%s/script", box->path);
    if (fs_write(script, buf_bytes(&box->script), &err) < 0)
        fail_msg("%s", err.text);
    sandbox_run("git init -q --bare -b main '%s' && git --git-dir='%s' fast-import --quiet < '%s'",
                box->repo, box->repo, script);
}

#endif
