// SPDX-License-Identifier: MIT
#include "orbit/return_map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "law/scale_tangent.h"
#include "linalg/dense.h"
#include "mech/series.h"
#include "orbit/manifold.h"
#include "sim/trial.h"
#include "system/view.h"
#include "tangent/variation.h"

/* ---- what the section is ---- */

/* Some function of the motion changes with an input: by jets of order 1 at a state, exactly. The
 * integrals behind q' in `motion` have no part in it. */
static bool moves(pw_return_map *m, pw_series *series, int input) {
  const pw_system *s = m->system->sys;
  const pw_tape *tapes[] = {s->tape.motion, s->tape.contact,  s->tape.clause,
                            s->tape.graph,  s->tape.by,       s->tape.sides,
                            s->tape.roots,  s->tape.position, s->tape.velocity};
  bool any = false;
  m->direction[input] = 1;
  for (size_t k = 0; k < sizeof tapes / sizeof *tapes; k++) {
    const double *jet = pw_mech_vary_tape(m->mech, series, tapes[k], m->direction);
    int n = k == 0 ? pw_view_places(s).z_rate : pw_tape_outputs(tapes[k]);
    for (int i = 0; i < n; i++) {
      any = any || jet[2 * i + 1] != 0;
    }
  }
  m->direction[input] = 0;
  return any;
}

/* Positions that nothing depends on, and whether something depends on the time, seen at states
 * beside the start. */
static pawl_status look_at_inputs(pw_return_map *m) {
  enum { LOOKS = 3 };
  const pw_system *s = m->system->sys;
  const pw_start *start = &m->system->start;
  pw_series series;
  double *memory = calloc(pw_series_doubles(s, 1) + 1, sizeof *memory);
  double *x = calloc((size_t)m->n + 1, sizeof *x);
  m->driven = false;
  for (int i = 0; i < m->n; i++) {
    m->drifts[i] = i < s->nq;
  }
  for (int look = 0; look < LOOKS && memory != NULL && x != NULL; look++) {
    pw_series_init(&series, s, 1, memory);

    /* places in no simple ratio: what is zero by chance at one of them is not at the next */
    for (int i = 0; i < m->n; i++) {
      double now = i < s->nq ? start->q[i] : start->u[i - s->nq];
      x[i] = now + (0.1 * look + 0.01) * cos(3 * i + look) * fmax(fabs(now), 0.1);
    }
    pw_mech_stand(m->mech, m->from + 0.37 * look, x, x + s->nq, start->side);
    for (int i = 0; i < s->nq; i++) {
      m->drifts[i] = m->drifts[i] && !moves(m, &series, s->offset[PW_VAR_Q] + i);
    }
    m->driven = m->driven || moves(m, &series, s->offset[PW_VAR_TIME]);
  }
  bool ok = memory != NULL && x != NULL;
  free(memory);
  free(x);
  return ok ? PAWL_OK : PAWL_E_MEMORY;
}

/* "floor" names floor[1], floor[2], ... as well. */
static bool is_of(const char *name, const char *word) {
  size_t len = strlen(word);
  return strncmp(name, word, len) == 0 && (name[len] == '\0' || name[len] == '[');
}

static bool is_kind(const char *word) {
  static const char *const kinds[] = {"impact", "close",  "liftoff", "stick",
                                      "slip",   "engage", "release", "reverse"};
  bool is = false;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    is = is || strcmp(kinds[i], word) == 0;
  }
  return is;
}

static bool is_known(const pw_model *m, const char *word) {
  bool known = is_kind(word);
  for (int i = 0; i < m->events.n; i++) {
    known = known || is_of(m->events.items[i].name, word);
  }
  for (int i = 0; i < m->rows.n; i++) {
    known = known || is_of(m->rows.items[i].law, word);
  }
  return known;
}

