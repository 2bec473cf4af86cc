/*
 * The ids of the built-in rules, found in the texts themselves: each document says `id: ` at the
 * start of a line.
 */
#include "rules/rule_files.h"

#include <string.h>

static bool
has_id(const struct embedded_file *file, struct bytes id)
{
    static const char key[] = "\nid: ";
    const uint8_t *at = file->data, *end = file->data + file->len;
    while ((at = memmem(at, (size_t)(end - at), key, sizeof(key) - 1))) {
        at += sizeof(key) - 1;
        if ((size_t)(end - at) > id.len && at[id.len] == '\n' && memcmp(at, id.data, id.len) == 0)
            return true;
    }
    return false;
}

bool
builtin_rules_have_strict(struct bytes id)
{
    for (const struct embedded_file *file = builtin_rule_files; file->name && id.len; file++)
        if (strncmp(file->name, "strict/", strlen("strict/")) == 0 && has_id(file, id))
            return true;
    return false;
}
