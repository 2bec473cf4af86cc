# The built-in rules and their examples, compiled into the analyzer; read with analyzer/rule_files.h.
set(categories
  boolean conditionals defensive dictionaries loops conversions annotations exceptions classes comments)
list(TRANSFORM categories PREPEND rules/python/ OUTPUT_VARIABLE rule_files)
list(TRANSFORM rule_files APPEND .yml)
list(TRANSFORM categories PREPEND rules/tests/ OUTPUT_VARIABLE rule_tests)
list(TRANSFORM rule_tests APPEND -test.yml)
strata_embed(analyzer analyzer_rule_files ${rule_files})
strata_embed(analyzer analyzer_rule_tests ${rule_tests})
