// SPDX-License-Identifier: MIT
/* Slips in the plane and in space along the motion. One that slides is watched by s.d with the
 * direction d at the start of the step, one that sticks by the room its force has in the disk.
 * Where s.d vanishes, the slip has ended if s itself is of no size; else it has turned and goes on
 * along its new direction. */
#include <math.h>

#include "base/real.h"
#include "law/scale_sim.h"
#include "sim/contact.h"
#include "sim/instant.h"

static const pw_system *system_of(const pw_contacts *c) {
  return c->watch.s->mech->sys;
}

static int width_of(const pw_contacts *c, int law) {
  return system_of(c)->law[law].width;
}

/* Largest of what its rows have. */
static double most_of(const pw_contacts *c, const double *x, int law) {
  double most = x[law];
  for (int k = 1; k < width_of(c, law); k++) {
    most = fmax(most, x[law + k]);
  }
  return most;
}

static double largest(const pw_contacts *c, int law) {
  return most_of(c, c->size.largest, law);
}

/* Size of the slip, and its part along the heading. */
static double size_in(const pw_contacts *c, const double *value, int law) {
  return pw_length(value + law, width_of(c, law));
}

static double along_heading(const pw_contacts *c, const double *value, int law) {
  return pw_along(value + law, c->modes.heading + law, width_of(c, law));
}

/* What a slip may be of an error of the step. The error of each of the n velocities is kept below
 * its part of the speed of the whole body, theory (33), so that of a slip with the row J below
 * |L^-1 J^T| sqrt(n) of it, whichever way it points. Steps that follow a smaller slip follow their
 * own errors; its time is wrong by this part. */
static double error_of(const pw_contacts *c, int law) {
  double whole = sqrt(system_of(c)->nv) * c->size.speed;
  return fmin(PW_SCALE(SLIP_FADES), c->tol) *
         fmax(largest(c, law), most_of(c, c->size.steepest, law) * whole);
}

/* Radius of the disk while it sticks or slides. */
static double radius(const pw_contacts *c, int law, bool sticks) {
  pw_law_row row = pw_contacts_law(c, law);
  return pw_law_radius(&row, sticks);
}

double pw_slip_watch(const pw_contacts *c, int law, const double *value) {
  const pw_system *s = system_of(c);
  const double *lambda = c->watch.s->mech->lambda + s->nc;
  if (c->mode[law] == PW_OPEN) {
    return along_heading(c, value, law) + c->modes.blur[law + 1];
  }
  double normal = s->law[law].on >= 0 ? lambda[s->law[law].on] : 1;
  return radius(c, law, true) * normal - size_in(c, lambda, law);
}

/* On its way through zero, to where it is heading. */
static bool passes(const pw_contacts *c, int law) {
  return c->modes.blur[law] > 0 && along_heading(c, c->value, law) < 0;
}

/* Size up to which a slip that follows its load has no direction: the remainder of a slip that
 * ended before may point anywhere. A norm of positions passes its tip in a known direction. */
static double unseen(const pw_contacts *c, int law) {
  const double *blur = &c->modes.blur[law];
  double remainder = system_of(c)->law[law].on_velocity ? PW_SCALE(SLIP_TOLD) * blur[1] : 0;
  return fmax(PW_SCALE(SLIP_SEEN) * blur[0], remainder);
}

/* The slip has a direction, and its load another one. A direction that follows the load may jump
 * where the slip turns quickly: two directions with y(d) parallel to d meet and vanish. */
static bool is_astray(const pw_contacts *c, int law, double size) {
  return size > unseen(c, law) &&
         pw_mech_slip_along(c->watch.s->mech, law, c->value + law) < PW_SCALE(SLIP_STRAIGHT) * size;
}

/* Of a slip of this size nothing is left. */
static bool is_over(const pw_contacts *c, int law, double size) {
  return size <= fmax(PW_SCALE(SLIP_ENDS) * largest(c, law), error_of(c, law));
}

/* A slip of this size ends with that of `other`: the feet of a body that stops, stop together. */
static bool is_alike(const pw_contacts *c, int law, double size, int other, double its_size) {
  double most = PW_SCALE(SLIP_ALIKE) * fmax(its_size, PW_SCALE(SLIP_FADES) * largest(c, other));
  return is_over(c, law, size) && is_over(c, other, its_size) && size <= most;
}

