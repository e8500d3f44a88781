// SPDX-License-Identifier: MIT
/* Making a simulation: options, memory, start. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/module.h"
#include "base/option_table.h"
#include "base/real.h"
#include "law/scale_sim.h"
#include "sim/sim_state.h"

static const int64_t default_steps = 10000000, default_events = PAWL_DEFAULT_EVENTS;

/* ---- options ---- */

static pawl_status refuse(pawl_diags *diags, pw_span at, const char *message) {
  (void)pw_error(diags, "E0420", at, "%s", message);
  return PAWL_E_ARGUMENT;
}

static pawl_status resolve_span(const pw_model *m, pawl_sim_opts *o, pawl_diags *diags) {
  pw_span at = PW_NO_SPAN;
  if (!o->use_span) {
    if (!m->run.given) {
      return refuse(diags, at, "no time span: write a `run` statement or give one");
    }
    o->from = m->run.from;
    o->to = m->run.to;
    at = m->run.span;
  }
  if (!isfinite(o->from) || !isfinite(o->to)) {
    return refuse(diags, at, "the time span is not finite");
  }
  if (!(o->from < o->to)) {
    pw_diag_ref ref = pw_error(diags, "E0420", at, "the run ends at %.9g before it starts at %.9g",
                               o->to, o->from);
    pw_help(ref, "a run goes forward in time: the end must be larger than the start");
    return PAWL_E_ARGUMENT;
  }
  return PAWL_OK;
}

/* The table of options: those of the run statement where none is given, then the default. */
static pawl_status resolve_table(const pw_model *m, pawl_sim_opts *o, pawl_diags *diags) {
  pawl_run_opts all = {.sim = *o};
  all.sim.max_step = isinf(o->max_step) && o->max_step > 0 ? 0 : o->max_step; /* no limit */
  for (int i = 0; i < m->run.n_option; i++) {
    const struct pw_run_option *x = &m->run.options[i];
    bool own = strcmp(x->word, "tol") == 0 || x->choice != NULL; /* others: see pawl_run_opts */
    if (own && strcmp(x->word, "method") != 0) {
      pw_option_state(&all, x->word, x->choice, x->value);
    }
  }
  pw_options_default(&all);
  *o = all.sim;

  double value = 0;
  const pawl_option *wrong = pw_options_wrong(&all, &value);
  if (wrong != NULL) {
    char legal[160];
    pawl_option_legal(wrong, legal, sizeof legal);
    (void)pw_error(diags, "E0420", PW_NO_SPAN, "option `%s` is %.9g, but must be %s", wrong->word,
                   value, legal);
    return PAWL_E_ARGUMENT;
  }
  return PAWL_OK;
}

static int contacts_of(const pw_model *m) {
  int n = 0;
  for (int i = 0; i < m->rows.n; i++) {
    n += m->rows.items[i].kind == PW_KIND_UNILATERAL;
  }
  return n;
}

/* A choice that the method would not obey. */
static pawl_status check_method(const pw_model *m, const pawl_sim_opts *o, pawl_diags *diags) {
  const pw_method *method = pw_method_of(o->method);
  if (!method->together || o->impacts != PAWL_IMPACTS_SEQUENTIAL || contacts_of(m) < 2) {
    return PAWL_OK;
  }
  pw_span at = PW_NO_SPAN;
  for (int i = 0; i < m->run.n_option; i++) {
    at = strcmp(m->run.options[i].word, "impacts") == 0 ? m->run.options[i].span : at;
  }
  pw_diag_ref ref =
      pw_error(diags, "E0421", at, "method `%s` cannot treat `impacts sequential`", method->name);
  pw_label(ref, "all impacts of a step are one problem");
  pw_help(ref, "leave out one of both options: `method event` treats contacts in turn");
  return PAWL_E_ARGUMENT;
}

