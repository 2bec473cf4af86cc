/*
 * A fuzz target defines LLVMFuzzerTestOneInput.  Under the fuzz preset libFuzzer drives it; in
 * every other build replay.c runs it over the files of its corpus as an ordinary test.
 */
#ifndef STRATA_TESTS_FUZZ_FUZZ_H
#define STRATA_TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
