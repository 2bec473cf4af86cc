/* An object is asked for in all packs, then as a loose object, of the folder itself and of its
 * alternates in the order in which they are named.  A copy that is damaged is passed over as long
 * as there is another place; when none gives it, the first damage found is the reason. */
#include "git/odb/odb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "git/odb/alternates.h"
#include "git/odb/loose.h"
#include "git/odb/object_folder.h"
#include "git/odb/sha1.h"

enum {
    ALTERNATES_BYTES_MAX = 16 * 1024 * 1024,
    OBJECT_BYTES_DEFAULT = 64 * 1024 * 1024,
    CACHE_BYTES_DEFAULT = 4 * 1024 * 1024,
    WINDOW_BYTES_DEFAULT = 32 * 1024 * 1024
};

struct odb {
    struct odb_options options;
    struct expander expander;
    struct numbering numbering;
    struct object_folder **folders; /* the folder itself, then alternates */
    size_t n_folders, capacity;
    struct failure reason;  /* of the last call */
    struct failure problem; /* of alternates; text empty when there was none */
    struct buf path;
};

/* ---- Budget -------------------------------------------------------------------------------- */

void
odb_budget_init(struct odb_budget *budget, uint64_t bytes)
{
    atomic_init(&budget->left, bytes);
}

bool
odb_budget_take(struct odb_budget *budget, uint64_t n)
{
    uint_fast64_t left = atomic_load(&budget->left), then;
    do {
        then = left > n ? left - n : 0;
    } while (!atomic_compare_exchange_weak(&budget->left, &left, then));
    return then > 0;
}

bool
odb_budget_is_spent(const struct odb_budget *budget)
{
    return atomic_load(&budget->left) == 0;
}

/* ---- Opening ------------------------------------------------------------------------------- */

static void
note_problem(struct odb *odb, const char *path, const struct failure *failure)
{
    if (odb->problem.text[0])
        return;
    odb->problem = *failure;
    failure_wrap(&odb->problem, "alternate %.120s", path);
}

static bool
is_open(const struct odb *odb, const struct object_folder *folder)
{
    for (size_t i = 0; i < odb->n_folders; i++)
        if (odb->folders[i]->dev == folder->dev && odb->folders[i]->ino == folder->ino)
            return true;
    return false;
}

/* Add the folder PATH, unless it is there already. */
static enum odb_outcome
add_folder(struct odb *odb, const char *path, struct failure *failure)
{
    if (odb->n_folders == odb->capacity) {
        size_t capacity = odb->capacity ? odb->capacity * 2 : 4;
        struct object_folder **folders = reallocarray(odb->folders, capacity, sizeof(*folders));
        if (!folders)
            return failure_no_memory(failure);
        odb->folders = folders;
        odb->capacity = capacity;
    }
    if (odb->n_folders == ODB_STORES_MAX)
        return failure_set(failure, ODB_DAMAGED, "more than %d folders of objects are not read",
                           ODB_STORES_MAX);
    struct object_folder *folder;
    enum odb_outcome outcome =
        object_folder_open(path, &odb->expander, &odb->numbering, &folder, failure);
    if (outcome != ODB_OK)
        return outcome;
    if (is_open(odb, folder))
        object_folder_close(folder, &odb->expander);
    else
        odb->folders[odb->n_folders++] = folder;
    return ODB_OK;
}

/* Add the folders that CONTENT, the alternates of FOLDER, names. */
static enum odb_outcome
add_listed(struct odb *odb, const struct object_folder *folder, struct bytes content)
{
    struct buf path = {0};
    struct failure failure;
    enum odb_outcome outcome = ODB_OK;
    int more;
    while (outcome != ODB_NO_MEMORY &&
           (more = alternates_next(&content, folder->path, &path)) != 0) {
        if (more < 0) {
            outcome = failure_no_memory(&failure);
            break;
        }
        outcome = add_folder(odb, (const char *)path.data, &failure);
        if (outcome != ODB_OK)
            note_problem(odb, (const char *)path.data, &failure);
    }
    buf_clear(&path);
    return outcome == ODB_NO_MEMORY ? outcome : ODB_OK;
}

