# The options of a build, and the flags that follow from them.

option(STRATA_TESTS "build the tests" ON)
option(STRATA_BENCHMARKS "build the benchmarks" ON)
option(STRATA_FUZZ "build the fuzz targets (needs clang)" OFF)
option(STRATA_WERROR "warnings are errors" OFF)
option(STRATA_SYSTEM_TREE_SITTER "use the system's tree-sitter (at least 0.25) instead of the npm package's" OFF)
set(STRATA_PGO "" CACHE STRING
  "profile-guided optimisation with gcc: generate, then use (tools/build-pgo does both)")
set(STRATA_SANITIZE "" CACHE STRING "sanitizers, as -fsanitize= takes them")
set(STRATA_NODE_MODULES ${CMAKE_SOURCE_DIR}/node_modules CACHE PATH
  "where npm put tree-sitter and tree-sitter-python")
set(STRATA_SHARED ${CMAKE_SOURCE_DIR}/../shared CACHE PATH
  "reference data; tests that need it are skipped where it is missing")

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# With link-time optimisation objects keep their machine code as well: tests and benchmarks link that in a
# fraction of the time, and only the program is optimised as a whole.
if(CMAKE_INTERPROCEDURAL_OPTIMIZATION AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
  set(CMAKE_C_COMPILE_OPTIONS_IPO -flto=auto -ffat-lto-objects)
endif()

find_program(STRATA_CCACHE ccache)
if(STRATA_CCACHE AND NOT STRATA_PGO) # ccache does not know that the profile is an input
  set(CMAKE_C_COMPILER_LAUNCHER ${STRATA_CCACHE})
endif()

add_compile_definitions(_GNU_SOURCE)
if(STRATA_SANITIZE)
  add_compile_options(-fsanitize=${STRATA_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${STRATA_SANITIZE})
  if(STRATA_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize-recover=undefined)
  endif()
endif()
if(STRATA_PGO)
  include(${CMAKE_CURRENT_LIST_DIR}/pgo.cmake)
endif()
if(STRATA_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

set(STRATA_WARNINGS
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wmissing-prototypes -Wstrict-prototypes
  -Wcast-qual -Wvla -Wpointer-arith -Wwrite-strings -Wundef)
if(STRATA_WERROR)
  list(APPEND STRATA_WARNINGS -Werror)
endif()
