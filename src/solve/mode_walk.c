// SPDX-License-Identifier: MIT
#include "solve/mode_walk.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/real.h"
#include "base/strip.h"
#include "law/scale_mech.h"
#include "law/scale_solve.h"
#include "linalg/dense.h"
#include "linalg/lu.h"
#include "linalg/qr.h"
#include "solve/mode_proof.h"

enum { TOGETHER = 6, TURNS = 4 }; /* walks in which all change; then turns per row */

/* As in solve/mode_tree.c: at the lower bound (open, slides up), inside (closed, sticks), at the
 * upper bound (slides down). */
typedef enum mode { AT_LO, INSIDE, AT_HI } mode;

typedef struct state {
  const pw_stick_rows *p;
  int k;
  double *D;     /* k x k: rates by forces */
  int *mode;     /* k */
  int *inside;   /* rows of the linear system */
  int count;     /* of these */
  double *x, *y; /* k: forces, rates */
  double *S, *r; /* count x count, count: the system */
  int *pivot;
  double *qr_real; /* of a system whose rows depend on each other */
  int *qr_whole;
} state;

static void lay_out(state *s, int k, pw_strip *to) {
  size_t m = (size_t)k;
  s->D = pw_strip_real(to, m * m);
  s->x = pw_strip_real(to, m);
  s->y = pw_strip_real(to, m);
  s->S = pw_strip_real(to, m * m);
  s->r = pw_strip_real(to, m);
  s->qr_real = pw_strip_real(to, pw_qr_doubles(k, k));
  s->mode = pw_strip_whole(to, m);
  s->inside = pw_strip_whole(to, m);
  s->pivot = pw_strip_whole(to, m);
  s->qr_whole = pw_strip_whole(to, pw_qr_ints(k, k));
}

size_t pw_mode_walk_doubles(int k) {
  state s;
  pw_strip to = {0};
  lay_out(&s, k, &to);
  return to.n_real;
}

size_t pw_mode_walk_ints(int k) {
  state s;
  pw_strip to = {0};
  lay_out(&s, k, &to);
  return to.n_whole;
}

static const double *column(const state *s, int j) {
  return s->D + (size_t)j * (size_t)s->k;
}

/* Most columns share few coordinates. */
static void begin(state *s) {
  const pw_stick_rows *p = s->p;
  for (int j = 0; j < s->k; j++) {
    for (int i = 0; i < s->k; i++) {
      s->D[(size_t)j * (size_t)s->k + (size_t)i] =
          pw_dot(p->A + (size_t)i * (size_t)p->n, p->B + (size_t)j * (size_t)p->n, p->n);
    }
    bool fixed = p->lo[j] == p->hi[j];
    s->mode[j] = p->normal[j] >= 0 ? (p->z[j] > 0   ? AT_LO
                                      : p->z[j] < 0 ? AT_HI
                                                    : INSIDE)
                 : fixed           ? AT_LO
                 : isinf(p->lo[j]) ? (isinf(p->hi[j]) || p->z[j] >= 0 ? INSIDE : AT_HI)
                 : p->z[j] > 0     ? AT_LO
                                   : INSIDE;
  }
}

/* ---- forces of the modes ---- */

/* Forces of rows at their bounds; of slips, those that belong to normal forces which are known. */
static void bound_forces(state *s) {
  const pw_stick_rows *p = s->p;
  for (int i = 0; i < s->k; i++) {
    s->x[i] = p->normal[i] >= 0 || s->mode[i] == INSIDE ? 0
              : s->mode[i] == AT_LO                     ? p->lo[i]
                                                        : p->hi[i];
  }
  for (int i = 0; i < s->k; i++) {
    int n = p->normal[i];
    if (n >= 0 && s->mode[i] != INSIDE) {
      s->x[i] = (s->mode[i] == AT_LO ? -p->mu[i] : p->mu[i]) * s->x[n];
    }
  }
}

/* A slip that sticks on a contact which carries nothing has no force. */
static bool takes_part(const state *s, int i) {
  int n = s->p->normal[i];
  return s->mode[i] == INSIDE && (n < 0 || s->mode[n] == INSIDE || s->x[n] > 0);
}

/* contacts (K1). */
static void assemble(state *s) {
  const pw_stick_rows *p = s->p;
  s->count = 0;
  for (int i = 0; i < s->k; i++) {
    if (takes_part(s, i)) {
      s->pivot[i] = s->count;
      s->inside[s->count++] = i;
    }
  }
  for (int r = 0; r < s->count; r++) {
    int i = s->inside[r];
    s->r[r] = -p->z[i];
    for (int j = 0; j < s->k; j++) {
      s->r[r] -= s->x[j] != 0 ? column(s, j)[i] * s->x[j] : 0;
    }
    for (int c = 0; c < s->count; c++) {
      s->S[(size_t)c * (size_t)s->count + (size_t)r] = column(s, s->inside[c])[i];
    }
  }
  for (int j = 0; j < s->k; j++) { /* slips that slide tilt the columns of their contacts */
    int n = p->normal[j];
    if (n < 0 || s->mode[j] == INSIDE || s->mode[n] != INSIDE) {
      continue;
    }
    double part = s->mode[j] == AT_LO ? -p->mu[j] : p->mu[j];
    double *to = s->S + (size_t)s->pivot[n] * (size_t)s->count;
    for (int r = 0; r < s->count; r++) {
      to[r] += part * column(s, j)[s->inside[r]];
    }
  }
}

