strata_test(manifests glob manifests)
strata_test(manifests source manifests)
strata_test(manifests manifest manifests)
strata_test(manifests profile manifests)
add_test(NAME manifests/bundled_panel
  COMMAND ${CMAKE_CURRENT_LIST_DIR}/bundled_panel_test.sh ${CMAKE_SOURCE_DIR}/manifests/bundled)
set_tests_properties(manifests/bundled_panel PROPERTIES LABELS manifests TIMEOUT 300)
strata_test(manifests draw manifests)
strata_test(manifests panels manifests)
