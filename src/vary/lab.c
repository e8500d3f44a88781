// SPDX-License-Identifier: MIT
/* Making a laboratory: the motion, then the families of variations, then the search for the worst.
 */
#include "vary/lab.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/file.h"
#include "law/scale_verify.h"
#include "run/run.h"
#include "traj/motion_file.h"
#include "verify/checker.h"

/* ---- passes ---- */

pawl_status pw_lab_sums(const pawl_lab *l, pawl_vary **out) {
  pawl_status status = pw_vary_new(l->system, l->near, out);
  if (status == PAWL_OK) {
    (*out)->given = true;
    (*out)->beside = PW_SCALE(CERT_AHEAD) * l->span;
    (*out)->step = PW_SCALE(CERT_VARY_FINE_STEP);
  }
  return status;
}

pawl_status pw_lab_pass(const pawl_lab *l, pawl_vary *v) {
  pawl_status status = PAWL_OK;
  for (int64_t k = 0; k < l->n && status == PAWL_OK; k++) {
    const double *row = l->rows + (ptrdiff_t)k * l->stride;
    status = pw_vary_put(v, row[0], row + 1, row + 1 + l->sys->nq);
  }
  if (status == PAWL_OK) {
    pawl_vary_finish(v);
    status = v->known ? PAWL_OK : PAWL_E_NAN;
  }
  return status;
}

const char *pw_lab_weak_principle(const pw_system *s) {
  bool servo = false, differential = false;
  for (int i = 0; i < s->nr; i++) {
    pw_kind kind = s->row[i].kind;
    servo = servo || kind == PW_KIND_SERVO;
    differential =
        differential || kind == PW_KIND_NONHOLONOMIC || kind == PW_KIND_ONE_SIDED_VELOCITY;
  }
  return servo            ? "Hoelder with servos, Kozlov sec. 6"
         : s->n_state > 0 ? "stationary with T + lambda phi, Kozlov sec. 7"
         : differential   ? "Hoelder, Kozlov (5.5)"
                          : "Hamilton, weak, Leine and Aeberhard theorem 2";
}

/* Norms (10) of the displacement: largest values, and rates where it is differentiable. */
static void find_norms(const pw_variation *x, int n, double norm[2]) {
  norm[0] = norm[1] = 0;
  for (int i = 0; i < n; i++) {
    norm[1] += x->peak[i];
    norm[0] += x->peak[i] + x->peak[n + i];
  }
  if (x->torn) {
    norm[0] = INFINITY;
  }
}

/* Both ways to compute -delta s have to obey the principle. */
static int verdict(const pawl_lab_family *f) {
  double least = fmin(f->value, f->by_formula), most = fmax(f->value, f->by_formula);
  bool finite = isfinite(least) && isfinite(most);
  return finite && least >= -f->tolerance && (!f->equality || most <= f->tolerance);
}

void pw_lab_judge(const pawl_lab *l, const pawl_vary *v, int i, pw_lab_entry *out) {
  const pw_variation *x = &v->item[i];
  pawl_variation told = pawl_vary_get(v, i);
  bool strong = x->kind == PAWL_VARY_STRONG;
  pawl_lab_family *f = &out->family;
  bool own = strcmp(f->kind, "user") == 0; /* as given, not turned round */
  int sign = strong || own || (told.admissible & 1) != 0 ? 1 : -1;
  f->value = -sign * (told.slope + x->force + x->own);
  f->by_formula = -sign * (told.formula + x->own);
  f->tolerance = PW_SCALE(CERT_TOL_RUN) * x->parts + x->crossed +
                 PW_SCALE(CERT_VARY_NOISE) / v->step * v->bulk;
  f->size = told.size;
  f->t = x->at[sign > 0 ? 0 : 1];
  f->equality = strong || told.admissible == 3;
  f->at_end = x->ends[0] > 0 || x->ends[1] > 0;
  f->holds = strong || (told.admissible & (own ? 1 : 3)) != 0 ? verdict(f) : -1;
  bool general = x->kind == PAWL_VARY_GENERAL;
  f->principle = f->at_end           ? "free ends, Leine and Aeberhard (24)"
                 : strong || general ? "Hamilton, strong, Leine and Aeberhard theorem 1"
                                     : pw_lab_weak_principle(l->sys);
  find_norms(x, l->sys->nv, out->norm);
  out->torn = x->torn;
}

pawl_status pw_lab_keep(pawl_lab *l, const pw_lab_entry *entry) {
  if (l->n_entry == l->entry_cap) {
    int cap = 2 * l->entry_cap + 64;
    pw_lab_entry *more = realloc(l->entry, (size_t)cap * sizeof *more);
    if (more == NULL) {
      return PAWL_E_MEMORY;
    }
    l->entry = more;
    l->entry_cap = cap;
  }
  l->entry[l->n_entry++] = *entry;
  return PAWL_OK;
}

