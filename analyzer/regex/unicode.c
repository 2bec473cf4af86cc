#define PCRE2_CODE_UNIT_WIDTH 8
#include "analyzer/regex/unicode.h"

#include <ctype.h>
#include <pcre2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

/* ---- One scan ------------------------------------------------------------------------------ */

enum {
    BLOCK_CODE_POINTS = 4096, /* scanned at once: 16 KiB of UTF-8 */
    SURROGATE_FIRST = 0xd800,
    SURROGATE_LAST = 0xdfff
};

/* Write C in UTF-8; how many bytes that takes. */
static size_t
encode(uint32_t c, uint8_t out[4])
{
    static const uint8_t leads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = n - 1; i > 0; i--, c >>= 6)
        out[i] = (uint8_t)(0x80 | (c & 0x3f));
    out[0] = (uint8_t)(leads[n] | c);
    return n;
}

/* Bytes of one code point of the block that starts at FIRST: all of a block have the same width,
 * but for the first, which is scanned one width after the other. */
static uint32_t
width_of(uint32_t c)
{
    return c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
}

/* Add the code points FIRST to LAST, all of one width, that CODE matches. */
static bool
scan_block(pcre2_code *code, pcre2_match_data *found, uint8_t *text, uint32_t first, uint32_t last,
           struct regex_class *set)
{
    uint32_t width = width_of(first);
    size_t len = 0;
    for (uint32_t c = first; c <= last; c++)
        len += encode(c, text + len);
    const PCRE2_SIZE *at = pcre2_get_ovector_pointer(found);
    for (size_t from = 0; from < len; from = at[1]) {
        int rc = pcre2_match(code, text, len, from, PCRE2_NO_UTF_CHECK, found, NULL);
        if (rc == PCRE2_ERROR_NOMATCH)
            break;
        if (rc < 0 || at[1] <= at[0])
            return false;
        class_add(set, first + (uint32_t)at[0] / width, first + (uint32_t)at[1] / width - 1);
    }
    return true;
}

/* The code points FIRST to LAST in blocks of one width each, surrogates left out. */
static bool
scan_range(pcre2_code *code, pcre2_match_data *found, uint8_t *text, uint32_t first,
           uint32_t last_of_all, struct regex_class *set)
{
    static const uint32_t width_ends[] = {0, 0x7f, 0x7ff, 0xffff, CODE_POINT_MAX};
    for (uint32_t c = first; c <= last_of_all;) {
        if (c >= SURROGATE_FIRST && c <= SURROGATE_LAST) {
            c = SURROGATE_LAST + 1;
            continue;
        }
        uint32_t last = c + BLOCK_CODE_POINTS - 1;
        if (last > last_of_all)
            last = last_of_all;
        if (last > width_ends[width_of(c)])
            last = width_ends[width_of(c)];
        if (c < SURROGATE_FIRST && last >= SURROGATE_FIRST)
            last = SURROGATE_FIRST - 1;
        if (!scan_block(code, found, text, c, last, set))
            return false;
        c = last + 1;
    }
    return true;
}

/* Every code point, or those of WITHIN where it is not NULL. */
static bool
scan(pcre2_code *code, const struct regex_class *within, struct regex_class *set)
{
    struct class_range all[] = {{0, CODE_POINT_MAX}};
    const struct class_range *ranges = within ? within->ranges : all;
    uint32_t n_ranges = within ? within->n_ranges : 1;
    pcre2_match_data *found = pcre2_match_data_create(1, NULL);
    uint8_t *text = malloc(4 * BLOCK_CODE_POINTS);
    bool ok = found && text;
    for (uint32_t i = 0; ok && i < n_ranges; i++)
        ok = scan_range(code, found, text, ranges[i].first, ranges[i].last, set);
    free(text);
    pcre2_match_data_free(found);
    class_normalise(set);
    return ok && !set->failed;
}

