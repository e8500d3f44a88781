// SPDX-License-Identifier: MIT
/* A motion as it was recorded, turned into flights and joints for pw_collocate. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bvp/collocate.h"
#include "mech/mech.h"

enum { MOST = 2 * PW_MAX_BOUNCES };

typedef struct joints {
  int n;
  double times[MOST];
  int law[MOST];
  bool leaves[MOST];
  unsigned char *on; /* (MOST + 1) x ni */
} joints;

/* The law row with this name, or -1. */
static int row_named(const pw_system *s, const char *name) {
  for (int i = s->nc; i < s->nr; i++) {
    if (strcmp(s->model->rows.items[s->row_of[i]].name, name) == 0) {
      return i;
    }
  }
  return -1;
}

/* In order of time. */
static bool insert(joints *j, double t, int law, bool leaves) {
  if (law < 0 || j->n == MOST) {
    return false;
  }
  int k = j->n++;
  for (; k > 0 && j->times[k - 1] > t; k--) {
    j->times[k] = j->times[k - 1];
    j->law[k] = j->law[k - 1];
    j->leaves[k] = j->leaves[k - 1];
  }
  j->times[k] = t;
  j->law[k] = law;
  j->leaves[k] = leaves;
  return true;
}

/* The joint at which this law is hit at time t, or -1. */
static int hit_at(const joints *j, int law, double t) {
  for (int k = 0; k < j->n; k++) {
    if (j->law[k] == law && j->times[k] == t && !j->leaves[k]) {
      return k;
    }
  }
  return -1;
}

static bool put_segment(const pw_shoot *x, const pawl_bvp_segment *g, joints *j) {
  const pw_system *s = x->sys;
  int law = row_named(s, g->law), first = g->from == x->from ? 0 : hit_at(j, law, g->from) + 1;
  bool fits = law >= 0 && (g->from == x->from || first > 0);
  for (int k = first; fits && k <= j->n; k++) { /* flights from `first` on, until it ends */
    if (k > 0 && j->times[k - 1] >= g->to) {
      break;
    }
    j->on[(size_t)k * (size_t)s->ni + (size_t)(law - s->nc)] = PW_AT_KINK;
  }
  return fits;
}

/* An impact while something else is held strikes that, too. */
static bool strikes_held(const pw_system *s, const joints *j) {
  for (int k = 0; k < j->n; k++) {
    for (int i = 0; i < s->ni && !j->leaves[k]; i++) {
      if (j->on[(size_t)k * (size_t)s->ni + (size_t)i] != 0) {
        return true;
      }
    }
  }
  return false;
}

static bool find_joints(const pw_shoot *x, const pawl_bvp_solution *of, joints *j) {
  bool fits = true;
  for (int k = 0; fits && k < of->bounces; k++) {
    fits = insert(j, of->times[k], row_named(x->sys, of->labels[k]), false);
  }
  for (int k = 0; fits && k < of->n_segment; k++) {
    const pawl_bvp_segment *g = &of->segments[k];
    fits = g->to == x->to || insert(j, g->to, row_named(x->sys, g->law), true);
  }
  for (int k = 0; fits && k < of->n_segment; k++) {
    fits = put_segment(x, &of->segments[k], j);
  }
  for (int k = 1; fits && k < j->n; k++) {
    fits = j->times[k] > j->times[k - 1];
  }
  return fits && !strikes_held(x->sys, j);
}

double pw_path_defect(pw_shoot *x, const double *s, const pawl_bvp_solution *of) {
  joints j = {.on = calloc((MOST + 1) * ((size_t)x->sys->ni + 1), 1)};
  double defect = NAN;
  if (j.on != NULL && pw_collocate_fits(x->sys) && find_joints(x, of, &j)) {
    pw_path path = {j.n, j.times, j.law, j.leaves, j.on};
    defect = pw_collocate(x, s, &path);
  }
  free(j.on);
  return defect;
}
