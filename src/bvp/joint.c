// SPDX-License-Identifier: MIT
#include "bvp/joint.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "law/phase.h"
#include "law/scale_bvp.h"
#include "linalg/dense.h"
#include "linalg/lu.h"
#include "system/view.h"

void pw_joiner_lay_out(pw_joiner *j, const pw_system *sys, int flights, pw_layout *l) {
  size_t ni = (size_t)sys->ni, states = (size_t)(sys->nq + sys->nv) * (size_t)flights;
  j->sys = sys;
  j->memory = PW_LAY(l, pw_frame_doubles(sys), double);
  j->clause = PW_LAY(l, 2 * ni, double);
  j->graph = PW_LAY(l, 2 * ni, double);
  j->value = PW_LAY(l, sys->n_switch, double);
  j->switch_scale = PW_LAY(l, sys->n_switch, double);
  j->target = PW_LAY(l, sys->nr, double);
  j->kick = PW_LAY(l, sys->nv, double);
  j->push = PW_LAY(l, (size_t)sys->nv * (size_t)sys->nr, double);
  j->D = PW_LAY(l, (size_t)sys->nr * (size_t)sys->nr, double);
  j->pivot = PW_LAY(l, sys->nr, int);
  j->anchor = PW_LAY(l, states, double);
  double *real = PW_LAY(l, pw_qr_doubles(sys->nv, sys->nr), double);
  int *whole = PW_LAY(l, pw_qr_ints(sys->nv, sys->nr), int);
  if (l->memory != NULL) {
    pw_qr_init(&j->qr, sys->nv, sys->nr, real, whole);
  }
}

bool pw_joiner_enter(pw_joiner *j, int flight) {
  const pw_system *s = j->sys;
  const double *y = j->anchor + (size_t)flight * (size_t)(s->nq + s->nv);
  pw_mech_close(j->mech, j->path->state + (size_t)flight * (size_t)s->ni);
  return pw_mech_rates_decide(j->mech, j->from[flight], y, y + s->nq,
                              pw_path_side(j->path, s, flight)) == PAWL_OK;
}

/* ---- the instant ---- */

static bool flips(const pw_joiner *j, int k, int i) {
  return pw_path_side(j->path, j->sys, k)[i] != pw_path_side(j->path, j->sys, k + 1)[i];
}

static bool any_flip(const pw_joiner *j, int k) {
  bool any = false;
  for (int i = 0; i < j->sys->n_switch; i++) {
    any = any || flips(j, k, i);
  }
  return any;
}

/* Condition of law i at instant k: its value vanishes, its force is at a bound, or none. Forces may
 * jump at impacts and where sides change. A contact that is reached without impact has value, rate
 * and, without such a jump, no force, theory (89). */
typedef enum says { NOTHING, VALUE, FORCE, LANDING } says;

/* A law on a contact follows the contact: a rough row always, friction if the contact is open
 * before or after the instant. */
static bool follows_contact(const pw_joiner *j, int k, int i) {
  const pw_system *s = j->sys;
  int contact = s->law[i].contact;
  bool before = pw_trial_holds(pw_path_mode(j->path, s, k)[contact]);
  bool after = pw_trial_holds(pw_path_mode(j->path, s, k + 1)[contact]);
  return s->law[i].kind == PW_KIND_ROUGH || !before || !after;
}

static says law_says(const pw_joiner *j, int k, int i) {
  const pw_system *s = j->sys;
  unsigned char before = pw_path_mode(j->path, s, k)[i], after = pw_path_mode(j->path, s, k + 1)[i];
  bool hit = j->path->hit[(size_t)k * (size_t)s->ni + (size_t)i] != 0;
  if (s->law[i].contact >= 0 && follows_contact(j, k, i)) {
    return NOTHING;
  }
  if (pw_trial_holds(before)) {
    bool leaves = !pw_trial_holds(after) && !j->path->struck[k] && !any_flip(j, k);
    return leaves ? FORCE : NOTHING;
  }
  bool contact = s->law[i].kind == PW_KIND_UNILATERAL;
  bool lands = contact && !j->path->struck[k] && pw_trial_holds(after);
  return lands ? LANDING : hit || before != after ? VALUE : NOTHING;
}

static int equations_of(const pw_joiner *j, int k, says what) {
  return what == NOTHING ? 0 : what == LANDING ? 2 + !any_flip(j, k) : 1;
}

int pw_joiner_count(const pw_joiner *j, int k) {
  int n = 0;
  for (int i = 0; i < j->sys->n_switch; i++) {
    n += flips(j, k, i);
  }
  for (int i = 0; i < j->sys->ni; i++) {
    n += equations_of(j, k, law_says(j, k, i));
  }
  return n;
}

bool pw_joiner_lands(const pw_joiner *j, int k) {
  bool any = false;
  for (int i = 0; i < j->sys->ni; i++) {
    any = any || law_says(j, k, i) == LANDING;
  }
  return any;
}

