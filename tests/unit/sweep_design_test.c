// SPDX-License-Identifier: MIT
/* The values of members: order of factors, grids, and how evenly samples are spread. */
#include <stdlib.h>

#include "check.h"
#include "sweep/design.h"

static pw_design design_of(const char *const *vary, int n, pawl_sweep_opts opts) {
  pw_design d;
  opts.vary = vary;
  opts.n_vary = n;
  CHECK_INT(pw_design_read(&d, &opts, NULL, NULL), PAWL_OK);
  return d;
}

static void last_name_runs_fastest(void) {
  static const char *const vary[] = {"a=1:2:2", "b=5,7,6", "c=3*pi"};
  pw_design d = design_of(vary, 3, (pawl_sweep_opts){0});
  static const double wanted[6][2] = {{1, 5}, {1, 7}, {1, 6}, {2, 5}, {2, 7}, {2, 6}};
  CHECK_INT(d.members, 6);
  CHECK_INT(d.chain, 1);
  for (int i = 0; i < 6; i++) {
    double v[3];
    pw_design_values(&d, i, v);
    CHECK(v[0] == wanted[i][0] && v[1] == wanted[i][1]);
    CHECK_NEAR(v[2], 3 * 3.14159265358979323846, 1e-14);
  }
  pw_design_free(&d);
}

static void chains_run_along_the_first(void) {
  static const char *const vary[] = {"a=1:3:3", "b=5,7"};
  pw_design d = design_of(vary, 2, (pawl_sweep_opts){.follow = 1});
  static const double wanted[6][2] = {{1, 5}, {2, 5}, {3, 5}, {1, 7}, {2, 7}, {3, 7}};
  CHECK_INT(d.chain, 3);
  for (int i = 0; i < 6; i++) {
    double v[2];
    pw_design_values(&d, i, v);
    CHECK(v[0] == wanted[i][0] && v[1] == wanted[i][1]);
  }
  pw_design_free(&d);
}

/* Up and down visit the same numbers, and both ends are exact. */
static void grids_are_symmetric(void) {
  static const char *const up[] = {"a=0.1:0.7:1001"}, *const down[] = {"a=0.7:0.1:1001"};
  pw_design u = design_of(up, 1, (pawl_sweep_opts){0}),
            w = design_of(down, 1, (pawl_sweep_opts){0});
  for (long i = 0; i <= 1000; i++) {
    double a, b;
    pw_design_values(&u, i, &a);
    pw_design_values(&w, 1000 - i, &b);
    CHECK(a == b);
    CHECK_NEAR(a, 0.1 + 0.6 * (double)i / 1000, 2e-16);
    CHECK((i > 0 || a == 0.1) && (i < 1000 || a == 0.7));
  }
  pw_design_free(&u);
  pw_design_free(&w);
}

static void samples_are_one_factor(void) {
  static const char *const vary[] = {"a=1,2", "x~0:1", "b=8,9", "y~-3:-1"};
  pw_design d = design_of(vary, 4, (pawl_sweep_opts){.samples = 5, .seed = 4});
  CHECK_INT(d.members, 20);
  for (long m = 0; m < 20; m++) {
    double v[4];
    long sample = m / 2 % 5;
    pw_design_values(&d, m, v);
    CHECK(v[0] == (double)(1 + m / 10) && v[2] == (double)(8 + m % 2));
    CHECK(v[1] == pw_sobol((uint32_t)sample, 0, 4));
    CHECK(v[3] == -3 + 2 * pw_sobol((uint32_t)sample, 1, 4));
  }
  pw_design_free(&d);
}

/* Among the first 2^k points each interval of length 2^-k holds one, in every coordinate and for
 * every scrambling. */
static void sobol_fills_each_coordinate(void) {
  enum { N = 1 << 10 };
  for (uint64_t seed = 0; seed < 3; seed++) {
    for (int d = 0; d < PW_SOBOL_MOST; d++) {
      unsigned char seen[N] = {0};
      for (uint32_t i = 0; i < N; i++) {
        double x = pw_sobol(i, d, seed);
        if (CHECK(x >= 0 && x < 1)) {
          CHECK_INT(seen[(int)(x * N)]++, 0);
        }
      }
    }
  }
}

