// SPDX-License-Identifier: MIT
/* Lyapunov exponents: columns along the motion are made orthogonal again and again, and the
 * logarithms of their lengths summed up (Benettin et al. 1980), orbits (O6). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "linalg/dense.h"
#include "orbit/orbit.h"
#include "sim/trial.h"

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

static pawl_status follow(pawl_orbit *o, pw_tangent *x, double *columns, double *parameters,
                          pawl_diags *diags) {
  enum { PIECES = 400 };
  int n = pw_tangent_size(x), k = o->n_exponent;
  pawl_sim_stats s = pawl_sim_statistics(pw_tangent_sim(x));
  for (int j = 0; j < k; j++) { /* a direction that nothing prefers */
    for (int i = 0; i < n; i++) {
      columns[(size_t)j * (size_t)n + (size_t)i] = cos(1.7 * (i + 1) * (j + 1) + j);
    }
  }
  double *none = calloc((size_t)k + 1, sizeof *none);
  bool ok = none != NULL && renew(columns, n, k, none);
  free(none);
  pw_tangent_begin(x, columns, parameters);
  pawl_status status = ok ? PAWL_OK : PAWL_E_MEMORY;
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
  int n = system->sys->nq + system->sys->nv, np = system->model->parameters.n;
  o->n_exponent = o->opts.exponents < n ? o->opts.exponents : n;
  o->exponent = calloc((size_t)n + 1, sizeof *o->exponent);
  double *columns = calloc((size_t)n * (size_t)o->n_exponent + 1, sizeof *columns);
  double *parameters = calloc((size_t)np * (size_t)o->n_exponent + 1, sizeof *parameters);
  status = o->exponent == NULL || columns == NULL || parameters == NULL
               ? PAWL_E_MEMORY
               : pw_tangent_new(system, &sim, o->n_exponent, diags, &x);
  status = status == PAWL_OK ? follow(o, x, columns, parameters, diags) : status;
  free(columns);
  free(parameters);
  pw_tangent_free(x);
  return status;
}
