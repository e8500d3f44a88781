// SPDX-License-Identifier: MIT
/* What can be asked at the current point, and starting from another one. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/real.h"
#include "sim/sim_state.h"
#include "sim/trial.h"

pawl_status pw_sim_ready(pawl_sim *sim) {
  if (sim->at.ready) {
    return PAWL_OK;
  }
  pw_mech *m = sim->mech;
  pw_stepper *s = &sim->stepper;
  const double *q = sim->y, *u = sim->y + s->nq;
  int64_t before = m->evaluations;
  pawl_status status = pw_mech_rates(m, sim->t, q, u, s->side);
  if (status == PAWL_OK && sim->method->forces != NULL) {
    sim->method->forces(sim);
  }
  if (status == PAWL_OK) {
    pw_mech_find_dependent(m);
  }

  /* loads that several contacts share */
  bool shares = !(sim->method->forces != NULL && sim->moreau.graph.any);
  if (status == PAWL_OK && shares) {
    status = pw_contacts_forces(&sim->contacts, sim->t, sim->y, m->lambda, m->dependent);
  }

  /* all numbers of the point */
  if (status == PAWL_OK) {
    double quad[PW_QUAD_NAMED];
    pw_stepper_quad(s, sim->y, quad);
    memcpy(sim->at.a, m->a, (size_t)s->nv * sizeof *sim->at.a);
    pw_mech_forces(m, sim->at.force);
    for (int i = 0; i < sim->model->rows.n; i++) {
      int row = sim->sys->index_of[i];
      sim->at.unique[i] = row < 0 || !m->dependent[row];
    }
    pw_mech_outputs(m, sim->t, q, u, s->side, quad, sim->at.u_shown, sim->at.output);
    sim->at.ready = true;
    sim->at.expects = -1;
    sim->at.decided = false;
  }
  sim->row_evaluations += m->evaluations - before;
  return status;
}

pawl_status pawl_sim_point(pawl_sim *sim, pawl_side side, pawl_point *out) {
  if (sim == NULL || out == NULL || (side != PAWL_AFTER && side != PAWL_BEFORE)) {
    return PAWL_E_ARGUMENT;
  }
  pawl_status status = pw_sim_show(sim);
  if (side == PAWL_BEFORE && sim->at_contact && sim->method != &pw_heap_method) {
    const pw_stepper *s = &sim->stepper;
    const double *y = sim->at.before, *a = y + s->n, *force = a + s->nv;
    const double *u = force + sim->model->rows.n;
    *out = (pawl_point){.t = sim->t, .q = y, .u = u, .a = a, .force = force, .output = u + s->nv};
    return status;
  }
  *out = (pawl_point){.t = sim->t,
                      .q = sim->y,
                      .u = sim->at.u_shown,
                      .a = sim->at.a,
                      .force = sim->at.force,
                      .output = sim->at.output};
  return status;
}

pawl_point pw_sim_state(pawl_sim *sim) {
  const pw_stepper *s = &sim->stepper;
  if (!sim->at.ready) { /* outputs without forces: only the velocities are taken from them */
    const double none[PW_QUAD_NAMED] = {0};
    pw_mech_outputs(sim->mech, sim->t, sim->y, sim->y + s->nq, s->side, none, sim->at.u_shown,
                    sim->at.output);
  }
  return (pawl_point){.t = sim->t, .q = sim->y, .u = sim->at.u_shown};
}

static bool is_row(const pawl_sim *sim, int law) {
  return sim != NULL && law >= 0 && law < sim->model->rows.n && sim->sys->index_of[law] >= 0;
}

int pawl_sim_closed(const pawl_sim *sim, int law) {
  if (!is_row(sim, law)) {
    return 0;
  }
  if (sim->at.ready && sim->at.decided) {
    return sim->at.closed[law];
  }
  int first = sim->sys->index_of[law] - sim->sys->nc;
  bool closed = first < 0;
  for (int i = first; i >= 0 && i < sim->sys->ni; i++) { /* any of its kinks */
    unsigned char mode = sim->contacts.mode[i];
    bool same = sim->sys->row_of[sim->sys->nc + i] == law;
    closed = closed || (same && (mode == PW_CLOSED || mode == PW_RESTING));
  }
  return closed;
}

int pawl_sim_indifferent(const pawl_sim *sim, int law) {
  int i = is_row(sim, law) ? sim->sys->index_of[law] - sim->sys->nc : -1;
  return i >= 0 && pw_contacts_indifferent(&sim->contacts, i);
}

int pawl_sim_dof(const pawl_sim *sim) {
  if (sim != NULL && sim->at.ready && sim->at.decided) {
    return sim->at.dof;
  }
  return sim == NULL ? 0 : sim->sys->nv - (sim->mech->imposed == 0 ? 0 : sim->mech->rank);
}

int pawl_sim_force_unique(const pawl_sim *sim, int law) {
  if (sim == NULL || law < 0 || law >= sim->model->rows.n || !sim->at.ready) {
    return 1;
  }
  return sim->at.unique[law];
}

pawl_status pawl_sim_expect(pawl_sim *sim, int i, double *left, double *right) {
  if (sim == NULL || i < 0 || i >= sim->sys->n_expect || left == NULL || right == NULL) {
    return PAWL_E_ARGUMENT;
  }
  pawl_status status = pw_sim_show(sim);
  int group = i / PW_EXPECT_GROUP, place = i % PW_EXPECT_GROUP;
  if (sim->at.expects != group) {
    const pw_stepper *s = &sim->stepper;
    double quad[PW_QUAD_NAMED];
    pw_stepper_quad(s, sim->y, quad);
    pw_mech_expect(sim->mech, group, sim->t, sim->y, sim->y + s->nq, s->side, sim->at.a,
                   sim->at.force, quad, sim->at.expect);
    sim->at.expects = status == PAWL_OK ? group : -1;
  }
  *left = sim->at.expect[2 * place];
  *right = sim->at.expect[2 * place + 1];
  return status;
}

