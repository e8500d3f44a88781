// SPDX-License-Identifier: MIT
/* Least squares by the Gram matrix against those of the QR decomposition, on columns of chains and
 * trees. */
#include "linalg/gram.h"

#include <stdlib.h>

#include "base/real.h"
#include "check.h"
#include "linalg/dense.h"
#include "linalg/qr.h"
#include "linalg_random.h"

enum { LINKS = 40, ROWS = 2 * LINKS, AREA = ROWS * LINKS };

typedef struct problem {
  pw_gram g;
  void *memory;
  double A[AREA], size[LINKS];
} problem;

static void open_problem(problem *p) {
  pw_layout l = {0};
  pw_gram_lay(&p->g, ROWS, LINKS, &l);
  p->memory = calloc(1, l.size);
  l = pw_layout_in(p->memory);
  pw_gram_lay(&p->g, ROWS, LINKS, &l);
  CHECK(p->memory != NULL);
}

/* Column i couples two places of bead i with those of another, as the gradient of a link does. */
static void random_links(problem *p, bool tree, uint64_t *state) {
  memset(p->A, 0, sizeof p->A);
  for (int i = 0; i < LINKS; i++) {
    int other = tree ? (i - 1) / 2 : i - 1;
    double *col = p->A + i * ROWS, dx = random_real(state), dy = random_real(state);
    col[i] = dx;
    col[LINKS + i] = dy;
    if (i > 0) {
      col[other] = -dx;
      col[LINKS + other] = -dy;
    }
    p->size[i] = pw_norm2(col, ROWS);
  }
}

static double add_all(problem *p) {
  pw_gram_begin(&p->g, ROWS);
  for (int i = 0; i < LINKS; i++) {
    CHECK(pw_gram_add(&p->g, p->A + i * ROWS, p->size[i]));
  }
  return pw_gram_factor(&p->g);
}

static void by_qr(const problem *p, const double *c, double *x) {
  double *doubles = calloc(pw_qr_doubles(ROWS, LINKS), sizeof *doubles);
  int *ints = calloc(pw_qr_ints(ROWS, LINKS), sizeof *ints);
  pw_qr f;
  pw_qr_init(&f, ROWS, LINKS, doubles, ints);
  for (int k = 0; k < AREA; k++) {
    f.A[k] = p->A[k] / p->size[k / ROWS];
  }
  CHECK_INT(pw_qr_decompose(&f, 1e-12), LINKS);
  pw_qr_least_squares(&f, c, x);
  free(doubles);
  free(ints);
}

static void agrees_with_qr(void) {
  static problem p;
  open_problem(&p);
  for (uint64_t seed = 1; seed <= 60; seed++) {
    uint64_t state = seed;
    double c[ROWS], x[LINKS], z[LINKS];
    random_links(&p, seed % 2 == 0, &state);
    random_fill(c, ROWS, &state);
    double least = add_all(&p);
    CHECK_SEED(least > 0 && least <= 1, seed);
    pw_gram_least_squares(&p.g, c, x);
    by_qr(&p, c, z);
    for (int i = 0; i < LINKS; i++) {
      CHECK_SEED(fabs(x[i] - z[i]) <= 1e-12 * (1 + pw_norm_inf(z, LINKS)), seed);
    }
  }
  free(p.memory);
}

/* A link that is there twice leaves nothing. */
static void dependence_is_noticed(void) {
  static problem p;
  uint64_t state = 7;
  open_problem(&p);
  random_links(&p, false, &state);
  memcpy(p.A + 20 * ROWS, p.A + 5 * ROWS, ROWS * sizeof *p.A);
  p.size[20] = p.size[5];
  CHECK(add_all(&p) < 1e-7);
  p.A[20 * ROWS] = NAN;
  CHECK(add_all(&p) == 0);
  free(p.memory);
}

static void many_entries_are_refused(void) {
  static problem p;
  uint64_t state = 3;
  bool fits = true;
  open_problem(&p);
  random_fill(p.A, AREA, &state);
  pw_gram_begin(&p.g, ROWS);
  for (int i = 0; i < LINKS; i++) {
    fits = fits && pw_gram_add(&p.g, p.A + i * ROWS, 1);
  }
  CHECK(!fits);
  free(p.memory);
}

CHECK_MAIN({"agrees_with_qr", agrees_with_qr}, {"dependence_is_noticed", dependence_is_noticed},
           {"many_entries_are_refused", many_entries_are_refused})
