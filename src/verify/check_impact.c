// SPDX-License-Identifier: MIT
/* The impact law. With left = rate+ + e rate- Newton's law in Moreau's form is a set: a contact has
 * an impulse only if nothing is left, friction that of Coulomb with what is left of its slip in
 * place of the slip (certificates, section 4). The jump must come out of these sets; other laws are
 * followed step by step (replay.c). */
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/real.h"
#include "law/scale_verify.h"
#include "linalg/dense.h"
#include "verify/strike.h"

double pw_jump_after(const pw_jump *x, int i) {
  return x->c->probe.rate[i] / x->c->probe.length[i];
}

double pw_jump_before(const pw_jump *x, int i) {
  return x->before[i] / x->c->probe.length[i];
}

double pw_jump_left(const pw_jump *x, int i) {
  return pw_jump_after(x, i) + x->e[i - x->c->sys->nc] * pw_jump_before(x, i);
}

static bool ends_bounces(const pw_jump *x, int i) {
  return pw_jump_before(x, i) < -x->tiny && pw_jump_comes_to_rest(x, i);
}

double pw_jump_restitution(const pw_jump *x, int i) {
  return x->stops && ends_bounces(x, i) ? 0 : x->e[i - x->c->sys->nc];
}

/* Small bounces have smaller gaps than that, which their speeds do not close at once. */
bool pw_jump_is_exact(const pw_jump *x, int i) {
  const pw_probe *p = &x->c->probe;
  double speed = pw_max(fabs(pw_jump_before(x, i)), fabs(pw_jump_after(x, i)));
  double moment = PW_SCALE(CERT_EXACT) * (fabs(x->t) + x->c->data.time_error);
  return pw_jump_is_closer(x, i, PW_SCALE(CERT_EXACT)) &&
         (x->place > 0 || p->value[i] <= moment * speed * p->length[i] ||
          pw_jump_is_closer(x, i, PW_SCALE(CERT_EXACT) * PW_SCALE(CERT_EXACT)));
}

bool pw_jump_is_closer(const pw_jump *x, int i, double part) {
  const pw_probe *p = &x->c->probe;
  double terms = PW_SCALE(CERT_TERMS) * p->terms[i - x->c->sys->nc];
  return p->value[i] <= part * x->c->scale.L0 * p->length[i] + terms;
}

/* ---- friction on a contact ---- */

typedef struct slip { /* impulses per normal impulse: [lo, hi], or along d of several components */
  double lo, hi;
  int width;
  bool plane, stands;
  bool against; /* of several, where nothing else is known: not along d */
  double d[PW_LAW_MOST];
} slip;

static bool is_alone(const pw_jump *x) {
  int n = 0;
  for (int i = x->c->sys->nc; i < x->c->sys->nr; i++) {
    n += pw_jump_touches(x, i);
  }
  return n == 1;
}

/* Whatever the impact law: a slip along a line that has one direction before and after the jump of
 * a single contact had it all the time (Routh 1860), so that its friction was at its bound
 * against it. Of several contacts, and in the plane, it did not push along the slip. */
static void oppose(const pw_jump *x, int row, double least_mu, slip *out) {
  const pw_probe *p = &x->c->probe;
  int n = out->width;
  double d[PW_LAW_MOST] = {0}, along = 0, least = INFINITY;
  for (int side = 0; side < 2; side++) {
    double size = 0;
    for (int k = 0; k < n; k++) {
      double rate = side == 0 ? pw_jump_before(x, row + k) : pw_jump_after(x, row + k);
      rate *= p->length[row + k];
      along = side == 0 ? along : along + rate * d[k];
      d[k] += rate;
      size += rate * rate;
    }
    least = pw_min(least, sqrt(size));
  }
  if (!(along > 0) || !(least > x->tiny * p->length[row])) {
    return;
  }
  out->against = out->plane;
  memcpy(out->d, d, sizeof d);
  double bound = is_alone(x) ? least_mu : 0;
  if (!out->plane) {
    out->hi = d[0] > 0 ? -bound : out->hi;
    out->lo = d[0] > 0 ? out->lo : bound;
  }
}