/* T + V - start = works - lost, up to the error of the integration. */
pawl_status pawl_sim_energy(pawl_sim *sim, pawl_energy *out, double *works) {
  if (sim == NULL || out == NULL) {
    return PAWL_E_ARGUMENT;
  }
  const pw_stepper *s = &sim->stepper;
  const double *z = sim->y + s->nq + s->nv;
  double energy[3];
  pw_mech_energy(sim->mech, sim->t, sim->y, sim->y + s->nq, s->side, energy);
  *out = (pawl_energy){
      .kinetic = energy[0], .potential = energy[1], .start = sim->energy.total, .action = z[0]};
  out->scale = pw_max(sim->energy.scale, energy[0] + fabs(energy[1] - sim->energy.potential));
  out->push = pow(sim->mech->pull * s->h, 2) / 2;
  double balance = energy[0] + energy[1] - sim->energy.total;
  for (int k = 0; k < sim->sys->n_work; k++) {
    const pw_work *w = &sim->sys->work[k];
    sim->at.works[k] = z[1 + k] + (w->is_time ? energy[2] - sim->energy.gyro : 0);
    balance += w->lost ? sim->at.works[k] : -sim->at.works[k];
    out->lost += w->lost ? sim->at.works[k] : 0;
    if (works != NULL) {
      works[k] = sim->at.works[k];
    }
  }
  out->unexplained = balance;
  return isfinite(balance) ? PAWL_OK : PAWL_E_NAN;
}

/* ---- another start ---- */

static void load(pawl_sim *sim, const double *q, const double *u, const double *multipliers) {
  pw_stepper *s = &sim->stepper;
  double *y = s->y;
  memcpy(y, q, (size_t)sim->model->nq * sizeof *y);
  memcpy(y + sim->model->nq,
         multipliers != NULL ? multipliers : sim->system->start.q + sim->model->nq,
         (size_t)sim->sys->n_state * sizeof *y);
  memcpy(y + s->nq, u, (size_t)s->nv * sizeof *y);
  for (int c = 0; c < sim->model->coords.n; c++) {
    const pw_coord *k = &sim->model->coords.items[c];
    if (k->is_rotation) {
      double size = sqrt(q[k->q] * q[k->q] + q[k->q + 1] * q[k->q + 1] + q[k->q + 2] * q[k->q + 2] +
                         q[k->q + 3] * q[k->q + 3]);
      for (int i = 0; i < 4; i++) {
        y[k->q + i] = q[k->q + i] / size;
      }
      pw_mech_into_body(y + k->q, u + k->u, y + s->nq + k->u);
    }
  }
}

static pawl_status make_consistent(pawl_sim *sim, double t) {
  pw_stepper *s = &sim->stepper;
  pw_mech *m = sim->mech;
  double *q = s->y, *u = s->y + s->nq;
  pawl_status status = PAWL_OK;
  for (int k = 0; k < 2 && status == PAWL_OK; k++) { /* sides may change by the projection */
    if (sim->sys->n_switch > 0) {
      status = pw_start_sides(m, t, q, u, s->side, sim->surfaces.watch.scan.w);
    }
    if (status == PAWL_OK) {
      status = pw_mech_rates(m, t, q, u, s->side);
    }
    if (status == PAWL_OK) {
      status = pw_mech_project_q(m, t, q, s->side, 0, s->work.e_x);
    }
    if (status == PAWL_OK) {
      status = pw_mech_project_u(m, t, q, u, s->side, 0, s->work.e_u);
    }
  }
  if (status == PAWL_OK && sim->sys->tick.n > 0) {
    status = pw_start_signals(m, t, q, u, s->side, sim->surfaces.watch.scan.w);
  }
  return status;
}

pawl_status pw_sim_restart(pawl_sim *sim, double t, const double *q, const double *u,
                           const double *multipliers, bool as_stated, pawl_diags *diags) {
  load(sim, q, u, multipliers);
  for (int i = 0; i < sim->sys->ni; i++) {
    sim->touching[i] = as_stated && pw_starts_closed(sim->sys, i);
  }
  pw_mech_close(sim->mech, sim->touching);
  pawl_status status = make_consistent(sim, t);
  if (status != PAWL_OK) {
    pw_mech_report(sim->mech, &sim->mech->fault, t, true, diags);
    return PAWL_E_START;
  }
  return pw_sim_begin(sim, t, as_stated, diags);
}

pawl_status pw_sim_start_as_stated(pawl_sim *sim, pawl_diags *diags) {
  const pw_start *from = &sim->system->start;
  if (sim->opts.from != from->t) { /* solved for another time */
    return pw_sim_restart(sim, sim->opts.from, from->q, sim->system->u_shown, NULL, true, diags);
  }
  pw_stepper_place(&sim->stepper, from->q, from->u, sim->sys->n_switch > 0 ? from->side : NULL);
  return pw_sim_begin(sim, from->t, true, diags);
}

pawl_status pawl_sim_start(pawl_sim *sim, double t, const double *q, const double *u,
                           pawl_diags *diags) {
  return pawl_sim_start_with(sim, t, q, u, NULL, diags);
}

pawl_status pawl_sim_start_with(pawl_sim *sim, double t, const double *q, const double *u,
                                const double *multipliers, pawl_diags *diags) {
  pw_conditions plain = pw_conditions_plain();
  return pw_sim_start_trial(sim, &plain, t, q, u, multipliers, diags);
}
