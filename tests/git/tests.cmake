strata_test(git commit git)
strata_test(git history git)
strata_test(git refs git strata_deflate)
strata_test(git repo miner)
strata_test(git spill git)
strata_test(git odb_loose git_odb strata_deflate)
strata_test(git odb_pack git_odb strata_deflate)
strata_test(git odb_real git_odb strata_git2 strata_deflate)

# Whole runs of the program on damaged repositories.
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
  add_test(NAME git/damaged_repos
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/git/damaged_repos_test.py
      $<TARGET_FILE:strata> ${STRATA_SHARED})
  set_tests_properties(git/damaged_repos PROPERTIES LABELS "git;slow" TIMEOUT 1200)
  add_test(NAME git/hostile_repos
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/git/hostile_repos_test.py
      $<TARGET_FILE:strata> ${STRATA_SHARED})
  set_tests_properties(git/hostile_repos PROPERTIES LABELS "git;large" TIMEOUT 3600
    SKIP_RETURN_CODE 77)
endif()
