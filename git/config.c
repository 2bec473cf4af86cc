/* Format: lines of [section], [section "subsection"], key = value or key; '#' and ';' begin a
 * comment; a backslash at the end of a line joins it to the next.  Section and key are not case
 * sensitive. Values are only taken apart as far as numbers, truth and names need. */
#include "git/config.h"

#include <ctype.h>
#include <strings.h>

#include "base/buf.h"
#include "base/num.h"
#include "git/odb/regular.h"

enum { CONFIG_BYTES_MAX = 64 * 1024 * 1024, NAME_MAX_BYTES = 128 };

struct parser {
    struct bytes rest;
    const char *path;
    size_t line;          /* its number */
    struct bytes section; /* "core", `remote "o"` */
    struct config *config;
    bool has_extensions; /* one that this build does not know */
    char extension[NAME_MAX_BYTES];
    uint64_t version;
    struct err *err;
};

static int
malformed(const struct parser *parser)
{
    return err_set(parser->err, ERR_DAMAGED, "%s: line %zu is malformed", parser->path,
                   parser->line);
}

static struct bytes
trimmed(struct bytes text)
{
    while (text.len > 0 && memchr(" \t\r", text.data[0], 3))
        text = bytes_slice(text, 1, text.len);
    while (text.len > 0 && memchr(" \t\r", text.data[text.len - 1], 3))
        text.len--;
    return text;
}

static bool
is_name(struct bytes text, const char *name)
{
    return text.len == strlen(name) && strncasecmp((const char *)text.data, name, text.len) == 0;
}

/* The value of a line, without a comment and the quotes around the whole of it. */
static struct bytes
value_of(struct bytes text)
{
    bool is_quoted = false;
    size_t at = 0;
    for (; at < text.len; at++) {
        if (text.data[at] == '"')
            is_quoted = !is_quoted;
        else if (text.data[at] == '\\' && at + 1 < text.len)
            at++;
        else if (!is_quoted && (text.data[at] == '#' || text.data[at] == ';'))
            break;
    }
    text = trimmed(bytes_slice(text, 0, at < text.len ? at : text.len));
    if (text.len >= 2 && text.data[0] == '"' && text.data[text.len - 1] == '"')
        text = bytes_slice(text, 1, text.len - 1);
    return text;
}

/* Truth as git reads it: a key without a value is true. */
static bool
is_true(struct bytes value, bool has_value)
{
    static const char *const words[] = {"false", "no", "off", "0", ""};
    for (size_t i = 0; has_value && i < sizeof(words) / sizeof(*words); i++)
        if (is_name(value, words[i]))
            return false;
    return true;
}

static void
take_extension(struct parser *parser, struct bytes key, struct bytes value)
{
    static const char *const known[] = {"noop", "preciousobjects", "worktreeconfig",
                                        "relativeworktrees"};
    if (is_name(key, "partialclone")) {
        parser->config->is_partial = true;
        return;
    }
    if (is_name(key, "objectformat") && is_name(value, "sha1"))
        return;
    if (is_name(key, "refstorage") && is_name(value, "files"))
        return;
    for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
        if (is_name(key, known[i]))
            return;
    size_t n = key.len < sizeof(parser->extension) - 1 ? key.len : sizeof(parser->extension) - 1;
    for (size_t i = 0; i < n; i++)
        parser->extension[i] = isgraph(key.data[i]) ? (char)key.data[i] : '?';
    parser->extension[n] = 0;
    parser->has_extensions = true;
}

static int
take_setting(struct parser *parser, struct bytes key, struct bytes value, bool has_value)
{
    if (is_name(parser->section, "core") && is_name(key, "repositoryformatversion")) {
        if (num_parse_u64(value, 0, UINT64_MAX, &parser->version) < 0)
            return malformed(parser);
    } else if (is_name(parser->section, "extensions")) {
        take_extension(parser, key, value);
    } else if (parser->section.len > 7 &&
               strncasecmp((const char *)parser->section.data, "remote ", 7) == 0) {
        if (is_name(key, "promisor") && is_true(value, has_value))
            parser->config->is_partial = true;
    }
    return 0;
}