static pawl_status resolve(const pw_model *m, pawl_sim_opts *o, pawl_diags *diags) {
  pawl_status status = resolve_span(m, o, diags);
  if (status == PAWL_OK) {
    status = resolve_table(m, o, diags);
  }
  if (status != PAWL_OK) {
    return status;
  }
  o->max_step = o->max_step == 0 ? INFINITY : o->max_step;
  o->max_steps = o->max_steps == 0 ? default_steps : o->max_steps;
  o->max_events = o->max_events == 0 ? default_events : o->max_events;
  if (!(o->step >= 0) || isinf(o->step)) {
    return refuse(diags, PW_NO_SPAN, "the step has to be positive and finite");
  }
  o->method = pw_method_choose(m, o->method);
  double span = o->to - o->from;
  o->step = o->step == 0 ? span / PAWL_DEFAULT_ROWS : fmin(o->step, span);
  return check_method(m, o, diags);
}

/* ---- memory: a dry pass counts, a second one hands out ---- */

typedef struct parts { /* arrays that are filled later */
  double *stepper;
  int *q_of;
} parts;

/* Arrays of all parts; counts only if the layout has no memory. */
static parts lay_out(pawl_sim *sim, pw_layout *l) {
  const pw_system *sys = sim->sys;
  int laws = sim->model->rows.n, n = sys->nq + sys->nv + sys->nz;
  parts p = {.stepper = PW_LAY(l, pw_stepper_size(sys, sim->method->rk), double)};
  pw_surfaces_lay_out(&sim->surfaces, sys, l);
  pw_contacts_lay_out(&sim->contacts, sys, l);
  pw_events_lay_out(&sim->events, sys, l);
  if (sim->method->lay_out != NULL) {
    sim->method->lay_out(sim, l);
  } else if (sim->relay.on) {
    pw_heap_lay_out(&sim->heap, sys, l);
  }
  p.q_of = PW_LAY(l, sys->nv, int);
  sim->y = PW_LAY(l, n, double);
  sim->at.a = PW_LAY(l, sys->nv, double);
  sim->at.force = PW_LAY(l, laws, double);
  sim->at.u_shown = PW_LAY(l, sys->nv, double);
  sim->at.output = PW_LAY(l, sys->n_out, double);
  sim->at.expect = PW_LAY(l, 2 * PW_EXPECT_GROUP, double);
  sim->at.works = PW_LAY(l, sys->n_work, double);
  sim->at.unique = PW_LAY(l, laws, unsigned char);
  sim->at.closed = PW_LAY(l, laws, unsigned char);
  sim->touching = PW_LAY(l, sys->ni, unsigned char);
  sim->rotation = PW_LAY(l, 2 * sim->model->coords.n, int);
  sim->energy.lost_works = PW_LAY(l, sys->n_work, unsigned char);
  sim->energy.time_works = PW_LAY(l, sys->n_work, unsigned char);
  sim->at.before = PW_LAY(l, n + 2 * sys->nv + laws + sys->n_out, double);
  return p;
}

static void find_positions(pawl_sim *sim, int *q_of) {
  const pw_model *m = sim->model;
  for (int c = 0; c < m->coords.n; c++) {
    const pw_coord *k = &m->coords.items[c];
    for (int i = 0; i < (k->is_rotation ? 3 : 1); i++) {
      q_of[k->u + i] = k->is_rotation ? -1 : k->q;
    }
    if (k->is_rotation) {
      sim->rotation[2 * sim->n_rotation] = k->q;
      sim->rotation[2 * sim->n_rotation + 1] = k->u;
      sim->n_rotation++;
    }
  }
  for (int i = 0; i < sim->sys->n_work; i++) {
    sim->energy.lost_works[i] = sim->sys->work[i].lost;
    sim->energy.time_works[i] = sim->sys->work[i].is_time;
  }
}

