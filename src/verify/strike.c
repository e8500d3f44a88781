// SPDX-License-Identifier: MIT
/* Branch and bound over the modes of an impact, certificates (C10): while some row is not decided
 * it may do whatever lies in the convex hull of its modes; what is out of reach then is out of
 * reach for good. The row that obeys none of its modes is decided next. Directions in the plane are
 * decided by halving sectors. */
#include "verify/strike.h"

#include <math.h>
#include <string.h>

#include "base/pi.h"
#include "base/real.h"
#include "law/scale_verify.h"
#include "linalg/dense.h"

enum { QUARTERS = 4, TURNS = 12 };

static double reach_of(const pw_strike *s, int row) {
  return s->x->c->probe.reach[row];
}

/* Distance of x from the interval between a and b. */
static double outside(double x, double a, double b) {
  return pw_max(pw_max(pw_min(a, b) - x, x - pw_max(a, b)), 0);
}

/* ---- how far from a mode ---- */

static double miss_contact(const pw_strike *s, const pw_verify_cell *c, pw_verify_mode mode) {
  double rate = c->rate[0] / c->unit;
  return mode == PW_MODE_OPEN ? fabs(c->more) * reach_of(s, c->row) : fabs(rate);
}

static double miss_rough(const pw_strike *s, const pw_verify_cell *c, pw_verify_mode mode) {
  const pw_verify_cell *on = &s->x->c->room.strike->cell[c->contact];
  double push = fabs(on->push) * reach_of(s, on->row), side = fabs(c->push) * reach_of(s, c->row);
  return mode == PW_MODE_OPEN ? pw_max(push, side) : fabs(c->rate[0]) / c->unit;
}

static double miss_line(const pw_strike *s, const pw_verify_cell *c, pw_verify_mode mode) {
  double push = s->x->c->room.strike->cell[c->contact].push, rate = c->rate[0] / c->unit;
  if (mode == PW_MODE_STICK) {
    return fabs(rate);
  }
  double sign = mode == PW_MODE_PLUS ? -1 : 1, wrong = pw_max(sign * rate, 0);
  double far = outside(c->side[0], sign * c->lo * push, sign * c->hi * push);
  return pw_max(wrong, far * reach_of(s, c->row));
}

static double reach_of_disk(const pw_strike *s, const pw_verify_cell *c) {
  double most = 0;
  for (int k = 0; k < pw_cell_width(c); k++) {
    most = pw_max(most, reach_of(s, c->row + k));
  }
  return most;
}

static double miss_stick(const pw_strike *s, const pw_verify_cell *c) {
  double push = s->x->c->room.strike->cell[c->contact].push;
  return pw_max(pw_length(c->side, pw_cell_width(c)) - c->hi * push, 0) * reach_of_disk(s, c);
}

static double miss_slide(const pw_strike *s, const pw_verify_cell *c) {
  int n = pw_cell_width(c);
  double push = s->x->c->room.strike->cell[c->contact].push, size = pw_length(c->rate, n);
  if (!(size > 0)) {
    return miss_stick(s, c);
  }
  double along = 0, across[PW_LAW_MOST]; /* against the slip, and what is left */
  for (int k = 0; k < n; k++) {
    along -= c->side[k] * c->rate[k] / size;
  }
  for (int k = 0; k < n; k++) {
    across[k] = c->side[k] + along * c->rate[k] / size;
  }
  return hypot(pw_length(across, n), outside(along, c->lo * push, c->hi * push)) *
         reach_of_disk(s, c);
}

static bool is_narrow(const pw_strike *s, const pw_verify_cell *c) {
  bool sector = c->mode == PW_MODE_SLIDE || c->mode == PW_MODE_STICK_IN;
  double width = c->kind == PW_CELL_BALL ? pw_patch_size(&c->patch) : c->to - c->from;
  return sector && width <= (s->to == NULL ? PW_SCALE(CERT_NARROW_ALL) : PW_SCALE(CERT_NARROW));
}