/* The least forces of rows that depend on each other. */
static bool solve_dependent(state *s) {
  pw_qr f;
  pw_qr_init(&f, s->count, s->count, s->qr_real, s->qr_whole);
  memcpy(f.A, s->S, (size_t)s->count * (size_t)s->count * sizeof *f.A);
  pw_qr_decompose(&f, PW_SCALE(RANK_DROP));
  pw_qr_least_squares(&f, s->r, s->y);
  memcpy(s->r, s->y, (size_t)s->count * sizeof *s->r);
  return f.rank >= 0;
}

static bool solve(state *s) {
  size_t bytes = (size_t)s->count * (size_t)s->count * sizeof *s->S;
  memcpy(s->qr_real, s->S, bytes); /* LU factor */
  if (pw_lu(s->qr_real, s->count, s->pivot) == 0) {
    pw_lu_solve(s->qr_real, s->count, s->pivot, s->r);
  } else if (!solve_dependent(s)) {
    return false;
  }
  for (int r = 0; r < s->count; r++) {
    s->x[s->inside[r]] = s->r[r];
  }
  for (int j = 0; j < s->k; j++) {
    int n = s->p->normal[j];
    if (n >= 0 && s->mode[j] != INSIDE && s->mode[n] == INSIDE) {
      s->x[j] = (s->mode[j] == AT_LO ? -s->p->mu[j] : s->p->mu[j]) * s->x[n];
    }
  }
  memcpy(s->y, s->p->z, (size_t)s->k * sizeof *s->y);
  for (int j = 0; j < s->k; j++) {
    if (s->x[j] != 0) {
      pw_axpy(s->x[j], column(s, j), s->y, s->k);
    }
  }
  return pw_all_finite(s->x, s->k);
}

/* ---- the next modes ---- */

/* By how much row i breaks its law, and the mode it should have. */
static double violation(const state *s, int i, mode *next) {
  int n = s->p->normal[i];
  double lo = s->p->lo[i], hi = s->p->hi[i], x = s->x[i], y = s->y[i];
  if (n >= 0) {
    hi = s->x[n] > 0 ? s->p->mu[i] * s->x[n] : 0;
    lo = -hi;
  }
  *next = (mode)s->mode[i];
  if (lo == hi) {
    *next = n >= 0 && s->mode[n] == AT_LO ? (y > 0 ? AT_LO : y < 0 ? AT_HI : INSIDE) : *next;
    return 0;
  }
  switch (s->mode[i]) {
  case AT_LO: *next = y < 0 ? INSIDE : AT_LO; return y < 0 ? -y : 0;
  case AT_HI: *next = y > 0 ? INSIDE : AT_HI; return y > 0 ? y : 0;
  default: *next = x < lo ? AT_LO : x > hi ? AT_HI : INSIDE; return pw_max(lo - x, x - hi);
  }
}

/* True if some row changes. all: every one that breaks its law, else the one that does most. */
static bool change(state *s, bool all, double tol) {
  int worst = -1;
  double most = tol;
  mode best = INSIDE;
  for (int i = 0; i < s->k; i++) {
    mode next;
    double v = violation(s, i, &next);
    if (v > most) {
      most = v;
      worst = i;
      best = next;
    }
    s->pivot[i] = v > tol || v == 0 ? (int)next : s->mode[i];
  }
  for (int i = 0; i < s->k && all; i++) {
    s->mode[i] = s->pivot[i];
  }
  if (worst >= 0) {
    s->mode[worst] = best;
  }
  return worst >= 0;
}

/* What rounding has left outside the bounds. */
static void into_bounds(const state *s, double *x) {
  for (int i = 0; i < s->k; i++) {
    double lo = s->p->lo[i], hi = s->p->hi[i];
    x[i] = s->p->normal[i] >= 0 ? s->x[i] : s->x[i] < lo ? lo : s->x[i] > hi ? hi : s->x[i];
  }
  for (int i = 0; i < s->k; i++) {
    int n = s->p->normal[i];
    double most = n >= 0 ? s->p->mu[i] * x[n] : INFINITY;
    x[i] = x[i] > most ? most : x[i] < -most ? -most : x[i];
  }
}

pw_outcome pw_mode_walk(const pw_stick_rows *p, double *x, double *real, int *whole) {
  state s = {.p = p, .k = p->k};
  lay_out(&s, p->k, &(pw_strip){.real = real, .whole = whole});
  begin(&s);
  double size = pw_norm_inf(p->z, p->k);
  for (int turn = 0; turn < TOGETHER + TURNS * p->k; turn++) {
    bound_forces(&s);
    assemble(&s);
    if (!solve(&s)) {
      return PW_MAX_ITER;
    }
    double tol = PW_SCALE(ITERATED) * pw_max(size, pw_norm_inf(s.x, p->k));
    if (!change(&s, turn < TOGETHER, tol)) {
      into_bounds(&s, x);
      return pw_stick_residual(p, x) <= PW_SCALE(LCP_SOLVED) ? PW_SOLVED : PW_MAX_ITER;
    }
  }
  return PW_MAX_ITER;
}