/* mu may depend on the slip: before the jump, after it, or between. */
static slip slip_of(const pw_jump *x, int row, bool by_law) {
  const pw_system *s = x->c->sys;
  const pw_probe *p = &x->c->probe;
  int k = row - s->nc;
  double now = pw_probe_bound(p, row, false), least = pw_min(x->mu[k], now),
         most = pw_max(x->mu[k], now);
  slip out = {.lo = -most, .hi = most, .width = 1, .plane = s->law[k].group >= 0, .stands = true};
  out.width = out.plane ? s->law[k].width : 1;
  PW_ASSERT(out.width <= PW_LAW_MOST);
  if (!by_law && x->c->opts.any_impact_law) {
    oppose(x, row, least, &out);
    return out;
  }
  double left = by_law ? pw_jump_left(x, row) : 0;
  if (out.plane && by_law) {
    for (int i = 0; i < out.width; i++) {
      out.d[i] = pw_jump_left(x, row + i) * p->length[row + i];
    }
    double size = pw_length(out.d, out.width);
    out.stands = !(size > x->tiny * pw_norm_inf(p->length + row, out.width));
    for (int i = 0; i < out.width; i++) {
      out.d[i] = out.stands ? 0 : out.d[i] / size;
    }
    out.lo = out.stands ? 0 : least;
  } else if (fabs(left) > x->tiny) {
    out.stands = false;
    out.lo = left > 0 ? -most : least;
    out.hi = left > 0 ? -least : most;
  }
  return out;
}

/* Adds the rows of a slip, times `to`, to a column. */
static void push_by(const pw_jump *x, int row, const double *to, int width, double *col) {
  int n = x->c->room.reach.n;
  for (int k = 0; k < width; k++) {
    if (to[k] != 0) {
      pw_axpy(to[k], x->c->probe.A + (size_t)(row + k) * (size_t)n, col, n);
    }
  }
}

/* Doubles every column from `first` to `last`: one for each end of the interval of friction. */
static void spread(pw_jump *x, int first, int last, int row, const double *to, int width) {
  pw_reach *r = &x->c->room.reach;
  int n = r->n;
  for (int j = first; j < last; j++) {
    double *col = pw_jump_add(x, row, 0, INFINITY);
    if (col != NULL) {
      memcpy(col, r->A + (size_t)j * (size_t)n, (size_t)n * sizeof *col);
      push_by(x, row, to, width, col);
    }
  }
}

enum { EDGES = 12 }; /* of the polygon around a disk */

static void add_slip(pw_jump *x, int first, int row, bool by_law) {
  pw_reach *r = &x->c->room.reach;
  slip f = slip_of(x, row, by_law);
  int last = r->k, n = r->n, w = f.width;
  if (f.plane && f.stands) {
    double edge[PW_LAW_MOST * EDGES];
    pw_law_set ball = pw_law_ball(f.hi, w);
    int edges = pw_law_set_edges(&ball, EDGES, edge);
    for (int e = 0; e < edges; e++) { /* a face of a cube has corners on both sides */
      bool along = w == 2 && edge[2 * e] * f.d[0] + edge[2 * e + 1] * f.d[1] > 0;
      if (!(f.against && along)) {
        spread(x, first, last, row, edge + w * e, w);
      }
    }
    return;
  }
  double most[PW_LAW_MOST], least[PW_LAW_MOST];
  for (int k = 0; k < w; k++) {
    most[k] = f.hi * (f.plane ? -f.d[k] : 1);
    least[k] = f.lo * (f.plane ? -f.d[k] : 1);
  }
  if (f.lo < f.hi) {
    spread(x, first, last, row, most, w);
  }
  for (int j = first; j < last; j++) { /* the original column gets the other end */
    push_by(x, row, least, w, r->A + (size_t)j * (size_t)n);
  }
}

static bool is_friction_on(const pw_system *s, int row, int contact) {
  return pw_row_contact(s, row) == contact && !pw_law_is_rough(&s->row[row]) &&
         (s->row[row].group < 0 || s->row[row].group == row - s->nc);
}

void pw_jump_add_contact(pw_jump *x, int i, bool by_law) {
  const pw_system *s = x->c->sys;
  int first = x->c->room.reach.k;
  pw_jump_add(x, i, 0, INFINITY);
  for (int row = s->nc; row < s->nr; row++) {
    if (is_friction_on(s, row, i)) {
      add_slip(x, first, row, by_law);
    }
  }
}

