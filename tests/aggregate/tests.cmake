strata_test(aggregate exact aggregate)
strata_test(aggregate panel aggregate)
strata_test(aggregate score aggregate)
strata_test(aggregate summary aggregate)
