add_test(NAME conformance/rule_examples
  COMMAND ${CMAKE_CURRENT_LIST_DIR}/rule_examples_test.sh ${CMAKE_SOURCE_DIR}/rules
    ${STRATA_NODE_MODULES}/.bin/ast-grep)
set_tests_properties(conformance/rule_examples PROPERTIES
  LABELS conformance TIMEOUT 300 SKIP_RETURN_CODE 77)

# Python's own tokenizer and ast over the standard library of the machine's Python 3.11; by hand over
# more folders.  The oracle needs 3.11: the tokenizers after it split formatted strings.
find_program(STRATA_PYTHON311 python3.11)
if(STRATA_PYTHON311)
  execute_process(COMMAND ${STRATA_PYTHON311} -c "import os; print(os.path.dirname(os.__file__))"
    OUTPUT_VARIABLE STRATA_PYTHON311_LIBRARY OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  add_test(NAME conformance/python_oracle
    COMMAND ${STRATA_PYTHON311} ${CMAKE_CURRENT_LIST_DIR}/python_oracle.py --most 400
      $<TARGET_FILE:strata> ${STRATA_SHARED}/tools/py-oracle ${STRATA_PYTHON311_LIBRARY})
  set_tests_properties(conformance/python_oracle PROPERTIES
    LABELS "conformance;slow" TIMEOUT 600 SKIP_RETURN_CODE 77)
else()
  message(STATUS "no python3.11: the comparison with Python's own tokenizer is left out")
endif()
add_test(NAME conformance/rule_cases
  COMMAND ${CMAKE_CURRENT_LIST_DIR}/rule_cases_test.sh $<TARGET_FILE:strata>
    ${STRATA_SHARED}/cases/rules)
set_tests_properties(conformance/rule_cases PROPERTIES
  LABELS conformance TIMEOUT 300 SKIP_RETURN_CODE 77)

# The recorded scores of the reference checker, where the repositories are at hand: name the folder
# of their mirrors with -D STRATA_MIRRORS=DIR.
set(STRATA_MIRRORS "" CACHE PATH "bare mirrors for the comparison with reference scores")
find_program(STRATA_PYTHON3 python3)
if(STRATA_MIRRORS AND STRATA_PYTHON3)
  add_test(NAME conformance/reference_scores
    COMMAND ${STRATA_PYTHON3} ${CMAKE_CURRENT_LIST_DIR}/reference_scores.py
      --functions ${STRATA_SHARED}/data/reference-functions.jsonl
      $<TARGET_FILE:strata> ${STRATA_SHARED}/data/reference-scores.jsonl ${STRATA_MIRRORS})
  set_tests_properties(conformance/reference_scores PROPERTIES
    LABELS "conformance;slow" TIMEOUT 3600 SKIP_RETURN_CODE 77)
  add_test(NAME conformance/calibrated_lines
    COMMAND ${STRATA_PYTHON3} ${CMAKE_CURRENT_LIST_DIR}/calibrated_lines.py
      $<TARGET_FILE:strata> ${CMAKE_SOURCE_DIR}/rules/calibrated ${STRATA_SHARED}/data ${STRATA_MIRRORS})
  set_tests_properties(conformance/calibrated_lines PROPERTIES
    LABELS "conformance;slow" TIMEOUT 600 SKIP_RETURN_CODE 77)
  add_test(NAME conformance/calibrated_trees
    COMMAND ${STRATA_PYTHON3} ${CMAKE_CURRENT_LIST_DIR}/calibrated_trees.py
      $<TARGET_FILE:strata> ${STRATA_SHARED}/data ${STRATA_MIRRORS})
  set_tests_properties(conformance/calibrated_trees PROPERTIES
    LABELS "conformance;slow" TIMEOUT 3600 SKIP_RETURN_CODE 77)
endif()

# The recorded figures of agent runs, where a store of them is at hand: name it with
# -D STRATA_AGENT_STORE=DIR.
set(STRATA_AGENT_STORE "" CACHE PATH "a store of ingested agent runs for the comparison with their records")
if(STRATA_AGENT_STORE AND STRATA_PYTHON3)
  add_test(NAME conformance/agent_runs
    COMMAND ${STRATA_PYTHON3} ${CMAKE_CURRENT_LIST_DIR}/agent_runs.py $<TARGET_FILE:strata>
      ${STRATA_AGENT_STORE})
  set_tests_properties(conformance/agent_runs PROPERTIES
    LABELS "conformance;slow" TIMEOUT 600 SKIP_RETURN_CODE 77)
endif()

# The release's own summaries, where its runs are at hand: name the folder with -D STRATA_AGENT_RUNS=DIR.
set(STRATA_AGENT_RUNS "" CACHE PATH "agent runs with a result.json each, to hold summaries against")
if(STRATA_AGENT_RUNS AND STRATA_PYTHON3)
  add_test(NAME conformance/run_results
    COMMAND ${STRATA_PYTHON3} ${CMAKE_CURRENT_LIST_DIR}/run_results.py $<TARGET_FILE:strata>
      ${STRATA_AGENT_RUNS})
  set_tests_properties(conformance/run_results PROPERTIES
    LABELS "conformance;slow" TIMEOUT 600 SKIP_RETURN_CODE 77)
endif()

# The built-in rules in both engines over packages of the machine's Python; by hand over more.
if(STRATA_PYTHON3)
  execute_process(COMMAND ${STRATA_PYTHON3} -c "import os; print(os.path.dirname(os.__file__))"
    OUTPUT_VARIABLE STRATA_PYTHON3_LIBRARY OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  add_test(NAME conformance/rule_engines
    COMMAND ${CMAKE_CURRENT_LIST_DIR}/rule_engines_test.sh $<TARGET_FILE:strata>
      ${STRATA_NODE_MODULES}/.bin/ast-grep ${CMAKE_SOURCE_DIR}/rules
      ${STRATA_PYTHON3_LIBRARY}/asyncio ${STRATA_PYTHON3_LIBRARY}/email ${STRATA_PYTHON3_LIBRARY}/http
      ${STRATA_PYTHON3_LIBRARY}/multiprocessing ${STRATA_PYTHON3_LIBRARY}/unittest)
  set_tests_properties(conformance/rule_engines PROPERTIES
    LABELS "conformance;slow" TIMEOUT 1200 SKIP_RETURN_CODE 77)
endif()

# The line counter that the benchmark's released code uses.  Debian's radon goes with its python3.
find_program(STRATA_SYSTEM_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
if(STRATA_SYSTEM_PYTHON)
  add_test(NAME conformance/radon_lines
    COMMAND ${STRATA_SYSTEM_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/radon_lines.py
      $<TARGET_FILE:strata>)
  set_tests_properties(conformance/radon_lines PROPERTIES
    LABELS "conformance;slow" TIMEOUT 600 SKIP_RETURN_CODE 77)
endif()

# Every main table of a report, computed by a script from the export; by hand over larger stores.
if(STRATA_PYTHON3)
  add_test(NAME conformance/report_tables
    COMMAND ${CMAKE_CURRENT_LIST_DIR}/report_tables_test.sh $<TARGET_FILE:strata>
      ${CMAKE_SOURCE_DIR}/manifests/bundled)
  set_tests_properties(conformance/report_tables PROPERTIES LABELS conformance TIMEOUT 300)
endif()