/* ---- Newton's law ---- */

/* A rough contact has an impulse only where its slip follows the law, too. */
static bool is_rough_right(const pw_jump *x, int contact) {
  const pw_system *s = x->c->sys;
  for (int row = s->nc; row < s->nr; row++) {
    if (pw_row_contact(s, row) == contact && pw_law_is_rough(&s->row[row]) &&
        fabs(pw_jump_left(x, row)) > x->tiny) {
      return false;
    }
  }
  return true;
}

static bool may_push(const pw_jump *x, int contact) {
  bool right = fabs(pw_jump_left(x, contact)) <= x->tiny && is_rough_right(x, contact);
  return right || pw_jump_comes_to_rest(x, contact);
}

/* Directions of slips in the plane are known less well than the slips. */
static double direction_blur(const pw_jump *x) {
  const pw_system *s = x->c->sys;
  const pw_probe *p = &x->c->probe;
  double sum = 0;
  for (int row = s->nc; row < s->nr; row++) {
    int k = row - s->nc, contact = pw_row_contact(s, row);
    if (contact >= 0 && s->law[k].group == k && pw_jump_touches(x, contact)) {
      double left[PW_LAW_MOST] = {0};
      for (int i = 0; i < s->law[k].width && i < PW_LAW_MOST; i++) {
        left[i] = pw_jump_left(x, row + i);
      }
      double size = pw_length(left, PW_LAW_MOST);
      double push = fabs(x->impulse[contact]) * pw_probe_bound(p, row, false) * p->reach[row];
      sum += size > x->tiny ? push * pw_min(1, x->blur / size) : 0;
    }
  }
  return sum;
}

static double newton(pw_jump *x) {
  const pw_system *s = x->c->sys;
  pw_reach_begin(&x->c->room.reach);
  for (int i = 0; i < s->nr; i++) {
    if (!pw_jump_is_struck(x, i)) {
      continue;
    }
    int contact = pw_row_contact(s, i);
    if (i < s->nc || s->row[i].kind == PW_KIND_SERVO) {
      pw_jump_add(x, i, -INFINITY, INFINITY);
    } else if (pw_law_is_rough(&s->row[i])) {
      double room = may_push(x, contact) ? INFINITY : 0;
      pw_jump_add(x, i, -room, room);
    } else if (s->row[i].on_velocity) {
      bool state = pw_row_state(s, i) >= 0;
      pw_jump_add(x, i, state ? -INFINITY : 0, pw_jump_is_bound(x, i) ? INFINITY : 0);
    } else if (pw_law_is_wall(&s->row[i]) && may_push(x, i)) {
      pw_jump_add_contact(x, i, true);
    }
  }
  pw_jump_add_rests(x, &x->c->room.reach);
  pw_reach_solve(&x->c->room.reach, x->dp);
  return pw_max(x->c->room.reach.distance - direction_blur(x), 0);
}

/* A contact that closes as if nothing had happened can be hit a moment later as well: the order
 * does not matter, and the next jump has to (expect_next). */
static bool goes_on_closing(const pw_jump *x, int i) {
  double before = pw_jump_before(x, i), after = pw_jump_after(x, i);
  return after < -x->tiny && fabs(after - before) <= x->tiny;
}

/* The time in which a contact that closes after the jump is met, if its gap shows that it was still
 * open: by less than others are known to be closed, but by more than positions and times round. */
static double time_ahead(const pw_jump *x, int i) {
  const pw_probe *p = &x->c->probe;
  bool open = p->value[i] > PW_SCALE(CERT_TERMS) * p->terms[i - x->c->sys->nc];
  double ahead = open && pw_jump_after(x, i) < -x->tiny ? -p->value[i] / p->rate[i] : 0;
  double rounds = PW_SCALE(CERT_TERMS) * fabs(x->t) + 2 * x->c->data.time_error; /* of two times */
  return ahead / 2 > rounds ? ahead : 0; /* it is not met in the first half of this time */
}

/* Where it goes on closing, or is met a moment later, the next jump has to strike it. */
static bool is_met_later(const pw_jump *x, int i) {
  return goes_on_closing(x, i) || (x->later && time_ahead(x, i) > 0);
}

