// SPDX-License-Identifier: MIT
#include "bvp/joint.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "law/phase.h"
#include "law/scale_bvp.h"
#include "linalg/dense.h"
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

/* What law i says about instant k: its value vanishes, its force is at a bound, or nothing. Forces
 * may jump at impacts and where sides change. A contact that is reached without impact has value,
 * rate and, without such a jump, no force, theory (89). */
typedef enum says { NOTHING, VALUE, FORCE, LANDING } says;

/* A law on a contact does what that does: a rough row always, friction where the contact is open
 * before the instant or after it. */
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

/* Rows that carry impulses: equalities, laws that stay closed and those that are hit; by how much
 * their rates change in `target`. The impacts are Newton's. */
static int take_rows(pw_joiner *j, int k) {
  const pw_system *s = j->sys;
  const pw_phase_rule newton = pw_phase_rule_of(PW_PHASE_NEWTON);
  int n = 0;
  for (int row = 0; row < s->nr; row++) {
    int i = row - s->nc;
    bool hit = i >= 0 && j->path->hit[(size_t)k * (size_t)s->ni + (size_t)i] != 0;
    bool held = i < 0 || pw_trial_holds(pw_path_mode(j->path, s, k)[i]);
    bool stays = held && (i < 0 || pw_trial_holds(pw_path_mode(j->path, s, k + 1)[i]));
    if ((hit || stays) && j->frame.length[row] > 0) {
      double wanted = held ? 0 : -newton.rate_shift * j->clause[i] * j->frame.rate[row];
      j->target[n] = (wanted - j->frame.rate[row]) / j->frame.length[row];
      memcpy(j->qr.A + (size_t)n++ * (size_t)s->nv, j->frame.A + (size_t)row * (size_t)s->nv,
             (size_t)s->nv * sizeof(double));
    }
  }
  return n;
}

/* u+ = u- + L^-T A x with A^T A x = what the rates change by. */
static bool jump(pw_joiner *j, int k, double *u) {
  j->qr.n = j->sys->nv;
  j->qr.m = take_rows(j, k);
  j->qr.limit = j->qr.m < j->qr.n ? j->qr.m : j->qr.n;
  if (pw_qr_decompose(&j->qr, PW_SCALE(BVP_ROWS)) <= 0) {
    return false;
  }
  (void)pw_qr_min_norm(&j->qr, j->target, j->kick);
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