/* ---- families ---- */

static pawl_status vary_family(pawl_lab *l) {
  pawl_vary *v = NULL;
  double from = l->rows[0], to = l->rows[(ptrdiff_t)(l->n - 1) * l->stride];
  pawl_status status = pw_lab_sums(l, &v);
  l->family.free_ends = l->opts.free_ends != 0;
  if (status == PAWL_OK) {
    status = pw_family_add(&l->family, v, from, to, l->extent);
  }
  if (status == PAWL_OK) {
    status = pw_lab_pass(l, v);
    l->action = pawl_vary_action(v);
  }
  for (int i = 0; status == PAWL_OK && i < l->family.n; i++) {
    const pw_bump *b = &l->family.bump[i];
    pw_lab_entry x = {.family = {.kind = b->along == PW_ALONG_TIME ? "strong" : "weak"}};
    x.family.from = fmax(from, b->from);
    x.family.to = fmin(to, b->from + 4 * b->step);
    pw_bump_name(l->sys->model, b, x.along, sizeof x.along);
    pw_lab_judge(l, v, i, &x);
    status = pw_lab_keep(l, &x);
  }
  pawl_vary_free(v);
  return status;
}

static pawl_status refuse_ends(const pw_lab_entry *x, pawl_diags *diags) {
  pw_diag_ref d =
      pw_error(diags, "E0661", PW_NO_SPAN,
               "the variation `%s` does not vanish at both ends of the motion", x->along);
  pw_help(d, "multiply it by a function that does, or let the ends be free: `--ends free`");
  return PAWL_E_MODEL;
}

/* 1/t and sqrt(1 - t) are no displacements where they have no value; where the rate is infinite, as
 * that of sqrt(t), so may the action be. */
static pawl_status refuse_undefined(const pawl_lab *l, const pw_lab_entry *x, pawl_diags *diags) {
  pw_diag_ref d = pw_error(diags, "E0660", PW_NO_SPAN,
                           "the variation `%s`, or its rate, is not a finite number at t = %.9g",
                           x->along, l->user.at);
  pw_help(d,
          "give a function that is defined and differentiable during the whole motion, or choose "
          "a part of it: `-t A..B`");
  return PAWL_E_MODEL;
}

static bool is_open(const pw_variation *x) {
  return x->ends[0] > PW_SCALE(CERT_VARY_ROUNDING) * x->largest ||
         x->ends[1] > PW_SCALE(CERT_VARY_ROUNDING) * x->latest;
}

/* w alone, tau alone, both: whichever are given. */
static pawl_status vary_user(pawl_lab *l, bool w, bool tau, pawl_diags *diags) {
  pawl_vary *v = NULL;
  pawl_status status = pw_lab_sums(l, &v);
  l->user.w = w;
  l->user.tau = tau;
  if (status == PAWL_OK) {
    status = pawl_vary_add(v, tau ? PAWL_VARY_GENERAL : PAWL_VARY_WEAK, pw_lab_user_at, &l->user);
  }
  if (status == PAWL_OK) {
    status = pw_lab_pass(l, v);
  }
  if (status == PAWL_OK) {
    pw_lab_entry x = {.family = {.kind = "user", .from = l->rows[0]}};
    x.family.to = l->rows[(ptrdiff_t)(l->n - 1) * l->stride];
    snprintf(x.along, sizeof x.along, "%s%s%s%s", w ? l->opts.by : "", w && tau ? "; " : "",
             tau ? "t: " : "", tau ? l->opts.shift : "");
    pw_lab_judge(l, v, 0, &x);
    x.family.at_end = is_open(&v->item[0]);
    status = l->user.undefined                       ? refuse_undefined(l, &x, diags)
             : x.family.at_end && !l->opts.free_ends ? refuse_ends(&x, diags)
                                                     : pw_lab_keep(l, &x);
  }
  pawl_vary_free(v);
  return status;
}

static pawl_status vary_users(pawl_lab *l, pawl_diags *diags) {
  bool w = l->opts.by != NULL, tau = l->opts.shift != NULL;
  pawl_status status = PAWL_OK;
  for (int k = 0; k < 3 && status == PAWL_OK; k++) { /* the whole of it first */
    bool with_w = k < 2 && w, with_tau = k != 1 && tau;
    bool news = k == 0 ? w || tau : w && tau;
    status = news ? vary_user(l, with_w, with_tau, diags) : PAWL_OK;
  }
  l->of_user = status == PAWL_OK && (w || tau) ? &l->entry[0] : NULL;
  return status;
}

