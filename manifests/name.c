/*
 * Names of repositories.  They are checked when a manifest is read, because they are joined to a
 * folder's path later: no part may be "..", hidden, or look like an option of git.
 */
#include "manifests/name.h"

#include <assert.h>
#include <string.h>

const char *
name_fault(struct bytes name)
{
    if (name.len > NAME_MAX_BYTES)
        return "is longer than 200 bytes";
    size_t from = 0;
    for (size_t i = 0; i <= name.len; i++) {
        if (i < name.len && name.data[i] < 0x20)
            return "must not hold control characters";
        if (i < name.len && name.data[i] != '/')
            continue;
        struct bytes part = bytes_slice(name, from, i);
        if (part.len == 0)
            return "has an empty part between slashes";
        if (part.data[0] == '.' || part.data[0] == '-')
            return "has a part that starts with '.' or '-'";
        from = i + 1;
    }
    return NULL;
}

bool
url_is_address(struct bytes url)
{
    return url.len > 0 && url.data[0] != '-' && !memmem(url.data, url.len, "::", 2);
}

struct bytes
name_fold(struct bytes name, uint8_t folded[NAME_MAX_BYTES])
{
    assert(name.len <= NAME_MAX_BYTES);
    for (size_t i = 0; i < name.len; i++) {
        bool is_upper = name.data[i] >= 'A' && name.data[i] <= 'Z';
        folded[i] = (uint8_t)(is_upper ? name.data[i] + ('a' - 'A') : name.data[i]);
    }
    return (struct bytes){folded, name.len};
}
