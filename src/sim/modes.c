// SPDX-License-Identifier: MIT
#include "sim/modes_part.h"

#include <math.h>
#include <string.h>

#include "law/scale_mech.h"
#include "law/scale_sim.h"
#include "law/scale_static.h"
#include "linalg/dense.h"
#include "sim/top.h"
#include "system/moved.h"

/* derivatives looked at */

unsigned char pw_mode_state(unsigned char mode) {
  return mode == PW_CLOSED    ? PW_AT_KINK
         : mode == PW_RESTING ? PW_IMPLIED
         : mode == PW_BELOW   ? PW_BELOW_KINK
                              : PW_ABOVE_KINK;
}

void pw_modes_lay_out(pw_modes *p, const pw_system *sys, pw_layout *l) {
  pw_share_lay_out(&p->share, sys, l);
  pw_share_lay_out_part(&p->share_part, sys, l);
  p->share.part = &p->share_part;
  double *series = PW_LAY(l, pw_series_doubles(sys, PW_MODES_ORDER), double);
  if (series != NULL) {
    pw_series_init(&p->series, sys, PW_MODES_ORDER, series);
  }
  p->candidate = PW_LAY(l, sys->ni, pw_candidate);
  p->disk = PW_LAY(l, sys->ni, pw_disk);
  p->mode = PW_LAY(l, sys->ni, unsigned char);
  p->closed = PW_LAY(l, sys->ni, unsigned char);
  p->undecided = PW_LAY(l, sys->ni, unsigned char);
  p->off = PW_LAY(l, sys->ni, unsigned char);
  p->faint = PW_LAY(l, sys->ni, unsigned char);
  p->firm = PW_LAY(l, sys->ni, unsigned char);
  p->force = PW_LAY(l, sys->nr, double);
  p->found = PW_LAY(l, sys->nr, double);
  p->open = PW_LAY(l, sys->nr, bool);
  p->anchor = PW_LAY(l, sys->nr, double);
  p->heading = PW_LAY(l, sys->ni, double);
  p->blur = PW_LAY(l, sys->ni, double);
  p->unit = PW_LAY(l, (size_t)sys->nv * (size_t)sys->nv, double);
  p->extent = PW_LAY(l, 2 * sys->nv, int);
  p->rest = PW_LAY(l, sys->nv, double);
}

const pw_law_form *pw_modes_form(const pw_modes *p, int law) {
  return &p->mech->sys->law[law];
}

/* A rough row that acts where its contact does: no impact has left a slip there. */
bool pw_modes_grips(const pw_modes *p, int law) {
  const pw_law_form *form = pw_modes_form(p, law);
  return pw_is_rough(form) && !p->candidate[form->contact].smooth;
}

/* ---- order 0: forces and accelerations ---- */

/* The largest accelerations and forces so far: at the instant where a force ends, those of the
 * problem itself may be of no size. */
static void note_scale(pw_modes *p, const pw_frame *f) {
  int nc = p->mech->sys->nc;
  p->scale = fmax(p->scale, pw_norm2(f->c_force, f->n));
  for (int i = 0; i < f->m; i++) {
    if (f->length[i] > 0 && (i < nc || p->candidate[i - nc].may_close)) {
      p->scale = fmax(p->scale, fabs(pw_frame_free(f, i)) / f->length[i]);
    }
  }
}

/* A law beside its kink whose force is not the one in the frame: a jump of the velocities has moved
 * it to another side, or the motion begins. */
static bool is_elsewhere(const pw_modes *p, int law) {
  const pw_candidate *c = &p->candidate[law];
  const pw_law_form *form = pw_modes_form(p, law);
  bool given = !form->wall && !pw_is_contact_slip(form) && !pw_in_plane(form);
  return given && !c->may_close && c->beside != c->base;
}