/* ---- the motion ---- */

static pawl_status refuse_motion(const pawl_lab *l, pawl_diags *diags) {
  pw_diag_ref d;
  if (l->failed) {
    return PAWL_E_MEMORY;
  }
  if (l->many) {
    d = pw_error(diags, "E0662", PW_NO_SPAN, "the motion has more than %d steps",
                 PW_LAB_MOST_ROWS / (PW_LAB_PARTS + 1));
    pw_help(d, "vary a part of it: `-t A..B`");
    return PAWL_E_LIMIT;
  }
  if (l->gap || l->n < 2 || !(l->rows[(ptrdiff_t)(l->n - 1) * l->stride] > l->rows[0])) {
    d = pw_error(diags, "E0663", PW_NO_SPAN, "%s",
                 l->gap ? "the motion was not stored as a whole" : "there is no motion to vary");
    pw_help(d, l->gap ? "vary a part of it: `-t A..B`" : "look at the span of time");
    return PAWL_E_FILE;
  }
  return PAWL_OK;
}

static pawl_status work(pawl_lab *l, pawl_diags *diags) {
  pawl_status status = refuse_motion(l, diags);
  if (status == PAWL_OK) {
    status = pw_lab_measure(l);
  }
  if (status == PAWL_OK) {
    status = pw_lab_user_new(l, diags);
  }
  if (status == PAWL_OK) {
    status = vary_users(l, diags);
  }
  if (status == PAWL_OK) {
    status = vary_family(l);
  }
  if (status == PAWL_OK) {
    status = pw_lab_carried(l);
  }
  if (status == PAWL_OK) {
    status = pw_lab_search(l, &l->worst);
  }
  if (status == PAWL_OK) {
    status = pw_lab_conserve(l);
  }
  l->of_user = l->user.functions == NULL ? NULL : l->entry; /* the list may have moved */
  return status;
}

static pawl_status make(const pawl_system *system, const pawl_lab_opts *opts, double span,
                        int values, pawl_lab **out) {
  pawl_lab *l = calloc(1, sizeof *l);
  *out = l;
  if (l == NULL) {
    return PAWL_E_MEMORY;
  }
  l->system = pw_system_keep(system);
  l->sys = system->sys;
  l->opts = opts == NULL ? (pawl_lab_opts){0} : *opts;
  l->span = l->opts.use_span ? fmin(span, l->opts.to - l->opts.from) : span;
  l->stride = 1 + l->sys->nq + l->sys->nv;
  l->sample = calloc((size_t)values + 1, sizeof *l->sample);
  l->extent = calloc((size_t)l->sys->nq + 1, sizeof *l->extent);
  l->ends = calloc(2 * ((size_t)l->sys->nv + 1), sizeof *l->ends);
  bool room = l->sample != NULL && l->extent != NULL && l->ends != NULL;
  return room ? PAWL_OK : PAWL_E_MEMORY;
}

void pawl_lab_free(pawl_lab *l) {
  if (l != NULL) {
    pw_lab_user_free(&l->user);
    pw_family_free(&l->family);
    free(l->rows);
    free(l->sample);
    free(l->extent);
    free(l->ends);
    free(l->entry);
    free(l->kept);
    pawl_symmetries_free(l->symmetries);
    pw_system_drop(l->system);
    free(l);
  }
}

static pawl_status finish(pawl_lab *l, pawl_status status, pawl_diags *diags, pawl_lab **out) {
  if (status == PAWL_OK) {
    status = work(l, diags);
  }
  if (status != PAWL_OK) {
    pawl_lab_free(l);
    l = NULL;
  }
  *out = l;
  return status;
}

/* ---- from a folder ---- */

static pawl_status take_chunk(void *payload, const pw_chunk_view *chunk) {
  pawl_lab *l = payload;
  pw_chunk_view view = *chunk;
  pw_segment segment;
  while (pw_chunk_next_segment(&view, &segment)) {
    pw_lab_take(l, &segment, pw_shape_values(chunk->shape));
  }
  return view.segments.bad ? PAWL_E_FILE : PAWL_OK;
}

static bool fits(const pw_system *s, const pw_shape *shape) {
  return shape->nq == s->model->nq && shape->nv == s->nv && shape->n_law == s->model->rows.n &&
         shape->nq + shape->n_more == s->nq;
}

