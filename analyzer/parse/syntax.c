/*
 * See syntax.h.  The table maps names of the grammar to constants; a name that the grammar lacks is
 * an error.
 */
#include "analyzer/parse/syntax.h"

#include <string.h>
#include <tree_sitter/api.h>

#include "analyzer/parse/grammar.h"

struct kind_name {
    const char *name;
    bool is_named;
    enum syntax syntax;
};

static const struct kind_name kind_names[] = {
    {"module", true, SYN_MODULE},
    {"function_definition", true, SYN_FUNCTION},
    {"class_definition", true, SYN_CLASS},
    {"decorated_definition", true, SYN_DECORATED},
    {"block", true, SYN_BLOCK},
    {"parameters", true, SYN_PARAMETERS},
    {"if_statement", true, SYN_IF},
    {"elif_clause", true, SYN_ELIF},
    {"else_clause", true, SYN_ELSE},
    {"for_statement", true, SYN_FOR},
    {"while_statement", true, SYN_WHILE},
    {"try_statement", true, SYN_TRY},
    {"except_clause", true, SYN_EXCEPT},
    {"finally_clause", true, SYN_FINALLY},
    {"with_statement", true, SYN_WITH},
    {"match_statement", true, SYN_MATCH},
    {"case_clause", true, SYN_CASE},
    {"assert_statement", true, SYN_ASSERT},
    {"list_comprehension", true, SYN_LIST_COMP},
    {"set_comprehension", true, SYN_SET_COMP},
    {"dictionary_comprehension", true, SYN_DICT_COMP},
    {"generator_expression", true, SYN_GENERATOR},
    {"if_clause", true, SYN_IF_CLAUSE},
    {"boolean_operator", true, SYN_AND_OR},
    {"conditional_expression", true, SYN_TERNARY},
    {"lambda", true, SYN_LAMBDA},
    {"return_statement", true, SYN_RETURN},
    {"raise_statement", true, SYN_RAISE},
    {"yield", true, SYN_YIELD},
    {"await", true, SYN_AWAIT},
    {"break_statement", true, SYN_BREAK},
    {"continue_statement", true, SYN_CONTINUE},
    {"call", true, SYN_CALL},
    {"attribute", true, SYN_ATTRIBUTE},
    {"expression_statement", true, SYN_EXPRESSION_STATEMENT},
    {"delete_statement", true, SYN_SIMPLE_STATEMENT},
    {"exec_statement", true, SYN_SIMPLE_STATEMENT},
    {"future_import_statement", true, SYN_SIMPLE_STATEMENT},
    {"global_statement", true, SYN_SIMPLE_STATEMENT},
    {"import_from_statement", true, SYN_SIMPLE_STATEMENT},
    {"import_statement", true, SYN_SIMPLE_STATEMENT},
    {"nonlocal_statement", true, SYN_SIMPLE_STATEMENT},
    {"pass_statement", true, SYN_PASS},
    {"print_statement", true, SYN_SIMPLE_STATEMENT},
    {"type_alias_statement", true, SYN_SIMPLE_STATEMENT},
    {"string", true, SYN_STRING},
    {"string_content", true, SYN_STRING_CONTENT},
    {"escape_sequence", true, SYN_ESCAPE_SEQUENCE},
    {"comment", true, SYN_COMMENT},
    {"line_continuation", true, SYN_LINE_CONTINUATION},
    {"identifier", true, SYN_IDENTIFIER},
    {"integer", true, SYN_INTEGER},
    {"float", true, SYN_FLOAT},
    {"true", true, SYN_TRUE},
    {"false", true, SYN_FALSE},
    {"none", true, SYN_NONE},
    {"keyword_separator", true, SYN_SEPARATOR},
    {"positional_separator", true, SYN_SEPARATOR},
    {"(", false, SYN_OPEN},
    {"[", false, SYN_OPEN},
    {"{", false, SYN_OPEN},
    {")", false, SYN_CLOSE},
    {"]", false, SYN_CLOSE},
    {"}", false, SYN_CLOSE},
    {":", false, SYN_PUNCTUATION},
    {";", false, SYN_PUNCTUATION},
    {",", false, SYN_PUNCTUATION},
    {"*", false, SYN_STAR},
    {"async", false, SYN_ASYNC},
};

static int
add_kind(struct syntax_table *table, const struct kind_name *kind, struct err *err)
{
    TSSymbol symbol = ts_language_symbol_for_name(tree_sitter_python(), kind->name,
                                                  num_u32(strlen(kind->name)), kind->is_named);
    if (symbol == 0 || symbol >= SYNTAX_KINDS_MAX)
        return err_set(err, ERR_UNSUPPORTED,
                       "the Python grammar has no kind '%s': build with tree-sitter-python 0.25",
                       kind->name);
    table->of_kind[symbol] = (uint8_t)kind->syntax;
    return 0;
}

static int
find_field(const char *name, uint8_t *out, struct err *err)
{
    TSFieldId id = ts_language_field_id_for_name(tree_sitter_python(), name, num_u32(strlen(name)));
    if (id == 0 || id > UINT8_MAX)
        return err_set(err, ERR_UNSUPPORTED,
                       "the Python grammar has no field '%s': build with tree-sitter-python 0.25",
                       name);
    *out = (uint8_t)id;
    return 0;
}

int
syntax_table_init(struct syntax_table *table, struct err *err)
{
    memset(table, 0, sizeof(*table));
    for (size_t i = 0; i < sizeof(kind_names) / sizeof(*kind_names); i++)
        if (add_kind(table, &kind_names[i], err) < 0)
            return -1;
    const struct {
        const char *name;
        uint8_t *id;
    } fields[] = {
        {"body", &table->field_body},         {"condition", &table->field_condition},
        {"name", &table->field_name},         {"parameters", &table->field_parameters},
        {"function", &table->field_function},
    };
    for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
        if (find_field(fields[i].name, fields[i].id, err) < 0)
            return -1;
    return 0;
}

bool
syntax_string_has_prefix(const struct flat *flat, uint32_t node, char letter)
{
    for (uint32_t i = flat->start_byte[node]; i < flat->end_byte[node]; i++) {
        uint8_t c = flat->source.data[i];
        if (c == '"' || c == '\'')
            return false;
        if ((c | 0x20) == (uint8_t)letter)
            return true;
    }
    return false;
}

bool
syntax_is_string_statement(const struct syntax_table *table, const struct flat *flat, uint32_t node)
{
    uint32_t child = node + 1;
    return syntax_at(table, flat, node) == SYN_EXPRESSION_STATEMENT &&
           child < flat->subtree_end[node] && syntax_at(table, flat, child) == SYN_STRING &&
           flat->subtree_end[child] == flat->subtree_end[node] &&
           !syntax_string_has_prefix(flat, child, 'b') &&
           !syntax_string_has_prefix(flat, child, 'f');
}
