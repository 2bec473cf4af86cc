/*
 * See needs.h.  Needs are found from the parts of a matcher up to the whole, because parts come
 * before the matchers that use them.  Of too many needs the most selective are kept.
 */
#include "analyzer/engine/needs.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum {
    NEED_LITERALS_MAX = 32,
    LITERAL_BYTES_MAX = 64,
    NEEDS_TOTAL_MAX = 20000 /* more are not kept, which costs time only */
};

void
program_needs_init(struct program_needs *needs)
{
    *needs = (struct program_needs){0};
    literal_set_init(&needs->literals);
}

void
program_needs_clear(struct program_needs *needs)
{
    literal_set_clear(&needs->literals);
    free(needs->needs);
    free(needs->need_literals);
    free(needs->of_regex);
    free(needs->of_matcher);
    program_needs_init(needs);
}

struct finder {
    const struct program *program;
    struct program_needs *out;
    bool failed;
};

/* ---- Needs --------------------------------------------------------------------------------- */

/* A need of N literals, given by number; NEED_NONE when one of them must be taken as met. */
#define NEED_NONE UINT32_MAX

static uint32_t
new_need(struct finder *finder, const uint32_t *literals, uint32_t n, uint32_t times)
{
    struct program_needs *out = finder->out;
    for (uint32_t i = 0; i < n; i++)
        if (literals[i] == LITERAL_NONE)
            return NEED_NONE;
    /* An equal need is likely to have been made before, by the same regex or leaf. */
    for (uint32_t i = 0; i < out->n_needs; i++)
        if (out->needs[i].n == n && out->needs[i].times == times &&
            memcmp(out->need_literals + out->needs[i].first, literals, n * sizeof(*literals)) == 0)
            return i;
    if (out->n_needs == NEEDS_TOTAL_MAX)
        return NEED_NONE;
    if (n == 0)
        return NEED_NONE;
    if (!ARRAY_RESERVE(out->needs, out->n_needs, out->needs_capacity, 1) ||
        !ARRAY_RESERVE(out->need_literals, out->n_literals, out->literals_capacity, n)) {
        finder->failed = true;
        return NEED_NONE;
    }
    memcpy(out->need_literals + out->n_literals, literals, n * sizeof(*literals));
    out->needs[out->n_needs] = (struct need){out->n_literals, n, times};
    out->n_literals += n;
    return out->n_needs++;
}

/* How much a need tells: long literals, few of them. */
static size_t
worth(const struct program_needs *needs, uint32_t need)
{
    size_t shortest = LITERAL_BYTES_MAX;
    const struct need *n = &needs->needs[need];
    for (uint32_t i = 0; i < n->n; i++) {
        size_t len = needs->literals.texts[needs->need_literals[n->first + i]].len;
        shortest = len < shortest ? len : shortest;
    }
    size_t times = n->times < 8 ? n->times : 8;
    return (shortest + 3 * (times - 1)) * 64 +
           (NEED_LITERALS_MAX - (n->n < NEED_LITERALS_MAX ? n->n : 0));
}

static void
add_need(struct finder *finder, struct need_list *list, uint32_t need)
{
    if (need == NEED_NONE)
        return;
    for (uint32_t i = 0; i < list->n; i++)
        if (list->items[i] == need)
            return;
    for (uint32_t i = 0; i < list->n; i++) {
        if (worth(finder->out, need) > worth(finder->out, list->items[i])) {
            uint32_t moved = list->items[i];
            list->items[i] = need;
            need = moved;
        }
    }
    if (list->n < NEEDS_MAX)
        list->items[list->n++] = need;
}

static void
add_needs(struct finder *finder, struct need_list *list, const struct need_list *more)
{
    for (uint32_t i = 0; i < more->n; i++)
        add_need(finder, list, more->items[i]);
}

/* ---- Regexes and matchers ------------------------------------------------------------------ */

static void
of_regex(struct finder *finder, const struct regex *regex, struct need_list *out)
{
    for (uint32_t i = 0; i < regex->n_needs; i++) {
        uint32_t literals[NEED_LITERALS_MAX], n = 0;
        for (; n < regex->needs[i].n_literals && n < NEED_LITERALS_MAX; n++)
            literals[n] = literal_set_put(&finder->out->literals, regex->needs[i].literals[n],
                                          &finder->failed);
        if (n == regex->needs[i].n_literals)
            add_need(finder, out, new_need(finder, literals, n, regex->needs[i].times));
    }
}

