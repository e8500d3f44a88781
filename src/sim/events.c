// SPDX-License-Identifier: MIT
/* Instants with events, in order. Roots that are equal within the resolution of time belong to one
 * instant: they are grouped by value, after polishing. */
#include "sim/events.h"
#include "law/scale_sim.h"

#include <float.h>
#include <math.h>
#include <string.h>

static pawl_status functions(void *owner, pw_stepper *s, double t, const double *y, double *w) {
  (void)owner;
  double quad[PW_QUAD_NAMED];
  pw_stepper_quad(s, y, quad);
  return pw_mech_roots(s->mech, t, y, y + s->nq, s->side, quad, w);
}

/* Functions of forces have no enclosure: they are seen as their samples are. */
static void hides(void *owner, pw_stepper *s, unsigned wild, unsigned char *out) {
  const pw_form *f = pw_mech_enclose(s->mech, wild);
  (void)owner;
  for (int i = 0; i < s->mech->sys->root.n; i++) {
    bool known = f[i].lo > -INFINITY || f[i].hi < INFINITY || !s->mech->sys->root.use_forces;
    out[i] = known && pw_watch_is_open(&f[i]);
  }
}

/* Forces are not enclosed. */
static bool is_plain(const void *owner, const pw_stepper *s) {
  (void)owner;
  return !s->mech->sys->root.use_forces;
}

void pw_events_lay_out(pw_events *e, const pw_system *sys, pw_layout *l) {
  int n = sys->nq + sys->nv + sys->nz;
  e->n = sys->model->events.n;
  pw_watch_lay_out(&e->watch, sys, sys->root.n, l);
  e->when = PW_LAY(l, sys->root.n, double);
  e->noise = PW_LAY(l, sys->root.n, double);
  e->before = PW_LAY(l, sys->root.n, double);
  e->y = PW_LAY(l, n, double);
  e->trial = PW_LAY(l, n, double);
  e->tick = PW_LAY(l, e->n, int64_t);
  e->now = PW_LAY(l, e->n, int);
}

void pw_events_init(pw_events *e, pw_stepper *s) {
  const pw_system *sys = s->mech->sys;
  pw_watch_init(&e->watch, s, functions, NULL, PW_UNSEEN_EVENT);
  pw_watch_see(&e->watch, PW_OF_ROOTS, hides);
  pw_watch_clear(&e->watch, PW_OF_ROOTS, sys->root.n, is_plain);
  for (int i = 0; i < sys->root.n; i++) {
    const pw_event_def *d = &sys->model->events.items[sys->root.of[i]];
    bool both = d->rising == d->falling;
    e->watch.scan.want[i] = both        ? PW_WANT_RISING | PW_WANT_FALLING | PW_WANT_GRAZING
                            : d->rising ? PW_WANT_RISING
                                        : PW_WANT_FALLING;
  }
}

void pw_events_reset(pw_events *e, double from, double to) {
  pw_scan_reset(&e->watch.scan);
  e->from = from;
  e->to = to;
  e->found = false;
  e->n_now = 0;
  for (int i = 0; i < e->n; i++) {
    e->tick[i] = 1;
  }
}

static void forget_times(pw_events *e) {
  for (int i = 0; i < e->watch.scan.m; i++) {
    e->when[i] = NAN;
  }
}

/* ---- the next instant ---- */

/* theory (39) */
static double resolution(const pw_stepper *s) {
  return PW_SCALE(ROUNDED) * fmax(fabs(s->t), s->rk.h);
}

/* from + k period; the end of the run instead of a time that misses it by rounding. */
static double strobe_time(const pw_events *e, int i) {
  const pw_event_def *d = &e->watch.s->mech->sys->model->events.items[i];
  if (!d->every) {
    return INFINITY;
  }
  double t = e->from + (double)e->tick[i] * d->period;
  return fabs(t - e->to) <= PW_SCALE(AT_THE_END) * fmax(fabs(e->to), fabs(e->from)) ? e->to : t;
}

static double next_strobe(const pw_events *e) {
  double t = INFINITY;
  for (int i = 0; i < e->n; i++) {
    t = fmin(t, strobe_time(e, i));
  }
  return t <= e->watch.s->t ? t : INFINITY;
}

