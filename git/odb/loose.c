/* The header is inflated first, so memory is taken only for a size that is announced and allowed.
 * The stream must then give exactly that many bytes and end with the file. */
#include "git/odb/loose.h"

#include <string.h>
#include <unistd.h>

#include "base/num.h"

enum { HEADER_MAX = 32, HEAD_INPUT = 4096, SIZE_DIGITS_MAX = 19 };

static const char *const kind_names[] = {
    [ODB_COMMIT] = "commit", [ODB_TREE] = "tree", [ODB_BLOB] = "blob", [ODB_TAG] = "tag"};

const char *
loose_kind_name(enum odb_kind kind)
{
    return kind_names[kind];
}

struct header {
    enum odb_kind kind;
    size_t len; /* with its NUL */
    uint64_t size;
};

static bool
take_kind(struct bytes name, enum odb_kind *out)
{
    for (int kind = ODB_COMMIT; kind <= ODB_TAG; kind++)
        if (bytes_equal(name, bytes_of_text(kind_names[kind]))) {
            *out = (enum odb_kind)kind;
            return true;
        }
    return false;
}

static enum odb_outcome
parse_header(struct bytes head, struct header *out, struct failure *failure)
{
    const uint8_t *space = head.len ? memchr(head.data, ' ', head.len) : NULL;
    const uint8_t *end = head.len ? memchr(head.data, 0, head.len) : NULL;
    if (!space || !end || end < space)
        return failure_set(failure, ODB_DAMAGED, "it does not begin with a kind and a size");
    size_t at = (size_t)(space - head.data), to = (size_t)(end - head.data);
    if (!take_kind(bytes_slice(head, 0, at), &out->kind))
        return failure_set(failure, ODB_DAMAGED, "it is of no known kind");
    struct bytes digits = bytes_slice(head, at + 1, to);
    bool is_padded = digits.len > 1 && digits.data[0] == '0';
    if (is_padded || digits.len > SIZE_DIGITS_MAX ||
        num_parse_u64(digits, 0, INT64_MAX, &out->size) < 0)
        return failure_set(failure, ODB_DAMAGED, "its size is not a number that can be");
    out->len = to + 1;
    return ODB_OK;
}

/* The first bytes of a file, which of most is all of them. */
struct head {
    uint8_t raw[HEAD_INPUT];
    size_t len;
};

static enum odb_outcome
read_header(struct expander *expander, const struct regular *file, struct head *head,
            struct header *out, struct failure *failure)
{
    uint8_t inflated[HEADER_MAX];
    size_t n;
    head->len = file->size < HEAD_INPUT ? (size_t)file->size : HEAD_INPUT;
    if (file->size == 0)
        return failure_set(failure, ODB_DAMAGED, "it is empty");
    enum odb_outcome outcome = regular_read_at(file->fd, 0, head->len, head->raw, failure);
    if (outcome == ODB_OK)
        outcome = inflate_head(expander->inflater, (struct bytes){head->raw, head->len}, inflated,
                               sizeof(inflated), &n, failure);
    return outcome == ODB_OK ? parse_header((struct bytes){inflated, n}, out, failure) : outcome;
}

static enum odb_outcome
inflate_content(struct expander *expander, struct bytes in, const struct header *header,
                struct base *base, struct failure *failure)
{
    size_t len = header->len + (size_t)header->size, used;
    if (!inflate_whole(expander->inflater, in, base->storage, len, &used))
        return inflate_explain(expander->inflater, in, header->len, len, failure);
    if (used != in.len)
        return failure_set(failure, ODB_DAMAGED, "%zu bytes follow its end", in.len - used);
    base->data = base->storage + header->len;
    base->len = (size_t)header->size;
    base->kind = header->kind;
    return ODB_OK;
}

/* All bytes of FILE, which begins with HEAD. */
static enum odb_outcome
read_all(struct expander *expander, const struct regular *file, const struct head *head,
         struct bytes *out, struct failure *failure)
{
    size_t size = (size_t)file->size;
    *out = (struct bytes){head->raw, head->len};
    if (size == head->len)
        return ODB_OK;
    uint8_t *input = expander_input(expander, size);
    if (!input)
        return failure_no_memory(failure);
    memcpy(input, head->raw, head->len);
    *out = (struct bytes){input, size};
    return regular_read_at(file->fd, head->len, size - head->len, input + head->len, failure);
}

static enum odb_outcome
read_content(struct expander *expander, const struct regular *file, const struct head *head,
             const struct header *header, struct base **out, struct failure *failure)
{
    size_t len = header->len + (size_t)header->size, most = inflate_bound(len);
    if (file->size > most)
        return failure_set(failure, ODB_DAMAGED, "%llu bytes on disk, %zu hold the %llu announced",
                           (unsigned long long)file->size, most, (unsigned long long)header->size);
    struct bytes in;
    struct base *base = base_create(expander->cache, len);
    enum odb_outcome outcome =
        base ? read_all(expander, file, head, &in, failure) : failure_no_memory(failure);
    if (outcome == ODB_OK)
        outcome = inflate_content(expander, in, header, base, failure);
    if (outcome == ODB_OK)
        *out = base;
    else
        base_let_go(base);
    return outcome;
}

enum odb_outcome
loose_read(struct expander *expander, const char *path, size_t max_bytes, struct base **out,
           enum odb_kind *kind, uint64_t *size, struct failure *failure)
{
    struct regular file;
    struct header header;
    struct head head;
    enum odb_outcome outcome = regular_open(path, &file, failure);
    if (outcome != ODB_OK)
        return outcome;
    size_t most = max_bytes < expander->object_bytes_max ? max_bytes : expander->object_bytes_max;
    outcome = read_header(expander, &file, &head, &header, failure);
    if (outcome == ODB_OK) {
        *kind = header.kind;
        *size = header.size;
    }
    if (outcome == ODB_OK && out && header.size > most)
        outcome = failure_set(failure, ODB_TOO_LARGE, "it has %llu bytes, at most %zu are read",
                              (unsigned long long)header.size, most);
    if (outcome == ODB_OK && out)
        outcome = read_content(expander, &file, &head, &header, out, failure);
    close(file.fd);
    return outcome;
}
