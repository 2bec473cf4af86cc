# strata_room(NAME): what every room's library has in common.
function(strata_room name)
  target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR})
  target_compile_options(${name} PRIVATE ${STRATA_WARNINGS})
endfunction()