static double miss_disk(const pw_strike *s, const pw_verify_cell *c) {
  if (is_narrow(s, c)) {
    return 0;
  }
  double stands = pw_max(pw_length(c->rate, pw_cell_width(c)) / c->unit, miss_stick(s, c));
  bool sticks = c->mode == PW_MODE_STICK || c->mode == PW_MODE_STICK_IN;
  return sticks ? miss_stick(s, c) : pw_min(stands, miss_slide(s, c));
}

static double miss_mode(const pw_strike *s, const pw_verify_cell *c, pw_verify_mode mode) {
  return c->kind == PW_CELL_NORMAL  ? miss_contact(s, c, mode)
         : c->kind == PW_CELL_ROUGH ? miss_rough(s, c, mode)
                                    : miss_line(s, c, mode);
}

/* The modes of a row that is not decided, slips in the plane apart. */
static int modes_of(const pw_verify_cell *c, pw_verify_mode out[3]) {
  if (c->kind == PW_CELL_LINE) {
    out[0] = PW_MODE_STICK;
    out[1] = PW_MODE_PLUS;
    out[2] = PW_MODE_MINUS;
    return 3;
  }
  out[0] = PW_MODE_OPEN;
  out[1] = PW_MODE_CLOSED;
  return 2;
}

static double miss(const pw_strike *s, const pw_verify_cell *c) {
  pw_verify_mode mode[3];
  if (c->kind == PW_CELL_EQUAL || (!pw_cell_is_plane(c) && c->mode != PW_MODE_ANY)) {
    return 0;
  }
  if (pw_cell_is_plane(c)) {
    return miss_disk(s, c);
  }
  double least = INFINITY;
  for (int k = modes_of(c, mode) - 1; k >= 0; k--) {
    least = pw_min(least, miss_mode(s, c, mode[k]));
  }
  return least;
}

/* ---- what to decide next ---- */

/* To find all motions a row must be decided even if it obeys one of its modes. */
static bool is_open_question(const pw_strike *s, const pw_verify_cell *c) {
  const pw_verify_cell *on = c->contact < 0 ? NULL : &s->x->c->room.strike->cell[c->contact];
  bool idle = on != NULL && on->mode == PW_MODE_OPEN && on->couple < 0;
  if (c->kind == PW_CELL_EQUAL || idle) {
    return false;
  }
  return c->mode == PW_MODE_ANY || (c->mode == PW_MODE_SLIDE && !is_narrow(s, c));
}

/* Of the first phase in which not all do, the cell that obeys its modes least; -1: all do. Early
 * phases do not depend on what follows. */
static int undecided(const pw_strike *s) {
  const pw_strike_room *r = s->x->c->room.strike;
  int worst = -1;
  double most = s->limit;
  for (int i = 0; i < r->n_cell; i++) {
    double off = worst < 0 || r->cell[worst].step == r->cell[i].step ? miss(s, &r->cell[i]) : 0;
    if (off > most) {
      most = off;
      worst = i;
    }
  }
  for (int i = 0; i < r->n_cell && worst < 0 && s->to == NULL; i++) {
    worst = is_open_question(s, &r->cell[i]) ? i : -1;
  }
  return worst;
}

static bool search(pw_strike *s);

static bool try_mode(pw_strike *s, int at, pw_verify_mode mode, double from, double to) {
  pw_verify_cell *c = &s->x->c->room.strike->cell[at], keep = *c;
  c->mode = mode;
  c->from = from;
  c->to = to;
  bool done = search(s);
  s->x->c->room.strike->cell[at] = keep;
  return done;
}

/* The direction that the solution suggests, in 0..2 pi. */
static double suggested(const pw_strike *s, const pw_verify_cell *c) {
  bool sticks = c->mode == PW_MODE_STICK || c->mode == PW_MODE_STICK_IN;
  bool moves = !sticks && hypot(c->rate[0], c->rate[1]) > s->limit * c->unit;
  double sign = sticks ? 1 : -1;
  double angle =
      moves ? atan2(c->rate[1], c->rate[0]) : atan2(sign * c->side[1], sign * c->side[0]);
  return angle < 0 ? angle + 2 * PW_PI : angle;
}