/* Polishes the roots that may be the earliest. *first: the one that is, or -1; its time *t, and its
 * state in e->y. */
static pawl_status next_root(pw_events *e, double *t, int *first) {
  pw_scan *scan = &e->watch.scan;
  *t = INFINITY;
  pawl_status status = pw_scan_peek(scan, first);
  if (status != PAWL_OK || *first < 0) {
    return status;
  }
  const pw_stepper *s = e->watch.s;
  double until = pw_scan_root(scan, *first)->x + PW_SCALE(EVENT_ORDER);
  for (int i = 0; i < scan->m; i++) {
    const pw_root *r = pw_scan_root(scan, i);
    if (r == NULL || r->x > until) {
      continue;
    }
    status = pw_watch_polish(&e->watch, i, r, &e->when[i], e->trial);
    if (status != PAWL_OK) {
      return status;
    }
    double at = e->when[i] == s->rk.h ? s->t : s->rk.t + e->when[i];
    if (at < *t) {
      *t = at;
      *first = i;
      memcpy(e->y, e->trial, (size_t)s->n * sizeof *e->y);
    }
  }
  return PAWL_OK;
}

/* Marks in e->when with NAN the roots that do not belong to the instant e->t: those farther away
 * than the resolution of time and the noise of the function allow. */
static pawl_status separate(pw_events *e, int first) {
  pw_stepper *s = e->watch.s;
  bool has_noise = false;
  for (int i = 0; i < e->watch.scan.m; i++) {
    double away = fabs(s->rk.t + e->when[i] - e->t), allowed = resolution(s);
    if (i == first || !(away > allowed)) {
      continue;
    }
    if (away > PW_SCALE(EVENT_ORDER) * s->rk.h) {
      e->when[i] = NAN;
      continue;
    }
    if (!has_noise) {
      pawl_status status = pw_watch_noise(&e->watch, e->t, e->y, e->noise);
      if (status != PAWL_OK) {
        return status;
      }
      has_noise = true;
    }
    double slope = fabs(pw_scan_root(&e->watch.scan, i)->slope) / s->rk.h;
    if (!(away * slope <= allowed * slope + 2 * e->noise[i])) {
      e->when[i] = NAN;
    }
  }
  return PAWL_OK;
}

/* Collects what belongs to the instant, in the order of the model. */
static void collect(pw_events *e) {
  pw_stepper *s = e->watch.s;
  const pw_system *sys = s->mech->sys;
  e->n_now = 0;
  for (int i = 0; i < e->n; i++) {
    bool here = strobe_time(e, i) <= e->t + resolution(s);
    e->tick[i] += here;
    for (int k = 0; k < sys->root.n && !here; k++) {
      if (sys->root.of[k] == i && !isnan(e->when[k])) {
        here = true;
        pw_scan_use(&e->watch.scan, k);
      }
    }
    if (here) {
      e->now[e->n_now++] = i;
    }
  }
  forget_times(e);
}

pawl_status pw_events_seek(pw_events *e) {
  pw_stepper *s = e->watch.s;
  double strobe = next_strobe(e), root, before = e->n_now > 0 ? e->t : -INFINITY;
  int first;
  pawl_status status = next_root(e, &root, &first);
  e->found = status == PAWL_OK && (strobe <= s->t || first >= 0);
  if (!e->found) {
    return status;
  }
  if (strobe <= root + resolution(s)) { /* the strobe's time is exact */
    e->t = strobe;
    first = -1;
    if (strobe == s->t) {
      memcpy(e->y, s->y, (size_t)s->n * sizeof *e->y);
    } else {
      status = pw_stepper_restep(s, strobe - s->rk.t, e->y);
    }
  } else {
    e->t = fmax(root, before);
  }
  if (status == PAWL_OK) {
    status = separate(e, first);
  }
  if (status == PAWL_OK) {
    collect(e);
  }
  return status;
}

/* ---- jumps ---- */

pawl_status pw_events_before_jump(pw_events *e, double t, const double *y) {
  return e->watch.scan.m == 0 ? PAWL_OK : functions(NULL, e->watch.s, t, y, e->before);
}

