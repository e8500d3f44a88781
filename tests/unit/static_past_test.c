// SPDX-License-Identifier: MIT
/* Accelerations before an instant: none, one, several (Glocker 1998, (6.12)-(6.15),
 * (10.6)-(10.8)). */
#include "alloc_wrap.h"
#include "static_support.h"

static const char block[] = "parameter m = 2, bound = 5.886, F = 1\n"
                            "coordinates x\n"
                            "kinetic T = 1/2*m*x'^2\n"
                            "force x: F\n"
                            "friction rub: slip x', bound bound\n"
                            "start x = 0, x' = 0\n";

static bool has_past(const instant *x, double a) {
  for (int k = 0; k < count(x, PAWL_LEFT); k++) {
    if (fabs(accel(x, PAWL_LEFT, k, 0) - a) <= 1e-12) {
      return true;
    }
  }
  return false;
}

/* S2.5 */
static void block_at_rest(void) {
  instant x = look_at(block, NULL, 0);
  CHECK_INT(count(&x, PAWL_RIGHT), 1);
  CHECK_NEAR(accel(&x, PAWL_RIGHT, 0, 0), 0, 1e-12);
  CHECK_NEAR(force(&x, 0, 0), -1, 1e-12);
  CHECK_INT(count(&x, PAWL_LEFT), 3);
  CHECK(pawl_gauss_get(x.gauss, PAWL_LEFT).complete);
  CHECK(has_past(&x, 3.443) && has_past(&x, 0) && has_past(&x, -2.443));
  check_chain(&x);
  check_principles(&x);
  forget(&x);
  /* pushed beyond the bound: it can only have come from the other side */
  x = look_at(block, (pawl_override[]){{"F", "7"}}, 1);
  CHECK_INT(count(&x, PAWL_LEFT), 1);
  CHECK(has_past(&x, (7 + 5.886) / 2));
  CHECK_NEAR(accel(&x, PAWL_RIGHT, 0, 0), (7 - 5.886) / 2, 1e-12);
  forget(&x);
}

/* L.8 */
static void counts_of_pasts(void) {
  const char *const push[] = {"0", "0.5", "1", "2"};
  const int known[] = {3, 3, 2, 1};
  for (int k = 0; k < 4; k++) {
    instant x = look_at(block, (pawl_override[]){{"F", push[k]}, {"bound", "1"}, {"m", "1"}}, 3);
    CHECK_INT(count(&x, PAWL_RIGHT), 1);
    CHECK_INT(count(&x, PAWL_LEFT), known[k]);
    forget(&x);
  }
}

/* S2.3: a sliding mass just before and after it stops. */
static void sliding(void) {
  instant x = look_at(block, (pawl_override[]){{"F", "0"}, {"x'", "1"}}, 2);
  CHECK_NEAR(accel(&x, PAWL_RIGHT, 0, 0), -2.943, 1e-12);
  CHECK_INT(count(&x, PAWL_LEFT), 1);
  CHECK(has_past(&x, -2.943));
  forget(&x);
  x = look_at(block, (pawl_override[]){{"F", "0"}}, 1);
  CHECK_NEAR(accel(&x, PAWL_RIGHT, 0, 0), 0, 1e-12);
  CHECK(has_past(&x, -2.943));
  forget(&x);
}

/* A one-sided velocity at its bound: pressed, it came along or joined just now; pulled away, no
 * motion leads there (Kozlov's irreversibility). */
static void one_sided_velocity(void) {
  static const char text[] = "parameter F = -1\ncoordinates x\nkinetic T = 1/2*x'^2\nforce x: F\n"
                             "constraint ratchet: x' >= 0\nstart x = 0, x' = 0\n";
  instant x = look_at(text, NULL, 0);
  CHECK_NEAR(force(&x, 0, 0), 1, 1e-12);
  CHECK_INT(count(&x, PAWL_LEFT), 2);
  CHECK(has_past(&x, 0) && has_past(&x, -1));
  forget(&x);
  x = look_at(text, (pawl_override[]){{"F", "1"}}, 1);
  CHECK_NEAR(accel(&x, PAWL_RIGHT, 0, 0), 1, 1e-12);
  CHECK_INT(count(&x, PAWL_LEFT), 0);
  CHECK_INT(pawl_gauss_get(x.gauss, PAWL_LEFT).why, PAWL_GAUSS_NONE);
  CHECK(pawl_gauss_get(x.gauss, PAWL_LEFT).complete);
  forget(&x);
}

/* Viscous damping and linear nonholonomic constraints: unique. */
static void unique_pasts(void) {
  instant x = look_at("coordinates x, y, th\n"
                      "kinetic T = 1/2*(x'^2 + y'^2 + th'^2)\n"
                      "dissipation D = 1/2*x'^2\n"
                      "force y: 1\n"
                      "constraint blade: x'*sin(th) - y'*cos(th) = 0\n"
                      "start x = 0, y = 0, th = 0, x' = 1, y' = 0, th' = 2\n",
                      NULL, 0);
  CHECK_INT(count(&x, PAWL_LEFT), 1);
  for (int i = 0; i < 3; i++) {
    CHECK_NEAR(accel(&x, PAWL_LEFT, 0, i), accel(&x, PAWL_RIGHT, 0, i), 1e-12);
  }
  forget(&x);
}

/* Two blocks: pasts multiply. */
static void two_blocks(void) {
  instant x = look_at("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\nforce y: 2\n"
                      "friction r: slip x', bound 1\nfriction s: slip y', bound 3\n"
                      "start x = 0, y = 0, x' = 0, y' = 0\n",
                      NULL, 0);
  CHECK_INT(count(&x, PAWL_RIGHT), 1);
  CHECK_INT(count(&x, PAWL_LEFT), 9);
  forget(&x);
}

static void attempt(void *payload) {
  pawl_gauss *g = NULL;
  pawl_gauss_opts opts = {.past = 1, .variations = 2};
  pawl_status status = pawl_gauss_new(payload, &opts, NULL, &g);
  CHECK(status == PAWL_OK || status == PAWL_E_MEMORY);
  pawl_gauss_free(g);
}

static void memory_fails(void) {
  instant x = look_at(block, NULL, 0);
  CHECK(alloc_sweep(attempt, x.system) > 2);
  forget(&x);
}

CHECK_MAIN({"block at rest", block_at_rest}, {"counts of pasts", counts_of_pasts},
           {"sliding", sliding}, {"one-sided velocity", one_sided_velocity},
           {"unique pasts", unique_pasts}, {"two blocks", two_blocks},
           {"memory fails", memory_fails})
