// SPDX-License-Identifier: MIT
/* Impacts backward: the contacts of a set S took part, with rates before -1/e times those after,
 *   rate_i(u-) = -rate_i(u+)/e_i  (i in S),   u- = u+ - M^-1 J_S^T kappa,   kappa >= 0,
 * and contacts that touch but took no part were closing no faster than their law would have let
 * them: 0 >= rate_j(u-) >= -rate_j(u+)/e_j. Every set that contains all that open now is tried. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "law/scale_static.h"
#include "linalg/dense.h"
#include "linalg/lu.h"
#include "past/tree.h"

enum { MOST_TOUCHING = 8 };

typedef struct meeting {
  pawl_past *past;
  int parent;
  int touch[MOST_TOUCHING], n_touch; /* law rows that touch */
  int row[64], m;                    /* rows with impulses: equalities, then the set */
  double *A, *x, *c;                 /* m x m, m, n: L^T u before */
  int *pivot;
} meeting;

static bool is_rubbed(const pawl_past *p, int law) {
  for (int i = 0; i < p->sys->ni; i++) {
    if (p->sys->law[i].contact == law || p->sys->law[i].on == law) {
      return true;
    }
  }
  return false;
}

/* The impulses of the set; false: none, or they depend on each other. */
static bool solve(meeting *w) {
  const pw_back *b = &w->past->back;
  const pw_frame *f = &b->frame;
  int nc = w->past->sys->nc, n = f->n;
  for (int j = 0; j < w->m; j++) {
    for (int i = 0; i < w->m; i++) {
      w->A[j * w->m + i] =
          pw_dot(f->A + (size_t)w->row[i] * (size_t)n, f->A + (size_t)w->row[j] * (size_t)n, n);
    }
    int law = w->row[j] - nc;
    double rate = f->rate[w->row[j]] / f->length[w->row[j]];
    w->x[j] = law < 0 ? 0 : rate * (1 + 1 / b->restitution[law]);
  }
  if (pw_lu(w->A, w->m, w->pivot) != 0) {
    return false;
  }
  pw_lu_solve(w->A, w->m, w->pivot, w->x);
  memcpy(w->c, f->c_velocity, (size_t)n * sizeof *w->c);
  for (int j = 0; j < w->m; j++) {
    pw_axpy(-w->x[j], f->A + (size_t)w->row[j] * (size_t)n, w->c, n);
    if (w->row[j] >= nc && !(w->x[j] > PW_SCALE(PAST_ZERO) * b->speed)) {
      return false;
    }
  }
  return true;
}

/* Contacts that touched and took no part. */
static bool rest_fits(const meeting *w, unsigned set) {
  const pw_back *b = &w->past->back;
  const pw_frame *f = &b->frame;
  double zero = PW_SCALE(PAST_ZERO) * b->speed;
  for (int k = 0; k < w->n_touch; k++) {
    int row = w->past->sys->nc + w->touch[k];
    double after = f->rate[row] / f->length[row], before = after;
    for (int i = 0; i < f->n; i++) {
      before += f->A[(size_t)row * (size_t)f->n + (size_t)i] * (w->c[i] - f->c_velocity[i]);
    }
    bool free = (set >> k & 1) == 0;
    if (free && (before > zero || after < -b->restitution[w->touch[k]] * before - zero)) {
      return false;
    }
  }
  return true;
}

/* A node with the velocity u before an impact; NULL: no memory, or too many. */
static pw_past_node *strike(const meeting *w, const double *before) {
  pawl_past *p = w->past;
  int nv = p->sys->nv, nq = p->sys->nq;
  pw_past_node *node = pw_past_add(p, w->parent);
  if (node == NULL) {
    return NULL;
  }
  double *u = node->numbers + nv;
  memcpy(u, before, (size_t)nv * sizeof *u);
  node->info.impact = 1;
  node->info.how = "strikes";
  node->info.t = node->info.since = p->back.t;
  memcpy(u + nv, p->back.q, (size_t)nq * sizeof *u);
  memcpy(u + nv + nq, u, (size_t)nv * sizeof *u);
  return node;
}

static bool keep(meeting *w, unsigned set) {
  pawl_past *p = w->past;
  int nv = p->sys->nv, nq = p->sys->nq;
  pw_frame_back(&p->back.frame, w->c);
  pw_past_node *node = strike(w, w->c);
  if (node == NULL) {
    return false;
  }
  double *impulse = node->numbers + 3 * nv + nq;
  for (int k = 0; k < w->n_touch; k++) {
    size_t used = strlen(node->law);
    if ((set >> k & 1) != 0) {
      snprintf(node->law + used, sizeof node->law - used, "%s%s", used == 0 ? "" : ", ",
               pw_past_law_name(p, w->touch[k]));
    }
  }
  for (int j = 0; j < w->m; j++) {
    if (w->row[j] >= p->sys->nc) {
      impulse[w->row[j] - p->sys->nc] = w->x[j] / p->back.frame.length[w->row[j]];
    }
  }
  return true;
}