/* The event `every T` that is the section, or -1. */
static int strobe_of(const pw_model *m, const char *word) {
  int found = -1, n = 0;
  for (int i = 0; i < m->events.n; i++) {
    const pw_event_def *e = &m->events.items[i];
    if (e->every && (word == NULL || strcmp(e->name, word) == 0)) {
      found = i;
      n++;
    }
  }
  return n == 1 ? found : -1;
}

static pawl_status refuse(const char *code, pawl_diags *diags, const char *message,
                          const char *what, const char *help) {
  pw_diag_ref d = pw_error(diags, code, PW_NO_SPAN, message, what);
  pw_help(d, "%s", help);
  return PAWL_E_ARGUMENT;
}

static pawl_status check_form(const pw_system *s, pawl_diags *diags) {
  return pw_first_signal(s->model) == NULL
             ? PAWL_OK
             : refuse("E0683", diags, "orbits of models with %s are not looked for", "signals",
                      "write inputs and tables as functions of the time or the state");
}

static pawl_status choose_section(pw_return_map *m, pawl_diags *diags) {
  const pawl_orbit_opts *o = m->opts;
  const pw_model *model = m->system->model;
  m->from = model->run.given ? model->run.from : 0;
  m->strobe = o->period > 0 ? -1 : strobe_of(model, o->at);
  m->period = o->period > 0    ? o->period
              : m->strobe >= 0 ? model->events.items[m->strobe].period
                               : 0;
  if (m->period > 0) {
    return PAWL_OK;
  }
  if (o->at == NULL) {
    return refuse("E0682", diags, "nothing says when the motion closes%s", "",
                  "give its period, `--period T`, or an event that it comes back to, `--at EVENT`");
  }
  if (!is_known(model, o->at)) {
    return refuse("E0684", diags, "`%s` is no event or law of the model and no kind of events",
                  o->at, "an orbit closes at an event, for example `--at impact`");
  }
  if (m->driven) {
    return refuse("E0682", diags, "the model depends on the time, so that `--at %s` is no section",
                  o->at, "give the period of the drive, `--period T`, or an event `every T`");
  }
  return PAWL_OK;
}

/* ---- making ---- */

static double *reals(size_t n) {
  return calloc(n + 1, sizeof(double));
}

static bool make_room(pw_return_map *m) {
  size_t n = (size_t)m->n, np = (size_t)m->system->model->parameters.n;
  size_t given = (size_t)m->opts->n_override + 1;
  pawl_override *overrides = realloc(m->overrides, (given + n) * sizeof *overrides);
  m->overrides = overrides != NULL ? overrides : m->overrides;
  m->beside = calloc(n + 1, sizeof *m->beside);
  m->drifts = calloc(n + 1, sizeof *m->drifts);
  double **of[] = {&m->columns, &m->parameters, &m->rate, &m->shown,    &m->image,
                   &m->D,       &m->Dp,         &m->gap,  &m->direction};
  size_t size[] = {n * (n + 1),
                   np * (n + 1),
                   n,
                   n,
                   n,
                   n * n,
                   n,
                   (size_t)m->system->sys->ni + n,
                   (size_t)m->system->sys->n_in};
  bool ok = m->drifts != NULL && m->beside != NULL && overrides != NULL;
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    free(*of[i]);
    *of[i] = reals(size[i]);
    ok = ok && *of[i] != NULL;
  }
  return ok;
}

static void let_go(pw_return_map *m) {
  pw_tangent_free(m->x);
  pw_mech_free(m->mech);
  m->mech = NULL;
  pawl_system_free(m->system);
  m->x = NULL;
  m->system = NULL;
}