static enum odb_outcome
add_alternates_of(struct odb *odb, const struct object_folder *folder)
{
    struct buf content = {0};
    struct failure failure;
    buf_reset(&odb->path);
    buf_append_text(&odb->path, folder->path);
    buf_append(&odb->path, "/info/alternates", sizeof("/info/alternates"));
    enum odb_outcome outcome = buf_failed(&odb->path)
                                   ? ODB_NO_MEMORY
                                   : regular_read_all((const char *)odb->path.data,
                                                      ALTERNATES_BYTES_MAX, &content, &failure);
    if (outcome == ODB_OK)
        outcome = add_listed(odb, folder, buf_bytes(&content));
    else if (outcome != ODB_MISSING && outcome != ODB_NO_MEMORY)
        note_problem(odb, (const char *)odb->path.data, &failure);
    buf_clear(&content);
    return outcome == ODB_NO_MEMORY ? outcome : ODB_OK;
}

/* Follow alternates, those of one depth after the other. */
static enum odb_outcome
add_alternates(struct odb *odb)
{
    size_t from = 0;
    for (int depth = 0; depth < ODB_ALTERNATES_DEPTH_MAX && from < odb->n_folders; depth++) {
        size_t to = odb->n_folders;
        for (; from < to; from++)
            if (add_alternates_of(odb, odb->folders[from]) == ODB_NO_MEMORY)
                return ODB_NO_MEMORY;
    }
    return ODB_OK;
}

static struct odb_options
with_defaults(const struct odb_options *options)
{
    struct odb_options out = *options;
    if (!out.id_len)
        out.id_len = OID_SHA1_BYTES;
    if (!out.object_bytes_max)
        out.object_bytes_max = OBJECT_BYTES_DEFAULT;
    if (!out.cache_bytes)
        out.cache_bytes = CACHE_BYTES_DEFAULT;
    if (!out.window_bytes)
        out.window_bytes = WINDOW_BYTES_DEFAULT;
    return out;
}

static enum err_code
code_of(enum odb_outcome outcome)
{
    return outcome == ODB_NO_MEMORY ? ERR_NOMEM : ERR_INPUT;
}

int
odb_open(const char *objects_dir, const struct odb_options *options, struct odb **out,
         struct err *err)
{
    struct odb *odb = calloc(1, sizeof(*odb));
    if (!odb)
        return err_nomem(err, "object database");
    odb->options = with_defaults(options);
    enum odb_outcome outcome = expander_init(&odb->expander, &odb->options, &odb->reason);
    if (outcome == ODB_OK)
        outcome = add_folder(odb, objects_dir, &odb->reason);
    if (outcome == ODB_OK && add_alternates(odb) != ODB_OK)
        outcome = failure_no_memory(&odb->reason);
    if (outcome == ODB_OK) {
        *out = odb;
        return 0;
    }
    err_set(err, code_of(outcome), "open the object database %s: %s", objects_dir,
            odb->reason.text);
    odb_close(odb);
    return -1;
}

void
odb_close(struct odb *odb)
{
    if (!odb)
        return;
    for (size_t i = 0; i < odb->n_folders; i++)
        object_folder_close(odb->folders[i], &odb->expander);
    free(odb->folders);
    buf_clear(&odb->path);
    expander_clear(&odb->expander);
    free(odb);
}

/* ---- Asking every place -------------------------------------------------------------------- */

/* What is asked, and the answer. */
struct request {
    const struct oid *id;
    enum { READ, HEADER, EXISTS } what;
    size_t max_bytes;
    struct base *base; /* of READ */
    enum odb_kind kind;
    uint64_t size;
};

