/*
 * Parts come before their users, so one pass over the list would do if a util could not be read
 * after its caller.  The pass is therefore repeated until no call has changed; utils without cycles
 * need at most as many passes as there are utils.
 */
#include "analyzer/engine/rule_kinds.h"

static void
of_pattern(const struct matcher_list *list, struct matcher *m)
{
    const struct pattern *pattern = &list->patterns[m->pattern];
    const struct pattern_node *root = &pattern->nodes[0];
    if (pattern->strictness == STRICTNESS_TEMPLATE)
        return;
    if (root->op == PATTERN_LEAF || root->op == PATTERN_COMPOSITE) {
        m->has_kinds = root->op == PATTERN_LEAF || root->kind != FLAT_KIND_ERROR;
        kind_set_add(&m->kinds, root->kind);
    } else if (pattern->has_selector) {
        m->has_kinds = true;
        kind_set_add(&m->kinds, pattern->selector);
    }
}

static void
of_any(const struct matcher_list *list, struct matcher *m)
{
    m->has_kinds = true;
    for (uint32_t i = 0; i < m->parts.n; i++) {
        const struct matcher *part = &list->matchers[list->parts[m->parts.first + i]];
        m->has_kinds &= part->has_kinds;
        for (size_t w = 0; w < KIND_WORDS; w++)
            m->kinds.words[w] |= part->kinds.words[w];
    }
}

static void
of_all(const struct matcher_list *list, struct matcher *m)
{
    for (uint32_t i = 0; i < m->parts.n; i++) {
        const struct matcher *part = &list->matchers[list->parts[m->parts.first + i]];
        if (!part->has_kinds)
            continue;
        for (size_t w = 0; w < KIND_WORDS; w++)
            m->kinds.words[w] =
                m->has_kinds ? m->kinds.words[w] & part->kinds.words[w] : part->kinds.words[w];
        m->has_kinds = true;
    }
}

static void
of_matcher(const struct matcher_list *list, struct matcher *m)
{
    m->has_kinds = false;
    m->kinds = (struct kind_set){{0}};
    switch ((enum matcher_op)m->op) {
    case MATCHER_PATTERN:
        of_pattern(list, m);
        break;
    case MATCHER_KIND:
        m->has_kinds = true;
        kind_set_add(&m->kinds, m->kind);
        break;
    case MATCHER_NTH:
        if (m->nth.of_rule != MATCHER_NONE) {
            m->has_kinds = list->matchers[m->nth.of_rule].has_kinds;
            m->kinds = list->matchers[m->nth.of_rule].kinds;
        }
        break;
    case MATCHER_CALL:
        if (m->callee != MATCHER_NONE) {
            m->has_kinds = list->matchers[list->utils[m->callee].matcher].has_kinds;
            m->kinds = list->matchers[list->utils[m->callee].matcher].kinds;
        }
        break;
    case MATCHER_ANY:
        of_any(list, m);
        break;
    case MATCHER_ALL:
        of_all(list, m);
        break;
    default:
        break;
    }
}

void
rule_find_kinds(struct matcher_list *list)
{
    for (uint32_t pass = 0; pass <= list->n_utils; pass++) {
        bool changed = false;
        for (uint32_t i = 0; i < list->n_matchers; i++) {
            bool before = list->matchers[i].has_kinds;
            struct kind_set kinds = list->matchers[i].kinds;
            of_matcher(list, &list->matchers[i]);
            changed |= list->matchers[i].op == MATCHER_CALL &&
                       (list->matchers[i].has_kinds != before ||
                        memcmp(&kinds, &list->matchers[i].kinds, sizeof(kinds)) != 0);
        }
        if (!changed)
            break;
    }
}
