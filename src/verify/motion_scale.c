// SPDX-License-Identifier: MIT
/* Sizes of the motion: distances, speeds and forces in the metric of M. */
#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_verify.h"
#include "linalg/dense.h"
#include "verify/checker.h"

pw_set_scale pw_zero_scale(const pawl_certifier *c, double force, double floor) {
  double zero = PW_SCALE(CERT_ZERO),
         tiny = pw_max(zero, PW_SCALE(CERT_NOISE_MARGIN) * c->data.noise);
  double rate = PW_SCALE(CERT_ZERO_RATE);
  return (pw_set_scale){.position = tiny * c->scale.L0,
                        .velocity = rate * tiny * c->scale.V0,
                        .at_place = zero * c->scale.L0,
                        .at_rest = rate * zero * c->scale.V0,
                        .acceleration =
                            PW_SCALE(CERT_ACCELERATION) * force + PW_SCALE(CERT_MARGIN) * floor};
}

/* |L^T x| */
double pw_verify_size(const pw_probe *p, const double *x) {
  int n = p->sys->nv;
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double z = pw_dot(p->L + (size_t)i * (size_t)n + i, x + i, p->extent[i] - i + 1);
    sum += z * z;
  }
  return sqrt(sum);
}

void pw_verify_sizes(const pw_probe *p, const double *x, ptrdiff_t apart, double out[4]) {
  int n = p->sys->nv;
  const double *a = x, *b = x + apart, *c = x + 2 * apart, *d = x + 3 * apart;
  double sum[4] = {0};
  for (int i = 0; i < n; i++) {
    const double *column = p->L + (size_t)i * (size_t)n;
    double z[4] = {0};
    for (int k = i; k <= p->extent[i]; k++) {
      z[0] += column[k] * a[k];
      z[1] += column[k] * b[k];
      z[2] += column[k] * c[k];
      z[3] += column[k] * d[k];
    }
    for (int k = 0; k < 4; k++) {
      sum[k] += z[k] * z[k];
    }
  }
  for (int k = 0; k < 4; k++) {
    out[k] = sqrt(sum[k]);
  }
}

double pw_verify_distance(const pw_model *m, const double *mass, const double *a, const double *b) {
  double sum = 0;
  for (int k = 0; k < m->coords.n; k++) {
    const pw_coord *x = &m->coords.items[k];
    for (int i = x->q; i < x->q + (x->is_rotation ? 4 : 1); i++) {
      double d = mass[x->u] * (a[i] - (b == NULL ? 0 : b[i]));
      sum += d * d;
    }
  }
  return sqrt(sum);
}

double pw_verify_apart(const pawl_certifier *c, const double *a, const double *b) {
  const pw_model *m = c->sys->model;
  double sum = 0;
  for (int k = 0; k < m->coords.n; k++) {
    const pw_coord *x = &m->coords.items[k];
    double mass = c->probe.L[(size_t)x->u * (size_t)c->sys->nv + (size_t)x->u];
    for (int i = x->q; i < x->q + (x->is_rotation ? 4 : 1); i++) {
      double d = mass * (a[i] - b[i]);
      sum += d * d;
    }
  }
  return sqrt(sum);
}

static double place_of(const pawl_certifier *c) {
  const pw_model *m = c->sys->model;
  double far = 0, unit = 0;
  for (int k = 0; k < m->coords.n; k++) {
    const pw_coord *x = &m->coords.items[k];
    double mass = c->scale.mass[x->u], q = x->is_rotation ? 1 : c->scale.first_q[x->q];
    far += mass * q * mass * q;
    unit += mass * mass;
  }
  return sqrt(far > 0 ? far : unit);
}

/* Of the fastest wall that moves by itself, in the metric: the largest g_t = rate - J u. */
static double wall_speed(const pawl_certifier *c) {
  const pw_system *s = c->sys;
  const pw_probe *p = &c->probe;
  double most = 0;
  for (int i = s->nc; i < s->nr; i++) {
    bool position = s->row[i].wall && !s->row[i].on_velocity && s->row[i].by < 0;
    if (position && p->length[i] > 0) {
      double own = pw_dot(p->A + (size_t)i * (size_t)s->nv, p->speed, s->nv);
      most = pw_max(most, fabs(p->rate[i] - own) / p->length[i]);
    }
  }
  return most;
}

/* Of the forces of a row, all as if they were alone. */
static double given_size(const pawl_certifier *c, const pw_row_view *row) {
  double sum = 0;
  for (int i = 0; i < c->sys->nr; i++) {
    sum += fabs(row->force[c->sys->row_of[i]]) * c->probe.reach[i];
  }
  return sum;
}

/* The span from which the first sizes are taken: that of as many steps as a run usually has rows,
 * because a run may last ten orders of magnitude longer than its motion. */
static double first_span(const pawl_certifier *c) {
  double steps = c->scale.first_step > 0 ? PW_USUAL_ROWS * c->scale.first_step : INFINITY;
  return pw_min(c->scale.span, steps);
}

