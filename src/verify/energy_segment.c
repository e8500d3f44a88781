// SPDX-License-Identifier: MIT
/* The balance of energy over a segment, certificates (C21): H at both ends, and the work by
 * Simpson's rule with the middle of the polynomial, or by Lobatto's rule with five points where the
 * degree of the polynomial is higher. */
#include <math.h>

#include "base/real.h"
#include "law/scale_verify.h"
#include "linalg/dense.h"
#include "verify/checker.h"

/* How far the force of a law is from linear in the middle of the segment: h^2/8 of its second
 * derivative, by the slope in the segment before; all of its change in the first one of a piece. */
static double bend_of(const pawl_certifier *c, const pw_segment *g, int law) {
  const pw_own *o = &c->own;
  double h = g->to - g->from, slope = (g->force[c->sys->model->rows.n + law] - g->force[law]) / h;
  return o->slope_time > 0 ? (slope - o->slope[law]) / (h + o->slope_time) * h * h / 4 : NAN;
}

/* The second derivative may vanish at one place: what it was before counts as well. */
static double bend_doubt(const pawl_certifier *c, const pw_segment *g, int law) {
  const pw_own *o = &c->own;
  double h = g->to - g->from, bend = bend_of(c, g, law);
  double change = fabs(g->force[c->sys->model->rows.n + law] - g->force[law]);
  return isnan(bend) ? change : pw_max(fabs(bend), pw_max(o->fade * change, o->bend[law] * h * h));
}

static void keep_slopes(pawl_certifier *c, const pw_segment *g) {
  pw_own *o = &c->own;
  int laws = c->sys->model->rows.n;
  double h = g->to - g->from;
  for (int k = 0; k < laws; k++) {
    double bend = bend_of(c, g, k);
    o->bend[k] = isnan(bend) ? 0 : fabs(bend) / (h * h);
    o->slope[k] = (g->force[laws + k] - g->force[k]) / h;
    o->load[k] = g->force[laws + k];
  }
  o->slope_time = h;
}

/* Loads that no law divides may be shared otherwise from one instant to the next, without an event:
 * a force then jumps by more than it changes in both segments. Slopes and powers begin anew. */
static bool forces_jump(pawl_certifier *c, const pw_segment *g) {
  pw_own *o = &c->own;
  int laws = c->sys->model->rows.n;
  bool jumps = false;
  for (int k = 0; k < laws && o->slope_time > 0 && !jumps; k++) {
    double change = fabs(g->force[laws + k] - g->force[k]) + fabs(o->slope[k]) * o->slope_time;
    double size = fabs(g->force[k]) + fabs(o->load[k]);
    jumps = fabs(g->force[k] - o->load[k]) > change + PW_SCALE(CERT_SMALL_PART) * size;
  }
  o->slope_time = jumps ? 0 : o->slope_time;
  return jumps;
}

/* The multiplier of row i at a part of the segment, and how well it is known. */
static double multiplier_at(const pawl_certifier *c, const pw_segment *g, int i, double part,
                            double *doubt) {
  const pw_system *s = c->sys;
  int law = s->row_of[i], laws = s->model->rows.n;
  double a = g->force[law], b = g->force[laws + law], bend = bend_of(c, g, law);
  double bulge = isnan(bend) ? 0 : 4 * part * (1 - part) * bend;
  *doubt = part > 0 && part < 1 ? bend_doubt(c, g, law) : 0;
  *doubt = fabs(pw_law_multiplier(&s->row[i], *doubt));
  return pw_law_multiplier(&s->row[i], a + part * (b - a) - bulge);
}

/* The power at a part of the segment; *blur: how well that of the laws is known. */
static double power_at(pawl_certifier *c, const pw_curve *x, double part, double *blur) {
  const pw_system *s = c->sys;
  const pw_own *o = &c->own;
  const pw_segment *g = x->segment;
  const double *u = o->value + s->nq;
  double h = g->to - g->from;
  if (s->n_switch > 0 && (part == 0 || part == 1)) { /* on the sides that it has inside */
    pw_curve_at(x, 0.5, o->value, NULL);
    pw_probe_state(&c->probe, g->from + h / 2, o->value, u);
    pw_curve_at(x, part, o->value, NULL);
    pw_probe_state_kept(&c->probe, g->from + part * h, o->value, u);
  } else {
    pw_curve_at(x, part, o->value, NULL);
    pw_probe_state(&c->probe, g->from + part * h, o->value, u);
  }
  double sum = pw_probe_power(&c->probe);
  if (c->energy.unaided) {
    return sum;
  }
  pw_probe_along(&c->probe);
  for (int k = 0; k < c->energy.n_worker; k++) {
    int i = c->energy.worker[k];
    double rate = pw_probe_work_rate(&c->probe, i, u), doubt;
    sum += multiplier_at(c, g, i, part, &doubt) * rate;
    *blur += doubt * fabs(rate);
  }
  return sum;
}

/* At the speed, and with the forces, of the last instant that was looked at. */
static void uncertainty(const pawl_certifier *c, pw_energy_row *row) {
  const pw_probe *p = &c->probe;
  double speed = p->fast, pull = p->pull;
  row->doubt += 2 * c->data.noise * (speed * c->scale.V0 + pull * c->scale.L0);
  row->rub = (pull + pw_scale_share(c)) * speed;
}