static pawl_status open_motion(pw_motion *motion, const pw_system *s, const char *dir,
                               pawl_diags *diags) {
  pw_buf path = {0};
  int reason = 0;
  pw_buf_printf(&path, "%s/" PW_MOTION_NAME, dir);
  pw_motion_fault fault =
      path.failed ? PW_MOTION_NO_MEMORY : pw_motion_open(motion, path.text, &reason);
  if (fault == PW_MOTION_FINE &&
      (pw_file_size(&motion->file, &motion->end) != 0 || !fits(s, motion->shape))) {
    pw_motion_close(motion);
    fault = PW_MOTION_FOREIGN;
  }
  pawl_status status = pw_motion_refuse(path.text, fault, reason, diags);
  pw_buf_free(&path);
  return status;
}

/* Errors of fixed steps are far larger than the effect of a variation. */
static pawl_status refuse_steps(const char *method, pawl_diags *diags) {
  pw_diag_ref d =
      pw_error(diags, "E0664", PW_NO_SPAN,
               "a motion of the method `%s` is not accurate enough to be varied", method);
  pw_help(d, "run the model with `--method event`");
  return PAWL_E_MODEL;
}

/* Signals act between rows in ways that the action does not contain. */
static pawl_status refuse_system(const pawl_system *s, pawl_diags *diags) {
  return pw_system_refuses_signals(s, "a variation", diags) ? PAWL_E_MODEL : PAWL_OK;
}

pawl_status pawl_lab_new(const pawl_system *system, const char *dir, const pawl_lab_opts *opts,
                         pawl_diags *diags, pawl_lab **out) {
  if (out != NULL) {
    *out = NULL;
  }
  if (system == NULL || system->sys == NULL || dir == NULL || out == NULL) {
    return PAWL_E_ARGUMENT;
  }

  /* The motion must belong to a system of this shape. */
  pw_motion motion;
  pawl_lab *l = NULL;
  pawl_status status = refuse_system(system, diags);
  if (status == PAWL_OK) {
    status = open_motion(&motion, system->sys, dir, diags);
  }
  if (status != PAWL_OK) {
    return status;
  }

  /* Fixed steps have errors far larger than the effect of a variation. */
  const char *method = motion.shape->method;
  if (strcmp(method, "moreau") == 0 || strcmp(method, "variational") == 0) {
    status = refuse_steps(method, diags);
    pw_motion_close(&motion);
    return status;
  }

  /* All chunks of the motion are taken before the variations are tried. */
  status =
      make(system, opts, motion.shape->to - motion.shape->from, pw_shape_values(motion.shape), &l);
  if (status == PAWL_OK) {
    status = pw_motion_visit(&motion, motion.end, take_chunk, l);
  }
  pw_motion_close(&motion);
  return finish(l, status, diags, out);
}

/* ---- from a model ---- */

static void take_step(void *payload, const pw_segment *segment) {
  pawl_lab *l = payload;
  int values = l->sys->nq + l->sys->nv + l->sys->nz + PW_ENERGIES;
  pw_lab_take(l, segment, values);
}

pawl_status pawl_lab_run(const pawl_model *model, const pawl_run_opts *run_opts,
                         const pawl_lab_opts *opts, pawl_diags *diags, pawl_lab **out) {
  if (out != NULL) {
    *out = NULL;
  }
  if (model == NULL || out == NULL) {
    return PAWL_E_ARGUMENT;
  }

  /* The run writes nothing; its steps go straight into the lab. */
  pawl_run_opts go = run_opts == NULL ? (pawl_run_opts){0} : *run_opts;
  pawl_run *run = NULL;
  pawl_lab *l = NULL;
  go.dir = NULL;
  go.no_certificate = 1;
  pawl_status status = pawl_run_new(model, &go, diags, &run);

  /* The same refusals as for a motion from a file. */
  if (status == PAWL_OK) {
    status = refuse_system(pawl_run_system(run), diags);
  }
  if (status == PAWL_OK && !pw_run_is_exact(run)) {
    status = refuse_steps(pw_method_text(run->opts.sim.method), diags);
  }

  /* Rows have positions, velocities, ledger and energies. */
  if (status == PAWL_OK) {
    const pawl_system *s = pawl_run_system(run);
    status = make(s, opts, run->opts.sim.to - run->opts.sim.from,
                  s->sys->nq + s->sys->nv + s->sys->nz + PW_ENERGIES, &l);
  }
  if (status == PAWL_OK && !pw_run_watch(run, take_step, l)) {
    status = PAWL_E_MEMORY;
  }

  /* A motion that stopped early can be varied up to there. */
  if (status == PAWL_OK) {
    status = pawl_run_go(run, diags);
    bool early = pawl_run_result_get(run).ending == PAWL_STOPPED_EARLY;
    status = early ? PAWL_OK : status;
  }
  status = finish(l, status, diags, out);
  pawl_run_free(run);
  return status;
}