/* The force at which law i leaves its kink, to the side to which it goes: an end of its set. */
static double bound(const pw_joiner *j, int k, int i) {
  const pw_system *s = j->sys;
  pw_law_view view = {.graph = j->graph, .clause = j->clause};
  pw_law_row row = pw_view_law(s, view, i);
  pw_law_set set = pw_law_set_at_kink(&row, (pw_law_hold){.sticks = true});
  bool above = pw_path_mode(j->path, s, k + 1)[i] == PW_TRIAL_ABOVE;
  PW_ASSERT(pw_law_set_dimension(&set) == 1);
  double force = above ? set.lo : set.hi;
  return s->law[i].on < 0 ? force : force * j->mech->lambda[s->nc + s->law[i].on];
}

/* g'' = J a + zeta with the forces of the flight. */
static double bend_of(const pw_joiner *j, int row) {
  const pw_frame *f = &j->frame;
  const double *a = f->A + (size_t)row * (size_t)f->n;
  double sum = 0;
  for (int i = 0; i < f->n; i++) {
    sum += a[i] * pw_dot(f->L + (size_t)i * (size_t)f->n + i, j->mech->a + i, f->n - i);
  }
  return f->length[row] * sum + f->zeta[row];
}

/* The equations of instant k, in parts of their scales. */
static void conditions(pw_joiner *j, int k, double t, const double *y, double *r) {
  const pw_system *s = j->sys;
  const double *side = pw_path_side(j->path, s, k);
  for (int i = 0; i < s->ni; i++) {
    int row = s->nc + i;
    double length = j->frame.length[row], unit = length > 0 ? length * j->speed : 1;
    says what = law_says(j, k, i);
    bool velocity = s->law[i].on_velocity;
    if (what == VALUE || what == LANDING) {
      *r++ = j->frame.value[row] / (velocity ? unit : unit * j->time);
    }
    if (what == LANDING) {
      *r++ = j->frame.rate[row] / unit;
    }
    if (what == LANDING && !any_flip(j, k)) {
      *r++ = bend_of(j, row) * j->time / unit;
    }
    if (what == FORCE) {
      pw_mech_graphs(j->mech, t, y, y + s->nq, side, j->graph, j->clause + s->ni);
      *r++ = (j->mech->lambda[row] - bound(j, k, i)) * length * j->time / j->speed;
    }
  }

  /* switches that change their sides */
  if (any_flip(j, k)) {
    pw_mech_sides(j->mech, t, y, y + s->nq, side, j->value);
  }
  for (int i = 0; i < s->n_switch; i++) {
    if (flips(j, k, i)) {
      *r++ = j->value[i] / j->switch_scale[i];
    }
  }
}

/* ---- the jump ---- */

/* Whether a law holds in flight k; a law on a contact holds only if the contact does. */
static bool holds(const pw_joiner *j, int k, int i) {
  const unsigned char *mode = pw_path_mode(j->path, j->sys, k);
  int contact = j->sys->law[i].contact;
  return pw_trial_holds(mode[i]) && (contact < 0 || pw_trial_holds(mode[contact]));
}

/* Laws on a contact are hit together with it. */
static bool is_hit(const pw_joiner *j, int k, int i) {
  const unsigned char *hit = j->path->hit + (size_t)k * (size_t)j->sys->ni;
  int contact = j->sys->law[i].contact;
  return hit[i] != 0 || (contact >= 0 && hit[contact] != 0);
}

/* Slip of Coulomb friction after the trial's impact, theory (58): rate+ + e rate-, in parts of the
 * speeds; 0: it sticks, and the row is one of the impact. */
static double slip_left(const pw_joiner *j, int k, int i) {
  const pw_system *s = j->sys;
  const pw_frame *f = &j->frame;
  int row = s->nc + i;
  size_t at = (size_t)k * (size_t)(s->nq + s->nv) + (size_t)s->nq;
  const double *before = j->path->before + at, *after = j->path->after + at;
  const double *a = f->A + (size_t)row * (size_t)f->n;
  double change = 0;
  for (int c = 0; c < f->n; c++) {
    const double *L = f->L + (size_t)c * (size_t)f->n + c;
    change += a[c] * (pw_dot(L, after + c, f->n - c) - pw_dot(L, before + c, f->n - c));
  }
  double left = change + (1 + j->clause[i]) * f->rate[row] / f->length[row];
  return fabs(left) > PW_SCALE(BVP_JUMP) * j->speed ? left : 0;
}

static bool slides(const pw_joiner *j, int k, int i) {
  return j->sys->law[i].on >= 0 && is_hit(j, k, i) && !holds(j, k, i) && slip_left(j, k, i) != 0;
}

