// SPDX-License-Identifier: MIT
/* Noether's theorem, variations (V6): a field xi = b + A q with
 *   push.xi + p.(A u) = 0 and Phi.xi = 0 for every law
 * at all states keeps p.xi, where push is all that changes momenta but laws. The conditions are
 * linear in b and A; they are stated at states around the start, more than there are unknowns, and
 * solved by elimination with full pivoting. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "law/scale_verify.h"
#include "linalg/dense.h"
#include "mech/handle.h"
#include "pawl/variations.h"
#include "verify/probe.h"

enum { MOST_LINEAR = 6, MOST_SHIFTED = 40, EXTRA = 8 };

struct pawl_symmetries {
  const pawl_system *system;
  pw_probe probe;
  void *memory;
  double *body; /* nv */
  int n, unknown;
  int count;
  double *field; /* count x unknown: b, then A by rows */
  pw_buf *text;  /* count */
};

/* Between -1 and 1, the same for the same place. */
static double random_at(uint64_t k) {
  k = (k + 1) * 0x9e3779b97f4a7c15u;
  k = (k ^ (k >> 30)) * 0xbf58476d1ce4e5b9u;
  k = (k ^ (k >> 27)) * 0x94d049bb133111ebu;
  return (double)(int64_t)(k ^ (k >> 31)) / 9223372036854775808.0;
}

/* c.xi as numbers by the unknowns, and the extra p.(A u); scaled to length 1. */
static void state_condition(const pawl_symmetries *s, const double *c, const double *p,
                            const double *q, const double *u, double *row) {
  int n = s->n;
  for (int i = 0; i < n; i++) {
    row[i] = c[i];
    for (int j = 0; j < n && s->unknown > n; j++) {
      row[n + i * n + j] = c[i] * q[j] + (p == NULL ? 0 : p[i] * u[j]);
    }
  }
  double size = pw_norm2(row, s->unknown);
  for (int i = 0; i < s->unknown && size > 0; i++) {
    row[i] /= size;
  }
}

/* All conditions at one state; their number, 0 where the model has no numbers there. */
static int look(pawl_symmetries *s, double t, const double *q, const double *u, double *row) {
  const pw_system *sys = s->system->sys;
  int n = 0;
  if (!pw_probe_at(&s->probe, t, q, u)) {
    return 0;
  }
  const double *p = pw_probe_momenta(&s->probe);
  state_condition(s, p + s->n, p, q, u, row);
  n++;
  pw_probe_along(&s->probe);
  for (int i = 0; i < sys->nr; i++) {
    state_condition(s, pw_probe_covector(&s->probe, i), NULL, q, u,
                    row + (ptrdiff_t)n * s->unknown);
    n++;
  }
  return n;
}

/* Gauss and Jordan with full pivoting: rank, and which columns are pivots of which rows. */
static int eliminate(double *a, int rows, int n, int *pivot) {
  int rank = 0;
  double first = 0;
  for (; rank < n && rank < rows; rank++) {
    int at = rank, column = -1;
    double most = 0;
    for (int i = rank; i < rows; i++) {
      for (int j = 0; j < n; j++) {
        if (fabs(a[(ptrdiff_t)i * n + j]) > most) {
          most = fabs(a[(ptrdiff_t)i * n + j]);
          at = i;
          column = j;
        }
      }
    }
    first = rank == 0 ? most : first;
    if (!(most > PW_SCALE(CERT_SYMMETRY) * first)) {
      break;
    }
    for (int j = 0; j < n; j++) {
      double x = a[(ptrdiff_t)at * n + j];
      a[(ptrdiff_t)at * n + j] = a[(ptrdiff_t)rank * n + j];
      a[(ptrdiff_t)rank * n + j] = x;
    }
    double lead = a[(ptrdiff_t)rank * n + column];
    for (int j = 0; j < n; j++) {
      a[(ptrdiff_t)rank * n + j] /= lead;
    }
    for (int i = 0; i < rows; i++) {
      double factor = i == rank ? 0 : a[(ptrdiff_t)i * n + column];
      for (int j = 0; j < n && factor != 0; j++) {
        a[(ptrdiff_t)i * n + j] -= factor * a[(ptrdiff_t)rank * n + j];
      }
    }
    pivot[rank] = column;
  }
  return rank;
}

/* ---- in words ---- */

static void put_term(pw_buf *out, double x, const char *position, const char *momentum) {
  bool one = fabs(fabs(x) - 1) <= PW_SCALE(CERT_SYMMETRY);
  pw_buf_puts(out, out->len == 0 ? (x < 0 ? "-" : "") : x < 0 ? " - " : " + ");
  if (!one) {
    pw_buf_printf(out, "%.6g*", fabs(x));
  }
  pw_buf_printf(out, "%s%sp(%s)", position, position[0] == '\0' ? "" : "*", momentum);
}

static void name(const pawl_symmetries *s, const double *field, pw_buf *out) {
  int n = s->n;
  for (int i = 0; i < s->unknown; i++) {
    int to = i < n ? i : (i - n) / n, by = i < n ? -1 : (i - n) % n;
    if (field[i] != 0) {
      put_term(out, field[i], by < 0 ? "" : pawl_position_name(s->system, by),
               pawl_position_name(s->system, to));
    }
  }
}

