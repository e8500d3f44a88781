// SPDX-License-Identifier: MIT
#include "unit_part.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- telling ---- */

void fmi_unit_tell(fmi_unit *unit, int severity, const char *fmt, ...) {
  char text[1024];
  va_list args;
  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  unit->say(unit, severity, text);
}

static int to_text(void *payload, const char *bytes, unsigned long count) {
  char *text = payload;
  size_t len = strlen(text), room = 4000 - len;
  count = count < room ? count : room;
  memcpy(text + len, bytes, count);
  text[len + count] = '\0';
  return 0;
}

/* The errors of the library as it prints them, or the status. */
static void tell_errors(fmi_unit *unit, pawl_status status) {
  char text[4001];
  bool told = false;
  for (int i = 0; i < pawl_diags_count(unit->diags); i++) {
    const pawl_diag *d = pawl_diags_get(unit->diags, i);
    text[0] = '\0';
    if (d->severity == PAWL_ERROR && pawl_diag_write(d, 0, to_text, text) == PAWL_OK) {
      unit->say(unit, 3, text);
      told = true;
    }
  }
  if (!told) {
    unit->say(unit, 3, pawl_status_text(status));
  }
  pawl_diags_clear(unit->diags);
}

/* ---- making ---- */

static char *read_all(const char *path, unsigned long *count) {
  enum { MOST = 1 << 26 };
  FILE *file = fopen(path, "rb");
  char *text = NULL;
  size_t room = 1 << 16, n = 0, got = 1;
  if (file == NULL) {
    return NULL;
  }
  while (got > 0 && n < MOST) {
    char *more = realloc(text, room *= 2);
    if (more == NULL) {
      break;
    }
    text = more;
    got = fread(text + n, 1, room - n, file);
    n += got;
  }
  bool ok = got == 0 && ferror(file) == 0;
  fclose(file);
  if (!ok) {
    free(text);
    return NULL;
  }
  *count = (unsigned long)n;
  return text;
}

static bool has_token(const char *token, unsigned long long right) {
  char expected[40];
  snprintf(expected, sizeof expected, "{pawl-%016llx}", right);
  return token == NULL || strcmp(token, expected) == 0;
}

static pawl_status load(fmi_unit *unit, const char *path, const char *token) {
  unsigned long count = 0;
  char *text = read_all(path, &count);
  if (text == NULL) {
    fmi_unit_tell(unit, 3, "cannot read %s", path);
    return PAWL_E_FILE;
  }
  pawl_status status = PAWL_E_STATE;
  unit->token = pawl_fmu_token(text, count);
  if (has_token(token, unit->token)) {
    pawl_model_opts opts = {.name = path};
    status = pawl_model_parse(text, count, &opts, unit->diags, &unit->model);
  } else {
    fmi_unit_tell(unit, 3, "the token %s is not that of the model in %s", token, path);
  }
  free(text);
  if (status == PAWL_OK) {
    status = pawl_system_new(unit->model, &(pawl_system_opts){0}, unit->diags, &unit->initial);
  }
  if (status != PAWL_OK && status != PAWL_E_STATE) {
    tell_errors(unit, status);
  }
  return status;
}

/* Bytes of the numbers that decide the start of the motion, and of all that can be set. */
static size_t start_size(const fmi_unit *unit) {
  return ((size_t)unit->n_parameter + (size_t)unit->n_input) * sizeof(double);
}

static size_t values_size(const fmi_unit *unit) {
  return start_size(unit) + (size_t)unit->n_input * sizeof(double);
}

static void set_defaults(fmi_unit *unit) {
  for (int i = 0; i < unit->n_parameter; i++) {
    unit->parameter[i] = pawl_parameter_get(unit->initial, i).value;
  }
  for (int i = 0; i < unit->n_input; i++) {
    unit->first[i] = unit->input[i] = pawl_input_start(unit->initial, i);
  }
}

