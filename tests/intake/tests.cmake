strata_test(intake blob_encoder intake builtin_rules)
strata_test(intake notes intake)