/* Implicit steps: asked for, or within reach of `event` where their memory is small. */
static pawl_status make_implicit(pawl_sim *sim) {
  static const size_t most = (size_t)1 << 25;
  pw_stepper *s = &sim->stepper;
  bool asked = sim->opts.method == PAWL_METHOD_RADAU;
  if (!asked && !s->choice.open) {
    return PAWL_OK;
  }
  pawl_status status = pw_radau_new(&sim->radau, s, asked ? SIZE_MAX : most);
  if (status == PAWL_OK && sim->radau.s != NULL) {
    s->radau = &sim->radau;
    pw_stepper_map(s, asked ? pw_radau_step : NULL, s->radau);
    s->choice.worth = PW_SCALE(RADAU_WORTH) + 0.5 * (s->nq + s->nv);
  }
  return status;
}

static pawl_status set_up(pawl_sim *sim) {
  pw_layout l = pw_layout_in(sim->block);
  parts p = lay_out(sim, &l);
  find_positions(sim, p.q_of);
  sim->stepper.q_of = p.q_of;
  sim->stepper.mech = sim->mech;
  sim->stepper.range.max = sim->opts.max_step;
  sim->stepper.range.span = sim->opts.to - sim->opts.from;
  sim->stepper.sight.watches = sim->opts.validate != PAWL_VALIDATE_OFF;
  sim->stepper.range.fixed = sim->method->fixed ? sim->opts.step : 0;
  pw_stepper_init(&sim->stepper, sim->method->rk, sim->opts.tol, p.stepper);
  sim->stepper.choice.open = sim->opts.method == PAWL_METHOD_AUTO || sim->relay.on;
  pw_surfaces_init(&sim->surfaces, &sim->stepper);
  pw_contacts_init(&sim->contacts, &sim->stepper, sim->opts.tol,
                   sim->opts.impacts == PAWL_IMPACTS_SEQUENTIAL);
  sim->contacts.paradox.policy = sim->opts.paradox;
  sim->contacts.forces.friction.search = sim->opts.paradox == PAWL_PARADOX_ENUMERATE;
  pw_events_init(&sim->events, &sim->stepper);
  if (sim->method->init != NULL) {
    sim->method->init(sim);
  }
  return make_implicit(sim);
}

/* ---- what saved data must agree with ---- */

static uint64_t mix(uint64_t hash, const void *data, size_t n) { /* FNV-1a */
  const unsigned char *byte = data;
  for (size_t i = 0; i < n; i++) {
    hash = (hash ^ byte[i]) * 1099511628211u;
  }
  return hash;
}

/* The motion at the start tells models apart, whatever their text. */
static uint64_t fingerprint(const pawl_sim *sim) {
  const pw_system *sys = sim->sys;
  const pw_mech *m = sim->mech;
  const pw_stepper *s = &sim->stepper;

  /* sizes and options */
  int sizes[] = {sys->nq,
                 sys->nv,
                 sys->nc,
                 sys->nz,
                 sys->n_switch,
                 sys->root.n,
                 sys->n_out,
                 sim->model->events.n,
                 (int)sim->opts.method,
                 (int)sim->opts.impacts,
                 (int)sim->opts.energy_gain,
                 (int)sim->opts.paradox,
                 (int)sim->opts.validate,
                 sim->opts.start_impact,
                 sim->opts.restitution_above_one};
  double options[] = {sim->opts.tol, sim->opts.from, sim->opts.to, sim->opts.max_step,
                      sim->opts.step};
  uint64_t hash = mix(14695981039346656037u, sizes, sizeof sizes);
  hash = mix(hash, options, sizeof options);

  /* names and parameters */
  for (int i = 0; i < sim->model->nq; i++) {
    hash = mix(hash, sim->model->q_name[i], strlen(sim->model->q_name[i]));
  }
  for (int i = 0; i < sim->model->parameters.n; i++) {
    hash = mix(hash, &sim->model->parameters.items[i].value, sizeof(double));
  }

  /* the state, its derivative, the masses and the energies */
  hash = mix(hash, s->y, (size_t)s->n * sizeof(double));
  hash = mix(hash, s->f, (size_t)s->n * sizeof(double));
  hash = mix(hash, m->mass, (size_t)sys->nv * sizeof(double));
  return mix(hash, s->energy, sizeof s->energy);
}

