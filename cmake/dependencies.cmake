# Debian's libraries by pkg-config, tree-sitter and its Python grammar from node_modules.
# Everything that is missing is named at once, with the command that brings it.

set(STRATA_MISSING_DEB "")

# strata_debian(TARGET MODULE PACKAGE): an imported target for one library.
macro(strata_debian target module package)
  pkg_check_modules(${target} QUIET IMPORTED_TARGET ${module})
  if(${target}_FOUND)
    add_library(${target}_interface INTERFACE)
    target_link_libraries(${target}_interface INTERFACE PkgConfig::${target})
    add_library(${target} ALIAS ${target}_interface)
  else()
    list(APPEND STRATA_MISSING_DEB ${package})
  endif()
endmacro()

find_package(PkgConfig)
if(NOT PkgConfig_FOUND)
  message(FATAL_ERROR "pkg-config is missing. Run: apt-get install pkg-config")
endif()
find_package(Threads REQUIRED)

strata_debian(strata_git2 libgit2 libgit2-dev)
strata_debian(strata_lmdb lmdb liblmdb-dev)
strata_debian(strata_zstd libzstd libzstd-dev)
strata_debian(strata_cjson libcjson libcjson-dev)
strata_debian(strata_yaml yaml-0.1 libyaml-dev)
strata_debian(strata_pcre2 libpcre2-8 libpcre2-dev)
strata_debian(strata_xxhash libxxhash libxxhash-dev)
strata_debian(strata_sqlite sqlite3 libsqlite3-dev)
if(STRATA_TESTS)
  strata_debian(strata_cmocka cmocka libcmocka-dev)
endif()
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
  target_link_libraries(strata_tree_sitter INTERFACE PkgConfig::system_tree_sitter)
else()
  if(NOT EXISTS ${STRATA_RUNTIME_DIR}/src/lib.c)
    message(FATAL_ERROR "tree-sitter is missing under ${STRATA_NODE_MODULES}. ${STRATA_NPM_HINT}")
  endif()
  add_library(strata_tree_sitter STATIC ${STRATA_RUNTIME_DIR}/src/lib.c)
  target_include_directories(strata_tree_sitter SYSTEM
    PUBLIC ${STRATA_RUNTIME_DIR}/include
    PRIVATE ${STRATA_RUNTIME_DIR}/src)
  set_target_properties(strata_tree_sitter PROPERTIES C_EXTENSIONS ON)
  target_compile_options(strata_tree_sitter PRIVATE -w)
endif()

add_library(strata_python_grammar STATIC
  ${STRATA_GRAMMAR_DIR}/src/parser.c
  ${STRATA_GRAMMAR_DIR}/src/scanner.c)
target_include_directories(strata_python_grammar SYSTEM PRIVATE ${STRATA_GRAMMAR_DIR}/src)
target_compile_options(strata_python_grammar PRIVATE -w)