fmi_unit *fmi_unit_new(const char *path, const char *token, fmi_say say, void *host, bool logging) {
  fmi_unit *unit = calloc(1, sizeof *unit);
  if (unit == NULL) {
    return NULL;
  }
  unit->say = say;
  unit->host = host;
  unit->logging = logging;
  unit->mode = FMI_MADE;
  if (pawl_diags_new(&unit->diags) != PAWL_OK || load(unit, path, token) != PAWL_OK) {
    fmi_unit_free(unit);
    return NULL;
  }
  unit->n_parameter = pawl_system_parameters(unit->initial);
  unit->n_input = pawl_system_inputs(unit->initial);
  unit->parameter = calloc(1, values_size(unit) + 1);
  if (unit->parameter == NULL) {
    fmi_unit_free(unit);
    return NULL;
  }
  unit->first = unit->parameter + unit->n_parameter;
  unit->input = unit->first + unit->n_input;
  set_defaults(unit);
  return unit;
}

static void drop_motion(fmi_unit *unit) {
  pawl_sim_free(unit->sim);
  pawl_system_free(unit->system);
  unit->sim = NULL;
  unit->system = NULL;
}

void fmi_unit_free(fmi_unit *unit) {
  if (unit == NULL) {
    return;
  }
  drop_motion(unit);
  pawl_system_free(unit->initial);
  pawl_model_free(unit->model);
  pawl_diags_free(unit->diags);
  free(unit->parameter);
  free(unit);
}

void fmi_unit_reset(fmi_unit *unit) {
  drop_motion(unit);
  set_defaults(unit);
  unit->mode = FMI_MADE;
  unit->pending = unit->stale = unit->has_stop = unit->fresh = unit->driven = false;
  unit->tol = unit->start = unit->stop = unit->t = 0;
}

bool fmi_unit_allows(fmi_unit *unit, int modes, const char *call) {
  if (unit == NULL) {
    return false;
  }
  if (((int)unit->mode & modes) != 0) {
    return true;
  }
  const char *now = unit->mode == FMI_MADE      ? "before the initialization"
                    : unit->mode == FMI_INIT    ? "in initialization mode"
                    : unit->mode == FMI_EVENT   ? "in event mode"
                    : unit->mode == FMI_STEP    ? "in step mode"
                    : unit->mode == FMI_ENDED   ? "after the end"
                    : unit->mode == FMI_BETWEEN ? "inside of a step"
                                                : "after an error";
  fmi_unit_tell(unit, 3, "%s is not allowed %s", call, now);
  return false;
}

bool fmi_unit_given(fmi_unit *unit, const void *argument, const char *call, const char *what) {
  if (argument == NULL) {
    fmi_unit_tell(unit, 3, "%s needs %s, not NULL", call, what);
  }
  return argument != NULL;
}

bool fmi_unit_arrays(fmi_unit *unit, size_t n, const void *references, const void *values,
                     const char *call) {
  return n == 0 || (fmi_unit_given(unit, references, call, "an array of value references") &&
                    fmi_unit_given(unit, values, call, "an array of values"));
}

/* ---- compiling ---- */

enum { DIGITS = 32 };

typedef struct changes { /* of the text, as numbers that read back the same */
  pawl_override *list;
  char (*text)[DIGITS];
  int n;
} changes;

static void add_change(changes *c, const char *name, double value, double of_text) {
  if (value != of_text) {
    snprintf(c->text[c->n], DIGITS, "%.17g", value);
    c->list[c->n] = (pawl_override){name, c->text[c->n]};
    c->n++;
  }
}

static void free_changes(changes *c) {
  free(c->list);
  free(c->text);
}

/* False: out of memory. */
static bool find_changes(const fmi_unit *unit, changes *c) {
  size_t n = (size_t)unit->n_parameter + (size_t)unit->n_input + 1;
  *c = (changes){calloc(n, sizeof *c->list), calloc(n, sizeof *c->text), 0};
  if (c->list == NULL || c->text == NULL) {
    return false;
  }
  for (int i = 0; i < unit->n_parameter; i++) {
    pawl_parameter_info p = pawl_parameter_get(unit->initial, i);
    add_change(c, p.name, unit->parameter[i], p.value);
  }
  for (int i = 0; i < unit->n_input; i++) {
    add_change(c, pawl_input_name(unit->initial, i), unit->first[i],
               pawl_input_start(unit->initial, i));
  }
  return true;
}

