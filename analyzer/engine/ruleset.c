/*
 * Sets of rules: loading every document of every file, putting two sets together, and looking up.
 * Needs and anchors are found when all rules are in the program.
 */
#include "analyzer/engine/ruleset.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "analyzer/engine/rule_load.h"
#include "base/buf.h"

enum {
    OBJECTS_MAX = 1000000, /* rule objects of a set, aliases counted in full */
    RULES_MAX = 1000000
};

/* ---- One file ------------------------------------------------------------------------------ */

/* The name of a file without its folder and its last ending. */
static struct bytes
stem_of(const char *name)
{
    const char *slash = strrchr(name, '/');
    const char *start = slash ? slash + 1 : name;
    const char *dot = strrchr(start, '.');
    size_t n = dot && dot != start ? (size_t)(dot - start) : strlen(start);
    return (struct bytes){(const uint8_t *)start, n};
}

static int
make_room(struct ruleset *set, uint32_t n, struct err *err)
{
    if (n > RULES_MAX - set->n_rules)
        return err_set(err, ERR_INPUT, "more than %d rules in a set", RULES_MAX);
    uint32_t infos_capacity = set->capacity, rules_capacity = set->capacity;
    if (!ARRAY_RESERVE(set->infos, set->n_rules, infos_capacity, n) ||
        !ARRAY_RESERVE(set->rules, set->n_rules, rules_capacity, n))
        return err_nomem(err, "rules");
    assert(infos_capacity == rules_capacity);
    set->capacity = rules_capacity;
    return 0;
}

static int
load_documents(struct ruleset *set, struct rule_loader *loader,
               const struct yaml_document *documents, uint32_t n_documents)
{
    uint32_t n_rules = 0, position = 0;
    for (uint32_t i = 0; i < n_documents; i++)
        n_rules += documents[i].root->type != YAML_NULL;
    if (make_room(set, n_rules, loader->err) < 0)
        return -1;
    struct bytes stem = stem_of(loader->origin);
    struct buf id = {0};
    int rc = 0;
    for (uint32_t i = 0; i < n_documents && rc == 0; i++) {
        if (documents[i].root->type == YAML_NULL)
            continue;
        buf_reset(&id);
        buf_append_bytes(&id, stem);
        if (n_rules > 1)
            buf_printf(&id, "-%u", position);
        position++;
        rc = buf_failed(&id) ? err_nomem(loader->err, "rules")
                             : rule_load(loader, &documents[i], buf_bytes(&id),
                                         &set->infos[set->n_rules], &set->rules[set->n_rules]);
        set->n_rules += rc == 0;
    }
    buf_clear(&id);
    return rc;
}

static int
load_source(struct ruleset *set, struct rule_loader *loader, const struct rule_source *source)
{
    struct arena scratch;
    struct yaml_document *documents;
    uint32_t n_documents;
    arena_init(&scratch, 0);
    loader->origin = source->name;
    int rc = yaml_read(source->text, source->name, &scratch, &documents, &n_documents, loader->err);
    if (rc == 0)
        rc = load_documents(set, loader, documents, n_documents);
    arena_clear(&scratch);
    return rc;
}

/* ---- The set ------------------------------------------------------------------------------- */

static int
copy_sources(struct ruleset *set, const struct rule_source *sources, size_t n_sources,
             struct err *err)
{
    set->sources = ARENA_ARRAY(&set->arena, n_sources, struct rule_source);
    if (!set->sources)
        return err_nomem(err, "rules");
    for (size_t i = 0; i < n_sources; i++) {
        struct bytes name = arena_copy(&set->arena, bytes_of_text(sources[i].name));
        set->sources[i].name = (const char *)name.data;
        set->sources[i].text = arena_copy(&set->arena, sources[i].text);
        if (!name.data || !set->sources[i].text.data)
            return err_nomem(err, "rules");
    }
    set->n_sources = n_sources;
    return 0;
}

static int
load_all(struct ruleset *set, struct err *err)
{
    struct rule_loader loader = {
        .program = &set->program, .arena = &set->arena, .objects_left = OBJECTS_MAX, .err = err};
    if (parse_create(&loader.parse, err) < 0)
        return -1;
    regex_table_init(&loader.regexes, &set->program.arena);
    int rc = 0;
    for (size_t i = 0; i < set->n_sources && rc == 0; i++)
        rc = load_source(set, &loader, &set->sources[i]);
    set->program.regexes = loader.regexes.regexes;
    set->program.n_regexes = loader.regexes.n_regexes;
    loader.regexes.regexes = NULL;
    regex_table_clear(&loader.regexes);
    parse_destroy(loader.parse);
    map_clear(&set->program.known);
    if (rc == 0 && (program_needs_find(&set->program, &set->needs) < 0 ||
                    program_anchors_find(&set->program, &set->anchors) < 0))
        rc = err_nomem(err, "rules");
    return rc;
}

int
ruleset_load(const struct rule_source *sources, size_t n_sources, struct ruleset **out,
             struct err *err)
{
    struct err ignored;
    struct ruleset *set = calloc(1, sizeof(*set));
    if (!err)
        err = &ignored;
    if (!set)
        return err_nomem(err, "rules");
    arena_init(&set->arena, 0);
    program_init(&set->program);
    program_needs_init(&set->needs);
    program_anchors_init(&set->anchors);
    if (copy_sources(set, sources, n_sources, err) < 0 || load_all(set, err) < 0) {
        ruleset_destroy(set);
        return -1;
    }
    *out = set;
    return 0;
}

void
ruleset_destroy(struct ruleset *set)
{
    if (!set)
        return;
    program_needs_clear(&set->needs);
    program_anchors_clear(&set->anchors);
    program_clear(&set->program);
    arena_clear(&set->arena);
    free(set->infos);
    free(set->rules);
    free(set);
}

int
ruleset_concat(const struct ruleset *a, const struct ruleset *b, struct ruleset **out,
               struct err *err)
{
    size_t n = a->n_sources + b->n_sources;
    struct rule_source *sources = calloc(n + 1, sizeof(*sources));
    if (!sources)
        return err_nomem(err, "rules");
    memcpy(sources, a->sources, a->n_sources * sizeof(*sources));
    memcpy(sources + a->n_sources, b->sources, b->n_sources * sizeof(*sources));
    int rc = ruleset_load(sources, n, out, err);
    free(sources);
    return rc;
}

uint32_t
ruleset_count(const struct ruleset *set)
{
    return set->n_rules;
}

const struct rule_info *
ruleset_rule(const struct ruleset *set, uint32_t index)
{
    return &set->infos[index];
}

bool
ruleset_applies(const struct ruleset *set, uint32_t rule, struct bytes path)
{
    return rule_scope_covers(set->rules[rule].scope, path);
}