void pw_modes_take(pw_modes *p, const pw_frame *f) {
  const pw_system *s = p->mech->sys;
  pw_local_begin(p->local, f, f->c_force, (pw_local_way){.noise = PW_SCALE(NOISE) * p->scale});
  for (int i = 0; i < s->nr; i++) {
    double drive = pw_frame_free(f, i);
    int law = i - s->nc;
    if (law < 0) {
      pw_local_take(p->local, i, drive, -INFINITY, INFINITY);
      continue;
    }

    const pw_candidate *c = &p->candidate[law];
    const pw_law_form *form = pw_modes_form(p, law);
    if (pw_modes_grips(p, law) && p->candidate[form->contact].may_close && !p->off[law]) {
      if (!p->joint) {
        pw_local_take(p->local, i, drive, -INFINITY, INFINITY);
      }
    } else if (!pw_is_contact_slip(form) && !pw_in_plane(form) && c->may_close) {
      pw_local_take(p->local, i, drive, (c->lo - c->base) * f->length[i],
                    (c->hi - c->base) * f->length[i]);
    } else if (is_elsewhere(p, law)) {
      double force = (c->beside - c->base) * f->length[i];
      pw_local_take(p->local, i, drive, force, force);
    }
  }

  for (int i = s->nc; i < s->nr; i++) { /* after their contacts */
    const pw_candidate *c = &p->candidate[i - s->nc];
    const pw_law_form *form = pw_modes_form(p, i - s->nc);
    if (p->joint && pw_modes_grips(p, i - s->nc) && p->candidate[form->contact].may_close) {
      pw_local_stick(p->local, i, pw_frame_free(f, i), s->nc + form->contact, INFINITY);
    }
    if (!pw_is_coulomb(form) || pw_in_plane(form)) {
      continue;
    }
    if (c->may_close) {
      pw_local_stick(p->local, i, pw_frame_free(f, i), s->nc + form->on, c->hi);
    } else {
      pw_local_slide(p->local, i, s->nc + form->on, c->beside);
    }
  }
}

void pw_modes_list_disks(pw_modes *p, const pw_frame *f) {
  const pw_system *s = p->mech->sys;
  p->n_disk = 0;
  for (int i = 0; i < s->ni; i++) {
    if (s->law[i].group == i) {
      pw_disk *x = &p->disk[p->n_disk++];
      *x = p->candidate[i].disk;
      for (int k = 0; k < x->width; k++) {
        x->drive[k] = pw_frame_free(f, x->row + k);
      }
    }
  }
}

/* What counts as zero among the results. */
double pw_modes_tiny(pw_modes *p) {
  for (int k = 0; k < p->local->k; k++) {
    p->scale = fmax(p->scale, fabs(p->local->x[k]));
  }
  return PW_SCALE(NEGLIGIBLE) * p->scale;
}

/* A row that follows one without force is taken out; true if that changes the problem. */
static bool drop_followers(pw_modes *p, double tiny) {
  const pw_system *s = p->mech->sys;
  bool dropped = false;
  for (int k = 0; k < p->local->k; k++) {
    int law = p->local->row[k] - s->nc;
    if (law < 0 || !pw_is_rough(pw_modes_form(p, law)) || p->off[law]) {
      continue;
    }
    for (int j = 0; j < p->local->k; j++) {
      if (p->local->row[j] == s->nc + pw_modes_form(p, law)->contact && p->local->x[j] <= tiny &&
          p->local->y[j] > tiny) {
        p->off[law] = 1;
        dropped = true;
      }
    }
  }
  return dropped;
}

/* ---- forces of rows that depend on each other ---- */

static bool leaves(const pw_modes *p, int k, double tiny) {
  return fabs(p->local->y[k]) > tiny;
}

/* The contact of a slip that may stick, as a place in the problem, or -1. */
static int contact_of(const pw_modes *p, int k) {
  return p->local->friction.used ? p->local->friction.normal[k] : -1;
}

