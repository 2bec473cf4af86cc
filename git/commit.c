/* A commit is lines "key value" up to an empty line, then the message.  tree comes first, then the
 * parents, then author and committer; of doubled lines the first counts. */
#include "git/commit.h"

#include "base/num.h"

enum {
    HEX_SHA1 = 2 * OID_SHA1_BYTES,
    PARENT_KEY = sizeof("parent ") - 1,
    PARENT_LINE = PARENT_KEY + HEX_SHA1 + 1,
    ZONE_HOURS_MAX = 14
};

static bool
parse_id(struct bytes line, struct bytes key, struct oid *out)
{
    return bytes_starts_with(line, key) && line.len == key.len + HEX_SHA1 &&
           oid_from_hex(bytes_slice(line, key.len, line.len), out) == 0;
}

/* "Name <address> date": the identity ends at the last '>', the date follows a space. */
static void
split_identity(struct bytes value, struct bytes *identity, struct bytes *date)
{
    size_t end = value.len;
    while (end > 0 && value.data[end - 1] != '>')
        end--;
    *identity = bytes_slice(value, 0, end);
    *date = end > 0 && end < value.len && value.data[end] == ' '
                ? bytes_slice(value, end + 1, value.len)
                : bytes_slice(value, value.len, value.len);
}

int
commit_parse(struct bytes raw, struct commit *out, const char **why)
{
    const struct bytes key_author = BYTES("author "), key_committer = BYTES("committer ");
    *out = (struct commit){0};
    struct bytes rest = raw, line, before;
    if (!bytes_take_line(&rest, &line) || !parse_id(line, BYTES("tree "), &out->tree)) {
        *why = "its first line names no tree";
        return -1;
    }
    out->parents = rest.data;
    before = rest;
    while (bytes_take_line(&rest, &line) && bytes_starts_with(line, BYTES("parent "))) {
        struct oid parent;
        if (!parse_id(line, BYTES("parent "), &parent) || out->n_parents == COMMIT_PARENTS_MAX) {
            *why = "a parent line is malformed";
            return -1;
        }
        out->n_parents++;
        before = rest;
    }
    rest = before;
    bool has_author = false, has_committer = false;
    while (bytes_take_line(&rest, &line) && line.len > 0) {
        if (!has_author && bytes_starts_with(line, key_author)) {
            split_identity(bytes_slice(line, key_author.len, line.len), &out->author,
                           &out->author_date);
            has_author = true;
        } else if (!has_committer && bytes_starts_with(line, key_committer)) {
            split_identity(bytes_slice(line, key_committer.len, line.len), &out->committer,
                           &out->date);
            has_committer = true;
        }
    }
    out->message = rest;
    return 0;
}

struct oid
commit_parent(const struct commit *commit, uint32_t i)
{
    struct oid out = {0};
    const uint8_t *line = commit->parents + (size_t)i * PARENT_LINE;
    oid_from_hex((struct bytes){line + PARENT_KEY, HEX_SHA1}, &out);
    return out;
}

/* [+-]HHMM of at most fourteen hours. */
static bool
zone_is_real(struct bytes zone)
{
    uint64_t hhmm;
    if (zone.len != 5 || (zone.data[0] != '+' && zone.data[0] != '-') ||
        num_parse_u64(bytes_slice(zone, 1, 5), 0, 9999, &hhmm) < 0)
        return false;
    return hhmm % 100 < 60 && hhmm <= ZONE_HOURS_MAX * 100;
}

enum date_state
commit_date(struct bytes date, int64_t latest_s, int64_t *time_s)
{
    size_t n = 0;
    while (n < date.len && date.data[n] != ' ')
        n++;
    if (num_parse_i64(bytes_slice(date, 0, n), INT64_MIN, INT64_MAX, time_s) < 0)
        return DATE_UNREADABLE;
    if (n == date.len || !zone_is_real(bytes_slice(date, n + 1, date.len)))
        return DATE_BAD_ZONE;
    if (*time_s <= 0)
        return DATE_TOO_EARLY;
    return *time_s > latest_s ? DATE_AHEAD : DATE_GOOD;
}

const char *
date_state_name(enum date_state state)
{
    static const char *const names[] = {"", "the committer date is no number",
                                        "the committer date has no zone or one that no place has",
                                        "the committer date is not after 1970-01-01",
                                        "the committer date lies in the future"};
    return names[state];
}
