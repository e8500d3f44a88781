// SPDX-License-Identifier: MIT
/* Realisations of a constraint against the ideal one. Sizes of coefficients come from the ideal
 * motion: with the force F of the law and the largest speed U, viscosity N = F/U * 10^k lets the
 * law slip by a part 10^-k of U; with the way L, stiffness K = F/L * 10^k lets it yield by a part
 * 10^-k of L. The mass for the damping of a spring is 2 T/U^2. Of a contact the first impact shows
 * the mass m = impulse/(jump of the rate) and the restitution e; a spring and damper with the ratio
 *   z = -log e / sqrt(pi^2 + log^2 e),   c = 2 z sqrt(K m),
 * gives back e of the rate (example kelvin-voigt-floor). K = m (v/L)^2 10^k lets it in by a
 * part 10^(-k/2) of L. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "study/study.h"

#include "base/diag.h"
#include "base/pi.h"
#include "law/scale_run.h"

enum { DECADES = 7 };

typedef struct realisation {
  const pawl_model *model;
  const pawl_study_opts *opts;
  pawl_study *s;
  const pawl_system *ideal;
  const char *law;
  char name[PW_STUDY_TEXT]; /* "realise LAW" */
  double F, U, L, mass;
  double damping; /* of a contact: z */
} realisation;

/* One motion with the law realised as `how`; the first row that the compiler refuses ends the
 * series with its reason. */
static pawl_status add(const realisation *x, pw_study_line *line, const char *how, double value) {
  pawl_override more = {x->name, how};
  pawl_diags *diags = NULL;
  pawl_system *system = NULL;
  if (line == NULL || line->refused[0] != '\0') {
    return PAWL_OK;
  }
  pawl_status status = pawl_diags_new(&diags);
  if (status == PAWL_OK) {
    status = pw_study_system(x->model, x->opts, &more, diags, &system);
  }
  status = diags != NULL && pw_diags_lost(diags) ? PAWL_E_MEMORY : status;
  if (status == PAWL_OK) {
    pawl_sim_opts tight = {.tol = PW_SCALE(STUDY_TOL)};
    double h = value > 0 ? 1 / value : 0;
    status = pw_study_add(x->s, line, system, x->opts, &tight, value, h);
  } else if (status != PAWL_E_MEMORY) {
    pw_study_reason(diags, line->refused);
    line->n = 0;
    status = PAWL_OK;
  }
  pawl_system_free(system);
  pawl_diags_free(diags);
  return status;
}

typedef void (*describe)(const realisation *x, double part, char *how, double *value);

static void as_viscous(const realisation *x, double part, char *how, double *value) {
  *value = x->F / x->U * part;
  snprintf(how, PW_STUDY_TEXT, "viscous:%.17g", *value);
}

static void as_spring(const realisation *x, double part, double damping, char *how, double *value) {
  *value = x->F / x->L * part;
  snprintf(how, PW_STUDY_TEXT, "viscous:%.17g:%.17g", damping * 2 * sqrt(*value * x->mass), *value);
}

static void as_damped(const realisation *x, double part, char *how, double *value) {
  as_spring(x, part, 1, how, value);
}

static void as_stiff(const realisation *x, double part, char *how, double *value) {
  as_spring(x, part, PW_SCALE(STUDY_DAMPING), how, value);
}

static void as_contact(const realisation *x, double part, char *how, double *value) {
  double rate = x->s->limit.before / x->L;
  *value = x->mass * rate * rate * part;
  snprintf(how, PW_STUDY_TEXT, "viscous:%.17g:%.17g", x->damping * 2 * sqrt(*value * x->mass),
           *value);
}

static void as_friction(const realisation *x, double part, char *how, double *value) {
  *value = x->F * part;
  snprintf(how, PW_STUDY_TEXT, "friction:%.17g", *value);
}

static pawl_status family(realisation *x, const char *name, const char *by, describe way,
                          const double *parts, int n) {
  pw_study_line *line = pw_study_begin(x->s, name, by);
  pawl_status status = PAWL_OK;
  for (int k = 0; k < n && status == PAWL_OK; k++) {
    char how[PW_STUDY_TEXT];
    double value;
    way(x, parts[k], how, &value);
    status = add(x, line, how, value);
  }
  bool limit = way != as_friction; /* which is reached, not approached */
  if (line != NULL && status == PAWL_OK && limit) {
    pw_study_fit(x->s, line);
  }
  return status;
}

static pawl_status single(realisation *x, const char *name, const char *how) {
  return add(x, pw_study_begin(x->s, name, ""), how, NAN);
}

/* A servo that keeps the law by a force on one coordinate: no limit of it, and shown as such. */
static pawl_status servos(realisation *x) {
  enum { MOST = 3 };
  pawl_status status = PAWL_OK;
  int n = pawl_system_positions(x->ideal);
  for (int i = 0; i < n && i < MOST && status == PAWL_OK; i++) {
    char name[PW_STUDY_TEXT], how[PW_STUDY_TEXT];
    snprintf(name, sizeof name, "servo by %s", pawl_position_name(x->ideal, i));
    snprintf(how, sizeof how, "servo:%s", pawl_position_name(x->ideal, i));
    status = single(x, name, how);
  }
  return status;
}

