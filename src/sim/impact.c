// SPDX-License-Identifier: MIT
#include "sim/impact.h"

#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/phase.h"
#include "law/scale_sim.h"
#include "linalg/dense.h"
#include "system/moved.h"

/* A rough row holds the slip of its contact, unless the contact carries no impulse. A contact that
 * would pull, but closes without its rough row, pulls: there is no other rough collision. */
enum { ON, OFF, STICKY };

void pw_impact_lay_out(pw_impact *p, const pw_system *sys, pw_layout *l) {
  p->sys = sys;
  pw_local_lay_out(&p->local, sys, l);
  p->law = PW_LAY(l, sys->ni, pw_impact_law);
  p->disk = PW_LAY(l, sys->ni, pw_disk);
  p->drift = PW_LAY(l, sys->nr, double);
  p->impulse = PW_LAY(l, sys->nr, double);
  p->rate = PW_LAY(l, sys->nr, double);
  p->velocity = PW_LAY(l, sys->nv, double);
  p->energy = PW_LAY(l, sys->nr, double);
  p->work = PW_LAY(l, sys->nr, double);
  p->scratch.part = PW_LAY(l, sys->nr, double);
  p->scratch.before = PW_LAY(l, sys->nr, double);
  p->scratch.squeeze = PW_LAY(l, sys->nr + 1, double);
  p->scratch.other = PW_LAY(l, sys->nv, double);
  p->slip = PW_LAY(l, sys->ni, int);
  p->next_slip = PW_LAY(l, sys->ni, int);
  pw_least_lay_out(&p->scratch.order, sys->ni, l);
  p->scratch.near = PW_LAY(l, sys->nr + 1, int);
  p->scratch.met = PW_LAY(l, sys->nr, unsigned char);
  p->scratch.share = PW_LAY(l, sys->nr, double);
  p->scratch.rough = PW_LAY(l, sys->ni, unsigned char);
  p->scratch.shared = PW_LAY(l, sys->nr, unsigned char);
}

void pw_impact_init(pw_impact *p) {
  int ni = p->sys->ni;
  for (int i = 0; i < ni; i++) {
    p->slip[i] = p->next_slip[i] = -1;
  }
  for (int i = ni - 1; i >= 0; i--) {
    int contact = p->sys->law[i].contact;
    if (contact >= 0) {
      p->next_slip[i] = p->slip[contact];
      p->slip[contact] = i;
    }
  }
}

static pw_impact_law *law_of(const pw_impact *p, int row) {
  return &p->law[row - p->sys->nc];
}

static const pw_law_form *form_of(const pw_impact *p, int row) {
  return &p->sys->law[row - p->sys->nc];
}

double pw_impact_still(const pw_impact *p, const pw_frame *f, int row) {
  return fmax(f->length[row] * p->speed, p->drift[row]);
}

static bool closes(const pw_impact *p, const pw_frame *f, int row, const double *rate) {
  return f->length[row] > 0 && rate[row] < -pw_impact_still(p, f, row);
}

bool pw_impact_needed(const pw_impact *p, const pw_frame *f, const double *rate) {
  for (int i = p->sys->nc; i < p->sys->nr; i++) {
    const pw_impact_law *law = law_of(p, i);
    bool acts = law->touches || (law->jumped && pw_is_one_sided(form_of(p, i)));
    if (acts && closes(p, f, i, rate)) {
      return true;
    }
  }
  return false;
}

int pw_impact_undefined(const pw_impact *p) {
  for (int i = 0; i < p->sys->ni; i++) {
    const pw_law_form *form = &p->sys->law[i];
    int contact = pw_is_contact_slip(form) ? form->contact : i;
    if (p->law[contact].touches && isnan(p->law[i].e)) {
      return p->sys->nc + i;
    }
  }
  return -1;
}

/* ---- one problem ---- */

static void begin(pw_impact *p, const pw_frame *f) {
  pw_jump_log_retry(p->log);
  pw_strokes_retry(p->strokes);
  pw_zero(p->impulse, f->m);
  pw_zero(p->energy, f->m);
  pw_zero(p->work, f->m);
  memset(p->scratch.shared, 0, (size_t)f->m);
  pw_copy(p->rate, f->rate, f->m);
  pw_copy(p->scratch.before, p->first_rate != NULL ? p->first_rate : f->rate, f->m);
  pw_copy(p->velocity, f->c_velocity, f->n);
  p->adhesive = false;
  p->failed = -1;
  p->proved = false;
}

