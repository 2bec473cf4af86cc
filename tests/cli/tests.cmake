add_test(NAME cli/help COMMAND ${CMAKE_CURRENT_LIST_DIR}/help_test.sh $<TARGET_FILE:strata>)
set_tests_properties(cli/help PROPERTIES LABELS cli TIMEOUT 120)
add_test(NAME cli/check_flags
  COMMAND ${CMAKE_CURRENT_LIST_DIR}/check_flags_test.sh $<TARGET_FILE:strata>)
set_tests_properties(cli/check_flags PROPERTIES LABELS cli TIMEOUT 120)
add_test(NAME cli/summary_run
  COMMAND ${CMAKE_CURRENT_LIST_DIR}/summary_run_test.sh $<TARGET_FILE:strata>)
set_tests_properties(cli/summary_run PROPERTIES LABELS cli TIMEOUT 120)
add_test(NAME cli/standard_files
  COMMAND ${CMAKE_CURRENT_LIST_DIR}/standard_files_test.sh $<TARGET_FILE:strata>)
set_tests_properties(cli/standard_files PROPERTIES LABELS cli TIMEOUT 120)
add_test(NAME cli/rules_scope
  COMMAND ${CMAKE_CURRENT_LIST_DIR}/rules_scope_test.sh $<TARGET_FILE:strata>)
add_test(NAME cli/rules_odd COMMAND ${CMAKE_CURRENT_LIST_DIR}/rules_odd_test.sh $<TARGET_FILE:strata>)
set_tests_properties(cli/rules_odd PROPERTIES LABELS cli TIMEOUT 120)
add_test(NAME cli/odd_names
  COMMAND ${CMAKE_CURRENT_LIST_DIR}/odd_names_test.sh $<TARGET_FILE:strata>)
set_tests_properties(cli/odd_names PROPERTIES LABELS cli TIMEOUT 120)
add_test(NAME cli/pipes COMMAND ${CMAKE_CURRENT_LIST_DIR}/pipes_test.sh $<TARGET_FILE:strata>)
set_tests_properties(cli/pipes PROPERTIES LABELS cli TIMEOUT 120)
add_test(NAME cli/report_grid
  COMMAND ${CMAKE_CURRENT_LIST_DIR}/report_grid_test.sh $<TARGET_FILE:strata>)
set_tests_properties(cli/report_grid PROPERTIES LABELS cli TIMEOUT 120)
add_test(NAME cli/left_out COMMAND ${CMAKE_CURRENT_LIST_DIR}/left_out_test.sh $<TARGET_FILE:strata>)
set_tests_properties(cli/left_out PROPERTIES LABELS cli TIMEOUT 120)
add_test(NAME cli/missing_store
  COMMAND ${CMAKE_CURRENT_LIST_DIR}/missing_store_test.sh $<TARGET_FILE:strata>)
set_tests_properties(cli/missing_store PROPERTIES LABELS cli TIMEOUT 120)
