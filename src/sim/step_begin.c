// SPDX-License-Identifier: MIT
/* The memory of a stepper, and where it begins: first state, first step. */
#include <math.h>
#include <string.h>

#include "linalg/dense.h"
#include "sim/radau.h"
#include "sim/step_inner.h"

/* ---- memory ---- */

size_t pw_stepper_size(const pw_system *sys, const pw_rk_method *method) {
  size_t n = (size_t)(sys->nq + sys->nv + sys->nz), nv = (size_t)sys->nv;
  return 2 * pw_rk_size(method, (int)n) + pw_pass_size((int)n, sys->nv) + pw_control_size(sys->nv) +
         4 * n + 8 * nv + (size_t)sys->n_switch + (size_t)sys->model->signals.n +
         pw_mech_metric_size(sys) + 2 * (size_t)sys->model->rows.n;
}

void pw_stepper_init(pw_stepper *s, const pw_rk_method *method, double tol, double *memory) {
  const pw_system *sys = s->mech->sys;
  s->method = method;
  s->nq = sys->nq;
  s->nv = sys->nv;
  s->n = sys->nq + sys->nv + sys->nz;
  s->projects = sys->nr > 0 || sys->nq > sys->nv;
  s->ahead.patience = PW_PATIENCE;

  /* parts with memory of their own size */
  double *at = memory;
  pw_rk_init(&s->rk, method, s->n, at, pw_stepper_motion, s);
  at += pw_rk_size(method, s->n);
  pw_rk_init(&s->probe, method, s->n, at, pw_stepper_motion, s);
  at += pw_rk_size(method, s->n);
  s->rk.inner = s->probe.inner = pw_stepper_inner;
  s->rk.reads = s->probe.reads = s->nq + s->nv;
  pw_pass_init(&s->pass, s->n, s->nv, at);
  at += pw_pass_size(s->n, s->nv);
  pw_control_init(&s->control, s->nv, tol, at);
  at += pw_control_size(s->nv);

  /* arrays */
  struct {
    double **array;
    int n;
  } parts[] = {{&s->y, s->n},
               {&s->f, s->n},
               {&s->delta, s->n},
               {&s->work.error, s->n},
               {&s->work.x0, s->nv},
               {&s->work.x1, s->nv},
               {&s->work.e_x, s->nv},
               {&s->work.e_u, s->nv},
               {&s->work.flow, 4 * s->nv},
               {&s->side, sys->n_switch},
               {&s->largest, sys->model->signals.n},
               {&s->metric, (int)pw_mech_metric_size(sys)},
               {&s->force, 2 * sys->model->rows.n}};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    *parts[i].array = at;
    at += parts[i].n;
  }
}

/* ---- start ---- */

void pw_stepper_note(pw_stepper *s) {
  pw_stepper_note_signals(s);
  pw_stepper_positions(s, s->y, s->work.x1);
  pw_control_note(&s->control, s->work.x1, s->y + s->nq, s->energy[0],
                  s->energy[0] + fabs(s->energy[1]));
  s->hold.redundant = s->hold.redundant || s->mech->rank < s->mech->imposed;
}

/* (x', u') of a derivative of y. */
static void flow_of(const pw_stepper *s, const double *y, const double *f, double *flow) {
  pw_mech_to_v(s->mech, y, f, flow);
  memcpy(flow + s->nv, f + s->nq, (size_t)s->nv * sizeof *flow);
}

static void first_step(pw_stepper *s) {
  const double *mass = s->mech->mass;
  double *f0 = s->work.flow, *f1 = s->work.flow + 2 * s->nv;
  flow_of(s, s->y, s->f, f0);
  double probe = pw_control_probe(&s->control, mass, s->work.x1, f0, s->range.span);
  for (int i = 0; i < s->n; i++) {
    s->work.error[i] = s->y[i] + probe * s->f[i];
  }
  s->h_next = probe;
  if (pw_stepper_motion(s, s->t + probe, s->work.error, s->delta) == PAWL_OK) {
    flow_of(s, s->y, s->delta, f1);
    s->h_next =
        pw_control_first(&s->control, s->method, mass, s->work.x1, f0, f1, probe, s->range.span);
  }
  memset(s->delta, 0, (size_t)s->n * sizeof *s->delta);
}

void pw_stepper_map(pw_stepper *s, pw_rk_map map, void *ctx) {
  s->rk.map = s->probe.map = map;
  s->rk.map_ctx = s->probe.map_ctx = ctx;
}

void pw_stepper_propose(pw_stepper *s, double h) {
  s->h_next = h;
}

