strata_test(base num base)
strata_test(base json base)
strata_test(base containers base)
strata_test(base printable base)
