/*
 * Drawing a panel.
 *
 * Every candidate gets a number, its lot: a hash of the seed and its name.  A tier takes the
 * repositories that must be in, then the candidates with the lowest lots.  The draw therefore does
 * not depend on the order of rows, and adding or removing one candidate changes at most one
 * repository of its tier.
 */
#include <assert.h>
#include <stdlib.h>

#include "base/map.h"
#include "manifests/candidates.h"
#include "base/calendar.h"
#include "manifests/manifests.h"
#include "manifests/name.h"

struct lot {
    const struct candidate *candidate;
    const struct bytes *wanted; /* its item in include, drawn before all others; or NULL */
    uint64_t hash;
};

struct drawing {
    const struct panel_draw *draw;
    const char *origin;
    struct arena *arena;
    struct err *err;
    struct lot *lots; /* of one tier at a time */
    size_t n_lots;
    size_t n_wanted;
};

struct panel_draw
panel_draw_default(void)
{
    return (struct panel_draw){
        .name = BYTES("panel"),
        .counts =
            {[TIER_HOBBY] = 114, [TIER_NICHE] = 124, [TIER_ESTABLISHED] = 120, [TIER_MAJOR] = 115},
        .seed = 1,
        .url_prefix = BYTES("https://github.com/"),
    };
}

static bool
names_equal(struct bytes a, struct bytes b)
{
    uint8_t folded_a[NAME_MAX_BYTES], folded_b[NAME_MAX_BYTES];
    return a.len == b.len && a.len <= NAME_MAX_BYTES &&
           bytes_equal(name_fold(a, folded_a), name_fold(b, folded_b));
}

/* "owner/name" of "owner/name@ref". */
static struct bytes
before_at(struct bytes text)
{
    const uint8_t *at = text.len ? memchr(text.data, '@', text.len) : NULL;
    return at ? bytes_slice(text, 0, (size_t)(at - text.data)) : text;
}

/* "ref" of "owner/name@ref". */
static struct bytes
after_at(struct bytes text)
{
    size_t from = before_at(text).len + 1;
    return from < text.len ? bytes_slice(text, from, text.len) : (struct bytes){NULL, 0};
}

/* The item of NAMES, up to its '@', that is NAME; or NULL. */
static const struct bytes *
find_name(const struct text_list *names, struct bytes name)
{
    for (size_t i = 0; i < names->n_items; i++)
        if (names_equal(before_at(names->items[i]), name))
            return &names->items[i];
    return NULL;
}

static bool
has_text(const struct text_list *list, struct bytes text)
{
    for (size_t i = 0; i < list->n_items; i++)
        if (bytes_equal(list->items[i], text))
            return true;
    return false;
}

static bool
passes(const struct panel_draw *draw, const struct candidate *c)
{
    if (draw->licenses.n_items > 0 && !has_text(&draw->licenses, c->license))
        return false;
    if (draw->created_before.len > 0 &&
        (c->created.len == 0 || bytes_compare(c->created, draw->created_before) >= 0))
        return false;
    if (draw->pushed_since.len > 0 &&
        (c->pushed.len == 0 || bytes_compare(c->pushed, draw->pushed_since) < 0))
        return false;
    return !has_text(&draw->exclude_sources, c->source) &&
           !has_text(&draw->exclude_sources, before_at(c->source)) &&
           !find_name(&draw->exclude, c->repo);
}

static uint64_t
lot_hash(uint64_t seed, struct bytes name)
{
    uint8_t text[8 + NAME_MAX_BYTES];
    assert(name.len <= NAME_MAX_BYTES);
    for (int i = 0; i < 8; i++)
        text[i] = (uint8_t)(seed >> (8 * i));
    name_fold(name, text + 8);
    return map_hash((struct bytes){text, 8 + name.len});
}

static int
compare_lots(const void *a, const void *b)
{
    const struct lot *x = a, *y = b;
    if (!x->wanted != !y->wanted)
        return x->wanted ? -1 : 1;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return bytes_compare(x->candidate->repo, y->candidate->repo);
}