pawl_status pw_stepper_fail(pw_stepper *s, pw_fault fault) {
  s->fault = fault;
  return fault.status;
}

pawl_status pw_stepper_begin(pw_stepper *s, double t) {
  s->t = s->range.start = t;
  s->rk.t = t;
  s->rk.h = 0;
  s->count.taken = s->count.rejected = 0;

  /* the pair of formulas: asked for, or the one for this tolerance */
  pw_choice_begin(&s->choice, s->control.tol);
  s->choice.pair = s->choice.open                 ? s->choice.pair
                   : s->method == &pw_radau_table ? PW_PAIR_IMPLICIT
                   : s->method == &pw_dop853      ? PW_PAIR_HIGH
                                                  : PW_PAIR_LOW;
  pw_stepper_use(s, s->choice.pair);

  /* nothing is known of the way ahead */
  s->noisy = 0;
  s->ahead.clear = -INFINITY;
  s->hold.redundant = false;
  s->sight.unseen = (pw_unseen){0};
  s->pass.on = false;
  s->pass.reach = INFINITY;

  /* the motion at the start: dependent rows, energies, scales of the error */
  pawl_status status = pw_stepper_decide(s);
  if (status != PAWL_OK) {
    return status;
  }
  memcpy(s->rk.y0, s->y, (size_t)s->n * sizeof *s->y);
  pw_stepper_energies(s, t, s->y);
  pw_stepper_positions(s, s->y, s->work.x1);
  pw_control_reset(&s->control, s->work.x1, s->y + s->nq, s->energy[0],
                   s->energy[0] + fabs(s->energy[1]));

  /* the first step, from the change of the derivative over a short probe */
  pw_stepper_note(s);
  first_step(s);
  return PAWL_OK;
}

/* ---- machine code ---- */

/* All stages and the end; or those before the one that leaves sizes and forces behind (rk.c). */
static pw_stage_table code_of(const pw_rk_method *m) {
  bool whole = m->error_uses_end;
  return (pw_stage_table){
      .count = whole ? m->stages - 1 : m->stages - 2, .end = whole, .c = m->c, .a = m->a};
}

static int run_code(void *ctx, const pw_rk *rk) {
  pw_stepper *s = ctx;
  bool done = rk->method == s->code.method &&
              pw_stages_run(s->code.stages, s->mech, rk->t, rk->h, rk->y0, s->side, rk->k, rk->y1);
  pw_stage_table table = code_of(rk->method);
  return done ? table.count + 1 + table.end : 1;
}

/* To write the code takes as long as about 1200 steps gain by it (pendulums of 2 to 6 links). The
 * first step of a motion tells their number within a factor of 3. */
enum { STEPS_WORTH_CODE = 500 };

void pw_stepper_write_code(pw_stepper *s) {
  const pw_rk_method *m = s->method;
  bool explicit = m->a != NULL && s->rk.map == NULL;
  if (explicit && s->range.span > STEPS_WORTH_CODE * s->h_next && pw_stages_fit(s->mech)) {
    s->code = (pw_step_code){.stages = pw_stages_new(s->mech, code_of(m)), .method = m};
    s->rk.stages = s->probe.stages = s->code.stages != NULL ? run_code : NULL;
  }
}

/* Coordinates without inertia take the rates that the forces of the new piece give them,
 * engineering (E4), (E5). No other velocity changes: in the metric of M, which has the square of
 * the balance, they alone can meet it at no cost. */
static pawl_status balance(pw_stepper *s) {
  pawl_status status =
      pw_mech_project_u(s->mech, s->t, s->y, s->y + s->nq, s->side, 0, s->work.e_u);
  return status == PAWL_OK ? pw_stepper_decide(s) : status;
}

void pw_stepper_place(pw_stepper *s, const double *q, const double *u, const double *side) {
  if (q != NULL) {
    pw_copy(s->y, q, s->nq);
  }
  if (u != NULL) {
    pw_copy(s->y + s->nq, u, s->nv);
  }
  if (side != NULL) {
    pw_copy(s->side, side, s->mech->sys->n_switch);
  }
}

void pw_stepper_set(pw_stepper *s, int i, double value) {
  s->y[i] = value;
}

void pw_stepper_turn(pw_stepper *s, int k, double side) {
  s->side[k] = side;
}

pawl_status pw_stepper_restart(pw_stepper *s) {
  s->ahead.clear = -INFINITY; /* another piece of the model, another course in time */
  pawl_status status = pw_stepper_decide(s);
  return status == PAWL_OK && s->mech->sys->trait.balances ? balance(s) : status;
}