/* Add to SET what the PCRE2 pattern of one character matches, of WITHIN or of all. */
static enum unicode_outcome
scan_pattern(struct bytes pattern, const struct regex_class *within, struct regex_class *set)
{
    struct buf whole = {0};
    buf_printf(&whole, "(?:%.*s)++", (int)pattern.len, (const char *)pattern.data);
    int error;
    PCRE2_SIZE offset;
    pcre2_code *code =
        buf_failed(&whole)
            ? NULL
            : pcre2_compile(whole.data, whole.len, PCRE2_UTF | PCRE2_UCP, &error, &offset, NULL);
    bool no_memory = buf_failed(&whole) || (!code && error == PCRE2_ERROR_NOMEMORY);
    buf_clear(&whole);
    if (!code)
        return no_memory ? UNICODE_NO_MEMORY : UNICODE_UNKNOWN;
    (void)pcre2_jit_compile(code, PCRE2_JIT_COMPLETE); /* without it the scan is only slower */
    bool ok = scan(code, within, set);
    pcre2_code_free(code);
    return ok ? UNICODE_FOUND : UNICODE_NO_MEMORY;
}

/* ---- Classes that are kept ----------------------------------------------------------------- */

void
regex_unicode_init(struct regex_unicode *unicode)
{
    *unicode = (struct regex_unicode){0};
    arena_init(&unicode->arena, 0);
    map_init(&unicode->by_name);
}

void
regex_unicode_clear(struct regex_unicode *unicode)
{
    arena_clear(&unicode->arena);
    map_clear(&unicode->by_name);
    free(unicode->classes);
    regex_unicode_init(unicode);
}

/* The class of PATTERN, from the kept ones or by a scan. */
static enum unicode_outcome
class_of_pattern(struct regex_unicode *unicode, struct bytes pattern,
                 const struct regex_class **out)
{
    const uint64_t *known = map_get(&unicode->by_name, pattern);
    if (known) {
        *out = &unicode->classes[*known];
        return UNICODE_FOUND;
    }
    struct regex_class set = class_init(&unicode->arena);
    enum unicode_outcome outcome = scan_pattern(pattern, NULL, &set);
    if (outcome != UNICODE_FOUND)
        return outcome;
    if (unicode->n_classes == unicode->capacity) {
        uint32_t capacity = unicode->capacity ? unicode->capacity * 2 : 8;
        struct regex_class *grown = realloc(unicode->classes, capacity * sizeof(*grown));
        if (!grown)
            return UNICODE_NO_MEMORY;
        unicode->classes = grown;
        unicode->capacity = capacity;
    }
    uint64_t *index = map_put(&unicode->by_name, pattern, NULL);
    if (!index)
        return UNICODE_NO_MEMORY;
    *index = unicode->n_classes;
    unicode->classes[unicode->n_classes] = set;
    *out = &unicode->classes[unicode->n_classes++];
    return UNICODE_FOUND;
}

static const struct regex_class *
builtin(struct regex_unicode *unicode, struct bytes pattern)
{
    const struct regex_class *set = NULL;
    return class_of_pattern(unicode, pattern, &set) == UNICODE_FOUND ? set : NULL;
}

const struct regex_class *
unicode_alphabetic(struct regex_unicode *unicode)
{
    return builtin(unicode, BYTES("\\p{Alphabetic}"));
}

/* ---- Names --------------------------------------------------------------------------------- */

enum { NAME_MAX_BYTES = 64 };