static pawl_status all_ways(realisation *x, const char *kind) {
  static const double decades[DECADES] = {1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7};
  static const double bounds[] = {0.25, 0.5, 0.75, 1, 1.5, 2};
  enum { BOUNDS = sizeof bounds / sizeof *bounds, STIFF = 4 };
  if (strcmp(kind, "unilateral") == 0) {
    return family(x, "spring and damper", "K", as_contact, decades, DECADES);
  }
  bool two_sided = strcmp(kind, "nonholonomic") == 0;
  bool velocity = two_sided || strcmp(kind, "one-sided-velocity") == 0;
  pawl_status status = velocity ? family(x, "viscous", "N", as_viscous, decades, DECADES)
                                : family(x, "spring, damped", "K", as_damped, decades, DECADES);
  if (status == PAWL_OK && !velocity) {
    status = family(x, "spring, stiff", "K", as_stiff, decades, STIFF);
  }
  if (status == PAWL_OK && two_sided) {
    status = family(x, "friction", "bound", as_friction, bounds, BOUNDS);
  }
  if (status == PAWL_OK && two_sided) {
    status = single(x, "vakonomic", "vakonomic");
  }
  return status == PAWL_OK ? servos(x) : status;
}

/* ---- the law ---- */

static bool is_member(const char *name, const char *law) {
  size_t n = strlen(law);
  return strncmp(name, law, n) == 0 && (name[n] == '\0' || name[n] == '[');
}

static const char *kind_of(const pawl_system *system, const char *law) {
  for (int i = 0; i < pawl_system_laws(system); i++) {
    pawl_law_info info = pawl_law_get(system, i);
    if (is_member(info.name, law)) {
      return info.kind;
    }
  }
  return NULL;
}

/* A family may be empty. */
static pawl_status check_kind(const realisation *x, const char *kind, pawl_diags *diags) {
  if (kind != NULL) {
    return PAWL_OK;
  }
  pw_diag_ref ref = pw_error(diags, "E0541", PW_NO_SPAN,
                             "`%s` has no table of realisations: it has no members", x->law);
  pw_help(ref, "choose numbers with which there are some");
  return PAWL_E_MODEL;
}

/* What the first impact shows; without one no restitution is asked for. */
static bool read_impact(realisation *x) {
  const pw_course *s = &x->s->limit;
  double jump = s->after - s->before, e = -s->after / s->before;
  if (!s->struck || !(s->impulse > 0) || !(jump > 0) || !(s->before < 0) || !(x->L > 0)) {
    return false;
  }
  x->mass = s->impulse / jump;
  x->damping = e > 0 ? -log(e) / hypot(PW_PI, log(e)) : 1;
  return true;
}

static pawl_status check_force(realisation *x, const char *kind, pawl_diags *diags) {
  const pw_course *s = &x->s->limit;
  x->F = s->force;
  for (int k = 0; k < s->n * s->nv; k++) {
    x->U = fmax(x->U, fabs(s->u[k]));
  }
  for (int k = 0; k < s->n * s->nq; k++) {
    x->L = fmax(x->L, fabs(s->q[k] - s->q[k % s->nq]));
  }
  x->mass = x->U > 0 ? 2 * s->energy / (x->U * x->U) : 0;
  bool contact = strcmp(kind, "unilateral") == 0;
  if (contact ? read_impact(x) : x->F > 0 && x->U > 0 && x->L > 0 && x->mass > 0) {
    return PAWL_OK;
  }
  pw_diag_ref ref =
      pw_error(diags, "E0542", PW_NO_SPAN,
               "`%s` does nothing along the ideal motion: there is nothing to compare", x->law);
  pw_help(ref, "choose a start or a time span in which its force is not zero, or a contact is hit");
  return PAWL_E_MODEL;
}

static pawl_status compare(realisation *x, pawl_diags *diags) {
  const char *kind = kind_of(x->ideal, x->law);
  pawl_status status = check_kind(x, kind, diags);
  if (status == PAWL_OK) {
    status = pw_study_limit(x->s, x->ideal, x->opts, x->law, diags);
  }
  if (status == PAWL_OK) {
    status = check_force(x, kind, diags);
  }
  return status == PAWL_OK ? all_ways(x, kind) : status;
}

pawl_status pawl_realise_new(const pawl_model *model, const char *law, const pawl_study_opts *opts,
                             pawl_diags *diags, pawl_study **out) {
  pawl_study_opts none = {0};
  pawl_system *system = NULL;
  realisation x = {.model = model, .law = law, .opts = opts == NULL ? &none : opts};
  if (out != NULL) {
    *out = NULL;
  }
  if (model == NULL || law == NULL || strlen(law) > PW_STUDY_TEXT / 2 || out == NULL ||
      (x.opts->n_override > 0 && x.opts->overrides == NULL)) {
    return PAWL_E_ARGUMENT;
  }

  /* The same model with the law as an ideal constraint is the limit. */
  snprintf(x.name, sizeof x.name, "realise %s", law);
  pawl_override ideal = {x.name, "ideal"};
  pawl_status status = pw_study_system(model, x.opts, &ideal, diags, &system);
  x.ideal = system;

  /* Every way to realise the law is compared with it. */
  if (status == PAWL_OK) {
    status = pw_study_make(pawl_system_file(system), &x.s);
  }
  if (status == PAWL_OK) {
    x.s->against = "the ideal constraint";
    snprintf(x.s->law, sizeof x.s->law, "%s", law);
    status = compare(&x, diags);
  }

  /* After a failure the caller has no object. */
  pawl_system_free(system);
  if (status != PAWL_OK) {
    pawl_study_free(x.s);
    x.s = NULL;
  }
  *out = x.s;
  return status;
}
