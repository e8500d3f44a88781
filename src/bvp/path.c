// SPDX-License-Identifier: MIT
#include "bvp/path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/layout.h"
#include "law/scale_bvp.h"

enum { LOOKS = 1000 }; /* times at which changes that are no events are noticed */

const unsigned char *pw_path_mode(const pw_path *path, const pw_system *sys, int flight) {
  return path->mode + (size_t)flight * (size_t)sys->ni;
}

const double *pw_path_side(const pw_path *path, const pw_system *sys, int flight) {
  return path->side + (size_t)flight * (size_t)sys->n_switch;
}

/* ---- what is not supported ---- */

static const char *unfit_law(const pw_system *s) {
  for (int i = 0; i < s->ni; i++) {
    const pw_law_form *law = &s->law[i];
    const char *why = law->group >= 0 ? "a slip in the plane"
                      : law->by >= 0  ? "a servo that lets go"
                      : law->one_way  ? "a force along one direction"
                                      : NULL;
    if (why != NULL) {
      return why;
    }
  }
  return NULL;
}

/* ---- the walk ---- */

typedef struct walk {
  pw_shoot *x;
  pawl_sim *sim;
  pw_path *path;
  double last; /* time of the last check */
} walk;

static void note_flight(const walk *w) {
  const pw_system *s = w->x->sys;
  size_t k = (size_t)w->path->joints, first = k * (size_t)s->ni;
  for (int i = 0; i < s->ni; i++) {
    pw_trial_mode mode = pw_trial_mode_of(w->sim, i);
    w->path->mode[first + (size_t)i] = (unsigned char)mode;
    w->path->state[first + (size_t)i] = pw_trial_kink(mode);
  }
  memcpy(w->path->side + k * (size_t)s->n_switch, pw_trial_at(w->sim).side,
         (size_t)s->n_switch * sizeof(double));
}

/* Impulses of the instant into `hit`. */
static bool note_hits(const walk *w, unsigned char *hit) {
  bool any = false;
  for (int i = 0; i < w->x->sys->ni; i++) {
    hit[i] = pw_trial_hits(w->sim, i);
    any = any || hit[i] != 0;
  }
  if (pw_trial_is_cascade(w->sim)) {
    w->path->why = "impacts that accumulate";
  }
  return any;
}

/* Of a change at time t: all changes since the last check must belong to one instant. */
static void join(double t, double *at, bool *one) {
  *one = *one && (isnan(*at) || t == *at);
  *at = t;
}

/* Time at which sides or modes changed from those of the flight; NAN: none did. */
static double change_time(const walk *w) {
  const pw_system *s = w->x->sys;
  const unsigned char *mode = pw_path_mode(w->path, s, w->path->joints);
  const double *side = pw_path_side(w->path, s, w->path->joints);
  pw_trial_point p = pw_trial_at(w->sim);
  double at = NAN;
  bool one = true;
  for (int i = 0; i < s->n_switch; i++) {
    bool flipped = p.flipped[i] > w->last;
    if (side[i] != p.side[i]) {
      join(p.at_laws && !flipped ? p.t : p.flipped[i], &at, &one);
    } else if (flipped) {
      one = false; /* twice */
    }
  }
  for (int i = 0; i < s->ni; i++) {
    if (mode[i] != pw_trial_mode_of(w->sim, i)) {
      join(p.at_laws ? p.t : p.left[i], &at, &one);
    }
  }
  w->path->why = one ? w->path->why : "switches that follow each other too closely";
  return at;
}

static void add_joint(walk *w, double t, bool struck) {
  pw_path *path = w->path;
  pw_trial_point p = pw_trial_at(w->sim);
  size_t n = (size_t)(w->x->sys->nq + w->x->sys->nv), k = (size_t)path->joints;
  PW_ASSERT(k == 0 || t >= path->times[k - 1]);
  path->times[k] = t;
  path->struck[k] = struck;
  memcpy(path->before + k * n, p.before, n * sizeof(double));
  memcpy(path->after + k * n, p.y, n * sizeof(double));
  path->joints++;
  note_flight(w);
}

/* At a stop of the simulation: a new flight if something is different from now on. */
static void look(walk *w) {
  pw_path *path = w->path;
  if (path->joints == PW_MAX_JOINTS - 1) {
    path->why = "more joints than there is room for";
    return;
  }
  unsigned char *hit = path->hit + (size_t)path->joints * (size_t)w->x->sys->ni;
  pw_trial_point p = pw_trial_at(w->sim);
  bool struck = note_hits(w, hit);
  double at = change_time(w), end = path->joints > 0 ? path->times[path->joints - 1] : w->x->from;
  if (!struck && at <= end) { /* belongs to the joint before */
    note_flight(w);
  } else if (struck || !isnan(at)) {
    add_joint(w, p.at_laws ? p.t : at, struck);
  }
  w->last = p.t;
}

static bool arrived(const walk *w) {
  return pw_trial_at(w->sim).t > w->x->to - PW_SCALE(BVP_NO_TIME) * (w->x->to - w->x->from);
}

static void go(walk *w) {
  const pw_shoot *x = w->x;
  int looks = x->sys->n_switch + x->sys->ni > 0 ? LOOKS : 1;
  note_flight(w);
  for (int k = 1; k <= looks && w->path->why == NULL; k++) {
    double t = k == looks ? x->to : x->from + (x->to - x->from) * k / looks;
    pawl_stop why = PAWL_AT_EVENT;
    while (why == PAWL_AT_EVENT && w->path->why == NULL) {
      if (pawl_sim_advance(w->sim, t, NULL, &why) != PAWL_OK) {
        w->path->why = "it could not be followed";
      } else if (arrived(w)) {
        return;
      } else {
        look(w);
      }
    }
  }
}

void pw_path_free(pw_path *path) {
  free(path->memory);
}

static void lay_out(pw_path *path, const pw_system *sys, pw_layout *l) {
  const size_t most = PW_MAX_JOINTS, n = (size_t)(sys->nq + sys->nv);
  path->before = PW_LAY(l, most * n, double);
  path->after = PW_LAY(l, most * n, double);
  path->side = PW_LAY(l, most * (size_t)sys->n_switch, double);
  path->mode = PW_LAY(l, most * (size_t)sys->ni, unsigned char);
  path->state = PW_LAY(l, most * (size_t)sys->ni, unsigned char);
  path->hit = PW_LAY(l, most * (size_t)sys->ni, unsigned char);
}

/* At the start s. False: out of memory. */
static bool start(pw_shoot *x, const double *s, pw_path *path) {
  pw_layout l = {0};
  *path = (pw_path){.why = unfit_law(x->sys)};
  lay_out(path, x->sys, &l);
  path->memory = calloc(1, l.size);
  if (path->memory == NULL) {
    return false;
  }
  l = pw_layout_in(path->memory);
  lay_out(path, x->sys, &l);
  pw_shoot_set_start(x, s);
  if (path->why == NULL && pw_shoot_begin(x, x->fine) != PAWL_OK) {
    path->why = "it could not be followed";
  }
  return true;
}

bool pw_path_begin(pw_shoot *x, const double *s, pw_path *path) {
  bool ok = start(x, s, path);
  if (ok && path->why == NULL) {
    note_flight(&(walk){.x = x, .sim = x->fine, .path = path});
  }
  return ok;
}

bool pw_path_record(pw_shoot *x, const double *s, pw_path *path) {
  bool ok = start(x, s, path);
  if (ok && path->why == NULL) {
    go(&(walk){.x = x, .sim = x->fine, .path = path, .last = x->from});
  }
  return ok;
}
