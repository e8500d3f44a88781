// SPDX-License-Identifier: MIT
#include "sim/contact.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "law/scale_mech.h"
#include "law/scale_sim.h"
#include "law/scale_static.h"
#include "linalg/dense.h"
#include "sim/top.h"
#include "system/view.h"

enum { MAX_REPEATS = 100 };

const pw_row *pw_contacts_row(const pw_contacts *c, int law) {
  const pw_system *s = c->watch.s->mech->sys;
  return &s->model->rows.items[s->row_of[s->nc + law]];
}

/* ---- memory ---- */

static void lay_out_instant(pw_instant *x, const pw_system *sys, pw_layout *l) {
  x->frame_memory = PW_LAY(l, pw_frame_doubles(sys), double);
  x->e = PW_LAY(l, sys->ni, double);
  x->was = PW_LAY(l, sys->ni, unsigned char);
  x->loaded = PW_LAY(l, sys->ni, unsigned char);
  x->jumped = PW_LAY(l, sys->ni, unsigned char);
  x->phase = PW_LAY(l, 2 * sys->ni, double);
  x->kick = PW_LAY(l, sys->nr, double);
  x->hold = PW_LAY(l, sys->ni, unsigned char);
  x->stopped = PW_LAY(l, sys->ni, unsigned char);
  x->unloaded = PW_LAY(l, sys->ni, unsigned char);
  x->struck = PW_LAY(l, sys->nr, unsigned char);
  x->fall = PW_LAY(l, sys->nv, double);
  x->base = PW_LAY(l, sys->nv, double);
  x->rate_before = PW_LAY(l, sys->nr, double);
  x->sides = PW_LAY(l, 2 * sys->n_sides, double);
  x->place = PW_LAY(l, sys->nq, double);
  x->bend = PW_LAY(l, sys->nv, double);
  x->goal = PW_LAY(l, sys->n_state, double);
  x->from = PW_LAY(l, sys->nv + sys->n_state, double);
  x->carried = PW_LAY(l, sys->n_state, double);
  x->momentum = PW_LAY(l, 2 * sys->nv, double);
}

void pw_contacts_lay_out(pw_contacts *c, const pw_system *sys, pw_layout *l) {
  int ni = sys->ni;
  pw_watch_lay_out(&c->watch, sys, 2 * ni, l);
  if (sys->pattern.sparse == NULL || sys->n_switch > 0) { /* instants */
    pw_local_lay_out(&c->forces, sys, l);
    pw_part_lay_out(&c->part, sys, pw_coupled_rows(sys), l);
    pw_impact_lay_out(&c->impact, sys, l);
    pw_modes_lay_out(&c->modes, sys, l);
    lay_out_instant(&c->now, sys, l);
    pw_paradox_lay_out(&c->paradox, sys, l);
  }
  c->now.log = PW_LAY(l, pw_instant_room(sys), pw_contact_event); /* what ends a run is one, too */
  c->now.tied = PW_LAY(l, sys->nr, pawl_tied);

  c->size.largest = PW_LAY(l, ni, double);
  c->size.recent = PW_LAY(l, ni, double);
  c->size.steepest = PW_LAY(l, ni, double);
  c->size.terms = PW_LAY(l, ni, double);
  c->size.residue = PW_LAY(l, ni, double);
  c->size.met = PW_LAY(l, ni, double);
  c->size.slowest = PW_LAY(l, ni, double);
  c->size.fastest = PW_LAY(l, ni, double);
  c->rest.due = PW_LAY(l, ni, unsigned char);
  c->rest.energy = PW_LAY(l, ni, double);
  c->rest.impulse = PW_LAY(l, ni, double);
  c->rest.since = PW_LAY(l, ni, double);

  c->mode = PW_LAY(l, ni, unsigned char);
  c->fired = PW_LAY(l, ni, unsigned char);
  c->begins = PW_LAY(l, ni, unsigned char);
  c->smooth = PW_LAY(l, ni, unsigned char);
  c->share = PW_LAY(l, ni, unsigned char);
  c->left = PW_LAY(l, ni, double);
  c->slip = PW_LAY(l, ni, double);
  c->impulse = PW_LAY(l, sys->model->rows.n, double);
  c->sense = PW_LAY(l, sys->nr, double);
  c->value = PW_LAY(l, ni, double);
  c->settled = PW_LAY(l, sys->nq + sys->nv + sys->nz + ni, double);
  c->graph = PW_LAY(l, 2 * ni, double);
  c->limit = PW_LAY(l, ni, double);
  c->known.force = PW_LAY(l, sys->nr, double);
  c->known.open = PW_LAY(l, sys->nr, unsigned char);
  c->known.grip = PW_LAY(l, sys->ni, double);
  c->known.unit = PW_LAY(l, sys->load.n, double);
}

