strata_test(manifests glob manifests)
strata_test(manifests source manifests)
strata_test(manifests manifest manifests)
strata_test(manifests profile manifests)
