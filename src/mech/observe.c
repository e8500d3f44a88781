// SPDX-License-Identifier: MIT
/* Functions of the state that do not drive the motion: energies, switching and event functions,
 * outputs, expectations. */
#include <string.h>

#include "linalg/dense.h"
#include "mech/series.h"
#include "mech/work.h"
#include "system/ties.h"

void pw_mech_energy(pw_mech *m, double t, const double *q, const double *u, const double *side,
                    double energy[3]) {
  pw_mech_input(m, t, q, u, side);
  pw_program_run(m, &m->w->tape.energy);
  memcpy(energy, m->w->tape.energy.out, 3 * sizeof *energy);
}

void pw_mech_momenta(pw_mech *m, double t, const double *q, const double *u, const double *side,
                     double *p) {
  pw_mech_input(m, t, q, u, side);
  pw_program_run(m, &m->w->tape.momentum);
  pw_copy(p, m->w->tape.momentum.out, m->sys->nv);
}

void pw_mech_gaps(pw_mech *m, double t, const double *q, const double *u, const double *side,
                  double *value) {
  pw_mech_input(m, t, q, u, side);
  pw_program_run(m, &m->w->tape.gap);
  pw_copy(value, m->w->tape.gap.out, m->sys->ni);
}

const double *pw_mech_law_slope(pw_mech *m, double t, const double *q, const double *u,
                                const double *side, int law) {
  pw_mech_input(m, t, q, u, side);
  pw_program_run(m, &m->w->tape.contact);
  return m->w->tape.contact.out + pw_view_law_at(m->sys, law, PW_VIEW_HEAD);
}

const double *pw_mech_velocity_row(pw_mech *m, double t, const double *q, const double *u,
                                   const double *side, int row) {
  pw_mech_input(m, t, q, u, side);
  pw_program_run(m, &m->w->tape.velocity);
  return pw_mech_row(m, m->w->tape.velocity.out + m->sys->nc, row);
}

void pw_mech_graphs(pw_mech *m, double t, const double *q, const double *u, const double *side,
                    double *left_right, double *limit) {
  pw_mech_input(m, t, q, u, side);
  pw_program_run(m, &m->w->tape.graph);
  pw_copy(left_right, m->w->tape.graph.out, 2 * m->sys->ni);
  if (limit != NULL) {
    pw_program_run(m, &m->w->tape.clause);
    pw_copy(limit, m->w->tape.clause.out + pw_view_limit_at(m->sys, 0), m->sys->ni);
  }
}

double pw_mech_side_force(const pw_mech *m, int law) {
  return pw_mech_on_segment(m, law) ? m->lambda[m->sys->nc + law] : 0;
}

void pw_mech_forces(const pw_mech *m, double *force) {
  pw_mech_vary_forces(m, m->lambda, m->w->in + m->sys->offset[PW_VAR_Q], force);
}

void pw_mech_state_forces(const pw_mech *m, const double *q, double *force) {
  const pw_system *s = m->sys;
  for (int k = 0; k < s->n_state; k++) {
    force[s->row_of[s->state_row[k]]] = q[s->nq - s->n_state + k];
  }
}

void pw_mech_restitution(pw_mech *m, double t, const double *q, const double *u, const double *side,
                         double *e) {
  pw_mech_input(m, t, q, u, side);
  pw_program_run(m, &m->w->tape.clause);
  pw_copy(e, m->w->tape.clause.out, m->sys->ni);
}

void pw_mech_phases(pw_mech *m, double t, const double *q, const double *u, const double *side,
                    double *phase) {
  pw_mech_input(m, t, q, u, side);
  pw_program_run(m, &m->w->tape.clause);
  for (int i = 0; i < m->sys->ni; i++) {
    double own = m->w->tape.clause.out[pw_view_phase_at(m->sys, i)];
    phase[i] = pw_law_has_phase(&m->sys->law[i]) ? own : 0;
  }
}

/* A switching function of a force is that of the motion; where there is none it is no number. */
static void run_sides(pw_mech *m, double t, const double *q, const double *u, const double *side) {
  if (m->sys->trait.sides_use_forces && pw_mech_rates(m, t, q, u, side) != PAWL_OK) {
    pw_mech_spoil_loads(m);
  }
  pw_mech_input(m, t, q, u, side);
  pw_program_run(m, &m->w->tape.sides);
}

void pw_mech_sides(pw_mech *m, double t, const double *q, const double *u, const double *side,
                   double *c) {
  run_sides(m, t, q, u, side);
  pw_copy(c, m->w->tape.sides.out, m->sys->n_switch);
}

void pw_mech_all_sides(pw_mech *m, double t, const double *q, const double *u, const double *side,
                       double *c) {
  run_sides(m, t, q, u, side);
  pw_copy(c, m->w->tape.sides.out, m->sys->n_sides);
}

bool pw_mech_settle(pw_mech *m, double t, const double *q, const double *u, double *side) {
  const pw_program *p = &m->w->tape.ties;
  if (m->sys->tie.n == 0) {
    return false;
  }
  pw_mech_input(m, t, q, u, side);
  bool changed = pw_ties_settle(m->sys, m->w->in, p->reg, p->out);
  pw_copy(side, m->w->in + m->sys->offset[PW_VAR_MODE], m->sys->n_switch);
  return changed;
}

int pw_mech_crossed(pw_mech *m, double t, const double *q, const double *u, const double *side,
                    double *depth) {
  if (m->sys->tie.n == 0) {
    return -1;
  }
  pw_mech_input(m, t, q, u, side);
  pw_program_run(m, &m->w->tape.ties);
  return pw_ties_crossed(m->sys, m->w->tape.ties.out, depth);
}

