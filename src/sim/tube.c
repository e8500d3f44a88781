// SPDX-License-Identifier: MIT
/* Components of the dense output as polynomials in x, theta = middle + half x: Horner's scheme of
 * theory (31) with theta a polynomial itself. */
#include "sim/tube.h"

#include <math.h>

enum { MOST = 10 }; /* coefficients: of the dense output, or of the blend of (32) */

typedef struct piece {
  const pw_stepper *s;
  double middle, half;
  double blend[4]; /* 3 theta^2 - 2 theta^3 */
} piece;

static piece piece_of(const pw_stepper *s, double from, double to) {
  piece p = {.s = s, .middle = 0.5 * (from + to), .half = 0.5 * (to - from)};
  double m = p.middle, d = p.half;
  p.blend[0] = m * m * (3 - 2 * m);
  p.blend[1] = 6 * m * (1 - m) * d;
  p.blend[2] = (3 - 6 * m) * d * d;
  p.blend[3] = -2 * d * d * d;
  return p;
}

/* Coefficients of component i; returns their number. */
static int expand(const piece *p, int i, double c[MOST]) {
  const pw_stepper *s = p->s;
  int last = s->rk.method->terms - 1, count = 1;
  const double *r = s->rk.r + i;
  c[0] = r[(ptrdiff_t)last * s->n];
  for (int j = last - 1; j >= 0; j--, count++) {
    double at = j % 2 == 0 ? p->middle : 1 - p->middle, by = j % 2 == 0 ? p->half : -p->half;
    c[count] = by * c[count - 1];
    for (int k = count - 1; k > 0; k--) {
      c[k] = at * c[k] + by * c[k - 1];
    }
    c[0] = at * c[0] + r[(ptrdiff_t)j * s->n];
  }
  for (int k = 0; s->projects && k < 4; k++) {
    c[k] = (k < count ? c[k] : 0) + s->delta[i] * p->blend[k];
  }
  return s->projects && count < 4 ? 4 : count;
}

/* x^2 = 1/2 + [-1, 1]/2, x^3 = 3x/4 + [-1, 1]/4, higher powers within [-1, 1]. */
static pw_form enclose(const double *c, int count) {
  double square = count > 2 ? c[2] : 0, cube = count > 3 ? c[3] : 0;
  double r = 0.5 * fabs(square) + 0.25 * fabs(cube), size = fabs(c[0]);
  for (int k = 4; k < count; k++) {
    r += fabs(c[k]);
  }
  double slope = (count > 1 ? c[1] : 0) + 0.75 * cube;
  size += fabs(slope) + r;
  return pw_form_line(c[0] + 0.5 * square, slope, r + PW_FORM_EPS * count * size);
}

bool pw_tube_spans(pw_stepper *s) {
  return !s->pass.on && s->rk.h > 0 && pw_rk_dense(&s->rk) == PAWL_OK;
}

bool pw_tube_exists(pw_stepper *s) {
  return s->sight.watches && s->mech->sys->tape.guards.n > 0 && pw_tube_spans(s);
}

static void fill_time(const piece *p, pw_form *in) {
  const pw_stepper *s = p->s;
  double t = s->rk.t + p->middle * s->rk.h;
  in[s->mech->sys->offset[PW_VAR_TIME]] = pw_form_line(t, p->half * s->rk.h, PW_FORM_EPS * fabs(t));
}

/* Components from .. from + n - 1 of the state; NULL: all are read. */
static void fill_states(const piece *p, int from, int n, const unsigned char *reads, pw_form *in) {
  double c[MOST];
  for (int i = 0; i < n; i++) {
    if (reads == NULL || reads[i]) {
      int count = expand(p, from + i, c);
      in[i] = enclose(c, count);
    }
  }
}

