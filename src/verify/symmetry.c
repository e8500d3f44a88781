// SPDX-License-Identifier: MIT
/* Noether's theorem, variations (V7): a field xi with
 *   push.xi + p.eta = 0 and Phi.xi = 0 for every law
 * at all states keeps p.xi, where push is all that changes momenta but laws. Fields are sums of
 *   shifts       xi = e_i,          eta = 0,
 *   linear ones  xi = e_i q_j,      eta = e_i q_j',
 *   turns of a rotation about axes of space, xi = R^T e, eta = 0, and of the body, xi = e,
 *                eta = W x e, with p.eta what p x W does.
 * The conditions are linear in the coefficients. They are stated at states around the start, more
 * than there are unknowns; a basis of the rows is kept orthonormal, so that what adds nothing new
 * costs little, and what is left is solved by elimination with full pivoting. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/real.h"
#include "law/scale_verify.h"
#include "linalg/dense.h"
#include "mech/handle.h"
#include "pawl/variations.h"
#include "verify/probe.h"
#include "verify/symmetry.h"

enum { MOST_LINEAR = 6, MOST_SHIFTED = 40, EXTRA = 8, NARROWER = 6 };

typedef enum shape { SHIFT, LINEAR, SPACE, BODY } shape;

typedef struct field {
  shape shape;
  int u;  /* velocity along which, or the first of a rotation */
  int q;  /* position that it grows with, or the first of a rotation */
  int by; /* LINEAR: velocity of that position; SPACE and BODY: axis, 0 to 2 */
} field;

struct pawl_symmetries {
  const pawl_system *system;
  pw_probe probe;
  pw_mech *mech; /* while they are sought */
  void *memory;
  int nq, nv, unknown;
  field *field;  /* unknown */
  double *body;  /* nv: velocities, those of rotations in the body */
  double *basis; /* rank x unknown, orthonormal */
  double *row;   /* unknown */
  int rank, count;
  double *found; /* count x unknown: coefficients of the fields */
  pw_buf *text;  /* count */
};

/* Between -1 and 1, the same for the same place. */
static double random_at(uint64_t k) {
  k = (k + 1) * 0x9e3779b97f4a7c15u;
  k = (k ^ (k >> 30)) * 0xbf58476d1ce4e5b9u;
  k = (k ^ (k >> 27)) * 0x94d049bb133111ebu;
  return (double)(int64_t)(k ^ (k >> 31)) / 9223372036854775808.0;
}

/* ---- fields ---- */

/* R^T e: an axis of space as the body sees it. */
static void axis_in_body(const double *q, int axis, double *out) {
  double e[3] = {axis == 0, axis == 1, axis == 2};
  pw_mech_into_body(q, e, out);
}

/* c.xi for the covector c (nv). */
static double along(const field *f, const double *c, const double *q) {
  double e[3];
  switch (f->shape) {
  case SHIFT: return c[f->u];
  case LINEAR: return c[f->u] * q[f->q];
  case BODY: return c[f->u + f->by];
  case SPACE: break;
  }
  axis_in_body(q + f->q, f->by, e);
  return pw_dot(c + f->u, e, 3);
}

/* p.eta */
static double turned(const field *f, const double *p, const double *u) {
  if (f->shape == LINEAR) {
    return p[f->u] * u[f->by];
  }
  if (f->shape != BODY) {
    return 0;
  }
  const double *w = u + f->u, *m = p + f->u;
  int i = (f->by + 1) % 3, j = (f->by + 2) % 3; /* (W x e_k).p = (p x W)_k */
  return m[i] * w[j] - m[j] * w[i];
}

static void list_fields(pawl_symmetries *s) {
  const pw_model *m = s->system->sys->model;
  for (int k = 0; k < m->coords.n; k++) {
    const pw_coord *x = &m->coords.items[k];
    for (int axis = 0; x->is_rotation && axis < 3; axis++) {
      s->field[s->unknown++] = (field){BODY, x->u, x->q, axis};
      s->field[s->unknown++] = (field){SPACE, x->u, x->q, axis};
    }
    if (!x->is_rotation) {
      s->field[s->unknown++] = (field){SHIFT, x->u, x->q, 0};
    }
  }
  for (int k = 0; k < m->coords.n && m->coords.n <= MOST_LINEAR; k++) {
    for (int j = 0; j < m->coords.n; j++) {
      const pw_coord *x = &m->coords.items[k], *y = &m->coords.items[j];
      if (!x->is_rotation && !y->is_rotation) {
        s->field[s->unknown++] = (field){LINEAR, x->u, y->q, y->u};
      }
    }
  }
}