/* The best need of each alternative, put together; NEED_NONE when one has none. */
static uint32_t
either(struct finder *finder, const struct matcher *m, bool in_node)
{
    uint32_t literals[NEED_LITERALS_MAX], n = 0, times = UINT32_MAX;
    const struct program_needs *out = finder->out;
    for (uint32_t i = 0; i < m->parts.n; i++) {
        const struct matcher_needs *part =
            &out->of_matcher[finder->program->parts[m->parts.first + i]];
        const struct need_list *list = in_node ? &part->node : &part->file;
        if (list->n == 0)
            list = &part->node;
        if (list->n == 0)
            return NEED_NONE;
        const struct need *need = &out->needs[list->items[0]];
        if (need->n > NEED_LITERALS_MAX - n)
            return NEED_NONE;
        memcpy(literals + n, out->need_literals + need->first, need->n * sizeof(*literals));
        n += need->n;
        times = need->times < times ? need->times : times;
    }
    return n ? new_need(finder, literals, n, times) : (uint32_t)NEED_NONE;
}

static uint32_t
fewest_rows(const struct finder *finder, const struct matcher *m)
{
    uint32_t rows = m->parts.n ? UINT32_MAX : 0;
    for (uint32_t i = 0; i < m->parts.n; i++) {
        uint32_t part = finder->program->parts[m->parts.first + i];
        if (finder->out->of_matcher[part].rows < rows)
            rows = finder->out->of_matcher[part].rows;
    }
    return rows;
}

static void
of_relation(struct finder *finder, const struct matcher *m, struct matcher_needs *out)
{
    const struct matcher_needs *inner = &finder->out->of_matcher[m->relation.inner];
    if (m->op == MATCHER_HAS) {
        add_needs(finder, &out->node, &inner->node);
        out->rows = inner->rows;
    } else {
        add_needs(finder, &out->file, &inner->node);
    }
    add_needs(finder, &out->file, &inner->file);
}

static void
of_matcher(struct finder *finder, uint32_t matcher)
{
    const struct program *program = finder->program;
    const struct matcher *m = &program->matchers[matcher];
    struct matcher_needs needs = {0};
    switch ((enum matcher_op)m->op) {
    case MATCHER_REGEX:
        needs.node = finder->out->of_regex[m->regex];
        needs.rows = program->regexes[m->regex].min_newlines;
        break;
    case MATCHER_ALL:
        for (uint32_t i = 0; i < m->parts.n; i++) {
            const struct matcher_needs *part =
                &finder->out->of_matcher[program->parts[m->parts.first + i]];
            add_needs(finder, &needs.node, &part->node);
            add_needs(finder, &needs.file, &part->file);
            needs.rows = part->rows > needs.rows ? part->rows : needs.rows;
        }
        break;
    case MATCHER_ANY:
        needs.rows = fewest_rows(finder, m);
        add_need(finder, &needs.node, either(finder, m, true));
        if (needs.node.n == 0)
            add_need(finder, &needs.file, either(finder, m, false));
        break;
    case MATCHER_INSIDE:
    case MATCHER_HAS:
    case MATCHER_PRECEDES:
    case MATCHER_FOLLOWS:
        of_relation(finder, m, &needs);
        break;
    default:
        break;
    }
    finder->out->of_matcher[matcher] = needs;
}

int
program_needs_find(const struct program *program, struct program_needs *out)
{
    struct finder finder = {.program = program, .out = out};
    out->of_regex = calloc((size_t)program->n_regexes + 1, sizeof(*out->of_regex));
    out->of_matcher = calloc((size_t)program->n_matchers + 1, sizeof(*out->of_matcher));
    if (!out->of_regex || !out->of_matcher)
        return -1;
    for (uint32_t i = 0; i < program->n_regexes; i++)
        of_regex(&finder, &program->regexes[i], &out->of_regex[i]);
    /* Parts come before their users. */
    for (uint32_t i = 0; i < program->n_matchers; i++)
        of_matcher(&finder, i);
    return finder.failed || literal_set_build(&out->literals) < 0 ? -1 : 0;
}

/* ---- Asking -------------------------------------------------------------------------------- */

static bool
need_is_met(const struct program_needs *needs, const struct literal_index *index, uint32_t need)
{
    const struct need *n = &needs->needs[need];
    uint32_t left = n->times;
    for (uint32_t i = 0; i < n->n; i++) {
        uint32_t count = literal_count(index, needs->need_literals[n->first + i]);
        if (count >= left)
            return true;
        left -= count;
    }
    return false;
}

static bool
need_is_met_within(const struct program_needs *needs, const struct literal_index *index,
                   uint32_t need, uint32_t from, uint32_t to)
{
    const struct need *n = &needs->needs[need];
    uint32_t left = n->times;
    for (uint32_t i = 0; i < n->n; i++) {
        uint32_t count =
            literal_count_within(index, needs->need_literals[n->first + i], from, to, left);
        if (count >= left)
            return true;
        left -= count;
    }
    return false;
}

bool
needs_are_met(const struct program_needs *needs, const struct literal_index *index,
              const struct need_list *list)
{
    for (uint32_t i = 0; i < list->n; i++)
        if (!need_is_met(needs, index, list->items[i]))
            return false;
    return true;
}

bool
needs_are_met_within(const struct program_needs *needs, const struct literal_index *index,
                     const struct need_list *list, uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < list->n; i++)
        if (!need_is_met_within(needs, index, list->items[i], from, to))
            return false;
    return true;
}