/* ---- life ---- */

static pawl_status make(const pawl_system *system, const pawl_sim_opts *opts, pawl_diags *diags,
                        pawl_sim **out) {
  pawl_sim count = {.sys = system->sys,
                    .model = system->model,
                    .method = pw_method_in(system->model, opts->method),
                    .relay = {.on = opts->method == PAWL_METHOD_BY_SIZE}};
  if (count.method->refuses != NULL && count.method->refuses(system->sys, diags)) {
    return PAWL_E_ARGUMENT;
  }

  /* the layout is counted, then one block holds the head and everything that is saved */
  pw_layout l = {0};
  (void)lay_out(&count, &l);
  size_t head = (sizeof(pawl_sim) + 15) / 16 * 16;
  pawl_sim *sim = l.size <= SIZE_MAX - head ? pw_pages_new(head + l.size) : NULL;
  if (sim == NULL) {
    return PAWL_E_MEMORY;
  }

  /* the caller frees it from here on, whatever fails */
  *out = sim;
  *sim = count;
  sim->system = pw_system_keep(system);
  sim->opts = *opts;
  sim->block = (unsigned char *)sim + head;
  sim->block_size = l.size;

  /* mechanics, stepper and contacts, then the state at the start */
  pawl_status status = pw_mech_new(system->sys, &sim->mech);
  if (status == PAWL_OK) {
    status = set_up(sim);
  }
  if (status == PAWL_OK && (sim->method == &pw_heap_method || sim->relay.on)) {
    status = pw_heap_init(&sim->heap, &sim->stepper, sim->opts.threads);
  }
  if (status == PAWL_OK) {
    status = pw_sim_start_as_stated(sim, diags);
  }
  if (status == PAWL_OK) {
    sim->hash = fingerprint(sim);
    if (system->native != NULL) {
      pw_stepper_write_code(&sim->stepper);
    }
  }
  return status;
}

pawl_status pawl_sim_new(const pawl_system *system, const pawl_sim_opts *opts, pawl_diags *diags,
                         pawl_sim **out) {
  if (out != NULL) {
    *out = NULL;
  }

  /* the arguments, and a system that can be run */
  if (system == NULL || out == NULL) {
    return PAWL_E_ARGUMENT;
  }
  if (system->sys == NULL) {
    return refuse(diags, PW_NO_SPAN, "the system was only checked, it cannot be run");
  }
  if (pw_system_needs_start(system, diags) != PAWL_OK) {
    return PAWL_E_ARGUMENT;
  }

  /* options that nobody gave come from the model */
  pawl_sim_opts resolved = opts == NULL ? (pawl_sim_opts){0} : *opts;
  pw_diags_use_sources(diags, &system->sources);
  pawl_status status = resolve(system->model, &resolved, diags);
  if (status == PAWL_OK && resolved.method != PAWL_METHOD_MOREAU) {
    const char *method = pw_method_of(resolved.method)->name;
    status = pw_system_needs_pairs(system, method, diags);
  }

  /* made whole or not at all */
  if (status == PAWL_OK) {
    status = make(system, &resolved, diags, out);
  }
  if (status != PAWL_OK) {
    pawl_sim_free(*out);
    *out = NULL;
  }
  pw_diags_use_sources(diags, NULL);
  return status;
}

void pawl_sim_free(pawl_sim *sim) {
  if (sim != NULL) {
    pw_mech_free(sim->mech);
    pw_heap_free(&sim->heap);
    pw_radau_free(&sim->radau);
    pw_stages_free(sim->stepper.code.stages);
    pw_system_drop(sim->system);
    pw_pages_free(sim);
  }
}
