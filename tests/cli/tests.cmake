strata_test(cli command_line cli)

# tests/cli/NAME_test.sh, which is given the program.
foreach(name
    check_flags
    check_git
    full_disk
    help
    huge_files
    left_out
    missing_store
    odd_names
    pipes
    report_grid
    rules_odd
    rules_scope
    standard_files
    summary_run)
  add_test(NAME cli/${name}
    COMMAND ${CMAKE_CURRENT_LIST_DIR}/${name}_test.sh $<TARGET_FILE:strata>)
  set_tests_properties(cli/${name} PROPERTIES LABELS cli TIMEOUT 120 SKIP_RETURN_CODE 77)
endforeach()
