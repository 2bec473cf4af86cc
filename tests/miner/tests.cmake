strata_test(miner commit miner)
