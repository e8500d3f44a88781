// SPDX-License-Identifier: MIT
#include "bvp/path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sim_state.h"

enum { LOOKS = 1000 }; /* at which changes that are no events are looked for */

const unsigned char *pw_path_mode(const pw_path *path, const pw_system *sys, int flight) {
  return path->mode + (size_t)flight * (size_t)sys->ni;
}

const double *pw_path_side(const pw_path *path, const pw_system *sys, int flight) {
  return path->side + (size_t)flight * (size_t)sys->n_switch;
}

/* ---- what is left out ---- */

static const char *unfit_law(const pw_system *s) {
  for (int i = 0; i < s->ni; i++) {
    const pw_row *row = &s->model->rows.items[s->row_of[s->nc + i]];
    const char *why = s->law[i].group >= 0        ? "a slip in the plane"
                      : s->row[s->nc + i].by >= 0 ? "a servo that lets go"
                      : row->clause.one_way       ? "a force along one direction"
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
  double last; /* time of the last look */
} walk;

static void note_flight(const walk *w) {
  const pw_system *s = w->x->sys;
  size_t k = (size_t)w->path->joints;
  memcpy(w->path->mode + k * (size_t)s->ni, w->sim->contacts.mode, (size_t)s->ni);
  for (int i = 0; i < s->ni; i++) {
    w->path->state[k * (size_t)s->ni + (size_t)i] = pw_mode_state(w->sim->contacts.mode[i]);
  }
  memcpy(w->path->side + k * (size_t)s->n_switch, w->sim->stepper.side,
         (size_t)s->n_switch * sizeof(double));
}

/* Impulses of the instant into `hit`. */
static bool note_hits(const walk *w, unsigned char *hit) {
  const pw_contacts *c = &w->sim->contacts;
  bool any = false;
  memset(hit, 0, (size_t)w->x->sys->ni);
  for (int i = 0; w->sim->at_contact && i < c->now.n_log; i++) {
    const pw_contact_event *e = &c->now.log[i];
    if (e->kind == PW_REST || e->kind == PW_LOST || e->jams) {
      w->path->why = "impacts that accumulate";
    }
    if (e->impulse != 0) {
      hit[e->law] = 1;
      any = true;
    }
  }
  return any;
}

/* Of a change at time t: all changes since the last look must be of one instant. */
static void join(double t, double *at, bool *one) {
  *one = *one && (isnan(*at) || t == *at);
  *at = t;
}

/* When sides or modes changed that are not those of the flight; NAN: none did. */
static double change_time(const walk *w) {
  const pw_system *s = w->x->sys;
  const unsigned char *mode = pw_path_mode(w->path, s, w->path->joints);
  const double *side = pw_path_side(w->path, s, w->path->joints);
  bool event = w->sim->at_contact, one = true;
  double now = w->sim->t, at = NAN;
  for (int i = 0; i < s->n_switch; i++) {
    double flipped = w->sim->surfaces.flipped[i];
    bool other = side[i] != w->sim->stepper.side[i];
    if (other) {
      join(event && !(flipped > w->last) ? now : flipped, &at, &one);
    } else if (flipped > w->last) {
      one = false; /* twice */
    }
  }
  for (int i = 0; i < s->ni; i++) {
    if (mode[i] != w->sim->contacts.mode[i]) {
      join(event ? now : w->sim->contacts.left[i], &at, &one);
    }
  }
  w->path->why = one ? w->path->why : "switches that follow each other too closely";
  return at;
}

static void add_joint(walk *w, double t, bool struck) {
  pw_path *path = w->path;
  size_t n = (size_t)(w->x->sys->nq + w->x->sys->nv), k = (size_t)path->joints;
  bool jump = w->sim->at_contact;
  path->times[k] = t;
  path->struck[k] = struck;
  memcpy(path->before + k * n, jump ? w->sim->before : w->sim->y, n * sizeof(double));
  memcpy(path->after + k * n, w->sim->y, n * sizeof(double));
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
  bool struck = note_hits(w, hit), event = w->sim->at_contact;
  double at = change_time(w), end = path->joints > 0 ? path->times[path->joints - 1] : w->x->from;
  if (!struck && at <= end) { /* belongs to the joint before */
    note_flight(w);
  } else if (struck || !isnan(at)) {
    add_joint(w, event ? w->sim->t : at, struck);
  }
  w->last = w->sim->t;
}

static bool arrived(const walk *w) {
  return w->sim->t > w->x->to - 1e-9 * (w->x->to - w->x->from);
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
  free(path->mode);
  free(path->state);
  free(path->hit);
  free(path->side);
  free(path->before);
}

static bool start(pw_shoot *x, const double *s, pw_path *path) {
  const pw_system *sys = x->sys;
  size_t n = (size_t)(sys->nq + sys->nv);
  *path = (pw_path){.why = unfit_law(sys)};
  path->mode = calloc((size_t)PW_MAX_JOINTS * (size_t)sys->ni + 1, 1);
  path->state = calloc((size_t)PW_MAX_JOINTS * (size_t)sys->ni + 1, 1);
  path->hit = calloc((size_t)PW_MAX_JOINTS * (size_t)sys->ni + 1, 1);
  path->side = calloc((size_t)PW_MAX_JOINTS * (size_t)sys->n_switch + 1, sizeof(double));
  path->before = calloc(2 * PW_MAX_JOINTS * n, sizeof(double));
  path->after = path->before == NULL ? NULL : path->before + PW_MAX_JOINTS * n;
  if (path->mode == NULL || path->state == NULL || path->hit == NULL || path->side == NULL ||
      path->before == NULL) {
    pw_path_free(path);
    return false;
  }
  pw_shoot_set_start(x, s);
  if (path->why == NULL && pw_shoot_begin(x, x->fine, 0) != PAWL_OK) {
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