static void take_equalities(pw_impact *p) {
  for (int i = 0; i < p->sys->nc; i++) {
    pw_local_take(&p->local, i, p->rate[i], -INFINITY, INFINITY);
  }
}

/* The restitution of a row as a phase uses it. Rows without a part in it may have none. */
static double times_e(const pw_impact *p, int row, double factor) {
  return factor == 0 ? 0 : factor * law_of(p, row)->e;
}

/* theory (56), (57): the rate after the phase, shifted, is complementary to the impulse beyond its
 * least one. */
static void take_contact(pw_impact *p, int row, const pw_phase_rule *rule) {
  double shift = times_e(p, row, rule->rate_shift) * p->scratch.before[row];
  double part =
      rule->least_impulse == 0 ? 0 : p->scratch.squeeze[row] * p->local.frame->length[row];
  double least = times_e(p, row, rule->least_impulse) * part;
  least = p->scratch.rough[row - p->sys->nc] == STICKY ? -INFINITY : least;
  pw_local_take(&p->local, row, p->rate[row] + shift, least, INFINITY);
}

/* Rate of a slip after the phase, shifted by its restitution. */
static double slip_of(const pw_impact *p, int row, const pw_phase_rule *rule) {
  return p->rate[row] + times_e(p, row, rule->slip_shift) * p->scratch.before[row];
}

/* The slip of a contact that touches; only >= 0: of that contact. */
static bool slips(const pw_impact *p, int row, int only) {
  int contact = form_of(p, row)->contact;
  return contact >= 0 && p->law[contact].touches && (only < 0 || p->sys->nc + contact == only);
}

/* The law rows of a problem, one after the other from row < 0 on; -1: no more. only >= 0: that
 * contact and what acts with it. */
static int next_law(const pw_impact *p, int row, int only) {
  int nc = p->sys->nc;
  if (only < 0) {
    int next = row < 0 ? nc : row + 1;
    return next < p->sys->nr ? next : -1;
  }
  if (row < 0) {
    return only;
  }
  int law = row == only ? p->slip[only - nc] : p->next_slip[row - nc];
  return law < 0 ? -1 : nc + law;
}

/* Rows that are no slips, and the slips of rough contacts: slip+ = -e slip-, theory (58). */
static void take_contacts(pw_impact *p, const pw_phase_rule *rule, int only) {
  for (int i = next_law(p, -1, only); i >= 0; i = next_law(p, i, only)) {
    const pw_law_form *form = form_of(p, i);
    if (law_of(p, i)->touches && (only < 0 || i == only)) {
      take_contact(p, i, rule);
    } else if (pw_is_rough(form) && rule->slips && slips(p, i, only) &&
               p->scratch.rough[i - p->sys->nc] == ON) {
      pw_local_take(&p->local, i, slip_of(p, i, rule), -INFINITY, INFINITY);
    } else if (rule->bounds && pw_is_one_sided(form)) {
      pw_local_take(&p->local, i, p->rate[i], 0, INFINITY);
    }
  }
}

/* Coulomb friction, after its contacts: the slip sticks or slides. */
static void take_friction(pw_impact *p, const pw_phase_rule *rule, int only) {
  for (int i = next_law(p, -1, only); i >= 0 && rule->slips; i = next_law(p, i, only)) {
    const pw_law_form *form = form_of(p, i);
    if (pw_is_coulomb(form) && !pw_in_plane(form) && slips(p, i, only)) {
      pw_local_stick(&p->local, i, slip_of(p, i, rule), p->sys->nc + form->on, law_of(p, i)->mu);
    }
  }
}

static void list_disks(pw_impact *p, const pw_phase_rule *rule, int only) {
  p->n_disk = 0;
  for (int row = next_law(p, -1, only); row >= 0 && rule->slips; row = next_law(p, row, only)) {
    const pw_law_form *form = form_of(p, row);
    int i = row - p->sys->nc;
    if (form->group == i && pw_is_coulomb(form) && slips(p, row, only)) {
      double e = times_e(p, row, rule->slip_shift), mu = p->law[i].mu;
      pw_disk *disk = &p->disk[p->n_disk++];
      *disk = (pw_disk){.row = row,
                        .width = form->width,
                        .normal = p->sys->nc + form->on,
                        .radius = mu,
                        .hold = mu};
      for (int k = row; k < row + form->width; k++) {
        disk->drive[k - row] = p->rate[k] + e * p->scratch.before[k];
      }
    }
  }
}

