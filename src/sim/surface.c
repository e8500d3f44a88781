// SPDX-License-Identifier: MIT
/* Sides are held fixed inside a step, so the functions stay smooth across the surface and the
 * crossing is a simple root of the switching function. */
#include "sim/surface.h"
#include "law/scale_sim.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_REPEATS = 100 };

static pawl_status functions(void *owner, pw_stepper *s, double t, const double *y, double *c) {
  (void)owner;
  pw_mech_sides(s->mech, t, y, y + s->nq, s->side, c);
  for (int i = 0; i < s->mech->sys->n_switch; i++) { /* laws find those on which they lie */
    const pw_surface_origin *o = &s->mech->sys->surface[i];
    bool idle = o->law >= 0 || (o->of_force && !pw_mech_slides_loaded(s->mech));
    c[i] = idle ? s->side[i] : c[i];
  }
  for (int i = 0; i < s->mech->sys->ni; i++) { /* a closed face holds the motion on its own side */
    int face = s->mech->sys->law[i].face;
    if (face >= 0 && pw_mech_is_closed(s->mech, i)) {
      c[face] = 1;
    }
  }
  return PAWL_OK;
}

static void hides(void *owner, pw_stepper *s, unsigned wild, unsigned char *out) {
  const pw_form *f = pw_mech_enclose(s->mech, wild);
  (void)owner;
  for (int i = 0; i < s->mech->sys->n_switch; i++) {
    bool known = f[i].lo > -INFINITY || f[i].hi < INFINITY || !s->mech->sys->trait.sides_use_forces;
    out[i] = known && s->mech->sys->surface[i].law < 0 && pw_watch_is_open(&f[i]);
  }
}

void pw_surfaces_lay_out(pw_surfaces *f, const pw_system *sys, pw_layout *l) {
  pw_watch_lay_out(&f->watch, sys, sys->n_switch, l);
  f->flipped = PW_LAY(l, sys->n_switch, double);
  f->y = PW_LAY(l, sys->nq + sys->nv + sys->nz, double);
  f->noise = PW_LAY(l, sys->n_switch, double);
  f->flip = PW_LAY(l, sys->n_switch, unsigned char);
  f->far = PW_LAY(l, sys->n_switch, unsigned char);
  f->past = PW_LAY(l, sys->n_switch, unsigned char);
  f->residue = PW_LAY(l, sys->n_switch, double);
  f->next = PW_LAY(l, sys->n_switch, double);
  f->sides = PW_LAY(l, sys->n_sides, double);
  f->sides_before = PW_LAY(l, sys->n_sides, double);
  pw_signals_lay_out(&f->signals, sys, l);
}

void pw_surfaces_init(pw_surfaces *f, pw_stepper *s) {
  pw_watch_init(&f->watch, s, functions, NULL, PW_UNSEEN_SURFACE);
  pw_watch_see(&f->watch, PW_OF_SIDES, hides);
  pw_signals_init(&f->signals, s);
  pw_surfaces_reset(f);
}

void pw_surfaces_reset(pw_surfaces *f) {
  pw_scan_reset(&f->watch.scan);
  for (int i = 0; i < f->watch.scan.m; i++) {
    f->flipped[i] = NAN;
    f->residue[i] = 0;
    f->flip[i] = f->past[i] = f->far[i] = 0;
  }
  pw_signals_begin(&f->signals);
  f->repeats = 0;
  f->culprit = 0;
  f->depth = f->energy_jump = 0;
}

static void energies(pw_stepper *s, double energy[3]) {
  pw_mech_energy(s->mech, s->t, s->y, s->y + s->nq, s->side, energy);
}

/* sqrt(sum M_ii x_i^2) with the largest positions so far; 1 for rotations. */
static double extent(const pw_stepper *s) {
  const pw_control *c = &s->control;
  double sum = 0;
  for (int i = 0; i < s->nv; i++) {
    double x = s->q_of[i] < 0 ? 1 : fmax(fabs(c->x_lo[i]), fabs(c->x_hi[i]));
    sum += s->mech->mass[i] * x * x;
  }
  return sqrt(sum);
}

/* A potential may change at a time that is given: the motion goes on, the work is that of time. */
static bool is_work_of_time(pw_surfaces *f, const double before[3], const double after[3],
                            double least) {
  pw_stepper *s = f->watch.s;
  const pw_system *sys = s->mech->sys;
  bool may = fabs(after[0] - before[0]) <= least && fabs(after[2] - before[2]) <= least;
  for (int i = 0; i < f->watch.scan.m; i++) {
    may = may && (!f->flip[i] || sys->surface[i].of_time);
  }
  int k = 0;
  while (k < sys->n_work && !sys->work[k].is_time) {
    k++;
  }
  if (!may || k == sys->n_work) {
    return false;
  }
  int at = s->nq + s->nv + 1 + k;
  pw_stepper_set(s, at, s->y[at] + (after[1] - before[1]));
  return true;
}

