strata_test(runner ingest runner)
strata_test(runner odd_runs runner)
strata_test(runner iso_time runner)
strata_test(runner setup runner)
