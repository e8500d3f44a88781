// SPDX-License-Identifier: MIT
/* Which laws stay closed: rows that the derivatives of the motion decide (theory (47)-(50)). */
#include <math.h>
#include <string.h>

#include "law/scale_mech.h"
#include "law/scale_sim.h"
#include "law/scale_static.h"
#include "linalg/dense.h"
#include "sim/modes_part.h"

/* Size of the terms that coefficients of order k are sums of; or what would become visible within
 * the run. */
static double order_scale(const pw_modes *p, const pw_frame *f, int k) {
  const pw_system *s = p->mech->sys;
  double scale = p->scale / pow(p->span, k);
  for (int i = 0; i < s->ni; i++) {
    if (p->undecided[i] && f->length[s->nc + i] > 0) {
      double size = p->series.size[(size_t)k * (size_t)s->ni + (size_t)i];
      scale = fmax(scale, size / f->length[s->nc + i]);
    }
  }
  return scale;
}

/* Its force is that of its sides: one without a step, two pieces below the top of a maximum, or a
 * friction whose bound is zero because the force of its equality passes through zero. */
static bool has_no_step(const pw_modes *p, int law) {
  const pw_system *s = p->mech->sys;
  const pw_candidate *c = &p->candidate[law];
  bool pair = s->model->rows.items[s->row_of[s->nc + law]].clause.several >= 0;
  bool free = s->law[law].loaded && (c->hi - c->lo) * p->local->frame->length[s->nc + law] <=
                                        PW_SCALE(NEGLIGIBLE) * p->scale;
  return s->law[law].bend || (pair && c->may_close && c->lo == c->hi) || free;
}

/* theory (50): reduced problem of order k on the undecided rows. The coefficient y_k of their
 * accelerations must lead away from the kink, complementary to a force lambda_k that leads back
 * into the bounds; the closed rows keep theirs at zero. */
static void take_order(pw_modes *p, const double *law_rate) {
  const pw_system *s = p->mech->sys;

  /* Closed rows: y_k = 0. Undecided ones: y_k and lambda_k complementary on their side. */
  for (int i = 0; i < s->nr; i++) {
    int law = i - s->nc;
    if (law < 0 || p->mode[law] == PW_CLOSED) {
      pw_local_take(p->local, i, 0, -INFINITY, INFINITY);
    } else if (p->undecided[law] && has_no_step(p, law)) {
      pw_local_take(p->local, i, law_rate[law], 0, 0);
    } else if (p->undecided[law] && !pw_modes_waits(p, law)) {
      bool above = p->mode[law] == PW_OPEN;
      pw_local_take(p->local, i, law_rate[law], above ? 0 : -INFINITY, above ? INFINITY : 0);
    } else if (pw_modes_grips(p, law) && p->undecided[pw_modes_form(p, law)->contact]) {
      pw_local_take(p->local, i, law_rate[law], -INFINITY, INFINITY);
    }
  }

  /* Friction comes last, as its bounds are forces of rows taken above. */
  for (int i = 0; i < s->ni; i++) {
    bool slides = p->mode[i] == PW_OPEN || p->mode[i] == PW_BELOW;
    const pw_candidate *c = &p->candidate[i];
    const pw_law_form *form = pw_modes_form(p, i);
    if (!pw_is_coulomb(form) || (p->undecided[i] && pw_modes_waits(p, i) && pw_in_plane(form))) {
      continue;
    }

    /* The force of an undecided stick is at most mu lambda; that of a slide is ratio lambda. */
    if (p->undecided[i] && pw_modes_waits(p, i)) {
      pw_local_stick(p->local, s->nc + i, law_rate[i], s->nc + form->on, c->hi);
    } else if (slides && (p->mode[form->on] == PW_CLOSED || pw_modes_waits(p, i))) {
      bool given = !c->may_close || pw_in_plane(form);
      double ratio = given ? c->beside : p->mode[i] == PW_OPEN ? c->lo : c->hi;
      pw_local_slide(p->local, s->nc + i, s->nc + form->on, ratio);
    }
  }
}