void pw_mech_signals(pw_mech *m, double t, const double *q, const double *u, const double *side,
                     double *value) {
  pw_mech_input(m, t, q, u, side);
  pw_program_run(m, &m->w->tape.signal);
  pw_copy(value, m->w->tape.signal.out, m->sys->tick.n);
}

/* q'' = F u' + F' u; for a rotation F' u = (q' o (0, W)) / 2, which is q_rate of q'. */
static void position_acceleration(const pw_mech *m, const double *q, const double *u, double *out) {
  const pw_model *model = m->sys->model;
  pw_mech_to_q(m, q, m->a, out);
  for (int c = 0; c < model->coords.n; c++) {
    const pw_coord *k = &model->coords.items[c];
    if (k->is_rotation) {
      double turn[4];
      pw_quaternion_rate(m->q_rate + k->q, u + k->u, turn);
      for (int i = 0; i < 4; i++) {
        out[k->q + i] += turn[i];
      }
    }
  }
}

void pw_mech_side_jets(pw_mech *m, double t, const double *q, const double *u, const double *side,
                       double *jet) {
  const pw_system *s = m->sys;
  double *in = m->w->jet_in;
  memset(in, 0, 3 * (size_t)s->n_in * sizeof *in);
  in[3 * s->offset[PW_VAR_TIME]] = t;
  in[3 * s->offset[PW_VAR_TIME] + 1] = 1;
  position_acceleration(m, q, u, m->w->dq);
  for (int i = 0; i < s->nq; i++) {
    double *x = in + 3 * (s->offset[PW_VAR_Q] + i);
    x[0] = q[i];
    x[1] = m->q_rate[i];
    x[2] = m->w->dq[i] / 2;
  }
  for (int i = 0; i < s->nv; i++) {
    double *x = in + 3 * (s->offset[PW_VAR_U] + i);
    x[0] = u[i];
    x[1] = m->a[i];
  }
  for (int k = 0; k < s->n_switch; k++) {
    in[3 * (s->offset[PW_VAR_MODE] + k)] = side[k];
  }
  for (int k = 0; k < s->load.n;
       k++) { /* their rates are omitted: the motion decides whether they are zero */
    int at = s->offset[PW_VAR_FORCE] + s->row_of[s->load.row[k]];
    in[3 * at] = m->w->in[at];
  }
  pw_tape_jet(s->tape.sides, 2, in, m->w->jet_work, jet);
}

/* Accelerations and forces of the last pw_mech_rates, and the integrals, as tape input. */
/* Accelerations and forces of the last pw_mech_rates. */
static void reaction_input(pw_mech *m, const double quad[PW_QUAD_NAMED]) {
  const pw_system *s = m->sys;
  double *in = m->w->in;
  pw_copy(in + s->offset[PW_VAR_A], m->a, s->nv);
  pw_mech_forces(m, in + s->offset[PW_VAR_FORCE]);
  memcpy(in + s->offset[PW_VAR_QUAD], quad, PW_QUAD_NAMED * sizeof *in);
}

void pw_mech_stand(pw_mech *m, double t, const double *q, const double *u, const double *side) {
  pw_mech_input(m, t, q, u, side);
}

void pw_mech_show_results(pw_mech *m, const double quad[PW_QUAD_NAMED]) {
  reaction_input(m, quad);
}

void pw_mech_vary_forces(const pw_mech *m, const double *dlambda, const double *dq, double *force) {
  const pw_system *s = m->sys;
  pw_zero(force, s->model->rows.n);
  for (int i = 0; i < s->nr; i++) {
    force[s->row_of[i]] += pw_law_force(&s->row[i], m->sense[i] * dlambda[i]);
  }
  pw_mech_state_forces(m, dq, force);
}

void pw_mech_impulses(pw_mech *m, const double *impulse) {
  const pw_system *s = m->sys;
  pw_copy(m->w->in + s->offset[PW_VAR_IMPULSE], impulse, s->model->rows.n);
}

pawl_status pw_mech_roots(pw_mech *m, double t, const double *q, const double *u,
                          const double *side, const double quad[PW_QUAD_NAMED], double *w) {
  if (m->sys->root.use_forces) {
    pawl_status status = pw_mech_rates(m, t, q, u, side);
    if (status != PAWL_OK) {
      return status;
    }
  }
  pw_mech_input(m, t, q, u, side);
  reaction_input(m, quad);
  pw_program_run(m, &m->w->tape.roots);
  pw_copy(w, m->w->tape.roots.out, m->sys->root.n);
  return PAWL_OK;
}

void pw_mech_outputs(pw_mech *m, double t, const double *q, const double *u, const double *side,
                     const double quad[PW_QUAD_NAMED], double *u_shown, double *out) {
  const pw_system *s = m->sys;
  pw_mech_input(m, t, q, u, side);
  reaction_input(m, quad);
  pw_program_run(m, &m->w->tape.output);
  pw_copy(u_shown, m->w->tape.output.out, s->nv);
  pw_copy(out, m->w->tape.output.out + s->nv, s->n_out);
}

void pw_mech_expect(pw_mech *m, int group, double t, const double *q, const double *u,
                    const double *side, const double *a, const double *force,
                    const double quad[PW_QUAD_NAMED], double *left_right) {
  const pw_system *s = m->sys;
  const pw_program *p = &m->w->tape.expect[group];
  double *in = m->w->in;
  pw_mech_input(m, t, q, u, side);
  pw_copy(in + s->offset[PW_VAR_A], a, s->nv);
  pw_copy(in + s->offset[PW_VAR_FORCE], force, s->model->rows.n);
  memcpy(in + s->offset[PW_VAR_QUAD], quad, PW_QUAD_NAMED * sizeof *in);
  pw_program_run(m, p);
  memcpy(left_right, p->out, (size_t)pw_tape_outputs(p->tape) * sizeof *left_right);
}