/* One field for each column that is no pivot. */
static bool keep(pawl_symmetries *s, const double *a, int rank, const int *pivot) {
  int n = s->unknown;
  s->field = calloc((size_t)(n - rank) * (size_t)n + 1, sizeof *s->field);
  s->text = calloc((size_t)(n - rank) + 1, sizeof *s->text);
  bool fine = s->field != NULL && s->text != NULL;
  for (int j = 0; j < n && fine; j++) {
    bool used = false;
    for (int i = 0; i < rank; i++) {
      used = used || pivot[i] == j;
    }
    if (used) {
      continue;
    }
    double *field = s->field + (ptrdiff_t)s->count * n;
    field[j] = 1;
    for (int i = 0; i < rank; i++) {
      double x = -a[(ptrdiff_t)i * n + j];
      field[pivot[i]] = fabs(x) > PW_SCALE(CERT_SYMMETRY) ? x : 0;
    }
    name(s, field, &s->text[s->count]);
    fine = !s->text[s->count++].failed;
  }
  return fine;
}

static pawl_status solve(pawl_symmetries *s) {
  const pw_start *start = &s->system->start;
  const pw_system *sys = s->system->sys;
  int most = (2 * s->unknown + EXTRA) * (1 + sys->nr), rows = 0;
  double *a = calloc((size_t)most * (size_t)s->unknown + 1, sizeof *a);
  int *pivot = calloc((size_t)s->unknown + 1, sizeof *pivot);
  double *q = calloc(2 * (size_t)s->n + 1, sizeof *q), *u = q == NULL ? NULL : q + s->n;
  bool fine = a != NULL && pivot != NULL && q != NULL;
  for (int k = 0; k < 2 * s->unknown + EXTRA && fine; k++) {
    for (int i = 0; i < s->n; i++) {
      q[i] = start->q[i] + random_at((uint64_t)(2 * k * s->n + i));
      u[i] = start->u[i] + random_at((uint64_t)((2 * k + 1) * s->n + i));
    }
    rows +=
        look(s, start->t + random_at((uint64_t)k << 32), q, u, a + (ptrdiff_t)rows * s->unknown);
  }
  if (fine && rows > s->unknown) { /* the model has numbers at enough states */
    int rank = eliminate(a, rows, s->unknown, pivot);
    fine = keep(s, a, rank, pivot);
  }
  free(a);
  free(pivot);
  free(q);
  return fine ? PAWL_OK : PAWL_E_MEMORY;
}

pawl_status pawl_symmetries_new(const pawl_system *system, pawl_symmetries **out) {
  if (out != NULL) {
    *out = NULL;
  }
  if (system == NULL || system->sys == NULL || out == NULL || system->start.q == NULL) {
    return PAWL_E_ARGUMENT;
  }
  pawl_symmetries *s = calloc(1, sizeof *s);
  if (s == NULL) {
    return PAWL_E_MEMORY;
  }
  const pw_system *sys = system->sys;
  s->system = pw_system_keep(system);
  s->n = sys->nv;
  bool plain = sys->nq == sys->nv && sys->tick.n == 0; /* no rotations, no states, no signals */
  s->unknown = s->n <= MOST_LINEAR ? s->n + s->n * s->n : s->n;
  pw_layout counts = {0};
  pw_probe_lay(&s->probe, sys, &counts);
  s->memory = calloc(1, counts.size + 1);
  pawl_status status = s->memory == NULL ? PAWL_E_MEMORY : PAWL_OK;
  if (status == PAWL_OK && plain && s->n <= MOST_SHIFTED) {
    pw_layout l = pw_layout_in(s->memory);
    pw_probe_lay(&s->probe, sys, &l);
    status = solve(s);
  }
  if (status != PAWL_OK) {
    pawl_symmetries_free(s);
    return status;
  }
  *out = s;
  return PAWL_OK;
}

void pawl_symmetries_free(pawl_symmetries *s) {
  for (int i = 0; s != NULL && i < s->count; i++) {
    pw_buf_free(&s->text[i]);
  }
  if (s != NULL) {
    free(s->text);
    free(s->field);
    free(s->memory);
    pw_system_drop(s->system);
    free(s);
  }
}

int pawl_symmetries_count(const pawl_symmetries *s) {
  return s == NULL ? 0 : s->count;
}

const char *pawl_symmetry_text(const pawl_symmetries *s, int i) {
  return s == NULL || i < 0 || i >= s->count ? "" : s->text[i].text;
}

double pawl_symmetry_value(pawl_symmetries *s, int i, double t, const double *q, const double *u) {
  if (s == NULL || i < 0 || i >= s->count || q == NULL || u == NULL ||
      !pw_probe_at(&s->probe, t, q, u)) {
    return NAN;
  }
  const double *p = pw_probe_momenta(&s->probe), *field = s->field + (ptrdiff_t)i * s->unknown;
  double sum = 0;
  for (int k = 0; k < s->n; k++) {
    double xi = field[k];
    for (int j = 0; j < s->n && s->unknown > s->n; j++) {
      xi += field[s->n + k * s->n + j] * q[j];
    }
    sum += p[k] * xi;
  }
  return sum;
}
