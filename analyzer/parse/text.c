/* How Python reads source is in its reference, "Encoding declarations" (PEP 263): a byte-order mark
 * wins, else a comment in one of the first two lines that matches
 * ^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+), the second line only when the first holds no code. */
#include "analyzer/parse/text.h"

#include <ctype.h>
#include <errno.h>
#include <iconv.h>
#include <stdlib.h>

#include "base/utf8.h"

enum { CODEC_NAME_MAX = 40 };

static const struct bytes utf8_mark = {(const uint8_t *)"\xef\xbb\xbf", 3};

/* Line AT of INPUT without its end; *NEXT is where the next one starts. */
static struct bytes
line_at(struct bytes input, size_t at, size_t *next)
{
    size_t end = at;
    while (end < input.len && input.data[end] != '\n' && input.data[end] != '\r')
        end++;
    *next = end;
    if (*next < input.len)
        *next +=
            input.data[end] == '\r' && end + 1 < input.len && input.data[end + 1] == '\n' ? 2 : 1;
    return bytes_slice(input, at, end);
}

static size_t
skip_blanks(struct bytes line, size_t at)
{
    while (at < line.len &&
           (line.data[at] == ' ' || line.data[at] == '\t' || line.data[at] == '\f'))
        at++;
    return at;
}

static bool
is_codec_byte(uint8_t c)
{
    return isalnum(c) || c == '-' || c == '_' || c == '.';
}

/* The codec name in the comment LINE, {NULL, 0} when there is none. */
static struct bytes
cookie_in(struct bytes line)
{
    static const struct bytes word = {(const uint8_t *)"coding", 6};
    size_t at = skip_blanks(line, 0);
    if (at == line.len || line.data[at] != '#')
        return (struct bytes){NULL, 0};
    for (at++; at + word.len < line.len; at++) {
        if (!bytes_starts_with(bytes_slice(line, at, line.len), word))
            continue;
        size_t name = at + word.len;
        if (line.data[name] != ':' && line.data[name] != '=')
            continue;
        name++;
        while (name < line.len && (line.data[name] == ' ' || line.data[name] == '\t'))
            name++;
        size_t end = name;
        while (end < line.len && is_codec_byte(line.data[end]))
            end++;
        if (end > name)
            return bytes_slice(line, name, end);
    }
    return (struct bytes){NULL, 0};
}

static struct bytes
find_cookie(struct bytes input)
{
    size_t next;
    struct bytes line = line_at(input, 0, &next);
    struct bytes cookie = cookie_in(line);
    if (cookie.data)
        return cookie;
    size_t code = skip_blanks(line, 0);
    if (next >= input.len || (code < line.len && line.data[code] != '#'))
        return (struct bytes){NULL, 0};
    return cookie_in(line_at(input, next, &next));
}

/* Fold case, '_' and '-' alike: NAME as tokenize compares names. */
static void
normal_name(struct bytes name, char out[CODEC_NAME_MAX])
{
    size_t n = name.len < CODEC_NAME_MAX - 1 ? name.len : CODEC_NAME_MAX - 1;
    for (size_t i = 0; i < n; i++)
        out[i] = name.data[i] == '_' ? '-' : (char)tolower(name.data[i]);
    out[n] = '\0';
}

static bool
is_name_or_variant(const char *name, const char *base)
{
    size_t n = strlen(base);
    return strncmp(name, base, n) == 0 && (name[n] == '\0' || name[n] == '-');
}

/* Python's names for codecs that iconv calls otherwise. */
static const char *
iconv_name(const char *name)
{
    static const char *const others[][2] = {
        {"mac-roman", "MACINTOSH"}, {"macroman", "MACINTOSH"},  {"latin2", "ISO-8859-2"},
        {"latin-2", "ISO-8859-2"},  {"latin9", "ISO-8859-15"},  {"latin-9", "ISO-8859-15"},
        {"cp65001", "UTF-8"},       {"utf8", "UTF-8"},          {"shift-jis", "SHIFT_JIS"},
        {"sjis", "SHIFT_JIS"},      {"windows-1252", "CP1252"}, {"us-ascii", "ASCII"},
    };
    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
        if (strcmp(name, others[i][0]) == 0)
            return others[i][1];
    return name;
}

/* INPUT in the codec NAME as UTF-8 in ARENA. */
static enum skip_reason
transcode(struct bytes input, const char *name, struct arena *arena, struct bytes *out)
{
    iconv_t codec = iconv_open("UTF-8", iconv_name(name));
    if (codec == (iconv_t)-1)
        return errno == ENOMEM ? SKIP_NO_MEMORY : SKIP_ENCODING;
    /* One byte gives at most a character of the basic plane: three bytes. */
    size_t room = input.len * 3 + 4;
    char *to = arena_alloc(arena, room, 1, 1);
    char *from = (char *)(uintptr_t)input.data; /* iconv's prototype forgot its const */
    size_t from_left = input.len;
    char *at = to;
    size_t left = room;
    size_t result = to ? iconv(codec, &from, &from_left, &at, &left) : 0;
    iconv_close(codec);
    if (!to)
        return SKIP_NO_MEMORY;
    if (result == (size_t)-1 || from_left > 0)
        return SKIP_ENCODING;
    *out = (struct bytes){(uint8_t *)to, room - left};
    return SKIP_NONE;
}

