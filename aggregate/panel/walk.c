/*
 * Walking a trajectory: from listings to scores.
 *
 * 1. The current listing and the one before are kept, in order of paths; a merge of the two finds
 * the files that left, stayed and changed.
 * 2. A file that left leaves every scoring; one that stayed keeps its tallies; one that changed is
 *    looked up by blob and tallied if it is new, then enters.
 * 3. A rule with a path scope may count in one file and not in another with the same blob, so blobs
 * are keyed by blob id and, per scoped rule, whether the path is outside its scope.
 */
#include "aggregate/panel/walk.h"

#include <stdlib.h>

#include "base/num.h"

/* A file of the current checkpoint or the one before. */
struct present {
    struct bytes path;
    struct oid blob;
    struct tally *tallies; /* by scorer; NULL if the file does not count */
};

/* The files of a checkpoint, in order of paths. */
struct listed {
    struct arena arena; /* owns the paths */
    struct present *files;
    size_t n_files;
    size_t capacity;
};

struct walk {
    struct walk_options options;
    struct scoring *scorings; /* by scorer */
    struct map blobs;         /* key_of_file -> struct tally *, by scorer */
    struct buf key;           /* of the current file, in blobs */
    struct arena tallies;
    struct arena scratch; /* facts and hits of the current blob */
    struct listed listed[2];
    struct listed *last; /* that of the two which is the checkpoint before */
    struct tally **fold; /* the tallies of a checkpoint, by one scorer */
    uint32_t *changed;   /* indices in the listing of the files that changed */
    size_t n_fold, n_changed;
};

/* How many blobs are announced to the reader together, so that the waits for memory overlap. */
enum { BLOBS_TOGETHER = 8 };

int
walk_create(const struct walk_options *options, struct walk **out, struct err *err)
{
    struct walk *walk = calloc(1, sizeof(*walk));
    if (!walk)
        return err_nomem(err, "scoring");
    walk->options = *options;
    walk->scorings = calloc(options->n_scorers, sizeof(*walk->scorings));
    if (!walk->scorings) {
        free(walk);
        return err_nomem(err, "scoring");
    }
    for (size_t i = 0; i < options->n_scorers; i++)
        scoring_init(&walk->scorings[i], options->scorers[i]);
    map_init(&walk->blobs);
    arena_init(&walk->tallies, 0);
    arena_init(&walk->scratch, 0);
    arena_init(&walk->listed[0].arena, 0);
    arena_init(&walk->listed[1].arena, 0);
    walk->last = &walk->listed[0];
    *out = walk;
    return 0;
}

void
walk_destroy(struct walk *walk)
{
    if (!walk)
        return;
    for (size_t i = 0; i < walk->options.n_scorers; i++)
        scoring_clear(&walk->scorings[i]);
    for (size_t i = 0; i < 2; i++) {
        arena_clear(&walk->listed[i].arena);
        free(walk->listed[i].files);
    }
    free(walk->scorings);
    map_clear(&walk->blobs);
    buf_clear(&walk->key);
    arena_clear(&walk->tallies);
    arena_clear(&walk->scratch);
    free(walk->fold);
    free(walk->changed);
    free(walk);
}

void
walk_begin(struct walk *walk)
{
    for (size_t i = 0; i < walk->options.n_scorers; i++)
        scoring_reset(&walk->scorings[i]);
    map_reset(&walk->blobs);
    arena_reset(&walk->tallies);
    walk->last->n_files = 0;
}

/* ---- Blobs --------------------------------------------------------------------------------- */

/* Decode the facts of BLOB into FACTS. */
static int
load_facts(struct walk *walk, const struct oid *blob, struct facts *facts, struct err *err)
{
    char hex[OID_HEX_SIZE];
    struct bytes encoded;
    switch (store_get_facts(walk->options.reader, blob, &walk->options.facts, &walk->scratch,
                            &encoded, err)) {
    case STORE_FOUND:
        break;
    case STORE_MISSING:
        return err_set(err, ERR_DAMAGED,
                       "blob %s is listed but has no facts in the store; mine again",
                       oid_to_hex(blob, hex));
    case STORE_FAILED:
        return -1;
    }
    if (facts_decode(encoded, &walk->scratch, facts, err) < 0)
        return err_wrap(err, "facts of blob %s", oid_to_hex(blob, hex));
    return 0;
}

/* Decode the hits of the rules in BLOB into HITS; *MISSING is set if the rules were not run on it.
 */
