# Debian's libraries by pkg-config, tree-sitter and its Python grammar from node_modules.
# Everything that is missing is named at once, with the command that installs it.

set(STRATA_MISSING_DEB "")

find_package(PkgConfig)
if(NOT PkgConfig_FOUND)
  message(FATAL_ERROR "pkg-config is missing. Run: apt-get install pkg-config")
endif()
find_package(Threads REQUIRED)

# tools/debian-packages: kind, package, pkg-config module, the name of the target here.
set(STRATA_PACKAGES ${CMAKE_SOURCE_DIR}/tools/debian-packages)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${STRATA_PACKAGES})
set(STRATA_LIBRARY_LINE "^library ")
if(STRATA_TESTS)
  set(STRATA_LIBRARY_LINE "^(library|testing) ")
endif()
file(STRINGS ${STRATA_PACKAGES} libraries REGEX ${STRATA_LIBRARY_LINE})
foreach(line IN LISTS libraries)
  separate_arguments(line UNIX_COMMAND "${line}")
  list(GET line 1 package)
  list(GET line 2 module)
  list(GET line 3 target)
  pkg_check_modules(${target} QUIET IMPORTED_TARGET ${module})
  if(${target}_FOUND)
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE PkgConfig::${target})
  else()
    list(APPEND STRATA_MISSING_DEB ${package})
  endif()
endforeach()
if(STRATA_MISSING_DEB)
  list(JOIN STRATA_MISSING_DEB " " missing)
  message(FATAL_ERROR "Libraries are missing. Run: apt-get install ${missing}")
endif()

set(STRATA_GRAMMAR_DIR ${STRATA_NODE_MODULES}/tree-sitter-python)
set(STRATA_RUNTIME_DIR ${STRATA_NODE_MODULES}/tree-sitter/vendor/tree-sitter/lib)
set(STRATA_NPM_HINT "Run in the project's folder: npm ci --ignore-scripts")

if(NOT EXISTS ${STRATA_GRAMMAR_DIR}/src/parser.c)
  message(FATAL_ERROR "tree-sitter-python is missing under ${STRATA_NODE_MODULES}. ${STRATA_NPM_HINT}")
endif()

# Under libFuzzer every comparison of a search through a parse table would be reported; which edges
# were taken is enough, and 4 times faster.
set(STRATA_THIRD_PARTY_FLAGS -w)
if(STRATA_FUZZ)
  list(APPEND STRATA_THIRD_PARTY_FLAGS -O2 -fno-sanitize-coverage=trace-cmp -fno-sanitize=undefined)
endif()

# strata_runtime(NAME): the npm package's runtime as a library.
function(strata_runtime name)
  add_library(${name} STATIC ${STRATA_RUNTIME_DIR}/src/lib.c)
  target_include_directories(${name} SYSTEM
    PUBLIC ${STRATA_RUNTIME_DIR}/include
    PRIVATE ${STRATA_RUNTIME_DIR}/src)
  set_target_properties(${name} PROPERTIES C_EXTENSIONS ON)
  target_compile_options(${name} PRIVATE ${STRATA_THIRD_PARTY_FLAGS})
endfunction()

# strata_grammar(NAME [MEMORY_OF RUNTIME]): the grammar as a library; its scanner takes its memory
# through the runtime's hooks, as the tree does, or from malloc.
function(strata_grammar name)
  cmake_parse_arguments(grammar "" MEMORY_OF "" ${ARGN})
  add_library(${name} STATIC ${STRATA_GRAMMAR_DIR}/src/parser.c ${STRATA_GRAMMAR_DIR}/src/scanner.c)
  target_include_directories(${name} SYSTEM PRIVATE ${STRATA_GRAMMAR_DIR}/src)
  target_compile_options(${name} PRIVATE ${STRATA_THIRD_PARTY_FLAGS})
  if(grammar_MEMORY_OF)
    target_compile_definitions(${name} PRIVATE TREE_SITTER_REUSE_ALLOCATOR)
    target_compile_options(${name} PRIVATE
      -include ${CMAKE_SOURCE_DIR}/analyzer/parse/scanner_memory.h)
    target_link_libraries(${name} PRIVATE ${grammar_MEMORY_OF})
  endif()
endfunction()

if(STRATA_SYSTEM_TREE_SITTER)
  pkg_check_modules(system_tree_sitter IMPORTED_TARGET tree-sitter>=0.25)
  if(NOT system_tree_sitter_FOUND)
    message(FATAL_ERROR "No system tree-sitter of at least 0.25. "
      "Install one, or turn STRATA_SYSTEM_TREE_SITTER off to take the npm package's.")
  endif()
  add_library(strata_tree_sitter INTERFACE)
  target_link_libraries(strata_tree_sitter INTERFACE PkgConfig::system_tree_sitter)
  strata_grammar(strata_python_grammar)
else()
  if(NOT EXISTS ${STRATA_RUNTIME_DIR}/src/lib.c)
    message(FATAL_ERROR "tree-sitter is missing under ${STRATA_NODE_MODULES}. ${STRATA_NPM_HINT}")
  endif()
  strata_runtime(strata_tree_sitter)
  strata_grammar(strata_python_grammar MEMORY_OF strata_tree_sitter)
endif()
