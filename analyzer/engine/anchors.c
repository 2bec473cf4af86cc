/*
 * See anchors.h.  Choices are found from the parts of a matcher up to the whole, because parts come
 * before the matchers that use them.  Of too many choices the most selective are kept.
 */
#include "analyzer/engine/anchors.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum {
    ANCHORS_MAX = 16, /* of one choice */
    KINDS_MAX = 4,    /* of a matcher whose kinds are anchors */
    LEVELS_MAX = 255,
    CHOICES_TOTAL_MAX = 200000 /* more are not kept, which costs time only */
};

struct finder {
    const struct program *program;
    struct program_anchors *out;
    bool failed;
};

void
program_anchors_init(struct program_anchors *anchors)
{
    *anchors = (struct program_anchors){0};
    leaf_set_init(&anchors->leaves);
}

void
program_anchors_clear(struct program_anchors *anchors)
{
    leaf_set_clear(&anchors->leaves);
    free(anchors->anchors);
    free(anchors->choices);
    free(anchors->of_matcher);
    program_anchors_init(anchors);
}

/* ---- Choices ------------------------------------------------------------------------------- */

/* How much a choice tells before a file is known: spelled leaves, few of them, far down. */
static uint32_t
worth(const struct program_anchors *out, uint32_t choice)
{
    const struct choice *c = &out->choices[choice];
    bool all_spelled = true;
    uint32_t levels = LEVELS_MAX;
    for (uint32_t i = 0; i < c->n; i++) {
        const struct anchor *anchor = &out->anchors[c->first + i];
        all_spelled &= anchor->leaf != LEAF_NONE;
        levels = anchor->levels < levels ? anchor->levels : levels;
    }
    return (all_spelled ? 100000u : 0) + levels * 100 + (ANCHORS_MAX - c->n);
}

static void
add_choice(struct finder *finder, struct choice_list *list, const struct anchor *anchors,
           uint32_t n)
{
    struct program_anchors *out = finder->out;
    if (n == 0 || n > ANCHORS_MAX || out->n_choices == CHOICES_TOTAL_MAX)
        return;
    if (!ARRAY_RESERVE(out->anchors, out->n_anchors, out->anchors_capacity, n) ||
        !ARRAY_RESERVE(out->choices, out->n_choices, out->choices_capacity, 1)) {
        finder->failed = true;
        return;
    }
    memcpy(out->anchors + out->n_anchors, anchors, n * sizeof(*anchors));
    uint32_t choice = out->n_choices++;
    out->choices[choice] = (struct choice){out->n_anchors, n};
    out->n_anchors += n;
    /* The least telling one goes when there are too many. */
    for (uint32_t i = 0; i < list->n; i++) {
        if (worth(out, choice) > worth(out, list->items[i])) {
            uint32_t moved = list->items[i];
            list->items[i] = choice;
            choice = moved;
        }
    }
    if (list->n < CHOICES_MAX)
        list->items[list->n++] = choice;
}

static void
add_choices(struct finder *finder, struct choice_list *list, const struct choice_list *more)
{
    for (uint32_t i = 0; i < more->n; i++) {
        struct anchor anchors[ANCHORS_MAX];
        const struct choice *c = &finder->out->choices[more->items[i]];
        memcpy(anchors, finder->out->anchors + c->first, c->n * sizeof(*anchors));
        add_choice(finder, list, anchors, c->n);
    }
}

/* The same choices as seen from a node above: the parent, or any. */
static void
add_choices_from_above(struct finder *finder, struct choice_list *list,
                       const struct choice_list *more, bool any_above)
{
    for (uint32_t i = 0; i < more->n; i++) {
        struct anchor anchors[ANCHORS_MAX];
        struct choice c = finder->out->choices[more->items[i]];
        bool fits = true;
        for (uint32_t k = 0; k < c.n; k++) {
            anchors[k] = finder->out->anchors[c.first + k];
            fits &= anchors[k].levels < LEVELS_MAX;
            anchors[k].levels++;
            anchors[k].and_above |= any_above;
        }
        if (fits)
            add_choice(finder, list, anchors, c.n);
    }
}

