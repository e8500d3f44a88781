// SPDX-License-Identifier: MIT
/* Values of the potentials of Glocker 1998: V(q); the velocity potential Phi, (4.6) for laws on
 * positions, the sup of -force.rate over the set of the position, and (10.1) for laws on
 * velocities, the integral of -force over the slip; the acceleration potential Psi, (4.9), (6.10).
 * gauss (A2) to (A4). */
#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_mech.h"
#include "law/scale_static.h"
#include "linalg/dense.h"
#include "mech/handle.h"
#include "static/gauss.h"
#include "system/view.h"

enum { PANELS = 32, NODES = 3 };
/* Gauss' nodes in 0..1, order 6. */
static const double node[NODES] = {0.1127016653792583, 0.5, 0.8872983346207417};
static const double weight[NODES] = {5.0 / 18, 8.0 / 18, 5.0 / 18};

typedef struct slip { /* the way of the velocities from no slip to the present one */
  pawl_gauss *g;
  int row;
  double *from, *u, *graph;
  double rate; /* of the row at the present velocity, in its own units */
} slip;

static pw_law_row row_at(const slip *s, double part) {
  pawl_gauss *g = s->g;
  for (int k = 0; k < g->f.n; k++) {
    s->u[k] = s->from[k] + part * (g->u[k] - s->from[k]);
  }
  pw_mech_graphs(g->mech, g->t, g->q, s->u, g->side, s->graph, NULL);
  return pw_view_law(g->sys, (pw_law_view){.graph = s->graph}, s->row - g->sys->nc);
}

/* -force times the whole slip at a part of it. */
static double power_at(const slip *s, double part) {
  pw_law_row row = row_at(s, part);
  const pw_static_row *r = &s->g->row[s->row];
  if (r->plane >= 0) {
    return pw_law_radius(&row, false) * pw_length(s->g->f.value + s->row, row.form->width);
  }
  double rest = -row.form->unit * row.form->shift;
  double value = rest + part * s->rate; /* of the row, whose kink is at 0 */
  return -pw_law_force_beside(&row, value < 0 ? -1 : 1) * s->rate;
}

static double integrate(const slip *s, double from, double to) {
  double sum = 0, width = (to - from) / PANELS;
  for (int i = 0; i < PANELS; i++) {
    for (int k = 0; k < NODES; k++) {
      sum += weight[k] * width * power_at(s, from + (i + node[k]) * width);
    }
  }
  return sum;
}

/* A slip along a line: both sides of its kink apart. */
static double on_line(slip *s) {
  pawl_gauss *g = s->g;
  const pw_law_form *form = &g->sys->row[s->row];
  double rest = -form->unit * form->shift;
  s->rate = g->f.value[s->row] - rest;
  if (s->rate == 0 || !(g->f.length[s->row] > 0)) {
    return 0;
  }
  memcpy(s->from, pw_static_column(g, s->row), (size_t)g->f.n * sizeof *s->from);
  pw_frame_back(&g->f, s->from);
  for (int k = 0; k < g->f.n; k++) {
    s->from[k] = g->u[k] - s->from[k] * s->rate / g->f.length[s->row];
  }
  double kink = -rest / s->rate;
  return kink > 0 && kink < 1 ? integrate(s, 0, kink) + integrate(s, kink, 1) : integrate(s, 0, 1);
}

static double of_slip(pawl_gauss *g, int i, slip *s) {
  s->row = i;
  if (g->row[i].plane >= 0) {
    bool slides = g->row[i].plane == i && g->row[i].sign.value != 0;
    return slides && pw_static_hold_plane(g, i, s->from) ? integrate(s, 0, 1) : 0;
  }
  return on_line(s);
}

