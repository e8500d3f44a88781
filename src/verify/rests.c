// SPDX-License-Identifier: MIT
/* Bounces that end in rounding (certificates, section 4): their last impact and the stop of what is
 * left, theory (63), are one jump, whose impulses are of either sign but small. */
#include <math.h>
#include <string.h>

#include "base/entries.h"
#include "base/real.h"
#include "law/scale_sim.h"
#include "law/scale_verify.h"
#include "linalg/dense.h"
#include "system/moved.h"
#include "verify/jump.h"

double pw_jump_still(const pw_jump *x) {
  return pw_max(PW_SCALE(CERT_ZERO) * x->c->scale.V0, 4 * x->c->data.speed_error);
}

/* Stands after the jump: a contact, or a one-sided constraint on velocities that goes with them. */
static bool stands(const pw_jump *x, int i) {
  const pw_system *s = x->c->sys;
  bool side = pw_law_is_wall(&s->row[i]) && s->row[i].on_velocity;
  return (side || pw_jump_touches(x, i)) && x->c->probe.reach[i] > 0 &&
         fabs(pw_jump_after(x, i)) <= pw_jump_still(x);
}

double pw_jump_fall(const pw_jump *x) {
  const pw_system *s = x->c->sys;
  const pw_probe *p = &x->c->probe;
  double sum = p->pull;
  for (int i = 0; i < s->nr; i++) {
    if (p->length[i] > 0 && (i < s->nc || pw_jump_touches(x, i))) {
      sum += fabs(p->zeta[i]) / p->length[i];
    }
  }
  return sum;
}

/* Rows whose impulses stop the contacts: equalities, what stands, and slips on it that stick. */
static bool is_stopped(const pw_jump *x, int i) {
  const pw_system *s = x->c->sys;
  int on = pw_row_contact(s, i);
  bool sticks = on >= 0 && stands(x, on) && fabs(pw_jump_after(x, i)) <= pw_jump_still(x);
  return x->c->probe.reach[i] > 0 && (i < s->nc || (on < 0 ? stands(x, i) : sticks));
}

/* Of row i, with the friction of what slides on it, by its direction after the jump; unit normal.
 */
static void push_of(const pw_jump *x, int i, double *out) {
  const pw_system *s = x->c->sys;
  const pw_probe *p = &x->c->probe;
  size_t n = (size_t)s->nv;
  memset(out, 0, n * sizeof *out);
  pw_axpy(1 / p->reach[i], p->A + (size_t)i * n, out, s->nv);
  for (int k = i < s->nc ? -1 : s->pattern.rider[i - s->nc]; k >= 0; k = s->pattern.next_rider[k]) {
    int row = s->nc + k, first = s->law[k].group;
    if (is_stopped(x, row)) {
      continue;
    }
    const double *slip = p->rate + (first >= 0 ? s->nc + first : row);
    double size = pw_length(slip, s->row[row].width);
    double mu = size > 0 ? pw_probe_bound(p, row, false) * p->rate[row] / size : 0;
    pw_axpy(-mu / p->reach[i], p->A + (size_t)row * n, out, s->nv);
  }
}

/* Numbers them from 1 on in x->rest, which is found later; others have 0. */
static void number_stopped(const pw_jump *x) {
  int n = 0;
  for (int i = 0; i < x->c->sys->nr; i++) {
    bool stopped = is_stopped(x, i);
    n += stopped;
    x->rest[i] = stopped ? n : 0;
  }
}

static double coupling(const pw_jump *x, int i, const double *push) {
  const pw_system *s = x->c->sys;
  const pw_probe *p = &x->c->probe;
  return pw_moved_dot(s, i, p->A + (size_t)i * (size_t)s->nv, push) / p->reach[i];
}

/* Column j of B, k long, by the push of its row: only rows that move the same velocities feel it.
 */
static void couple(const pw_jump *x, const double *push, int k, double *out) {
  const pw_system *s = x->c->sys;
  bool known = s->pattern.moved != NULL;
  pw_zero(out, k);
  for (int i = 0; i < s->nr && !known; i++) {
    if (x->rest[i] > 0) {
      out[(int)x->rest[i] - 1] = coupling(x, i, push);
    }
  }
  for (int v = known ? pw_next_entry(push, 0, s->nv) : s->nv; v < s->nv;
       v = pw_next_entry(push, v + 1, s->nv)) {
    pw_moved_list rows = pw_moved_movers(s, v);
    for (int e = 0; e < rows.n; e++) {
      int i = rows.at[e];
      if (x->rest[i] > 0) {
        out[(int)x->rest[i] - 1] = coupling(x, i, push);
      }
    }
  }
}

/* The impulses that stop k rows, each slower than v, in the metric: B kappa = gamma with
 * B_ij = A_i . P_j for the pushes P of the rows, with friction that goes on to slide, so that
 * |kappa| <= v sqrt(k) / sigma for the least singular value sigma of B. Returns that for v = 1;
 * 0: nothing stands. More rows than coordinates: B is taken as P^T P. */