static enum odb_outcome
verify(const struct odb *odb, const struct request *request, struct failure *failure)
{
    char head[32], hex[OID_HEX_SIZE];
    struct bytes body = {request->base->data, request->base->len};
    struct oid found = {.len = OID_SHA1_BYTES};
    int n = snprintf(head, sizeof(head), "%s %zu", loose_kind_name(request->base->kind), body.len);
    if (odb->options.id_len != OID_SHA1_BYTES)
        return failure_set(failure, ODB_DAMAGED, "ids of SHA-256 cannot be verified");
    sha1_of((struct bytes){(const uint8_t *)head, (size_t)n + 1}, body, found.id);
    if (oid_equal(&found, request->id))
        return ODB_OK;
    return failure_set(failure, ODB_DAMAGED, "its content has the id %s", oid_to_hex(&found, hex));
}

/* The answer is in base: check it, and fill the rest. */
static enum odb_outcome
finish_read(const struct odb *odb, struct request *request, struct failure *failure)
{
    request->kind = request->base->kind;
    request->size = request->base->len;
    enum odb_outcome outcome = odb->options.verify ? verify(odb, request, failure) : ODB_OK;
    if (outcome != ODB_OK) {
        base_let_go(request->base);
        request->base = NULL;
    }
    return outcome;
}

static enum odb_outcome
ask_pack(struct odb *odb, const struct object_folder *folder, struct pack *pack, uint64_t offset,
         struct request *request, struct failure *failure)
{
    if (request->what == EXISTS)
        return pack->refusal == ODB_OK ? ODB_OK : ODB_MISSING;
    enum odb_outcome outcome =
        pack_open(pack, odb->expander.windows, folder->pack_path, odb->options.id_len, failure);
    if (outcome != ODB_OK)
        return outcome == ODB_MISSING ? ODB_DAMAGED : outcome;
    if (request->what == HEADER)
        outcome =
            expand_header(&odb->expander, pack, offset, &request->kind, &request->size, failure);
    else
        outcome = expand_read(&odb->expander, pack, offset, request->max_bytes, &request->base,
                              &request->kind, &request->size, failure);
    if (outcome == ODB_OK && request->what == READ)
        outcome = finish_read(odb, request, failure);
    if (outcome == ODB_DAMAGED || outcome == ODB_MISSING)
        failure_wrap(failure, "%s.pack", pack->name);
    return outcome == ODB_MISSING ? ODB_DAMAGED : outcome;
}

static bool
is_final(enum odb_outcome outcome)
{
    return outcome != ODB_MISSING && outcome != ODB_DAMAGED;
}

/* Remember the first damage. */
static void
keep_first(enum odb_outcome outcome, const struct failure *failure, struct failure *first)
{
    if (outcome == ODB_DAMAGED && first->outcome != ODB_DAMAGED)
        *first = *failure;
}

static enum odb_outcome
ask_multi(struct odb *odb, const struct object_folder *folder, struct request *request,
          struct failure *failure)
{
    struct windows *windows = odb->expander.windows;
    uint32_t position, number;
    uint64_t offset;
    enum odb_outcome outcome =
        id_table_find(&folder->multi->table, windows, request->id->id, &position, failure);
    if (outcome == ODB_OK)
        outcome = multi_index_place(folder->multi, windows, position, &number, &offset, failure);
    if (outcome != ODB_OK) {
        if (outcome == ODB_DAMAGED)
            failure_wrap(failure, "multi-pack-index");
        return outcome;
    }
    for (size_t i = 0; i < folder->n_packs; i++)
        if (folder->packs[i]->multi == folder->multi &&
            folder->packs[i]->number_in_multi == number && !folder->packs[i]->is_gone)
            return ask_pack(odb, folder, folder->packs[i], offset, request, failure);
    return ODB_MISSING;
}

static enum odb_outcome
ask_index(struct odb *odb, const struct object_folder *folder, struct pack *pack,
          struct request *request, struct failure *failure)
{
    uint64_t offset;
    if (pack->is_gone || !pack->index)
        return ODB_MISSING;
    enum odb_outcome outcome =
        pack_index_find(pack->index, odb->expander.windows, request->id->id, &offset, failure);
    if (outcome == ODB_OK)
        return ask_pack(odb, folder, pack, offset, request, failure);
    if (outcome == ODB_DAMAGED)
        failure_wrap(failure, "%s.idx", pack->name);
    return outcome;
}

