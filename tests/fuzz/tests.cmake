# strata_fuzz(NAME LIBRARY...): tests/fuzz/fuzz_NAME.c.  Under the fuzz preset an executable that
# libFuzzer drives; elsewhere a test that replays tests/fuzz/corpus/NAME.
function(strata_fuzz name)
  add_executable(fuzz_${name} fuzz/fuzz_${name}.c)
  target_include_directories(fuzz_${name} PRIVATE ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/fuzz)
  target_compile_options(fuzz_${name} PRIVATE ${STRATA_WARNINGS})
  target_link_libraries(fuzz_${name} PRIVATE ${ARGN} base)
  if(STRATA_FUZZ)
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  else()
    target_sources(fuzz_${name} PRIVATE fuzz/replay.c)
    add_test(NAME fuzz/${name} COMMAND fuzz_${name} ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/corpus/${name})
    set_tests_properties(fuzz/${name} PROPERTIES LABELS fuzz TIMEOUT 300)
  endif()
endfunction()

strata_fuzz(analyze analyzer)
strata_fuzz(facts analyzer)
strata_fuzz(manifests manifests)