void pw_contacts_init(pw_contacts *c, pw_stepper *s, double tol, bool sequential) {
  pw_contacts_watch(c, s);
  c->watch.noisy = pw_contacts_noisy;
  c->modes.mech = s->mech;
  c->modes.local = &c->forces;
  c->forces.part = c->impact.local.part = &c->part;
  pw_copy(c->sense, s->mech->sense, s->mech->sys->nr);
  c->impact.sequential = sequential;
  if (c->impact.sys != NULL) {
    pw_impact_init(&c->impact);
  }
  c->tol = tol;
  c->conditions = (pw_conditions){.still = PW_SCALE(STILL)};
  pw_paradox_reset(&c->paradox);
}

/* ---- what is watched ---- */

pw_law_row pw_contacts_law(const pw_contacts *c, int law) {
  const pw_law_form *form = &c->watch.s->mech->sys->law[law];
  return pw_law_row_of_forces(form, c->graph + pw_view_graph_at(law, false), c->limit[law]);
}

void pw_contacts_bounds(const pw_contacts *c, int law, double *lo, double *hi) {
  const pw_mech *m = c->watch.s->mech;
  pw_law_row row = pw_contacts_law(c, law);
  int state = pw_carry_state(c, law);
  pw_law_hold hold = {.sticks = true,
                      .pushes = m->sense[m->sys->nc + law] > 0,
                      .carries = state >= 0 && pw_carry_above(c, state)};

  pw_law_set set = pw_law_set_at_kink(&row, hold);
  pw_law_set range = pw_law_set_extent(&set, 0);
  *lo = range.lo;
  *hi = range.hi;
}

void pw_contacts_graphs(pw_contacts *c, double t, const double *q, const double *u) {
  pw_stepper *s = c->watch.s;
  pw_mech_graphs(s->mech, t, q, u, s->side, c->graph, c->limit);
}

bool pw_contacts_carries_slip(const pw_contacts *c, int law) {
  const pw_patterns *p = &c->watch.s->mech->sys->pattern;
  for (int i = p->rider[law]; i >= 0; i = p->next_rider[i]) {
    if (c->mode[i] != PW_CLOSED && c->mode[i] != PW_RESTING) {
      return true;
    }
  }
  return false;
}

/* Function k is the first of law k, or the second of law k - ni: the upper bound of a force at its
 * kink, or the margin of a contact with friction that slides. A rough row is not watched: it
 * follows its contact. */
static bool is_wanted(const pw_contacts *c, int k) {
  const pw_system *sys = c->watch.s->mech->sys;
  int law = k % sys->ni;
  bool second = k >= sys->ni;
  int on = sys->law[law].on;
  bool idle =
      on >= 0 && c->mode[on] != PW_CLOSED && (c->mode[on] == PW_OPEN || c->mode[law] == PW_CLOSED);
  if (sys->law[law].group >= 0 && (second || sys->law[law].group != law)) {
    return false;
  }
  bool twice =
      !sys->law[law].wall || pw_contacts_carries_slip(c, law) || pw_carry_state(c, law) >= 0;
  return !pw_is_rough(&sys->law[law]) && !idle && (!second || (c->mode[law] == PW_CLOSED && twice));
}

void pw_contacts_impose(pw_contacts *c) {
  const pw_system *sys = c->watch.s->mech->sys;
  for (int i = 0; i < sys->ni; i++) {
    c->modes.closed[i] = pw_mode_state(c->mode[i]);
  }
  pw_mech_close(c->watch.s->mech, c->modes.closed);
  pw_mech_head(c->watch.s->mech, c->modes.heading, c->modes.blur);
  memcpy(c->watch.s->mech->sense, c->sense, (size_t)sys->nr * sizeof *c->sense);
  pw_mech_impulses(c->watch.s->mech, c->impulse);
}

void pw_contacts_release(pw_contacts *c) {
  size_t ni = (size_t)c->watch.s->mech->sys->ni;
  memset(c->mode, PW_OPEN, ni);
  memset(c->smooth, 0, ni);
  memset(c->fired, 0, ni);
  c->pending = false;
  c->halt.trouble = PW_TROUBLE_NONE;
  c->now.n_log = 0;
  c->rest.time = INFINITY;
  pw_contacts_impose(c);
}