/* Ask the packs of FOLDER, the one that answered last before all others. */
static enum odb_outcome
ask_packs(struct odb *odb, struct object_folder *folder, struct request *request,
          struct failure *first)
{
    struct failure failure;
    enum odb_outcome outcome = ODB_MISSING;
    if (folder->multi) {
        outcome = ask_multi(odb, folder, request, &failure);
        keep_first(outcome, &failure, first);
    }
    size_t n = folder->n_packs, last = folder->last_hit;
    for (size_t i = 0; !is_final(outcome) && i <= n; i++) {
        size_t at = i == 0 ? last : i - 1;
        if (at >= n || (i > 0 && at == last))
            continue;
        outcome = ask_index(odb, folder, folder->packs[at], request, &failure);
        keep_first(outcome, &failure, first);
        if (is_final(outcome))
            folder->last_hit = at;
    }
    if (is_final(outcome) && outcome != ODB_OK)
        *first = failure;
    return outcome;
}

static enum odb_outcome
ask_loose(struct odb *odb, const struct object_folder *folder, struct request *request,
          struct failure *first)
{
    struct failure failure;
    enum odb_outcome outcome = object_folder_loose_path(folder, request->id, &odb->path, &failure);
    const char *path = (const char *)odb->path.data;
    bool is_read = request->what == READ;
    if (outcome == ODB_OK)
        outcome =
            loose_read(&odb->expander, path, request->max_bytes, is_read ? &request->base : NULL,
                       &request->kind, &request->size, &failure);
    if (outcome == ODB_OK && is_read)
        outcome = finish_read(odb, request, &failure);
    if (outcome == ODB_DAMAGED) {
        char hex[OID_HEX_SIZE];
        failure_wrap(&failure, "loose object %s", oid_to_hex(request->id, hex));
    }
    keep_first(outcome, &failure, first);
    if (is_final(outcome) && outcome != ODB_OK)
        *first = failure;
    return outcome;
}

static enum odb_outcome
ask_all(struct odb *odb, struct request *request, struct failure *first)
{
    enum odb_outcome outcome = ODB_MISSING;
    first->outcome = ODB_MISSING;
    for (size_t i = 0; !is_final(outcome) && i < odb->n_folders; i++)
        outcome = ask_packs(odb, odb->folders[i], request, first);
    for (size_t i = 0; !is_final(outcome) && i < odb->n_folders; i++)
        outcome = ask_loose(odb, odb->folders[i], request, first);
    return is_final(outcome) ? outcome : first->outcome;
}

static enum odb_outcome
refresh(struct odb *odb, bool *changed)
{
    enum odb_outcome outcome = ODB_OK;
    for (size_t i = 0; outcome == ODB_OK && i < odb->n_folders; i++)
        outcome = object_folder_refresh(odb->folders[i], &odb->expander, &odb->numbering, changed,
                                        &odb->reason);
    return outcome;
}

enum odb_outcome
odb_refresh(struct odb *odb)
{
    bool changed = false;
    return refresh(odb, &changed);
}

/* An object may be missing since the pack or the alternate that has it was passed over. */
static void
explain_missing(struct odb *odb, const struct oid *id)
{
    char hex[OID_HEX_SIZE];
    const char *problem = odb->problem.text;
    for (size_t i = 0; !problem[0] && i < odb->n_folders; i++)
        problem = odb->folders[i]->problem.text;
    failure_set(&odb->reason, ODB_MISSING,
                problem[0] ? "object %s is missing (%.160s)" : "object %s is missing%s",
                oid_to_hex(id, hex), problem);
}

/* Ask everywhere, and again when that failed and packs have come meanwhile. */
static enum odb_outcome
ask(struct odb *odb, struct request *request)
{
    if (request->id->len != odb->options.id_len)
        return failure_set(&odb->reason, ODB_MISSING, "an id of %u bytes cannot be here",
                           request->id->len);
    enum odb_outcome outcome = ask_all(odb, request, &odb->reason);
    if (is_final(outcome))
        return outcome;
    struct failure before = odb->reason;
    bool changed = false;
    if (refresh(odb, &changed) != ODB_OK)
        return odb->reason.outcome;
    odb->reason = before;
    if (changed)
        outcome = ask_all(odb, request, &odb->reason);
    if (outcome == ODB_MISSING)
        explain_missing(odb, request->id);
    return outcome;
}

