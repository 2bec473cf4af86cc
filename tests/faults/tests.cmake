# Every command with one failing allocation or file call.  It takes minutes; switched on by
# -D STRATA_FAULTS=N, which tries N calls of each kind for each command (2000 for all of most).
set(STRATA_FAULTS 0 CACHE STRING "failing calls to try for each command and kind of call")
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND AND STRATA_FAULTS AND NOT STRATA_SANITIZE)
  add_test(NAME faults/commands
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/faults_test.py $<TARGET_FILE:strata>
      ${STRATA_SHARED} --most ${STRATA_FAULTS})
  set_tests_properties(faults/commands PROPERTIES
    LABELS "faults;slow" TIMEOUT 1800 SKIP_RETURN_CODE 77)
endif()
