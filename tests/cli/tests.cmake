strata_test(cli command_line cli)

# tests/cli/NAME_test.sh, which is given the program.
foreach(name
    check_flags
    check_git
    check_output
    full_disk
    help
    huge_files
    ingest_output
    left_out
    mine_output
    missing_store
    odd_names
    pipes
    report_grid
    rules_odd
    rules_output
    rules_scope
    rules_selection
    standard_files
    store_commands
    summary_run)
  add_test(NAME cli/${name}
    COMMAND ${CMAKE_CURRENT_LIST_DIR}/${name}_test.sh $<TARGET_FILE:strata>)
  set_tests_properties(cli/${name} PROPERTIES LABELS cli TIMEOUT 120 SKIP_RETURN_CODE 77)
endforeach()
