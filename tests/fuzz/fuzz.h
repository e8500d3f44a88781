// SPDX-License-Identifier: MIT
/* The entry point of a fuzz target, as libFuzzer and replay.c call it. */
#ifndef PW_TESTS_FUZZ_H
#define PW_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A broken property ends the process, so that the input is kept. */
#define FUZZ_REQUIRE(cond)                                               \
  do {                                                                   \
    if (!(cond)) {                                                       \
      fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #cond); \
      abort();                                                           \
    }                                                                    \
  } while (0)

#endif