static pw_outcome solve_local(pw_impact *p, double tiny) {
  pw_outcome o = pw_split_solve(&p->local, p->disk, p->n_disk, (pw_zero_rates){.tiny = tiny});
  if (o != PW_SOLVED && p->local.k > 0) {
    int at = o == PW_INFEASIBLE && p->local.info.row >= 0 ? p->local.info.row : p->local.k - 1;
    p->failed = p->local.row[at];
    p->proved = p->local.proved;
  }
  return o;
}

static void add_solution(pw_impact *p, const pw_frame *f) {
  pw_local_forces(&p->local, p->scratch.part);
  pw_disks_forces(p->disk, p->n_disk, p->scratch.part);
  pw_impact_add(p, f);
}

/* ---- rough contacts ---- */

static double impulse_of(const pw_impact *p, int row) {
  int k = pw_local_place(&p->local, row);
  return k >= 0 ? p->local.x[k] : 0;
}

/* A contact without impulse that opens. */
static bool opens(const pw_impact *p, int row) {
  int k = pw_local_place(&p->local, row);
  return k >= 0 && p->local.x[k] <= 0 && p->local.y[k] > PW_SCALE(UNDER_STILL) * p->speed;
}

/* Rough rows of contacts that open without an impulse are taken out; those of contacts that stay
 * closed grip, pressed or not. A contact that has an impulse without them gets them back, and holds
 * its own rate exactly. True if the problem has changed. */
static bool revise_rough(pw_impact *p, int only) {
  bool changed = false;
  for (int row = next_law(p, -1, only); row >= 0; row = next_law(p, row, only)) {
    const pw_law_form *form = form_of(p, row);
    int on = form->contact, i = row - p->sys->nc;
    if (!pw_is_rough(form) || !p->law[on].touches || p->scratch.rough[on] == STICKY) {
      continue;
    }
    double normal = impulse_of(p, p->sys->nc + on);
    if (p->scratch.rough[i] == ON && opens(p, p->sys->nc + on) && impulse_of(p, row) != 0) {
      p->scratch.rough[i] = OFF;
      changed = true;
    } else if (p->scratch.rough[i] == OFF && normal > 0) {
      p->scratch.rough[i] = ON;
      p->scratch.rough[on] = STICKY;
      changed = true;
    }
  }
  return changed;
}

static void note_adhesion(pw_impact *p) {
  for (int k = 0; k < p->local.k; k++) {
    int law = p->local.row[k] - p->sys->nc;
    p->adhesive = p->adhesive || (law >= 0 && p->scratch.rough[law] == STICKY && p->local.x[k] < 0);
  }
}

/* The problem of a phase, without its consequences. only >= 0: that contact alone. */
static pw_outcome pose_phase(pw_impact *p, const pw_frame *f, pw_phase phase, int only) {
  pw_phase_rule rule = pw_phase_rule_of(phase);
  double tiny = PW_SCALE(UNDER_STILL) * p->speed;
  memset(p->scratch.rough, ON, (size_t)p->sys->ni);
  list_disks(p, &rule, only);
  pw_outcome o;
  do {
    pw_local_begin(&p->local, f, p->velocity, (pw_local_way){.noise = tiny, .slips_near = true});
    take_equalities(p);
    take_contacts(p, &rule, only);
    take_friction(p, &rule, only);
    o = solve_local(p, tiny);
  } while (o == PW_SOLVED && revise_rough(p, only));
  return o;
}

/* The speed of a contact that closes, for the order of hits. */
static void enter(pw_impact *p, const pw_frame *f, int row) {
  bool hits = p->rate[row] < 0 && law_of(p, row)->touches && closes(p, f, row, p->rate);
  pw_least_set(&p->scratch.order, row - p->sys->nc,
               hits ? p->rate[row] / f->length[row] : INFINITY);
}

/* After a solution, which has changed the rates of few. */
static void reorder(pw_impact *p, const pw_frame *f) {
  for (int k = 0; k < p->scratch.n_near; k++) {
    if (p->scratch.near[k] >= p->sys->nc) {
      enter(p, f, p->scratch.near[k]);
    }
  }
}