/* The impulse of a contact has the friction with it that slides, stepping (T10). */
static void tilt(pw_joiner *j, int k, int contact, double *push) {
  const pw_system *s = j->sys;
  const pw_frame *f = &j->frame;
  for (int i = 0; i < s->ni; i++) {
    if (s->law[i].on == contact && slides(j, k, i)) {
      double ratio = pw_view_force_beside(j->graph, i, slip_left(j, k, i) > 0);
      double part = ratio * f->length[s->nc + i] / f->length[s->nc + contact];
      pw_axpy(part, f->A + (size_t)(s->nc + i) * (size_t)s->nv, push, s->nv);
    }
  }
}

/* Rows that carry impulses: equalities, laws that stay closed and laws that are hit; the changes of
 * their rates in `target`, the directions in `push`. The impacts are Newton's, and Coulomb's. */
static int take_rows(pw_joiner *j, int k) {
  const pw_system *s = j->sys;
  const pw_phase_rule newton = pw_phase_rule_of(PW_PHASE_NEWTON);
  int n = 0;
  for (int row = 0; row < s->nr; row++) {
    int i = row - s->nc;
    bool held = i < 0 || holds(j, k, i), stays = held && (i < 0 || holds(j, k + 1, i));
    bool hit = i >= 0 && is_hit(j, k, i) && !slides(j, k, i);
    if ((hit || stays) && j->frame.length[row] > 0) {
      double wanted = held ? 0 : -newton.rate_shift * j->clause[i] * j->frame.rate[row];
      const double *along = j->frame.A + (size_t)row * (size_t)s->nv;
      j->target[n] = (wanted - j->frame.rate[row]) / j->frame.length[row];
      pw_copy(j->qr.A + (size_t)n * (size_t)s->nv, along, s->nv);
      pw_copy(j->push + (size_t)n * (size_t)s->nv, along, s->nv);
      if (i >= 0) {
        tilt(j, k, i, j->push + (size_t)n * (size_t)s->nv);
      }
      n++;
    }
  }
  return n;
}

static bool any_slides(const pw_joiner *j, int k) {
  bool any = false;
  for (int i = 0; i < j->sys->ni; i++) {
    any = any || slides(j, k, i);
  }
  return any;
}

/* kick = B x with A^T B x = target. */
static bool push_along(pw_joiner *j, int m) {
  int n = j->sys->nv;
  for (int c = 0; c < m; c++) {
    for (int r = 0; r < m; r++) {
      j->D[(size_t)c * (size_t)m + (size_t)r] =
          pw_dot(j->qr.A + (size_t)r * (size_t)n, j->push + (size_t)c * (size_t)n, n);
    }
  }
  if (pw_lu(j->D, m, j->pivot) != 0) {
    return false;
  }
  pw_lu_solve(j->D, m, j->pivot, j->target);
  pw_gemv(j->push, n, m, j->target, j->kick);
  return true;
}

/* u+ = u- + L^-T A x with A^T A x = the changes of the rates; with sliding friction B replaces
 * A. */
static bool jump(pw_joiner *j, int k, double *u) {
  j->qr.n = j->sys->nv;
  j->qr.m = take_rows(j, k);
  j->qr.limit = j->qr.m < j->qr.n ? j->qr.m : j->qr.n;
  if (any_slides(j, k)) {
    if (!push_along(j, j->qr.m)) {
      return false;
    }
  } else {
    if (pw_qr_decompose(&j->qr, PW_SCALE(BVP_ROWS)) <= 0) {
      return false;
    }
    (void)pw_qr_min_norm(&j->qr, j->target, j->kick);
  }
  pw_frame_back(&j->frame, j->kick);
  pw_axpy(1, j->kick, u, j->sys->nv);
  return true;
}

bool pw_joiner_pass(pw_joiner *j, int k, double t, const double *before, double *after, double *r) {
  const pw_system *s = j->sys;
  const double *q = before, *u = before + s->nq, *side = pw_path_side(j->path, s, k);
  if (pw_mech_frame(j->mech, t, q, u, side, j->memory, &j->frame) != PAWL_OK) {
    return false;
  }
  pw_copy(after, before, s->nq + s->nv);
  if (j->path->struck[k]) {
    pw_mech_restitution(j->mech, t, q, u, side, j->clause);
    pw_mech_graphs(j->mech, t, q, u, side, j->graph, j->clause + s->ni);
    if (!jump(j, k, after + s->nq)) {
      return false;
    }
  }
  conditions(j, k, t, before, r);
  return true;
}

bool pw_joiner_start(pw_joiner *j, double t, const double *y, double *r) {
  const pw_system *s = j->sys;
  const unsigned char *mode = pw_path_mode(j->path, s, 0);
  const double *side = pw_path_side(j->path, s, 0);
  if (pw_mech_frame(j->mech, t, y, y + s->nq, side, j->memory, &j->frame) != PAWL_OK) {
    return false;
  }
  for (int i = 0; i < s->nr; i++) {
    double unit = j->frame.length[i] * j->speed;
    bool imposed = i < s->nc || mode[i - s->nc] == PW_TRIAL_IMPOSED;
    r[i] = imposed && unit > 0 ? j->frame.rate[i] / unit : 0;
  }
  return true;
}