/* It has ended at the end of the step, by itself or with another one. */
static bool is_ending(const pw_contacts *c, int law) {
  double size = size_in(c, c->value, law);
  bool ends = c->fired[law] && is_over(c, law, size);
  for (int i = 0; i < system_of(c)->ni && !ends; i++) {
    bool other = system_of(c)->law[i].group == i && c->mode[i] == PW_OPEN && c->fired[i];
    ends = other && is_alike(c, law, size, i, size_in(c, c->value, i));
  }
  return ends;
}

void pw_slip_follow(pw_contacts *c) {
  const pw_system *s = system_of(c);
  for (int i = 0; i < s->ni; i++) {
    if (s->law[i].group != i || c->mode[i] != PW_OPEN) {
      continue;
    }
    double size = size_in(c, c->value, i), before = c->slip[i];
    bool acts = s->law[i].on < 0 || c->mode[s->law[i].on] == PW_CLOSED;
    double faint = fmax(fmax(PW_SCALE(SLIP_FADES) * largest(c, i), error_of(c, i)), unseen(c, i));
    c->slip[i] = size;
    if (size > PW_SCALE(SLIP_GROWN) * c->modes.blur[i] || is_astray(c, i, size)) {
      c->modes.blur[i] = c->modes.blur[i + 1] = 0;
    }
    bool fades = size < before && size <= error_of(c, i);
    if (acts && !c->pending && fades && !(c->modes.blur[i] > 0)) {
      c->fired[i] = 1;
      c->pending = true;
    } else if (size > faint && !c->fired[i] && !is_ending(c, i) && !passes(c, i)) {
      for (int k = i; k < i + width_of(c, i); k++) {
        c->modes.heading[k] = c->value[k] / size;
      }
    }
  }
  pw_mech_head(c->watch.s->mech, c->modes.heading, c->modes.blur);
}

void pw_slip_end(pw_contacts *c) {
  for (int i = 0; i < system_of(c)->ni; i++) {
    if (system_of(c)->law[i].group != i || c->mode[i] != PW_OPEN || !is_ending(c, i)) {
      continue;
    }
    double size = size_in(c, c->value, i);
    bool straight = fabs(along_heading(c, c->value, i)) >= PW_SCALE(SLIP_STRAIGHT) * size;
    if (!straight || size <= error_of(c, i)) {
      double beside = PW_SCALE(SLIP_BESIDE) * size;
      c->modes.blur[i] = c->modes.blur[i] > 0 ? fmax(c->modes.blur[i], beside) : -beside;
    }
  }
  pw_mech_head(c->watch.s->mech, c->modes.heading, c->modes.blur);
}

/* Size of a slip at the start of the step, from which its last step must not start. */
static bool is_far_from_end(pw_contacts *c, int law) {
  const pw_stepper *s = c->watch.s;
  pw_mech_gaps(s->mech, s->rk.t, s->rk.y0, s->rk.y0 + s->nq, s->side, c->value);
  return !(c->modes.blur[law] > 0) &&
         size_in(c, c->value, law) > PW_SCALE(SLIP_AWAY) * largest(c, law);
}

/* It slides on a contact that is closed, and has not just begun. The values at y, h after the start
 * of the step, are in c->value then. */
static bool is_sliding_at(pw_contacts *c, int law, double h, const double *y) {
  const pw_stepper *s = c->watch.s;
  const pw_system *sys = system_of(c);
  int on = sys->law[law].on;
  if (sys->law[law].group != law || c->mode[law] != PW_OPEN || c->modes.blur[law] > 0 ||
      (on >= 0 && c->mode[on] != PW_CLOSED)) {
    return false;
  }
  pw_mech_gaps(s->mech, s->rk.t + h, y, y + s->nq, s->side, c->value);
  return true;
}

/* A slip that goes on, but is thrown aside by a step of length h to the state y: less of it is left
 * than would last, and in another direction. */
static bool is_thrown(pw_contacts *c, int law, double h, const double *y) {
  if (!is_sliding_at(c, law, h, y)) {
    return false;
  }
  double along = along_heading(c, c->value, law), size = size_in(c, c->value, law);
  return along < PW_SCALE(SLIP_STRAIGHT) * size && size <= PW_SCALE(SLIP_DWINDLES) * c->slip[law];
}

/* A slip that is all but over at y, and smaller than before, while others go on: the errors of the
 * steps turn it. Feet of a body that stops as a whole stop together. */
static bool is_fading(pw_contacts *c, int law, double h, const double *y) {
  const pw_system *sys = system_of(c);
  bool fades = is_sliding_at(c, law, h, y) && is_over(c, law, size_in(c, c->value, law)) &&
               size_in(c, c->value, law) < c->slip[law];
  for (int i = 0; i < sys->ni && fades; i++) {
    bool slides = i != law && sys->law[i].group == i && c->mode[i] == PW_OPEN;
    fades = !slides || !is_over(c, i, size_in(c, c->value, i));
  }
  return fades;
}

