/* The delta of the object asked for is inflated before its chain is walked: it begins with the size
 * of the object, so one too large is refused before anything is expanded.  The sizes of
 * intermediate results are at the beginning of their deltas and are checked one by one.
 *
 * A chain of offsets only goes backwards; one of ids may be a cycle.  Brent's algorithm finds it
 * without memory: one position is remembered, and replaced after 1, 2, 4, 8... steps. */
#include "git/odb/expand.h"

#include <stdlib.h>

#include "git/odb/delta.h"

enum {
    STEP_COST = 512,
    CHAIN_STEPS_MAX = 1 << 20,
    SCRATCH_KEPT_MAX = 1 << 20,
    HEAD_WHOLE_MAX = 4096,
    KINDS_NOTED = 64
};

enum odb_outcome
expander_init(struct expander *expander, const struct odb_options *options, struct failure *failure)
{
    expander->windows = windows_create(options->window_bytes);
    expander->inflater = inflater_create();
    expander->cache = base_cache_create(options->cache_bytes);
    expander->budget = options->budget;
    expander->id_len = options->id_len;
    expander->object_bytes_max = options->object_bytes_max;
    if (expander->windows && expander->inflater && expander->cache)
        return ODB_OK;
    return failure_no_memory(failure);
}

void
expander_clear(struct expander *expander)
{
    base_cache_destroy(expander->cache);
    inflater_destroy(expander->inflater);
    windows_destroy(expander->windows);
    free(expander->steps);
    buf_clear(&expander->input);
    buf_clear(&expander->first);
    buf_clear(&expander->delta);
}

/* N bytes of BUF, whose content goes.  NULL when memory is out. */
static uint8_t *
scratch(struct buf *buf, size_t n)
{
    if (buf->capacity > SCRATCH_KEPT_MAX && n <= SCRATCH_KEPT_MAX)
        buf_clear(buf);
    buf_reset(buf);
    uint8_t *data = buf_reserve(buf, n ? n : 1);
    if (data)
        buf->len = n;
    return data;
}

uint8_t *
expander_input(struct expander *expander, size_t n)
{
    return scratch(&expander->input, n);
}

/* ---- Streams ------------------------------------------------------------------------------- */

/* Read the N bytes at OFFSET of PACK and inflate them. */
static enum odb_outcome
inflate_copy(struct expander *expander, const struct pack *pack, uint64_t offset, size_t n,
             uint8_t *out, size_t len, bool *done, struct failure *failure)
{
    uint8_t *input = expander_input(expander, n);
    if (!input)
        return failure_no_memory(failure);
    enum odb_outcome outcome =
        windows_copy(expander->windows, pack->file, offset, n, input, failure);
    if (outcome == ODB_OK)
        *done = inflate_whole(expander->inflater, (struct bytes){input, n}, out, len, NULL);
    return outcome;
}

/* Inflate the stream at OFFSET of PACK, which gives LEN bytes, into OUT.  How long it is compressed
 * is not known: first what is at hand is tried, then what text takes, then what anything may take.
 */
static enum odb_outcome
inflate_stream(struct expander *expander, const struct pack *pack, uint64_t offset, uint8_t *out,
               size_t len, struct failure *failure)
{
    uint64_t rest = pack->end - offset;
    expander->attempted += len;
    size_t most = inflate_bound(len), likely = len / 2 + 64, available;
    most = rest < most ? (size_t)rest : most;
    likely = likely < most ? likely : most;
    bool done = false;
    const uint8_t *in = windows_look(expander->windows, pack->file, offset, 1, &available, failure);
    if (!in)
        return failure->outcome;
    size_t tried = available < most ? available : most;
    if (tried >= likely)
        done = inflate_whole(expander->inflater, (struct bytes){in, tried}, out, len, NULL);
    else
        tried = 0;
    enum odb_outcome outcome = ODB_OK;
    if (!done && tried < likely)
        outcome = inflate_copy(expander, pack, offset, likely, out, len, &done, failure);
    if (outcome == ODB_OK && !done && most > likely)
        outcome = inflate_copy(expander, pack, offset, most, out, len, &done, failure);
    if (outcome != ODB_OK || done)
        return outcome;
    uint8_t *input = expander_input(expander, most);
    if (!input)
        return failure_no_memory(failure);
    outcome = windows_copy(expander->windows, pack->file, offset, most, input, failure);
    if (outcome != ODB_OK)
        return outcome;
    outcome = inflate_explain(expander->inflater, (struct bytes){input, most}, 0, len, failure);
    failure_wrap(failure, "the entry with data at byte %llu", (unsigned long long)offset);
    return outcome;
}

/* ---- Budget -------------------------------------------------------------------------------- */

static enum odb_outcome
spent(struct failure *failure)
{
    return failure_set(failure, ODB_SPENT,
                       "the deltas of the repository take more work to expand than is allowed");
}