/* How the period of an event `every T` changes with the parameter. */
static pawl_status find_slope(pw_return_map *m, const pawl_system_opts *opts) {
  pw_by_name v;
  m->period_slope = 0;
  if (m->strobe < 0 || m->parameter < 0) {
    return PAWL_OK;
  }
  (void)pw_variation_find(m->system, m->opts->along, &v);
  v.start = reals((size_t)m->n);
  v.period = reals((size_t)m->system->model->events.n);
  pawl_status status = v.start == NULL || v.period == NULL
                           ? PAWL_E_MEMORY
                           : pw_variation_start(m->model, opts, m->system, m->opts->along, &v);
  m->period_slope = status == PAWL_OK ? v.period[m->strobe] : 0;
  free(v.start);
  free(v.period);
  return status;
}

static pawl_status start_tangent(pw_return_map *m, pawl_diags *diags) {
  const pw_model *model = m->system->model;
  double span = model->run.given ? model->run.to - model->run.from : 1;
  int returns = m->opts->returns > 0 ? m->opts->returns : 1;
  double to = m->period > 0 ? m->from + returns * m->period : m->from + span;
  pawl_sim_opts sim = {.use_span = 1,
                       .from = m->from,
                       .to = to,
                       .tol = m->opts->tol > 0 ? m->opts->tol : PW_SCALE(ORBIT_TOL),
                       .ask = m->opts->ask,
                       .payload = m->opts->payload};
  return pw_tangent_new(m->system, &sim, m->n + (m->parameter >= 0), diags, &m->x);
}

/* Names of the values of a state, as overrides behind the others. */
static void name_beside(pw_return_map *m) {
  const pw_model *model = m->system->model;
  pawl_override *to = m->overrides + m->opts->n_override + 1;
  for (int i = 0; i < m->n; i++) {
    pw_start_text *text = &m->beside[i];
    const char *name = i < model->nq ? model->q_name[i] : model->u_name[i - model->nq];
    snprintf(text->name, sizeof text->name, "%s", name);
    to[i] = (pawl_override){text->name, text->value};
  }
}

/* The map at this value of the parameter, with the first `beside` of those overrides. */
static pawl_status form(pw_return_map *m, double value, int beside, pawl_diags *diags) {
  const pawl_orbit_opts *o = m->opts;
  bool along = o->along != NULL;

  /* the system at this value; its parameter is not folded into the equations */
  let_go(m);
  m->value = value;
  snprintf(m->text, sizeof m->text, "%.17g", value);
  pawl_system_opts opts = {.overrides = m->overrides,
                           .n_override = o->n_override + along + beside,
                           .vary = along ? m->names : NULL,
                           .n_vary = along};
  pawl_status status = pawl_system_new(m->model, &opts, diags, &m->system);
  if (status != PAWL_OK) {
    return status;
  }

  /* the state space, and the place of the parameter */
  m->n = m->system->sys->nq + m->system->sys->nv;
  m->flat = pw_manifold_is_flat(m->system->sys);
  m->parameter = -1;
  for (int i = 0; i < m->system->model->parameters.n; i++) {
    bool is = along && strcmp(m->system->model->parameters.items[i].name, o->along) == 0;
    m->parameter = is ? i : m->parameter;
  }
  if (along && m->parameter < 0) {
    return refuse("E0684", diags, "`%s` is not a parameter of the model", o->along,
                  "orbits are followed along a parameter");
  }

  /* room, once its size is known; overrides of the start then have names */
  status = check_form(m->system->sys, diags);
  if (status == PAWL_OK && m->drifts == NULL) {
    status = make_room(m) ? PAWL_OK : PAWL_E_MEMORY;
    if (status == PAWL_OK) {
      name_beside(m);
      opts.overrides = m->overrides;
    }
  }

  /* what drives the motion, its section, the slope of its period, the tangent flow */
  status = status == PAWL_OK ? pw_mech_new(m->system->sys, &m->mech) : status;
  status = status == PAWL_OK ? look_at_inputs(m) : status;
  status = status == PAWL_OK ? choose_section(m, diags) : status;
  status = status == PAWL_OK ? find_slope(m, &opts) : status;
  return status == PAWL_OK ? start_tangent(m, diags) : status;
}

