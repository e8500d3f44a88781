// SPDX-License-Identifier: MIT
/* Finding the first orbit, its multipliers and its certificate. */
#include "orbit/orbit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "lang/text_model.h"
#include "law/scale_tangent.h"
#include "linalg/dense.h"
#include "orbit/eigen.h"
#include "orbit/manifold.h"
#include "orbit/stability.h"
#include "sim/trial.h"

/* ---- points ---- */

static double *copy_reals(const double *from, int n) {
  double *copy = calloc((size_t)n + 1, sizeof *copy);
  if (copy != NULL && from != NULL) {
    memcpy(copy, from, (size_t)n * sizeof *copy);
  }
  return copy;
}

static bool room_for_points(pawl_orbit *o) {
  if (o->n_point + 4 < o->cap) { /* searches put points aside and back */
    return true;
  }
  size_t cap = 2 * (size_t)o->cap + 32;
  pw_orbit_point *wider = realloc(o->point, cap * sizeof *wider);
  o->point = wider != NULL ? wider : o->point;
  o->cap = wider != NULL ? (int)cap : o->cap;
  return wider != NULL;
}

/* Directions that equalities forbid have zeros for eigenvalues, the last ones. A return to an event
 * forgets the direction of the flow: that eigenvalue is zero, too. */
static int multipliers_of(const pw_corrector *c) {
  int free = c->map->freedom - (c->n - c->d);
  return c->map->period > 0 ? free : free - 1;
}

/* The derivative of the map in the unknowns, in units of the state. */
static void copy_derivative(const pw_corrector *c, double *D) {
  for (int k = 0; k < c->d; k++) {
    for (int i = 0; i < c->d; i++) {
      int row = c->index[i], column = c->index[k];
      D[(size_t)k * (size_t)c->d + (size_t)i] =
          c->map->D[(size_t)column * (size_t)c->n + (size_t)row] * c->scale[column] / c->scale[row];
    }
  }
}

/* Motions may expand and come back before the return, and derivatives with them: what is not seen
 * in D is allowed for as in the distance of its ends. */
static bool find_stability(const pw_corrector *c, const double *D, pw_orbit_point *p) {
  double coarse = c->map->opts->tol / PW_SCALE(ORBIT_TOL);
  pw_return_matrix m = {D, c->d, PW_SCALE(ORBIT_CLOSES) * fmax(1, coarse)};
  pw_stability found = PW_STABLE;
  bool ok = pw_stability_of(&m, p->multipliers, p->public.n_multiplier, &found);
  p->public.stable = found == PW_STABLE;
  p->public.neutral = found == PW_NEUTRAL;
  return ok;
}

/* Multipliers: eigenvalues of that derivative. */
static bool find_multipliers(const pw_corrector *c, pw_orbit_point *p) {
  double *D = calloc((size_t)c->d * (size_t)c->d + 1, sizeof *D);
  p->multipliers = calloc(2 * (size_t)c->d + 1, sizeof *p->multipliers);
  bool ok = D != NULL && p->multipliers != NULL;
  if (ok) {
    copy_derivative(c, D);
  }
  p->public.n_multiplier = multipliers_of(c);
  double size = ok ? pw_norm2(D, c->d * c->d) : 0;
  ok = ok && pw_eigenvalues(D, c->d, p->multipliers);
  for (int i = 0; i < c->d && ok; i++) {
    double *z = p->multipliers + 2 * (size_t)i;
    bool none = hypot(z[0], z[1]) <= PW_SCALE(ORBIT_NO_MULTIPLIER) * size;
    z[0] = none ? 0 : z[0];
    z[1] = none ? 0 : z[1];
  }
  ok = ok && find_stability(c, D, p);
  free(D);
  return ok;
}

static void keep_hits(const pw_return_map *m, pw_orbit_point *p) {
  for (int i = 0; i < m->n_hit; i++) {
    p->events[i] = (pawl_orbit_event){m->hit[i].t, m->hit[i].kind, m->hit[i].at};
  }
  p->public.n_event = m->n_hit;
}