static pw_outcome solve_phase(pw_impact *p, const pw_frame *f, pw_phase phase, int only) {
  pw_outcome o = pose_phase(p, f, phase, only);
  if (o == PW_SOLVED) {
    note_adhesion(p);
    add_solution(p, f);
    if (only >= 0) {
      reorder(p, f);
    }
    pw_impact_note(p, f, phase, NULL);
    pw_strokes_add(p->strokes, (int)phase, only, p->scratch.part, f->m);
  }
  return o;
}

/* ---- laws ---- */

/* The phases of the impact from this one on; only >= 0: of that contact alone. */
static pw_outcome phases_from(pw_impact *p, const pw_frame *f, pw_impact_kind law, int first,
                              int only) {
  pw_phase phase[PW_IMPACT_PHASES];
  int n = pw_impact_phases(law, phase);
  pw_outcome o = PW_SOLVED;
  for (int k = first; k < n && o == PW_SOLVED; k++) {
    pw_copy(p->scratch.squeeze, p->scratch.part, f->m);
    o = solve_phase(p, f, phase[k], only);
  }
  return o;
}

/* Of all contacts that touch. */
static pw_impact_kind joined(const pw_impact *p) {
  pw_impact_kind law = PW_IMPACT_NEWTON;
  for (int i = 0; i < p->sys->ni; i++) {
    law = p->law[i].touches ? pw_impact_joined(law, p->sys->law[i].impact) : law;
  }
  return law;
}

static pw_outcome together(pw_impact *p, const pw_frame *f) {
  return phases_from(p, f, joined(p), 0, -1);
}

/* Most negative rate first; every hit is an impact of one contact with the equalities. What is
 * left after `most` hits is done together. */
static pw_outcome in_turn(pw_impact *p, const pw_frame *f, int most) {
  pw_outcome o = PW_SOLVED;
  pw_least_clear(&p->scratch.order);
  for (int i = p->sys->nc; i < f->m; i++) {
    enter(p, f, i);
  }
  for (int hits = 0; o == PW_SOLVED; hits++) {
    int next = pw_least_first(&p->scratch.order);
    if (next < 0) {
      return PW_SOLVED;
    }
    pw_copy(p->scratch.before, p->rate, f->m);
    if (hits == most) {
      return together(p, f);
    }
    o = phases_from(p, f, p->sys->law[next].impact, 0, p->sys->nc + next);
  }
  return o;
}

/* ---- several contacts ---- */

static int touching(const pw_impact *p) {
  int n = 0;
  for (int i = 0; i < p->sys->ni; i++) {
    n += p->law[i].touches;
  }
  return n;
}

/* Rows i and j are contacts that touch and feel each other. */
static bool feel(const pw_impact *p, const pw_frame *f, int i, int j) {
  bool touch = i != j && i >= p->sys->nc && j >= p->sys->nc && law_of(p, i)->touches &&
               law_of(p, j)->touches;
  return touch && fabs(pw_frame_dot(f, i, f->A + (size_t)j * (size_t)f->n)) > PW_SCALE(UNCOUPLED);
}

/* Row i is a contact that feels another, which then moves a velocity that it moves. */
static bool feels_any(const pw_impact *p, const pw_frame *f, int i) {
  bool any = false, known = f->sys != NULL && f->sys->pattern.moved != NULL;
  pw_moved_list list = known ? pw_moved_by(f->sys, i) : (pw_moved_list){0};
  for (int v = 0; v < list.n && !any; v++) {
    pw_moved_list rows = pw_moved_movers(f->sys, list.at[v]);
    for (int e = 0; e < rows.n && !any; e++) {
      any = feel(p, f, i, rows.at[e]);
    }
  }
  for (int j = p->sys->nc; j < i && !known && !any; j++) {
    any = feel(p, f, i, j);
  }
  return any;
}

/* Contacts that do not feel each other have one result only. */
static bool coupled(const pw_impact *p, const pw_frame *f) {
  bool any = false;
  for (int i = p->sys->nc; i < p->sys->nr && !any; i++) {
    any = law_of(p, i)->touches && feels_any(p, f, i);
  }
  return any;
}

static pw_outcome contacts(pw_impact *p, const pw_frame *f, bool sequential, int most) {
  begin(p, f);
  return sequential ? in_turn(p, f, most) : together(p, f);
}

static bool differs(const pw_impact *p, const pw_frame *f) {
  double far = 0, size = pw_norm2(p->velocity, f->n);
  for (int k = 0; k < f->n; k++) {
    far = fmax(far, fabs(p->scratch.other[k] - p->velocity[k]));
  }
  return far > PW_SCALE(SAME_IMPACT) * size + 10 * p->speed;
}