/* Without a stop time a unit may run for long: it is no fault of a motion to have many steps. */
static pawl_sim_opts options(const fmi_unit *unit) {
  enum { LONG_RUN = 1000 };
  double from = 0, to = 1;
  if (!pawl_run_span(unit->initial, &from, &to)) {
    to = from + 1;
  }
  return (pawl_sim_opts){.use_span = 1,
                         .from = unit->start,
                         .to = unit->has_stop ? unit->stop : unit->start + LONG_RUN * (to - from),
                         .tol = unit->tol,
                         .max_steps = INT64_MAX,
                         .max_events = INT64_MAX};
}

static pawl_status compile(fmi_unit *unit) {
  changes c;
  pawl_status status = PAWL_E_MEMORY;
  if (find_changes(unit, &c)) {
    pawl_system_opts opts = {.overrides = c.list, .n_override = c.n};
    status = pawl_system_new(unit->model, &opts, unit->diags, &unit->system);
  }
  free_changes(&c);
  return status;
}

bool fmi_unit_ready(fmi_unit *unit) {
  if (unit->sim != NULL && !unit->stale) {
    return true;
  }
  drop_motion(unit);
  pawl_status status = compile(unit);
  if (status == PAWL_OK) {
    pawl_sim_opts opts = options(unit);
    status = pawl_sim_new(unit->system, &opts, unit->diags, &unit->sim);
  }
  if (status != PAWL_OK) {
    tell_errors(unit, status);
    drop_motion(unit);
    return false;
  }
  pawl_diags_clear(unit->diags);
  unit->stale = unit->fresh = unit->driven = false;
  unit->t = unit->start;
  return true;
}

/* Hands inputs to the motion; an event that is not treated yet comes first. */
bool fmi_unit_follow(fmi_unit *unit) {
  if (!fmi_unit_ready(unit)) {
    return false;
  }
  for (int i = 0; unit->fresh && !unit->pending && i < unit->n_input; i++) {
    pawl_status status = pawl_sim_input(unit->sim, i, unit->input[i]);
    if (status != PAWL_OK) {
      tell_errors(unit, status);
      return false;
    }
    unit->driven = true;
  }
  unit->fresh = unit->fresh && unit->pending;
  return true;
}

bool fmi_unit_gradient(fmi_unit *unit, const char *const *names, int n, pawl_gradient **out) {
  changes c;
  pawl_status status = PAWL_E_MEMORY;
  if (find_changes(unit, &c)) {
    pawl_system_opts system = {.overrides = c.list, .n_override = c.n};
    pawl_sim_opts sim = options(unit);
    sim.to = unit->t;
    status = pawl_gradient_new(unit->model, &system, &sim, names, n, unit->diags, out);
  }
  free_changes(&c);
  if (status != PAWL_OK) {
    tell_errors(unit, status);
  }
  pawl_diags_clear(unit->diags);
  return status == PAWL_OK;
}

/* ---- values ---- */

static bool take(const double *values, int i, double *out) {
  *out = values[i];
  return true;
}

static pawl_status get_energy(fmi_unit *unit, pawl_fmu_kind kind, double *out) {
  pawl_energy e;
  pawl_status status = pawl_sim_energy(unit->sim, &e, NULL);
  *out = kind == PAWL_FMU_KINETIC ? e.kinetic : kind == PAWL_FMU_POTENTIAL ? e.potential : e.lost;
  return status;
}

static bool get_from_point(fmi_unit *unit, pawl_fmu_variable v, double *out) {
  pawl_point p = {0};
  bool energy =
      v.kind == PAWL_FMU_KINETIC || v.kind == PAWL_FMU_POTENTIAL || v.kind == PAWL_FMU_LOST;
  pawl_status status =
      energy ? get_energy(unit, v.kind, out)
             : pawl_sim_point(unit->sim, unit->pending ? PAWL_BEFORE : PAWL_AFTER, &p);
  if (status != PAWL_OK) {
    tell_errors(unit, status);
    return false;
  }
  if (energy) {
    return true;
  }
  return take(v.kind == PAWL_FMU_POSITION   ? p.q
              : v.kind == PAWL_FMU_VELOCITY ? p.u
              : v.kind == PAWL_FMU_FORCE    ? p.force
                                            : p.output,
              v.index, out);
}