/* LINE begins with '['.  What follows the ']' is a line of its own. */
static int
take_section(struct parser *parser, struct bytes *line)
{
    bool is_quoted = false;
    size_t at = 1;
    for (; at < line->len && (is_quoted || line->data[at] != ']'); at++) {
        if (line->data[at] == '"')
            is_quoted = !is_quoted;
        else if (line->data[at] == '\\' && is_quoted)
            at++;
    }
    if (at >= line->len)
        return malformed(parser);
    parser->section = trimmed(bytes_slice(*line, 1, at));
    if (parser->section.len == 0)
        return malformed(parser);
    *line = bytes_slice(*line, at + 1, line->len);
    return 0;
}

static int
take_line(struct parser *parser, struct bytes line)
{
    line = trimmed(line);
    while (line.len > 0 && line.data[0] == '[') {
        if (take_section(parser, &line) < 0)
            return -1;
        line = trimmed(line);
    }
    if (line.len == 0 || line.data[0] == '#' || line.data[0] == ';')
        return 0;
    size_t at = 0;
    while (at < line.len && (isalnum(line.data[at]) || line.data[at] == '-'))
        at++;
    struct bytes key = bytes_slice(line, 0, at);
    struct bytes rest = trimmed(bytes_slice(line, at, line.len));
    bool has_value = rest.len > 0 && rest.data[0] == '=';
    bool is_comment = rest.len > 0 && (rest.data[0] == '#' || rest.data[0] == ';');
    if (key.len == 0 || !isalpha(key.data[0]) || parser->section.len == 0 ||
        (rest.len > 0 && !has_value && !is_comment))
        return malformed(parser);
    return take_setting(parser, key,
                        has_value ? value_of(trimmed(bytes_slice(rest, 1, rest.len))) : BYTES(""),
                        has_value);
}

/* Does LINE go on in the next? */
static bool
is_joined(struct bytes line)
{
    size_t n = 0;
    if (line.len > 0 && line.data[line.len - 1] == '\r')
        line.len--;
    while (n < line.len && line.data[line.len - 1 - n] == '\\')
        n++;
    return n % 2 == 1;
}

static int
check_format(const struct parser *parser)
{
    if (parser->version > 1)
        return err_set(parser->err, ERR_UNSUPPORTED,
                       "%s: unsupported repository version %llu, at most 1 is known", parser->path,
                       (unsigned long long)parser->version);
    if (parser->version == 1 && parser->has_extensions)
        return err_set(parser->err, ERR_UNSUPPORTED, "%s: unsupported extension %s", parser->path,
                       parser->extension);
    return 0;
}

int
config_parse(struct bytes content, const char *path, struct config *out, struct err *err)
{
    struct parser parser = {.rest = content, .path = path, .config = out, .err = err};
    struct bytes line;
    *out = (struct config){0};
    if (bytes_starts_with(parser.rest, BYTES("\xef\xbb\xbf")))
        parser.rest = bytes_slice(parser.rest, 3, parser.rest.len);
    if (content.len > 0 && memchr(content.data, 0, content.len))
        return err_set(err, ERR_DAMAGED, "%s holds a NUL", path);
    while (bytes_take_line(&parser.rest, &line)) {
        parser.line++;
        if (take_line(&parser, line) < 0)
            return -1;
        /* What a value is continued by is not looked at. */
        while (is_joined(line) && bytes_take_line(&parser.rest, &line))
            parser.line++;
    }
    return check_format(&parser);
}

int
config_read(const char *path, struct config *out, struct err *err)
{
    struct buf content = {0};
    struct failure failure;
    *out = (struct config){0};
    enum odb_outcome outcome = regular_read_all(path, CONFIG_BYTES_MAX, &content, &failure);
    int result = 0;
    if (outcome == ODB_OK)
        result = config_parse(buf_bytes(&content), path, out, err);
    else if (outcome == ODB_NO_MEMORY)
        result = err_nomem(err, "configuration");
    else if (outcome != ODB_MISSING)
        result = err_set(err, ERR_DAMAGED, "%s: %s", path, failure.text);
    buf_clear(&content);
    return result;
}