/* Simpson's rule misses the fourth term of the power, which follows from the second as terms of the
 * velocities do: by c(k+2)/c(k) = (h rate/4)^2/((k+1)(k+2)), at the end of their series k + 2 = N,
 * here 4. The power is a product, which decays half as fast. */
static double fourth(const pw_energy_row *a, const pw_energy_row *m, const pw_energy_row *b,
                     const pw_curve *x, double fade) {
  double last = x->segment->nodes - 1, early = last * (last - 1) / 12;
  double second = fabs(a->power - 2 * m->power + b->power) / 4;
  return pw_min(4 * fade * fade * early, 1) * second;
}

/* The power of laws in the middle that the acceleration of the polynomial needs, u.(M a - h),
 * beside the power that all has there with forces that are interpolated: in a flight from bounce to
 * bounce both ends have the same forces, and nothing but this shows how they rise in between. */
static double middle_doubt(pawl_certifier *c, const pw_curve *x, double power) {
  pw_own *o = &c->own;
  pw_probe *p = &c->probe;
  const pw_segment *g = x->segment;
  double *momentum = c->room.scratch;
  int nq = c->sys->nq, n = c->sys->nv;
  pw_curve_at(x, 0.5, o->value, o->rate);
  if (!pw_probe_inertia(p, (g->from + g->to) / 2, o->value, o->value + nq)) {
    return 0;
  }
  double sum = pw_probe_power(p);
  pw_probe_lift(p, o->rate + nq, momentum);
  for (int i = 0; i < n; i++) {
    sum += p->speed[i] * (momentum[i] - p->h[i]);
  }
  return fabs(sum - power);
}

enum { SIMPSON_NODES = 6 }; /* up to these Simpson's rule misses little of the power of a step */

/* Simpson's rule is enough where the whole second difference of the power is little beside it, and
 * what the rule misses is little beside what forces too small to be found could do anyway. */
static bool is_faint(const pawl_certifier *c, const pw_energy_row *a, const pw_energy_row *m,
                     const pw_energy_row *b, double rest) {
  double whole = pw_max(a->rub, b->rub), second = fabs(a->power - 2 * m->power + b->power) / 4;
  return second <= PW_SCALE(CERT_SLOW) * whole &&
         PW_SCALE(CERT_MARGIN) * rest <= PW_SCALE(CERT_INNER) * c->opts.tol * whole;
}

/* The mean power of the segment; *doubt: how well the rule knows it. A step of high order is so
 * long that the second difference says little about the fourth: Lobatto's rule with five points
 * sees both, and its difference from Simpson's bounds what it misses itself. */
static double mean_power(pawl_certifier *c, const pw_curve *x, const pw_energy_row *a,
                         const pw_energy_row *m, const pw_energy_row *b, double *doubt) {
  double simpson = (a->power + 4 * m->power + b->power) / 6, blur = 0, fade = c->own.fade;
  double rest = fourth(a, m, b, x, fade);
  if (c->energy.idle || x->segment->nodes <= SIMPSON_NODES || is_faint(c, a, m, b, rest)) {
    *doubt = rest;
    return simpson;
  }
  static const double near = 0.17267316464601143; /* (1 - sqrt(3/7))/2 */
  double inner = power_at(c, x, near, &blur) + power_at(c, x, 1 - near, &blur);
  double lobatto = (9 * (a->power + b->power) + 49 * inner + 64 * m->power) / 180;
  *doubt = fade * fabs(lobatto - simpson);
  return lobatto;
}

/* Between instants far apart, and in the first segment of a piece, the ends do not tell how forces
 * of laws bend. */
static bool ends_tell_little(const pawl_certifier *c, const pw_curve *x) {
  return !c->energy.idle && !c->energy.unaided &&
         (c->own.slope_time == 0 || x->segment->nodes > SIMPSON_NODES);
}

void pw_energy_segment(pawl_certifier *c, const pw_curve *x) {
  pw_thrift *e = &c->energy;
  const pw_segment *g = x->segment;
  double h = g->to - g->from, blur = 0;
  if (c->sys->n_state > 0 || !(c->scale.V0 > 0)) {
    return;
  }
  pw_energy_row a = e->row[0], b = {.t = g->to}, m;
  bool fine = true;
  bool jumps = forces_jump(c, g);
  if (e->n == 0 || c->sys->n_switch > 0 || jumps) { /* sides may have changed */
    a = (pw_energy_row){.t = g->from};
    a.power = power_at(c, x, 0, &blur);
    fine = pw_energy_find(c, &a);
    uncertainty(c, &a);
  }
  m.power = e->idle ? 0 : power_at(c, x, 0.5, &blur);
  b.power = power_at(c, x, 1, &blur);
  fine = fine && pw_energy_find(c, &b) && isfinite(a.power + m.power + b.power);
  if (!fine) {
    pw_energy_cut(c);
    return;
  }
  if (e->n == 0) {
    pw_energy_add(c, &a, &a, 0, 0); /* what all that follows is compared with */
  }
  uncertainty(c, &b);
  double doubt, mean = mean_power(c, x, &a, &m, &b, &doubt);
  if (ends_tell_little(c, x)) {
    blur += middle_doubt(c, x, m.power);
  }
  pw_energy_add(c, &a, &b, h * mean, h * (doubt + blur));
  e->row[0] = b;
  e->n = 1;
  keep_slopes(c, g);
}