pawl_fmu_variable fmi_unit_find(const fmi_unit *unit, unsigned reference) {
  return reference > INT_MAX ? (pawl_fmu_variable){PAWL_FMU_NONE, 0}
                             : pawl_fmu_variable_get(unit->initial, (int)reference);
}

bool fmi_unit_get(fmi_unit *unit, unsigned reference, double *out) {
  pawl_fmu_variable v = fmi_unit_find(unit, reference);
  switch (v.kind) {
  case PAWL_FMU_NONE: fmi_unit_tell(unit, 3, "there is no value reference %u", reference); break;
  case PAWL_FMU_TIME: *out = unit->mode == FMI_INIT ? unit->start : unit->t; return true;
  case PAWL_FMU_PARAMETER: return take(unit->parameter, v.index, out);
  case PAWL_FMU_INPUT: return take(unit->input, v.index, out);
  default: return fmi_unit_follow(unit) && get_from_point(unit, v, out);
  }
  return false;
}

bool fmi_unit_set(fmi_unit *unit, unsigned reference, double value) {
  pawl_fmu_variable v = fmi_unit_find(unit, reference);
  bool early = (unit->mode & (FMI_MADE | FMI_INIT)) != 0;
  if (!isfinite(value)) {
    fmi_unit_tell(unit, 3, "the value for reference %u is not a finite number", reference);
    return false;
  }
  if (v.kind == PAWL_FMU_PARAMETER && early) {
    unit->parameter[v.index] = value;
    unit->stale = true;
    return true;
  }
  if (v.kind == PAWL_FMU_INPUT) {
    bool other = unit->input[v.index] != value;
    unit->input[v.index] = value;
    unit->first[v.index] = early ? value : unit->first[v.index];
    unit->stale = unit->stale || (early && other);
    unit->fresh = unit->fresh || (!early && other);
    return true;
  }
  fmi_unit_tell(unit, 3,
                v.kind == PAWL_FMU_NONE        ? "there is no value reference %u"
                : v.kind == PAWL_FMU_PARAMETER ? "reference %u is a parameter: it is fixed now"
                                               : "reference %u is computed: it cannot be set",
                reference);
  return false;
}

/* ---- going on ---- */

bool fmi_unit_experiment(fmi_unit *unit, bool has_tol, double tol, double start, bool has_stop,
                         double stop) {
  bool legal = isfinite(start) && (!has_stop || (stop > start && isfinite(stop))) &&
               (!has_tol || (tol >= PAWL_TOL_LEAST && tol <= PAWL_TOL_MOST));
  if (!legal) {
    fmi_unit_tell(unit, 3, "start time, stop time or tolerance are not legal");
    return false;
  }
  unit->tol = has_tol ? tol : 0;
  unit->start = unit->t = start;
  unit->has_stop = has_stop;
  unit->stop = has_stop ? stop : 0;
  unit->stale = true;
  return true;
}

/* Communication points are sums of steps, with their rounding. */
static const double rounding_of_points = 1e-6; /* part of a step */

bool fmi_unit_target(fmi_unit *unit, double point, double size, double *target) {
  double slack = rounding_of_points * size;
  if (!(size > 0) || !isfinite(size) || !(fabs(point - unit->t) <= slack)) {
    fmi_unit_tell(unit, 3, "a step of %g from %.17g is not possible: the unit is at %.17g", size,
                  point, unit->t);
    return false;
  }
  *target = point + size;
  if (unit->has_stop && *target > unit->stop && *target - unit->stop <= slack) {
    *target = unit->stop;
  }
  return true;
}

bool fmi_unit_advance(fmi_unit *unit, double target, pawl_stop *why) {
  pawl_point p;
  if (!fmi_unit_follow(unit)) {
    unit->mode = FMI_FAILED;
    return false;
  }
  pawl_status status = pawl_sim_advance(unit->sim, target, unit->diags, why);
  if (pawl_sim_point(unit->sim, PAWL_AFTER, &p) == PAWL_OK) {
    unit->t = p.t;
  }
  if (status != PAWL_OK) {
    tell_errors(unit, status);
    unit->mode = FMI_FAILED;
    return false;
  }
  pawl_diags_clear(unit->diags);
  return true;
}

/* ---- saving ---- */

static size_t motion_size(const fmi_unit *unit) {
  return unit->sim == NULL || unit->stale ? 0 : pawl_sim_save_size(unit->sim);
}