/* ---- conditions ---- */

/* Keeps what the condition adds to the basis. Rows have length 1. */
static void state(pawl_symmetries *s, const double *c, const double *p, const double *q,
                  const double *u) {
  int n = s->unknown;
  for (int k = 0; k < n; k++) {
    s->row[k] = along(&s->field[k], c, q) + (p == NULL ? 0 : turned(&s->field[k], p, u));
  }
  double size = pw_norm2(s->row, n);
  if (!(size > 0) || s->rank == n) {
    return;
  }
  for (int k = 0; k < n; k++) {
    s->row[k] /= size;
  }
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < s->rank; i++) {
      const double *b = s->basis + (ptrdiff_t)i * n;
      pw_axpy(-pw_dot(b, s->row, n), b, s->row, n);
    }
  }
  double left = pw_norm2(s->row, n);
  if (left > PW_SCALE(CERT_SYMMETRY)) {
    double *b = s->basis + (ptrdiff_t)s->rank++ * n;
    for (int k = 0; k < n; k++) {
      b[k] = s->row[k] / left;
    }
  }
}

/* All conditions at one state; false where the model has no numbers there. */
static bool look(pawl_symmetries *s, double t, const double *q, const double *u) {
  if (!pw_probe_at(&s->probe, t, q, u)) {
    return false;
  }
  const double *p = pw_probe_momenta(&s->probe);
  state(s, p + s->nv, p, q, u);
  pw_probe_along(&s->probe);
  for (int i = 0; i < s->system->sys->nr && s->rank < s->unknown; i++) {
    state(s, pw_probe_covector(&s->probe, i), NULL, q, u);
  }
  return true;
}

static void draw(const pawl_symmetries *s, int k, double width, double *q, double *u) {
  const pw_start *start = &s->system->start;
  const pw_model *m = s->system->sys->model;
  uint64_t at = (uint64_t)k * (uint64_t)(s->nq + s->nv);
  for (int i = 0; i < s->nq; i++) {
    q[i] = start->q[i] + width * random_at(at++);
  }
  for (int i = 0; i < s->nv; i++) {
    u[i] = start->u[i] + random_at(at++);
  }
  for (int c = 0; c < m->coords.n; c++) {
    double *r = q + m->coords.items[c].q, size = 0;
    if (m->coords.items[c].is_rotation) {
      size = pw_norm2(r, 4);
      for (int i = 0; i < 4 && size > 0; i++) {
        r[i] /= size;
      }
    }
  }
}

/* Onto the equalities: conditions need to hold there only. False: not reached. */
static bool settle(pawl_symmetries *s, double t, double *q, double *u) {
  const double *side = s->probe.side;
  if (!pw_probe_at(&s->probe, t, q, u)) {
    return false;
  }
  for (int pass = 0; pass < 2 && s->system->sys->nc > 0;
       pass++) { /* the metric is that of the last */
    if (pw_mech_rates(s->mech, t, q, u, side) != PAWL_OK ||
        pw_mech_project_q(s->mech, t, q, side, 0, s->body) != PAWL_OK ||
        pw_mech_rates(s->mech, t, q, u, side) != PAWL_OK ||
        pw_mech_project_u(s->mech, t, q, u, side, 0, s->body) != PAWL_OK) {
      return false;
    }
  }
  return pw_all_finite(q, s->nq) && pw_all_finite(u, s->nv);
}

