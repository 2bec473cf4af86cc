# The faster ways of a parse, a switch each (parse_methods.h).  A system's tree-sitter is used
# through its public API alone, with none of them.
option(STRATA_PARSE_HEAP "parse in a heap that is dropped whole" ON)
option(STRATA_PARSE_DENSE "parse with a table that is never searched" ON)
option(STRATA_PARSE_DIRECT "walk the structs of the npm package's tree-sitter, not its cursor" ON)

# strata_parse_sources(TARGET METHOD...): parse.c and what it needs into TARGET, which links a
# runtime and a grammar of its own (see benchmarks/parse).
function(strata_parse_sources target)
  set(files parse.c parse_cursor.c parse_left_out.c)
  set(methods ${ARGN})
  if("STRATA_PARSE_HEAP" IN_LIST methods)
    list(APPEND files parse_heap.c)
  endif()
  if("STRATA_PARSE_DENSE" IN_LIST methods)
    list(APPEND files parse_language.c)
    target_link_libraries(${target} PRIVATE strata_parse_table)
    target_include_directories(${target} SYSTEM PRIVATE ${STRATA_GRAMMAR_DIR}/src)
  endif()
  if("STRATA_PARSE_DIRECT" IN_LIST methods)
    list(APPEND files parse_direct.c)
    target_include_directories(${target} SYSTEM PRIVATE ${STRATA_RUNTIME_DIR}/src)
  endif()
  list(TRANSFORM files PREPEND ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/)
  target_sources(${target} PRIVATE ${files})
  target_compile_definitions(${target} PUBLIC ${methods})
endfunction()

set(STRATA_PARSE_METHODS "")
if(NOT STRATA_SYSTEM_TREE_SITTER)
  foreach(method STRATA_PARSE_HEAP STRATA_PARSE_DENSE STRATA_PARSE_DIRECT)
    if(${method})
      list(APPEND STRATA_PARSE_METHODS ${method})
    endif()
  endforeach()
endif()

if("STRATA_PARSE_DIRECT" IN_LIST STRATA_PARSE_METHODS)
  # The structs are private to the runtime and may change with any release.
  file(READ ${STRATA_NODE_MODULES}/tree-sitter/package.json package)
  string(JSON version GET "${package}" version)
  if(NOT version STREQUAL "0.25.1")
    message(FATAL_ERROR "The direct walk was written against tree-sitter 0.25.1, this is ${version}. "
      "Configure with -D STRATA_PARSE_DIRECT=OFF, or run: npm ci --ignore-scripts")
  endif()
endif()

if("STRATA_PARSE_DENSE" IN_LIST STRATA_PARSE_METHODS)
  add_executable(parse_dense_make parse_dense_make.c)
  strata_room(parse_dense_make)
  target_include_directories(parse_dense_make SYSTEM PRIVATE ${STRATA_GRAMMAR_DIR}/src)
  target_link_libraries(parse_dense_make PRIVATE strata_python_grammar strata_tree_sitter)
  set(table ${CMAKE_CURRENT_BINARY_DIR}/parse_dense_table.c)
  add_custom_command(OUTPUT ${table} COMMAND parse_dense_make > ${table} VERBATIM)
  add_library(strata_parse_table STATIC ${table})
  strata_room(strata_parse_table)
  target_link_libraries(strata_parse_table PRIVATE strata_tree_sitter)
endif()

strata_parse_sources(analyzer ${STRATA_PARSE_METHODS})
# The tests and benchmarks want to know.
set(STRATA_PARSE_METHODS ${STRATA_PARSE_METHODS} CACHE INTERNAL "parse methods built")