static int
load_hits(struct walk *walk, const struct oid *blob, struct hit_list *hits, bool *missing,
          struct err *err)
{
    const struct panel_rules *rules = walk->options.rules;
    char hex[OID_HEX_SIZE];
    struct bytes encoded;
    if (!rules->has_group)
        return 0;
    switch (
        store_get_hits(walk->options.reader, blob, &rules->group, &walk->scratch, &encoded, err)) {
    case STORE_FOUND:
        break;
    case STORE_MISSING:
        *missing = true;
        return 0;
    case STORE_FAILED:
        return -1;
    }
    if (hits_decode(encoded, num_u32(rules->n_items), &walk->scratch, hits, err) < 0)
        return err_wrap(err, "hits in blob %s", oid_to_hex(blob, hex));
    return 0;
}

/* Remove the hits of rules whose scope does not include the path of the current file. */
static int
drop_outside(struct walk *walk, struct hit_list *hits, struct err *err)
{
    const struct panel_rules *rules = walk->options.rules;
    const uint8_t *is_outside = walk->key.data + sizeof(struct oid);
    struct hit *kept = ARENA_ARRAY(&walk->scratch, hits->n_hits, struct hit);
    uint32_t n = 0;
    if (!kept)
        return err_nomem(err, "hits");
    for (uint32_t i = 0, k = 0; i < hits->n_hits; i++) {
        while (k < rules->n_scoped && rules->scoped[k] < hits->hits[i].rule)
            k++;
        if (k == rules->n_scoped || rules->scoped[k] > hits->hits[i].rule || !is_outside[k])
            kept[n++] = hits->hits[i];
    }
    hits->hits = kept;
    hits->n_hits = n;
    return 0;
}

/* Tally BLOB by every scorer into OUT. */
static int
tally_blob_of_file(struct walk *walk, const struct oid *blob, struct tally *out, struct err *err)
{
    struct facts facts;
    struct hit_list hits = {0};
    bool missing = false;
    arena_reset(&walk->scratch);
    if (load_facts(walk, blob, &facts, err) < 0 ||
        (facts.skipped == SKIP_NONE && load_hits(walk, blob, &hits, &missing, err) < 0) ||
        (walk->options.rules->n_scoped && drop_outside(walk, &hits, err) < 0))
        return -1;
    for (size_t i = 0; i < walk->options.n_scorers; i++) {
        if (scoring_tally(&walk->scorings[i], &facts, &hits, &out[i], err) < 0)
            return -1;
        out[i].lacks_hits = missing;
    }
    return 0;
}

/* The key of FILE: its blob id and, per scoped rule, a byte that is 1 if its path is out of scope.
 */
static struct bytes
key_of_file(struct walk *walk, const struct store_file *file)
{
    const struct panel_rules *rules = walk->options.rules;
    buf_reset(&walk->key);
    buf_append(&walk->key, &file->blob, sizeof(file->blob));
    for (size_t k = 0; k < rules->n_scoped; k++)
        buf_append_byte(&walk->key,
                        !rule_scope_covers(rules->items[rules->scoped[k]].scope, file->path));
    return buf_bytes(&walk->key);
}

/* The tallies of FILE, by scorer; tallied here if the key is new.  NULL on failure. */
static struct tally *
find_blob(struct walk *walk, const struct store_file *file, struct err *err)
{
    bool is_new;
    const struct oid *blob = &file->blob;
    struct bytes key = key_of_file(walk, file);
    uint64_t *value = buf_failed(&walk->key) ? NULL : map_put(&walk->blobs, key, &is_new);
    if (!value) {
        err_nomem(err, "blobs of a trajectory");
        return NULL;
    }
    if (!is_new)
        return (struct tally *)(uintptr_t)*value;
    struct tally *tallies = ARENA_ARRAY(&walk->tallies, walk->options.n_scorers, struct tally);
    if (!tallies) {
        err_nomem(err, "blobs of a trajectory");
        return NULL;
    }
    *value = (uint64_t)(uintptr_t)tallies;
    return tally_blob_of_file(walk, blob, tallies, err) < 0 ? NULL : tallies;
}

/* ---- Files --------------------------------------------------------------------------------- */

static void
enter(struct walk *walk, const struct present *file)
{
    for (size_t i = 0; file->tallies && i < walk->options.n_scorers; i++)
        scoring_enter(&walk->scorings[i], &file->tallies[i]);
}

static void
leave(struct walk *walk, const struct present *file)
{
    for (size_t i = 0; file->tallies && i < walk->options.n_scorers; i++)
        scoring_leave(&walk->scorings[i], &file->tallies[i]);
}