/* One contact whose impact is by momenta. */
static pawl_status try_momenta(meeting *w) {
  pawl_past *p = w->past;
  int law = w->touch[0];
  double impulse = 0;
  pawl_status status = pw_past_by_momenta(p, law, w->c, &impulse);
  if (status != PAWL_OK) {
    return status;
  }
  if (isnan(w->c[0])) {
    pw_past_lack(p, pw_past_law_name(p, law), "this impact by momenta is not turned round");
    return PAWL_OK;
  }
  pw_past_node *node = strike(w, w->c);
  if (node == NULL) {
    return p->complete ? PAWL_E_MEMORY : PAWL_OK;
  }
  snprintf(node->law, sizeof node->law, "%s", pw_past_law_name(p, law));
  node->numbers[3 * p->sys->nv + p->sys->nq + law] = impulse;
  return PAWL_OK;
}

/* The impulses change a multiplier that is a state. */
static bool moves_multipliers(const meeting *w) {
  const pawl_past *p = w->past;
  bool moves = false;
  for (int k = 0; k < p->sys->n_state; k++) {
    int row = p->sys->state_row[k]; /* equalities come first among those with impulses */
    moves = moves || fabs(w->x[row]) > PW_SCALE(PAST_ZERO) * p->back.speed;
  }
  return moves;
}

static pawl_status try_sets(meeting *w, unsigned must) {
  const pw_system *s = w->past->sys;
  for (unsigned set = 1; set < 1u << w->n_touch; set++) {
    w->m = 0;
    for (int i = 0; i < s->nc; i++) {
      w->row[w->m++] = i;
    }
    bool bounces = (set & must) == must;
    for (int k = 0; k < w->n_touch; k++) {
      if ((set >> k & 1) != 0) {
        w->row[w->m++] = s->nc + w->touch[k];
        bounces = bounces && w->past->back.restitution[w->touch[k]] > 0;
      }
    }
    if (!bounces || !solve(w) || !rest_fits(w, set)) {
      continue;
    }
    if (moves_multipliers(w)) {
      pw_past_lack(w->past, "", "impacts that change a multiplier are not turned round");
    } else if (!keep(w, set)) {
      return w->past->complete ? PAWL_E_MEMORY : PAWL_OK; /* or there are too many */
    }
  }
  return PAWL_OK;
}

/* Contacts that stand still now may have been stopped: by a plastic impact of any speed, or by
 * infinitely many bounces. */
static void tell_stops(pawl_past *p, int law) {
  double e = p->back.restitution[law];
  const char *name = pw_past_law_name(p, law);
  if (is_rubbed(p, law)) {
    pw_past_lack(p, name, "an impact with friction may have ended here; such are not turned round");
  } else if (e == 0) {
    pw_past_lack(p, name, "a plastic impact of any speed may have ended here");
  } else if (e < 1) {
    pw_past_lack(p, name, "infinitely many bounces may have ended here");
  }
}

pawl_status pw_past_impacts(pawl_past *p, int parent, bool *must) {
  const pw_system *s = p->sys;
  meeting w = {.past = p, .parent = parent};
  unsigned opens = 0;
  *must = false;

  /* contacts that open can have been hit; those that rest can have been, too */
  for (int i = 0; i < s->ni; i++) {
    double speed = pw_back_opens(&p->back, i);
    if (isnan(speed)) {
      continue;
    }
    if (w.n_touch == MOST_TOUCHING || s->nc + MOST_TOUCHING > 64) {
      pw_past_lack(p, pw_past_law_name(p, i), "too many contacts touch to try all impacts");
      return PAWL_OK;
    }
    if (speed > 0) {
      opens |= 1u << w.n_touch;
      *must = true;
      if (is_rubbed(p, i)) {
        pw_past_lack(p, pw_past_law_name(p, i), "impacts with friction are not turned round");
      }
    } else if (speed == 0) {
      tell_stops(p, i);
    }
    w.touch[w.n_touch++] = i;
  }

  /* impacts that are not turned round */
  bool curved = pw_system_jumps_by_momenta(s);
  if (*must && curved && w.n_touch > 1) {
    pw_past_lack(p, "", "impacts by momenta at several contacts are not turned round");
    return PAWL_OK;
  }
  for (int k = 0; k < w.n_touch; k++) { /* friction decides what no set here knows */
    if ((opens >> k & 1) != 0 && is_rubbed(p, w.touch[k])) {
      return PAWL_OK;
    }
  }

  /* all sets of contacts that can have been hit together */
  size_t m = (size_t)s->nc + MOST_TOUCHING;
  w.A = calloc(m * m, sizeof *w.A);
  w.x = calloc(m, sizeof *w.x);
  w.c = calloc((size_t)s->nv + 1, sizeof *w.c);
  w.pivot = calloc(m, sizeof *w.pivot);
  bool room = w.A != NULL && w.x != NULL && w.c != NULL && w.pivot != NULL;
  pawl_status status = !room        ? PAWL_E_MEMORY
                       : opens == 0 ? PAWL_OK
                       : curved     ? try_momenta(&w)
                                    : try_sets(&w, opens);
  free(w.A);
  free(w.x);
  free(w.c);
  free(w.pivot);
  return status;
}
