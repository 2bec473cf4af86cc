# The documents: what they name is there, and their examples build and work.
foreach(name analyse trajectories)
  add_executable(docs_example_${name} ${CMAKE_SOURCE_DIR}/docs/examples/${name}.c)
  target_include_directories(docs_example_${name} PRIVATE ${CMAKE_SOURCE_DIR})
  target_compile_options(docs_example_${name} PRIVATE ${STRATA_WARNINGS})
endforeach()
target_link_libraries(docs_example_analyse PRIVATE analyzer builtin_rules base)
target_link_libraries(docs_example_trajectories PRIVATE store base)

add_test(NAME docs/names
  COMMAND ${CMAKE_CURRENT_LIST_DIR}/names_test.sh ${CMAKE_SOURCE_DIR} $<TARGET_FILE:strata>)
add_test(NAME docs/examples
  COMMAND ${CMAKE_CURRENT_LIST_DIR}/examples_test.sh $<TARGET_FILE:strata>
    $<TARGET_FILE:docs_example_analyse> $<TARGET_FILE:docs_example_trajectories>)
set_tests_properties(docs/names docs/examples PROPERTIES LABELS docs TIMEOUT 300)
