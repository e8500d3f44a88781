// SPDX-License-Identifier: MIT
/* The equations of a step by fixed points: forces and rows of the midpoint for the last velocities,
 * then percussions that bring the rates at the end to their laws. Delassus' matrix is that of the
 * midpoint, the rates are those of the end, so the limit is exact. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "law/scale_sim.h"
#include "law/scale_solve.h"
#include "linalg/dense.h"
#include "sim/moreau.h"
#include "sim/split.h"

static const double stalls = 0.9; /* ratio of changes: beyond it a round gains nothing */
enum { MAX_ROUNDS = 100, PATIENCE = 25, MAX_PROJECTIONS = 12 };

static pw_stepper *stepper_of(const pw_moreau *x) {
  return x->contacts->watch.s;
}

/* ---- equalities: rows that depend on others are left to these ---- */

/* Takes rows from..to-1 by decreasing length beyond those taken (modified Gram-Schmidt). */
static int take_longest(pw_moreau *x, int from, int to, int nc, int taken, int limit) {
  int n = x->end.n;
  while (taken < limit) {
    int best = -1;
    double longest = PW_SCALE(MOREAU_DEPENDENT);

    /* The longest remainder; below the limit it is dependent on rows already taken. */
    for (int i = from; i < to; i++) {
      double length = pw_norm2(x->columns + (size_t)i * (size_t)n, n);
      if (!x->independent[i] && length > longest) {
        best = i;
        longest = length;
      }
    }
    if (best < 0) {
      return taken;
    }

    /* Make it a unit vector, and take its direction out of all other rows. */
    double *b = x->columns + (size_t)best * (size_t)n;
    for (int k = 0; k < n; k++) {
      b[k] /= longest;
    }
    for (int i = from; i < nc; i++) {
      double *a = x->columns + (size_t)i * (size_t)n;
      if (i != best && !x->independent[i]) {
        pw_axpy(-pw_dot(a, b, n), b, a, n);
      }
    }
    x->independent[best] = 1;
    taken++;
  }
  return taken;
}

void pw_moreau_choose(pw_moreau *x) {
  const pw_mech *m = stepper_of(x)->mech;
  const pw_system *sys = m->sys;
  memset(x->independent, 0, (size_t)sys->nc);
  memcpy(x->columns, x->end.A, (size_t)sys->nv * (size_t)sys->nc * sizeof *x->columns);
  int taken = take_longest(x, 0, sys->np, sys->nc, 0, m->rank_q);
  (void)take_longest(x, sys->np, sys->nc, sys->nc, taken, m->rank);
}

/* ---- velocities ---- */

static pawl_status look_at_middle(pw_moreau *x, const pw_rk *rk) {
  pw_stepper *s = stepper_of(x);
  pawl_status status =
      pw_mech_frame(s->mech, rk->t + rk->h / 2, x->q_mid, x->v, s->side, x->mid_memory, &x->mid);
  memcpy(x->z_rate, s->mech->z_rate, (size_t)s->mech->sys->nz * sizeof *x->z_rate);
  return status;
}

static pawl_status look_at_end(pw_moreau *x, double t) {
  pw_stepper *s = stepper_of(x);
  return pw_mech_frame(s->mech, t, x->q1, x->u1, s->side, x->end_memory, &x->end);
}

/* du += L^-1 Phi P */
static void add_percussions(pw_moreau *x) {
  const pw_frame *f = &x->mid;
  for (int i = 0; i < f->m; i++) {
    double length;
    const double *column = pw_moreau_column(f, i, &length);
    if (x->P[i] != 0) {
      pw_axpy(length * x->P[i], column, x->du, f->n);
    }
  }
}

/* The step with the forces of the midpoint and the present percussions, right after
 * look_at_middle. Returns the size of the change of u1, sqrt(sum M_ii du_i^2). */
static double advance(pw_moreau *x, const pw_rk *rk) {
  const pw_stepper *s = stepper_of(x);
  const pw_frame *f = &x->mid;
  const double *q0 = rk->y0, *u0 = rk->y0 + s->nq;
  double change = 0;
  for (int k = 0; k < f->n; k++) {
    x->du[k] = rk->h * f->c_force[k];
  }
  add_percussions(x);
  pw_frame_back(f, x->du);
  for (int k = 0; k < f->n; k++) {
    double moved = u0[k] + x->du[k] - x->u1[k];
    change += s->mech->mass[k] * moved * moved;
    x->u1[k] = u0[k] + x->du[k];
    x->v[k] = u0[k] + x->du[k] / 2;
  }
  pw_mech_to_q(s->mech, x->q_mid, x->v, x->dq);
  for (int k = 0; k < s->nq; k++) {
    x->q1[k] = q0[k] + rk->h * x->dq[k];
    x->q_mid[k] = (q0[k] + x->q1[k]) / 2;
  }
  return sqrt(change);
}