/* The start of the model matters to the first orbit only. At another value it may violate a law;
 * then a state near the orbit stands in for it. */
pawl_status pw_return_map_set(pw_return_map *m, double value, const double *x, pawl_diags *diags) {
  pawl_status status = form(m, value, 0, x != NULL ? NULL : diags);
  bool again = status != PAWL_OK && status != PAWL_E_MEMORY && status != PAWL_E_TIME;
  if (!again || x == NULL) {
    return status;
  }
  for (int i = 0; i < m->n; i++) {
    snprintf(m->beside[i].value, sizeof m->beside[i].value, "%.17g", x[i]);
  }
  return form(m, value, m->n, diags);
}

/* Newton's method along the gradient of the value. */
static void put_on_wall(pw_return_map *m, double *x, int law) {
  enum { STEPS = 4 };
  const pw_system *s = m->system->sys;
  const double *sides = m->system->start.side;
  double *way = m->gap + s->ni;
  for (int step = 0; step < STEPS; step++) {
    pw_mech_gaps(m->mech, m->from, x, x + s->nq, sides, m->gap);
    const double *J = pw_mech_law_slope(m->mech, m->from, x, x + s->nq, sides, law);
    double square = pw_dot(J, J, s->nv);
    for (int i = 0; i < s->nv; i++) {
      way[i] = square > 0 ? -m->gap[law] * J[i] / square : 0;
    }
    pw_mech_to_q(m->mech, x, way, m->rate);
    pw_axpy(1, m->rate, x, s->nq);
    pw_mech_normalise(m->mech, x);
  }
}

void pw_return_map_put_on_section(pw_return_map *m, double *x) {
  const pw_system *s = m->system->sys;
  const pw_hit *last = m->n_hit > 0 ? &m->hit[m->n_hit - 1] : NULL;
  for (int i = 0; m->period <= 0 && last != NULL && i < s->ni; i++) {
    const pw_row *row = &s->model->rows.items[s->row_of[s->nc + i]];
    bool struck = false;
    for (int k = m->n_hit - 1; k >= 0 && m->hit[k].t == last->t; k--) {
      struck = struck || (strcmp(m->hit[k].at, row->law) == 0 && !isnan(m->hit[k].rate));
    }
    if (struck && s->law[i].wall && !s->law[i].on_velocity) {
      put_on_wall(m, x, i);
    }
  }
}

pawl_status pw_return_map_init(pw_return_map *m, const pawl_model *model,
                               const pawl_orbit_opts *opts, pawl_diags *diags) {
  *m = (pw_return_map){.model = model, .opts = opts, .names = {opts->along}};
  m->overrides = calloc((size_t)opts->n_override + 1, sizeof *m->overrides);
  if (m->overrides == NULL) {
    return PAWL_E_MEMORY;
  }
  for (int i = 0; i < opts->n_override; i++) {
    m->overrides[i] = opts->overrides[i];
  }
  m->overrides[opts->n_override] = (pawl_override){opts->along, m->text};
  return pw_return_map_set(m, opts->begin, NULL, diags);
}

void pw_return_map_free(pw_return_map *m) {
  let_go(m);
  double *all[] = {m->columns, m->parameters, m->rate, m->shown,    m->image,
                   m->D,       m->Dp,         m->gap,  m->direction};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    free(all[i]);
  }
  free(m->hit);
  free(m->drifts);
  free(m->overrides);
  free(m->beside);
}

/* ---- once around ---- */

static bool is_section(const pw_return_map *m, const pawl_event *e) {
  return m->period <= 0 && (strcmp(e->kind, m->opts->at) == 0 || is_of(e->at, m->opts->at));
}

/* A state on the section may lie before it by rounding, and meet its event at once: that is no
 * return. */
