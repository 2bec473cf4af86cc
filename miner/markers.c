/*
 * Finding marks.  The list is compiled into patterns of lower-case bytes; a commit's text is
 * compared without regard to ASCII case.  Each mark is reported once, for the first place in which
 * it was found.
 */
#include "miner/markers.h"

#include <assert.h>
#include <stdlib.h>

#include "base/embedded.h"
#include "base/json_read.h"
#include "base/json_write.h"

extern const struct embedded_file miner_assistants[];

enum { MARKS_MAX = 64, MESSAGE_BYTES_MAX = 1024 * 1024, NAME_BYTES_MAX = 512 };

enum place { PLACE_AUTHOR, PLACE_COMMITTER, PLACE_TRAILER, PLACE_MESSAGE, PLACE_N };

static const char *const place_names[PLACE_N] = {"author", "committer", "trailer", "message"};

struct mark {
    struct bytes id, kind;
    const struct json_value *emails, *name_starts, *name_ends, *lines;
};

struct markers {
    struct json_doc *doc;
    struct mark marks[MARKS_MAX];
    size_t n_marks;
};

int
markers_open(struct markers **out, struct err *err)
{
    struct markers *markers = calloc(1, sizeof(*markers));
    if (!markers)
        return err_nomem(err, "list of assistants");
    struct bytes text = {miner_assistants[0].data, miner_assistants[0].len};
    if (json_open(text, "assistants.json", false, &markers->doc, err) < 0) {
        free(markers);
        return -1;
    }
    const struct json_value *list = json_member(json_root(markers->doc), "marks");
    for (const struct json_value *mark = json_first(list); mark; mark = json_next(mark)) {
        assert(markers->n_marks < MARKS_MAX);
        markers->marks[markers->n_marks++] =
            (struct mark){.id = json_string(json_member(mark, "id")),
                          .kind = json_string(json_member(mark, "kind")),
                          .emails = json_member(mark, "emails"),
                          .name_starts = json_member(mark, "name_starts"),
                          .name_ends = json_member(mark, "name_ends"),
                          .lines = json_member(mark, "lines")};
    }
    *out = markers;
    return 0;
}

void
markers_close(struct markers *markers)
{
    if (!markers)
        return;
    json_close(markers->doc);
    free(markers);
}

/* ---- Comparing, without case --------------------------------------------------------------- */

static uint8_t
lower(uint8_t byte)
{
    return byte >= 'A' && byte <= 'Z' ? (uint8_t)(byte + ('a' - 'A')) : byte;
}

/* Is PATTERN, which is in lower case, in TEXT at AT? */
static bool
is_at(struct bytes text, size_t at, struct bytes pattern)
{
    if (pattern.len > text.len - at)
        return false;
    for (size_t i = 0; i < pattern.len; i++)
        if (lower(text.data[at + i]) != pattern.data[i])
            return false;
    return true;
}

static bool
is_same(struct bytes text, struct bytes pattern)
{
    return text.len == pattern.len && is_at(text, 0, pattern);
}

static bool
starts_with(struct bytes text, struct bytes pattern)
{
    return is_at(text, 0, pattern);
}

static bool
ends_with(struct bytes text, struct bytes pattern)
{
    return text.len >= pattern.len && is_at(text, text.len - pattern.len, pattern);
}

static bool
contains(struct bytes text, struct bytes pattern)
{
    for (size_t at = 0; at + pattern.len <= text.len; at++)
        if (is_at(text, at, pattern))
            return true;
    return false;
}

typedef bool comparison(struct bytes text, struct bytes pattern);

static bool
any(const struct json_value *patterns, comparison *compare, struct bytes text)
{
    const struct json_value *item = patterns ? json_first(patterns) : NULL;
    for (; item; item = json_next(item))
        if (compare(text, json_string(item)))
            return true;
    return false;
}

/* ---- Finding ------------------------------------------------------------------------------- */

struct found {
    bool is_set[MARKS_MAX][PLACE_N];
};