/* Gauss and Jordan with full pivoting: rank, and which columns are pivots of which rows. */
static int eliminate(double *a, int rows, int n, int *pivot) {
  int rank = 0;
  for (; rank < n && rank < rows; rank++) {
    int at = rank, column = -1;
    double most = 0;

    /* The largest element of what is left. */
    for (int i = rank; i < rows; i++) {
      for (int j = 0; j < n; j++) {
        if (fabs(a[(ptrdiff_t)i * n + j]) > most) {
          most = fabs(a[(ptrdiff_t)i * n + j]);
          at = i;
          column = j;
        }
      }
    }

    /* Nothing above rounding: the rank is found. */
    if (!(most > PW_SCALE(CERT_SYMMETRY))) {
      break;
    }

    /* Its row comes up and is divided by it; the column is cleared in all other rows. */
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

static void put_term(const pawl_symmetries *s, pw_buf *out, double x, const field *f) {
  bool one = fabs(fabs(x) - 1) <= PW_SCALE(CERT_SYMMETRY);
  pw_buf_puts(out, out->len == 0 ? (x < 0 ? "-" : "") : x < 0 ? " - " : " + ");
  if (!one) {
    pw_buf_printf(out, "%.6g*", fabs(x));
  }
  if (f->shape == LINEAR) {
    pw_buf_printf(out, "%s*", pawl_position_name(s->system, f->q));
  }
  const char *name = pawl_velocity_name(s->system, f->u); /* "x'", or "R.w[1]" */
  int turns = f->shape == SPACE || f->shape == BODY, len = (int)strlen(name);
  if (turns) {
    pw_buf_printf(out, "p(%.*s%c[%d])", len > 4 ? len - 4 : 0, name, f->shape == BODY ? 'W' : 'w',
                  f->by + 1);
  } else {
    pw_buf_printf(out, "p(%.*s)", len - 1, name);
  }
}

/* The last term is positive, and positive ones come first: x*p(y) - y*p(x). */
static void name(const pawl_symmetries *s, double *found, pw_buf *out) {
  double last = 0;
  for (int i = 0; i < s->unknown; i++) {
    last = found[i] != 0 ? found[i] : last;
  }
  for (int i = 0; i < s->unknown && last < 0; i++) {
    found[i] = found[i] == 0 ? 0 : -found[i];
  }
  for (int sign = 1; sign >= -1; sign -= 2) {
    for (int i = 0; i < s->unknown; i++) {
      if (sign * found[i] > 0) {
        put_term(s, out, found[i], &s->field[i]);
      }
    }
  }
}

/* One field for each column that is no pivot. */
static bool keep(pawl_symmetries *s, const double *a, int rank, const int *pivot) {
  int n = s->unknown;
  s->found = calloc((size_t)(n - rank) * (size_t)n + 1, sizeof *s->found);
  s->text = calloc((size_t)(n - rank) + 1, sizeof *s->text);
  bool fine = s->found != NULL && s->text != NULL;
  for (int j = 0; j < n && fine; j++) {
    bool used = false;
    for (int i = 0; i < rank; i++) {
      used = used || pivot[i] == j;
    }
    if (used) {
      continue;
    }
    double *found = s->found + (ptrdiff_t)s->count * n;
    found[j] = 1;
    for (int i = 0; i < rank; i++) {
      double x = -a[(ptrdiff_t)i * n + j];
      found[pivot[i]] = fabs(x) > PW_SCALE(CERT_SYMMETRY) ? x : 0;
    }
    name(s, found, &s->text[s->count]);
    fine = !s->text[s->count++].failed;
  }
  return fine;
}

/* State number k, on the equalities; nearer to the start where these are out of reach. */
static bool draw_settled(pawl_symmetries *s, int k, double *t, double *q) {
  *t = s->system->start.t + random_at((uint64_t)k << 32);
  double width = 1;
  for (int i = 0; i < NARROWER; i++, width /= 2) {
    draw(s, k, width, q, q + s->nq);
    if (settle(s, *t, q, q + s->nq)) {
      return true;
    }
  }
  return false;
}

/* What of the values at the states (count each) is not a sum of those before: none for quantities
 * that the equalities make zero, or the same as others. */
static double independent(double *value, int k, int n) {
  double *v = value + (ptrdiff_t)k * n, size = pw_norm2(v, n);
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < k; i++) {
      const double *w = value + (ptrdiff_t)i * n;
      pw_axpy(-pw_dot(v, w, n), w, v, n);
    }
  }
  double left = pw_norm2(v, n);
  for (int i = 0; i < n; i++) {
    v[i] = left > 0 ? v[i] / left : 0;
  }
  return left > PW_SCALE(CERT_SYMMETRY) * fmax(size, 1) ? left : 0;
}

static bool prune(pawl_symmetries *s, double *q) {
  int n = s->count + EXTRA, seen = 0, kept = 0;
  double *value = calloc((size_t)s->count * (size_t)n + 1, sizeof *value), t;
  for (int k = 0; value != NULL && k < 2 * n && seen < n; k++) {
    if (draw_settled(s, 2 * s->unknown + EXTRA + k, &t, q)) {
      for (int i = 0; i < s->count; i++) {
        value[(ptrdiff_t)i * n + seen] = pw_symmetry_in_body(s, i, t, q, q + s->nq);
      }
      seen++;
    }
  }
  for (int i = 0; value != NULL && i < s->count; i++) {
    memmove(value + (ptrdiff_t)kept * n, value + (ptrdiff_t)i * n, (size_t)n * sizeof *value);
    pw_buf text = s->text[i];
    s->text[i] = (pw_buf){0};
    if (independent(value, kept, n) > 0) {
      memmove(s->found + (ptrdiff_t)kept * s->unknown, s->found + (ptrdiff_t)i * s->unknown,
              (size_t)s->unknown * sizeof *s->found);
      s->text[kept++] = text;
    } else {
      pw_buf_free(&text);
    }
  }
  s->count = value == NULL ? s->count : kept;
  free(value);
  return value != NULL;
}

