// SPDX-License-Identifier: MIT
/* Loads that several closed laws share. The motion needs only enough of them to be imposed; those
 * that rest on others carry a part of the load too. What is watched then is not the force of each,
 * which is not unique, but whether the load can be shared within all bounds (theory, section 15).
 */
#include <math.h>
#include <string.h>

#include "law/scale_static.h"
#include "linalg/dense.h"
#include "sim/contact.h"
#include "sim/top.h"

enum { MAX_SHARES = 60 }; /* each is nearer by the part that friction changes of the forces */

static const pw_system *system_of(const pw_contacts *c) {
  return c->watch.s->mech->sys;
}

static bool at_kink(unsigned char mode) {
  return mode == PW_CLOSED || mode == PW_RESTING;
}

static bool any_resting(const pw_contacts *c) {
  return memchr(c->mode, PW_RESTING, (size_t)system_of(c)->ni) != NULL;
}

static const double *column_of(const pw_frame *f, int row) {
  return (f->phi == NULL ? f->A : f->phi) + (size_t)row * (size_t)f->n;
}

static double length_of(const pw_frame *f, int row) {
  return f->phi == NULL ? f->length[row] : f->phi_length[row];
}

/* Force of friction that slides, per normal force. */
static double sliding_force(const pw_contacts *c, int law) {
  pw_law_row row = pw_contacts_law(c, law);
  return pw_law_force_beside(&row, c->mode[law] == PW_OPEN ? 1 : -1);
}

/* The one equality whose force bounds a friction; -1: none, or several. */
static int load_of(const pw_contacts *c, int law) {
  const pw_system *s = system_of(c);
  const pw_clauses *clause = &s->model->rows.items[s->row_of[s->nc + law]].clause;
  return clause->n_load == 1 ? s->index_of[clause->loads[0]] : -1;
}

/* Bounds of frictions on one equality by a unit of its force. */
static void find_grips(pw_contacts *c, double t, const double *y) {
  pw_stepper *s = c->watch.s;
  const pw_system *sys = system_of(c);
  if (sys->load.n == 0) {
    return;
  }
  for (int k = 0; k < sys->load.n; k++) {
    c->known.unit[k] = 1;
  }
  pw_mech_swap_loads(s->mech, c->known.unit);
  pw_contacts_graphs(c, t, y, y + s->nq);
  for (int i = 0; i < sys->ni; i++) {
    double lo, hi;
    if (load_of(c, i) >= 0) {
      pw_contacts_bounds(c, i, &lo, &hi);
      c->known.grip[i] = fabs(hi);
    }
  }
  pw_mech_swap_loads(s->mech, c->known.unit);
  pw_contacts_graphs(c, t, y, y + s->nq);
}

/* Bounds of the force of a law, unless friction has them from another one. */
static void bounds_of(const pw_contacts *c, int law, double *lo, double *hi) {
  const pw_law_form *form = &system_of(c)->law[law];
  *lo = -INFINITY;
  *hi = INFINITY;
  if (!pw_is_contact_slip(form) && !pw_in_plane(form) && load_of(c, law) < 0) {
    pw_contacts_bounds(c, law, lo, hi);
  }
}

/* The rows at their kinks with the given forces (nr). limits: all of them, or of those that share
 * a load, whose others are known not to matter. */
static void take_side(pw_contacts *c, const double *force, bool all, double sense) {
  const pw_system *s = system_of(c);
  const pw_frame *f = &c->now.frame;
  pw_share *p = &c->modes.share;
  pw_share_begin(p);

  /* rows at their kinks: unknown forces, or a known load */
  for (int i = 0; i < s->nr; i++) {
    int law = i - s->nc;
    double length = length_of(f, i), lo = -INFINITY, hi = INFINITY;
    bool limited = law >= 0 && (all || c->share[law] == PW_LOAD_SHARED);
    if (length == 0 || (law >= 0 && !at_kink(c->mode[law]))) {
      continue;
    }
    if (law >= 0 && !all && c->share[law] == PW_LOAD_NONE) {
      pw_share_load(p, column_of(f, i), force[i] * length);
      continue;
    }
    if (limited) {
      bounds_of(c, law, &lo, &hi);
    }
    if (lo == hi) { /* its force is known: nothing to share */
      pw_share_load(p, column_of(f, i), force[i] * length);
      continue;
    }
    pw_share_take(p, i, column_of(f, i), lo * length, hi * length, force[i] * length);
    if (limited && lo < hi) {
      pw_top_share(s, p, law, (double[]){lo, hi}, 0, length);
    }
  }

  /* friction: sliding tilts the normal force, sticking is bounded by it */
  for (int i = 0; i < s->ni; i++) {
    int on = s->law[i].on, row = s->nc + i, load = load_of(c, i);
    if (load >= 0 && pw_share_place(p, row) >= 0 && (all || c->share[i] == PW_LOAD_SHARED)) {
      double unit = pw_law_force(&s->row[load], 1); /* of force by the multiplier */
      double most = c->known.grip[i] * unit * length_of(f, row) / length_of(f, load);
      most *= force[load] < 0 ? -sense : sense;
      pw_share_bound(p, row, load, -most, most);
    }
    if (on < 0 || pw_share_place(p, s->nc + on) < 0) {
      continue;
    }
    double part = f->length[row] / f->length[s->nc + on], lo, hi;
    if (!at_kink(c->mode[i])) {
      double ratio = sliding_force(c, i);
      pw_share_tilt(p, f->A + (size_t)row * (size_t)f->n, s->nc + on, ratio * part);
    } else if (s->law[i].group < 0 && pw_share_place(p, row) >= 0 &&
               (all || c->share[i] == PW_LOAD_SHARED)) {
      pw_contacts_bounds(c, i, &lo, &hi);
      pw_share_bound(p, row, s->nc + on, lo * part, hi * part);
    }
  }
}

