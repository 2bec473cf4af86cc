strata_test(store store store base)
strata_test(store listing store base)
strata_test(store damage store base)
set_property(TEST store/damage APPEND PROPERTY LABELS slow)
strata_test(store care store base)
strata_test(store crash store base)
set_property(TEST store/crash APPEND PROPERTY LABELS slow)
set_tests_properties(store/crash store/damage PROPERTIES TIMEOUT 1200)

# Writes what miner/hostile_stores runs every command on.
add_executable(hostile_stores store/hostile_stores.c)
target_include_directories(hostile_stores PRIVATE ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
target_compile_options(hostile_stores PRIVATE ${STRATA_WARNINGS})
target_link_libraries(hostile_stores PRIVATE store analyzer base strata_lmdb strata_zstd strata_xxhash)