static struct bytes
trim(struct bytes text)
{
    while (text.len > 0 && text.data[text.len - 1] <= ' ')
        text.len--;
    while (text.len > 0 && text.data[0] <= ' ')
        text = bytes_slice(text, 1, text.len);
    return text;
}

/* "name@host" for "123+name@host". */
static struct bytes
without_number(struct bytes email)
{
    size_t n = 0;
    while (n < email.len && email.data[n] >= '0' && email.data[n] <= '9')
        n++;
    return n > 0 && n < email.len && email.data[n] == '+' ? bytes_slice(email, n + 1, email.len)
                                                          : email;
}

/* Find the first mark that matches "Name <address>". */
static void
look_at_identity(const struct markers *markers, struct bytes identity, enum place place,
                 struct found *found)
{
    if (identity.len > NAME_BYTES_MAX)
        return;
    size_t open = identity.len;
    while (open > 0 && identity.data[open - 1] != '<')
        open--;
    struct bytes name = trim(bytes_slice(identity, 0, open > 0 ? open - 1 : identity.len));
    struct bytes email = trim(bytes_slice(identity, open > 0 ? open : identity.len, identity.len));
    if (email.len > 0 && email.data[email.len - 1] == '>')
        email.len--;
    email = without_number(email);
    for (size_t i = 0; i < markers->n_marks; i++) {
        const struct mark *mark = &markers->marks[i];
        if (any(mark->emails, is_same, email) || any(mark->name_starts, starts_with, name) ||
            any(mark->name_ends, ends_with, name)) {
            found->is_set[i][place] = true;
            return;
        }
    }
}

static void
look_at_line(const struct markers *markers, struct bytes line, struct found *found)
{
    struct bytes trailer = BYTES("co-authored-by:");
    if (starts_with(line, trailer)) {
        look_at_identity(markers, trim(bytes_slice(line, trailer.len, line.len)), PLACE_TRAILER,
                         found);
        return;
    }
    for (size_t i = 0; i < markers->n_marks; i++)
        if (any(markers->marks[i].lines, contains, line))
            found->is_set[i][PLACE_MESSAGE] = true;
}

static void
look_at_message(const struct markers *markers, struct bytes message, struct found *found)
{
    if (message.len > MESSAGE_BYTES_MAX)
        message.len = MESSAGE_BYTES_MAX;
    struct bytes line;
    while (bytes_take_line(&message, &line))
        look_at_line(markers, trim(line), found);
}

static void
write_found(const struct markers *markers, const struct found *found, struct buf *out)
{
    struct json_writer json = json_writer_init(out, 0);
    bool has_begun = false;
    for (int place = 0; place < PLACE_N; place++)
        for (size_t i = 0; i < markers->n_marks; i++) {
            if (!found->is_set[i][place])
                continue;
            if (!has_begun)
                json_begin_array(&json);
            has_begun = true;
            json_begin_object(&json);
            json_member_bytes(&json, "id", markers->marks[i].id);
            json_member_bytes(&json, "kind", markers->marks[i].kind);
            json_member_text(&json, "where", place_names[place]);
            json_end_object(&json);
        }
    if (has_begun)
        json_end_array(&json);
}

int
markers_find(const struct markers *markers, const struct commit *commit, struct arena *arena,
             struct bytes *out, struct err *err)
{
    struct found found = {0};
    look_at_identity(markers, commit->author, PLACE_AUTHOR, &found);
    look_at_identity(markers, commit->committer, PLACE_COMMITTER, &found);
    look_at_message(markers, commit->message, &found);
    struct buf text = {0};
    write_found(markers, &found, &text);
    *out = (struct bytes){NULL, 0};
    if (text.len > 0)
        *out = arena_copy(arena, buf_bytes(&text));
    bool failed = buf_failed(&text) || (text.len > 0 && !out->data);
    buf_clear(&text);
    return failed ? err_nomem(err, "markers of a commit") : 0;
}