/* Accelerations are the derivatives of the velocities. */
static void fill_rates(const piece *p, const unsigned char *reads, pw_form *in) {
  const pw_stepper *s = p->s;
  double c[MOST], unit = 1 / (p->half * s->rk.h);
  for (int i = 0; i < s->nv; i++) {
    if (reads != NULL && !reads[i]) {
      continue;
    }
    int count = expand(p, s->nq + i, c);
    for (int k = 1; k < count; k++) {
      c[k - 1] = k * c[k] * unit;
    }
    in[i] = enclose(c, count - 1);
  }
}

static void fill_integrals(const piece *p, pw_form *in) {
  const pw_stepper *s = p->s;
  const pw_system *sys = s->mech->sys;
  pw_form z;
  fill_states(p, s->nq + s->nv, 1, NULL, &in[PW_QUAD_ACTION]);
  in[PW_QUAD_LOST] = pw_form_value(0);
  for (int k = 0; k < sys->n_work; k++) {
    if (sys->work[k].lost) {
      fill_states(p, s->nq + s->nv + 1 + k, 1, NULL, &z);
      in[PW_QUAD_LOST] = pw_form_add(in[PW_QUAD_LOST], z);
    }
  }
}

static bool reads_integrals(const unsigned char *reads, const int *at) {
  bool any = reads == NULL;
  for (int k = 0; !any && k < PW_QUAD_NAMED; k++) {
    any = reads[at[PW_VAR_QUAD] + k] != 0;
  }
  return any;
}

static void fill(pw_stepper *s, double from, double to, const unsigned char *reads) {
  const pw_system *sys = s->mech->sys;
  const int *at = sys->offset;
  pw_form *in = pw_mech_sight(s->mech);
  piece p = piece_of(s, from, to);
  pw_mech_sight_fixed(s->mech, s->side);
  fill_time(&p, in);
  fill_states(&p, 0, s->nq, reads == NULL ? NULL : reads + at[PW_VAR_Q], in + at[PW_VAR_Q]);
  fill_states(&p, s->nq, s->nv, reads == NULL ? NULL : reads + at[PW_VAR_U], in + at[PW_VAR_U]);
  if (sys->root.n > 0) {
    fill_rates(&p, reads == NULL ? NULL : reads + at[PW_VAR_A], in + at[PW_VAR_A]);
  }
  if (sys->root.n > 0 && reads_integrals(reads, at)) {
    fill_integrals(&p, in + at[PW_VAR_QUAD]);
  }
}

void pw_tube_fill(pw_stepper *s, double from, double to) {
  fill(s, from, to, NULL);
}

void pw_tube_fill_read(pw_stepper *s, double from, double to, const unsigned char *reads) {
  fill(s, from, to, reads);
}

unsigned pw_tube_wild(pw_stepper *s, double from, double to) {
  pw_step_sight *sight = &s->sight;
  bool whole = from == 0 && to == 1;
  if (whole && sight->known) {
    return sight->wild;
  }
  fill(s, from, to, s->mech->sys->tape.guards.reads);
  unsigned wild = pw_mech_wild(s->mech);
  if (whole) {
    sight->known = true;
    sight->wild = wild;
  }
  return wild;
}

void pw_tube_around(pw_stepper *s, double near) {
  const pw_system *sys = s->mech->sys;
  pw_form *in = pw_mech_sight(s->mech);
  pw_mech_sight_fixed(s->mech, s->side);
  in[sys->offset[PW_VAR_TIME]] = pw_form_line(s->t, near, 0);
  for (int i = 0; i < s->nq + s->nv; i++) {
    int at = i < s->nq ? sys->offset[PW_VAR_Q] + i : sys->offset[PW_VAR_U] + i - s->nq;
    in[at] = pw_form_line(s->y[i], near * s->f[i], 0);
  }
}

void pw_tube_rates(const pw_stepper *s, double theta, double *dy) {
  piece p = piece_of(s, theta - 0.5, theta + 0.5);
  for (int i = 0; i < s->n; i++) {
    double c[MOST];
    (void)expand(&p, i, c);
    dy[i] = 2 * c[1] / s->rk.h;
  }
}