static bool is_start(const pw_return_map *m, const pawl_event *e) {
  double span = pawl_sim_statistics(pw_tangent_sim(m->x)).to - m->from;
  return is_section(m, e) && e->t - m->from <= PW_SCALE(ORBIT_AT_ONCE) * span;
}

/* An event of the section among those at the current point, or -1. */
static int section_here(const pw_return_map *m) {
  const pawl_sim *sim = pw_tangent_sim(m->x);
  for (int i = 0; i < pawl_sim_events(sim); i++) {
    pawl_event e = pawl_sim_event(sim, i);
    if (is_section(m, &e) && !is_start(m, &e)) {
      return i;
    }
  }
  return -1;
}

static bool room_for_hit(pw_return_map *m) {
  if (m->n_hit < m->hit_cap) {
    return true;
  }
  int cap = 2 * m->hit_cap + 32;
  pw_hit *wider = realloc(m->hit, (size_t)cap * sizeof *wider);
  m->hit = wider != NULL ? wider : m->hit;
  m->hit_cap = wider != NULL ? cap : m->hit_cap;
  return wider != NULL;
}

static pawl_status keep_hits(pw_return_map *m) {
  const pawl_sim *sim = pw_tangent_sim(m->x);
  for (int i = 0; i < pawl_sim_events(sim); i++) {
    pawl_event e = pawl_sim_event(sim, i);
    bool passed_over = strcmp(e.kind, "strobe") == 0 || is_start(m, &e);
    if (!passed_over && !room_for_hit(m)) {
      return PAWL_E_MEMORY;
    }
    if (!passed_over) {
      m->hit[m->n_hit++] = (pw_hit){e.t - m->from, e.kind, e.at, e.rate_before};
    }
  }
  return PAWL_OK;
}

/* Orientations that come back as -q come back: the signs of their rows are turned round. */
static void align(pw_return_map *m, const double *x) {
  int n = m->n;
  double *sign = m->columns; /* free here */
  pw_manifold_signs(m->system->sys, x, m->image, sign);
  for (int i = 0; i < n; i++) {
    m->image[i] *= sign[i];
    m->rate[i] *= sign[i];
    m->Dp[i] *= sign[i];
    for (int k = 0; k < n; k++) {
      m->D[(size_t)k * (size_t)n + (size_t)i] *= sign[i];
    }
  }
}

/* Image and derivatives at the current point, whose time moves with event i. */
static pawl_status keep_image(pw_return_map *m, int i) {
  int n = m->n;
  const double *columns = pw_tangent_columns(m->x), *y = pw_tangent_state(m->x);
  pawl_status status = pw_tangent_rate(m->x, m->rate);
  m->time = pw_trial_at(pw_tangent_sim(m->x)).t - m->from;
  m->why = pw_tangent_why(m->x, NULL);
  memcpy(m->image, y, (size_t)n * sizeof *y);
  memcpy(m->D, columns, (size_t)n * (size_t)n * sizeof *columns);
  for (int k = 0; k < n && i >= 0; k++) {
    pw_axpy(pw_tangent_time(m->x, i, k), m->rate, m->D + (size_t)k * (size_t)n, n);
  }
  if (m->parameter >= 0) {
    int returns = m->opts->returns > 0 ? m->opts->returns : 1;
    double shift = i >= 0 ? pw_tangent_time(m->x, i, n) : returns * m->period_slope;
    memcpy(m->Dp, columns + (size_t)n * (size_t)n, (size_t)n * sizeof *columns);
    pw_axpy(shift, m->rate, m->Dp, n);
  }
  return status;
}

/* Columns at the start of the motion, orbits (O7): unit vectors, where equalities and quaternions
 * leave all of them. */
