/*
 * JSON in: a document read whole into a tree, with places for error messages.
 *
 * The tree is cJSON's, hidden here so that it can be replaced.  Numbers are doubles: ids and counts
 * that can pass 2^53 belong in strings.  A document is bounded by what the caller reads; nesting
 * over 256 is refused.  With lenient set the bare words Infinity, -Infinity and NaN are numbers,
 * and a NUL in text, which is refused otherwise, becomes U+FFFD.
 */
#ifndef STRATA_BASE_JSON_READ_H
#define STRATA_BASE_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/err.h"

struct json_doc;
struct json_value; /* borrowed from its document */

enum json_type { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_TEXT, JSON_ARRAY, JSON_OBJECT };

/*
 * Read TEXT, which ORIGIN names in messages ("panel.json").  *out is the caller's, to json_close.
 * ERR_INPUT with line and column when it is not JSON; ERR_NOMEM.
 */
int json_open(struct bytes text, const char *origin, bool lenient, struct json_doc **out,
              struct err *err);
void json_close(struct json_doc *doc); /* NULL is fine */
/* The outermost value of DOC, borrowed. */
const struct json_value *json_root(const struct json_doc *doc);

/* The type of VALUE. */
enum json_type json_type(const struct json_value *value);
/* "object", "text" and so on, for messages. */
const char *json_type_name(enum json_type type);
/* The value itself, borrowed; false, 0 or "" when VALUE has another type. */
bool json_is_true(const struct json_value *value);
double json_number(const struct json_value *value);
struct bytes json_string(const struct json_value *value);

/* The first member or item of VALUE, and the one after VALUE, in order of the text; NULL when there
 * is none. */
const struct json_value *json_first(const struct json_value *value);
const struct json_value *json_next(const struct json_value *value);
/* The name of a member of an object. */
struct bytes json_name(const struct json_value *value);
/* The first member NAME, or NULL. */
const struct json_value *json_member(const struct json_value *object, const char *name);
/* How many members or items VALUE has. */
size_t json_count(const struct json_value *value);

#endif