static bool
replace_invalid(struct bytes input, struct arena *arena, struct bytes *out)
{
    uint8_t *to = arena_alloc(arena, input.len, 3, 1);
    if (!to)
        return false;
    size_t n = 0;
    for (size_t i = 0; i < input.len;) {
        size_t length = utf8_length(input, i);
        if (length == 0) {
            memcpy(to + n, "\xef\xbf\xbd", 3);
            n += 3;
            i++;
        } else {
            memcpy(to + n, input.data + i, length);
            n += length;
            i += length;
        }
    }
    *out = (struct bytes){to, n};
    return true;
}

/* Count physical lines; say whether some CR stands alone. */
static bool
count_lines(struct bytes text, uint32_t *n_lines)
{
    uint32_t n = 0;
    const uint8_t *end = text.data + text.len;
    for (const uint8_t *at = text.data; at < end && (at = memchr(at, '\n', (size_t)(end - at)));
         at++)
        n++;
    bool has_lone_cr = false;
    for (const uint8_t *at = text.data; at < end && (at = memchr(at, '\r', (size_t)(end - at)));
         at++) {
        if (at + 1 == end || at[1] != '\n') {
            has_lone_cr = true;
            n++;
        }
    }
    if (text.len && end[-1] != '\n' && end[-1] != '\r')
        n++;
    *n_lines = n;
    return has_lone_cr;
}

static bool
end_lines_with_lf(struct bytes text, struct arena *arena, struct bytes *out)
{
    struct bytes copy = arena_copy(arena, text);
    uint8_t *to = (uint8_t *)(uintptr_t)copy.data;
    if (!to)
        return false;
    for (size_t i = 0; i < copy.len; i++)
        if (to[i] == '\r' && to[i + 1] != '\n') /* arena_copy added a NUL */
            to[i] = '\n';
    *out = copy;
    return true;
}

static bool
is_wide(struct bytes input)
{
    return bytes_starts_with(input, BYTES("\xff\xfe")) ||
           bytes_starts_with(input, BYTES("\xfe\xff")) ||
           bytes_starts_with(input, (struct bytes){(const uint8_t *)"\0\0\xfe\xff", 4});
}

/* What is declared: fills encoding; *CODEC is empty where no transcoding is called for. */
static bool
declared_codec(struct bytes input, struct arena *arena, struct text *out,
               char codec[CODEC_NAME_MAX])
{
    bool has_mark = bytes_starts_with(input, utf8_mark);
    struct bytes cookie = find_cookie(has_mark ? bytes_slice(input, 3, input.len) : input);
    codec[0] = '\0';
    out->encoding = has_mark ? "utf-8-sig" : "utf-8";
    if (!cookie.data)
        return true;
    normal_name(cookie, codec);
    bool is_utf8 = is_name_or_variant(codec, "utf-8") || strcmp(codec, "utf8") == 0;
    if (is_utf8 || has_mark) {
        bool agrees = is_utf8;
        codec[0] = '\0';
        return agrees;
    }
    if (is_name_or_variant(codec, "latin-1") || is_name_or_variant(codec, "iso-8859-1") ||
        is_name_or_variant(codec, "iso-latin-1")) {
        memcpy(codec, "iso-8859-1", sizeof("iso-8859-1"));
        out->encoding = "iso-8859-1";
        return true;
    }
    out->encoding = arena_format(arena, "%s", codec);
    return out->encoding != NULL;
}

enum skip_reason
text_decode(struct bytes input, struct arena *arena, struct text *out)
{
    *out = (struct text){.utf8 = input, .encoding = "utf-8", .is_input = true};
    if (is_wide(input)) {
        out->encoding = "utf-16";
        return SKIP_ENCODING;
    }
    char codec[CODEC_NAME_MAX];
    if (!declared_codec(input, arena, out, codec))
        return SKIP_ENCODING;
    if (input.len && memchr(input.data, 0, input.len))
        return SKIP_NUL;

    if (codec[0]) {
        enum skip_reason reason = transcode(input, codec, arena, &out->utf8);
        if (reason != SKIP_NONE)
            return reason;
        out->is_input = bytes_equal(out->utf8, input);
    } else if (!utf8_valid(input)) {
        out->is_replaced = true;
        out->is_input = false;
        if (!replace_invalid(input, arena, &out->utf8))
            return SKIP_NO_MEMORY;
    }
    struct bytes counted = out->utf8;
    if (bytes_starts_with(counted, utf8_mark))
        counted = bytes_slice(counted, 3, counted.len);
    if (count_lines(counted, &out->n_lines)) {
        out->is_input = false;
        if (!end_lines_with_lf(out->utf8, arena, &out->utf8))
            return SKIP_NO_MEMORY;
    }
    return SKIP_NONE;
}