/* PCRE2 knows general categories by their short names only. */
static const struct {
    const char *name;
    const char *pattern;
} general_categories[] = {
    {"any", "[\\s\\S]"},
    {"ascii", "[\\x00-\\x7f]"},
    {"assigned", "\\P{Cn}"},
    {"c", "\\p{C}"},
    {"other", "\\p{C}"},
    {"cc", "\\p{Cc}"},
    {"control", "\\p{Cc}"},
    {"cntrl", "\\p{Cc}"},
    {"cf", "\\p{Cf}"},
    {"format", "\\p{Cf}"},
    {"cn", "\\p{Cn}"},
    {"unassigned", "\\p{Cn}"},
    {"co", "\\p{Co}"},
    {"privateuse", "\\p{Co}"},
    {"l", "\\p{L}"},
    {"letter", "\\p{L}"},
    {"lc", "\\p{L&}"},
    {"casedletter", "\\p{L&}"},
    {"ll", "\\p{Ll}"},
    {"lowercaseletter", "\\p{Ll}"},
    {"lm", "\\p{Lm}"},
    {"modifierletter", "\\p{Lm}"},
    {"lo", "\\p{Lo}"},
    {"otherletter", "\\p{Lo}"},
    {"lt", "\\p{Lt}"},
    {"titlecaseletter", "\\p{Lt}"},
    {"lu", "\\p{Lu}"},
    {"uppercaseletter", "\\p{Lu}"},
    {"m", "\\p{M}"},
    {"mark", "\\p{M}"},
    {"combiningmark", "\\p{M}"},
    {"mc", "\\p{Mc}"},
    {"spacingmark", "\\p{Mc}"},
    {"me", "\\p{Me}"},
    {"enclosingmark", "\\p{Me}"},
    {"mn", "\\p{Mn}"},
    {"nonspacingmark", "\\p{Mn}"},
    {"n", "\\p{N}"},
    {"number", "\\p{N}"},
    {"nd", "\\p{Nd}"},
    {"decimalnumber", "\\p{Nd}"},
    {"digit", "\\p{Nd}"},
    {"nl", "\\p{Nl}"},
    {"letternumber", "\\p{Nl}"},
    {"no", "\\p{No}"},
    {"othernumber", "\\p{No}"},
    {"p", "\\p{P}"},
    {"punctuation", "\\p{P}"},
    {"punct", "\\p{P}"},
    {"pc", "\\p{Pc}"},
    {"connectorpunctuation", "\\p{Pc}"},
    {"pd", "\\p{Pd}"},
    {"dashpunctuation", "\\p{Pd}"},
    {"pe", "\\p{Pe}"},
    {"closepunctuation", "\\p{Pe}"},
    {"pf", "\\p{Pf}"},
    {"finalpunctuation", "\\p{Pf}"},
    {"pi", "\\p{Pi}"},
    {"initialpunctuation", "\\p{Pi}"},
    {"po", "\\p{Po}"},
    {"otherpunctuation", "\\p{Po}"},
    {"ps", "\\p{Ps}"},
    {"openpunctuation", "\\p{Ps}"},
    {"s", "\\p{S}"},
    {"symbol", "\\p{S}"},
    {"sc", "\\p{Sc}"},
    {"currencysymbol", "\\p{Sc}"},
    {"sk", "\\p{Sk}"},
    {"modifiersymbol", "\\p{Sk}"},
    {"sm", "\\p{Sm}"},
    {"mathsymbol", "\\p{Sm}"},
    {"so", "\\p{So}"},
    {"othersymbol", "\\p{So}"},
    {"z", "\\p{Z}"},
    {"separator", "\\p{Z}"},
    {"zl", "\\p{Zl}"},
    {"lineseparator", "\\p{Zl}"},
    {"zp", "\\p{Zp}"},
    {"paragraphseparator", "\\p{Zp}"},
    {"zs", "\\p{Zs}"},
    {"spaceseparator", "\\p{Zs}"},
};

/* Names PCRE2 has of its own, which Rust does not know. */
static const char *const not_unicode[] = {"xan", "xps", "xsp", "xuc", "xwd", "l&"};

/* Lower case without spaces, '_', '-' and a leading "is"; false when it cannot be a name. */
static bool
normalise_name(struct bytes name, char out[NAME_MAX_BYTES])
{
    size_t n = 0;
    for (size_t i = 0; i < name.len; i++) {
        unsigned char c = name.data[i];
        if (c == ' ' || c == '_' || c == '-')
            continue;
        if (!isalnum(c) || n + 1 == NAME_MAX_BYTES)
            return false;
        out[n++] = (char)tolower(c);
    }
    out[n] = '\0';
    if (n > 2 && memcmp(out, "is", 2) == 0 && strcmp(out, "isc") != 0)
        memmove(out, out + 2, n - 1);
    return out[0] != '\0';
}

static enum unicode_outcome
general_category(struct regex_unicode *unicode, const char *name, const struct regex_class **out)
{
    for (size_t i = 0; i < sizeof(general_categories) / sizeof(general_categories[0]); i++)
        if (strcmp(name, general_categories[i].name) == 0)
            return class_of_pattern(unicode, bytes_of_text(general_categories[i].pattern), out);
    return UNICODE_UNKNOWN;
}

static enum unicode_outcome
pcre2_property(struct regex_unicode *unicode, const char *kind, const char *name,
               const struct regex_class **out)
{
    char pattern[NAME_MAX_BYTES + 16];
    int n = snprintf(pattern, sizeof(pattern), "\\p{%s%s}", kind, name);
    return class_of_pattern(unicode, (struct bytes){(const uint8_t *)pattern, (size_t)n}, out);
}

