/*
 * Text: from the bytes of a file to the UTF-8 text that is parsed.
 *
 * A byte-order mark or coding cookie is honoured by transcoding, a lone CR becomes LF (both end a
 * line in Python; the parser knows LF only), and where nothing is declared bytes that are not
 * UTF-8 become U+FFFD.  Most files are used as they are, without a copy.
 */
#ifndef STRATA_ANALYZER_PARSE_TEXT_H
#define STRATA_ANALYZER_PARSE_TEXT_H

#include "analyzer/facts.h"
#include "analyzer/limits.h"

struct text {
    struct bytes utf8;    /* borrowed from the input or from the arena */
    const char *encoding; /* as Python's tokenize names it; "utf-8" for {NULL, 0} */
    bool is_input;        /* utf8 is the input, byte for byte */
    bool is_replaced;     /* some bytes were not UTF-8 although nothing else was declared */
    uint32_t n_lines;     /* physical lines */
};

/*
 * Decode INPUT.  SKIP_NONE with *OUT filled; SKIP_NUL, SKIP_ENCODING (UTF-16 and UTF-32, an unknown
 * codec, bytes the declared codec refuses), SKIP_NO_MEMORY.  encoding is set in every case when
 * something is declared.
 */
enum skip_reason text_decode(struct bytes input, struct arena *arena, struct text *out);

#endif
