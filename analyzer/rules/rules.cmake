# The built-in rules and their examples, compiled into the analyzer; read with analyzer/rule_files.h.
strata_embed(analyzer analyzer_rule_files
  rules/python/boolean.yml
  rules/python/conditionals.yml)
strata_embed(analyzer analyzer_rule_tests
  rules/tests/boolean-test.yml
  rules/tests/conditionals-test.yml)
