/*
 * nthChild and range: the parts of a rule object that are numbers.
 */
#include "analyzer/engine/rule_names.h"
#include "analyzer/engine/rule_read.h"

enum { NUMBER_MAX = INT32_MAX, FORMULA_BYTES_MAX = 64 };

/* A whole number of YAML that is not negative: 12, +1_000, 0x1F, 0o17, 0b11. */
static int
read_whole(const struct yaml_value *value, uint32_t *out)
{
    if (value->type != YAML_NUMBER)
        return -1;
    struct bytes text = value->text;
    size_t at = text.len && text.data[0] == '+';
    unsigned base = 10;
    if (text.len - at > 2 && text.data[at] == '0') {
        uint8_t letter = text.data[at + 1];
        base = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 10;
        at += base == 10 ? 0 : 2;
    }
    uint64_t number = 0;
    if (at == text.len)
        return -1;
    for (; at < text.len; at++) {
        uint8_t c = text.data[at], lower = c | 0x20;
        unsigned digit = c >= '0' && c <= '9'           ? c - (unsigned)'0'
                         : lower >= 'a' && lower <= 'f' ? lower - (unsigned)'a' + 10
                                                        : 99;
        if (c == '_')
            continue;
        if (digit >= base)
            return -1;
        number = number * base + digit;
        if (number > NUMBER_MAX)
            return -1;
    }
    *out = (uint32_t)number;
    return 0;
}

/* ---- nthChild ------------------------------------------------------------------------------ */

/* Digits at *AT; how many, or -1 when the number is too large. */
static int
read_digits(const char *text, size_t *at, int64_t *out)
{
    int n = 0;
    *out = 0;
    for (; text[*at] >= '0' && text[*at] <= '9'; ++*at, n++) {
        *out = *out * 10 + (text[*at] - '0');
        if (*out > NUMBER_MAX)
            return -1;
    }
    return n;
}

static int
take_sign(const char *text, size_t *at)
{
    if (text[*at] == '-') {
        ++*at;
        return -1;
    }
    if (text[*at] == '+')
        ++*at;
    return 1;
}

int
rule_read_formula(struct bytes text, int64_t *step, int64_t *offset)
{
    char packed[FORMULA_BYTES_MAX]; /* without white space */
    size_t n = 0, at = 0;
    for (size_t i = 0; i < text.len; i++) {
        uint8_t c = text.data[i];
        if (c == ' ' || (c >= '\t' && c <= '\r'))
            continue;
        if (n + 1 == sizeof(packed) || c == '\0')
            return -1;
        packed[n++] = (char)c;
    }
    packed[n] = '\0';
    *step = 0;
    *offset = 0;
    int64_t number;
    int sign = take_sign(packed, &at);
    int n_digits = read_digits(packed, &at, &number);
    if (n_digits < 0)
        return -1;
    if (packed[at] != 'n' && packed[at] != 'N') {
        *offset = sign * number;
        return n_digits > 0 && at == n ? 0 : -1;
    }
    *step = sign * (n_digits ? number : 1);
    at++;
    if (at == n)
        return 0;
    if (packed[at] != '+' && packed[at] != '-')
        return -1;
    sign = take_sign(packed, &at);
    n_digits = read_digits(packed, &at, &number);
    *offset = sign * number;
    return n_digits > 0 && at == n ? 0 : -1;
}

static int
read_position(struct rule_reader *reader, const struct yaml_value *value, struct matcher *matcher)
{
    uint32_t number;
    if (read_whole(value, &number) == 0) {
        matcher->nth.step = 0;
        matcher->nth.offset = number;
        return 0;
    }
    if (value->type == YAML_TEXT &&
        rule_read_formula(value->text, &matcher->nth.step, &matcher->nth.offset) == 0)
        return 0;
    return rule_refuse(reader, value->line,
                       "`nthChild` wants a whole number from 0 or a formula such as 2n+1");
}

uint32_t
rule_read_nth(struct rule_reader *reader, const struct yaml_value *value)
{
    struct matcher matcher = {.op = MATCHER_NTH, .nth = {.of_rule = MATCHER_NONE}};
    if (value->type == YAML_MAPPING) {
        const struct yaml_value *position = yaml_member(value, "position");
        const struct yaml_value *reverse = yaml_member(value, "reverse");
        const struct yaml_value *of_rule = yaml_member(value, "ofRule");
        if (!position) {
            (void)rule_refuse(reader, value->line, "`nthChild` needs a `position`");
            return MATCHER_NONE;
        }
        if (reverse && reverse->type != YAML_BOOL) {
            (void)rule_refuse(reader, reverse->line, "`reverse` must be true or false");
            return MATCHER_NONE;
        }
        matcher.nth.reverse = reverse && (reverse->text.data[0] | 0x20) == 't';
        if (of_rule && of_rule->type != YAML_NULL) {
            matcher.nth.of_rule = rule_read_object(reader, of_rule, "ofRule");
            if (matcher.nth.of_rule == MATCHER_NONE)
                return MATCHER_NONE;
        }
        value = position;
    }
    if (read_position(reader, value, &matcher) < 0)
        return MATCHER_NONE;
    return matcher_list_add(reader->list, &matcher, value->line);
}

/* ---- range --------------------------------------------------------------------------------- */

static int
read_place(struct rule_reader *reader, const struct yaml_value *range, const char *key,
           uint32_t *line, uint32_t *column)
{
    const struct yaml_value *place = yaml_member(range, key);
    if (!place || place->type != YAML_MAPPING)
        return rule_refuse(reader, range->line, "`range` needs `%s: {line: …}`", key);
    const struct yaml_value *line_value = yaml_member(place, "line");
    const struct yaml_value *column_value = yaml_member(place, "column");
    if (!line_value || read_whole(line_value, line) < 0)
        return rule_refuse(reader, place->line, "`line` must be a whole number from 0");
    *column = COLUMN_ANY;
    if (column_value && column_value->type != YAML_NULL && read_whole(column_value, column) < 0)
        return rule_refuse(reader, place->line, "`column` must be a whole number from 0");
    return 0;
}

uint32_t
rule_read_range(struct rule_reader *reader, const struct yaml_value *value)
{
    struct matcher matcher = {.op = MATCHER_RANGE};
    if (value->type != YAML_MAPPING) {
        (void)rule_refuse(reader, value->line, "`range` must be a mapping with start and end");
        return MATCHER_NONE;
    }
    if (read_place(reader, value, "start", &matcher.range.start_line, &matcher.range.start_column) <
            0 ||
        read_place(reader, value, "end", &matcher.range.end_line, &matcher.range.end_column) < 0)
        return MATCHER_NONE;
    bool backwards = matcher.range.end_line < matcher.range.start_line;
    if (matcher.range.end_line == matcher.range.start_line &&
        matcher.range.start_column != COLUMN_ANY)
        backwards = matcher.range.end_column == COLUMN_ANY ||
                    matcher.range.end_column < matcher.range.start_column;
    if (backwards) {
        (void)rule_refuse(reader, value->line, "`range` ends before it starts");
        return MATCHER_NONE;
    }
    return matcher_list_add(reader->list, &matcher, value->line);
}