/* What is watched of this law dives below zero from the start of the step, by more than it may be
 * wrong: -1 if none does. */
static int diving(const pw_contacts *c) {
  const pw_scan *scan = &c->watch.scan;
  int ni = c->watch.s->mech->sys->ni;
  for (int i = 0; i < scan->m; i++) {
    if (scan->want[i] == 0 || !scan->live[i] || scan->first_sign[i] >= 0) {
      continue;
    }
    double room = pw_is_beside(c, i % ni) ? pw_contacts_zero(c, i % ni)
                                          : pw_contacts_force_rounding(c, i % ni);
    if (scan->low[i] < -room) {
      return i;
    }
  }
  return -1;
}

static pawl_status take_back(pw_contacts *c, pawl_status status) {
  pw_stepper_undo(c->watch.s);
  return status;
}

/* The step is taken again, h long; of steps with a fixed length the next ends where this one did.
 */
static pawl_status shorten(pw_contacts *c, double h, bool *again) {
  pw_stepper *s = c->watch.s;
  if (s->range.fixed > 0) {
    return pw_stepper_cut(s, h);
  }
  pw_stepper_propose(s, h);
  *again = true;
  return take_back(c, PAWL_OK);
}

/* The first law that acts in the step, and when; *which = -1: none. */
static pawl_status first_to_act(pw_contacts *c, int *which, double *h, bool *shorter) {
  pw_scan *scan = &c->watch.scan;
  pawl_status status = pw_scan_step(scan, false, pw_unseen_finest(c->watch.s));
  *h = 0;
  *which = status == PAWL_OK ? diving(c) : -1;
  if (status == PAWL_E_NAN) {
    *shorter = pw_contacts_approach(c, -1, h);
    return *shorter ? PAWL_OK : take_back(c, status);
  }
  if (status == PAWL_OK && *which < 0) {
    status = pw_watch_first(&c->watch, which, h);
    if (status == PAWL_OK && *which >= 0) {
      status = pw_crossing_pole(c, *which, shorter, h);
    }
  }
  return status;
}

/* Sticking, though the static bound is smaller than what would hold it while it slides. */
static bool is_weak(const pw_contacts *c, int law) {
  pw_law_row row = pw_contacts_law(c, law);
  double sliding = pw_law_force_beside(&row, -1);
  return c->mode[law] == PW_CLOSED && row.limit >= 0 &&
         row.limit < sliding * (1 - PW_SCALE(SAME_FORCE));
}

static double faint_load(const pw_contacts *c) {
  return PW_SCALE(NEGLIGIBLE) * pw_mech_load_size(c->watch.s->mech);
}

/* A bound or coefficient of friction below zero would push, and one of sticking below that of
 * sliding would let go of what it then holds: the first law with one, or -1. */
static int pushes(pw_contacts *c, double t, const double *y) {
  pw_stepper *s = c->watch.s;
  const pw_system *sys = s->mech->sys;
  bool any = false;
  for (int i = 0; i < sys->ni; i++) {
    any = any || sys->law[i].kind == PW_KIND_FRICTION;
  }
  if (any) {
    pw_contacts_graphs(c, t, y, y + s->nq);
  }
  for (int i = 0; any && i < sys->ni; i++) {
    pw_law_row row = pw_contacts_law(c, i);
    bool negative = pw_in_plane(row.form) ? pw_law_radius(&row, false) < 0
                                          : (c->mode[i] != PW_OPEN && row.left > 0) ||
                                                (c->mode[i] != PW_BELOW && row.right < 0);
    bool holds = c->mode[i] == PW_CLOSED || c->mode[i] == PW_RESTING;
    if (row.form->loaded && (holds || fmax(row.left, -row.right) <= faint_load(c))) {
      continue; /* the force of an equality passes through zero, or is shared (load.c) */
    }
    if ((negative || is_weak(c, i)) && row.form->kind == PW_KIND_FRICTION) {
      return i;
    }
  }
  return -1;
}

pawl_status pw_contacts_check_bounds(pw_contacts *c) {
  pw_stepper *s = c->watch.s;
  int law = pushes(c, s->t, s->y);
  if (law >= 0) {
    c->halt.trouble = is_weak(c, law) ? PW_TROUBLE_WEAK : PW_TROUBLE_NEGATIVE;
    c->halt.culprit = s->mech->sys->nc + law;
  }
  return law >= 0 ? PAWL_E_NO_MOTION : PAWL_OK;
}