static void share_slope(pw_modes *p, const pw_frame *f, int row) {
  int law = row - p->mech->sys->nc;
  if (law >= 0) {
    const pw_candidate *c = &p->candidate[law];
    pw_top_share(p->mech->sys, &p->share, law, (double[]){c->lo, c->hi}, c->base, f->length[row]);
  }
}

static void take_shares(pw_modes *p, const pw_frame *f, double tiny) {
  const pw_local *l = p->local;
  const double *B = l->friction.used ? l->friction.B : l->A;
  pw_share_begin(&p->share);
  for (int k = 0; k < l->k; k++) {
    bool free = contact_of(p, k) >= 0;
    bool open = free || l->lo[k] < l->hi[k]; /* else there is nothing to share */
    if (open && !l->kept[k] && !leaves(p, k, tiny)) {
      pw_share_take(&p->share, l->row[k], B + (size_t)k * (size_t)f->n, free ? -INFINITY : l->lo[k],
                    free ? INFINITY : l->hi[k], l->x[k]);
      share_slope(p, f, l->row[k]);
    }
  }
  for (int k = 0; k < l->k; k++) {
    int n = contact_of(p, k);
    if (n < 0 || l->kept[k] || leaves(p, n, tiny)) {
      continue;
    }
    double mu = l->friction.mu[k];
    if (isinf(mu)) {
      continue;
    }
    if (leaves(p, k, tiny)) {
      double ratio = l->y[k] > 0 ? -mu : mu;
      pw_share_tilt(&p->share, B + (size_t)k * (size_t)f->n, l->row[n], ratio);
    } else {
      pw_share_bound(&p->share, l->row[k], l->row[n], -mu, mu);
    }
  }
}

/* Of all forces with the same accelerations the least: a row that can carry a part of the load then
 * does, and is not taken for one that leaves. */
static void spread(pw_modes *p, const pw_frame *f) {
  pw_local *l = p->local;
  double tiny = pw_modes_tiny(p);
  take_shares(p, f, tiny);
  if (!pw_share_open(&p->share, p->open) || !pw_share_least(&p->share)) {
    return;
  }
  double *x = l->x;
  for (int k = 0; k < l->k; k++) {
    int at = pw_share_place(&p->share, l->row[k]);
    x[k] = at >= 0 ? p->share.x[at] : x[k];
  }
  for (int k = 0; k < l->k; k++) {
    int n = contact_of(p, k);
    if (n >= 0 && isfinite(l->friction.mu[k])) {
      pw_local_bound(l, k, n);
      x[k] = leaves(p, k, tiny) ? (l->y[k] > 0 ? l->lo[k] : l->hi[k]) : x[k];
    }
  }
}

/* A contact whose rough rows were taken out pushes after all: opening, it would have to be closed,
 * and closed, it would have to pull. */
bool pw_modes_pushes_smooth(const pw_modes *p, double tiny) {
  const pw_system *s = p->mech->sys;
  for (int i = 0; i < s->ni; i++) {
    int at = p->off[i] ? pw_local_place(p->local, s->nc + pw_modes_form(p, i)->contact) : -1;
    if (at >= 0 && p->local->x[at] > tiny) {
      return true;
    }
  }
  return false;
}

static pw_outcome first_order(pw_modes *p, const pw_frame *f) {
  const double zero = PW_SCALE(NEGLIGIBLE);
  pw_zero_rates zeros = {zero * p->scale, zero};
  pw_outcome o;
  memset(p->off, 0, (size_t)p->mech->sys->ni);
  p->joint = false;
  pw_modes_list_disks(p, f);
  do {
    pw_modes_take(p, f);
    o = pw_split_solve(p->local, p->disk, p->n_disk, zeros);
  } while (o == PW_SOLVED && drop_followers(p, pw_modes_tiny(p)));
  if (o == PW_SOLVED &&
      pw_modes_pushes_smooth(p, pw_modes_tiny(p))) { /* all modes of rough contacts */
    memset(p->off, 0, (size_t)p->mech->sys->ni);
    p->joint = true;
    pw_modes_take(p, f);
    o = pw_split_solve(p->local, p->disk, p->n_disk, zeros);
  }
  if (o == PW_SOLVED) {
    spread(p, f);
  }
  return o;
}