static bool branch_disk(pw_strike *s, int at) {
  pw_verify_cell c = s->x->c->room.strike->cell[at];
  double angle = suggested(s, &c), width = PW_PI / 2;
  bool whole = c.mode == PW_MODE_ANY || c.mode == PW_MODE_STICK;
  bool sticks = c.mode == PW_MODE_STICK || c.mode == PW_MODE_STICK_IN;
  pw_verify_mode mode = sticks ? PW_MODE_STICK_IN : PW_MODE_SLIDE;
  if (c.mode == PW_MODE_ANY && try_mode(s, at, PW_MODE_STICK, 0, 0)) {
    return true;
  }
  if (whole) { /* quarters, the one that is suggested in the middle of the first */
    for (int k = 0; k < QUARTERS; k++) {
      double from = angle + (k - 0.5) * width;
      if (try_mode(s, at, mode, from, from + width)) {
        return true;
      }
    }
    return false;
  }
  double half = (c.to - c.from) / 2, middle = c.from + half;
  bool upper = fmod(angle - middle + 8 * PW_PI, 2 * PW_PI) < PW_PI;
  return try_mode(s, at, mode, upper ? middle : c.from, upper ? c.to : middle) ||
         try_mode(s, at, mode, upper ? c.from : middle, upper ? middle : c.to);
}

static bool try_patch(pw_strike *s, int at, pw_verify_mode mode, const pw_patch *patch) {
  pw_verify_cell *c = &s->x->c->room.strike->cell[at];
  pw_patch keep = c->patch;
  c->patch = *patch;
  bool done = try_mode(s, at, mode, 0, 0);
  c->patch = keep;
  return done;
}

/* The same of three components: octants, then quarters of them, towards the slip of the solution or
 * the impulse by which it sticks. */
static bool branch_ball(pw_strike *s, int at) {
  pw_verify_cell c = s->x->c->room.strike->cell[at];
  pw_patch part[PW_PATCHES];
  bool whole = c.mode == PW_MODE_ANY || c.mode == PW_MODE_STICK;
  bool sticks = c.mode == PW_MODE_STICK || c.mode == PW_MODE_STICK_IN;
  bool moves = !sticks && pw_length(c.rate, PW_LAW_MOST) > s->limit * c.unit;
  double way[PW_LAW_MOST];
  for (int k = 0; k < PW_LAW_MOST; k++) {
    way[k] = moves ? c.rate[k] : sticks ? c.side[k] : -c.side[k];
  }
  if (c.mode == PW_MODE_ANY && try_mode(s, at, PW_MODE_STICK, 0, 0)) {
    return true;
  }
  if (whole) {
    pw_patch_whole(way, part);
  } else {
    pw_patch_split(&c.patch, way, part);
  }
  for (int k = 0; k < (whole ? PW_PATCHES : PW_PATCH_PARTS); k++) {
    if (try_patch(s, at, sticks ? PW_MODE_STICK_IN : PW_MODE_SLIDE, &part[k])) {
      return true;
    }
  }
  return false;
}

/* The mode that is missed least is tried first. */
static bool branch(pw_strike *s, int at) {
  pw_verify_cell c = s->x->c->room.strike->cell[at];
  pw_verify_mode mode[3];
  double off[3];
  if (pw_cell_is_plane(&c)) {
    return c.kind == PW_CELL_BALL ? branch_ball(s, at) : branch_disk(s, at);
  }
  int n = modes_of(&c, mode);
  for (int k = 0; k < n; k++) {
    off[k] = miss_mode(s, &c, mode[k]);
  }
  for (; n > 0; n--) {
    int best = 0;
    for (int k = 1; k < n; k++) {
      best = off[k] < off[best] ? k : best;
    }
    if (try_mode(s, at, mode[best], 0, 0)) {
      return true;
    }
    mode[best] = mode[n - 1];
    off[best] = off[n - 1];
  }
  return false;
}