/* ---- Matchers ------------------------------------------------------------------------------ */

/*
 * A pattern's children are matched with a node's children, so what stands so many levels below the
 * root of a pattern is as far below the node.  Tokens may be absent, depending on strictness; they
 * would not tell much anyway.
 */
static void
of_pattern(struct finder *finder, const struct pattern *pattern, struct choice_list *out)
{
    uint8_t levels = 0;
    uint32_t ends[LEVELS_MAX + 1];
    if (pattern->strictness == STRICTNESS_TEMPLATE)
        return;
    for (uint32_t i = 0; i < pattern->n_nodes; i++) {
        const struct pattern_node *node = &pattern->nodes[i];
        while (levels > 0 && i >= ends[levels])
            levels--;
        struct anchor anchor = {.leaf = LEAF_NONE, .kind = node->kind, .levels = levels};
        bool is_leaf = node->op == PATTERN_LEAF && node->is_named;
        if (is_leaf && pattern->strictness != STRICTNESS_SIGNATURE)
            anchor.leaf = leaf_set_put(&finder->out->leaves, node->kind, node->text);
        if ((is_leaf || node->op == PATTERN_COMPOSITE) && node->kind != FLAT_KIND_ERROR)
            add_choice(finder, out, &anchor, 1);
        if (node->end > i + 1) {
            if (levels == LEVELS_MAX)
                return;
            ends[++levels] = node->end;
        }
    }
}

/* The kinds in SET; their number, or 0 when they are too many. */
static uint32_t
list_kinds(const struct kind_set *set, uint16_t kinds[KINDS_MAX])
{
    uint32_t n = 0;
    for (unsigned word = 0; word < KIND_WORDS; word++) {
        for (uint64_t bits = set->words[word]; bits; bits &= bits - 1) {
            if (n == KINDS_MAX)
                return 0;
            kinds[n++] = (uint16_t)(word * 64 + (unsigned)__builtin_ctzll(bits));
        }
    }
    return n;
}

static void
of_kinds(struct finder *finder, const struct matcher *m, struct choice_list *out)
{
    uint16_t kinds[KINDS_MAX];
    struct anchor anchors[KINDS_MAX];
    uint32_t n = list_kinds(&m->kinds, kinds);
    for (uint32_t i = 0; i < n; i++)
        anchors[i] = (struct anchor){.leaf = LEAF_NONE, .kind = kinds[i]};
    add_choice(finder, out, anchors, n);
}

/* Nodes of M's kinds whose whole text is one of a few. */
static void
of_whole_texts(struct finder *finder, const struct matcher *m, const struct regex *regex,
               struct choice_list *out)
{
    uint16_t kinds[KINDS_MAX];
    struct anchor anchors[ANCHORS_MAX];
    uint32_t n_kinds = list_kinds(&m->kinds, kinds), n = 0;
    if (n_kinds * regex->whole.n_literals > ANCHORS_MAX || kind_set_has(&m->kinds, FLAT_KIND_ERROR))
        return;
    for (uint32_t i = 0; i < n_kinds; i++) {
        for (uint32_t k = 0; k < regex->whole.n_literals; k++) {
            uint32_t leaf = leaf_set_put(&finder->out->leaves, kinds[i], regex->whole.literals[k]);
            if (leaf == LEAF_NONE)
                return;
            anchors[n++] = (struct anchor){.leaf = leaf, .kind = kinds[i]};
        }
    }
    add_choice(finder, out, anchors, n);
}