/* All rows of a slip in the plane or in space stick or slide. */
void pw_modes_sort_disks(pw_modes *p) {
  int nc = p->mech->sys->nc;
  for (int i = 0; i < p->n_disk; i++) {
    const pw_disk *x = &p->disk[i];
    for (int k = 0; k < x->width; k++) {
      int law = x->row - nc + k;
      p->mode[law] = x->slides ? PW_OPEN : PW_CLOSED;
      p->undecided[law] = 0;
      p->heading[law] = x->slides ? x->d[k] : p->heading[law];
      p->candidate[law].beside = -x->radius * x->d[k];
    }
  }
}

void pw_modes_follow(pw_modes *p) {
  for (int i = 0; i < p->mech->sys->ni; i++) {
    if (pw_is_rough(pw_modes_form(p, i))) {
      bool acts = pw_modes_grips(p, i) && p->mode[pw_modes_form(p, i)->contact] != PW_OPEN;
      p->mode[i] = acts ? PW_CLOSED : PW_OPEN;
    }
  }
}

/* Friction on a contact that is not decided yet: its force is bounded by one that is zero, and it
 * is decided together with the contact. */
bool pw_modes_waits(const pw_modes *p, int law) {
  int on = pw_modes_form(p, law)->on;
  return on >= 0 && p->undecided[on];
}

/* Friction without a closed contact does nothing. */
void pw_modes_settle_friction(pw_modes *p) {
  for (int i = 0; i < p->mech->sys->ni; i++) {
    int on = pw_modes_form(p, i)->on;
    if (on >= 0 && p->mode[on] == PW_OPEN) {
      p->mode[i] = (unsigned char)p->candidate[i].side;
      p->undecided[i] = pw_modes_waits(p, i) && p->candidate[i].may_close;
    }
  }
}

/* Force of a slip that may stick, per normal force: what it keeps if it rests on others. */
static void note_share(pw_modes *p, int k) {
  const pw_local *l = p->local;
  int n = contact_of(p, k), law = l->row[k] - p->mech->sys->nc;
  const double *length = l->frame->length;
  double normal = n >= 0 ? l->x[n] / length[l->row[n]] : 0;
  p->candidate[law].share = normal > 0 ? l->x[k] / length[l->row[k]] / normal : 0;
}

/* Rows with a force inside its bounds are closed; at a bound they leave to the side of their
 * acceleration, or stay to be decided if that is zero. */
static void sort_rows(pw_modes *p) {
  const pw_system *s = p->mech->sys;
  double tiny = pw_modes_tiny(p);

  /* Without a force a law keeps the side it is on. */
  for (int i = 0; i < s->ni; i++) {
    p->mode[i] = (unsigned char)p->candidate[i].side;
  }
  memset(p->undecided, 0, (size_t)s->ni);
  memset(p->faint, 0, (size_t)s->ni);
  memset(p->firm, 0, (size_t)s->ni);
  for (int k = 0; k < p->local->k; k++) {
    int law = p->local->row[k] - s->nc;
    if (law < 0 || pw_is_rough(pw_modes_form(p, law)) || pw_in_plane(pw_modes_form(p, law)) ||
        is_elsewhere(p, law)) {
      continue;
    }

    /* Where the force and the acceleration are, both up to rounding. */
    const pw_local *l = p->local;
    note_share(p, k);
    bool at_lo = l->x[k] <= l->lo[k] + tiny, at_hi = l->x[k] >= l->hi[k] - tiny;
    bool rises = l->y[k] > tiny, falls = l->y[k] < -tiny;
    p->firm[law] = l->basic[k] > l->lo[k] + tiny && l->basic[k] < l->hi[k] - tiny;

    /* Inside its bounds the force holds the row; at one the acceleration tells the side. */
    if (!(at_lo || at_hi)) {
      p->mode[law] = PW_CLOSED;
    } else {
      bool above = at_lo && (rises || !at_hi || p->candidate[law].side == PW_OPEN) && !falls;
      p->mode[law] = above ? PW_OPEN : PW_BELOW;
      p->undecided[law] = !rises && !falls;
    }
  }

  /* Slips in the plane, rough rows and friction follow from the contacts. */
  pw_modes_sort_disks(p);
  pw_modes_follow(p);
  pw_modes_settle_friction(p);
}