pawl_status pw_contacts_check_step(pw_contacts *c, bool changes) {
  pw_stepper *s = c->watch.s;
  pawl_status status = pw_contacts_check_bounds(c);
  double lo = 0, hi = 1;
  if (status != PAWL_OK && changes && s->mech->sys->row[c->halt.culprit].loaded) {
    c->halt.trouble = PW_TROUBLE_NONE; /* |lambda| of a force that turns round here, to rounding */
    return PAWL_OK;
  }
  if (status == PAWL_OK || pushes(c, s->rk.t, s->rk.y0) >= 0) {
    return status;
  }
  for (int k = 0; k < 52 && hi - lo > DBL_EPSILON; k++) {
    double mid = (lo + hi) / 2;
    if (pw_stepper_at(s, mid, c->watch.y) != PAWL_OK) {
      return status;
    }
    *(pushes(c, s->rk.t + mid * s->rk.h, c->watch.y) >= 0 ? &hi : &lo) = mid;
  }
  double left = (1 - hi) * s->rk.h; /* the bound of before ends here, to rounding of the time */
  if (changes && left <= 2 * PW_SCALE(POLISHED) * fmax(fabs(s->rk.t), s->rk.h)) {
    return PAWL_OK;
  }
  pawl_status cut = hi < 1 ? pw_stepper_cut(s, hi * s->rk.h) : PAWL_OK;
  return cut == PAWL_OK ? status : cut;
}

/* What is looked for in the step. */
static void arm(pw_contacts *c) {
  pw_scan *scan = &c->watch.scan;
  const pw_stepper *s = c->watch.s;
  int ni = s->mech->sys->ni;
  for (int k = 0; k < scan->m; k++) {
    int law = k % ni;
    bool wanted = is_wanted(c, k);
    scan->want[k] = wanted ? PW_WANT_FALLING : 0;
    scan->known[k] =
        c->left[law] == s->rk.t && c->begins[law] && !(k >= ni && s->mech->sys->law[law].wall);
    scan->rises[k] = wanted;
    scan->noise[k] = pw_is_beside(c, law)        ? pw_contacts_rounding(c, law, s->t - s->rk.t)
                     : c->mode[law] == PW_CLOSED ? pw_contacts_force_rounding(c, law)
                                                 : 0;
  }
}

pawl_status pw_contacts_after(pw_contacts *c, bool *again) {
  pw_stepper *s = c->watch.s;
  int ni = s->mech->sys->ni;
  *again = false;
  if (ni == 0) {
    return PAWL_OK;
  }

  /* the first law that acts; near a place that must not be stepped over a shorter step is tried */
  pw_contacts_note_load(c);
  arm(c);
  int which;
  double h;
  bool shorter = false;
  pawl_status status = first_to_act(c, &which, &h, &shorter);
  if (status == PAWL_OK && which >= 0 && !shorter) {
    status = pw_margin_approach(c, which, h, &shorter);
    h = shorter ? h / 2 : h;
  }
  shorter = shorter || (status == PAWL_OK && pw_slip_nears_end(c, which, &h));
  if (status == PAWL_OK && shorter) {
    status = shorten(c, h, again);
    which = -1;
    shorter = false;
  }
  if (*again) {
    return status;
  }

  which = status == PAWL_OK ? pw_slip_ended(c, which, &h) : which;

  /* the step ends there, or is undone if that is its start */
  if (status == PAWL_OK && which >= 0) {
    c->fired[which % ni] = 1;
    c->pending = true;
    *again = s->rk.t + h <= s->rk.t || c->paradox.fires;
    status = *again || h == s->rk.h ? PAWL_OK : pw_stepper_cut(s, h);
  }
  if (*again) {
    pw_stepper_undo(s);
  }

  /* what the whole step tells about sizes, slips and bounds */
  if (status == PAWL_OK && which < 0) {
    pw_margin_follow(c);
  }
  if (status == PAWL_OK) {
    pw_contacts_note_sizes(c);
    pw_slip_follow(c);
    pw_slip_end(c);
    c->repeats = s->t - s->rk.t > PW_SCALE(NO_TIME) * fabs(s->t) ? 0 : c->repeats;
  }
  if (status == PAWL_OK && which < 0) {
    status = pw_crossing_passed(c, &shorter, &h);
  }
  return status == PAWL_OK && shorter ? shorten(c, h, again) : status;
}

/* ---- instants ---- */