/* Slips in the plane that wait for their contact, with the rates of this order. */
static void list_waiting(pw_modes *p, const double *law_rate) {
  const pw_system *s = p->mech->sys;
  p->n_disk = 0;
  for (int i = 0; i < s->ni; i++) {
    if (s->law[i].group == i && p->undecided[i] && pw_modes_waits(p, i)) {
      pw_disk *x = &p->disk[p->n_disk++];
      *x = p->candidate[i].disk;
      for (int k = 0; k < x->width; k++) {
        x->base[k] = 0;
        x->drive[k] = law_rate[i + k];
      }
    }
  }
}

/* Rates of no size that rows which depend on each other do not agree on are dropped: the next order
 * decides. */
static pw_outcome order_problem(pw_modes *p, const pw_frame *f, int k, double scale) {
  const pw_system *s = p->mech->sys;
  const double *a = p->series.a + (size_t)k * (size_t)s->nv;
  const double *law_rate = p->series.law + (size_t)k * (size_t)s->ni;
  double tiny = PW_SCALE(NEGLIGIBLE) * scale;
  pw_outcome o = PW_BREAKDOWN;
  for (int round = 0; round < 2 && o != PW_SOLVED; round++) {
    list_waiting(p, law_rate);
    for (int i = 0; i < f->n; i++) { /* L^T a_k */
      p->local->moved[i] = pw_dot(f->L + (size_t)i * (size_t)f->n + i, a + i, f->n - i);
    }
    pw_local_begin(p->local, f, p->local->moved,
                   (pw_local_way){.noise = PW_SCALE(NOISE_OF_ORDERS) * scale});
    take_order(p, law_rate);
    if (round == 0 || pw_local_drop_rates(p->local, tiny)) {
      o = pw_split_solve(p->local, p->disk, p->n_disk, (pw_zero_rates){.tiny = tiny});
    }
  }
  return o;
}

/* A slip that waited for its contact, which has closed: it sticks unless it leaves. */
static void decide_slip(pw_modes *p, int k, double tiny) {
  const pw_local *l = p->local;
  int law = l->row[k] - p->mech->sys->nc;
  bool at_lo = l->x[k] <= l->lo[k] + tiny, at_hi = l->x[k] >= l->hi[k] - tiny;
  bool leaves = fabs(l->y[k]) > tiny;
  p->mode[law] = !(at_lo || at_hi) ? PW_CLOSED
                 : leaves          ? (l->y[k] > 0 ? PW_OPEN : PW_BELOW)
                 : at_lo           ? PW_OPEN
                                   : PW_BELOW;
  p->undecided[law] = (at_lo || at_hi) && !leaves;
}

/* A coefficient this small may be rounding: of the instant, at which the next coefficient changes
 * it, and of forces that balance each other. */
static double doubt_of(const pw_modes *p, int law, int order) {
  size_t ni = (size_t)p->mech->sys->ni, next = (size_t)order + 1;
  double rate = order < PW_MODES_ORDER ? fabs(p->series.law[next * ni + (size_t)law]) : 0;
  double length = p->local->frame->length[p->mech->sys->nc + law];
  return p->delay * (double)next * (length > 0 ? rate / length : 0) + (order == 0 ? p->doubt : 0);
}

/* A slip whose force has no step, which is never held at its kink. */
static bool is_bent_slip(const pw_modes *p, int law) {
  const pw_law_form *form = pw_modes_form(p, law);
  return form->bend && form->on_velocity && !form->wall;
}

void pw_modes_doubt_bends(pw_modes *p, double t, const double *q, const double *u,
                          const double *side) {
  const pw_system *s = p->mech->sys;
  bool known = false;
  for (int k = 0; k < p->local->k && p->delay > 0; k++) {
    int law = p->local->row[k] - s->nc;
    if (law < 0 || !is_bent_slip(p, law) || !p->candidate[law].may_close || p->undecided[law]) {
      continue;
    }
    if (!known) {
      pw_modes_impose(p);
      if (pw_mech_series(p->mech, t, q, u, side, &p->series) != PAWL_OK) {
        return; /* the acceleration decides */
      }
      known = true;
    }
    p->undecided[law] = fabs(p->local->y[k]) <= doubt_of(p, law, 0);
  }
}