/* What was collected in e->now happens at (t, y). */
static void happen(pw_events *e, double t, const double *y) {
  forget_times(e);
  e->found = e->n_now > 0;
  if (e->found) {
    e->t = t;
    memcpy(e->y, y, (size_t)e->watch.s->n * sizeof *y);
  }
}

static bool is_wanted(const pw_events *e, int k, bool rises, bool falls) {
  int want = e->watch.scan.want[k];
  return (rises && (want & PW_WANT_RISING) != 0) || (falls && (want & PW_WANT_FALLING) != 0);
}

pawl_status pw_events_after_jump(pw_events *e, double t, const double *y) {
  pw_stepper *s = e->watch.s;
  const pw_system *sys = s->mech->sys;
  if (e->watch.scan.m == 0) {
    return PAWL_OK;
  }
  pawl_status status = functions(NULL, s, t, y, e->when);
  e->n_now = 0;
  for (int k = 0; status == PAWL_OK && k < sys->root.n; k++) {
    bool rises = e->before[k] < 0 && e->when[k] >= 0, falls = e->before[k] > 0 && e->when[k] <= 0;
    if (is_wanted(e, k, rises, falls)) {
      e->now[e->n_now++] = sys->root.of[k];
    }
  }
  happen(e, t, y);
  return status;
}

/* ---- sides that change between two steps ---- */

/* Function k was zero at an instant of events that is this one within the resolution of time. */
static bool is_done(const pw_events *e, int k) {
  const pw_stepper *s = e->watch.s;
  bool done = false;
  for (int i = 0; i < e->n_now && fabs(e->t - s->rk.t) <= resolution(s); i++) {
    done = done || e->now[i] == s->mech->sys->root.of[k];
  }
  return done;
}

/* A function goes from a to b while the sides change. Zero is told from its noise: mod(x, 1) comes
 * down to zero just before it jumps to one, round(x) - 2 has been zero for a while. */
static bool passes(const pw_events *e, int k, double a, double b) {
  double noise = PW_SCALE(CLEAR_OF_ROUNDING) * e->noise[k], came = e->watch.scan.left[k];
  const pw_stepper *s = e->watch.s;
  const pw_event_def *d = &s->mech->sys->model->events.items[s->mech->sys->root.of[k]];
  if (fabs(b - a) <= noise) { /* it does not jump: only rounding can have taken it across */
    return is_wanted(e, k, a < 0 && b >= 0, a > 0 && b <= 0);
  }
  bool at_zero = fabs(a) <= noise, arrives = at_zero && fabs(came) > noise;
  bool rises = arrives ? came < 0 : !at_zero && a < 0 && b >= -noise;
  bool falls = arrives ? came > 0 : !at_zero && a > 0 && b <= noise;
  if (d->holds_at_zero && !(arrives && came > 0)) { /* at zero it holds still */
    falls = (a > 0 || at_zero) && b < -noise;
  }
  return is_wanted(e, k, rises, falls);
}

/* Which functions jumped through their roots before the step; e->n_now of them happen now. */
static pawl_status judge_jumps(pw_events *e) {
  pw_stepper *s = e->watch.s;
  const pw_system *sys = s->mech->sys;
  pawl_status status = functions(NULL, s, s->rk.t, s->rk.y0, e->when);
  if (status == PAWL_OK) {
    status = pw_watch_noise(&e->watch, s->rk.t, s->rk.y0, e->noise);
  }
  if (status != PAWL_OK) {
    return status;
  }
  for (int k = 0; k < sys->root.n; k++) {
    bool done = is_done(e, k);
    e->watch.scan.known[k] = done;
    e->when[k] = !done && passes(e, k, e->before[k], e->when[k]) ? 0 : NAN;
  }
  e->n_now = 0;
  for (int k = 0; k < sys->root.n; k++) {
    if (!isnan(e->when[k])) {
      e->now[e->n_now++] = sys->root.of[k];
    }
  }
  happen(e, s->rk.t, s->rk.y0);
  return PAWL_OK;
}

pawl_status pw_events_step(pw_events *e, bool joined, bool turned) {
  pawl_status status = PAWL_OK;
  e->found = false;
  forget_times(e);
  if (turned) {
    status = judge_jumps(e);
  }
  return status == PAWL_OK ? pw_scan_step(&e->watch.scan, joined, pw_unseen_finest(e->watch.s))
                           : status;
}