/* Friction on an equality is bounded by its force, |f| <= mu |lambda|: two cones, of which the one
 * with the sign that the force has is tried first. */
static void take(pw_contacts *c, const double *force, bool all) {
  take_side(c, force, all, 1);
  if (system_of(c)->load.n > 0 && !(pw_share_margin(&c->modes.share, c->modes.scale) >= 0)) {
    take_side(c, force, all, -1);
  }
}

/* Forces of the rows that were taken, and of friction that slides on them. */
static void give(const pw_contacts *c, double *force) {
  const pw_system *s = system_of(c);
  const pw_share *p = &c->modes.share;
  for (int k = 0; k < p->m; k++) {
    force[p->row[k]] = p->x[k] / length_of(&c->now.frame, p->row[k]);
  }
  for (int i = 0; i < s->ni; i++) {
    if (s->law[i].on >= 0 && !at_kink(c->mode[i]) && at_kink(c->mode[s->law[i].on])) {
      force[s->nc + i] = sliding_force(c, i) * force[s->nc + s->law[i].on];
    }
  }
}

/* Contacts without load in the least share, and the friction on them. */
static void mark_unloaded(pw_contacts *c) {
  const pw_system *s = system_of(c);
  const pw_share *p = &c->modes.share;
  for (int k = 0; k < p->m; k++) {
    int law = p->row[k] - s->nc;
    bool pushes = law >= 0 && s->law[law].wall && !pw_is_rough(&s->law[law]);
    if (pushes && p->x[k] <= PW_SCALE(NEGLIGIBLE) * c->modes.scale) {
      c->share[law] = PW_LOAD_NONE;
    }
  }
  for (int i = 0; i < s->ni; i++) {
    if (s->law[i].on >= 0 && c->share[s->law[i].on] == PW_LOAD_NONE) {
      c->share[i] = PW_LOAD_NONE;
    }
  }
}

/* Where a contact without load is imposed, a row that rests carries in its place: then the forces
 * of the imposed rows alone are not those that act, though each of those may be unique. */
static bool is_replaced(const pw_contacts *c) {
  const pw_system *s = system_of(c);
  for (int i = 0; i < s->ni; i++) {
    if (c->mode[i] == PW_CLOSED && c->share[i] == PW_LOAD_NONE) {
      return true;
    }
  }
  return false;
}

void pw_load_note(pw_contacts *c) {
  const pw_system *s = system_of(c);
  pw_share *p = &c->modes.share;
  memset(c->share, PW_LOAD_OWN, (size_t)s->ni);
  if (!any_resting(c)) {
    return;
  }
  memcpy(c->modes.force, c->watch.s->mech->lambda, (size_t)s->nr * sizeof(double));
  find_grips(c, c->watch.s->t, c->watch.s->y);
  take(c, c->modes.force, true);
  if (pw_share_least(p)) {
    give(c, c->modes.force);
    mark_unloaded(c);
    take(c, c->modes.force, false);
  }
  bool any = pw_share_open(p, c->modes.open), replaced = is_replaced(c);
  for (int k = 0; k < p->m && (any || replaced); k++) {
    int law = p->row[k] - s->nc;
    if (law >= 0 && (c->modes.open[k] || (replaced && s->law[law].group < 0))) {
      c->share[law] = PW_LOAD_SHARED;
    }
  }
  for (int i = 0; i < s->ni; i++) { /* bounds tie them together */
    if (s->law[i].on >= 0 && at_kink(c->mode[i]) && c->share[i] != PW_LOAD_NONE &&
        (c->share[i] == PW_LOAD_SHARED || c->share[s->law[i].on] == PW_LOAD_SHARED)) {
      c->share[i] = c->share[s->law[i].on] = PW_LOAD_SHARED;
    }
  }
}

int pw_load_keeper(const pw_contacts *c) {
  const pw_system *s = system_of(c);
  for (int i = 0; i < s->ni; i++) {
    bool idle = s->law[i].on >= 0 && c->mode[s->law[i].on] != PW_CLOSED;
    bool watched = c->mode[i] == PW_CLOSED && !idle && s->law[i].group < 0;
    if (watched && c->share[i] == PW_LOAD_SHARED && !pw_is_rough(&s->law[i])) {
      return i;
    }
  }
  return -1;
}

