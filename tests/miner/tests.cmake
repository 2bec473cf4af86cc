strata_test(miner commit miner)
strata_test(miner history miner)
strata_test(miner sample miner)