/* A contact that is met and closes more slowly than its law returns it must be hit. */
static bool leaves_out(const pw_jump *x) {
  const pw_system *s = x->c->sys;
  for (int i = s->nc; i < s->nr; i++) {
    if (pw_jump_touches(x, i) && pw_jump_is_exact(x, i) && !is_met_later(x, i) &&
        pw_jump_left(x, i) < -x->tiny && !pw_jump_comes_to_rest(x, i)) {
      return true;
    }
  }
  return false;
}

/* ---- which law, and whom to blame ---- */

typedef struct census {
  int contacts, bound; /* touching; one-sided rows that are met after */
  pw_impact_kind law;  /* of all that touch */
  bool rubs, plane;    /* friction or roughness takes part; in the plane */
} census;

static census count(const pw_jump *x) {
  const pw_system *s = x->c->sys;
  census n = {0};
  for (int i = s->nc; i < s->nr; i++) {
    if (pw_jump_touches(x, i)) {
      n.contacts++;
      n.law = pw_impact_joined(n.law, s->row[i].impact);
    } else if (pw_law_is_wall(&s->row[i]) && s->row[i].on_velocity) {
      n.bound += pw_jump_is_bound(x, i);
    } else if (pw_jump_is_struck(x, i)) {
      n.rubs = true;
      n.plane = n.plane || s->row[i].group >= 0;
    }
  }
  return n;
}

/* How much of the impulse of a row has no place where something is left; of friction, what it lacks
 * to that of sliding. */
static double misplaced(const pw_jump *x, int i) {
  const pw_system *s = x->c->sys;
  int contact = pw_row_contact(s, i), k = i - s->nc;
  double impulse = x->impulse[i];
  if (contact >= 0 && !pw_law_is_rough(&s->row[i]) && s->law[k].group < 0) {
    impulse += copysign(x->mu[k], pw_jump_left(x, i)) * x->impulse[contact];
  }
  return fabs(impulse) * x->c->probe.reach[i];
}

/* The contact or slip that has an impulse although something is left, or that is left out. */
static int blamed(const pw_jump *x) {
  const pw_system *s = x->c->sys;
  int worst = -1;
  double most = 0;
  for (int i = s->nc; i < s->nr; i++) {
    bool contact = pw_jump_touches(x, i);
    bool mine = contact || (pw_row_contact(s, i) >= 0 && pw_jump_is_struck(x, i));
    double push = mine ? misplaced(x, i) : 0;
    double left = mine ? pw_jump_left(x, i) : 0;
    double off = contact && left < 0 ? -left : pw_min(fabs(left), push);
    if (off > most) {
      most = off;
      worst = i;
    }
  }
  return worst < 0 ? -1 : s->row_of[worst];
}

static void note(pw_jump *x, double value, int law, pw_rule rule) {
  pw_verify_found f = pw_found(value / x->speed, x->tiny / x->speed, x->t, law, rule);
  pw_found_note(&x->c->record, PW_FINDING_IMPACT, f);
}

/* Forces may turn a contact that closes before its gap is gone: v^2 <= 2 a g. */
static bool may_turn(const pw_jump *x, int i, double closes) {
  double gap = x->c->probe.value[i] / x->c->probe.length[i];
  bool open = !x->c->sys->row[i].on_velocity && !pw_jump_is_exact(x, i);
  return open && closes * closes <= 2 * pw_max(pw_jump_fall(x), x->c->scale.F0) * gap;
}

/* A contact that still closes must be hit by the next jump, at once. */
static void expect_next(pw_jump *x) {
  const pw_system *s = x->c->sys;
  pw_owed *owed = &x->c->jumps.owed;
  double from = INFINITY;
  for (int i = s->nc; i < s->nr; i++) {
    double closes =
        pw_law_is_wall(&s->row[i]) && pw_jump_is_struck(x, i) ? -pw_jump_after(x, i) : 0;
    if (!(closes > x->tiny)) {
      continue;
    }
    double ahead = x->later && !s->row[i].on_velocity ? time_ahead(x, i) : 0;
    from = pw_min(from, ahead > 0 ? x->t + ahead / 2 : -INFINITY);
    if (closes > owed->value && !may_turn(x, i, closes)) {
      double gap = s->row[i].on_velocity ? 0 : 2 * pw_jump_near(x);
      *owed = (pw_owed){.value = closes,
                        .speed = x->speed,
                        .tiny = x->tiny,
                        .t = x->t,
                        .until = x->t + gap / closes,
                        .law = s->row_of[i],
                        .now = x->place == 0 && pw_jump_is_exact(x, i)};
    }
  }
  owed->from = from;
}

