// SPDX-License-Identifier: MIT
/* Memory by pages: zeros of any size, also where other memory was written and freed before. */
#include <stdint.h>
#include <string.h>

#include "base/module.h"
#include "check.h"

static void zeros(void) {
  const size_t sizes[] = {1, 1000, ((size_t)1 << 20) - 64, (size_t)1 << 20, 5000000};
  for (int turn = 0; turn < 2; turn++) {
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
      unsigned char *x = pw_pages_new(sizes[i]);
      CHECK(x != NULL && (uintptr_t)x % 16 == 0);
      size_t wrong = 0;
      for (size_t k = 0; x != NULL && k < sizes[i]; k++) {
        wrong += x[k] != 0;
      }
      CHECK_INT(wrong, 0);
      if (x != NULL) {
        memset(x, 0xff, sizes[i]);
      }
      pw_pages_free(x);
    }
  }
  pw_pages_free(NULL);
}

static void refuses(void) {
  CHECK(pw_pages_new(SIZE_MAX) == NULL);
}

CHECK_MAIN({"zeros", zeros}, {"refuses", refuses})
