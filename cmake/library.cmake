# strata_library(NAME): what the library of every folder has in common.
function(strata_library name)
  target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR})
  target_compile_options(${name} PRIVATE ${STRATA_WARNINGS})
endfunction()