int pw_jump_choose(const pw_jump *x, signed char *takes) {
  const pw_system *s = x->c->sys;
  int later = 0;
  for (int i = 0; i < s->nr; i++) {
    bool contact = i >= s->nc && pw_jump_touches(x, i);
    bool must = contact && pw_jump_is_exact(x, i) && !is_met_later(x, i);
    must = must &&
           !(pw_jump_before(x, i) > PW_SCALE(CERT_VALUE) * x->speed); /* it has just been opened */
    takes[i] = !contact ? PW_TAKE_NOT : must ? PW_TAKE_IS : PW_TAKE_MAYBE;
    later += takes[i] == PW_TAKE_MAYBE;
  }
  return later;
}

static void choose_phases(pw_strike *q, pw_impact_kind law, bool projected) {
  q->n_phase = pw_impact_phases(law, q->phase);
  if (projected) {
    q->phase[q->n_phase++] = PW_PHASE_PROJECTION;
  }
}

static bool any_will_do(void *payload, const double *w) {
  (void)payload;
  (void)w;
  return true;
}

bool pw_jump_must_pull(pw_jump *x) {
  const pw_system *s = x->c->sys;
  pw_strike q = {.x = x, .from = x->slow, .takes = x->c->room.strike->takes, .limit = x->tiny};
  bool rough = false;
  q.found = any_will_do;
  (void)pw_jump_choose(x, x->c->room.strike->takes);
  for (int i = s->nc; i < s->nr; i++) {
    int on = pw_row_contact(s, i);
    rough = rough || (on >= 0 && pw_law_is_rough(&s->row[i]) && pw_jump_touches(x, on));
  }
  choose_phases(&q, count(x).law, false);
  return rough && s->n_state == 0 && !pw_strike_solve(&q) && !q.gave_up;
}

/* All contacts in one problem, followed by the projection on what one-sided constraints on
 * velocities allow where such a one is met: the distance from what the law admits. *ends: no
 * contact that is met can close after it, by (56) and (57); nothing follows at this instant. */
static double at_once(pw_jump *x, const census *n, bool *known, bool *ends) {
  pw_strike q = {.x = x, .from = x->slow, .to = x->fast, .limit = x->tiny};
  double least = INFINITY;
  q.takes = x->c->room.strike->takes;
  q.sticky = x->pulls;
  *ends = pw_jump_choose(x, x->c->room.strike->takes) == 0 && *ends;
  for (int stages = n->bound > 0; stages >= 0; stages--) {
    choose_phases(&q, n->law, stages > 0);
    if (pw_strike_solve(&q)) {
      *known = true;
      return 0;
    }
    *known = *known && !q.gave_up;
    least = pw_min(least, q.least);
  }
  return least;
}

/* Where nothing has to be searched; multipliers that are states are part of the jump, which is
 * taken as it is. */
static double plainly(pw_jump *x, const census *n) {
  bool by_rates = pw_impact_is_by_rates(n->law) || (n->contacts == 1 && !n->rubs);
  bool alone = n->bound == 0 || n->contacts == 0, states = x->c->sys->n_state > 0;
  return by_rates && (states || (alone && !n->plane && !leaves_out(x))) ? newton(x) : INFINITY;
}

/* Contacts that are near but open, or have just been left, can be struck a moment after the others,
 * and those once more: which impulse belongs to which impact is then not known. */
static bool may_come_later(const pw_jump *x) {
  const pw_system *s = x->c->sys;
  const pw_probe *p = &x->c->probe;
  for (int i = s->nc; i < s->nr; i++) {
    if (pw_jump_touches(x, i) && fabs(x->impulse[i]) * p->reach[i] > x->tiny) {
      bool open = !pw_jump_is_exact(x, i), leaves = pw_jump_before(x, i) > x->tiny;
      if (open || leaves) {
        return true;
      }
    }
  }
  return false;
}