static bool one_sided_violated(const pw_impact *p, const pw_frame *f) {
  for (int i = p->sys->nc; i < p->sys->nr; i++) {
    if (pw_is_one_sided(form_of(p, i)) && closes(p, f, i, p->rate)) {
      return true;
    }
  }
  return false;
}

/* One-sided velocity rows take no part in the impact of contacts, because together they can gain
 * energy; the result is then projected on all admissible velocities, which never gains any
 * (theory (59)). */
pw_outcome pw_impact_solve(pw_impact *p, const pw_frame *f) {
  int n = touching(p);
  bool compare = n > 1 && coupled(p, f);
  if (compare) {
    compare = contacts(p, f, !p->sequential, 4 * n + 20) == PW_SOLVED;
    pw_copy(p->scratch.other, p->velocity, f->n);
  }
  pw_outcome o = contacts(p, f, p->sequential, pw_impact_most_hits(n));
  p->ambiguous = compare && o == PW_SOLVED && differs(p, f);
  if (o == PW_SOLVED && one_sided_violated(p, f)) {
    o = solve_phase(p, f, PW_PHASE_PROJECTION, -1);
  }
  return o;
}

/* Of the slip of a friction row: a sign, or a component of the unit vector along it. */
static double direction(const pw_impact *p, int row, double *size) {
  const pw_law_form *form = form_of(p, row);
  *size = pw_length(p->rate + (form->group >= 0 ? p->sys->nc + form->group : row), form->width);
  return *size > 0 ? p->rate[row] / *size : 0;
}

/* What the rates of the rows that are held are differences of now: the velocity in the metric, and
 * those of moving walls. */
static double present_speed(const pw_impact *p, const pw_frame *f, const unsigned char *hold) {
  double most = pw_norm2(f->c_velocity, f->n);
  for (int i = 0; i < f->m; i++) {
    double along = pw_frame_dot(f, i, f->c_velocity);
    bool velocity = p->sys->model->rows.items[p->sys->row_of[i]].on_velocity;
    bool held = i < p->sys->nc || hold[i - p->sys->nc] != PW_HOLD_NOT;
    if (held && f->length[i] > 0 && !velocity) {
      most = fmax(most, fabs(f->rate[i] / f->length[i] - along));
    }
  }
  return most;
}

/* Theory, section 20: impulses of the contacts and of friction over the time T, as in a plastic
 * impact.
 */
pw_outcome pw_impact_land(pw_impact *p, const pw_frame *f, double T, unsigned char *hold) {
  double scale = 0, tiny = PW_SCALE(UNDER_STILL) * p->speed; /* zero in the problem of the phase */
  double rounding = PW_SCALE(NOISE) * present_speed(p, f, hold) + tiny;
  begin(p, f);
  for (int i = 0; i < f->m; i++) {
    p->rate[i] += T * pw_frame_free(f, i);
    scale = f->length[i] > 0 ? fmax(scale, fabs(p->rate[i]) / f->length[i]) : scale;
  }
  for (int i = 0; i < p->sys->ni; i++) {
    p->law[i].touches = hold[i] == PW_HOLD_AT && !pw_is_contact_slip(&p->sys->law[i]);
  }
  pw_outcome o = solve_phase(p, f, PW_PHASE_COMPRESSION, -1);
  for (int i = p->sys->nc; i < p->sys->nr && o == PW_SOLVED; i++) {
    const pw_law_form *form = form_of(p, i);
    if (pw_is_coulomb(form) && hold[form->on] == PW_HOLD_AT) {
      double size;
      law_of(p, i)->heading = direction(p, i, &size);
      bool ends = size <= f->length[i] * (PW_SCALE(SLIP_LANDS) * scale + rounding);
      hold[i - p->sys->nc] = ends ? PW_HOLD_AT : PW_HOLD_NOT;
    }
  }
  return o;
}

/* A slip on a contact that is held, while it is not. */
static bool goes_on(const pw_impact *p, int row, const unsigned char *hold) {
  const pw_law_form *form = form_of(p, row);
  return pw_is_coulomb(form) && hold[form->on] == PW_HOLD_AT &&
         hold[row - p->sys->nc] == PW_HOLD_NOT;
}

