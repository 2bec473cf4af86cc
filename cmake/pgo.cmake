# Profile-guided optimisation: the compiler learns from a run what is taken often (tools/build-pgo).
# gcc puts the profile of each object beside it, so both steps happen in one build folder.

if(NOT CMAKE_C_COMPILER_ID STREQUAL "GNU")
  message(FATAL_ERROR "STRATA_PGO is written for gcc, this is ${CMAKE_C_COMPILER_ID}. "
    "Configure with -D STRATA_PGO= or with -D CMAKE_C_COMPILER=gcc")
endif()

if(STRATA_PGO STREQUAL "generate")
  add_compile_options(-fprofile-generate -fprofile-update=prefer-atomic)
  add_link_options(-fprofile-generate)
elseif(STRATA_PGO STREQUAL "use")
  file(GLOB_RECURSE profiles ${CMAKE_BINARY_DIR}/analyzer/*.gcda)
  if(NOT profiles)
    message(FATAL_ERROR "There is no profile in ${CMAKE_BINARY_DIR}. Run: tools/build-pgo")
  endif()
  # What the run did not reach (error recovery, most rules) is compiled as without a profile, not for
  # size.  Sources without any profile are tests and benchmarks.
  add_compile_options(-fprofile-use -fprofile-partial-training -fprofile-correction
    -Wno-missing-profile)
else()
  message(FATAL_ERROR "STRATA_PGO is \"${STRATA_PGO}\": empty, generate and use are known")
endif()
