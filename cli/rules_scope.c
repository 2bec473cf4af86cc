/*
 * Which rules apply to a file: their `files` and `ignores` are globs on its path; and which are of
 * the selection that was asked for.
 *
 * On disk, globs are compared with the path below the folder of the rule file if the file is below
 * that folder, links in both being resolved.  Otherwise, and in a repository, they are compared
 * with the path as it was given.
 */
#include <limits.h>
#include <stdlib.h>

#include "cli/rules.h"

/* REAL_PATH from the folder of FILE on; AS_GIVEN when it is not below that folder. */
static struct bytes
path_from_rules(const char *file, const char *real_path, struct bytes as_given)
{
    char folder[PATH_MAX];
    while (bytes_starts_with(as_given, BYTES("./")))
        as_given = bytes_slice(as_given, 2, as_given.len);
    if (!real_path[0] || !realpath(file, folder))
        return as_given;
    char *slash = strrchr(folder, '/');
    size_t n = slash ? (size_t)(slash - folder) + 1 : 0;
    struct bytes path = bytes_of_text(real_path);
    return n && bytes_starts_with(path, (struct bytes){(const uint8_t *)folder, n})
               ? bytes_slice(path, n, path.len)
               : as_given;
}

bool
cli_rule_applies(const struct ruleset *rules, uint32_t index, struct bytes path, const char *disk)
{
    const struct rule_info *rule = ruleset_rule(rules, index);
    char real_path[PATH_MAX];
    if (!rule->is_scoped)
        return true;
    if (!disk || !realpath(disk, real_path))
        real_path[0] = '\0';
    return ruleset_applies(rules, index, path_from_rules(rule->file, real_path, path));
}

void
cli_drop_outside(const struct ruleset *rules, struct bytes path, const char *disk, struct hit *hits,
                 uint32_t *n_hits)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < *n_hits;) {
        uint32_t index = hits[i].rule;
        bool applies = cli_rule_applies(rules, index, path, disk);
        for (; i < *n_hits && hits[i].rule == index; i++)
            if (applies)
                hits[n++] = hits[i];
    }
    *n_hits = n;
}

/* ---- Selections ---------------------------------------------------------------------------- */

const char *const rules_selection_names[] = {
    [RULES_OF_BOTH] = "both", [RULES_STRICT] = "strict", [RULES_CALIBRATED] = "calibrated", NULL};

bool
cli_selects(unsigned selection, const struct rule_info *rule)
{
    static const unsigned bits[] = {[RULES_OF_BOTH] = SELECTION_BOTH,
                                    [RULES_STRICT] = SELECTION_STRICT,
                                    [RULES_CALIBRATED] = SELECTION_CALIBRATED};
    return rule->selection == SELECTION_NONE || (rule->selection & bits[selection]);
}

void
cli_drop_unselected(const struct ruleset *rules, unsigned selection, struct scanned_file *file)
{
    uint32_t n_hits = 0, n_gave_up = 0;
    for (uint32_t i = 0; i < file->n_hits; i++)
        if (cli_selects(selection, ruleset_rule(rules, file->hits[i].rule)))
            file->hits[n_hits++] = file->hits[i];
    for (uint32_t i = 0; i < file->n_gave_up; i++)
        if (cli_selects(selection, ruleset_rule(rules, file->gave_up[i])))
            file->gave_up[n_gave_up++] = file->gave_up[i];
    file->n_hits = n_hits;
    file->n_gave_up = n_gave_up;
}