/* Before the first instant no mode is known, and a bound counts on the side of its slip alone: that
 * of F/(1 + |v|) for v > 0 is negative for v < -1. */
static pawl_status check_first_bounds(pw_contacts *c) {
  pw_stepper *s = c->watch.s;
  int ni = s->mech->sys->ni;
  pw_mech_gaps(s->mech, s->t, s->y, s->y + s->nq, s->side, c->value);
  for (int i = 0; i < ni; i++) {
    bool slips = pw_law_is_slip(&s->mech->sys->law[i]) && !pw_in_plane(&s->mech->sys->law[i]);
    bool loaded = s->mech->sys->law[i].loaded; /* its force is not known before the modes are */
    c->mode[i] = loaded ? PW_CLOSED : slips && c->value[i] < 0 ? PW_BELOW : PW_OPEN;
  }
  pawl_status status = pw_contacts_check_bounds(c);
  memset(c->mode, 0, (size_t)ni);
  return status;
}

pawl_status pw_contacts_begin(pw_contacts *c, const unsigned char *touching) {
  pw_stepper *s = c->watch.s;
  int ni = s->mech->sys->ni;

  /* nothing has happened yet */
  pw_scan_reset(&c->watch.scan);
  pw_zeno_reset(&c->zeno);
  pw_growth_reset(&c->growth);
  memcpy(c->fired, touching, (size_t)ni);
  memset(c->mode, 0, (size_t)ni);
  memset(c->smooth, 0, (size_t)ni);
  memset(c->rest.due, 0, (size_t)ni);
  c->pending = false;
  c->rest.time = INFINITY;
  c->rest.put_off = NAN;
  c->repeats = 0;
  c->halt.trouble = PW_TROUBLE_NONE;
  c->size.speed = c->size.step = c->size.load = c->size.drift = 0;
  c->struck = 0;
  c->modes.scale = 0;
  c->modes.anchored = false;
  c->modes.span = s->range.span;
  pw_paradox_reset(&c->paradox);
  memset(c->impulse, 0, (size_t)s->mech->sys->model->rows.n * sizeof *c->impulse);
  pw_mech_impulses(s->mech, c->impulse);

  for (int i = 0; i < ni; i++) {
    c->left[i] = c->size.met[i] = NAN;
    c->size.recent[i] = c->size.largest[i] = c->size.terms[i] = c->size.steepest[i] = c->slip[i] =
        0;
    c->size.slowest[i] = c->size.fastest[i] = c->size.residue[i] = 0;
    c->modes.heading[i] = c->modes.blur[i] = 0;
  }
  if (ni == 0) {
    return PAWL_OK;
  }

  /* the first instant chooses the modes */
  pawl_status status = check_first_bounds(c);
  if (status == PAWL_OK) {
    status = pw_contacts_instant(c);
  }
  for (int i = 0; i < ni; i++) {
    bool at_kink = c->mode[i] == PW_CLOSED || c->mode[i] == PW_RESTING;
    c->left[i] = at_kink || c->begins[i] ? s->t : NAN;
  }
  pw_contacts_log_start(c);
  pw_contacts_forget(c);
  return status;
}

static int first_fired(const pw_contacts *c) {
  const pw_system *s = c->watch.s->mech->sys;
  for (int i = 0; i < s->ni; i++) {
    if (c->fired[i]) {
      return s->nc + i;
    }
  }
  return -1;
}

pawl_status pw_contacts_handle(pw_contacts *c) {
  if (++c->repeats > MAX_REPEATS) {
    const pw_mech *m = c->watch.s->mech;
    bool open = pw_mech_is_slack(m), paradox = open || fabs(m->margin) < PW_SCALE(MARGIN_NEAR);
    c->halt.trouble = open ? PW_TROUBLE_CONTINUUM : paradox ? PW_TROUBLE_PARADOX : PW_TROUBLE_STORM;
    c->halt.culprit = paradox ? pw_contacts_friction(c) : first_fired(c);
    return PAWL_E_EVENTS;
  }
  pawl_status status = pw_contacts_instant(c);
  if (status == PAWL_OK) {
    pw_contacts_log_changes(c);
  }
  pw_contacts_forget(c);
  return status;
}

void pw_contacts_forget(pw_contacts *c) {
  c->pending = c->now.crossed = c->paradox.fires = false;
  memset(c->fired, 0, (size_t)c->watch.s->mech->sys->ni);
  memset(c->now.jumped, 0, (size_t)c->watch.s->mech->sys->ni);
}