/* Names of events belong to a system that is compiled anew for every value. */
static const char *lasting(const pawl_orbit *o, const char *name) {
  const pawl_system *s = o->system;
  for (int i = 0; i < pawl_system_laws(s); i++) {
    if (strcmp(pawl_law_get(s, i).law, name) == 0) {
      return pawl_law_get(s, i).law;
    }
  }
  for (int i = 0; i < pawl_system_events(s); i++) {
    if (strcmp(pawl_event_name(s, i), name) == 0) {
      return pawl_event_name(s, i);
    }
  }
  return "";
}

void pw_orbit_point_free(pw_orbit_point *p) {
  free(p->state);
  free(p->shown);
  free(p->drift);
  free(p->multipliers);
  free(p->events);
  free(p->slope);
}

pawl_status pw_orbit_keep(pawl_orbit *o, const pw_corrector *c, const double *slope,
                          const char *kind) {
  const pw_return_map *m = c->map;
  int nq = m->system->sys->nq;
  pw_orbit_point p = {.state = copy_reals(c->x, c->n),
                      .shown = copy_reals(c->x, c->n),
                      .drift = copy_reals(NULL, nq),
                      .slope = copy_reals(slope, slope != NULL ? c->n + 1 : 0),
                      .events = calloc((size_t)m->n_hit + 1, sizeof *p.events)};

  /* memory, and the multipliers */
  bool ok = p.state != NULL && p.shown != NULL && p.drift != NULL && p.slope != NULL &&
            p.events != NULL && room_for_points(o) && find_multipliers(c, &p);
  if (!ok) {
    pw_orbit_point_free(&p);
    return PAWL_E_MEMORY;
  }

  /* velocities as shown, events with names that outlive the map, and the drift per return */
  pw_manifold_show(m->system->sys, c->x, p.shown + nq);
  keep_hits(m, &p);
  for (int i = 0; i < p.public.n_event; i++) {
    p.events[i].at = lasting(o, p.events[i].at);
  }
  for (int i = 0; i < nq; i++) {
    p.drift[i] = m->drifts[i] ? m->image[i] - c->x[i] : 0;
  }

  /* what a reader is told of the point */
  p.public.value = o->along != NULL ? m->value : (double)NAN;
  p.public.t = m->from;
  p.public.period = m->time;
  p.public.kind = kind;
  p.public.closes = c->closes;
  o->point[o->n_point++] = p;
  return PAWL_OK;
}

/* ---- the first one ---- */

/* Newton's method from the start of the model and, where that fails, from where the motion is after
 * some returns: what attracts it is near then. */
static pawl_status find_first(pw_corrector *c, pawl_diags *diags) {
  static const int more[] = {0, 3, 10, 30, 100, 300};
  double *x = calloc((size_t)c->n + 1, sizeof *x);
  pawl_status status = x == NULL ? PAWL_E_MEMORY : pw_return_map_first(c->map, x);
  const char *why = c->map->why;

  /* ever more returns first; whatever went wrong on one attempt does not end the next */
  for (size_t k = 0; k < sizeof more / sizeof *more && status == PAWL_OK && why == NULL; k++) {
    for (int i = 0; i < more[k] && status == PAWL_OK && c->map->why == NULL; i++) {
      status = pw_return_map_apply(c->map, x);
      pw_return_map_take_image(c->map, x);
    }
    bool found = false;
    memcpy(c->x, x, (size_t)c->n * sizeof *x);
    why = c->map->why;
    status = status == PAWL_OK && why == NULL ? pw_correct(c, &found) : status;
    if (status == PAWL_OK && found) {
      free(x);
      return PAWL_OK;
    }
    c->map->why = NULL;
  }

  /* nothing closes: say why, if the map knows */
  free(x);
  if (status != PAWL_OK) {
    return status;
  }
  pw_diag_ref d = pw_error(diags, "E0685", PW_NO_SPAN, "no periodic motion was found");
  if (why != NULL) {
    pw_note(d, "%s", why);
  }
  pw_help(d, "start nearer to it, or let `--returns N` close it after N periods");
  return PAWL_E_NO_MOTION;
}

