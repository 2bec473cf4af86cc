#include "analyzer/regex.h"

#include "analyzer/regex_ast.h"
#include "analyzer/regex_literal.h"
#include "analyzer/regex_program.h"

/* Does every match start at the start of the text? */
static bool
is_anchored(const struct regex_node *node)
{
    switch (node->op) {
    case REGEX_LOOK: return node->look == LOOK_TEXT_START;
    case REGEX_CONCAT: return is_anchored(node->items[0]);
    case REGEX_REPEAT: return node->min > 0 && is_anchored(node->items[0]);
    case REGEX_ALTERNATE:
        for (uint32_t i = 0; i < node->n_items; i++)
            if (!is_anchored(node->items[i]))
                return false;
        return true;
    case REGEX_EMPTY:
    case REGEX_CLASS: return false;
    }
    return false;
}

int
regex_compile(struct bytes pattern, struct regex_unicode *unicode, struct arena *arena,
              struct regex *out, struct err *err)
{
    struct arena scratch;
    arena_init(&scratch, 0);
    struct regex_node *tree;
    *out = (struct regex){.pattern = arena_copy(arena, pattern)};
    int rc = out->pattern.data ? regex_parse(pattern, unicode, &scratch, &tree, err)
                               : err_nomem(err, "regex");
    if (rc == 0) {
        out->anchored = is_anchored(tree);
        rc = program_compile(tree, out->anchored, unicode, arena, &out->program, err);
    }
    if (rc == 0)
        rc = regex_find_needs(tree, arena, out, err);
    arena_clear(&scratch);
    return rc;
}
