add_test(NAME conformance/rule_examples
  COMMAND ${CMAKE_CURRENT_LIST_DIR}/rule_examples_test.sh ${CMAKE_SOURCE_DIR}/analyzer/rules
    ${STRATA_NODE_MODULES}/.bin/ast-grep)
set_tests_properties(conformance/rule_examples PROPERTIES
  LABELS conformance TIMEOUT 300 SKIP_RETURN_CODE 77)