static pawl_status solve(pawl_symmetries *s) {
  size_t n = (size_t)s->unknown;
  s->basis = calloc(n * n + 1, sizeof *s->basis);
  s->row = calloc(n + 1, sizeof *s->row);
  int *pivot = calloc(n + 1, sizeof *pivot), seen = 0;
  double *q = calloc((size_t)s->nq + (size_t)s->nv + 1, sizeof *q);
  bool fine = s->basis != NULL && s->row != NULL && pivot != NULL && q != NULL;
  for (int k = 0; k < 2 * s->unknown + EXTRA && fine && s->rank < s->unknown; k++) {
    double t;
    seen += draw_settled(s, k, &t, q) && look(s, t, q, q + s->nq);
  }
  if (fine && seen > s->unknown) { /* the model has numbers at enough states */
    int rank = eliminate(s->basis, s->rank, s->unknown, pivot);
    fine = keep(s, s->basis, rank, pivot) && prune(s, q);
  }
  free(pivot);
  free(q);
  return fine ? PAWL_OK : PAWL_E_MEMORY;
}

static pawl_status make(pawl_symmetries *s) {
  const pw_system *sys = s->system->sys;
  const pw_model *m = sys->model;
  size_t coords = (size_t)m->coords.n, squares = coords <= MOST_LINEAR ? coords * coords : 0;
  pw_layout counts = {0};
  pw_probe_lay(&s->probe, sys, &counts);
  s->memory = calloc(1, counts.size + 1);
  s->body = calloc((size_t)s->nv + 1, sizeof *s->body);
  s->field = calloc(6 * coords + squares + 1, sizeof *s->field);
  if (s->memory == NULL || s->field == NULL || s->body == NULL) {
    return PAWL_E_MEMORY;
  }
  bool plain = sys->n_state == 0 &&
               sys->tick.n == 0 && /* no multipliers in the state, no signals */
               pw_system_needs_pairs(s->system, "", NULL) == PAWL_OK; /* all laws are rows */
  if (!plain || m->coords.n > MOST_SHIFTED) {
    return PAWL_OK;
  }
  pw_layout l = pw_layout_in(s->memory);
  pw_probe_lay(&s->probe, sys, &l);
  list_fields(s);
  pawl_status status = pw_mech_new(sys, &s->mech);
  status = status == PAWL_OK ? solve(s) : status;
  pw_mech_free(s->mech);
  s->mech = NULL;
  return status;
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
  s->system = pw_system_keep(system);
  s->nq = system->sys->model->nq;
  s->nv = system->sys->nv;
  pawl_status status = make(s);
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
    free(s->found);
    free(s->basis);
    free(s->row);
    free(s->body);
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

double pw_symmetry_in_body(pawl_symmetries *s, int i, double t, const double *q, const double *u) {
  if (!pw_probe_at(&s->probe, t, q, u)) {
    return NAN;
  }
  const double *p = pw_probe_momenta(&s->probe), *found = s->found + (ptrdiff_t)i * s->unknown;
  double sum = 0;
  for (int k = 0; k < s->unknown; k++) {
    sum += found[k] == 0 ? 0 : found[k] * along(&s->field[k], p, q);
  }
  return sum;
}

double pawl_symmetry_value(pawl_symmetries *s, int i, double t, const double *q, const double *u) {
  if (s == NULL || i < 0 || i >= s->count || q == NULL || u == NULL) {
    return NAN;
  }
  const pw_model *m = s->system->sys->model;
  memcpy(s->body, u, (size_t)s->nv * sizeof *u);
  for (int k = 0; k < m->coords.n; k++) {
    const pw_coord *x = &m->coords.items[k];
    if (x->is_rotation) {
      pw_mech_into_body(q + x->q, u + x->u, s->body + x->u);
    }
  }
  return pw_symmetry_in_body(s, i, t, q, s->body);
}
