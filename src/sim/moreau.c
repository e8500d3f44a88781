// SPDX-License-Identifier: MIT
/* The step as a whole: which rows take part, the ledger, and what has happened at its end. */
#include "sim/moreau.h"

#include <math.h>
#include <string.h>

#include "law/scale_sim.h"
#include "linalg/dense.h"
#include "sim/surface.h"

static pw_stepper *stepper_of(const pw_moreau *x) {
  return x->contacts->watch.s;
}

/* ---- memory ---- */

/* Rows of friction problems: all, where the matrix is not too large. */
static int rows_at_once(const pw_system *sys) {
  enum { MOST_ROWS = 240 };
  bool friction = sys->trait.oblique;
  for (int i = 0; i < sys->ni; i++) {
    friction = friction || sys->law[i].group >= 0;
  }
  return !friction ? 0 : sys->nr < MOST_ROWS ? sys->nr : MOST_ROWS;
}

void pw_moreau_lay_out(pw_moreau *x, const pw_system *sys, pw_layout *l) {
  int nq = sys->nq, nv = sys->nv, nr = sys->nr, ni = sys->ni, frame = (int)pw_frame_doubles(sys);
  pw_local_lay_out(&x->local, sys, l);
  pw_part_lay_out(&x->solver, sys, rows_at_once(sys), l);

  /* Frames in the middle and at the end, states, percussions by rows, and the graphs of laws. */
  struct {
    double **array;
    int n;
  } parts[] = {{&x->mid_memory, frame},
               {&x->end_memory, frame},
               {&x->u1, nv},
               {&x->q1, nq},
               {&x->q_mid, nq},
               {&x->v, nv},
               {&x->du, nv},
               {&x->dq, nq},
               {&x->zero, nv},
               {&x->z_rate, sys->nz},
               {&x->P, nr},
               {&x->part, nr},
               {&x->push, nr},
               {&x->rate0, nr},
               {&x->rate1, nr},
               {&x->gap, ni},
               {&x->side, sys->n_sides},
               {&x->after, nq + nv + sys->nz},
               {&x->columns, nv * sys->nc},
               {&x->length, 1},
               {&x->graph.middle, 2 * ni},
               {&x->graph.bounds, 2 * ni},
               {&x->graph.limit, ni},
               {&x->move, nv},
               {&x->graph.mean, nv}};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    *parts[i].array = PW_LAY(l, parts[i].n, double);
  }

  /* Flags by laws: who takes part, who was struck, who stays closed, and modes of graphs. */
  x->doubt = PW_LAY(l, 1, pw_moreau_doubt);
  x->independent = PW_LAY(l, sys->nc, unsigned char);
  x->active = PW_LAY(l, ni, unsigned char);
  x->off = PW_LAY(l, ni, unsigned char);
  x->struck = PW_LAY(l, ni, unsigned char);
  x->closes = PW_LAY(l, ni, unsigned char);
  x->graph.idle = PW_LAY(l, ni, unsigned char);
  x->graph.apart = PW_LAY(l, ni, unsigned char);
  x->graph.slides = PW_LAY(l, ni, unsigned char);
  x->graph.hits = PW_LAY(l, ni, unsigned char);
  x->graph.released = PW_LAY(l, ni, unsigned char);
  x->graph.disk = PW_LAY(l, ni, pw_disk);
}

void pw_moreau_init(pw_moreau *x, const pw_system *sys) {
  x->graph.any = false;
  for (int i = 0; i < sys->ni; i++) {
    bool graph = pw_moreau_is_graph(&sys->law[i]);
    x->graph.apart[i] = graph ? PW_IMPLIED : PW_ABOVE_KINK;
    x->graph.any = x->graph.any || graph;
  }
}

/* ---- rows that take part ---- */

/* x->side: sides of the switching surfaces at a state, of which a closed face is not passed. True
 * if any is not that of the stepper. */
static bool find_sides(pw_moreau *x, double t, const double *q, const double *u) {
  pw_stepper *s = stepper_of(x);
  const pw_system *sys = s->mech->sys;
  bool turned = false;
  (void)pw_surface_sides(s, t, q, u, x->side);
  for (int i = 0; i < sys->ni; i++) {
    int face = sys->law[i].face;
    if (face >= 0 && x->contacts->mode[i] != PW_OPEN) {
      x->side[face] = s->side[face];
    }
  }
  for (int i = 0; i < sys->n_switch; i++) {
    turned = turned || x->side[i] != s->side[i];
  }
  return turned;
}