static pawl_status look(pw_contacts *c, double t, const double *y) {
  pw_stepper *s = c->watch.s;
  pawl_status status =
      pw_mech_frame(s->mech, t, y, y + s->nq, s->side, c->now.frame_memory, &c->now.frame);
  if (status == PAWL_OK) {
    pw_contacts_graphs(c, t, y, y + s->nq);
  }
  return status;
}

/* ---- the same load again: what stands still has one answer for all steps and rows ---- */

static uint64_t mix(uint64_t key, const void *data, size_t words) {
  const unsigned char *at = data;
  for (size_t i = 0; i < words; i++, at += sizeof key) {
    uint64_t word;
    memcpy(&word, at, sizeof word);
    key = (key ^ word) * 0x9e3779b97f4a7c15u;
    key ^= key >> 29;
  }
  return key;
}

/* Of all numbers that the shares depend on. */
static uint64_t key_of(const pw_contacts *c, const double *lambda) {
  const pw_system *s = system_of(c);
  const pw_frame *f = &c->now.frame;
  uint64_t key = PW_KEY;
  for (int i = 0; i < s->ni; i++) {
    key = pw_key_add(key, c->mode[i]);
  }
  key = mix(key, lambda, (size_t)s->nr);
  key = mix(key, f->length, (size_t)s->nr);
  key = mix(key, c->graph, 2 * (size_t)s->ni);
  key = mix(key, c->limit, (size_t)s->ni);
  return mix(key, f->A, (size_t)f->n * (size_t)s->nr);
}

pawl_status pw_load_margin(pw_contacts *c, double t, const double *y, double *w) {
  pawl_status status = look(c, t, y);
  if (status != PAWL_OK) {
    return status;
  }
  const double *lambda = c->watch.s->mech->lambda;
  uint64_t key = key_of(c, lambda);
  for (int i = 0; i < system_of(c)->ni; i++) {
    key = pw_key_add(key, c->share[i]);
  }
  key = mix(key, &c->modes.scale, 1);
  if (key != c->known.margin_key) {
    find_grips(c, t, y);
    take(c, lambda, false);
    c->known.margin = pw_share_margin(&c->modes.share, c->modes.scale);
    c->known.margin_key = key;
  }
  *w = c->known.margin;
  return status;
}

static void find_shares(pw_contacts *c, const double *lambda) {
  pw_share *p = &c->modes.share;
  size_t nr = (size_t)system_of(c)->nr;
  memset(c->known.open, PW_SHARE_NONE, nr);
  memcpy(c->known.force, lambda, nr * sizeof *lambda);
  take(c, lambda, true);
  (void)pw_share_open(p, c->modes.open);
  for (int k = 0; k < p->m; k++) {
    c->known.open[p->row[k]] = c->modes.open[k] ? PW_SHARE_OPEN : PW_SHARE_OWN;
  }
  if (pw_share_least(p)) {
    give(c, c->known.force);
  }
}

/* Forces of equalities that bound frictions change with the shares, engineering (E2): shared again
 * until the forces that went into the bounds come out. Where friction carries more as its bound
 * grows, the equality carries less, and the bound falls again: steps that do not become shorter go
 * only half as far. */
static void settle_shares(pw_contacts *c, double t, const double *y, const double *lambda) {
  pw_stepper *s = c->watch.s;
  double part = 1, before = INFINITY;
  find_grips(c, t, y);
  find_shares(c, lambda);
  for (int k = 0; k < MAX_SHARES; k++) {
    double far = pw_mech_approach_loads(s->mech, c->known.force, 1, part);
    if (far == 0) {
      break;
    }
    part = far < before ? part : part / 2;
    before = far;
    pw_contacts_graphs(c, t, y, y + s->nq);
    find_shares(c, lambda);
  }
}

void pw_load_bounds(pw_contacts *c) {
  pw_stepper *s = c->watch.s;
  if (system_of(c)->load.n == 0 || !any_resting(c)) {
    return;
  }
  pw_contacts_graphs(c, s->t, s->y, s->y + s->nq);
  c->known.key = key_of(c, s->mech->lambda);
  settle_shares(c, s->t, s->y, s->mech->lambda);
}

pawl_status pw_contacts_forces(pw_contacts *c, double t, const double *y, double *lambda,
                               bool *dependent) {
  const pw_system *s = system_of(c);
  pw_stepper *stepper = c->watch.s;
  if (!any_resting(c)) {
    pw_slip_share(c);
    return PAWL_OK;
  }
  const double *u = y + stepper->nq;
  pawl_status status = pw_mech_frame_here(stepper->mech, u, c->now.frame_memory, &c->now.frame);
  if (status != PAWL_OK) {
    return status;
  }
  pw_contacts_graphs(c, t, y, u);
  uint64_t key = key_of(c, lambda);
  if (key != c->known.key) {
    settle_shares(c, t, y, lambda);
    c->known.key = key;
  }
  for (int i = 0; i < s->nr; i++) {
    int open = c->known.open[i];
    dependent[i] = open == PW_SHARE_NONE ? dependent[i] : open == PW_SHARE_OPEN;
  }
  memcpy(lambda, c->known.force, (size_t)s->nr * sizeof *lambda);
  return status;
}