static int
check_enough(const struct drawing *drawing, enum tier tier)
{
    uint32_t count = drawing->draw->counts[tier];
    if (drawing->n_wanted > count)
        return err_set(drawing->err, ERR_INPUT,
                       "%zu repositories that must be in the panel are %s, but only %u of that "
                       "tier are asked for",
                       drawing->n_wanted, tier_name(tier), count);
    if (drawing->n_lots < count)
        return err_set(drawing->err, ERR_INPUT,
                       "%s has %zu %s candidates that pass the filters, %u are asked for: ask for "
                       "fewer or filter less",
                       drawing->origin, drawing->n_lots, tier_name(tier), count);
    return 0;
}

/* Sort the lots of TIER, those that are drawn first. */
static int
draw_tier(struct drawing *drawing, enum tier tier, const struct candidate *candidates, size_t n)
{
    const struct panel_draw *draw = drawing->draw;
    drawing->n_lots = 0;
    drawing->n_wanted = 0;
    for (size_t i = 0; i < n; i++) {
        const struct candidate *c = &candidates[i];
        const struct bytes *wanted = find_name(&draw->include, c->repo);
        if (tier_of_stars(c->stars) != tier || (!wanted && !passes(draw, c)))
            continue;
        drawing->lots[drawing->n_lots++] = (struct lot){c, wanted, lot_hash(draw->seed, c->repo)};
        drawing->n_wanted += wanted != NULL;
    }
    if (drawing->n_lots > 1)
        qsort(drawing->lots, drawing->n_lots, sizeof(*drawing->lots), compare_lots);
    return check_enough(drawing, tier);
}

static int
make_repository(const struct drawing *drawing, const struct lot *lot,
                struct manifest_repository *out)
{
    const struct candidate *c = lot->candidate;
    struct bytes prefix = drawing->draw->url_prefix;
    char *url = arena_format(drawing->arena, "%.*s%.*s.git", BYTES_ARG(prefix), BYTES_ARG(c->repo));
    if (!url)
        return err_nomem(drawing->err, drawing->origin);
    *out = (struct manifest_repository){.name = c->repo,
                                        .url = bytes_of_text(url),
                                        .stars = c->stars,
                                        .as_of = c->as_of,
                                        .license = c->license,
                                        .ref = lot->wanted ? after_at(*lot->wanted)
                                                           : (struct bytes){NULL, 0}};
    return 0;
}

static int
draw_all(struct drawing *drawing, const struct candidate *candidates, size_t n,
         struct manifest_repository *out)
{
    size_t n_out = 0;
    for (unsigned tier = 0; tier < TIER_N; tier++) {
        if (draw_tier(drawing, (enum tier)tier, candidates, n) < 0)
            return -1;
        assert(drawing->n_lots >= drawing->draw->counts[tier]);
        for (uint32_t i = 0; i < drawing->draw->counts[tier]; i++)
            if (make_repository(drawing, &drawing->lots[i], &out[n_out++]) < 0)
                return -1;
    }
    return 0;
}

/* Check that every name in include is a candidate. */
static int
check_wanted(const struct drawing *drawing, const struct candidate *candidates, size_t n)
{
    const struct text_list *include = &drawing->draw->include;
    for (size_t k = 0; k < include->n_items; k++) {
        size_t i = 0;
        while (i < n && !names_equal(before_at(include->items[k]), candidates[i].repo))
            i++;
        if (i == n)
            return err_set(drawing->err, ERR_INPUT,
                           "%s: %.*s, which must be in the panel, is not "
                           "among the candidates",
                           drawing->origin, BYTES_ARG(include->items[k]));
    }
    return 0;
}

static void
append_list(struct buf *out, const char *words, const struct text_list *list)
{
    for (size_t i = 0; i < list->n_items; i++)
        buf_printf(out, "%s%.*s", i ? ", " : words, BYTES_ARG(list->items[i]));
}