/* Forces are those of the midpoint, so a surface that is an instant counts by the side on which the
 * midpoint lies: a step that begins at the instant has the new side, whatever rounding says. */
static bool turn_instants(pw_moreau *x, const pw_rk *rk) {
  pw_stepper *s = stepper_of(x);
  const pw_system *sys = s->mech->sys;
  bool turned = false, any = false;
  for (int i = 0; i < sys->n_switch; i++) {
    any = any || sys->surface[i].of_time;
  }
  if (any) {
    (void)pw_surface_sides(s, rk->t + rk->h / 2, rk->y0, rk->y0 + s->nq, x->side);
  }
  for (int i = 0; any && i < sys->n_switch; i++) {
    turned = turned || (sys->surface[i].of_time && x->side[i] != s->side[i]);
    s->side[i] = sys->surface[i].of_time ? x->side[i] : s->side[i];
  }
  return turned;
}

/* Sides of the switching surfaces at the start; x->gap: gaps before they change. */
static bool turn_sides(pw_moreau *x, const pw_rk *rk) {
  pw_stepper *s = stepper_of(x);
  const double *q = rk->y0, *u = rk->y0 + s->nq;
  pw_mech_gaps(s->mech, rk->t, q, u, s->side, x->gap);
  bool turned = find_sides(x, rk->t, q, u);
  memcpy(s->side, x->side, (size_t)s->mech->sys->n_switch * sizeof *s->side);
  return turn_instants(x, rk) || turned;
}

/* Gaps that change with the sides by more than walls move in a step: a corner does not. One that
 * jumps away leaves the body; none may jump past it. */
static pawl_status find_jumps(pw_moreau *x, const pw_rk *rk, bool turned) {
  pw_contacts *c = x->contacts;
  const pw_system *sys = c->watch.s->mech->sys;
  memset(c->now.jumped, 0, (size_t)sys->ni);
  for (int i = 0; turned && i < sys->ni; i++) {
    int row = sys->nc + i;
    double way = 4 * rk->h * (fabs(x->end.rate[row]) + fabs(x->rate1[row])),
           gap = x->end.value[row];
    bool jumps = fabs(gap - x->gap[i]) > way + PW_SCALE(MOREAU_JUMP) * fabs(gap);
    c->now.jumped[i] = jumps && pw_is_contact(&sys->law[i]);
    if (c->now.jumped[i] && gap < 0) {
      c->halt.trouble = PW_TROUBLE_PASSED;
      c->halt.culprit = row;
      return PAWL_E_NO_MOTION;
    }
  }
  return PAWL_OK;
}

/* Open contacts are left out until the step violates them; with hundreds of pairs most are. */
static void find_idle(pw_moreau *x) {
  pw_mech *m = stepper_of(x)->mech;
  const pw_system *sys = m->sys;
  for (int i = 0; i < sys->ni; i++) {
    int on = sys->law[i].contact >= 0 ? sys->law[i].contact : i;
    x->graph.idle[i] = pw_is_contact(&sys->law[on]) && x->contacts->mode[on] == PW_OPEN;
  }
  m->skip = x->graph.any ? x->graph.idle : NULL;
}

void pw_moreau_wake(pw_moreau *x, int contact) {
  const pw_system *sys = stepper_of(x)->mech->sys;
  for (int i = 0; i < sys->ni && x->graph.idle[contact]; i++) {
    x->graph.idle[i] = x->graph.idle[i] && sys->law[i].contact != contact;
  }
  x->graph.idle[contact] = 0;
}

/* The state at the start: rates, restitution, sides of the switching surfaces. */
static pawl_status look_at_start(pw_moreau *x, const pw_rk *rk) {
  pw_stepper *s = stepper_of(x);
  pw_mech *m = s->mech;
  const double *q = rk->y0, *u = rk->y0 + s->nq;
  find_idle(x);
  bool turned = turn_sides(x, rk);
  pw_mech_close(m, x->graph.apart);
  pawl_status status = pw_mech_rates_decide(m, rk->t, q, u, s->side);
  if (status == PAWL_OK) {
    status = pw_mech_frame(m, rk->t, q, u, s->side, x->end_memory, &x->end);
  }
  if (status == PAWL_OK) {
    status = find_jumps(x, rk, turned);
  }
  if (status == PAWL_OK) {
    pw_moreau_choose(x);
    x->rank = m->rank;
    x->rank_q = m->rank_q;
    pw_mech_close(m,
                  x->graph.apart); /* away from the constraints dependent rows look independent */
    memcpy(x->rate0, x->end.rate, (size_t)m->sys->nr * sizeof *x->rate0);
    pw_mech_restitution(m, rk->t, q, u, s->side, x->contacts->now.e);
    pw_moreau_begin_laws(x, rk);
  }
  return status;
}