/* ---- Reading ------------------------------------------------------------------------------- */

enum odb_outcome
odb_read(struct odb *odb, const struct oid *id, size_t max_bytes, struct odb_object *out)
{
    struct request request = {.id = id, .what = READ, .max_bytes = max_bytes};
    *out = (struct odb_object){0};
    enum odb_outcome outcome = ask(odb, &request);
    if (outcome == ODB_TOO_LARGE)
        *out = (struct odb_object){request.kind, {NULL, (size_t)request.size}, NULL};
    if (outcome == ODB_OK)
        *out = (struct odb_object){
            request.kind, {request.base->data, request.base->len}, request.base};
    return outcome;
}

void
odb_object_clear(struct odb_object *object)
{
    base_let_go(object->held);
    *object = (struct odb_object){0};
}

enum odb_outcome
odb_read_header(struct odb *odb, const struct oid *id, enum odb_kind *kind, uint64_t *size)
{
    struct request request = {.id = id, .what = HEADER, .max_bytes = SIZE_MAX};
    enum odb_outcome outcome = ask(odb, &request);
    if (outcome == ODB_OK) {
        *kind = request.kind;
        *size = request.size;
    }
    return outcome;
}

enum odb_outcome
odb_exists(struct odb *odb, const struct oid *id)
{
    struct request request = {.id = id, .what = EXISTS, .max_bytes = SIZE_MAX};
    return ask(odb, &request);
}

/* ---- Prefixes and all ---------------------------------------------------------------------- */

struct match {
    struct oid prefix, found;
    size_t n_digits;
    enum odb_outcome outcome; /* ODB_MISSING until something is found */
};

static bool
begins_with(const uint8_t *id, const struct oid *prefix, size_t n_digits)
{
    size_t n = n_digits / 2;
    if (memcmp(id, prefix->id, n) != 0)
        return false;
    return n_digits % 2 == 0 || id[n] >> 4 == prefix->id[n] >> 4;
}

static int
add_match(void *context, const struct oid *id)
{
    struct match *match = context;
    if (!begins_with(id->id, &match->prefix, match->n_digits) ||
        (match->outcome == ODB_OK && oid_equal(id, &match->found)))
        return 0;
    match->outcome = match->outcome == ODB_MISSING ? ODB_OK : ODB_AMBIGUOUS;
    match->found = *id;
    return match->outcome == ODB_AMBIGUOUS;
}

/* Visit the ids of TABLE from POSITION on while they begin with PREFIX (all, when it is NULL). */
static enum odb_outcome
each_of_table(struct odb *odb, const struct id_table *table, uint32_t position,
              const struct match *match, odb_visit *visit, void *context, int *result)
{
    for (; *result == 0 && position < id_table_count(table); position++) {
        const uint8_t *raw = id_table_at(table, odb->expander.windows, position, &odb->reason);
        if (!raw)
            return odb->reason.outcome;
        if (match && !begins_with(raw, &match->prefix, match->n_digits))
            break;
        struct oid id = oid_from_raw(raw, table->id_len);
        *result = visit(context, &id);
    }
    return ODB_OK;
}

static enum odb_outcome
match_in_table(struct odb *odb, const struct id_table *table, struct match *match, int *is_over)
{
    uint32_t position;
    enum odb_outcome outcome =
        id_table_seek(table, odb->expander.windows, match->prefix.id, &position, &odb->reason);
    return outcome == ODB_OK ? each_of_table(odb, table, position, match, add_match, match, is_over)
                             : outcome;
}