/* A change of one byte always changes this sum: every step of it is one-to-one. */
static unsigned long long sum_of(const fmi_saved *s, size_t size) {
  const char *bytes = (const char *)s + sizeof s->sum;
  return pawl_fmu_token(bytes, (unsigned long)(size - sizeof s->sum));
}

fmi_saved *fmi_unit_save(fmi_unit *unit) {
  size_t numbers = values_size(unit), motion = motion_size(unit);
  fmi_saved *s = calloc(1, sizeof *s + numbers + motion);
  if (s == NULL) {
    fmi_unit_tell(unit, 3, "out of memory");
    return NULL;
  }
  s->size = sizeof *s + numbers + motion;
  s->token = unit->token;
  s->mode = unit->mode;
  s->has_stop = unit->has_stop;
  s->pending = unit->pending;
  s->built = motion > 0;
  s->tol = unit->tol;
  s->start = unit->start;
  s->stop = unit->stop;
  s->t = unit->t;
  s->fresh = unit->fresh;
  s->driven = unit->driven;
  memcpy(s + 1, unit->parameter, numbers);
  char *saved = (char *)(s + 1) + numbers;
  pawl_status status = motion > 0 ? pawl_sim_save(unit->sim, saved, motion) : PAWL_OK;
  if (status != PAWL_OK) {
    tell_errors(unit, status);
    free(s);
    return NULL;
  }
  s->sum = sum_of(s, s->size);
  return s;
}

static bool is_state(const fmi_unit *unit, const fmi_saved *s, size_t size) {
  size_t least = sizeof *s + values_size(unit);
  if (size < least || s->size != size || s->sum != sum_of(s, size) || s->token != unit->token) {
    return false; /* no other member may be read: a damaged bool has no value */
  }
  bool known = s->mode == FMI_MADE || s->mode == FMI_INIT || s->mode == FMI_EVENT ||
               s->mode == FMI_STEP || s->mode == FMI_ENDED;
  return known && (s->built ? size > least : size == least);
}

fmi_saved *fmi_unit_unpack(fmi_unit *unit, const void *bytes, size_t size) {
  fmi_saved *saved = size < sizeof *saved ? NULL : malloc(size);
  if (saved != NULL) {
    memcpy(saved, bytes, size);
  }
  if (saved == NULL || !is_state(unit, saved, size)) {
    fmi_unit_tell(unit, 3, "these bytes are not a state of this unit");
    free(saved);
    return NULL;
  }
  return saved;
}

bool fmi_unit_pack(fmi_unit *unit, const fmi_saved *saved, void *bytes, size_t room) {
  if (room != saved->size) {
    fmi_unit_tell(unit, 3, "a state needs a buffer of %zu bytes, not %zu", saved->size, room);
    return false;
  }
  memcpy(bytes, saved, room);
  return true;
}

bool fmi_unit_restore(fmi_unit *unit, const fmi_saved *s, size_t size) {
  if (!is_state(unit, s, size)) {
    fmi_unit_tell(unit, 3, "this is not a state of this unit");
    return false;
  }
  size_t numbers = values_size(unit);
  bool same = memcmp(unit->parameter, s + 1, start_size(unit)) == 0 && unit->tol == s->tol &&
              unit->start == s->start && unit->stop == s->stop && unit->has_stop == s->has_stop;
  memcpy(unit->parameter, s + 1, numbers);
  unit->has_stop = s->has_stop;
  unit->tol = s->tol;
  unit->start = s->start;
  unit->stop = s->stop;
  unit->stale = unit->stale || !same || !s->built;
  if (s->built) {
    if (!fmi_unit_ready(unit)) {
      unit->mode = FMI_FAILED;
      return false;
    }
    pawl_status status =
        pawl_sim_restore(unit->sim, (const char *)(s + 1) + numbers, size - sizeof *s - numbers);
    if (status != PAWL_OK) {
      tell_errors(unit, status);
      unit->mode = FMI_FAILED;
      return false;
    }
  }
  unit->mode = s->mode;
  unit->pending = s->pending;
  unit->fresh = s->fresh;
  unit->driven = s->driven;
  unit->t = s->t;
  return true;
}
