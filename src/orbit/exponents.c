// SPDX-License-Identifier: MIT
/* Lyapunov exponents: columns along the motion are made orthogonal again and again, and the
 * logarithms of their lengths summed up (Benettin et al. 1980), orbits (O6). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "law/scale_tangent.h"
#include "linalg/dense.h"
#include "orbit/manifold.h"
#include "orbit/orbit.h"
#include "sim/trial.h"

enum { PIECES = 400 }; /* of the run, after which columns are made orthogonal again */

/* Gram and Schmidt, with the lengths into the sums. False: a column has vanished. */
static bool renew(double *columns, int n, int k, double *sum) {
  bool ok = true;
  for (int j = 0; j < k; j++) {
    double *column = columns + (size_t)j * (size_t)n;
    for (int twice = 0; twice < 2; twice++) {
      for (int i = 0; i < j; i++) {
        const double *other = columns + (size_t)i * (size_t)n;
        pw_axpy(-pw_dot(other, column, n), other, column, n);
      }
    }
    double length = pw_norm2(column, n);
    ok = ok && length > 0 && isfinite(length);
    sum[j] += log(length);
    for (int i = 0; i < n; i++) {
      column[i] /= length;
    }
  }
  return ok;
}

/* Columns that the equalities and the length of quaternions allow at the start: no more than there
 * are directions. */
static pawl_status allow(pawl_orbit *o, pw_tangent *x, double *columns) {
  const pw_system *s = o->system->sys;
  int n = pw_tangent_size(x), freedom = n;
  pw_trial_point p = pw_trial_at(pw_tangent_sim(x));
  pw_manifold_at at = {p.t, p.y, p.side, -1};
  size_t size = (size_t)n * (size_t)(n + 1);
  double *onto = calloc(size + (size_t)n + 1, sizeof *onto), *sum = onto + size;
  pw_mech *mech = NULL;
  pawl_status status = onto == NULL ? PAWL_E_MEMORY : pw_mech_new(s, &mech);
  status = status == PAWL_OK ? pw_manifold_columns(mech, &at, onto, &freedom) : status;
  for (int j = 0; j < o->n_exponent && status == PAWL_OK; j++) {
    double *column = columns + (size_t)j * (size_t)n;
    pw_zero(sum, n);
    for (int i = 0; i < n; i++) {
      pw_axpy(column[i], onto + (size_t)i * (size_t)n, sum, n);
    }
    pw_copy(column, sum, n);
  }
  o->n_exponent = o->n_exponent < freedom ? o->n_exponent : freedom;
  pw_mech_free(mech);
  free(onto);
  return status;
}

/* Orthogonal columns in directions that nothing prefers. */
static pawl_status choose_columns(pawl_orbit *o, pw_tangent *x, double *columns) {
  int n = pw_tangent_size(x);
  for (int j = 0; j < o->n_exponent; j++) {
    for (int i = 0; i < n; i++) {
      columns[(size_t)j * (size_t)n + (size_t)i] = cos(1.7 * (i + 1) * (j + 1) + j);
    }
  }
  pawl_status status = pw_manifold_is_flat(o->system->sys) ? PAWL_OK : allow(o, x, columns);
  double *none = calloc((size_t)o->n_exponent + 1, sizeof *none);
  bool ok = none != NULL && renew(columns, n, o->n_exponent, none);
  free(none);
  return status == PAWL_OK && !ok ? PAWL_E_MEMORY : status;
}

static pawl_status follow(pawl_orbit *o, pw_tangent *x, double *columns, double *parameters,
                          pawl_diags *diags) {
  int n = pw_tangent_size(x), k = o->n_exponent;
  pawl_sim_stats s = pawl_sim_statistics(pw_tangent_sim(x));
  bool ok = true;
  pawl_status status = PAWL_OK;
  pw_tangent_begin(x, columns, parameters);
  for (int p = 1; p <= PIECES && status == PAWL_OK && pw_tangent_why(x, NULL) == NULL; p++) {
    double target = s.from + (s.to - s.from) * p / PIECES;
    pawl_stop why = PAWL_AT_EVENT;
    while (status == PAWL_OK && why == PAWL_AT_EVENT) {
      status = pw_tangent_advance(x, target, diags, &why);
    }
    /* columns inside of a step are looked at, those at its end go on: only at ends of steps */
    double end;
    memcpy(columns, pw_tangent_end(x, &end), (size_t)n * (size_t)k * sizeof *columns);
    ok = status == PAWL_OK && renew(columns, n, k, o->exponent);
    if (!ok) {
      break;
    }
    pw_tangent_set(x, columns);
    o->exponent_time = end - s.from;
    if (why == PAWL_AT_END) {
      break;
    }
  }
  const char *why = pw_tangent_why(x, NULL);
  if (status == PAWL_OK && (why != NULL || !ok)) {
    pw_diag_ref d = pw_error(diags, "E0686", PW_NO_SPAN, "the exponents cannot be followed");
    pw_note(d, "%s", why != NULL ? why : "all neighbouring motions run into this one");
    status = PAWL_E_NO_MOTION;
  }
  for (int j = 0; j < k; j++) {
    o->exponent[j] /= o->exponent_time;
  }
  return status;
}

pawl_status pw_orbit_exponents(pawl_orbit *o, pawl_diags *diags) {
  pawl_system *system = NULL;
  pw_tangent *x = NULL;
  pawl_system_opts opts = {.overrides = o->opts.overrides, .n_override = o->opts.n_override};
  pawl_sim_opts sim = {.tol = o->opts.tol, .ask = o->opts.ask, .payload = o->opts.payload};
  pawl_status status = pawl_system_new(o->model, &opts, diags, &system);
  if (status != PAWL_OK) {
    return status;
  }
  o->system = system;
  if (system->model->run.given) { /* where the motion rests, columns must not run into one */
    double span = system->model->run.to - system->model->run.from;
    sim.max_step = PW_SCALE(EXPONENT_STEP) * span;
  }
  int n = system->sys->nq + system->sys->nv, np = system->model->parameters.n;
  o->n_exponent = o->opts.exponents < n ? o->opts.exponents : n;
  o->exponent = calloc((size_t)n + 1, sizeof *o->exponent);
  double *columns = calloc((size_t)n * (size_t)o->n_exponent + 1, sizeof *columns);
  double *parameters = calloc((size_t)np * (size_t)o->n_exponent + 1, sizeof *parameters);
  status = o->exponent == NULL || columns == NULL || parameters == NULL
               ? PAWL_E_MEMORY
               : pw_tangent_new(system, &sim, o->n_exponent, diags, &x);
  status = status == PAWL_OK ? choose_columns(o, x, columns) : status;
  status = status == PAWL_OK ? follow(o, x, columns, parameters, diags) : status;
  free(columns);
  free(parameters);
  pw_tangent_free(x);
  return status;
}
