// SPDX-License-Identifier: MIT
/* Roots on the dense output are good to its order only. Newton's method with the slope from there,
 * then secants, on real steps from the start of the step, projected; bisection where these fail. */
#include "sim/watch.h"
#include "law/scale_sim.h"
#include "sim/radau.h"
#include "sim/tube.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_POLISH = 80, MAX_SECANTS = 8 }; /* then bisection, which ends for certain */

static pawl_status value(void *ctx, double theta, double *out) {
  pw_watch *w = ctx;
  pw_stepper *s = w->s;
  if (theta == 0) {
    return w->at(w->owner, s, s->rk.t, s->rk.y0, out);
  }
  pawl_status status = pw_stepper_at(s, theta, w->y);
  double t = theta == 1 ? s->t : s->rk.t + theta * s->rk.h;
  return status == PAWL_OK ? w->at(w->owner, s, t, w->y, out) : status;
}

/* Adds |w(y + e) - w(y)| for an error e in one component. */
static pawl_status add_doubt(pw_watch *w, double *delta) {
  pawl_status status = w->at(w->owner, w->s, w->s->t, w->y, w->values);
  for (int k = 0; k < w->scan.m && status == PAWL_OK; k++) {
    delta[k] += fabs(w->values[k] - w->scan.end[k]);
  }
  memcpy(w->y, w->s->y, (size_t)w->s->n * sizeof *w->y);
  return status;
}

static pawl_status doubt(void *ctx, double *delta) {
  pw_watch *w = ctx;
  pw_stepper *s = w->s;
  double *v = w->v, *dq = w->v + s->nv;
  pawl_status status = PAWL_OK;
  memset(delta, 0, (size_t)w->scan.m * sizeof *delta);
  memset(v, 0, (size_t)s->nv * sizeof *v);
  memcpy(w->y, s->y, (size_t)s->n * sizeof *w->y);
  for (int i = 0; i < s->nv && status == PAWL_OK; i++) {
    v[i] = s->control.weight_x[i];
    pw_mech_to_q(s->mech, s->y, v, dq);
    v[i] = 0;
    for (int k = 0; k < s->nq; k++) {
      w->y[k] += dq[k];
    }
    status = add_doubt(w, delta);
    if (status == PAWL_OK) {
      w->y[s->nq + i] += s->control.weight_u[i];
      status = add_doubt(w, delta);
    }
  }
  return status;
}

pawl_status pw_watch_noise(pw_watch *w, double t, const double *y, double *noise) {
  pw_stepper *s = w->s;
  int m = w->scan.m;
  pawl_status status = w->at(w->owner, s, t, y, w->values);
  for (int k = 0; k < m; k++) {
    noise[k] = PW_SCALE(STEP_ROUNDING) * fabs(w->values[k]);
    w->scan.delta[k] = w->values[k];
  }
  memcpy(w->y, y, (size_t)s->n * sizeof *w->y);
  for (int i = 0; i < s->nq + s->nv && status == PAWL_OK; i++) {
    w->y[i] = y[i] * (1 + PW_SCALE(STEP_ROUNDING));
    status = w->at(w->owner, s, t, w->y, w->values);
    w->y[i] = y[i];
    for (int k = 0; k < m; k++) {
      noise[k] += fabs(w->values[k] - w->scan.delta[k]);
    }
  }
  return status;
}

void pw_watch_lay_out(pw_watch *w, const pw_system *sys, int m, pw_layout *l) {
  w->y = PW_LAY(l, sys->nq + sys->nv + sys->nz, double);
  w->values = PW_LAY(l, m, double);
  w->v = PW_LAY(l, sys->nv + sys->nq, double);
  w->reads = PW_LAY(l, sys->n_in, unsigned char);
  pw_scan_lay_out(&w->scan, m, l);
}

/* ---- what samples do not show ---- */

bool pw_watch_is_open(const pw_form *f) {
  bool zero = !(f->lo > 0 || f->hi < 0);
  return zero && f->blur > PW_SCALE(ROUNDED) * pw_form_size(*f);
}

static void look(void *ctx, double from, double to, unsigned char *hides) {
  pw_watch *w = ctx;
  memset(hides, 0, (size_t)w->scan.m);
  if (w->hides == NULL || !pw_tube_exists(w->s)) {
    return;
  }
  unsigned wild = pw_tube_wild(w->s, from, to) & w->tapes;
  if (wild != 0) {
    pw_tube_fill(w->s, from, to);
    w->hides(w->owner, w->s, wild, hides);
  }
}

/* The larger one of both ends. */
static void noise_between(void *ctx, double from, double to, double *noise) {
  pw_watch *w = ctx;
  pw_stepper *s = w->s;
  double theta[2] = {from, to};
  memset(w->values, 0, (size_t)w->scan.m * sizeof *w->values);
  for (int k = 0; k < 2; k++) {
    if (w->noisy == NULL || pw_stepper_at(s, theta[k], w->y) != PAWL_OK) {
      return;
    }
    w->noisy(w->owner, s, s->rk.t + theta[k] * s->rk.h, w->y, w->values);
  }
  for (int i = 0; i < w->scan.m; i++) {
    noise[i] = fmin(noise[i], w->values[i]);
  }
}

static bool clear(void *ctx) {
  const pw_watch *w = ctx;
  const pw_scan *scan = &w->scan;
  if (!w->plain(w->owner, w->s) || !pw_tube_spans(w->s)) {
    return false;
  }
  pw_tube_fill_read(w->s, 0, 1, w->reads);
  const pw_form *f = pw_mech_enclose(w->s->mech, w->from);
  for (int i = 0; i < w->count; i++) {
    bool looked_for = scan->want[i] != 0 || scan->rises[i];
    double noise = PW_SCALE(WATCH_CLEAR) * scan->noise[i];
    if (looked_for && !(f[i].lo > noise || f[i].hi < -noise)) {
      return false;
    }
  }
  return true;
}