static double leverage(const pw_jump *x) {
  const pw_system *s = x->c->sys;
  pw_reach *r = &x->c->room.reach;
  size_t n = (size_t)s->nv;
  int standing = 0;
  pw_qr qr;

  /* The pushes P of all rows that are stopped. */
  pw_reach_begin(r);
  number_stopped(x);
  for (int i = 0; i < s->nr; i++) {
    double *col = x->rest[i] > 0 ? pw_reach_add(r, 0, 0) : NULL;
    standing += i >= s->nc && col != NULL;
    if (col != NULL) {
      push_of(x, i, col);
    }
  }
  if (standing == 0) {
    return 0;
  }

  /* B itself, or P where there are more rows than coordinates. */
  bool square = r->k <= s->nv;
  pw_qr_init(&qr, square ? r->k : s->nv, r->k, r->qr_real, r->qr_int);
  for (int j = 0; j < r->k; j++) {
    const double *push = r->A + (size_t)j * n;
    double *to = qr.A + (size_t)j * (size_t)qr.n;
    if (square) {
      couple(x, push, r->k, to);
    } else {
      memcpy(to, push, n * sizeof *to);
    }
  }

  /* The singular values of P^T P are the squares of those of P. */
  (void)pw_qr_decompose(&qr, PW_SCALE(CERT_RANK));
  double sigma = pw_qr_smallest(&qr);
  sigma = square ? sigma : sigma * sigma;
  return sigma > 0 ? sqrt(standing) / sigma : 0;
}

/* Speed of bounces that cannot be resolved: height v^2 / (2 fall) against the terms of the gaps. */
static double faintest(pw_jump *x) {
  const pw_system *s = x->c->sys;
  const pw_probe *p = &x->c->probe;
  const double *terms = pw_probe_terms(&x->c->probe);
  double coarsest = 0;
  for (int i = s->nc; i < s->nr; i++) {
    if (pw_jump_touches(x, i) && stands(x, i)) {
      coarsest = pw_max(coarsest, terms[i - s->nc] / p->length[i]);
    }
  }
  return sqrt(2 * pw_jump_fall(x) * PW_SCALE(LOWEST_BOUNCE) * coarsest);
}

/* Until the bounces would have ended, after 2 v / (1 - e) / fall, a contact that stands carries
 * what friction goes with. */
static double rubs(const pw_jump *x, int i, int on, double most) {
  const pw_system *s = x->c->sys;
  const pw_probe *p = &x->c->probe;
  double e = x->e[on - s->nc], mu = pw_probe_bound(p, i, false);
  double whole = e < 1 ? most * (1 + 2 / (1 - e)) / p->reach[on] : 0;
  bool rough = pw_law_is_rough(&s->row[i]);
  return rough ? whole * p->reach[on] / p->reach[i] : pw_max(mu, x->mu[i - s->nc]) * whole;
}

void pw_jump_find_rests(pw_jump *x) {
  const pw_system *s = x->c->sys;
  double most = leverage(x);
  most = most > 0 ? most * faintest(x) : 0;
  x->stands = most > 0;
  for (int i = 0; i < s->nr; i++) {
    int on = pw_row_contact(s, i);
    x->rest[i] = 0;
    if (most > 0 && i < s->nc) {
      x->rest[i] = INFINITY;
    } else if (most > 0 && on >= 0 && stands(x, on) && x->c->probe.reach[i] > 0) {
      x->rest[i] = rubs(x, i, on, most);
    } else if (most > 0 && i >= s->nc && stands(x, i)) {
      x->rest[i] = most / x->c->probe.reach[i];
    }
  }
}

void pw_jump_add_rests(const pw_jump *x, pw_reach *r) {
  const pw_system *s = x->c->sys;
  for (int i = 0; i < s->nr && x->faint; i++) {
    double *col = x->rest[i] > 0 ? pw_reach_add(r, -x->rest[i], x->rest[i]) : NULL;
    if (col != NULL) {
      memset(col, 0, (size_t)r->n * sizeof *col);
      memcpy(col, x->c->probe.A + (size_t)i * (size_t)s->nv, (size_t)s->nv * sizeof *col);
    }
  }
}

bool pw_jump_is_bound(const pw_jump *x, int i) {
  const pw_system *s = x->c->sys;
  const pw_probe *p = &x->c->probe;
  double room = x->tiny;
  if (i < s->nc || !pw_law_is_wall(&s->row[i]) || !s->row[i].on_velocity || p->length[i] == 0) {
    return false;
  }
  for (int j = s->nc; j < s->nr && x->faint; j++) {
    const double *a = p->A + (size_t)j * (size_t)s->nv;
    bool other = j != i && x->rest[j] > 0;
    double couple = other ? pw_dot(a, p->A + (size_t)i * (size_t)s->nv, s->nv) : 0;
    room += fabs(couple) * x->rest[j] / p->length[i];
  }
  return pw_jump_after(x, i) <= room;
}