/* The motion goes on with the same positions and velocities: neither the energy nor a constraint
 * nor its rate may jump from one piece to the other. */
static pawl_status check_jump(pw_surfaces *f, const double before[3]) {
  pw_stepper *s = f->watch.s;
  const pw_control *c = &s->control;
  double after[3], size,
      least = PW_SCALE(LEAST_JUMP) * fmax(c->energy, before[0] + fabs(before[1]));
  energies(s, after);
  f->energy_jump = after[0] + after[1] - (before[0] + before[1]);
  if (fabs(f->energy_jump) > least && !is_work_of_time(f, before, after, least)) {
    return PAWL_E_JUMP;
  }
  f->energy_jump = f->depth = 0;
  for (int positions = 1; positions >= 0; positions--) {
    double whole = positions ? extent(s) : sqrt(2 * c->kinetic);
    f->value_jumps = positions;
    f->row = pw_mech_missed(s->mech, s->t, s->y, s->y + s->nq, s->side, positions, &size);
    if (size > fmax(PW_SCALE(LEAST_JUMP), c->tol) * whole) {
      return PAWL_E_JUMP;
    }
  }
  return PAWL_OK;
}

void pw_surfaces_turn(pw_surfaces *f) {
  pw_stepper *s = f->watch.s;
  for (int i = 0; i < f->watch.scan.m; i++) {
    if (f->flip[i]) {
      double now = s->side[i];
      pw_stepper_turn(s, i, f->next[i]);
      f->next[i] = now;
    }
  }
  pw_signals_turn(&f->signals);
}

/* Tables whose arguments do not jump turn at their points, one after the other. */
static bool stays(const pw_surfaces *f, const pw_system *sys, int surface) {
  const pw_surface_origin *o = &sys->surface[surface];
  return o->table >= 0 && f->sides[o->place] == f->sides_before[o->place];
}

/* Tables whose values jump, and signals that change, may put other surfaces on their other sides at
 * once. Every look finds one more, or ends. */
static void follow_jumps(pw_surfaces *f) {
  pw_stepper *s = f->watch.s;
  const pw_system *sys = s->mech->sys;
  pw_mech_all_sides(s->mech, s->t, s->y, s->y + s->nq, s->side, f->sides_before);
  for (bool again = true; again;) {
    again = false;
    pw_surfaces_turn(f);
    pw_mech_all_sides(s->mech, s->t, s->y, s->y + s->nq, s->side, f->sides);
    pw_surfaces_turn(f);
    for (int i = 0; i < f->watch.scan.m; i++) {
      bool fixed = f->flip[i] || sys->surface[i].signal >= 0 || stays(f, sys, i);
      double now = fixed ? s->side[i] : pw_surface_side(sys, i, f->sides);
      if (now != s->side[i]) {
        f->flip[i] = f->far[i] = 1;
        f->next[i] = now;
        again = true;
      }
    }
  }
}

static bool jumps(const pw_system *sys, int surface) {
  int table = sys->surface[surface].table;
  return table >= 0 && pw_dag_table(sys->model->dag, table)->jumps;
}

/* The sides behind the surfaces that are met, and what signals change to. */
static void aim(pw_surfaces *f) {
  pw_stepper *s = f->watch.s;
  bool jump = false;
  pw_mech_all_sides(s->mech, s->t, s->y, s->y + s->nq, s->side, f->sides);
  for (int i = 0; i < f->watch.scan.m; i++) {
    bool beside = f->flip[i] && !f->far[i]; /* what jumps far has its side already */
    f->next[i] = beside ? pw_surface_next(s->mech->sys, i, f->sides, s->side[i]) : f->next[i];
    jump = jump || (f->flip[i] && jumps(s->mech->sys, i));
  }
  (void)pw_signals_find(&f->signals, f->flip);
  for (int k = 0; k < s->mech->sys->tick.n; k++) {
    jump = jump || f->flip[s->mech->sys->tick.surface[k]];
  }
  if (jump) {
    follow_jumps(f);
  }
}

/* The instants of a sample; NULL: the surface is another one. */
static const pw_lut *ticks_of(const pw_surfaces *f, int surface) {
  const pw_system *sys = f->watch.s->mech->sys;
  int table = sys->surface[surface].table;
  const pw_lut *t = table >= 0 ? pw_dag_table(sys->model->dag, table) : NULL;
  return t != NULL && t->kind == PW_LUT_TICKS ? t : NULL;
}

