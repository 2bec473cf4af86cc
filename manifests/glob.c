/*
 * Globs, matched by following all possible matches at the same time.
 *
 * A state is a place in the glob; each byte of the path moves the set of states to the next set, so
 * the matcher never goes back and the cost is at most path times glob.  The set is an array of
 * flags with the bounds of what is set in it, which makes the usual cost a few steps per byte.
 * Invariants of a set: flags are set in [first, last] only; `any` is false when none is.
 */
#include <assert.h>
#include <string.h>

#include "manifests/manifests.h"

/* Places in the glob that the path so far leads to, a flag each. */
struct states {
    bool live[GLOB_MAX_BYTES + 1];
    size_t first;
    size_t last;
    bool any;
};

static bool
is_globstar(struct bytes glob, size_t at)
{
    return at + 1 < glob.len && glob.data[at] == '*' && glob.data[at + 1] == '*';
}

/* Is the "**" at AT followed by '/' and preceded by one or by nothing? */
static bool
is_folder_globstar(struct bytes glob, size_t at)
{
    return is_globstar(glob, at) && at + 2 < glob.len && glob.data[at + 2] == '/' &&
           (at == 0 || glob.data[at - 1] == '/');
}

static void
put(struct states *states, size_t at)
{
    assert(at <= GLOB_MAX_BYTES);
    states->live[at] = true;
    if (!states->any || at < states->first)
        states->first = at;
    if (!states->any || at > states->last)
        states->last = at;
    states->any = true;
}

/* Add the place AT and those that are reached from it without a byte of the path. */
static void
enter(struct states *states, struct bytes glob, size_t at)
{
    for (;;) {
        put(states, at);
        if (at >= glob.len || glob.data[at] != '*')
            return;
        if (is_folder_globstar(glob, at)) {
            put(states, at + 2);
            at += 3;
        } else {
            at += is_globstar(glob, at) ? 2 : 1;
        }
    }
}

/* The place of the ']' that closes the '[' at AT, or glob.len.  A ']' that comes first is a member.
 */
static size_t
set_end(struct bytes glob, size_t at)
{
    size_t i = at + 1;
    if (i < glob.len && glob.data[i] == '!')
        i++;
    if (i < glob.len && glob.data[i] == ']')
        i++;
    while (i < glob.len && glob.data[i] != ']')
        i++;
    return i;
}

static bool
set_takes(struct bytes glob, size_t at, size_t end, uint8_t byte)
{
    size_t i = at + 1;
    bool negated = glob.data[i] == '!';
    bool found = false;
    for (i += negated; i < end; i++) {
        uint8_t low = glob.data[i];
        uint8_t high = low;
        if (i + 2 < end && glob.data[i + 1] == '-') {
            high = glob.data[i + 2];
            i += 2;
        }
        found |= low <= byte && byte <= high;
    }
    return byte != '/' && found != negated;
}

/* Move the live place AT over BYTE into NEXT. */
static void
step(struct states *next, struct bytes glob, size_t at, uint8_t byte)
{
    if (at == glob.len)
        return;
    if (is_globstar(glob, at)) {
        put(next, at);
        enter(next, glob, at + 2);
        if (byte == '/' && is_folder_globstar(glob, at))
            enter(next, glob, at + 3);
        return;
    }
    size_t end = glob.data[at] == '[' ? set_end(glob, at) : glob.len;
    if (glob.data[at] == '*') {
        if (byte != '/')
            enter(next, glob, at);
    } else if (glob.data[at] == '?') {
        if (byte != '/')
            enter(next, glob, at + 1);
    } else if (end < glob.len) {
        if (set_takes(glob, at, end, byte))
            enter(next, glob, end + 1);
    } else if (glob.data[at] == byte) {
        enter(next, glob, at + 1);
    }
}

static void
reset(struct states *states)
{
    if (states->any)
        memset(states->live + states->first, 0, states->last - states->first + 1);
    states->any = false;
}

static struct bytes
last_component(struct bytes path)
{
    size_t from = path.len;
    while (from > 0 && path.data[from - 1] != '/')
        from--;
    return bytes_slice(path, from, path.len);
}

bool
glob_matches(struct bytes glob, struct bytes path)
{
    if (glob.len > GLOB_MAX_BYTES)
        return false;
    if (glob.len == 0 || !memchr(glob.data, '/', glob.len))
        path = last_component(path);
    struct states sets[2] = {0};
    struct states *now = &sets[0], *next = &sets[1];
    enter(now, glob, 0);
    for (size_t i = 0; i < path.len && now->any; i++) {
        for (size_t at = now->first; at <= now->last; at++)
            if (now->live[at])
                step(next, glob, at, path.data[i]);
        reset(now);
        struct states *swap = now;
        now = next;
        next = swap;
    }
    return now->any && now->live[glob.len];
}

const char *
glob_fault(struct bytes glob)
{
    if (glob.len == 0)
        return "must not be empty";
    if (glob.len > GLOB_MAX_BYTES)
        return "is longer than 1024 bytes";
    if (glob.data[0] == '/')
        return "must not start with '/': paths are relative to the root of the scan";
    if (glob.data[glob.len - 1] == '/')
        return "must not end in '/': write \"folder/**\" for everything below a folder";
    for (size_t i = 0; i < glob.len; i++) {
        if (glob.data[i] != '[')
            continue;
        i = set_end(glob, i);
        if (i == glob.len)
            return "has a '[' that is not closed";
    }
    return NULL;
}
