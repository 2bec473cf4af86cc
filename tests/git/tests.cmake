strata_test(git commit git)
strata_test(git history git)
strata_test(git repo miner)
strata_test(git spill git)
