// SPDX-License-Identifier: MIT
/* Which laws stay closed: rough contacts whose normal force ends (theory, section 26). */
#include <math.h>
#include <string.h>

#include "law/scale_mech.h"
#include "law/scale_sim.h"
#include "law/scale_static.h"
#include "linalg/dense.h"
#include "sim/modes_part.h"

/* Some rough row of this contact has a force: opening changes the motion at once, and theory (48)
 * does not decide. */
static bool is_gripped(const pw_modes *p, int law, double tiny) {
  const pw_system *s = p->mech->sys;
  for (int i = 0; i < s->ni; i++) {
    int at = pw_modes_grips(p, i) && pw_modes_form(p, i)->contact == law
                 ? pw_local_place(p->local, s->nc + i)
                 : -1;
    if (at >= 0 && fabs(p->local->x[at]) > tiny) {
      return true;
    }
  }
  return false;
}

/* The sign of the first derivative of the normal force, along the series, that is not zero. */
static int trend(const pw_modes *p, const pw_frame *f, int row) {
  for (int k = 1; k <= PW_MODES_ORDER; k++) {
    double rate = p->series.lambda[(size_t)k * (size_t)f->m + (size_t)row] * f->length[row];
    if (fabs(rate) > PW_SCALE(NEGLIGIBLE) * p->scale / pow(p->span, k)) {
      return rate > 0 ? 1 : -1;
    }
  }
  return 1;
}

/* They stay closed as long as their force, with all rows held, does not fall below zero. */
pawl_status pw_modes_decide_gripped(pw_modes *p, const pw_frame *f, double t, const double *q,
                                    const double *u, const double *side) {
  const pw_system *s = p->mech->sys;
  double tiny = pw_modes_tiny(p);
  bool any = false;
  for (int i = 0; i < s->ni; i++) {
    p->closed[i] = p->undecided[i] && pw_is_contact(pw_modes_form(p, i)) && is_gripped(p, i, tiny);
    any = any || p->closed[i];
  }
  for (int i = 0; i < s->ni && any; i++) {
    p->faint[i] = p->closed[i] ? 1 : p->faint[i];
    p->mode[i] = p->closed[i] ? PW_CLOSED : p->mode[i];
    p->undecided[i] = p->undecided[i] && !p->closed[i];
  }
  if (!any) {
    return PAWL_OK;
  }
  pw_modes_follow(p);
  pw_modes_impose(p);
  pawl_status status = pw_mech_series(p->mech, t, q, u, side, &p->series);
  for (int i = 0; i < s->ni && status == PAWL_OK; i++) {
    if (p->faint[i] && pw_is_contact(pw_modes_form(p, i)) && trend(p, f, s->nc + i) < 0) {
      p->mode[i] = PW_OPEN;
      p->faint[i] = 0;
    }
  }
  pw_modes_follow(p);
  return status;
}

/* A rough contact has two rows or more: where its normal force ends the others need not, and
 * without them it may close again at once. Then nothing goes on from here. */
bool pw_modes_ends_at_rough(pw_modes *p, const pw_frame *f) {
  const double zero = PW_SCALE(NEGLIGIBLE);
  bool any = false;
  for (int i = 0; i < p->mech->sys->ni; i++) {
    int on = pw_modes_form(p, i)->contact;
    bool opens = pw_modes_grips(p, i) && p->candidate[on].may_close && p->mode[on] == PW_OPEN;
    any = any || (opens && !p->off[i]);
    p->off[i] = p->off[i] || opens;
  }
  if (!any) {
    return false;
  }
  pw_modes_list_disks(p, f);
  pw_modes_take(p, f);
  pw_outcome o =
      pw_split_solve(p->local, p->disk, p->n_disk, (pw_zero_rates){zero * p->scale, zero});
  return o == PW_SOLVED && pw_modes_pushes_smooth(p, pw_modes_tiny(p));
}
