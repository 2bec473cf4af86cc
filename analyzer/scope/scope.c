/*
 * The scope of a rule: its globs, each compiled to a regex.
 *
 * A path is covered if one of `files` matches it, or there is no `files`, and none of `ignores`
 * does.  Paths are asked about far more rarely than nodes of a tree, so each question has a cache
 * of its own and nothing is kept between questions.
 */
#include "analyzer/scope/scope.h"

#include "analyzer/regex/regex.h"
#include "analyzer/scope/glob.h"

struct rule_scope {
    bool has_files; /* then one of these must match */
    const struct regex **files;
    uint32_t n_files;
    const struct regex **ignores; /* none of these may */
    uint32_t n_ignores;
};

/* ---- Reading ------------------------------------------------------------------------------- */

struct reading {
    const char *origin; /* the file, for messages */
    struct arena *arena;
    struct err *err;
};

static const struct regex *
compile_glob(struct reading *reading, struct bytes glob, bool any_case, uint32_t line)
{
    struct buf text = {0};
    struct err *err = reading->err;
    const char *why;
    struct regex *regex = ARENA_NEW(reading->arena, struct regex);
    bool ok = false;
    if (!regex)
        (void)err_nomem(err, "rules");
    else if (!glob_to_regex(glob, any_case, &text, &why))
        (void)err_set(err, ERR_INPUT, "%s:%u: \"%.*s\" is not a glob: %s", reading->origin, line,
                      BYTES_ARG(glob), why);
    else if (buf_failed(&text))
        (void)err_nomem(err, "rules");
    else if (regex_compile(buf_bytes(&text), reading->arena, regex, err) == 0)
        ok = true;
    else if (err->code == ERR_INPUT)
        (void)err_set(err, ERR_INPUT, "%s:%u: the glob \"%.*s\" is too large", reading->origin,
                      line, BYTES_ARG(glob));
    buf_clear(&text);
    return ok ? regex : NULL;
}

static int
read_glob(struct reading *reading, const struct yaml_value *value, const char *key,
          const struct regex **out)
{
    const struct yaml_value *glob = value, *any_case = NULL;
    if (value->type == YAML_MAPPING) {
        glob = yaml_member(value, "glob");
        any_case = yaml_member(value, "caseInsensitive");
    }
    if (!glob || glob->type != YAML_TEXT || (any_case && any_case->type != YAML_BOOL))
        return err_set(reading->err, ERR_INPUT,
                       "%s:%u: `%s` must be a list of globs, each a text or {glob, "
                       "caseInsensitive}",
                       reading->origin, value->line, key);
    bool folds = any_case && (any_case->text.data[0] | 0x20) == 't';
    *out = compile_glob(reading, glob->text, folds, value->line);
    return *out ? 0 : -1;
}

static int
read_globs(struct reading *reading, const struct yaml_value *root, const char *key,
           const struct regex ***out, uint32_t *n_out)
{
    const struct yaml_value *globs = yaml_member(root, key);
    if (!globs || globs->type == YAML_NULL)
        return 0;
    if (globs->type != YAML_LIST)
        return err_set(reading->err, ERR_INPUT, "%s:%u: `%s` must be a list of globs, not %s",
                       reading->origin, globs->line, key, yaml_type_name(globs->type));
    *out = ARENA_ARRAY(reading->arena, globs->n_items, const struct regex *);
    if (!*out)
        return err_nomem(reading->err, "rules");
    for (uint32_t i = 0; i < globs->n_items; i++)
        if (read_glob(reading, globs->items[i].value, key, &(*out)[i]) < 0)
            return -1;
    *n_out = globs->n_items;
    return 0;
}

int
rule_scope_read(const struct yaml_value *root, const char *origin, struct arena *arena,
                const struct rule_scope **out, struct err *err)
{
    struct reading reading = {origin, arena, err};
    struct rule_scope scope = {0};
    *out = NULL;
    if (read_globs(&reading, root, "files", &scope.files, &scope.n_files) < 0 ||
        read_globs(&reading, root, "ignores", &scope.ignores, &scope.n_ignores) < 0)
        return -1;
    scope.has_files = scope.files != NULL;
    if (!scope.has_files && scope.n_ignores == 0)
        return 0;
    struct rule_scope *kept = ARENA_NEW(arena, struct rule_scope);
    if (!kept)
        return err_nomem(err, "rules");
    *kept = scope;
    *out = kept;
    return 0;
}

int
rule_scope_of_source(struct bytes source, struct arena *arena, const struct rule_scope **out,
                     struct err *err)
{
    struct arena scratch;
    struct yaml_document *documents;
    uint32_t n_documents;
    *out = NULL;
    if (!memmem(source.data, source.len, "files", 5) &&
        !memmem(source.data, source.len, "ignores", 7))
        return 0;
    arena_init(&scratch, 0);
    int rc = yaml_read(source, "rule", &scratch, &documents, &n_documents, err);
    for (uint32_t i = 0; rc == 0 && i < n_documents && !*out; i++)
        rc = rule_scope_read(documents[i].root, "rule", arena, out, err);
    arena_clear(&scratch);
    return rc;
}

/* ---- Asking -------------------------------------------------------------------------------- */

static bool
any_matches(const struct regex *const *globs, uint32_t n, struct bytes path)
{
    bool matches = false;
    for (uint32_t i = 0; i < n && !matches; i++) {
        uint64_t steps = UINT64_MAX;
        struct regex_cache *cache = regex_cache_create(globs[i]);
        matches = cache && regex_search(cache, path, &steps) == REGEX_MATCH;
        regex_cache_destroy(cache);
    }
    return matches;
}

bool
rule_scope_covers(const struct rule_scope *scope, struct bytes path)
{
    return !scope || ((!scope->has_files || any_matches(scope->files, scope->n_files, path)) &&
                      !any_matches(scope->ignores, scope->n_ignores, path));
}