/* Close to the end of a slip the direction of the friction is that of a small difference: a stage
 * of a long step that falls there throws it aside, and with it the forces of other laws, which then
 * seem to act. The step that seems to turn a slip, and leaves little of it, is such a step too: one
 * that does turn leaves as much of it when it starts closer by. */
bool pw_slip_nears_end(pw_contacts *c, int law, double *h) {
  const pw_stepper *s = c->watch.s;
  const pw_system *sys = system_of(c);
  double length = law >= 0 ? *h : s->rk.h;
  double part = s->range.fixed > 0 ? 0.5 : 1 - PW_SCALE(SLIP_LAST_STEP);
  const double *y = law >= 0 ? c->watch.y : s->y;
  bool far = false;
  for (int i = 0; i < sys->ni && !far && length > 0; i++) {
    bool thrown = is_thrown(c, i, length, y);
    bool ends = i == law && sys->law[i].group == i && c->mode[i] == PW_OPEN;
    bool left = thrown && !is_over(c, i, size_in(c, c->value, i));
    far = left || ((ends || thrown) && is_far_from_end(c, i));
    part = thrown && i != law ? 0.5 : part;
  }
  double shorter = part * length;
  if (!far || !(s->rk.t + shorter > s->rk.t && s->rk.t + shorter < s->rk.t + length)) {
    return false;
  }
  *h = shorter;
  return true;
}

/* A slip that its last step has thrown aside has ended; what else seems to act then, by the
 * direction of what is left of it, does not. The same of one that fades where a contact seems to
 * open. */
int pw_slip_ended(pw_contacts *c, int which, double *h) {
  const pw_stepper *s = c->watch.s;
  const pw_system *sys = system_of(c);
  double length = which >= 0 ? *h : s->rk.h;
  const double *y = which >= 0 ? c->watch.y : s->y;
  bool opens =
      which >= 0 && sys->law[which % sys->ni].wall && c->mode[which % sys->ni] == PW_CLOSED;
  for (int i = 0; i < sys->ni && length > 0; i++) {
    bool thrown = is_thrown(c, i, length, y) && is_over(c, i, size_in(c, c->value, i));
    if (i != which && (thrown || (opens && is_fading(c, i, length, y)))) {
      *h = length;
      return i;
    }
  }
  return which;
}

static double size_of(const pw_contacts *c, int law) {
  return size_in(c, c->now.frame.value + system_of(c)->nc, law);
}

bool pw_slip_is_small(const pw_contacts *c, int law) {
  const double *terms = c->now.frame.terms + system_of(c)->nc + law;
  const double *length = c->now.frame.length + system_of(c)->nc + law;
  double room = 0, size = 0;
  for (int k = 0; k < width_of(c, law); k++) {
    room += pw_contacts_zero(c, law + k);
    size += terms[k] + length[k] * c->size.speed;
  }
  return size_of(c, law) <= room + PW_SCALE(ROUNDED) * size;
}

/* contacts (K2): instants follow each other in no time, and rounding hides the way |s|^2/(2 a) that
 * is left of the slip. */
bool pw_slip_is_hidden(const pw_contacts *c, int law) {
  const pw_frame *f = &c->now.frame;
  int nc = system_of(c)->nc, on = system_of(c)->law[law].on;
  double size = size_of(c, law);
  double brake = most_of(c, f->length + nc, law) * c->watch.s->mech->pull;
  return on >= 0 && c->repeats > PW_FEW_INSTANTS &&
         size * size <= 2 * brake * PW_SCALE(LOWEST_BOUNCE) * f->terms[nc + on];
}

static bool has_ended(const pw_contacts *c, int law) {
  return c->fired[law] && is_over(c, law, size_of(c, law));
}

static bool ends_along(const pw_contacts *c, int law) {
  bool ends = false;
  for (int i = 0; i < system_of(c)->ni && !ends; i++) {
    bool other = system_of(c)->law[i].group == i && has_ended(c, i);
    ends = other && is_alike(c, law, size_of(c, law), i, size_of(c, i));
  }
  return ends;
}

/* By an impact, with a direction of its own: what it was before does not matter. */
static bool is_given(const pw_contacts *c, int law) {
  return c->now.hits > 0 && size_of(c, law) > unseen(c, law);
}