/* Take from the budget what COST is above what an object of LEN bytes may cost. */
static enum odb_outcome
charge(struct expander *expander, uint64_t cost, uint64_t len, struct failure *failure)
{
    uint64_t is_free = ODB_FREE_BYTES + len * ODB_FREE_FACTOR;
    if (!expander->budget || cost <= is_free)
        return ODB_OK;
    return odb_budget_take(expander->budget, cost - is_free) ? ODB_OK : spent(failure);
}

/* What failed is charged too: its bases were expanded, and may be again for the next. */
static void
charge_failed(struct expander *expander, const struct base *base)
{
    struct failure ignored;
    (void)charge(expander, expander->attempted + (base ? base->cost : 0), 0, &ignored);
}

static enum odb_outcome
check_budget(const struct expander *expander, struct failure *failure)
{
    if (!expander->budget || !odb_budget_is_spent(expander->budget))
        return ODB_OK;
    return spent(failure);
}

/* ---- Chains -------------------------------------------------------------------------------- */

static struct expand_known *
known_at(struct expander *expander, const struct pack *pack, uint64_t offset)
{
    uint64_t hash = (offset ^ (uint64_t)pack->number << 40) * UINT64_C(0x9e3779b97f4a7c15);
    return &expander->known[hash >> 52]; /* the upper 12 bits */
}

struct walk {
    uint64_t remembered; /* an offset passed before */
    size_t n, until;
};

/* Note that OFFSET is passed.  False: it was before. */
static bool
pass(struct walk *walk, uint64_t offset)
{
    if (walk->n > 0 && offset == walk->remembered)
        return false;
    if (walk->n++ == walk->until) {
        walk->remembered = offset;
        walk->until = walk->until ? walk->until * 2 : 1;
    }
    return true;
}

static enum odb_outcome
check_walk(struct walk *walk, uint64_t offset, struct failure *failure)
{
    if (!pass(walk, offset))
        return failure_set(failure, ODB_DAMAGED, "its chain of deltas comes back to itself");
    if (walk->n > CHAIN_STEPS_MAX)
        return failure_set(failure, ODB_DAMAGED, "its chain of deltas is longer than %d",
                           CHAIN_STEPS_MAX);
    return ODB_OK;
}

static enum odb_outcome
check_size(const struct expander *expander, uint64_t size, const char *what,
           struct failure *failure)
{
    if (size <= expander->object_bytes_max)
        return ODB_OK;
    return failure_set(failure, ODB_DAMAGED, "%s has %llu bytes, at most %zu are expanded", what,
                       (unsigned long long)size, expander->object_bytes_max);
}

/* The kind at the end of the chain from OFFSET. */
static enum odb_outcome
find_kind(struct expander *expander, const struct pack *pack, uint64_t offset, enum odb_kind *kind,
          struct failure *failure)
{
    struct walk walk = {0};
    struct pack_entry entry;
    uint64_t at = offset, passed[KINDS_NOTED];
    for (;;) {
        const struct expand_known *known = known_at(expander, pack, at);
        if (known->pack == pack->number && known->offset == at) {
            *kind = known->kind;
            break;
        }
        enum odb_outcome outcome =
            pack_read_entry(pack, expander->windows, expander->id_len, at, &entry, failure);
        if (outcome != ODB_OK)
            return outcome;
        if (entry.kind <= ODB_TAG) {
            *kind = (enum odb_kind)entry.kind;
            break;
        }
        outcome = check_walk(&walk, at, failure);
        if (outcome != ODB_OK)
            return outcome;
        passed[(walk.n - 1) % KINDS_NOTED] = at;
        at = entry.base;
    }
    for (size_t i = 0; i < walk.n && i < KINDS_NOTED; i++)
        *known_at(expander, pack, passed[i]) =
            (struct expand_known){passed[i], pack->number, (uint8_t)*kind};
    return ODB_OK;
}

static enum odb_outcome
push_step(struct expander *expander, struct expand_step step, struct failure *failure)
{
    if (expander->n_steps == expander->steps_capacity) {
        size_t capacity = expander->steps_capacity ? expander->steps_capacity * 2 : 64;
        struct expand_step *steps = reallocarray(expander->steps, capacity, sizeof(*steps));
        if (!steps)
            return failure_no_memory(failure);
        expander->steps = steps;
        expander->steps_capacity = capacity;
    }
    expander->steps[expander->n_steps++] = step;
    return ODB_OK;
}

