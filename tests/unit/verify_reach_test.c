// SPDX-License-Identifier: MIT
/* The projection on sets of forces: against its optimality conditions and closed forms. */
#include "verify/reach.h"

#include <stdint.h>
#include <stdlib.h>

#include "check.h"

enum { N = 4, MOST = 8 };

enum { ROOM = 40000 };
static void *memory; /* of the last reach */

static double uniform(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) / 4503599627370496.0 - 1;
}

static pw_reach fresh(int n) {
  pw_reach r;
  free(memory);
  memory = calloc(1, ROOM);
  pw_layout l = pw_layout_in(memory);
  pw_reach_lay(&r, n, MOST, &l);
  CHECK(memory != NULL && l.size <= ROOM);
  pw_reach_begin(&r);
  return r;
}

static void fill(double *column, const double *x, int n) {
  for (int i = 0; i < n; i++) {
    column[i] = x[i];
  }
}

static void a_corner_pushes_only_outward(void) {
  pw_reach r = fresh(2);
  fill(pw_reach_add(&r, 0, INFINITY), (double[]){1, 0}, 2);
  fill(pw_reach_add(&r, 0, INFINITY), (double[]){0, 1}, 2);
  pw_reach_solve(&r, (double[]){3, -4});
  CHECK_NEAR(r.x[0], 3, 1e-14);
  CHECK_NEAR(r.x[1], 0, 0);
  CHECK_NEAR(r.distance, 4, 1e-14);
  pw_reach_solve(&r, (double[]){-3, -4});
  CHECK_NEAR(r.distance, 5, 1e-14);
}

static void boxes_end(void) {
  pw_reach r = fresh(1);
  fill(pw_reach_add(&r, -2, 3), (double[]){2}, 1);
  pw_reach_solve(&r, (double[]){5});
  CHECK_NEAR(r.x[0], 2.5, 1e-14);
  pw_reach_solve(&r, (double[]){10});
  CHECK_NEAR(r.x[0], 3, 0);
  CHECK_NEAR(r.distance, 4, 1e-14);
  pw_reach_solve(&r, (double[]){-10});
  CHECK_NEAR(r.distance, 6, 1e-14);
}

/* Optimality is measured apart from the method; dependent columns occur. */
static void random_sets(void) {
  for (uint64_t seed = 1; seed <= 500; seed++) {
    uint64_t state = seed;
    int k = 1 + (int)(seed % MOST);
    double c[N];
    pw_reach r = fresh(N);
    for (int j = 0; j < k; j++) {
      double lo = uniform(&state) < 0 ? 0 : uniform(&state) < 0 ? -INFINITY : -0.5;
      double *column = pw_reach_add(&r, lo, uniform(&state) < 0 ? INFINITY : 0.7);
      for (int i = 0; i < N; i++) {
        column[i] = seed % 5 == 0 && j > 0 && j % 2 ? column[i - N] : uniform(&state);
      }
    }
    for (int i = 0; i < N; i++) {
      c[i] = 3 * uniform(&state);
    }
    pw_reach_solve(&r, c);
    for (int j = 0; j < k; j++) {
      CHECK(r.x[j] >= r.lo[j] - 1e-12 && r.x[j] <= r.hi[j] + 1e-12);
    }
    CHECK(r.kkt <= 1e-10);
  }
}

/* A smaller set is never nearer: Glocker's chain of distances. */
static void smaller_sets_are_farther(void) {
  for (uint64_t seed = 1; seed <= 200; seed++) {
    uint64_t state = seed;
    double column[3][N], c[N], distance[3];
    for (int i = 0; i < N; i++) {
      c[i] = uniform(&state);
      for (int j = 0; j < 3; j++) {
        column[j][i] = uniform(&state);
      }
    }
    for (int level = 0; level < 3; level++) {
      pw_reach r = fresh(N);
      for (int j = 0; j < 3 - level; j++) {
        fill(pw_reach_add(&r, 0, INFINITY), column[j], N);
      }
      pw_reach_solve(&r, c);
      distance[level] = r.distance;
    }
    CHECK(distance[0] <= distance[1] + 1e-12 && distance[1] <= distance[2] + 1e-12);
  }
}

/* Sets that share no row are as far as all of them together. */
static void parts_add_up(void) {
  enum { PARTS = 5, COLUMNS = 3 };
  for (uint64_t seed = 1; seed <= 100; seed++) {
    uint64_t state = seed;
    double c[PARTS * N], sum = 0, x[PARTS * COLUMNS];
    pw_reach all;
    void *room = calloc(1, 10 * ROOM);
    pw_layout l = pw_layout_in(room);
    pw_reach_lay(&all, PARTS * N, PARTS * COLUMNS, &l);
    CHECK(room != NULL && l.size <= 10 * (size_t)ROOM);
    pw_reach_begin(&all);
    for (int p = 0; p < PARTS; p++) {
      pw_reach one = fresh(N);
      for (int j = 0; j < COLUMNS; j++) {
        double lo = uniform(&state) < 0 ? 0 : -INFINITY, hi = uniform(&state) < 0 ? INFINITY : 0.7;
        double *whole = pw_reach_add(&all, lo, hi), *own = pw_reach_add(&one, lo, hi);
        for (int i = 0; i < PARTS * N; i++) {
          whole[i] = 0;
        }
        for (int i = 0; i < N; i++) { /* rows of the parts lie between each other */
          whole[i * PARTS + p] = own[i] = uniform(&state);
        }
      }
      double part[N];
      for (int i = 0; i < N; i++) {
        part[i] = c[i * PARTS + p] = 3 * uniform(&state);
      }
      pw_reach_solve(&one, part);
      sum += one.distance * one.distance;
      fill(x + p * COLUMNS, one.x, COLUMNS);
    }
    pw_reach_solve(&all, c);
    CHECK_NEAR(all.distance, sqrt(sum), 1e-12 * sqrt(sum));
    CHECK(all.kkt <= 1e-12);
    for (int j = 0; j < PARTS * COLUMNS; j++) {
      CHECK_NEAR(all.x[j], x[j], 1e-9 * (1 + fabs(x[j])));
    }
    free(room);
  }
}

CHECK_MAIN({"a_corner_pushes_only_outward", a_corner_pushes_only_outward}, {"boxes_end", boxes_end},
           {"random_sets", random_sets}, {"smaller_sets_are_farther", smaller_sets_are_farther},
           {"parts_add_up", parts_add_up})