/* A description from which the panel can be drawn again. */
static struct bytes
describe(const struct drawing *drawing, size_t n_candidates)
{
    const struct panel_draw *draw = drawing->draw;
    struct buf text = {0};
    for (unsigned tier = 0; tier < TIER_N; tier++)
        buf_printf(&text, "%s%u %s", tier ? ", " : "", draw->counts[tier],
                   tier_name((enum tier)tier));
    buf_printf(&text, "; drawn with seed %llu from %zu candidates", (unsigned long long)draw->seed,
               n_candidates);
    append_list(&text, "; license ", &draw->licenses);
    if (draw->created_before.len)
        buf_printf(&text, "; created before %.*s", BYTES_ARG(draw->created_before));
    if (draw->pushed_since.len)
        buf_printf(&text, "; pushed on %.*s or later", BYTES_ARG(draw->pushed_since));
    append_list(&text, "; without source ", &draw->exclude_sources);
    append_list(&text, "; without ", &draw->exclude);
    append_list(&text, "; always with ", &draw->include);
    struct bytes copy =
        buf_failed(&text) ? (struct bytes){NULL, 0} : arena_copy(drawing->arena, buf_bytes(&text));
    buf_clear(&text);
    return copy;
}

static int
compare_names(const void *a, const void *b)
{
    const struct manifest_repository *x = a, *y = b;
    return bytes_compare(x->name, y->name);
}

static struct bytes
newest_day(const struct manifest_repository *repositories, size_t n)
{
    struct bytes newest = {NULL, 0};
    for (size_t i = 0; i < n; i++)
        if (bytes_compare(repositories[i].as_of, newest) > 0)
            newest = repositories[i].as_of;
    return newest;
}

static int
check_days(const struct panel_draw *draw, struct err *err)
{
    const struct {
        const char *what;
        struct bytes day;
    } filters[] = {{"created before", draw->created_before}, {"pushed since", draw->pushed_since}};
    int64_t time_s;
    for (size_t i = 0; i < sizeof(filters) / sizeof(*filters); i++)
        if (filters[i].day.len && calendar_parse_day(filters[i].day, &time_s) < 0)
            return err_set(err, ERR_USAGE, "%s '%.*s': that is not a day; write it as 2024-01-31",
                           filters[i].what, BYTES_ARG(filters[i].day));
    return 0;
}

static int
check_prefix(struct bytes prefix, struct err *err)
{
    if (url_is_address(prefix))
        return 0;
    return err_set(err, ERR_USAGE, "'%.*s' does not begin the address of a repository",
                   BYTES_ARG(prefix));
}

int
panel_draw(const struct panel_draw *draw, struct bytes table, const char *origin,
           struct arena *arena, struct manifest *out, struct err *err)
{
    const struct candidate *candidates;
    size_t n_candidates;
    size_t n = 0;
    for (unsigned tier = 0; tier < TIER_N; tier++)
        n += draw->counts[tier];
    if (n == 0)
        return err_set(err, ERR_USAGE, "a panel has at least one repository; all counts are 0");
    if (check_days(draw, err) < 0 || check_prefix(draw->url_prefix, err) < 0 ||
        candidates_read(table, origin, arena, &candidates, &n_candidates, err) < 0)
        return -1;
    struct drawing drawing = {.draw = draw, .origin = origin, .arena = arena, .err = err};
    drawing.lots = ARENA_ARRAY(arena, n_candidates, struct lot);
    struct manifest_repository *repositories = ARENA_ARRAY(arena, n, struct manifest_repository);
    struct bytes description = describe(&drawing, n_candidates);
    if (!drawing.lots || !repositories || !description.data)
        return err_nomem(err, origin);
    if (check_wanted(&drawing, candidates, n_candidates) < 0 ||
        draw_all(&drawing, candidates, n_candidates, repositories) < 0)
        return -1;
    if (n > 1)
        qsort(repositories, n, sizeof(*repositories), compare_names);
    *out = (struct manifest){.name = draw->name,
                             .description = description,
                             .as_of = newest_day(repositories, n),
                             .sampling = sampling_default(),
                             .source = *source_filter_default(),
                             .repositories = repositories,
                             .n_repositories = n};
    return 0;
}