static void begin_rows(pw_moreau *x) {
  const pw_system *sys = stepper_of(x)->mech->sys;
  if (!x->graph.any) { /* else those of the last step are the guess */
    memset(x->P, 0, (size_t)sys->nr * sizeof *x->P);
  }
  memset(x->off, 0, (size_t)sys->ni);
  for (int i = 0; i < sys->ni; i++) {
    const pw_law_form *form = &sys->law[i];
    bool held =
        pw_is_contact(form) && x->contacts->mode[i] != PW_OPEN && !x->contacts->now.jumped[i];
    x->active[i] = held || pw_is_one_sided(form) || (pw_moreau_is_graph(form) && form->on < 0);
  }
}

/* Rows that the step violates join, rough rows follow their contact and leave without its
 * pressure, friction follows it, too. True if the rows changed. */
static bool change_rows(pw_moreau *x, const pw_rk *rk) {
  pw_stepper *s = stepper_of(x);
  const pw_system *sys = s->mech->sys;
  bool changed = x->graph.any && pw_moreau_release(x, rk);
  pw_mech_gaps(s->mech, rk->t + rk->h, x->q1, x->u1, s->side, x->gap);
  for (int i = 0; i < sys->ni; i++) {
    if (pw_is_contact(&sys->law[i]) && !x->active[i] && x->gap[i] < 0) {
      pw_moreau_wake(x, i);
      x->active[i] = 1;
      changed = true;
    }
  }
  for (int i = 0; i < sys->ni; i++) {
    if (pw_is_rough(&sys->law[i])) {
      int on = sys->law[i].contact;
      bool joins = x->active[on] && !x->active[i];
      bool idle = x->active[i] && !x->off[i] && x->P[sys->nc + on] == 0;
      x->active[i] = x->active[on];
      x->off[i] = x->off[i] || idle;
      x->P[sys->nc + i] = idle ? 0 : x->P[sys->nc + i];
      changed = changed || joins || (idle && !joins);
    } else if (pw_is_coulomb(&sys->law[i])) {
      changed = changed || x->active[i] != x->active[sys->law[i].on];
      x->active[i] = x->active[sys->law[i].on];
    }
  }
  return changed;
}

static pawl_status solve(pw_moreau *x, const pw_rk *rk) {
  const pw_system *sys = stepper_of(x)->mech->sys;
  begin_rows(x);
  pawl_status status = pw_moreau_solve(x, rk);
  for (int round = 0; status == PAWL_OK && round <= 2 * sys->ni; round++) {
    if (!change_rows(x, rk)) {
      break;
    }
    status = pw_moreau_solve(x, rk);
  }
  memcpy(x->rate1, x->end.rate, (size_t)sys->nr * sizeof *x->rate1);
  return status;
}

static double total(const pw_moreau *x, double t, const double *q, const double *u) {
  pw_stepper *s = stepper_of(x);
  double energy[3];
  pw_mech_energy(s->mech, t, q, u, s->side, energy);
  return energy[0] + energy[1];
}

/* ---- what has happened ---- */

static void log_event(pw_moreau *x, pw_contact_event event) {
  x->contacts->now.log[x->contacts->now.n_log++] = event;
}

static void judge_contact(pw_moreau *x, const pw_rk *rk, int law) {
  const pw_system *sys = stepper_of(x)->mech->sys;
  int row = sys->nc + law;
  bool was = x->contacts->mode[law] != PW_OPEN, pressed = x->P[row] > 0;
  double slow = pw_moreau_rest_speed(&x->mid, rk->h, row), speed = fabs(x->rate1[row]);
  x->struck[law] = pressed && x->rate0[row] < -slow;
  bool near = x->end.value[row] <= slow * rk->h;
  x->closes[law] = (pressed && speed <= slow && near) ||
                   (was && speed <= PW_SCALE(MOREAU_SLOW) * slow && !x->contacts->now.jumped[law]);
}