/* The distance from the velocities the law admits, and the rule that found it; *known false: not
 * all of them were followed. */
static double judge(pw_jump *x, const census *n, bool *known, pw_rule *rule) {
  bool one_problem = !x->c->opts.sequential || n->contacts <= 1, followed = true;
  bool ends = one_problem;
  double off = x->faint || x->stops ? INFINITY : pw_jump_residual(x);
  *known = true;
  *rule = PW_RULE_IMPACT_RESIDUAL;
  if (off <= x->tiny) {
    return off;
  }
  off = one_problem ? plainly(x, n) : INFINITY;
  *rule = PW_RULE_IMPACT_PLAIN;
  if (x->c->sys->n_state > 0) {
    *known = isfinite(off);
  } else if (off > x->tiny && one_problem) {
    *rule = PW_RULE_IMPACT_MODES;
    off = at_once(x, n, known, &ends);
  }
  if (off > x->tiny && !ends && x->c->sys->n_state == 0) {
    double by_steps = pw_replay(x, &followed);
    *rule = by_steps < off ? PW_RULE_IMPACT_STEPS : *rule;
    *known = by_steps <= x->tiny || (*known && followed);
    off = pw_min(off, by_steps);
  }
  return off;
}

static bool any_ahead(const pw_jump *x) {
  const pw_system *s = x->c->sys;
  for (int i = s->nc; i < s->nr; i++) {
    if (pw_jump_touches(x, i) && time_ahead(x, i) > 0) {
      return true;
    }
  }
  return false;
}

/* The same where some contacts are met a moment later, if that is what the velocities show. */
static double judge_later(pw_jump *x, double off, bool *known, pw_rule *rule) {
  census n = count(x);
  bool followed;
  pw_rule other;
  x->faint = x->stops = false;
  x->later = any_ahead(x);
  double less = x->later ? judge(x, &n, &followed, &other) : INFINITY;
  x->later = less <= x->tiny;
  if (x->later) {
    *known = true;
    *rule = other;
  }
  return pw_min(off, less);
}

static bool any_ends(const pw_jump *x) {
  const pw_system *s = x->c->sys;
  for (int i = s->nc; i < s->nr; i++) {
    if (pw_jump_touches(x, i) && x->e[i - s->nc] != 0 && ends_bounces(x, i)) {
      return true;
    }
  }
  return false;
}

void pw_verify_impact(pw_jump *x) {
  census n = count(x);
  bool known;
  pw_rule rule;
  if (n.contacts + n.bound == 0) {
    return; /* no law of impact is asked for */
  }
  if (x->c->opts.any_impact_law) { /* Leine and Aeberhard, theorem 2: u+ in T_K is all that is */
    expect_next(x);
    return;
  }
  double off = judge(x, &n, &known, &rule);
  bool ends = off > x->tiny && any_ends(x);
  for (int way = 1; way < 4 && off > x->tiny; way++) { /* bounces end in this jump */
    bool followed;
    pw_rule other;
    x->faint = way % 2 != 0;
    x->stops = way > 1;
    if ((x->faint && !x->stands) || (x->stops && !ends)) {
      continue;
    }
    n = count(x);
    double less = judge(x, &n, &followed, &other);
    rule = less < off ? PW_RULE_IMPACT_ENDS : rule;
    off = pw_min(off, less);
    known = off <= x->tiny || (known && followed);
  }
  if (off > x->tiny) {
    off = judge_later(x, off, &known, &rule);
  }
  if (off > x->tiny && n.contacts > 1 && (pw_jump_is_quick(x) || (n.rubs && may_come_later(x)))) {
    known = false; /* the end of a series of some of them, or another impact, is part of this */
  }
  int law = blamed(x);
  pw_reason_note(&x->c->record, known ? rule : PW_RULE_IMPACT_UNKNOWN, x->t, off / x->speed);
  if (known) {
    note(x, off, law, rule);
  } else if (isnan(x->c->jumps.unjudged) && x->size > PW_SCALE(CERT_FAINT_JUMP) * x->c->scale.V0) {
    x->c->jumps.unjudged = x->t;
    x->c->jumps.unjudged_law = law;
  }
  expect_next(x);
}