/* Instants of several samples that differ by rounding are one. */
static void join_ticks(pw_surfaces *f) {
  const pw_stepper *s = f->watch.s;
  bool ticks_now = false;
  for (int i = 0; i < f->watch.scan.m; i++) {
    ticks_now = ticks_now || (f->flip[i] && ticks_of(f, i) != NULL);
  }
  for (int i = 0; i < f->watch.scan.m && ticks_now; i++) {
    const pw_lut *ticks = ticks_of(f, i);
    if (ticks != NULL && !f->flip[i] &&
        fabs(pw_lut_end(ticks, s->side[i]) - s->t) <= PW_SCALE(NO_TIME) * fabs(s->t)) {
      f->flip[i] = 1;
      f->far[i] = 0;
    }
  }
}

/* Rounding puts the time before an instant that has been: samples never go back to the piece
 * before it. */
static bool goes_back(const pw_surfaces *f, int surface) {
  const pw_lut *ticks = ticks_of(f, surface);
  double t = f->watch.s->rk.t, side = f->watch.s->side[surface];
  return ticks != NULL && t - pw_lut_begin(ticks, side) < pw_lut_end(ticks, side) - t;
}

void pw_surfaces_stay(pw_surfaces *f, int surface) {
  f->flip[surface] = f->far[surface] = f->past[surface] = 0;
  f->flipped[surface] = f->watch.s->t;
}

void pw_surfaces_forget(pw_surfaces *f) {
  for (int i = 0; i < f->watch.scan.m; i++) {
    f->flip[i] = 0;
  }
}

bool pw_surfaces_recall(pw_surfaces *f) {
  pw_stepper *s = f->watch.s;
  bool any = false;
  for (int i = 0; i < f->watch.scan.m; i++) {
    bool past = f->past[i] && f->flipped[i] == s->t;
    if (past) { /* `next` has them since they were exchanged */
      double now = s->side[i];
      pw_stepper_turn(s, i, f->next[i]);
      f->next[i] = now;
    }
    any = any || past;
  }
  return any;
}

void pw_surfaces_pass(pw_surfaces *f) {
  memset(f->past, 0, (size_t)f->watch.scan.m);
}

bool pw_surfaces_due(pw_surfaces *f) {
  bool any = false;
  for (int i = 0; i < f->watch.scan.m; i++) {
    f->culprit = f->flip[i] ? i : f->culprit;
    any = any || f->flip[i];
  }
  if (any) {
    join_ticks(f);
    aim(f);
  }
  return any;
}

/* With the other sides; back to the old ones, for the point that is shown, if something jumps. */
static pawl_status cross(pw_surfaces *f) {
  double before[3];
  energies(f->watch.s, before);
  pw_surfaces_turn(f);
  pawl_status status = pw_stepper_restart(f->watch.s);
  status = status == PAWL_OK ? check_jump(f, before) : status;
  if (status == PAWL_E_JUMP) {
    pw_surfaces_turn(f);
  }
  return status;
}

pawl_status pw_surfaces_settle(pw_surfaces *f) {
  pw_stepper *s = f->watch.s;
  double *before = f->noise;
  memcpy(before, s->side, (size_t)f->watch.scan.m * sizeof *before);
  if (!pw_mech_settle(s->mech, s->t, s->y, s->y + s->nq, s->side)) {
    return PAWL_OK;
  }
  for (int i = 0; i < f->watch.scan.m; i++) {
    if (s->side[i] != before[i]) {
      f->flipped[i] = s->t;
      f->far[i] = 0;
    }
  }
  return pw_stepper_restart(s);
}

pawl_status pw_surfaces_before(pw_surfaces *f) {
  bool any = pw_surfaces_due(f);
  for (int i = 0; i < f->watch.scan.m; i++) {
    if (f->flip[i]) {
      f->past[i] = f->flipped[i] == f->watch.s->t ? !f->past[i] : 1;
      f->flipped[i] = f->watch.s->t;
      f->repeats++;
      bool delay = f->watch.s->mech->sys->surface[i].signal >= 0;
      f->far[i] = f->far[i] || delay; /* its next piece ends later */
      f->signals.broken = f->signals.broken || !delay;
    }
  }
  if (f->repeats > MAX_REPEATS || f->signals.lost >= 0 || f->signals.undefined >= 0) {
    return PAWL_E_EVENTS;
  }
  pawl_status status = any ? cross(f) : PAWL_OK;
  pw_surfaces_forget(f);
  return status;
}

static double sign_of(const pw_surfaces *f, int i) {
  return pw_surface_sign(f->watch.s->mech->sys, i, f->watch.s->side[i]);
}

static bool seems_wrong(const pw_surfaces *f, int i) {
  const pw_scan *scan = &f->watch.scan;
  return scan->live[i] && scan->first_sign[i] * sign_of(f, i) < 0;
}

