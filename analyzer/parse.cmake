# The faster ways of a parse, a switch each (parse_methods.h).  A system's tree-sitter is used
# through its public API alone.
option(STRATA_PARSE_DIRECT "walk the structs of the npm package's tree-sitter, not its cursor" ON)

set(STRATA_PARSE_METHODS "")

if(STRATA_PARSE_DIRECT AND NOT STRATA_SYSTEM_TREE_SITTER)
  # The structs are private to the runtime and may change with any release.
  file(READ ${STRATA_NODE_MODULES}/tree-sitter/package.json package)
  string(JSON version GET "${package}" version)
  if(NOT version STREQUAL "0.25.1")
    message(FATAL_ERROR "The direct walk was written against tree-sitter 0.25.1, this is ${version}. "
      "Configure with -D STRATA_PARSE_DIRECT=OFF, or run: npm ci --ignore-scripts")
  endif()
  list(APPEND STRATA_PARSE_METHODS STRATA_PARSE_DIRECT)
  target_sources(analyzer PRIVATE parse_direct.c)
  target_link_libraries(analyzer PRIVATE strata_tree_sitter_private)
endif()

target_sources(analyzer PRIVATE parse.c parse_cursor.c)
target_compile_definitions(analyzer PUBLIC ${STRATA_PARSE_METHODS})
# The tests and benchmarks want to know.
set(STRATA_PARSE_METHODS ${STRATA_PARSE_METHODS} CACHE INTERNAL "parse methods built")