void pw_watch_clear(pw_watch *w, unsigned tape, int count, pw_watch_plain plain) {
  w->from = tape;
  w->count = count;
  w->plain = plain;
  for (int i = 0; i < w->s->mech->sys->n_in; i++) {
    w->reads[i] = pw_mech_sight_reads(w->s->mech, tape, i);
  }
  w->scan.source.clear = clear;
}

static void give_up(void *ctx, int i, double from, double to) {
  pw_watch *w = ctx;
  const pw_rk *rk = &w->s->rk;
  int ni = w->s->mech->sys->ni;
  int index = w->kind == PW_UNSEEN_ROW ? w->s->mech->sys->nc + i % ni : i;
  pw_unseen_note(w->s, w->kind, index, rk->t + from * rk->h, rk->t + to * rk->h);
}

void pw_watch_see(pw_watch *w, unsigned tapes, pw_watch_hides hides) {
  w->tapes = tapes;
  w->hides = hides;
}

void pw_watch_init(pw_watch *w, pw_stepper *s, pw_watch_at at, void *owner, pw_unseen_kind kind) {
  w->s = s;
  w->at = at;
  w->owner = owner;
  w->kind = kind;
  w->scan.source = (pw_scan_source){.ctx = w,
                                    .value = value,
                                    .doubt = doubt,
                                    .noise = noise_between,
                                    .look = look,
                                    .give_up = give_up};
  pw_scan_reset(&w->scan);
}

/* ---- polishing ---- */

typedef struct bracket {
  double lo, hi;       /* of the time after the start of the step */
  bool has_lo, has_hi; /* signs were seen on real steps */
  double sign;         /* of the function before the root */
} bracket;

static pawl_status measure(pw_watch *w, int i, double h, double *y, double *f) {
  pw_stepper *s = w->s;
  pawl_status status = PAWL_OK;
  if (h == s->rk.h) {
    memcpy(y, s->y, (size_t)s->n * sizeof *y);
  } else {
    status = pw_stepper_restep(s, h, y);
  }
  if (status == PAWL_OK) {
    status = w->at(w->owner, s, s->rk.t + h, y, w->values);
    *f = w->values[i];
  }
  return status;
}

static void narrow(bracket *b, double h, double f) {
  if (f * b->sign > 0) {
    b->lo = h;
    b->has_lo = true;
  } else {
    b->hi = h;
    b->has_hi = true;
  }
}

pawl_status pw_watch_polish(pw_watch *w, int i, const pw_root *root, double *h, double *y) {
  pw_stepper *s = w->s;
  double H = s->rk.h, slack = PW_SCALE(ROOT_BESIDE) * H, f = 0, f_old = 0, h_old = 0;
  double fine = PW_SCALE(POLISHED) * fmax(fabs(s->rk.t), H);
  bracket b = {.lo = fmax(root->lo * H - slack, 0), .hi = fmin(root->hi * H + slack, H)};
  b.sign = root->kind == PW_ROOT_RISING ? -1 : 1;
  *h = root->x == 1 ? H : root->x * H;
  pawl_status status = measure(w, i, *h, y, &f);
  if (root->kind == PW_ROOT_GRAZING || root->x == 1) {
    return status;
  }
  for (int k = 0; k < MAX_POLISH && status == PAWL_OK && f != 0; k++) {
    narrow(&b, *h, f);
    double slope = k == 0 ? root->slope / H : (f - f_old) / (*h - h_old);
    double next = *h - f / slope;
    if (fabs(next - *h) <= fine || (b.has_lo && b.has_hi && b.hi - b.lo <= fine)) {
      return PAWL_OK;
    }
    if (!(next > b.lo && next < b.hi) || k > MAX_SECANTS) {
      next = 0.5 * (b.lo + b.hi);
    }
    if (!(b.hi - b.lo > fine)) { /* no change of sign on real steps: stay with the dense output */
      *h = root->x * H;
      return measure(w, i, *h, y, &f);
    }
    f_old = f;
    h_old = *h;
    *h = next;
    status = measure(w, i, *h, y, &f);
  }
  return status;
}

/* Real steps to both ends of the place of the root, and to the end of the step, show the sign that
 * the function has before it. */
static pawl_status denies(pw_watch *w, int i, const pw_root *root, bool *denied) {
  pw_stepper *s = w->s;
  double sign = root->kind == PW_ROOT_RISING ? -1 : 1, f = sign;
  const double ends[2] = {root->lo, root->hi};
  pawl_status status = PAWL_OK;
  *denied = root->x < 1 && w->scan.end[i] * sign > 0;
  for (int k = 0; k < 2 && *denied && status == PAWL_OK; k++) {
    status = measure(w, i, fmin(ends[k] + PW_SCALE(ROOT_BESIDE), 1) * s->rk.h, w->y, &f);
    *denied = f * sign > 0;
  }
  return status;
}

pawl_status pw_watch_first(pw_watch *w, int *which, double *h) {
  bool denied = true;
  pawl_status status = PAWL_OK;
  while (denied && status == PAWL_OK) {
    denied = false;
    status = pw_scan_peek(&w->scan, which);
    if (status != PAWL_OK || *which < 0) {
      return status;
    }
    const pw_root *root = pw_scan_root(&w->scan, *which);
    if (w->s->rk.map == pw_radau_step) {
      status = denies(w, *which, root, &denied);
    }
    if (denied) {
      pw_scan_use(&w->scan, *which);
    } else if (status == PAWL_OK) {
      status = pw_watch_polish(w, *which, root, h, w->y);
    }
  }
  return status;
}
