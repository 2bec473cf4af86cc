# Debian's libraries by pkg-config, tree-sitter and its Python grammar from node_modules.
# Everything that is missing is named at once, with the command that brings it.

set(STRATA_MISSING_DEB "")

find_package(PkgConfig)
if(NOT PkgConfig_FOUND)
  message(FATAL_ERROR "pkg-config is missing. Run: apt-get install pkg-config")
endif()
find_package(Threads REQUIRED)

# tools/debian-packages: kind, package, pkg-config module, the target that we call it by.
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

if(STRATA_SYSTEM_TREE_SITTER)
  pkg_check_modules(system_tree_sitter IMPORTED_TARGET tree-sitter>=0.25)
  if(NOT system_tree_sitter_FOUND)
    message(FATAL_ERROR "No system tree-sitter of at least 0.25. "
      "Install one, or turn STRATA_SYSTEM_TREE_SITTER off to take the npm package's.")
  endif()
  add_library(strata_tree_sitter INTERFACE)
  add_library(strata_tree_sitter_private INTERFACE)
  target_link_libraries(strata_tree_sitter INTERFACE PkgConfig::system_tree_sitter)
else()
  if(NOT EXISTS ${STRATA_RUNTIME_DIR}/src/lib.c)
    message(FATAL_ERROR "tree-sitter is missing under ${STRATA_NODE_MODULES}. ${STRATA_NPM_HINT}")
  endif()
  add_library(strata_tree_sitter STATIC ${STRATA_RUNTIME_DIR}/src/lib.c)
  target_include_directories(strata_tree_sitter SYSTEM
    PUBLIC ${STRATA_RUNTIME_DIR}/include
    PRIVATE ${STRATA_RUNTIME_DIR}/src)
  add_library(strata_tree_sitter_private INTERFACE) # its own headers, for analyzer/parse_direct.c
  target_include_directories(strata_tree_sitter_private SYSTEM INTERFACE ${STRATA_RUNTIME_DIR}/src)
  set_target_properties(strata_tree_sitter PROPERTIES C_EXTENSIONS ON)
  target_compile_options(strata_tree_sitter PRIVATE -w)
endif()

add_library(strata_python_grammar STATIC
  ${STRATA_GRAMMAR_DIR}/src/parser.c
  ${STRATA_GRAMMAR_DIR}/src/scanner.c)
target_include_directories(strata_python_grammar SYSTEM PRIVATE ${STRATA_GRAMMAR_DIR}/src)
target_compile_options(strata_python_grammar PRIVATE -w)
