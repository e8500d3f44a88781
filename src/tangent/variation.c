// SPDX-License-Identifier: MIT
#include "tangent/variation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "law/scale_tangent.h"
#include "linalg/dense.h"

const char *pw_variation_spelling(const char *name, char *room, int size) {
  if (strncmp(name, "d.", 2) != 0) {
    return name;
  }
  snprintf(room, (size_t)size, "%s'", name + 2);
  return room;
}

bool pw_variation_find(const pawl_system *system, const char *name, pw_by_name *out) {
  const pw_model *m = system->model;
  char room[256];
  const char *spelt = pw_variation_spelling(name, room, sizeof room);
  *out = (pw_by_name){.parameter = -1, .value = NAN};
  for (int i = 0; i < m->parameters.n; i++) {
    if (strcmp(m->parameters.items[i].name, name) == 0) {
      out->parameter = i;
      out->value = m->parameters.items[i].value;
    }
  }
  for (int i = 0; i < m->nq && out->parameter < 0; i++) {
    if (strcmp(m->q_name[i], spelt) == 0) {
      out->value = system->start.q[i];
    }
  }
  for (int i = 0; i < m->nv && out->parameter < 0; i++) {
    if (strcmp(m->u_name[i], spelt) == 0) {
      out->value = system->u_shown[i];
    }
  }
  return !isnan(out->value);
}

/* ---- differences ---- */

/* Differences of order 6 on steps h about the value, ahead of it and behind it: weights[3 + j] is
 * that of the value at j h. */
enum { REACH = 6 };
typedef struct stencil {
  int first, last;
  double weight[2 * REACH + 1];
} stencil;
static const stencil central = {
    -3, 3, {0, 0, 0, -1. / 60, 9. / 60, -45. / 60, 0, 45. / 60, -9. / 60, 1. / 60, 0, 0, 0}};
static const stencil ahead = {
    0, 6, {0, 0, 0, 0, 0, 0, -147. / 60, 6, -15. / 2, 20. / 3, -15. / 4, 6. / 5, -1. / 6}};
static const stencil behind = {
    -6, 0, {1. / 6, -6. / 5, 15. / 4, -20. / 3, 15. / 2, -6, 147. / 60, 0, 0, 0, 0, 0, 0}};

typedef struct samples {
  const pawl_model *model;
  pawl_system_opts opts;
  pawl_override *overrides; /* those of the options, and one more */
  char text[64];
} samples;

/* The system with another value of the name. */
static pawl_status compile(samples *s, double value, pawl_system **out) {
  snprintf(s->text, sizeof s->text, "%.17g", value);
  return pawl_system_new(s->model, &s->opts, NULL, out);
}

static bool same_form(const pawl_system *a, const pawl_system *b) {
  return a->sys->nq == b->sys->nq && a->sys->nv == b->sys->nv && a->sys->nr == b->sys->nr &&
         a->model->events.n == b->model->events.n;
}

static void add(const pawl_system *system, const pawl_system *beside, double w, pw_by_name *out) {
  int nq = system->sys->nq, nv = system->sys->nv;
  for (int k = 0; k < nq; k++) {
    out->start[k] += w * (beside->start.q[k] - system->start.q[k]);
  }
  for (int k = 0; k < nv; k++) {
    out->start[nq + k] += w * (beside->start.u[k] - system->start.u[k]);
  }
  if (system->model->run.given) {
    out->from += w * (beside->model->run.from - system->model->run.from);
    out->to += w * (beside->model->run.to - system->model->run.to);
  }
  for (int k = 0; k < system->model->events.n; k++) {
    double now = system->model->events.items[k].period;
    out->period[k] += w * (beside->model->events.items[k].period - now);
  }
}

/* sum of weights times starts, over h. PAWL_E_MODEL: there is no start at one of the values. */
static pawl_status differences(samples *s, const pawl_system *system, const stencil *of, double h,
                               pw_by_name *out) {
  pw_zero(out->start, system->sys->nq + system->sys->nv);
  pw_zero(out->period, system->model->events.n);
  out->from = out->to = 0;
  for (int i = of->first; i <= of->last; i++) {
    double w = of->weight[REACH + i];
    pawl_system *beside = NULL;
    if (i == 0 || w == 0) { /* differences from the value itself */
      continue;
    }
    pawl_status status = compile(s, out->value + i * h, &beside);
    bool fits = status == PAWL_OK && same_form(system, beside);
    if (fits) {
      add(system, beside, w / h, out);
    }
    pawl_system_free(beside);
    if (!fits) {
      return status == PAWL_E_MEMORY ? status : PAWL_E_MODEL;
    }
  }
  return PAWL_OK;
}

pawl_status pw_variation_start(const pawl_model *model, const pawl_system_opts *opts,
                               const pawl_system *system, const char *name, pw_by_name *out) {
  samples s = {.model = model, .opts = *opts};
  s.overrides = calloc((size_t)opts->n_override + 1, sizeof *s.overrides);
  if (s.overrides == NULL) {
    return PAWL_E_MEMORY;
  }
  if (opts->n_override > 0) {
    memcpy(s.overrides, opts->overrides, (size_t)opts->n_override * sizeof *s.overrides);
  }
  s.overrides[opts->n_override] = (pawl_override){name, s.text};
  s.opts.overrides = s.overrides;
  s.opts.n_override = opts->n_override + 1;

  /* a thousandth of the value; where a range or a sign forbids that, less, or to one side */
  double size = out->value != 0 ? fabs(out->value) : 1;
  const struct {
    const stencil *of;
    double h;
  } tries[] = {{&central, PW_SCALE(PARAMETER_STEP)},
               {&central, PW_SCALE(PARAMETER_STEP_SHORT)},
               {&ahead, PW_SCALE(PARAMETER_STEP_ONE_SIDED)},
               {&behind, PW_SCALE(PARAMETER_STEP_ONE_SIDED)}};
  pawl_status status = PAWL_E_MODEL;
  for (size_t i = 0; i < sizeof tries / sizeof *tries && status == PAWL_E_MODEL; i++) {
    status = differences(&s, system, tries[i].of, tries[i].h * size, out);
  }
  free(s.overrides);
  if (status == PAWL_E_MODEL) {
    out->why = "the model has no start beside this value";
    status = PAWL_OK;
  }
  return status;
}
