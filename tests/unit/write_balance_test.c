// SPDX-License-Identifier: MIT
/* How much of the energy a ledger may leave unexplained. */
#include "check.h"
#include "run/run.h"

static void grows_with_steps_and_sizes(void) {
  pawl_energy e = {.kinetic = 1, .potential = 1, .start = 2, .scale = 2};
  double works[] = {-3, 5}, once = pw_run_balance_limit(&e, works, 2, 1e-9, 1);
  CHECK_NEAR(once, 100 * 1e-9 * (2 + 3 + 5), 1e-13);
  CHECK_NEAR(pw_run_balance_limit(&e, works, 2, 1e-9, 50), 50 * once, 1e-15);
  CHECK(pw_run_balance_limit(&e, works, 0, 1e-9, 1) < once);
}

static void rounding_is_always_left(void) {
  pawl_energy far = {.kinetic = 0, .potential = 1e9, .start = 1e9}; /* at rest, high above zero */
  CHECK(pw_run_balance_limit(&far, NULL, 0, 1e-14, 1) > 1e9 * 2e-16);
  pawl_energy loaded = {.push = 18}; /* at rest at zero, on a place that is off by rounding */
  CHECK(pw_run_balance_limit(&loaded, NULL, 0, 1e-9, 6) > 18 * 2e-16);
}

CHECK_MAIN({"grows with steps and sizes", grows_with_steps_and_sizes},
           {"rounding is always left", rounding_is_always_left})