/* ---- percussions ---- */

static pawl_status contradiction(pw_moreau *x) {
  int row = x->local.k > 0 ? x->local.row[x->local.k - 1] : x->graph.disk[0].row;
  stepper_of(x)->mech->fault = (pw_fault){PAWL_E_CONTRADICTION, -1, row, NAN};
  return PAWL_E_CONTRADICTION;
}

/* L^T (u0 + h M^-1 f - v): from the mean velocity of the frame to the end of a step without
 * percussions. */
static void find_free_move(pw_moreau *x, const pw_rk *rk) {
  const pw_frame *f = &x->mid;
  const double *u0 = rk->y0 + stepper_of(x)->nq;
  for (int i = 0; i < f->n; i++) {
    double start = pw_dot(f->L + (size_t)i * (size_t)f->n + i, u0 + i, f->n - i);
    x->move[i] = start + rk->h * f->c_force[i] - f->c_velocity[i];
  }
}

/* Rate at the end without the percussions: du holds what these do to L^T u1. By the rows of the
 * midpoint rest is possible however they depend on each other; rates of the end are more exact. */
static double free_rate(const pw_moreau *x, int row) {
  const pw_frame *f = &x->mid;
  if (x->manner != PW_STEP_AS_STATED) {
    const double *a = f->A + (size_t)row * (size_t)f->n;
    return f->rate[row] + f->length[row] * pw_dot(a, x->move, f->n);
  }
  return x->end.rate[row] - f->length[row] * pw_dot(f->A + (size_t)row * (size_t)f->n, x->du, f->n);
}

static void take_wall(pw_moreau *x, int row) {
  const pw_system *sys = stepper_of(x)->mech->sys;
  const pw_law_form *form = &sys->law[row - sys->nc];
  double e =
      pw_is_one_sided(form) || x->manner == PW_STEP_PLASTIC ? 0 : x->contacts->now.e[row - sys->nc];
  double least = pw_is_rough(form) ? -INFINITY : 0;
  pw_local_take(&x->local, row, free_rate(x, row) + e * x->rate0[row], least, INFINITY);
}

static void take_walls(pw_moreau *x) {
  const pw_system *sys = stepper_of(x)->mech->sys;
  for (int i = 0; i < sys->ni; i++) {
    if (sys->law[i].wall && x->active[i] && !x->off[i]) {
      take_wall(x, sys->nc + i);
    }
  }
}

/* After the walls, whose percussions bound friction. */
static void take_graphs(pw_moreau *x, const pw_rk *rk) {
  const pw_system *sys = stepper_of(x)->mech->sys;
  x->graph.n_disk = 0;
  for (int i = 0; i < sys->ni; i++) {
    const pw_law_form *form = &sys->law[i];
    int row = sys->nc + i;
    if (!pw_moreau_is_graph(form) || !x->active[i]) {
      continue;
    }
    if (form->group == i) {
      double free[PW_LAW_MOST];
      for (int k = 0; k < form->width; k++) {
        free[k] = free_rate(x, row + k);
      }
      pw_moreau_take_disk(x, rk, i, free);
    } else if (form->group < 0 && pw_is_coulomb(form)) {
      pw_moreau_take_coulomb(x, i, free_rate(x, row));
    } else if (form->group < 0) {
      pw_moreau_take_graph(x, rk, i, free_rate(x, row));
    }
  }
}

static pw_outcome solve_rows(pw_moreau *x, const pw_rk *rk) {
  const pw_system *sys = stepper_of(x)->mech->sys;
  const pw_frame *f = &x->mid;
  pw_local_begin(&x->local, f, x->zero,
                 (pw_local_way){.near = x->P, .loose = x->manner == PW_STEP_PLASTIC});
  for (int i = 0; i < sys->nc; i++) {
    if (x->independent[i]) {
      pw_local_take(&x->local, i, free_rate(x, i), -INFINITY, INFINITY);
    }
  }
  take_walls(x);
  take_graphs(x, rk);
  double speed = pw_norm2(f->c_velocity, f->n) + rk->h * pw_norm2(f->c_force, f->n);
  pw_zero_rates zero = {.tiny = x->graph.n_disk > 0 ? PW_SCALE(MOREAU_SLOW) * speed : 0};
  return x->local.k + x->graph.n_disk > 0
             ? pw_split_solve(&x->local, x->graph.disk, x->graph.n_disk, zero)
             : PW_SOLVED;
}

