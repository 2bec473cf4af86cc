strata_test(store store store base)
strata_test(store listing store base)
