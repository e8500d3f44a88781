// SPDX-License-Identifier: MIT
#include "verify/residual.h"

#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_verify.h"
#include "linalg/chol.h"
#include "linalg/dense.h"
#include "system/moved.h"

/* ---- the constraints themselves ---- */

/* Distances and speeds in the metric of M; compared with the size of the motion at the end, when it
 * is known. */
void pw_verify_admissible(pawl_certifier *c, const pw_row_view *row) {
  const pw_probe *p = &c->probe;
  const pw_system *s = c->sys;
  double margin = PW_SCALE(CERT_MARGIN), doubt = margin * row->doubt, place = margin * row->place;
  for (int i = 0; i < s->nr; i++) {
    bool wall = pw_law_is_wall(&s->row[i]);
    if (p->length[i] == 0 || (i >= s->nc && !wall)) {
      continue;
    }
    double value = p->value[i] / p->length[i], rate = p->rate[i] / p->length[i];
    pw_verify_found f = pw_found(0, 1, row->t, s->row_of[i], PW_RULE_DIRECT);
    if (wall) {
      bool velocity = s->row[i].on_velocity;
      f.value = pw_max(-value - (velocity ? doubt : place), 0);
      pw_found_note(&c->record, velocity ? PW_FINDING_VELOCITY : PW_FINDING_GAP, f);
      continue;
    }
    if (i < s->np) {
      f.value = pw_max(fabs(value) - place, 0);
      pw_found_note(&c->record, PW_FINDING_POSITION, f);
    }
    f.value = pw_max(fabs(rate) - doubt, 0);
    pw_found_note(&c->record, PW_FINDING_VELOCITY, f);
  }
}

/* ---- the principles ---- */

/* The law along whose force the rest is largest. */
static int blamed(const pawl_certifier *c, const double *rest) {
  const pw_probe *p = &c->probe;
  int worst = -1, n = c->sys->nv;
  double most = PW_SCALE(CERT_SMALL_PART) * pw_norm2(rest, n);
  for (int i = 0; i < c->sys->nr; i++) {
    double w = p->reach[i] > 0
                   ? fabs(pw_moved_dot(c->sys, i, p->A + (size_t)i * (size_t)n, rest)) / p->reach[i]
                   : 0;
    if (w > most) {
      most = w;
      worst = c->sys->row_of[i];
    }
  }
  return worst;
}

static const pw_finding_kind principle[] = {PW_FINDING_ALEMBERT, PW_FINDING_JOURDAIN,
                                            PW_FINDING_GAUSS};

/* The displacement of unit length that d'Alembert's inequality fails most for, certificates (C3):
 * -M^-1 of the rest, which is L^-1 of a force here. */
static void keep_direction(pawl_certifier *c, double rho, double t) {
  int n = c->sys->nv;
  pw_against *against = &c->against;
  if (c->room.reach.distance > 0 && rho > against->rho) {
    against->rho = rho;
    against->t = t;
    for (int i = 0; i < n; i++) {
      against->way[i] = -c->room.reach.rest[i] / c->room.reach.distance;
    }
    pw_probe_backward(&c->probe, against->way);
  }
}

/* The sets are contained in each other: no distance from a larger one is longer, and one that
 * counts as 0 from the smallest is one from all. */
void pw_residual_principles(pawl_certifier *c, const double *a, const pw_set_scale *zero, double t,
                            double scale, pw_residuals *r) {
  double last = INFINITY;
  for (int level = PW_SET_ACCELERATION; level >= 0; level--) {
    if (!(last <= PW_SCALE(CERT_INNER) * c->opts.tol * scale)) {
      pw_set_distance(&c->probe, (pw_set_level)level, zero, a, &c->room.reach, c->room.scratch);
      last = pw_min(last, c->room.reach.distance); /* edges of round cones are not all there */
      r->law[level] = blamed(c, c->room.reach.rest);
      if (level == PW_SET_POSITION &&
          last > (c->opts.tol + PW_SCALE(CERT_MARGIN) * r->floor) * scale) {
        keep_direction(c, last / scale, t);
      }
      if (level == PW_SET_ACCELERATION) {
        memcpy(c->room.residual, c->room.reach.rest, (size_t)c->sys->nv * sizeof(double));
      }
    } else {
      r->law[level] = -1;
    }
    r->rho[level] = last / scale;
  }
}

static bool fits(const pawl_certifier *c, double value, double floor) {
  return pw_found_fits(&c->record, value, floor);
}

/* The largest value that does not fit; 0: all fit. */
double pw_residual_misfit(const pawl_certifier *c, const pw_residuals *r) {
  double most = fits(c, r->velocity, r->velocity_floor) ? 0 : r->velocity;
  most = fits(c, r->place, r->place_floor) ? most : pw_max(most, r->place);
  most = fits(c, r->force, r->floor + r->force_floor) ? most : pw_max(most, r->force);
  for (int level = 0; level <= PW_SET_ACCELERATION; level++) {
    most = fits(c, r->rho[level], r->floor) ? most : pw_max(most, r->rho[level]);
  }
  return isnan(most) ? INFINITY : most;
}

/* Findings of the instant, and whether an error would have shown. weight: time it stands for. */
void pw_residual_judge(pawl_certifier *c, double t, double weight, const pw_residuals *r) {
  pw_record *record = &c->record;
  bool grows = r->whole > 0;
  pw_verify_found f = pw_found(r->velocity, 0, t, -1, r->rule);
  f.to = grows ? PW_SIZE_SPEED : PW_SIZE_FIXED;
  f.whole = grows ? record->size[PW_SIZE_SPEED] : 0;
  pw_found_judge(record, PW_FINDING_KINEMATIC, f, r->velocity_floor);
  if (!grows) {
    f.value = r->place;
    pw_found_judge(record, PW_FINDING_BREAK, f, r->place_floor);
  }
  f.to = grows ? PW_SIZE_FORCE : PW_SIZE_FIXED;
  f.own = r->own;
  f.whole = r->whole;
  for (int level = 0; level <= PW_SET_ACCELERATION; level++) {
    f.value = r->rho[level];
    f.law = r->law[level];
    pw_found_judge(record, principle[level], f, r->floor);
  }
  if (r->given) {
    f.value = r->force;
    f.law = r->force_law;
    pw_found_judge(record, PW_FINDING_FORCE, f, r->floor + r->force_floor);
  }

  bool lacks = c->sys->n_state > 0 && !c->stream.has_state;
  bool blind = pw_found_is_blind(r->floor + (lacks ? r->force_floor : r->noise));
  if (blind) {
    pw_reason_note(record, PW_RULE_BLIND, t, r->floor);
  }
  pw_coverage_add(&c->count, !blind, weight);
}

/* Records that a rule was applied to a row with the misfit `off`: it accepts the row if all fits
 * now, and is the reason of the finding if nothing fits to the end. Returns the misfit left. */
double pw_residual_applied(pawl_certifier *c, double t, pw_rule rule, double off, pw_residuals *r) {
  double left = pw_residual_misfit(c, r);
  r->rule = rule;
  if (left == 0) {
    pw_reason_note(&c->record, rule, t, off);
  }
  return left;
}