/* Make the arrays large enough for N files. */
static int
reserve(struct walk *walk, struct listed *listed, size_t n, struct err *err)
{
    if (n > listed->capacity) {
        struct present *files = reallocarray(listed->files, n, sizeof(*files));
        if (!files)
            return err_nomem(err, "files of a checkpoint");
        listed->files = files;
        listed->capacity = n;
    }
    if (n > walk->n_fold) {
        struct tally **fold = reallocarray(walk->fold, n, sizeof(struct tally *));
        if (!fold)
            return err_nomem(err, "files of a checkpoint");
        walk->fold = fold;
        uint32_t *changed = reallocarray(walk->changed, n, sizeof(*changed));
        if (!changed)
            return err_nomem(err, "files of a checkpoint");
        walk->changed = changed;
        walk->n_fold = n;
    }
    return 0;
}

/* Go from the files of the checkpoint before to FILES, both in order of paths.  Files that left or
 * changed leave; the indices of those that are new or changed go to walk->changed. */
static void
follow(struct walk *walk, const struct store_file *files, size_t n_files, struct listed *next)
{
    const struct listed *last = walk->last;
    size_t old = 0;
    walk->n_changed = 0;
    for (size_t i = 0; i < n_files; i++) {
        int order = -1;
        while (old < last->n_files &&
               (order = bytes_compare(last->files[old].path, files[i].path)) < 0)
            leave(walk, &last->files[old++]);
        const struct present *was = old < last->n_files && order == 0 ? &last->files[old++] : NULL;
        struct present *now = &next->files[next->n_files++];
        *now = (struct present){files[i].path, files[i].blob, NULL};
        if (was && oid_equal(&was->blob, &files[i].blob)) {
            now->tallies = was->tallies;
            continue;
        }
        if (was)
            leave(walk, was);
        if (path_choice_takes(&walk->options.paths, &files[i]))
            walk->changed[walk->n_changed++] = num_u32(i);
    }
    while (old < last->n_files)
        leave(walk, &last->files[old++]);
}

/* Announce to the reader that the blobs of the changed files from FROM on are read next. */
static void
expect_changed(const struct walk *walk, const struct store_file *files, size_t from)
{
    const struct oid *blobs[BLOBS_TOGETHER];
    size_t n = 0;
    while (n < BLOBS_TOGETHER && from + n < walk->n_changed) {
        blobs[n] = &files[walk->changed[from + n]].blob;
        n++;
    }
    store_reader_expect(walk->options.reader, blobs, n);
}

/* Tally and enter the files that changed. */
static int
take_changed(struct walk *walk, const struct store_file *files, struct listed *next,
             struct err *err)
{
    for (size_t i = 0; i < walk->n_changed; i++) {
        const struct store_file *file = &files[walk->changed[i]];
        struct present *now = &next->files[walk->changed[i]];
        if (i % BLOBS_TOGETHER == 0)
            expect_changed(walk, files, i);
        now->tallies = find_blob(walk, file, err);
        if (!now->tallies)
            return err_wrap(err, "%.*s", BYTES_ARG(file->path));
        enter(walk, now);
    }
    return 0;
}

/* Score the files of LISTED by every scorer. */
static void
fold(struct walk *walk, const struct listed *listed, struct score *out)
{
    size_t n = 0;
    for (size_t i = 0; i < listed->n_files; i++)
        if (listed->files[i].tallies)
            walk->fold[n++] = listed->files[i].tallies;
    for (size_t k = 0; k < walk->options.n_scorers; k++) {
        scoring_fold(&walk->scorings[k], walk->fold, n, &out[k]);
        for (size_t i = 0; i < n; i++)
            walk->fold[i]++; /* the tally of the next scorer */
    }
}

int
walk_step(struct walk *walk, const struct store_key *listing, struct score *out, struct err *err)
{
    struct listed *next = walk->last == &walk->listed[0] ? &walk->listed[1] : &walk->listed[0];
    struct store_file *files;
    size_t n_files;
    arena_reset(&next->arena);
    next->n_files = 0;
    switch (store_get_listing(walk->options.reader, listing, &next->arena, &files, &n_files, err)) {
    case STORE_FOUND:
        break;
    case STORE_MISSING:
        return err_set(err, ERR_DAMAGED, "its listing is not in the store; mine again");
    case STORE_FAILED:
        return -1;
    }
    if (reserve(walk, next, n_files, err) < 0)
        return -1;
    follow(walk, files, n_files, next);
    if (take_changed(walk, files, next, err) < 0)
        return -1;
    walk->last = next;
    fold(walk, next, out);
    return 0;
}