static void log_contact(pw_moreau *x, const pw_rk *rk, int law) {
  const pw_system *sys = stepper_of(x)->mech->sys;
  int row = sys->nc + law;
  bool was = x->contacts->mode[law] != PW_OPEN, one_sided = !pw_is_contact(&sys->law[law]);
  double t = rk->t + rk->h;
  if (x->struck[law]) {
    double dE = -pw_moreau_lost_by(x, row), size = pw_norm2(x->mid.c_velocity, x->mid.n);
    log_event(x, (pw_contact_event){.kind = PW_IMPACT,
                                    .law = law,
                                    .t = t,
                                    .impulse = x->P[row],
                                    .dE = dE,
                                    .gains = dE > PW_SCALE(GAIN) * size * size,
                                    .rate_before = x->rate0[row],
                                    .rate_after = x->rate1[row]});
    x->contacts->impulse[sys->row_of[row]] = x->P[row];
  }
  if (was != x->closes[law] && !(x->closes[law] && x->struck[law])) {
    pw_contact_kind kind = one_sided ? (was ? PW_RELEASE : PW_ENGAGE) : was ? PW_LIFTOFF : PW_CLOSE;
    log_event(x, (pw_contact_event){.kind = kind, .law = law, .t = t});
  }
}

/* What the changes of modes of friction, springs and graphs are called. */
static void log_laws(pw_moreau *x, const pw_rk *rk) {
  pw_contacts *c = x->contacts;
  pw_stepper *s = c->watch.s;
  const pw_system *sys = s->mech->sys;
  size_t bytes = (size_t)sys->ni;
  pw_contacts_graphs(c, rk->t + rk->h, x->q1, x->u1);
  c->now.frame = x->end;
  memcpy(c->now.was, c->mode, bytes);
  memcpy(c->mode, x->closes, bytes);
  for (int i = 0; i < sys->ni; i++) {
    pw_contact_kind kind;
    if (pw_moreau_is_graph(&sys->law[i]) && c->mode[i] != c->now.was[i] &&
        pw_contacts_name_change(c, i, &kind)) {
      log_event(x, (pw_contact_event){.kind = kind, .law = i, .t = rk->t + rk->h});
    }
  }
  memcpy(c->mode, c->now.was, bytes);
}

/* Impacts, closings and openings; rows that open do so at once. */
static void judge(pw_moreau *x, const pw_rk *rk) {
  pw_contacts *c = x->contacts;
  const pw_system *sys = c->watch.s->mech->sys;

  /* Which contacts stay closed, and which one-sided laws push. */
  c->now.n_log = 0;
  for (int i = 0; i < sys->ni; i++) {
    x->struck[i] = 0;
    if (pw_is_contact(&sys->law[i])) {
      judge_contact(x, rk, i);
    } else if (sys->law[i].wall) {
      x->closes[i] = x->P[sys->nc + i] > 0;
    }
  }
  pw_moreau_judge_laws(x, rk);

  /* Rough rows go with their contact; all others have events of their own. */
  for (int i = 0; i < sys->ni; i++) {
    if (pw_moreau_is_graph(&sys->law[i])) {
      continue;
    }
    if (pw_is_rough(&sys->law[i])) {
      int on = sys->law[i].contact;
      x->closes[i] = x->closes[on] && x->active[i] && !x->off[i];
      x->struck[i] = x->struck[on];
    } else {
      log_contact(x, rk, i);
    }
    if (!x->closes[i]) {
      c->mode[i] = PW_OPEN;
    }
  }

  /* Changes of modes of friction and springs, then the impulses that go with all events. */
  if (x->graph.any) {
    log_laws(x, rk);
  }
  pw_events_tie(c, x->P);
  c->pending = c->now.n_log > 0;
}

/* ---- the step ---- */

