/*
 * See rule_names.h.  Names of kinds and fields come from the grammar; those of languages are the
 * ones that ast-grep knows.
 */
#include "analyzer/engine/rule_names.h"

#include <tree_sitter/api.h>

#include "analyzer/parse/flat.h"
#include "analyzer/parse/grammar.h"

uint16_t
rule_kind_of_name(struct bytes name)
{
    if (bytes_equal(name, BYTES("ERROR")))
        return FLAT_KIND_ERROR;
    if (name.len == 0 || name.len > UINT16_MAX)
        return 0;
    return ts_language_symbol_for_name(tree_sitter_python(), (const char *)name.data,
                                       (uint32_t)name.len, true);
}

const char *
rule_kind_name(uint16_t kind)
{
    if (kind == FLAT_KIND_ERROR)
        return "ERROR";
    const char *name = ts_language_symbol_name(tree_sitter_python(), kind);
    return name ? name : "";
}

uint8_t
rule_field_of_name(struct bytes name)
{
    if (name.len > UINT16_MAX)
        return 0;
    uint16_t field = ts_language_field_id_for_name(tree_sitter_python(), (const char *)name.data,
                                                   (uint32_t)name.len);
    return field <= UINT8_MAX ? (uint8_t)field : 0;
}

const char *
rule_field_name(uint8_t field)
{
    const char *name = ts_language_field_name_for_id(tree_sitter_python(), field);
    return name ? name : "";
}

enum rule_language
rule_language_of_name(struct bytes name)
{
    static const char *const others[] = {
        "bash",       "c",   "cc",   "cpp",        "c++",     "cs",  "csharp", "css",      "dart",
        "elixir",     "ex",  "go",   "golang",     "haskell", "hs",  "hcl",    "html",     "java",
        "javascript", "js",  "jsx",  "json",       "kotlin",  "kt",  "lua",    "markdown", "md",
        "nix",        "php", "ruby", "rb",         "rust",    "rs",  "scala",  "solidity", "sol",
        "swift",      "tsx", "ts",   "typescript", "yaml",    "yml", "zig",
    };
    char lower[16];
    if (name.len >= sizeof(lower))
        return LANGUAGE_UNKNOWN;
    for (size_t i = 0; i < name.len; i++) {
        uint8_t c = name.data[i];
        lower[i] = (char)(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
    }
    struct bytes key = {(const uint8_t *)lower, name.len};
    if (bytes_equal(key, BYTES("python")) || bytes_equal(key, BYTES("py")))
        return LANGUAGE_PYTHON;
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (bytes_equal(key, bytes_of_text(others[i])))
            return LANGUAGE_OTHER;
    return LANGUAGE_UNKNOWN;
}