/* What of the law is decided by the row at place k of the problem. */
static void decide_row(pw_modes *p, int k, int order, double tiny) {
  const pw_system *s = p->mech->sys;
  int law = p->local->row[k] - s->nc;
  double room = is_bent_slip(p, law) ? fmax(tiny, doubt_of(p, law, order)) : tiny;
  bool force = fabs(p->local->x[k]) > tiny, leaves = fabs(p->local->y[k]) > room;
  p->mode[law] = force ? PW_CLOSED : p->mode[law];
  p->faint[law] = force;
  p->undecided[law] = !force && !leaves;
  if (has_no_step(p, law) && leaves) {
    p->mode[law] = p->local->y[k] > 0 ? PW_OPEN : PW_BELOW;
  }
}

static void decide_order(pw_modes *p, int order, double tiny) {
  const pw_system *s = p->mech->sys;
  for (int k = 0; k < p->local->k; k++) {
    int law = p->local->row[k] - s->nc;
    if (law >= 0 && p->undecided[law] && s->law[law].on < 0) {
      decide_row(p, k, order, tiny);
    }
  }
  for (int k = 0; k < p->local->k; k++) { /* after their contacts */
    int law = p->local->row[k] - s->nc, on = law >= 0 ? s->law[law].on : -1;
    if (on < 0 || !p->undecided[law] || p->undecided[on] || pw_in_plane(pw_modes_form(p, law))) {
      continue;
    }
    if (p->faint[on] && p->local->friction.normal[k] >= 0) {
      decide_slip(p, k, tiny);
    } else {
      decide_row(p, k, order, tiny);
    }
  }
  pw_modes_sort_disks(p);
  pw_modes_follow(p);
  pw_modes_settle_friction(p);
}

/* Zero reaction as far as derivatives tell: opened. A law that has just come would open and come
 * again, by rounding alone; it is held instead, which is the same motion. */
static void keep_arrivals(pw_modes *p, const pw_frame *f) {
  for (int i = 0; i < p->mech->sys->ni; i++) {
    if (p->undecided[i] && p->candidate[i].arrives) {
      p->mode[i] = PW_CLOSED;
      p->undecided[i] = 0;
    }
  }
  p->indifferent = pw_modes_separate(p, f) > 0;
}

/* Slips that may stick or slide, with forces at their bounds, do not slide where sliding has no
 * forces (theory (74) with a margin of zero): they stick. True: there were such. */
static bool stick_undecided(pw_modes *p) {
  bool any = false;
  for (int i = 0; i < p->mech->sys->ni; i++) {
    if (p->undecided[i] && pw_modes_form(p, i)->on >= 0 && !pw_modes_waits(p, i)) {
      p->mode[i] = PW_CLOSED;
      p->undecided[i] = 0;
      p->faint[i] = 1;
      any = true;
    }
  }
  return any;
}

/* Contacts whose force is zero, and that derivatives have closed and let go in turn at this time:
 * rounding decides them, and they open. */
void pw_modes_open_leaving(pw_modes *p) {
  for (int i = 0; i < p->mech->sys->ni; i++) {
    if (p->undecided[i] && p->candidate[i].leaves) {
      p->undecided[i] = 0;
      p->mode[i] = PW_OPEN;
    }
  }
  pw_modes_settle_friction(p);
}

pawl_status pw_modes_orders(pw_modes *p, const pw_frame *f, double t, const double *q,
                            const double *u, const double *side, int left) {
  for (int k = 0; k <= PW_MODES_ORDER && left > 0;
       k++) { /* order 0: the bound itself may jump (static) */
    pw_modes_impose(p);
    pawl_status status = pw_mech_series(p->mech, t, q, u, side, &p->series);
    bool slack = status == PAWL_OK && pw_mech_is_slack(p->mech);
    if ((status == PAWL_E_CONTRADICTION || slack) && stick_undecided(p)) {
      left = pw_modes_separate(p, f);
      continue;
    }
    if (status != PAWL_OK) {
      return status;
    }
    double scale = order_scale(p, f, k);
    if (order_problem(p, f, k, scale) != PW_SOLVED) {
      return PAWL_E_CONTRADICTION;
    }
    decide_order(p, k, PW_SCALE(NEGLIGIBLE) * scale);
    left = pw_modes_separate(p, f);
  }
  if (left > 0) {
    keep_arrivals(p, f);
  }
  return PAWL_OK;
}
