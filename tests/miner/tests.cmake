strata_test(miner tree miner)
strata_test(miner markers miner)
strata_test(miner read_tree miner)
strata_test(miner sample miner)
strata_test(miner/mirrors mirrors miner_mirrors)

# Whole runs of the program.
find_package(Python3 COMPONENTS Interpreter)
function(strata_mine_test name)
  add_test(NAME miner/${name}
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/miner/${name}_test.py
      $<TARGET_FILE:strata> ${STRATA_SHARED} ${ARGN})
  set_tests_properties(miner/${name} PROPERTIES LABELS miner TIMEOUT 1200 SKIP_RETURN_CODE 77)
endfunction()
if(Python3_FOUND)
  strata_mine_test(odd_repos)
  strata_mine_test(damage)
  strata_mine_test(kills)
  strata_mine_test(merge)
  strata_mine_test(moved)
  strata_mine_test(author_dates)
  strata_mine_test(resume)
  strata_mine_test(rule_changes)
  strata_mine_test(clone)
  strata_mine_test(hostile)
  strata_mine_test(memory)
  strata_mine_test(hostile_stores $<TARGET_FILE:hostile_stores>)
  set_tests_properties(miner/hostile_stores PROPERTIES LABELS "miner;large")
  set_tests_properties(miner/damage miner/kills miner/resume miner/clone miner/hostile miner/memory
    PROPERTIES LABELS "miner;slow")
  # Its largest repositories take ThreadSanitizer many minutes.
  set_tests_properties(miner/odd_repos PROPERTIES LABELS "miner;large")
endif()