void pw_scale_row(pawl_certifier *c, const pw_row_view *row) {
  const pw_probe *p = &c->probe;
  double speed = p->fast, far = pw_verify_apart(c, row->q, c->scale.first_q);
  c->scale.pull = pw_max(c->scale.pull, p->pull);
  bool still = !(c->scale.L0 > 0 && c->scale.V0 > 0);
  if (!c->scale.scaled ||
      still) { /* what forces and walls alone would do in a hundredth of the span */
    double force = pw_max(c->scale.pull, still && row->force != NULL ? given_size(c, row) : 0);
    double wall = PW_SCALE(CERT_START_SPAN) * wall_speed(c);
    c->scale.scaled = true;
    double soon = PW_SCALE(CERT_START_SPAN) * first_span(c);
    double way = PW_SCALE(CERT_START_WAY) * first_span(c) * (speed + wall);
    c->scale.L0 = pw_max(c->scale.L0, way + soon * soon * force);
    c->scale.V0 = pw_max(c->scale.V0, pw_max(soon * force, wall));
  }
  c->scale.L0 = pw_max(c->scale.L0, far);
  c->scale.V0 = pw_max(c->scale.V0, speed);
  c->scale.swift = pw_max(c->scale.swift, speed);
  for (int i = 0; i < c->sys->ni; i++) {
    c->scale.size_of[i] = p->length[c->sys->nc + i];
  }
  for (int i = 0; i < c->sys->nv; i++) {
    c->scale.mass[i] = p->L[(size_t)i * (size_t)c->sys->nv + (size_t)i];
  }
  c->scale.place = place_of(c);
  if (!c->data.find_noise) { /* the tolerance of a run is a part of its positions, theory (33) */
    double place = pw_verify_distance(c->sys->model, c->scale.mass, row->q, NULL);
    c->data.place_error = pw_max(c->data.place_error, c->data.noise * place);
  }
}

void pw_scale_speed(pawl_certifier *c, double speed) {
  c->scale.V0 = pw_max(c->scale.V0, speed);
}

void pw_scale_pull(pawl_certifier *c, double pull) {
  c->scale.pull = pw_max(c->scale.pull, pull);
}

/* A part of the largest force so far, and of the force that makes the largest speed in the whole
 * time, is added, so that nothing is divided by a force that vanishes. Accelerations that are not
 * known, as between rows that are very near to each other, say nothing about the forces of the
 * motion. */
double pw_scale_force(pawl_certifier *c, double own, double acceleration, double floor) {
  double pull = own + acceleration;
  bool known = acceleration > PW_SCALE(CERT_MARGIN) * floor;
  c->scale.F0 = pw_max(c->scale.F0, known ? pull : own);
  return pull + pw_scale_share(c);
}

/* Where all motion is rounding of the place, forces balance, and what is left of them is rounding
 * too. It is compared with the force that would move the place by itself in the whole time: had a
 * force been wrong by a small part of that, there would be a motion. */
static double resting_force(const pawl_certifier *c) {
  double place = c->scale.place;
  bool rests = c->scale.L0 <= PW_SCALE(CERT_TERMS) * place;
  return rests ? place / (c->scale.whole * c->scale.whole) : 0;
}

double pw_scale_velocity(const pawl_certifier *c) {
  double place = c->scale.place;
  bool rests = c->scale.whole > 0 && c->scale.L0 <= PW_SCALE(CERT_RESTS) * place;
  return pw_max(c->scale.V0, rests ? place / c->scale.whole : 0);
}

double pw_scale_share(const pawl_certifier *c) {
  return PW_SCALE(CERT_FORCE_SHARE) * c->scale.F0 + c->scale.V0 / c->scale.whole + resting_force(c);
}

void pw_scale_record(pawl_certifier *c) {
  c->record.size[PW_SIZE_FORCE] = pw_scale_share(c);
  c->record.size[PW_SIZE_SPEED] = c->scale.V0;
  c->record.size[PW_SIZE_PLACE] = c->scale.L0;
}

/* The range of the positions in the metric of the masses at the middle of it. */
void pw_scale_extent(pawl_certifier *c, const double *low, const double *high) {
  const pw_system *s = c->sys;
  double *u = c->room.u_body, sum = 0;
  memset(u, 0, (size_t)s->nv * sizeof *u);
  memset(c->scale.first_q, 0, (size_t)s->nq * sizeof *c->scale.first_q);
  memcpy(c->scale.first_q, low, (size_t)s->model->nq * sizeof *low);
  bool known = pw_probe_at(&c->probe, c->opts.from, c->scale.first_q, u);
  for (int k = 0; k < s->model->coords.n; k++) {
    const pw_coord *x = &s->model->coords.items[k];
    double mass = known ? c->probe.L[(size_t)x->u * (size_t)s->nv + (size_t)x->u] : 1;
    for (int i = 0; i < (x->is_rotation ? 3 : 1); i++) {
      c->scale.mass[x->u + i] = mass;
    }
    for (int i = 0; i < (x->is_rotation ? 4 : 1); i++) {
      double d = mass * (high[x->q + i] - low[x->q + i]);
      sum += d * d;
    }
  }
  c->scale.extent = sqrt(sum);
  c->scale.place = place_of(c);
  if (c->data.find_noise) { /* rows of a run are judged as they were when it was made: by those so
                               far */
    c->scale.L0 = c->scale.extent;
    c->scale.V0 = c->scale.L0 / c->scale.whole;
  }
}