/* (t, k, 2)-net with t = 5 in any plane, k = 10: each rectangle 2^-a by 2^-b, a + b = k - t, holds
 * 2^t points. */
static void sobol_fills_each_plane(void) {
  enum { K = 10, T = 5, N = 1 << K };
  for (int p = 0; p < PW_SOBOL_MOST; p++) {
    for (int q = 0; q < p; q++) {
      double x[N], y[N];
      for (uint32_t i = 0; i < N; i++) {
        x[i] = pw_sobol(i, p, 7);
        y[i] = pw_sobol(i, q, 7);
      }
      for (int a = 0; a <= K - T; a++) {
        int count[1 << (K - T)] = {0}, b = K - T - a;
        for (int i = 0; i < N; i++) {
          count[((int)(x[i] * (1 << a)) << b) + (int)(y[i] * (1 << b))]++;
        }
        for (int c = 0; c < 1 << (K - T); c++) {
          CHECK_INT(count[c], 1 << T);
        }
      }
    }
  }
}

/* The integral of the product of 1 + (x_i - 1/2) over the cube is 1. */
static double integral(pawl_design kind, int dims, long n, uint64_t seed) {
  double sum = 0;
  for (long i = 0; i < n; i++) {
    double product = 1;
    for (int d = 0; d < dims; d++) {
      product *= 0.5 + (kind == PAWL_DESIGN_SOBOL ? pw_sobol((uint32_t)i, d, seed)
                                                  : pw_random((uint64_t)i, d, seed));
    }
    sum += product;
  }
  return sum / (double)n;
}

static void sobol_integrates_better(void) {
  double sobol = 0, random = 0;
  for (uint64_t seed = 0; seed < 20; seed++) {
    sobol += pow(integral(PAWL_DESIGN_SOBOL, 6, 4096, seed) - 1, 2) / 20;
    random += pow(integral(PAWL_DESIGN_RANDOM, 6, 4096, seed) - 1, 2) / 20;
  }
  /* variance of one random sample: (1 + 1/12)^6 - 1 */
  double one = pow(13.0 / 12, 6) - 1;
  CHECK(random < 4 * one / 4096 && random > one / 4096 / 4);
  CHECK(sobol < random / 100);
}

static void seeds_differ(void) {
  int same = 0;
  for (uint32_t i = 0; i < 100; i++) {
    same += pw_sobol(i, 2, 1) == pw_sobol(i, 2, 2);
    same += pw_random(i, 2, 1) == pw_random(i, 2, 2);
    same += pw_random(i, 0, 1) == pw_random(i, 1, 1);
  }
  CHECK_INT(same, 0);
}

static void wrong_designs(void) {
  static const char *const words[] = {
      "a",         "a=",        "=1",     "a=1:2",     "a=1:2:0",    "a=1:2:-3",
      "a=1:2:2.5", "a=1:2:3:4", "a=nan",  "a=1:inf:2", "a~1",        "a~1:2:3",
      "a~",        "a=::5",     "a=1,,2", "a=x",       "a=1:2:1e12", "a=-1e308:1e308:3"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    pw_design d;
    pawl_sweep_opts opts = {.vary = &words[i], .n_vary = 1};
    if (!CHECK_INT(pw_design_read(&d, &opts, NULL, NULL), PAWL_E_ARGUMENT)) {
      printf("  %s\n", words[i]);
    }
    pw_design_free(&d);
  }
}

CHECK_MAIN({"last_name_runs_fastest", last_name_runs_fastest},
           {"chains_run_along_the_first", chains_run_along_the_first},
           {"grids_are_symmetric", grids_are_symmetric},
           {"samples_are_one_factor", samples_are_one_factor},
           {"sobol_fills_each_coordinate", sobol_fills_each_coordinate},
           {"sobol_fills_each_plane", sobol_fills_each_plane},
           {"sobol_integrates_better", sobol_integrates_better}, {"seeds_differ", seeds_differ},
           {"wrong_designs", wrong_designs})