static enum odb_outcome
match_in_folder(struct odb *odb, const struct object_folder *folder, struct match *match,
                int *is_over)
{
    enum odb_outcome outcome = ODB_OK;
    if (folder->multi)
        outcome = match_in_table(odb, &folder->multi->table, match, is_over);
    for (size_t i = 0; outcome != ODB_NO_MEMORY && i < folder->n_packs; i++)
        if (folder->packs[i]->index && !folder->packs[i]->is_gone)
            outcome = match_in_table(odb, &folder->packs[i]->index->table, match, is_over);
    if (outcome == ODB_NO_MEMORY)
        return outcome;
    return object_folder_each_loose(folder, odb->options.id_len, match->prefix.id[0], add_match,
                                    match, is_over, &odb->reason);
}

enum odb_outcome
odb_find_prefix(struct odb *odb, const struct oid *prefix, size_t n_digits, struct oid *out)
{
    struct match match = {.n_digits = n_digits, .outcome = ODB_MISSING};
    size_t id_len = odb->options.id_len;
    int is_over = 0;
    if (n_digits < ODB_PREFIX_DIGITS_MIN)
        return failure_set(&odb->reason, ODB_AMBIGUOUS, "fewer than %d digits name no object",
                           ODB_PREFIX_DIGITS_MIN);
    if (n_digits > 2 * id_len)
        return failure_set(&odb->reason, ODB_MISSING, "no id has %zu digits", n_digits);
    match.prefix.len = (uint8_t)id_len;
    memcpy(match.prefix.id, prefix->id, (n_digits + 1) / 2);
    if (n_digits % 2)
        match.prefix.id[n_digits / 2] &= 0xf0;
    for (size_t i = 0; is_over == 0 && i < odb->n_folders; i++)
        if (match_in_folder(odb, odb->folders[i], &match, &is_over) == ODB_NO_MEMORY)
            return failure_no_memory(&odb->reason);
    if (match.outcome == ODB_OK)
        *out = match.found;
    else
        failure_set(&odb->reason, match.outcome, "%s object begins with these %zu digits",
                    match.outcome == ODB_AMBIGUOUS ? "more than one" : "no", n_digits);
    return match.outcome;
}

static enum odb_outcome
each_of_folder(struct odb *odb, const struct object_folder *folder, odb_visit *visit, void *context,
               int *result)
{
    enum odb_outcome outcome = ODB_OK;
    if (folder->multi)
        outcome = each_of_table(odb, &folder->multi->table, 0, NULL, visit, context, result);
    for (size_t i = 0; outcome == ODB_OK && i < folder->n_packs; i++) {
        const struct pack *pack = folder->packs[i];
        if (pack->index && !pack->multi && !pack->is_gone)
            outcome = each_of_table(odb, &pack->index->table, 0, NULL, visit, context, result);
    }
    for (unsigned first = 0; outcome == ODB_OK && first < 256; first++)
        outcome = object_folder_each_loose(folder, odb->options.id_len, (uint8_t)first, visit,
                                           context, result, &odb->reason);
    return outcome;
}

enum odb_outcome
odb_each(struct odb *odb, odb_visit *visit, void *context, int *result)
{
    enum odb_outcome outcome = ODB_OK;
    *result = 0;
    for (size_t i = 0; outcome == ODB_OK && i < odb->n_folders; i++)
        outcome = each_of_folder(odb, odb->folders[i], visit, context, result);
    return outcome;
}

/* ---- Reasons ------------------------------------------------------------------------------- */

const char *
odb_reason(const struct odb *odb)
{
    return odb->reason.text;
}

/* The first problem of FOLDER; its packs are opened to find it. */
static const char *
problem_of(struct odb *odb, struct object_folder *folder)
{
    struct failure failure;
    for (size_t i = 0; !folder->problem.text[0] && i < folder->n_packs; i++) {
        struct pack *pack = folder->packs[i];
        if (!pack->is_gone && pack_open(pack, odb->expander.windows, folder->pack_path,
                                        odb->options.id_len, &failure) != ODB_OK)
            folder->problem = failure;
    }
    return folder->problem.text[0] ? folder->problem.text : NULL;
}

const char *
odb_problem(struct odb *odb)
{
    const char *found = NULL;
    for (size_t i = 0; !found && i < odb->n_folders; i++)
        found = problem_of(odb, odb->folders[i]);
    return !found && odb->problem.text[0] ? odb->problem.text : found;
}