/* ---- rows that the closed ones imply ---- */

/* The velocities first and last in which a row has entries. */
static void span_of(const pw_system *s, int row, int span[2]) {
  pw_moved_list list = pw_moved_by(s, row);
  span[0] = list.at == NULL || list.n == 0 ? 0 : list.at[0];
  span[1] = list.at == NULL || list.n == 0 ? list.n - 1 : list.at[list.n - 1];
}

/* True if column `row` depends on the columns of the closed rows and equalities: Gram-Schmidt, with
 * those that have entries beside its own. */
static bool depends(pw_modes *p, const pw_frame *f, int row, bool add) {
  double *rest = p->rest;
  bool own = true; /* rest has no entries but those that the row can move */
  int span[2];
  span_of(p->mech->sys, row, span);
  memcpy(rest, f->A + (size_t)row * (size_t)f->n, (size_t)f->n * sizeof *rest);
  for (int pass = 0; pass < 2; pass++) {
    for (int k = 0; k < p->n_unit; k++) {
      const int *other = p->extent + (ptrdiff_t)2 * k;
      const double *b = p->unit + (size_t)k * (size_t)f->n;
      bool apart = other[0] > span[1] || other[1] < span[0];
      double along = apart ? 0
                     : own ? pw_moved_dot(p->mech->sys, row, b, rest)
                           : pw_dot(b, rest, f->n);
      if (along != 0) {
        own = false;
        pw_axpy(-along, b, rest, f->n);
        span[0] = other[0] < span[0] ? other[0] : span[0];
        span[1] = other[1] > span[1] ? other[1] : span[1];
      }
    }
  }
  double length = pw_norm2(rest, f->n);
  bool dependent = !(length > PW_SCALE(RANK_ROWS)) || p->n_unit == f->n;
  if (!dependent && add) {
    for (int j = 0; j < f->n; j++) {
      p->unit[(size_t)p->n_unit * (size_t)f->n + (size_t)j] = rest[j] / length;
    }
    memcpy(p->extent + (ptrdiff_t)2 * p->n_unit, span, sizeof span);
    p->n_unit++;
  }
  return dependent;
}

/* Slips in the plane and their contacts are imposed even if they depend on others: they share the
 * load, and the disks are tied to the shares. So are contacts on which something slides: their
 * friction follows their own share. */
static bool shares(const pw_modes *p, int law) {
  const pw_system *s = p->mech->sys;
  bool found = s->law[law].group >= 0;
  for (int i = 0; i < s->ni && !found; i++) {
    bool slides = p->mode[i] == PW_OPEN || p->mode[i] == PW_BELOW;
    found = s->law[i].on == law && (s->law[i].group == i || (s->law[i].group < 0 && slides));
  }
  return found;
}

/* Closed rows that depend on others rest on them; undecided ones that do are decided by that. Those
 * that are imposed can carry the forces alone: firm ones come first. */