pw_outcome pw_impact_hold(pw_impact *p, const pw_frame *f, const unsigned char *hold) {
  begin(p, f);
  p->n_disk = 0;
  p->ambiguous = false;
  double noise = PW_SCALE(NOISE) * present_speed(p, f, hold);
  pw_local_begin(&p->local, f, p->velocity, (pw_local_way){.noise = noise, .slips_near = true});
  take_equalities(p);
  for (int i = p->sys->nc; i < p->sys->nr; i++) {
    pw_hold how = (pw_hold)hold[i - p->sys->nc];
    if (how != PW_HOLD_NOT) {
      pw_local_take(&p->local, i, p->rate[i], how == PW_HOLD_AT ? -INFINITY : 0, INFINITY);
    }
  }
  for (int i = p->sys->nc; i < p->sys->nr; i++) { /* what slides goes on to slide */
    if (goes_on(p, i, hold)) {
      const pw_impact_law *law = law_of(p, i);
      pw_local_slide(&p->local, i, p->sys->nc + form_of(p, i)->on, -law->mu * law->heading);
    }
  }
  pw_outcome o = solve_local(p, 0);
  if (o != PW_SOLVED) {
    return o;
  }
  pw_local_forces(&p->local, p->scratch.part);
  for (int i = p->sys->nc; i < p->sys->nr; i++) {
    if (goes_on(p, i, hold)) {
      const pw_impact_law *law = law_of(p, i);
      p->scratch.part[i] =
          -law->mu * law->heading * p->scratch.part[p->sys->nc + form_of(p, i)->on];
    }
  }
  pw_impact_add(p, f);
  pw_impact_note(p, f, PW_PHASE_PROJECTION, hold);
  pw_strokes_add(p->strokes, PW_STROKE_STOP, -1, p->scratch.part, f->m);
  return o;
}

pw_outcome pw_impact_collapse(pw_impact *p, const pw_frame *f, const unsigned char *hold) {
  pw_outcome o = pw_impact_hold(p, f, hold);
  double lost = 0, shares = 0;
  for (int i = 0; i < f->m; i++) {
    lost += p->energy[i];
    shares += p->scratch.share[i];
  }
  for (int i = 0; i < f->m && lost < 0 && shares < 0; i++) {
    p->energy[i] = lost * p->scratch.share[i] / shares;
  }
  return o;
}

/* ---- impact without collision ---- */

/* Impulses for contacts that close with this speed, in the metric; restitution sees none. */
static pw_outcome strike(pw_impact *p, const pw_frame *f, double speed) {
  for (int i = p->sys->nc; i < p->sys->nr; i++) {
    if (law_of(p, i)->touches) {
      p->rate[i] = f->rate[i] - speed * f->length[i];
      p->scratch.before[i] = 0;
    }
  }
  pw_outcome o = pose_phase(p, f, PW_PHASE_NEWTON, -1);
  pw_copy(p->rate, f->rate, f->m);
  return o;
}

/* While the pattern of contacts does not change impulses depend on the speed linearly, so two small
 * speeds give the limit. */
pw_outcome pw_impact_jam(pw_impact *p, const pw_frame *f, const unsigned char *hold) {
  (void)hold;
  double small = PW_SCALE(JAM_SPEED) * pw_norm2(f->c_velocity, f->n), size = 0;
  begin(p, f);
  if (p->log != NULL) {
    p->log->blurred = true;
  }
  pw_strokes_lose(p->strokes);
  p->ambiguous = false;
  pw_outcome o = small > 0 ? strike(p, f, 2 * small) : PW_INFEASIBLE;
  int k = p->local.k;
  if (o == PW_SOLVED) {
    pw_copy(p->scratch.squeeze, p->local.x, k);
    o = strike(p, f, small);
  }
  if (o != PW_SOLVED || p->local.k != k || !p->local.friction.used) {
    return o == PW_SOLVED ? PW_INFEASIBLE : o;
  }
  for (int i = 0; i < k; i++) {
    p->local.x[i] = 2 * p->local.x[i] - p->scratch.squeeze[i];
    size = fmax(size, fabs(p->local.x[i]));
  }
  if (!(size > 10 * small)) {
    return PW_INFEASIBLE;
  }
  pw_local_apply(&p->local);
  add_solution(p, f);
  if (pw_impact_needed(p, f, p->rate)) { /* the two speeds were not small enough */
    return PW_BREAKDOWN;
  }
  return phases_from(p, f, joined(p), 1, -1); /* what the first has compressed expands */
}
