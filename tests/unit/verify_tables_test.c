// SPDX-License-Identifier: MIT
/* Tables of other programs: what is right to a part in a million passes unless a tolerance is
 * given, what is wrong by a part in ten thousand does not; and how far coordinates that stand still
 * are varied. */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "verify/vary.h"
#include "verify_support.h"

static const char falls[] = "coordinates y\nkinetic T = 1/2*y'^2\npotential V = 10*y\n"
                            "start y = 1, y' = 3\nrun 0..1\n";

/* The verdict on the table of a fall with the acceleration 10 (1 + wrong). */
static pawl_verdict verdict(double wrong) {
  char path[] = "/tmp/pawl-table-XXXXXX";
  int file = mkstemp(path);
  FILE *f = file < 0 ? NULL : fdopen(file, "w");
  judged j = judged_open(falls);
  pawl_certifier *c = NULL;
  pawl_verdict out = PAWL_UNDECIDED;
  double g = 10 * (1 + wrong);
  if (!CHECK(f != NULL)) {
    exit(1);
  }
  fputs("t,y,y'\n", f);
  for (int k = 0; k <= 100; k++) {
    double t = 0.01 * k;
    fprintf(f, "%.17g,%.17g,%.17g\n", t, 1 + 3 * t - g * t * t / 2, 3 - g * t);
  }
  CHECK(fclose(f) == 0);
  if (CHECK(pawl_certify_file(j.system, path, NULL, NULL, &c) == PAWL_OK)) {
    out = pawl_certify_get(c).verdict;
  }
  pawl_certify_free(c);
  judged_close(&j);
  CHECK(unlink(path) == 0);
  return out;
}

static void a_tolerance_that_nobody_gave(void) {
  CHECK_INT(verdict(0), PAWL_STRONG);
  CHECK_INT(verdict(1e-6), PAWL_STRONG);
  CHECK_INT(verdict(1e-4), PAWL_NOT_A_MOTION);
}

/* Much less than what moves, much more than rounding. */
static void what_stands_still_is_varied(void) {
  judged j =
      judged_open("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\nstart x' = 1\nrun 0..1\n");
  pawl_vary *v = NULL;
  pw_family f = {0};
  if (CHECK(pawl_vary_new(j.system, 1e-9, &v) == PAWL_OK)) {
    CHECK(pw_family_add(&f, v, 0, 1, (double[]){1, 0}) == PAWL_OK);
    CHECK_NEAR(f.height[0], 1, 1e-15);
    CHECK(f.height[1] > 1e-4 && f.height[1] < 1e-2);
  }
  pw_family_free(&f);
  pawl_vary_free(v);
  judged_close(&j);
}

CHECK_MAIN({"a tolerance that nobody gave", a_tolerance_that_nobody_gave},
           {"what stands still is varied", what_stands_still_is_varied})