/* In a wedge that friction locks no velocities may satisfy Newton's law of impact; then the step
 * has none, stepping (T5). */
static pawl_status find_percussions(pw_moreau *x, const pw_rk *rk) {
  memset(x->du, 0, (size_t)x->mid.n * sizeof *x->du);
  add_percussions(x);
  if (x->graph.any) {
    pw_moreau_bound_laws(x, rk);
  }
  find_free_move(x, rk);
  pw_outcome o = solve_rows(x, rk);
  while (o != PW_SOLVED && x->graph.any && x->manner < PW_STEP_PLASTIC) {
    x->manner++;
    o = solve_rows(x, rk);
  }
  if (o != PW_SOLVED) {
    return contradiction(x);
  }
  pw_local_forces(&x->local, x->P);
  pw_disks_forces(x->graph.disk, x->graph.n_disk, x->P);
  return PAWL_OK;
}

static void guess(pw_moreau *x, const pw_rk *rk) {
  const pw_stepper *s = stepper_of(x);
  const double *q0 = rk->y0, *u0 = rk->y0 + s->nq;
  memcpy(x->u1, u0, (size_t)s->nv * sizeof *u0);
  memcpy(x->v, u0, (size_t)s->nv * sizeof *u0);
  pw_mech_to_q(s->mech, q0, u0, x->dq);
  for (int k = 0; k < s->nq; k++) {
    x->q_mid[k] = q0[k] + rk->h / 2 * x->dq[k];
  }
}

/* One round. *change: of the velocities, in parts of their size. */
static pawl_status repeat(pw_moreau *x, const pw_rk *rk, double *change) {
  pawl_status status = look_at_middle(x, rk);
  if (status != PAWL_OK) {
    return status;
  }
  const pw_frame *f = &x->mid;
  double size = pw_norm2(f->c_velocity, f->n) + rk->h * pw_norm2(f->c_force, f->n);
  if (x->graph.any) { /* a slip that turns round has no velocity at the midpoint */
    memset(x->du, 0, (size_t)f->n * sizeof *x->du);
    add_percussions(x);
    size += pw_norm2(x->du, f->n);
  }
  double moved = advance(x, rk);
  *change = moved > 0 ? moved / size : 0;
  return look_at_end(x, rk->t + rk->h);
}

/* ---- rounds that have stalled ---- */

static void note_doubt(pw_moreau *x, double change, double t) {
  const pw_system *sys = stepper_of(x)->mech->sys;
  int worst = 0;
  for (int i = 0; i < sys->nr; i++) {
    worst = fabs(x->P[i]) > fabs(x->P[worst]) ? i : worst;
  }
  if (change > x->doubt->change) {
    x->doubt->change = change;
    x->doubt->t = t;
    x->doubt->row = worst;
  }
}

void pw_moreau_announce(pw_moreau *x, pawl_diags *diags) {
  pw_moreau_doubt *d = x->doubt;
  if (d->change == 0 || d->told) {
    return;
  }
  const pw_system *sys = stepper_of(x)->mech->sys;
  const pw_row *row = &sys->model->rows.items[sys->row_of[d->row]];
  pw_diag_ref ref = pw_warning(
      diags, "W0550", row->span,
      "the forces of a step miss their laws by %.2g of the speeds at t = %.9g", d->change, d->t);
  pw_label(ref, "`%s` has the largest", row->name);
  pw_help(ref, "forces at this time are approximate; a smaller step may help");
  d->told = true;
}

/* ---- the step ---- */