/* Up to which size it follows the load: from where it begins at zero until it has grown, or has
 * another direction than the load gave it; and what it may be against its heading. */
static void set_blur(pw_contacts *c, int law, bool begins, bool ends_here) {
  const pw_frame *f = &c->now.frame;
  int nc = system_of(c)->nc;
  double *blur = &c->modes.blur[law], size = size_of(c, law);
  double ahead = fmin(fmax(c->size.step, c->watch.s->h_next),
                      PW_SCALE(SLIP_FORESEEN) * c->watch.s->range.span);
  double gain = most_of(c, f->length + nc, law) * c->watch.s->mech->pull * ahead;
  bool straight = along_heading(c, f->value + nc, law) >= PW_SCALE(SLIP_STRAIGHT) * size ||
                  size <= unseen(c, law);
  if (begins) {
    blur[0] = PW_SCALE(SLIP_BLURRED) * sqrt(c->tol) * (largest(c, law) + gain);
    blur[1] = PW_SCALE(SLIP_UNSEEN) * blur[0];
  } else if (ends_here) { /* a slip that goes on from here begins anew */
    bool slides = system_of(c)->law[law].on_velocity;
    blur[0] = (slides ? PW_SCALE(SLIP_ANEW) : PW_SCALE(SLIP_BESIDE)) * size;
    blur[1] = PW_SCALE(SLIP_REMAINS) * size;
  } else if (size >= PW_SCALE(SLIP_GROWN_HERE) * *blur || !straight || is_given(c, law)) {
    blur[0] = blur[1] = 0;
  }
}

/* It has begun to slide at this time, at an instant before this one: only another law acts now. */
static bool has_begun(const pw_contacts *c, int law) {
  double t = c->watch.s->t;
  return c->now.was[law] == PW_OPEN && !c->fired[law] &&
         t - c->left[law] <= PW_SCALE(NO_TIME) * fabs(t);
}

/* The tip of a norm of positions is reached in motion: the body passes through it, potentials
 * (P12).
 */
static bool crosses_tip(const pw_contacts *c, int law) {
  int row = system_of(c)->nc + law;
  bool still = true;
  for (int k = 0; k < width_of(c, law); k++) {
    still = still && pw_instant_is_still(c, row + k);
  }
  return !system_of(c)->law[law].on_velocity && !still;
}

void pw_slip_describe(pw_contacts *c, int law, pw_disk *out) {
  const pw_system *s = system_of(c);
  int n = width_of(c, law);
  const double *slip = c->now.frame.value + s->nc + law;
  double size = pw_length(slip, n);
  bool small = pw_slip_is_small(c, law);
  bool ended = small || has_ended(c, law) || ends_along(c, law) || pw_slip_is_hidden(c, law);
  bool crosses = ended && crosses_tip(c, law);
  bool stuck = c->now.was[law] == PW_CLOSED;
  *out = (pw_disk){.row = s->nc + law,
                   .width = n,
                   .normal = s->law[law].on >= 0 ? s->nc + s->law[law].on : -1,
                   .radius = radius(c, law, false),
                   .hold = radius(c, law, true),
                   .fixed = !ended || crosses,
                   .slides = !ended || crosses,
                   .released = (stuck && c->fired[law]) || (small && has_begun(c, law))};
  set_blur(c, law, small && !crosses, ended && (crosses || !small));
  if (crosses) {
    slip = c->now.frame.rate + s->nc + law;
    size = pw_length(slip, n);
  }
  for (int k = 0; k < n; k++) {
    out->base[k] = pw_mech_side_force(c->watch.s->mech, law + k);
    out->d[k] = !ended || crosses ? slip[k] / size : 0;
  }
}

void pw_slip_anchor(pw_contacts *c) {
  const pw_system *s = system_of(c);
  const pw_mech *m = c->watch.s->mech;
  bool crowded = false;
  c->modes.anchored = false;
  for (int i = 0; i < s->ni && m->rank < m->imposed; i++) {
    if (s->law[i].group == i && c->mode[i] == PW_CLOSED) {
      double normal = s->law[i].on >= 0 ? m->lambda[s->nc + s->law[i].on] : 1;
      crowded = crowded || !(pw_slip_watch(c, i, c->value) >
                             PW_SCALE(DISK_ROOM) * radius(c, i, true) * normal);
    }
  }
  if (crowded) {
    pw_modes_anchor(&c->modes, &c->now.frame);
  }
}

void pw_slip_share(pw_contacts *c) {
  if (c->modes.anchored) {
    pw_mech_anchor(c->watch.s->mech, c->modes.anchor);
  }
}
