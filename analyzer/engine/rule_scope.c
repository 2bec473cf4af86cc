#include "analyzer/engine/rule_scope.h"

#include "analyzer/engine/ruleset.h"
#include "base/utf8.h"

/* ---- A glob -------------------------------------------------------------------------------- */

enum { BRACES_MAX = 100 };

/* Any components in front of what follows, none too. */
#define RECURSIVE_PREFIX "(?:/?|.*/)"

struct translation {
    struct bytes glob;
    size_t at;
    bool any_case;
    struct buf *out;
    size_t start;      /* in out, of the glob or the alternative at hand */
    size_t before;     /* in out, in front of the slash that has just been written; or SIZE_MAX */
    bool is_recursive; /* a `**` that takes whole components has just been written */
    size_t braces[BRACES_MAX]; /* start of what encloses them */
    uint32_t n_braces;
    const char *why;
};

static bool
is_letter(uint8_t c)
{
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

/* C as a text that only matches itself. */
static void
put_literal(struct translation *t, uint8_t c)
{
    t->before = c == '/' ? t->out->len : SIZE_MAX;
    t->is_recursive = false;
    if (t->any_case && is_letter(c))
        buf_printf(t->out, "[%c%c]", c & ~0x20, c | 0x20);
    else if (c < 0x80 && !is_letter(c))
        buf_printf(t->out, "\\x%02x", c);
    else
        buf_append_byte(t->out, c);
}

static void
put_wild(struct translation *t, const char *regex)
{
    t->before = SIZE_MAX;
    t->is_recursive = false;
    buf_append_text(t->out, regex);
}

static uint8_t
peek(const struct translation *t)
{
    return t->at < t->glob.len ? t->glob.data[t->at] : 0;
}

/* Two stars, the second being read: they take whole components when they stand between slashes. */
static void
put_two_stars(struct translation *t)
{
    bool at_end = t->at == t->glob.len;
    uint8_t next = peek(t);
    bool ends_here = at_end || (t->n_braces > 0 && (next == ',' || next == '}'));
    if (t->out->len == t->start) {
        if (!at_end && next != '/') {
            put_wild(t, ".*");
            return;
        }
        t->at += !at_end;
        put_wild(t, RECURSIVE_PREFIX);
        t->is_recursive = true;
    } else if (t->is_recursive && (ends_here || next == '/')) {
        t->at += next == '/'; /* as good as the one before */
    } else if (t->before != SIZE_MAX && (ends_here || next == '/')) {
        t->at += next == '/';
        t->out->len = t->before; /* the slash is part of what comes instead */
        put_wild(t, ends_here ? "/.*" : "(?:/|/.*/)");
        t->is_recursive = true;
    } else {
        put_wild(t, ".*");
    }
}

static void
put_member(struct translation *t, uint8_t c)
{
    if (c < 0x80)
        buf_printf(t->out, "\\x%02x", c);
    else
        buf_append_byte(t->out, c);
}

/* A character of a class: one code point. */
static struct bytes
take_member(struct translation *t)
{
    size_t n = utf8_length(t->glob, t->at);
    struct bytes member = bytes_slice(t->glob, t->at, t->at + (n ? n : 1));
    t->at += member.len;
    return member;
}

static void
put_members(struct translation *t, struct bytes member)
{
    for (size_t i = 0; i < member.len; i++)
        put_member(t, member.data[i]);
}

/* Behind the '['. */
static bool
put_class(struct translation *t)
{
    struct bytes first = {0}, last;
    bool any = false;
    buf_append_text(t->out, t->any_case ? "(?i:[" : "[");
    if (peek(t) == '!' || peek(t) == '^') {
        buf_append_byte(t->out, '^');
        t->at++;
    }
    for (; t->at < t->glob.len && (peek(t) != ']' || !any); any = true) {
        first = take_member(t);
        put_members(t, first);
        if (peek(t) != '-' || t->at + 1 >= t->glob.len || t->glob.data[t->at + 1] == ']')
            continue;
        t->at++;
        last = take_member(t);
        if (bytes_compare(first, last) > 0) {
            t->why = "a range that ends before it starts";
            return false;
        }
        buf_append_byte(t->out, '-');
        put_members(t, last);
    }
    if (t->at == t->glob.len) {
        t->why = "no ] behind a [";
        return false;
    }
    t->at++;
    put_wild(t, t->any_case ? "])" : "]");
    return true;
}

static bool
put_next(struct translation *t)
{
    uint8_t c = t->glob.data[t->at++];
    switch (c) {
    case '?':
        put_wild(t, ".");
        return true;
    case '*':
        if (peek(t) != '*' || t->at == t->glob.len) {
            put_wild(t, ".*");
            return true;
        }
        t->at++;
        put_two_stars(t);
        return true;
    case '[':
        return put_class(t);
    case '{':
        if (t->n_braces == BRACES_MAX) {
            t->why = "too many { in each other";
            return false;
        }
        t->braces[t->n_braces++] = t->start;
        put_wild(t, "(?:");
        t->start = t->out->len;
        return true;
    case '}':
        if (t->n_braces == 0) {
            t->why = "a } without {";
            return false;
        }
        if (t->out->len == t->start && t->out->data[t->start - 1] == '|')
            t->out->len--;
        t->start = t->braces[--t->n_braces];
        put_wild(t, ")");
        return true;
    case ',':
        if (t->n_braces == 0)
            break;
        if (t->out->len > t->start) /* an empty alternative is none */
            put_wild(t, "|");
        t->start = t->out->len;
        return true;
    case '\\':
        if (t->at == t->glob.len) {
            t->why = "a \\ at the end";
            return false;
        }
        put_literal(t, t->glob.data[t->at++]);
        return true;
    default:
        break;
    }
    put_literal(t, c);
    return true;
}

bool
glob_to_regex(struct bytes glob, bool any_case, struct buf *out, const char **why)
{
    struct translation t = {
        .glob = glob, .any_case = any_case, .out = out, .before = SIZE_MAX, .why = NULL};
    buf_append_text(out, "(?s)^");
    t.start = out->len;
    while (t.at < glob.len && put_next(&t))
        ;
    if (!t.why && t.n_braces > 0)
        t.why = "a { without }";
    /* Where nothing follows them they are any path. */
    if (bytes_equal(bytes_slice(buf_bytes(out), t.start, out->len), BYTES(RECURSIVE_PREFIX))) {
        out->len = t.start;
        buf_append_text(out, ".*");
    }
    buf_append_byte(out, '$');
    *why = t.why;
    return !t.why;
}

/* ---- Reading ------------------------------------------------------------------------------- */

static const struct regex *
compile_glob(struct rule_loader *loader, struct rule_reader *reader, struct bytes glob,
             bool any_case, uint32_t line)
{
    struct buf text = {0};
    const char *why;
    struct regex *regex = ARENA_NEW(loader->arena, struct regex);
    bool ok = regex != NULL;
    if (!regex) {
        (void)err_nomem(loader->err, "rules");
    } else if (!glob_to_regex(glob, any_case, &text, &why)) {
        (void)rule_refuse(reader, line, "\"%.*s\" is no glob: %s", BYTES_ARG(glob), why);
        ok = false;
    } else if (buf_failed(&text)) {
        (void)err_nomem(loader->err, "rules");
        ok = false;
    } else if (regex_compile(buf_bytes(&text), loader->arena, regex, loader->err) < 0) {
        if (loader->err->code == ERR_INPUT)
            (void)rule_refuse(reader, line, "the glob \"%.*s\" is too large", BYTES_ARG(glob));
        ok = false;
    }
    buf_clear(&text);
    return ok ? regex : NULL;
}

static int
read_glob(struct rule_loader *loader, struct rule_reader *reader, const struct yaml_value *value,
          const char *key, const struct regex **out)
{
    const struct yaml_value *glob = value, *any_case = NULL;
    if (value->type == YAML_MAPPING) {
        glob = yaml_member(value, "glob");
        any_case = yaml_member(value, "caseInsensitive");
    }
    if (!glob || glob->type != YAML_TEXT || (any_case && any_case->type != YAML_BOOL))
        return rule_refuse(reader, value->line,
                           "`%s` must be a list of globs, each a text or {glob, caseInsensitive}",
                           key);
    bool folds = any_case && (any_case->text.data[0] | 0x20) == 't';
    *out = compile_glob(loader, reader, glob->text, folds, value->line);
    return *out ? 0 : -1;
}

static int
read_globs(struct rule_loader *loader, struct rule_reader *reader, const struct yaml_value *root,
           const char *key, const struct regex ***out, uint32_t *n_out)
{
    const struct yaml_value *globs = yaml_member(root, key);
    if (!globs || globs->type == YAML_NULL)
        return 0;
    if (globs->type != YAML_LIST)
        return rule_refuse(reader, globs->line, "`%s` must be a list of globs, not %s", key,
                           yaml_type_name(globs->type));
    *out = ARENA_ARRAY(loader->arena, globs->n_items, const struct regex *);
    if (!*out)
        return err_nomem(loader->err, "rules");
    for (uint32_t i = 0; i < globs->n_items; i++)
        if (read_glob(loader, reader, globs->items[i].value, key, &(*out)[i]) < 0)
            return -1;
    *n_out = globs->n_items;
    return 0;
}

int
rule_scope_read(struct rule_loader *loader, struct rule_reader *reader,
                const struct yaml_value *root, const struct rule_scope **out)
{
    struct rule_scope scope = {0};
    *out = NULL;
    if (read_globs(loader, reader, root, "files", &scope.files, &scope.n_files) < 0 ||
        read_globs(loader, reader, root, "ignores", &scope.ignores, &scope.n_ignores) < 0)
        return -1;
    scope.has_files = scope.files != NULL;
    if (!scope.has_files && scope.n_ignores == 0)
        return 0;
    struct rule_scope *kept = ARENA_NEW(loader->arena, struct rule_scope);
    if (!kept)
        return err_nomem(loader->err, "rules");
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
    struct rule_loader loader = {.arena = arena, .origin = "rule", .err = err};
    struct rule_reader reader = {.origin = "rule", .err = err};
    *out = NULL;
    if (!memmem(source.data, source.len, "files", 5) &&
        !memmem(source.data, source.len, "ignores", 7))
        return 0;
    arena_init(&scratch, 0);
    int rc = yaml_read(source, "rule", &scratch, &documents, &n_documents, err);
    for (uint32_t i = 0; rc == 0 && i < n_documents && !*out; i++)
        rc = rule_scope_read(&loader, &reader, documents[i].root, out);
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
ruleset_applies(const struct ruleset *set, uint32_t rule, struct bytes path)
{
    return rule_scope_covers(set->rules[rule].scope, path);
}

bool
rule_scope_covers(const struct rule_scope *scope, struct bytes path)
{
    return !scope || ((!scope->has_files || any_matches(scope->files, scope->n_files, path)) &&
                      !any_matches(scope->ignores, scope->n_ignores, path));
}