/* Walls on velocities and equalities hold: their indicators are zero. */
static double of_row(pawl_gauss *g, int i, slip *s) {
  const pw_law_form *form = &g->sys->row[i];
  if (form->equality || form->kind == PW_KIND_ROUGH || (form->on_velocity && form->wall)) {
    return 0;
  }
  if (form->on_velocity) {
    return of_slip(g, i, s);
  }
  const pw_static_row *r = &g->row[i];
  if (r->sign.value != 0) {
    return -pw_static_beside(r, PAWL_RIGHT) * g->f.rate[i];
  }
  double back = -g->f.rate[i];
  return r->sign.rate == 0 ? 0 : pw_law_set_support(&r->set, &back, NULL);
}

double *pw_static_dissipations(pawl_gauss *g) {
  int n = g->f.n + 1;
  slip s = {.g = g,
            .from = PW_TAKE(&g->arena, n, double),
            .u = PW_TAKE(&g->arena, n, double),
            .graph = PW_TAKE(&g->arena, 2 * g->sys->ni + 1, double)};
  double *out = PW_TAKE(&g->arena, g->sys->nr + 1, double);
  for (int i = g->sys->nc; i < g->sys->nr; i++) {
    out[i] = of_row(g, i, &s);
  }
  return out;
}

double pw_static_potential(const pawl_gauss *g) {
  double energy[3];
  pw_mech_energy(g->mech, g->t, g->q, g->u, g->side, energy);
  return energy[1];
}

/* ---- accelerations ---- */

/* Rows away from their kinks act in the free acceleration. */
static bool is_settled(const pw_static_row *r) {
  return !r->law.form->equality && r->law.form->on < 0 && !r->sign.at_kink;
}

/* Support function of the set of a row, or of a slip, at -y. */
static double psi_of(const pawl_gauss *g, const pw_law_set *set, const double *y, double tiny,
                     int i) {
  int n = pw_law_set_dimension(&set[i]);
  if (is_settled(&g->row[i]) || (n > 1 && g->row[i].plane != i)) {
    return 0;
  }
  double back[PW_LAW_MOST];
  for (int k = 0; k < n; k++) {
    back[k] = -y[i + k];
  }
  bool still = pw_length(back, n) <= tiny * g->f.length[i];
  return still ? 0 : pw_law_set_support(&set[i], back, NULL);
}

double pw_static_psi(const pawl_gauss *g, const pw_law_set *set, const double *y, double tiny,
                     int *row) {
  double sum = 0;
  *row = -1;
  for (int i = 0; i < g->sys->nr; i++) {
    if (!pw_static_leads(g, i)) {
      continue;
    }
    double part = psi_of(g, set, y, tiny, i);
    for (int k = pw_static_next_coupled(g, i); k >= 0; k = pw_static_next_coupled(g, k)) {
      part = fmax(part, psi_of(g, set, y, tiny, k));
    }
    *row = isinf(part) && *row < 0 ? i : *row;
    sum += part;
  }
  return sum;
}

static double phi_of(const pawl_gauss *g, const pw_static_solution *x) {
  double sum = 0;
  for (int i = g->sys->nc; i < g->sys->nr; i++) {
    bool coulomb = g->sys->row[i].on >= 0;
    double part = g->dissipation[i] * (coulomb ? fmax(x->lambda[g->row[i].on], 0) : 1);
    for (int k = pw_static_next_coupled(g, i); k >= 0; k = pw_static_next_coupled(g, k)) {
      part = fmax(part, g->dissipation[k]);
    }
    sum += pw_static_leads(g, i) ? part : 0;
  }
  return sum;
}

pawl_gauss_potentials pawl_gauss_potentials_get(const pawl_gauss *g, int solution) {
  if (g == NULL || solution < 0 || solution >= g->when[PAWL_RIGHT].count) {
    return (pawl_gauss_potentials){g == NULL ? NAN : g->V, NAN, NAN, NAN};
  }
  const pw_static_solution *x = &g->when[PAWL_RIGHT].item[solution];
  int row;
  double psi = pw_static_psi(g, g->set[solution][PAWL_VELOCITY], x->y,
                             PW_SCALE(SAME_MOTION) * g->scale, &row);
  return (pawl_gauss_potentials){g->V, phi_of(g, x), psi, x->measure + psi};
}