int pw_modes_separate(pw_modes *p, const pw_frame *f) {
  const pw_system *s = p->mech->sys;
  int left = 0;
  p->n_unit = 0;
  p->shared = false;
  for (int i = 0; i < s->nc; i++) {
    (void)depends(p, f, i, true);
  }
  for (int i = 0; i < 4 * s->ni; i++) { /* rows on positions first: they hold them */
    int law = i % s->ni, group = i / s->ni;
    bool velocity = s->model->rows.items[s->row_of[s->nc + law]].on_velocity;
    bool turn = velocity == (group >= 2) && (p->firm[law] != 0) == (group % 2 == 0);
    if (turn && p->mode[law] == PW_CLOSED && depends(p, f, s->nc + law, true)) {
      bool shared = shares(p, law);
      p->shared = p->shared || shared;
      p->mode[law] = shared ? PW_CLOSED : PW_RESTING;
    }
  }
  for (int i = 0; i < s->ni; i++) {
    if (p->candidate[i].unloaded && depends(p, f, s->nc + i, false)) {
      p->mode[i] = PW_RESTING;
    }
  }
  for (int i = 0; i < s->ni; i++) {
    if (p->undecided[i] && !pw_modes_waits(p, i) && depends(p, f, s->nc + i, false)) {
      p->undecided[i] = 0;
      p->mode[i] = PW_RESTING;
    }
    left += p->undecided[i];
  }
  return left;
}

/* Friction slides on a closed contact, so that the motion depends on how loads are shared. */
static bool any_slides(const pw_modes *p) {
  for (int i = 0; i < p->mech->sys->ni; i++) {
    int on = pw_modes_form(p, i)->on;
    bool beside = p->mode[i] == PW_OPEN || p->mode[i] == PW_BELOW;
    if (on >= 0 && beside && p->mode[on] == PW_CLOSED) {
      return true;
    }
  }
  return false;
}

void pw_modes_impose(pw_modes *p) {
  bool slides = any_slides(p);
  for (int i = 0; i < p->mech->sys->ni; i++) {
    const pw_law_form *form = pw_modes_form(p, i);
    p->closed[i] = pw_mode_state(p->mode[i]);
    if (form->on >= 0 && !pw_in_plane(form)) { /* contacts (K4) */
      p->heading[i] = slides && p->mode[i] == PW_RESTING ? p->candidate[i].share : 0;
    }
  }
  pw_mech_close(p->mech, p->closed);
  pw_mech_head(p->mech, p->heading, p->blur);
  pw_mech_keep_shares(p->mech, p->shared && p->keeps ? p->found : NULL);
}

pawl_status pw_modes_select(pw_modes *p, const pw_frame *f, double t, const double *q,
                            const double *u, const double *side, bool settle) {
  p->indifferent = p->ends = false;
  p->failed = -1;
  note_scale(p, f);
  pw_outcome o = first_order(p, f);
  p->several = p->local->friction.used && p->local->friction.several;
  p->proved = o != PW_SOLVED && p->local->proved;
  if (o != PW_SOLVED) {
    p->failed =
        o == PW_INFEASIBLE && p->local->info.row >= 0 ? p->local->row[p->local->info.row] : -1;
    return PAWL_E_CONTRADICTION;
  }
  if (p->several && !settle) {
    return PAWL_OK;
  }
  pw_local_forces(p->local, p->found);
  sort_rows(p);
  pw_modes_open_leaving(p);
  pawl_status status = pw_modes_decide_gripped(p, f, t, q, u, side);
  if (status == PAWL_OK) {
    pw_modes_doubt_bends(p, t, q, u, side);
    status = pw_modes_orders(p, f, t, q, u, side, pw_modes_separate(p, f));
  }
  p->ends = status == PAWL_OK && !p->joint && pw_modes_ends_at_rough(p, f);
  pw_modes_impose(p);
  return p->ends ? PAWL_E_CONTRADICTION : status;
}

void pw_modes_anchor(pw_modes *p, const pw_frame *f) {
  pw_modes_list_disks(p, f);
  for (int i = 0; i < p->n_disk; i++) {
    p->disk[i].released = false; /* they stick: that is decided */
  }
  pw_modes_take(p, f);
  p->anchored = pw_split_hold(p->local, p->disk, p->n_disk, PW_SCALE(NEGLIGIBLE) * p->scale);
  if (p->anchored) {
    pw_local_forces(p->local, p->anchor);
  }
}