/* u1 without the percussions of impacts. */
static void velocity_before(pw_moreau *x, const pw_rk *rk, double *u) {
  const pw_stepper *s = stepper_of(x);
  const pw_system *sys = s->mech->sys;
  const pw_frame *f = &x->mid;
  memset(x->du, 0, (size_t)s->nv * sizeof *x->du);
  bool any = false;
  for (int i = 0; i < sys->ni; i++) {
    if (x->struck[i]) {
      double length;
      const double *column = pw_moreau_column(f, sys->nc + i, &length);
      pw_axpy(-length * x->P[sys->nc + i], column, x->du, f->n);
      any = true;
    }
  }
  memcpy(u, x->u1, (size_t)s->nv * sizeof *u);
  if (any && pw_mech_frame(s->mech, rk->t + rk->h / 2, x->q_mid, x->v, s->side, x->mid_memory,
                           &x->mid) == PAWL_OK) {
    pw_frame_back(&x->mid, x->du);
    pw_axpy(1, x->du, u, s->nv);
  }
}

/* Gaps made of pieces, as of a segment with two ends: where the step has come to another piece that
 * continues the old one, the positions are put back by the new one as well. Walls that jump are the
 * business of the next step. */
static pawl_status project_pieces(pw_moreau *x, const pw_rk *rk) {
  pw_stepper *s = stepper_of(x);
  const pw_system *sys = s->mech->sys;
  double t = rk->t + rk->h;
  bool jumps = false;
  if (!find_sides(x, t, x->q1, x->u1)) {
    return PAWL_OK;
  }
  pw_mech_gaps(s->mech, t, x->q1, x->u1, x->side, x->gap);
  for (int i = 0; i < sys->ni; i++) {
    double old = x->end.value[sys->nc + i], way = 4 * rk->h * fabs(x->end.rate[sys->nc + i]);
    bool far = fabs(x->gap[i] - old) > way + PW_SCALE(MOREAU_JUMP) * fabs(old);
    jumps = jumps || (far && pw_is_contact(&sys->law[i]));
  }
  if (jumps) {
    return PAWL_OK;
  }
  memcpy(s->side, x->side, (size_t)sys->n_switch * sizeof *s->side);
  return pw_moreau_project(x, t);
}

/* States at the end: `after`, and y1 before the impacts. */
static pawl_status write_states(pw_moreau *x, pw_rk *rk) {
  pw_stepper *s = stepper_of(x);
  const pw_system *sys = s->mech->sys;
  double t = rk->t + rk->h, *y = rk->y1, *z = y + s->nq + s->nv;
  size_t bytes = (size_t)s->n * sizeof *y;
  double lower = total(x, t, x->q1, x->u1);
  memcpy(y, rk->y0, bytes);
  pw_moreau_book_step(x, rk, z);
  pawl_status status = sys->ni > 0 ? pw_moreau_project(x, t) : PAWL_OK;
  if (status == PAWL_OK && sys->ni > 0 && sys->n_switch > 0) {
    status = project_pieces(x, rk);
  }
  if (status != PAWL_OK) {
    return status;
  }

  /* the state after the step, and its ledger with all impulses */
  if (sys->ni > 0) {
    pw_moreau_book_shift(x, z, total(x, t, x->q1, x->u1) - lower);
  }
  memcpy(y, x->q1, (size_t)s->nq * sizeof *y);
  memcpy(y + s->nq, x->u1, (size_t)s->nv * sizeof *y);
  memcpy(x->after, y, bytes);
  for (int i = 0; i < sys->ni; i++) {
    if (x->struck[i]) {
      pw_moreau_book_row(x, x->after + s->nq + s->nv, sys->nc + i);
    }
  }

  /* the state before the impacts of the step */
  velocity_before(x, rk, y + s->nq);
  for (int k = 0; k < s->nv; k++) {
    x->graph.mean[k] = rk->h > 0 ? (y[s->nq + k] - rk->y0[s->nq + k]) / rk->h : 0;
  }
  return PAWL_OK;
}

void pw_moreau_impose(pw_moreau *x) {
  pw_contacts *c = x->contacts;
  const pw_system *sys = c->watch.s->mech->sys;
  pw_contacts_impose(c);
  if (x->graph.any) {
    for (int i = 0; i < sys->ni; i++) {
      c->modes.closed[i] = x->graph.apart[i] == PW_IMPLIED ? PW_IMPLIED : pw_mode_state(c->mode[i]);
    }
    pw_mech_close(c->watch.s->mech, c->modes.closed);
  }
}

/* Rows that hold at the end of the step, and the metric there for the projection by the stepper.
 * Dependence is decided where the constraints hold: here if positions have been projected. */