pawl_status pw_moreau_solve(pw_moreau *x, const pw_rk *rk) {
  double before = INFINITY, change = INFINITY;
  double loosest = x->graph.any ? PW_SCALE(STEP_ACCEPTED) : PW_SCALE(MOREAU_LOOSEST);
  double done = x->graph.any ? PW_SCALE(ITERATED) : PW_SCALE(STEP_ROUNDING);
  pawl_status status = PAWL_OK;
  guess(x, rk);
  for (int round = 0; status == PAWL_OK && round < MAX_ROUNDS; round++) {
    status = repeat(x, rk, &change);
    if (x->graph.any && round > 0 && round % PATIENCE == 0 && x->manner < PW_STEP_PLASTIC) {
      x->manner++; /* rounds that go to and fro: another manner of rates may settle them */
    }
    loosest = x->manner == PW_STEP_PLASTIC ? PW_SCALE(STEP_LOOSEST) : loosest;
    bool stalled = round > 3 && !(change < stalls * before) && change <= loosest;
    if (status == PAWL_OK && round > 0 && (change <= done || stalled)) {
      if (change > PW_SCALE(STEP_ACCEPTED)) {
        note_doubt(x, change, rk->t + rk->h);
      }
      return PAWL_OK;
    }
    if (status == PAWL_OK) {
      status = find_percussions(x, rk);
    }
    if (status != PAWL_OK && round == 0) {
      return status; /* not the fault of the iteration */
    }
    before = change;
  }
  stepper_of(x)->fault = (pw_fault){PAWL_E_STEP, -1, -1, NAN};
  return PAWL_E_STEP;
}

/* ---- positions ---- */

static bool is_equality(const pw_moreau *x, int row) {
  return row < stepper_of(x)->mech->sys->np && x->independent[row];
}

static bool is_contact_row(const pw_moreau *x, int row) {
  const pw_system *sys = stepper_of(x)->mech->sys;
  return row >= sys->nc && pw_is_contact(&sys->law[row - sys->nc]);
}

/* How far the row that is missed most has to move, in the metric; 0: none beyond rounding. */
static double worst_miss(const pw_moreau *x) {
  const pw_frame *f = &x->end;
  double worst = 0;
  for (int i = 0; i < f->m; i++) {
    bool equal = is_equality(x, i);
    double miss = equal ? fabs(f->value[i]) : -f->value[i];
    if ((equal || is_contact_row(x, i)) && miss > PW_SCALE(ROUNDED) * f->terms[i]) {
      worst = fmax(worst, f->length[i] > 0 ? miss / f->length[i] : miss);
    }
  }
  return worst;
}

/* Rows to be projected on: contacts that are far against what has to move stay satisfied, or are
 * looked at again. *violated: some are not satisfied within round-off. */
static void take_positions(pw_moreau *x, bool *violated) {
  static const double reach = 10;
  const pw_frame *f = &x->end;
  double worst = worst_miss(x);
  *violated = worst > 0;
  pw_local_begin(&x->local, f, x->zero, (pw_local_way){0});
  for (int i = 0; i < f->m && *violated; i++) {
    bool equal = is_equality(x, i);
    if (equal || (is_contact_row(x, i) && f->value[i] <= reach * worst * f->length[i])) {
      pw_local_take(&x->local, i, f->value[i], equal ? -INFINITY : 0, INFINITY);
    }
  }
}

/* Contacts left out that the last correction has violated. */
static bool wake_violated(pw_moreau *x) {
  const pw_system *sys = stepper_of(x)->mech->sys;
  bool any = false;
  for (int i = 0; i < sys->ni && x->graph.any; i++) {
    if (x->graph.idle[i] && pw_is_contact(&sys->law[i]) && x->end.value[sys->nc + i] < 0) {
      pw_moreau_wake(x, i);
      any = true;
    }
  }
  return any;
}

pawl_status pw_moreau_project(pw_moreau *x, double t) {
  pw_stepper *s = stepper_of(x);
  bool violated = true;
  memset(x->push, 0, (size_t)s->mech->sys->nr * sizeof *x->push);
  for (int k = 0; k < MAX_PROJECTIONS; k++) {
    pawl_status status = look_at_end(x, t);
    if (status == PAWL_OK && wake_violated(x)) {
      status = look_at_end(x, t);
    }
    if (status != PAWL_OK) {
      return status;
    }
    take_positions(x, &violated);
    if (!violated) {
      return PAWL_OK;
    }
    if (pw_local_solve(&x->local) != PW_SOLVED) {
      return contradiction(x);
    }
    pw_local_forces(&x->local, x->part);
    pw_axpy(1, x->part, x->push, s->mech->sys->nr);
    memcpy(x->du, x->local.moved, (size_t)s->nv * sizeof *x->du);
    pw_frame_back(&x->end, x->du);
    pw_mech_to_q(s->mech, x->q1, x->du, x->dq);
    pw_axpy(1, x->dq, x->q1, s->nq);
  }
  return look_at_end(x, t); /* close to round-off, or the next step takes care of it */
}