/* ---- certificate ---- */

static pawl_status judge_point(pawl_certifier *judge, pawl_sim *sim, pawl_side side) {
  pawl_point p;
  pawl_status status = pawl_sim_point(sim, side, &p);
  return status == PAWL_OK ? pawl_certify_row(judge, p.t, p.q, p.u, p.force) : status;
}

/* Rows at equal times and on both sides of every event, over one period. */
static pawl_status judge_rows(pawl_certifier *judge, pawl_sim *sim, double from, double to) {
  enum { ROWS = 2000 };
  pawl_status status = judge_point(judge, sim, PAWL_AFTER);
  for (int k = 1; k <= ROWS && status == PAWL_OK; k++) {
    double t = k == ROWS ? to : from + (to - from) * k / ROWS;
    pawl_stop why = PAWL_AT_EVENT;
    while (status == PAWL_OK && why == PAWL_AT_EVENT) {
      status = pawl_sim_advance(sim, t, NULL, &why);
      if (status == PAWL_OK && why == PAWL_AT_EVENT) {
        status = judge_point(judge, sim, PAWL_BEFORE);
      }
      status = status == PAWL_OK ? judge_point(judge, sim, PAWL_AFTER) : status;
    }
  }
  return status;
}

/* The first orbit before the judge of src/verify, as rows. */
static pawl_status certify(pawl_orbit *o) {
  const pw_orbit_point *p = &o->point[0];
  double from = p->public.t, to = from + p->public.period;
  double tol = o->opts.tol > 0 ? o->opts.tol : PW_SCALE(ORBIT_TOL);
  pawl_sim_opts sim_opts = {.use_span = 1, .from = from, .to = to + p->public.period, .tol = tol};
  pawl_certify_opts opts = {.noise = tol, .from = from, .to = to};
  pw_conditions plain = pw_conditions_plain();
  pawl_sim *sim = NULL;
  pawl_status status = pawl_certify_new(o->system, &opts, &o->judge);
  status = status == PAWL_OK ? pawl_sim_new(o->system, &sim_opts, NULL, &sim) : status;
  if (status == PAWL_OK) {
    status =
        pw_sim_start_trial(sim, &plain, from, p->shown, p->shown + o->system->sys->nq, NULL, NULL);
  }
  status = status == PAWL_OK ? judge_rows(o->judge, sim, from, to) : status;
  pawl_sim_free(sim);
  o->judged = status == PAWL_OK;
  if (o->judged) {
    pawl_certify_finish(o->judge);
  }
  return status == PAWL_E_MEMORY ? status : PAWL_OK; /* else it stays unjudged */
}

/* ---- the whole ---- */

static char *copy_text(const char *text) {
  size_t n = strlen(text) + 1;
  char *copy = malloc(n);
  return copy == NULL ? NULL : memcpy(copy, text, n);
}

static pawl_status look(pawl_orbit *o, pawl_diags *diags) {
  pw_corrector c = {0};
  pawl_status status = pw_return_map_init(&o->map, o->model, &o->opts, diags);
  if (status == PAWL_OK) {
    o->system = pw_system_keep(o->map.system);
    status = pw_corrector_init(&c, &o->map);
  }
  status = status == PAWL_OK ? find_first(&c, diags) : status;
  double *slope = status == PAWL_OK ? calloc((size_t)c.n + 1, sizeof *slope) : NULL;
  if (status == PAWL_OK && slope == NULL) {
    status = PAWL_E_MEMORY;
  }
  bool follows = status == PAWL_OK && o->along != NULL && pw_branch_slope(&c, NULL, slope);
  status = status == PAWL_OK ? pw_orbit_keep(o, &c, slope, "") : status;
  status = status == PAWL_OK && follows ? pw_branch_follow(o, &c, diags) : status;
  free(slope);
  pw_corrector_free(&c);
  return status == PAWL_OK ? certify(o) : status;
}