static void
of_all(struct finder *finder, const struct matcher *m, struct matcher_anchors *out)
{
    const struct program *program = finder->program;
    for (uint32_t i = 0; i < m->parts.n; i++) {
        uint32_t part = program->parts[m->parts.first + i];
        add_choices(finder, &out->below, &finder->out->of_matcher[part].below);
        add_choices(finder, &out->around, &finder->out->of_matcher[part].around);
        if (program->matchers[part].op == MATCHER_REGEX && m->has_kinds)
            of_whole_texts(finder, m, &program->regexes[program->matchers[part].regex],
                           &out->below);
    }
}

/* The most telling choice of each alternative, put together. */
static void
of_any(struct finder *finder, const struct matcher *m, struct choice_list *out)
{
    struct anchor anchors[ANCHORS_MAX];
    uint32_t n = 0;
    bool and_above = false;
    for (uint32_t i = 0; i < m->parts.n; i++) {
        const struct choice_list *part =
            &finder->out->of_matcher[finder->program->parts[m->parts.first + i]].below;
        if (part->n == 0)
            return;
        const struct choice *c = &finder->out->choices[part->items[0]];
        for (uint32_t k = 0; k < c->n; k++) {
            struct anchor anchor = finder->out->anchors[c->first + k];
            bool known = false;
            for (uint32_t j = 0; j < n; j++)
                known |= memcmp(&anchors[j], &anchor, sizeof(anchor)) == 0;
            if (!known && n == ANCHORS_MAX)
                return;
            if (!known)
                anchors[n++] = anchor;
            and_above |= anchor.and_above;
        }
    }
    /* All alike, so that going up can end where another anchor's way has been. */
    for (uint32_t i = 0; i < n; i++)
        anchors[i].and_above = and_above;
    add_choice(finder, out, anchors, n);
}

static void
of_matcher(struct finder *finder, uint32_t matcher)
{
    const struct matcher *m = &finder->program->matchers[matcher];
    struct matcher_anchors anchors = {0};
    switch ((enum matcher_op)m->op) {
    case MATCHER_PATTERN:
        of_pattern(finder, &finder->program->patterns[m->pattern], &anchors.below);
        break;
    case MATCHER_ALL:
        of_all(finder, m, &anchors);
        break;
    case MATCHER_ANY:
        of_any(finder, m, &anchors.below);
        break;
    case MATCHER_HAS: {
        const struct matcher_anchors *inner = &finder->out->of_matcher[m->relation.inner];
        add_choices_from_above(finder, &anchors.below, &inner->below,
                               m->relation.stop != STOP_NEIGHBOR);
        add_choices(finder, &anchors.around, &inner->around);
        break;
    }
    case MATCHER_INSIDE:
    case MATCHER_PRECEDES:
    case MATCHER_FOLLOWS: {
        const struct matcher_anchors *inner = &finder->out->of_matcher[m->relation.inner];
        add_choices(finder, &anchors.around, &inner->below);
        add_choices(finder, &anchors.around, &inner->around);
        break;
    }
    default:
        break;
    }
    if (m->has_kinds)
        of_kinds(finder, m, &anchors.below);
    finder->out->of_matcher[matcher] = anchors;
}

int
program_anchors_find(const struct program *program, struct program_anchors *out)
{
    struct finder finder = {.program = program, .out = out};
    out->of_matcher = calloc((size_t)program->n_matchers + 1, sizeof(*out->of_matcher));
    if (!out->of_matcher)
        return -1;
    /* Parts come before their users. */
    for (uint32_t i = 0; i < program->n_matchers; i++)
        of_matcher(&finder, i);
    return finder.failed ? -1 : 0;
}

/* ---- In a file ----------------------------------------------------------------------------- */

uint32_t
choice_count(const struct program_anchors *anchors, uint32_t choice, const struct kind_index *kinds,
             const struct leaf_index *leaves)
{
    const struct choice *c = &anchors->choices[choice];
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        const struct anchor *anchor = &anchors->anchors[c->first + i];
        count += anchor->leaf == LEAF_NONE ? kind_index_count(kinds, anchor->kind)
                                           : leaves->count[anchor->leaf];
    }
    return count;
}