/* How far the function goes to the wrong side before it is clearly on the right one. Its value at
 * the start counts as zero. */
static double dive(const pw_surfaces *f, int i) {
  const pw_scan *scan = &f->watch.scan;
  double deepest = 0;
  for (int j = 1; j < PW_ROOT_SAMPLES; j++) {
    double right = sign_of(f, i) * scan->w[(ptrdiff_t)j * scan->m + i];
    if (right > PW_SCALE(CLEAR_OF_ROUNDING) * f->noise[i]) {
      break;
    }
    deepest = fmax(deepest, -right);
  }
  return deepest;
}

/* Surfaces that the motion leaves to the wrong side from the first moment. A motion that begins on
 * a surface moves away like t^2 or slower: there the sign right after the start may be rounding. */
static pawl_status wrong_at_start(pw_surfaces *f, bool *any) {
  const pw_stepper *s = f->watch.s;
  int m = f->watch.scan.m;
  *any = false;
  for (int i = 0; i < m; i++) {
    if (f->flipped[i] == s->rk.t) { /* the time of a root is rounded, and a rate may end there */
      f->residue[i] = f->far[i] ? 0 : fabs(f->watch.scan.w[i]);
    }
    *any = *any || seems_wrong(f, i);
  }
  pawl_status status = *any ? pw_watch_noise(&f->watch, s->rk.t, s->rk.y0, f->noise) : PAWL_OK;
  if (status != PAWL_OK || !*any) {
    return status;
  }
  *any = false;
  for (int i = 0; i < m; i++) {
    double rest = PW_SCALE(CLEAR_OF_ROUNDING) * f->noise[i] + f->residue[i];
    f->flip[i] = seems_wrong(f, i) && dive(f, i) > rest && !goes_back(f, i);
    f->far[i] = f->flip[i] ? 0 : f->far[i];
    *any = *any || f->flip[i];
  }
  return PAWL_OK;
}

static pawl_status cut(pw_surfaces *f, int i, bool *again) {
  pw_stepper *s = f->watch.s;
  double h;
  pawl_status status = pw_watch_polish(&f->watch, i, pw_scan_root(&f->watch.scan, i), &h, f->y);
  if (status != PAWL_OK) {
    return status;
  }
  f->flip[i] = 1;
  f->far[i] = 0;
  *again = s->rk.t + h <= s->rk.t;

  /* a root within rounding of the end of the step is there: no time is left for another step */
  bool at_end = s->rk.h - h <= PW_SCALE(NO_TIME) * fabs(s->t);
  return *again || at_end ? PAWL_OK : pw_stepper_cut(s, h);
}

pawl_status pw_surfaces_after(pw_surfaces *f, bool *again) {
  pw_scan *scan = &f->watch.scan;
  pw_stepper *s = f->watch.s;
  *again = false;
  if (scan->m == 0) {
    return PAWL_OK;
  }
  for (int i = 0; i < scan->m; i++) {
    scan->want[i] = sign_of(f, i) > 0 ? PW_WANT_FALLING : PW_WANT_RISING;
    scan->known[i] = f->flipped[i] == s->rk.t && !f->far[i];
  }
  int which = -1;
  pawl_status status = pw_scan_step(scan, false, pw_unseen_finest(f->watch.s));
  if (status == PAWL_OK) {
    status = wrong_at_start(f, again);
  }
  if (status == PAWL_OK && !*again) {
    status = pw_scan_peek(scan, &which);
  }
  if (status == PAWL_OK && which >= 0) {
    status = cut(f, which, again);
  }
  if (*again) {
    pw_stepper_undo(s);
  } else if (s->t - s->rk.t > PW_SCALE(NO_TIME) * fabs(s->t)) {
    f->repeats = 0;
  }
  return status;
}

bool pw_surface_sides(pw_stepper *s, double t, const double *q, const double *u, double *found) {
  bool turned = false;
  pw_mech_all_sides(s->mech, t, q, u, s->side, found);
  for (int i = 0; i < s->mech->sys->n_switch; i++) { /* arguments of tables stand behind these */
    found[i] = found[i] == 0 ? s->side[i] : pw_surface_side(s->mech->sys, i, found);
    turned = turned || found[i] != s->side[i];
  }
  return turned;
}

void pw_surface_take_sides(pw_stepper *s, const double *found) {
  pw_stepper_place(s, NULL, NULL, found);
}

bool pw_surface_turn_law(pw_stepper *s, int law, int side) {
  bool turned = false;
  for (int i = 0; i < s->mech->sys->n_switch; i++) {
    if (s->mech->sys->surface[i].law == law && s->side[i] != side) {
      pw_stepper_turn(s, i, side);
      turned = true;
    }
  }
  return turned;
}