static bool is_wrong(const pawl_orbit_opts *o) {
  bool range = o->along == NULL || (isfinite(o->begin) && isfinite(o->end));
  return !isfinite(o->period) || o->period < 0 || o->returns < 0 || o->n_override < 0 || !range ||
         o->exponents < 0 || !(o->tol >= 0) || (o->n_override > 0 && o->overrides == NULL);
}

pawl_status pawl_orbit_new(const pawl_model *model, const pawl_orbit_opts *opts, pawl_diags *diags,
                           pawl_orbit **out) {
  if (out != NULL) {
    *out = NULL;
  }

  /* the arguments */
  const pawl_orbit_opts none = {0};
  if (model == NULL || out == NULL || is_wrong(opts != NULL ? opts : &none)) {
    return PAWL_E_ARGUMENT;
  }
  pawl_orbit *o = calloc(1, sizeof *o);
  if (o == NULL) {
    return PAWL_E_MEMORY;
  }

  /* texts are copied: the caller may free them */
  o->opts = opts != NULL ? *opts : none;
  o->model = pw_model_keep(model);
  o->along = o->opts.along != NULL ? copy_text(o->opts.along) : NULL;
  o->at = o->opts.at != NULL ? copy_text(o->opts.at) : NULL;
  bool ok =
      (o->along != NULL) == (o->opts.along != NULL) && (o->at != NULL) == (o->opts.at != NULL);
  o->opts.along = o->along;
  o->opts.at = o->at;

  /* Lyapunov exponents, or a periodic motion */
  pawl_status status = !ok                     ? PAWL_E_MEMORY
                       : o->opts.exponents > 0 ? pw_orbit_exponents(o, diags)
                                               : look(o, diags);
  if (status != PAWL_OK) {
    pawl_orbit_free(o);
    return status;
  }
  *out = o;
  return PAWL_OK;
}

void pawl_orbit_free(pawl_orbit *o) {
  if (o == NULL) {
    return;
  }
  for (int i = 0; i < o->n_point; i++) {
    pw_orbit_point_free(&o->point[i]);
  }
  free(o->point);
  free(o->exponent);
  pawl_certify_free(o->judge);
  pw_return_map_free(&o->map);
  pw_system_drop(o->system);
  pw_model_drop(o->model);
  free(o->along);
  free(o->at);
  free(o);
}

/* ---- looking at it ---- */

int pawl_orbit_points(const pawl_orbit *o) {
  return o == NULL ? 0 : o->n_point;
}

pawl_orbit_point pawl_orbit_get(const pawl_orbit *o, int i) {
  if (i < 0 || i >= pawl_orbit_points(o)) {
    return (pawl_orbit_point){.value = NAN, .t = NAN, .period = NAN, .kind = "", .closes = NAN};
  }
  const pw_orbit_point *p = &o->point[i];
  pawl_orbit_point point = p->public;
  point.state = p->shown;
  point.drift = p->drift;
  point.multipliers = p->multipliers;
  point.events = p->events;
  return point;
}

const pawl_system *pawl_orbit_system(const pawl_orbit *o) {
  return o == NULL ? NULL : o->system;
}

pawl_certificate pawl_orbit_certificate(const pawl_orbit *o) {
  return o != NULL && o->judged ? pawl_certify_get(o->judge)
                                : (pawl_certificate){.subclass = "", .balance = "", .sentence = ""};
}

int pawl_orbit_exponents(const pawl_orbit *o) {
  return o == NULL ? 0 : o->n_exponent;
}

double pawl_orbit_exponent(const pawl_orbit *o, int i) {
  return i >= 0 && i < pawl_orbit_exponents(o) ? o->exponent[i] : (double)NAN;
}

double pawl_orbit_exponent_time(const pawl_orbit *o) {
  return pawl_orbit_exponents(o) > 0 ? o->exponent_time : (double)NAN;
}