static pawl_status first_columns(pw_return_map *m, const double *x) {
  const pw_system *s = m->system->sys;
  int n = m->n, np = s->model->parameters.n;
  memset(m->columns, 0, (size_t)n * (size_t)(n + 1) * sizeof *m->columns);
  memset(m->parameters, 0, (size_t)np * (size_t)(n + 1) * sizeof *m->parameters);
  for (int i = 0; i < n; i++) {
    m->columns[(size_t)i * (size_t)n + (size_t)i] = 1;
  }
  if (m->parameter >= 0) {
    m->parameters[(size_t)n * (size_t)np + (size_t)m->parameter] = 1;
  }
  m->freedom = n;
  pw_manifold_at at = {m->from, x, pw_trial_at(pw_tangent_sim(m->x)).side, m->parameter};
  return m->flat ? PAWL_OK : pw_manifold_columns(m->mech, &at, m->columns, &m->freedom);
}

static pawl_status begin(pw_return_map *m, double *x) {
  const pw_system *s = m->system->sys;
  pawl_sim *sim = pw_tangent_sim(m->x);
  pw_conditions plain = pw_conditions_plain();
  m->n_hit = 0;
  m->motions++;
  m->why = NULL;
  pw_manifold_show(s, x, m->shown);
  pawl_status status = pw_sim_start_trial(sim, &plain, m->from, x, m->shown, NULL, NULL);
  if (status == PAWL_OK && !m->flat) {
    pw_copy(x, pw_trial_at(sim).y, m->n);
  }
  status = status == PAWL_OK ? first_columns(m, x) : status;
  if (status == PAWL_OK) {
    pw_tangent_begin(m->x, m->columns, m->parameters);
  }
  return status;
}

double pw_return_map_error(const pw_return_map *m) {
  return PW_SCALE(ORBIT_NO_MULTIPLIER) * fmax(1, m->opts->tol / PW_SCALE(ORBIT_TOL));
}

pawl_status pw_return_map_apply(pw_return_map *m, double *x) {
  pawl_stop why = PAWL_AT_TARGET;
  int left = m->opts->returns > 0 ? m->opts->returns : 1, found = -1;
  pawl_status status = begin(m, x);

  /* on to the event on the section that is the last of the returns asked for */
  while (status == PAWL_OK && why != PAWL_AT_END) {
    status = pw_tangent_advance(m->x, INFINITY, NULL, &why);
    if (status == PAWL_OK && why == PAWL_AT_EVENT) {
      status = keep_hits(m);
      int here = section_here(m);
      left -= here >= 0;
      if (here >= 0 && left == 0) {
        found = here;
        break;
      }
    }
  }

  /* without a period the motion must have met the section */
  if (status == PAWL_OK && m->period <= 0 && found < 0) {
    m->why = "the motion does not come back within the span of the run";
    return PAWL_OK;
  }
  if (status == PAWL_OK) {
    status = keep_image(m, found);
    align(m, x);
    return status;
  }

  /* the motion ended early: a failed attempt, not a failed search */
  m->why = status == PAWL_E_START    ? "a law forbids a state that the search tries"
           : status == PAWL_E_EVENTS ? "too many events happen before the motion comes back"
                                     : "the motion ends early";
  return status == PAWL_E_MEMORY || status == PAWL_E_TIME ? status : PAWL_OK;
}

/* Rounding leaves an image beside the wall that was struck, and a state behind it is no start. */
void pw_return_map_take_image(pw_return_map *m, double *x) {
  pw_copy(x, m->image, m->n);
  pw_return_map_put_on_section(m, x);
}

pawl_status pw_return_map_first(pw_return_map *m, double *x) {
  const pw_start *start = &m->system->start;
  int nq = m->system->sys->nq, nv = m->system->sys->nv;
  memcpy(x, start->q, (size_t)nq * sizeof *x);
  memcpy(x + nq, start->u, (size_t)nv * sizeof *x);
  if (m->period > 0) {
    return PAWL_OK;
  }
  pawl_status status = pw_return_map_apply(m, x);
  if (status == PAWL_OK && m->why == NULL) {
    pw_return_map_take_image(m, x);
  }
  return status;
}