typedef struct heading { /* of a slip that slides: a root of slip's angle - angle by secants */
  int at;
  double from, to, last, off; /* its sector; the angle before, and what it missed */
} heading;

static int list_headings(const pw_strike *s, heading *list) {
  const pw_strike_room *r = s->x->c->room.strike;
  int n = 0;
  for (int i = 0; i < r->n_cell && n < PW_STRIKE_DISKS; i++) {
    const pw_verify_cell *c = &r->cell[i];
    if (c->mode == PW_MODE_SLIDE && hypot(c->rate[0], c->rate[1]) > s->limit * c->unit) {
      list[n++] = (heading){i, c->from, c->to, NAN, NAN};
    }
  }
  return n;
}

/* The next angle of each; returns the largest step. */
static double step_headings(pw_strike *s, heading *list, int n) {
  double most = 0;
  for (int k = 0; k < n; k++) {
    heading *h = &list[k];
    pw_verify_cell *c = &s->x->c->room.strike->cell[h->at];
    double now = c->from, off = remainder(atan2(c->rate[1], c->rate[0]) - now, 2 * PW_PI);
    double slope = (off - h->off) / (now - h->last), step = off;
    if (isfinite(slope) && fabs(slope) > PW_SCALE(CERT_SECANT_FLAT)) {
      step = -off / slope;
    }
    h->last = now;
    h->off = off;
    c->from = c->to = now + step;
    most = pw_max(most, fabs(step));
  }
  return most;
}

/* One of all motions, with the directions of slips instead of their sectors. */
static bool report(pw_strike *s) {
  pw_strike_room *r = s->x->c->room.strike;
  heading list[PW_STRIKE_DISKS];
  int n = list_headings(s, list);
  for (int k = 0; k < n; k++) {
    pw_verify_cell *c = &r->cell[list[k].at];
    c->from = c->to = (c->from + c->to) / 2;
  }
  bool inside = true;
  double step = n > 0 ? 1 : 0;
  for (int turn = 0; turn < TURNS && step > PW_SCALE(CERT_SUM); turn++) {
    pw_strike_pose(s);
    step = step_headings(s, list, n);
  }
  for (int k = 0; k < n; k++) {
    double width = list[k].to - list[k].from, now = r->cell[list[k].at].from;
    inside = inside && now > list[k].from - width && now < list[k].to + width;
  }
  s->gave_up = s->gave_up || !inside || step > PW_SCALE(CERT_HEADING);
  for (int k = 0; k < n && !inside; k++) { /* as it was */
    r->cell[list[k].at].from = list[k].from;
    r->cell[list[k].at].to = list[k].to;
  }
  if (n > 0) {
    pw_strike_pose(s);
  }
  bool enough =
      s->found(s->payload, r->after + (size_t)(s->n_phase - 1) * (size_t)s->x->c->sys->nv);
  for (int k = 0; k < n; k++) {
    r->cell[list[k].at].from = list[k].from;
    r->cell[list[k].at].to = list[k].to;
  }
  return enough;
}

static bool search(pw_strike *s) {
  pw_strike_room *r = s->x->c->room.strike;
  if (s->gave_up || r->budget-- <= 0) {
    s->gave_up = true;
    return false;
  }
  pw_strike_pose(s);
  if (!r->fits) {
    s->gave_up = true;
    return false;
  }
  if (!(r->lp.distance <= s->limit)) {
    s->least = pw_min(s->least, r->lp.distance);
    return false;
  }
  int at = undecided(s);
  if (at >= 0) {
    return branch(s, at);
  }
  return s->to != NULL || report(s);
}

bool pw_strike_solve(pw_strike *s) {
  s->least = INFINITY;
  pw_strike_room *r = s->x->c->room.strike;
  s->gave_up = !pw_strike_list(s);
  bool brief = r->open >= PW_SCALE(CERT_PATIENCE);
  r->budget = (int)(brief ? PW_SCALE(CERT_CHOICES_BRIEF) : PW_SCALE(CERT_CHOICES));
  bool found = !s->gave_up && search(s);
  r->open += s->gave_up;
  return found;
}
