# Every command with one failing allocation or file call; by hand with more: --most 2000.
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND AND NOT STRATA_SANITIZE)
  add_test(NAME faults/commands
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/faults_test.py $<TARGET_FILE:strata>
      ${STRATA_SHARED} --most 4)
  set_tests_properties(faults/commands PROPERTIES
    LABELS "faults;slow" TIMEOUT 1800 SKIP_RETURN_CODE 77)
endif()