enum unicode_outcome
unicode_property(struct regex_unicode *unicode, struct bytes name, struct bytes value,
                 const struct regex_class **out)
{
    char key[NAME_MAX_BYTES], wanted[NAME_MAX_BYTES];
    if (!normalise_name(name, key))
        return UNICODE_UNKNOWN;
    if (value.len != 0) {
        if (!normalise_name(value, wanted))
            return UNICODE_UNKNOWN;
        if (strcmp(key, "gc") == 0 || strcmp(key, "generalcategory") == 0)
            return general_category(unicode, wanted, out);
        if (strcmp(key, "sc") == 0 || strcmp(key, "script") == 0)
            return pcre2_property(unicode, "sc:", wanted, out);
        if (strcmp(key, "scx") == 0 || strcmp(key, "scriptextensions") == 0)
            return pcre2_property(unicode, "scx:", wanted, out);
        return UNICODE_UNKNOWN;
    }
    for (size_t i = 0; i < sizeof(not_unicode) / sizeof(not_unicode[0]); i++)
        if (strcmp(key, not_unicode[i]) == 0)
            return UNICODE_UNKNOWN;
    enum unicode_outcome outcome = general_category(unicode, key, out);
    if (outcome == UNICODE_UNKNOWN)
        outcome = pcre2_property(unicode, "sc:", key, out);
    if (outcome == UNICODE_UNKNOWN)
        outcome = pcre2_property(unicode, "", key, out);
    return outcome;
}

/* ---- Case folding -------------------------------------------------------------------------- */

/* The only code points beyond ASCII that fold to an ASCII letter. */
enum { KELVIN_SIGN = 0x212a, LONG_S = 0x17f };

/* Fold a set of ASCII only, without a scan. */
static void
fold_ascii(struct regex_class *set)
{
    uint32_t n = set->n_ranges;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t c = set->ranges[i].first; c <= set->ranges[i].last; c++) {
            uint32_t lower = c | 0x20;
            if (lower < 'a' || lower > 'z')
                continue;
            class_add(set, c ^ 0x20, c ^ 0x20);
            if (lower == 'k')
                class_add(set, KELVIN_SIGN, KELVIN_SIGN);
            if (lower == 's')
                class_add(set, LONG_S, LONG_S);
        }
    }
    class_normalise(set);
}

void
unicode_fold(struct regex_unicode *unicode, struct regex_class *set)
{
    if (set->n_ranges == 0)
        return;
    if (set->ranges[set->n_ranges - 1].last < 0x80) {
        fold_ascii(set);
        return;
    }
    struct buf pattern = {0};
    buf_append_text(&pattern, "(?i)[");
    for (uint32_t i = 0; i < set->n_ranges; i++) {
        struct class_range r = set->ranges[i];
        /* PCRE2 refuses surrogates, which no text holds. */
        if (r.first >= SURROGATE_FIRST && r.first <= SURROGATE_LAST)
            r.first = SURROGATE_LAST + 1;
        if (r.last >= SURROGATE_FIRST && r.last <= SURROGATE_LAST)
            r.last = SURROGATE_FIRST - 1;
        if (r.first <= r.last)
            buf_printf(&pattern, "\\x{%x}-\\x{%x}", r.first, r.last);
    }
    buf_append_text(&pattern, "]");
    /* Only what has case at all can join: some three thousand code points, not a million. */
    const struct regex_class *cased = builtin(unicode, BYTES("[\\p{CWCM}\\p{CWCF}\\p{Cased}]"));
    if (buf_failed(&pattern) || !cased ||
        scan_pattern(buf_bytes(&pattern), cased, set) != UNICODE_FOUND)
        set->failed = true;
    buf_clear(&pattern);
    class_normalise(set);
}

bool
unicode_is_alphabetic(uint32_t code_point)
{
    if (code_point < 0x80)
        return (code_point | 0x20) >= 'a' && (code_point | 0x20) <= 'z';
    static const uint8_t pattern[] = "^\\p{Alphabetic}";
    int error;
    PCRE2_SIZE offset;
    pcre2_code *code =
        pcre2_compile(pattern, sizeof(pattern) - 1, PCRE2_UTF | PCRE2_UCP, &error, &offset, NULL);
    pcre2_match_data *found = pcre2_match_data_create(1, NULL);
    uint8_t text[4];
    size_t len = encode(code_point, text);
    bool yes = code && found && pcre2_match(code, text, len, 0, 0, found, NULL) >= 0;
    pcre2_match_data_free(found);
    pcre2_code_free(code);
    return yes;
}