/* Inflate the delta of STEP into SCRATCH and read its sizes. */
static enum odb_outcome
read_delta(struct expander *expander, const struct pack *pack, const struct expand_step *step,
           struct buf *to, struct delta_sizes *sizes, struct failure *failure)
{
    uint8_t *delta = scratch(to, step->size);
    if (!delta)
        return failure_no_memory(failure);
    enum odb_outcome outcome =
        inflate_stream(expander, pack, step->data, delta, step->size, failure);
    return outcome == ODB_OK ? delta_sizes(buf_bytes(to), sizes, failure) : outcome;
}

static enum odb_outcome
read_whole(struct expander *expander, const struct pack *pack, uint64_t offset,
           const struct pack_entry *entry, struct base **out, struct failure *failure)
{
    size_t size = (size_t)entry->size;
    struct base *base = base_create(expander->cache, size);
    if (!base)
        return failure_no_memory(failure);
    enum odb_outcome outcome =
        inflate_stream(expander, pack, entry->data, base->storage, size, failure);
    if (outcome != ODB_OK) {
        base_let_go(base);
        return outcome;
    }
    base->pack = pack->number;
    base->offset = offset;
    base->kind = (enum odb_kind)entry->kind;
    base->cost = size + STEP_COST;
    base_cache_put(expander->cache, base);
    *out = base;
    return ODB_OK;
}

/* What is asked of an object, and what is known of it. */
struct wanted {
    size_t max_bytes;
    enum odb_kind kind;
    uint64_t size;
    struct delta_sizes first; /* of the delta in expander->first */
};

/* Is the object at OFFSET, of SIZE bytes, larger than WANTED allows? */
static enum odb_outcome
check_wanted(struct expander *expander, const struct pack *pack, uint64_t offset, uint64_t size,
             struct wanted *wanted, struct failure *failure)
{
    size_t most = wanted->max_bytes < expander->object_bytes_max ? wanted->max_bytes
                                                                 : expander->object_bytes_max;
    if (size <= most)
        return ODB_OK;
    enum odb_outcome outcome = find_kind(expander, pack, offset, &wanted->kind, failure);
    wanted->size = size;
    return outcome == ODB_OK
               ? failure_set(failure, ODB_TOO_LARGE, "it has %llu bytes, at most %zu are read",
                             (unsigned long long)size, most)
               : outcome;
}

/* Walk the chain from OFFSET to *OUT, the base that it ends in; its steps are the expander's. */
static enum odb_outcome
walk_chain(struct expander *expander, const struct pack *pack, uint64_t offset,
           struct wanted *wanted, struct base **out, struct failure *failure)
{
    struct walk walk = {0};
    uint64_t at = offset;
    expander->n_steps = 0;
    for (;;) {
        struct pack_entry entry;
        struct base *found = base_cache_get(expander->cache, pack->number, at);
        if (found) {
            enum odb_outcome fits =
                at == offset ? check_wanted(expander, pack, at, found->len, wanted, failure)
                             : ODB_OK;
            if (fits == ODB_OK)
                base_hold(*out = found);
            return fits;
        }
        enum odb_outcome outcome =
            pack_read_entry(pack, expander->windows, expander->id_len, at, &entry, failure);
        if (outcome != ODB_OK)
            return outcome;
        bool is_object = entry.kind <= ODB_TAG;
        if (at == offset && is_object)
            outcome = check_wanted(expander, pack, at, entry.size, wanted, failure);
        else
            outcome = check_size(expander, entry.size, is_object ? "a base" : "a delta", failure);
        if (outcome != ODB_OK)
            return outcome;
        if (is_object)
            return read_whole(expander, pack, at, &entry, out, failure);
        struct expand_step step = {at, entry.data, (size_t)entry.size};
        outcome = check_walk(&walk, at, failure);
        if (outcome == ODB_OK)
            outcome = push_step(expander, step, failure);
        if (outcome == ODB_OK && at == offset)
            outcome = read_delta(expander, pack, &step, &expander->first, &wanted->first, failure);
        if (outcome == ODB_OK && at == offset)
            outcome = check_wanted(expander, pack, at, wanted->first.result, wanted, failure);
        if (outcome != ODB_OK)
            return outcome;
        at = entry.base;
    }
}

/* Apply the delta of STEP to *BASE, which is let go; *BASE is then the result. */
static enum odb_outcome
apply(struct expander *expander, const struct pack *pack, const struct expand_step *step,
      struct bytes delta, const struct delta_sizes *sizes, struct base **base,
      struct failure *failure)
{
    struct base *from = *base;
    uint64_t cost = from->cost + delta.len + sizes->result + STEP_COST;
    enum odb_outcome outcome = check_size(expander, sizes->result, "a base", failure);
    if (outcome != ODB_OK)
        return outcome;
    if (sizes->base != from->len)
        return failure_set(failure, ODB_DAMAGED, "a delta is for a base of %llu bytes, it has %zu",
                           (unsigned long long)sizes->base, from->len);
    if (cost / ODB_WORK_FACTOR > expander->object_bytes_max)
        return failure_set(failure, ODB_DAMAGED,
                           "to expand its chain of deltas takes more than %llu bytes",
                           (unsigned long long)expander->object_bytes_max * ODB_WORK_FACTOR);
    struct base *result = base_create(expander->cache, (size_t)sizes->result);
    if (!result)
        return failure_no_memory(failure);
    result->pack = pack->number;
    result->offset = step->offset;
    result->kind = from->kind;
    result->cost = cost;
    outcome =
        delta_apply(delta, sizes, (struct bytes){from->data, from->len}, result->storage, failure);
    if (outcome != ODB_OK) {
        base_let_go(result);
        return outcome;
    }
    base_let_go(from);
    base_cache_put(expander->cache, result);
    *base = result;
    return ODB_OK;
}

