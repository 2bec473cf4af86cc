/* cmocka with the headers it wants in front, for every test. */
#ifndef STRATA_TESTS_CMOCKA_ALL_H
#define STRATA_TESTS_CMOCKA_ALL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