static pawl_status impose(pw_moreau *x, const pw_rk *rk) {
  pw_stepper *s = stepper_of(x);
  pw_mech *m = s->mech;
  const double *q = rk->y1, *u = rk->y1 + s->nq;
  if (m->sys->ni > 0) {
    pw_moreau_impose(x);
    return pw_mech_rates_decide(m, rk->t + rk->h, q, u, s->side);
  }
  m->rank = x->rank;
  m->rank_q = x->rank_q;
  return pw_mech_rates(m, rk->t + rk->h, q, u, s->side);
}

pawl_status pw_moreau_step(void *moreau, pw_rk *rk) {
  pw_moreau *x = moreau;
  pw_stepper *s = stepper_of(x);
  if (rk != &s->rk) {
    return pw_chord_between(s, rk);
  }
  pawl_status status = look_at_start(x, rk);
  if (status == PAWL_OK) {
    status = solve(x, rk);
  }
  if (status == PAWL_OK) {
    judge(x, rk);
    status = write_states(x, rk);
  }
  s->mech->skip = NULL;
  if (status == PAWL_OK) {
    status = impose(x, rk);
  }
  if (status != PAWL_OK) {
    (void)pw_stepper_fail(s, status == PAWL_E_STEP ? s->fault : s->mech->fault);
    return status;
  }
  *x->length = rk->h;
  pw_chord_draw(rk);
  return PAWL_OK;
}

/* ---- the instant at its end ---- */

/* Imposes the modes at the state after the impacts; rows that close are stopped at once. */
static pawl_status settle(pw_moreau *x) {
  pw_stepper *s = stepper_of(x);
  memcpy(s->y, x->after, (size_t)s->n * sizeof *s->y);
  pw_moreau_impose(x);
  return pw_stepper_settle(s);
}

static void book_closing(pw_moreau *x, const unsigned char *was, double lost) {
  pw_stepper *s = stepper_of(x);
  const pw_system *sys = s->mech->sys;
  int n = 0;
  for (int i = 0; i < sys->ni; i++) {
    n += sys->law[i].wall && x->closes[i] && !was[i];
  }
  for (int i = 0; n > 0 && i < sys->ni; i++) {
    if (sys->law[i].wall && x->closes[i] && !was[i]) {
      pw_moreau_book(x, s->y + s->nq + s->nv, sys->nc + i, lost / n, 0);
    }
  }
}

/* Contacts that close are put on their walls; where that moves others through theirs, they cannot
 * all close in this step. */
static bool crosses(pw_moreau *x) {
  const pw_stepper *s = stepper_of(x);
  const pw_system *sys = s->mech->sys;
  bool any = false;
  pw_mech_gaps(s->mech, s->t, s->y, s->y + s->nq, s->side, x->gap);
  for (int i = 0; i < sys->ni; i++) {
    double size = PW_SCALE(MOREAU_CROSSED) * x->end.terms[sys->nc + i];
    any = any || (pw_is_contact(&sys->law[i]) && !x->contacts->now.jumped[i] && x->gap[i] < -size);
  }
  return any;
}

/* fresh: contacts that were open may close. */
static void take_modes(pw_moreau *x, bool fresh) {
  pw_contacts *c = x->contacts;
  const pw_system *sys = c->watch.s->mech->sys;
  for (int i = 0; i < sys->ni; i++) {
    bool closed = sys->law[i].wall && x->closes[i] && (fresh || c->now.was[i] != PW_OPEN);
    c->mode[i] = closed ? PW_CLOSED : sys->law[i].wall ? PW_OPEN : x->closes[i];
  }
}

pawl_status pw_moreau_handle(pw_moreau *x) {
  pw_contacts *c = x->contacts;
  pw_stepper *s = c->watch.s;
  const pw_system *sys = s->mech->sys;
  double before = total(x, s->t, x->after, x->after + s->nq);
  memcpy(c->now.was, c->mode, (size_t)sys->ni);
  c->pending = false;
  take_modes(x, true);
  pawl_status status = settle(x);
  if (status == PAWL_OK && crosses(x)) {
    take_modes(x, false);
    status = settle(x);
  }
  if (status != PAWL_OK) { /* these rows cannot all be held: they stay open for this step */
    memcpy(c->mode, c->now.was, (size_t)sys->ni);
    return settle(x);
  }
  book_closing(x, c->now.was, before - (s->energy[0] + s->energy[1]));
  return PAWL_OK;
}
