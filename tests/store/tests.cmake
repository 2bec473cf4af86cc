strata_test(store store store base)
strata_test(store listing store base)
strata_test(store damage store base)
set_property(TEST store/damage APPEND PROPERTY LABELS slow)