/* Apply the expander's steps to *BASE, from the last to the first. */
static enum odb_outcome
apply_steps(struct expander *expander, const struct pack *pack, const struct wanted *wanted,
            struct base **base, struct failure *failure)
{
    enum odb_outcome outcome = ODB_OK;
    for (size_t i = expander->n_steps; outcome == ODB_OK && i-- > 1;) {
        const struct expand_step *step = &expander->steps[i];
        struct delta_sizes sizes;
        outcome = read_delta(expander, pack, step, &expander->delta, &sizes, failure);
        if (outcome == ODB_OK)
            outcome =
                apply(expander, pack, step, buf_bytes(&expander->delta), &sizes, base, failure);
    }
    if (outcome == ODB_OK && expander->n_steps > 0)
        outcome = apply(expander, pack, &expander->steps[0], buf_bytes(&expander->first),
                        &wanted->first, base, failure);
    return outcome;
}

enum odb_outcome
expand_read(struct expander *expander, const struct pack *pack, uint64_t offset, size_t max_bytes,
            struct base **out, enum odb_kind *kind, uint64_t *size, struct failure *failure)
{
    struct wanted wanted = {.max_bytes = max_bytes};
    struct base *base = NULL;
    expander->attempted = 0;
    enum odb_outcome outcome = check_budget(expander, failure);
    if (outcome == ODB_OK)
        outcome = walk_chain(expander, pack, offset, &wanted, &base, failure);
    if (outcome == ODB_OK)
        outcome = apply_steps(expander, pack, &wanted, &base, failure);
    *kind = wanted.kind;
    *size = wanted.size;
    if (outcome == ODB_OK)
        outcome = charge(expander, base->cost, base->len, failure);
    else
        charge_failed(expander, base);
    if (outcome == ODB_OK)
        *out = base;
    else
        base_let_go(base);
    return outcome;
}

/* The size of the object whose delta is ENTRY. */
static enum odb_outcome
find_result_size(struct expander *expander, const struct pack *pack, const struct pack_entry *entry,
                 uint64_t *size, struct failure *failure)
{
    struct delta_sizes sizes = {0};
    if (entry->size <= HEAD_WHOLE_MAX) {
        struct expand_step step = {0, entry->data, (size_t)entry->size};
        enum odb_outcome outcome =
            read_delta(expander, pack, &step, &expander->delta, &sizes, failure);
        *size = sizes.result;
        return outcome;
    }
    uint8_t head[DELTA_HEADER_MAX];
    size_t available, n;
    uint64_t rest = pack->end - entry->data;
    size_t want = rest < WINDOW_OVERLAP ? (size_t)rest : WINDOW_OVERLAP;
    struct bytes in = {
        windows_look(expander->windows, pack->file, entry->data, want, &available, failure), want};
    if (!in.data)
        return failure->outcome;
    enum odb_outcome outcome =
        inflate_head(expander->inflater, in, head, sizeof(head), &n, failure);
    if (outcome == ODB_OK)
        outcome = delta_sizes((struct bytes){head, n}, &sizes, failure);
    *size = sizes.result;
    return outcome;
}

enum odb_outcome
expand_header(struct expander *expander, const struct pack *pack, uint64_t offset,
              enum odb_kind *kind, uint64_t *size, struct failure *failure)
{
    struct pack_entry entry;
    const struct base *found = base_cache_get(expander->cache, pack->number, offset);
    if (found) {
        *kind = found->kind;
        *size = found->len;
        return ODB_OK;
    }
    enum odb_outcome outcome =
        pack_read_entry(pack, expander->windows, expander->id_len, offset, &entry, failure);
    if (outcome != ODB_OK)
        return outcome;
    if (entry.kind <= ODB_TAG) {
        *kind = (enum odb_kind)entry.kind;
        *size = entry.size;
        return ODB_OK;
    }
    outcome = find_kind(expander, pack, offset, kind, failure);
    return outcome == ODB_OK ? find_result_size(expander, pack, &entry, size, failure) : outcome;
}
