// SPDX-License-Identifier: MIT
/* Reading a design, and the values of a member. */
#include "sweep/design.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"

/* ---- numbers ---- */

static bool plain_number(const char *text, size_t len, double *out) {
  char copy[64], *end;
  if (len == 0 || len >= sizeof copy || strchr("0123456789.+-", text[0]) == NULL) {
    return false;
  }
  memcpy(copy, text, len);
  copy[len] = '\0';
  *out = strtod(copy, &end);
  return *end == '\0' && strpbrk(copy, "xXnN") == NULL;
}

/* Everything else is read as the model language reads the value of a parameter. */
static pawl_status expression(const char *text, size_t len, double *out) {
  static const char head[] = "parameter value = ";
  static const char rest[] = "\ncoordinates x\nkinetic T = 1/2*x'^2\nstart x = 0, x' = 0\n";
  size_t room = sizeof head + sizeof rest + len;
  char *model_text = malloc(room);
  pawl_model *model = NULL;
  pawl_system *system = NULL;
  if (model_text == NULL) {
    return PAWL_E_MEMORY;
  }
  int n = snprintf(model_text, room, "%s%.*s%s", head, (int)len, text, rest);
  pawl_system_opts opts = {.check_only = 1};
  pawl_status status = pawl_model_parse(model_text, (unsigned long)n, NULL, NULL, &model);
  if (status == PAWL_OK) {
    status = pawl_system_new(model, &opts, NULL, &system);
  }
  bool one = status == PAWL_OK && pawl_system_parameters(system) == 1;
  *out = one ? pawl_parameter_get(system, 0).value : NAN;
  pawl_system_free(system);
  pawl_model_free(model);
  free(model_text);
  return one || status == PAWL_E_MEMORY ? status : PAWL_E_ARGUMENT;
}

/* A finite number or an expression of numbers and units; PAWL_E_ARGUMENT: it is none. */
static pawl_status read_value(const char *text, size_t len, double *out) {
  bool plain = plain_number(text, len, out);
  bool line = len > 0 && memchr(text, '\n', len) == NULL;
  pawl_status status = plain ? PAWL_OK : line ? expression(text, len, out) : PAWL_E_ARGUMENT;
  return status == PAWL_OK && !isfinite(*out) ? PAWL_E_ARGUMENT : status;
}

/* ---- one word of the design ---- */

/* Bytes up to the next `mark` outside of brackets, or to the end. */
static size_t part_length(const char *text, char mark) {
  int depth = 0;
  size_t i = 0;
  for (; text[i] != '\0' && (depth > 0 || text[i] != mark); i++) {
    depth += text[i] == '(' || text[i] == '[';
    depth -= (text[i] == ')' || text[i] == ']') && depth > 0;
  }
  return i;
}

/* Reads a part of a word, or says what is wrong with it. */
static pawl_status read_part(const char *word, const char *text, size_t len, double *out,
                             pawl_diags *diags) {
  pawl_status status = read_value(text, len, out);
  if (status != PAWL_E_ARGUMENT) {
    return status;
  }
  pw_diag_ref ref = pw_error(diags, "E0801", PW_NO_SPAN, "`%s`: `%.*s` is not a finite number",
                             word, (int)len, text);
  pw_help(ref, "values are numbers, with units or expressions of them: `0.5`, `5 [mm]`, `2*pi`");
  return PAWL_E_ARGUMENT;
}

static pawl_status bad_form(pawl_diags *diags, const char *word) {
  pw_diag_ref ref =
      pw_error(diags, "E0801", PW_NO_SPAN, "`%s` does not say how a name varies", word);
  pw_help(ref, "write NAME=A:B:N for a grid, NAME=a,b,c for a list, NAME~A:B for samples");
  return PAWL_E_ARGUMENT;
}

static pawl_status read_list(pw_varied *a, const char *word, const char *text, pawl_diags *diags) {
  a->kind = PW_VARIED_LIST;
  a->list = malloc((strlen(text) / 2 + 1) * sizeof *a->list);
  if (a->list == NULL) {
    return PAWL_E_MEMORY;
  }
  for (;;) {
    size_t len = part_length(text, ',');
    pawl_status status = read_part(word, text, len, &a->list[a->n], diags);
    a->n++;
    if (status != PAWL_OK || text[len] == '\0') {
      return status;
    }
    text += len + 1;
  }
}

/* The range `in A..B` of the parameter. */
static pawl_status range_of_model(pw_varied *a, const char *word, const pawl_system *system,
                                  pawl_diags *diags) {
  for (int i = 0; i < pawl_system_parameters(system); i++) {
    pawl_parameter_info p = pawl_parameter_get(system, i);
    if (strcmp(p.name, a->name) == 0 && p.lo <= p.hi && isfinite(p.lo) && isfinite(p.hi)) {
      a->from = p.lo;
      a->to = p.hi;
      return PAWL_OK;
    }
  }
  pw_diag_ref ref = pw_error(diags, "E0801", PW_NO_SPAN, "`%s`: the model states no range for `%s`",
                             word, a->name);
  pw_help(ref, "give the ends here, or a range in the model: `parameter %s = 1 in 0..2`", a->name);
  return PAWL_E_ARGUMENT;
}

/* "A:B" or ":" at `text`; *end is behind it. */
static pawl_status read_ends(pw_varied *a, const char *word, const char *text, const char **end,
                             const pawl_system *system, pawl_diags *diags) {
  size_t first = part_length(text, ':');
  const char *second = text + first + (text[first] == ':');
  size_t rest = part_length(second, ':');
  *end = second + rest;
  if (first == 0 && rest == 0) {
    return range_of_model(a, word, system, diags);
  }
  if (text[first] != ':') {
    return bad_form(diags, word);
  }
  pawl_status status = read_part(word, text, first, &a->from, diags);
  return status == PAWL_OK ? read_part(word, second, rest, &a->to, diags) : status;
}

static pawl_status read_grid(pw_varied *a, const char *word, const char *text,
                             const pawl_system *system, pawl_diags *diags) {
  const char *end;
  double n;
  pawl_status status = read_ends(a, word, text, &end, system, diags);
  if (status != PAWL_OK) {
    return status;
  }

  /* NAME=A:B needs a third part */
  size_t len = *end == ':' ? strlen(end + 1) : 0;
  if (len == 0) {
    pw_diag_ref ref =
        pw_error(diags, "E0801", PW_NO_SPAN, "`%s` does not say how many values there are", word);
    pw_help(ref, "a grid is NAME=A:B:N, with N values from A to B");
    return PAWL_E_ARGUMENT;
  }

  /* N counts values: whole, and not more than a sweep may have */
  status = read_value(end + 1, len, &n);
  bool whole = status == PAWL_OK && n >= 1 && n == floor(n) && n <= PAWL_SWEEP_MOST;
  if (status != PAWL_E_MEMORY && !whole) {
    pw_error(diags, "E0801", PW_NO_SPAN,
             "`%s`: the number of values must be a whole number from 1 to 1e9, not `%s`", word,
             end + 1);
    return PAWL_E_ARGUMENT;
  }
  if (status != PAWL_OK) {
    return status;
  }
  a->n = (int64_t)n;
  a->kind = PW_VARIED_GRID;
  return PAWL_OK;
}

/* Values between the ends are computed from them. */
static pawl_status check_range(const pw_varied *a, const char *word, pawl_diags *diags) {
  double n = a->kind == PW_VARIED_GRID ? (double)a->n : 1;
  if (isfinite((fabs(a->from) + fabs(a->to)) * n)) {
    return PAWL_OK;
  }
  pw_error(diags, "E0801", PW_NO_SPAN, "`%s`: the range is too large to be divided", word);
  return PAWL_E_ARGUMENT;
}

static pawl_status read_samples(pw_varied *a, const char *word, const char *text,
                                const pawl_system *system, pawl_diags *diags) {
  const char *end;
  a->kind = PW_VARIED_SAMPLED;
  pawl_status status = read_ends(a, word, text, &end, system, diags);
  if (status == PAWL_OK && *end != '\0') {
    pw_diag_ref ref =
        pw_error(diags, "E0801", PW_NO_SPAN, "`%s` has a number behind its range", word);
    pw_help(ref, "samples are NAME~A:B; `--samples N` says how many there are");
    status = PAWL_E_ARGUMENT;
  }
  return status;
}

static pawl_status read_axis(pw_varied *a, const char *word, const pawl_system *system,
                             pawl_diags *diags) {
  size_t len = strcspn(word, "=~");
  const char *text = word + len + 1;
  if (len == 0 || word[len] == '\0' || (word[len] == '=' && *text == '\0')) {
    return bad_form(diags, word);
  }
  a->name = malloc(len + 1);
  if (a->name == NULL) {
    return PAWL_E_MEMORY;
  }
  memcpy(a->name, word, len);
  a->name[len] = '\0';
  pawl_status status = word[len] == '~' ? read_samples(a, word, text, system, diags)
                       : text[part_length(text, ':')] == ':'
                           ? read_grid(a, word, text, system, diags)
                           : read_list(a, word, text, diags);
  return status == PAWL_OK ? check_range(a, word, diags) : status;
}

/* ---- all of them ---- */

/* `d.y` and `y'` are one name. */
static bool same_name(const char *a, const char *b) {
  char plain[2][256];
  const char *name[] = {a, b};
  for (int i = 0; i < 2; i++) {
    bool dotted = strncmp(name[i], "d.", 2) == 0;
    snprintf(plain[i], sizeof plain[i], "%s%s", name[i] + (dotted ? 2 : 0), dotted ? "'" : "");
  }
  return strcmp(plain[0], plain[1]) == 0;
}

static pawl_status check_names(const pw_design *d, pawl_diags *diags) {
  for (int i = 0; i < d->n_axis; i++) {
    for (int j = 0; j < i; j++) {
      if (same_name(d->axis[i].name, d->axis[j].name)) {
        pw_error(diags, "E0802", PW_NO_SPAN, "`%s` is varied twice", d->axis[i].name);
        return PAWL_E_ARGUMENT;
      }
    }
  }
  return PAWL_OK;
}

static pawl_status count_members(pw_design *d, pawl_diags *diags) {
  double members = d->n_sampled > 0 ? (double)d->samples : 1;
  for (int i = 0; i < d->n_axis; i++) {
    members *= d->axis[i].kind == PW_VARIED_SAMPLED ? 1 : (double)d->axis[i].n;
  }
  if (members > PAWL_SWEEP_MOST) {
    pw_diag_ref ref =
        pw_error(diags, "E0803", PW_NO_SPAN, "the design has %.6g members, more than 1e9", members);
    pw_help(ref, "take fewer values of each name, or samples: NAME~A:B and `--samples N`");
    return PAWL_E_ARGUMENT;
  }
  d->members = (int64_t)members;
  d->chain = d->follow ? d->axis[0].n : 1;
  return PAWL_OK;
}

static pawl_status check_samples(pw_design *d, const pawl_sweep_opts *opts, pawl_diags *diags) {
  for (int i = 0; i < d->n_axis; i++) {
    if (d->axis[i].kind == PW_VARIED_SAMPLED) {
      d->first_sampled = d->n_sampled == 0 ? i : d->first_sampled;
      d->axis[i].dimension = d->n_sampled++;
    }
  }
  if (d->n_sampled == 0 && (opts->samples > 0 || opts->design != PAWL_DESIGN_SOBOL)) {
    pw_diag_ref ref = pw_error(diags, "E0801", PW_NO_SPAN, "no name is sampled");
    pw_help(ref, "write NAME~A:B for the names that `--samples` and `--design` are about");
    return PAWL_E_ARGUMENT;
  }
  if (d->n_sampled > PW_SOBOL_MOST && d->kind == PAWL_DESIGN_SOBOL) {
    pw_diag_ref ref = pw_error(diags, "E0801", PW_NO_SPAN,
                               "%d names are sampled; Sobol's sequence goes up to %d here",
                               d->n_sampled, PW_SOBOL_MOST);
    pw_help(ref, "use `--design random`");
    return PAWL_E_ARGUMENT;
  }
  if (d->follow && d->axis[0].kind == PW_VARIED_SAMPLED) {
    pw_diag_ref ref = pw_error(diags, "E0801", PW_NO_SPAN,
                               "`%s` is sampled: there is no order to follow", d->axis[0].name);
    pw_help(ref, "put the name to follow first, as a grid or list");
    return PAWL_E_ARGUMENT;
  }
  return PAWL_OK;
}

pawl_status pw_design_read(pw_design *d, const pawl_sweep_opts *opts, const pawl_system *system,
                           pawl_diags *diags) {
  *d = (pw_design){.samples = opts->samples > 0 ? opts->samples : PAWL_SWEEP_SAMPLES,
                   .kind = opts->design,
                   .seed = opts->seed,
                   .follow = opts->follow != 0};
  if (opts->n_vary <= 0) {
    pw_diag_ref ref = pw_error(diags, "E0801", PW_NO_SPAN, "no name varies");
    pw_help(ref, "write NAME=A:B:N for a grid, NAME=a,b,c for a list, NAME~A:B for samples");
    return PAWL_E_ARGUMENT;
  }
  d->axis = calloc((size_t)opts->n_vary, sizeof *d->axis);
  pawl_status status = d->axis == NULL ? PAWL_E_MEMORY : PAWL_OK;
  for (int i = 0; i < opts->n_vary && status == PAWL_OK; i++) {
    d->n_axis = i + 1;
    status = read_axis(&d->axis[i], opts->vary[i], system, diags);
  }
  status = status == PAWL_OK ? check_names(d, diags) : status;
  status = status == PAWL_OK ? check_samples(d, opts, diags) : status;
  return status == PAWL_OK ? count_members(d, diags) : status;
}

void pw_design_free(pw_design *d) {
  for (int i = 0; i < d->n_axis; i++) {
    free(d->axis[i].name);
    free(d->axis[i].list);
  }
  free(d->axis);
}

/* ---- members ---- */

/* The same numbers from either end: a grid from B to A is that from A to B in reverse. */
static double grid_value(const pw_varied *a, int64_t i) {
  if (a->kind == PW_VARIED_LIST) {
    return a->list[i];
  }
  double rest = (double)(a->n - 1);
  return a->n == 1 ? a->from : (a->from * (rest - (double)i) + a->to * (double)i) / rest;
}

static void sample_values(const pw_design *d, int64_t sample, double *value) {
  for (int i = 0; i < d->n_axis; i++) {
    const pw_varied *a = &d->axis[i];
    if (a->kind == PW_VARIED_SAMPLED) {
      double x = d->kind == PAWL_DESIGN_RANDOM ? pw_random((uint64_t)sample, a->dimension, d->seed)
                                               : pw_sobol((uint32_t)sample, a->dimension, d->seed);
      value[i] = a->from + x * (a->to - a->from);
    }
  }
}

/* Mixed radix: the last factor is the last digit; of chains the first one is. The sampled names are
 * the factor at the place of their first. */
void pw_design_values(const pw_design *d, int64_t member, double *value) {
  int first = 0;
  if (d->follow) {
    value[0] = grid_value(&d->axis[0], member % d->chain);
    member /= d->chain;
    first = 1;
  }
  for (int i = d->n_axis - 1; i >= first; i--) {
    const pw_varied *a = &d->axis[i];
    if (a->kind != PW_VARIED_SAMPLED) {
      value[i] = grid_value(a, member % a->n);
      member /= a->n;
    } else if (i == d->first_sampled) {
      sample_values(d, member % d->samples, value);
      member /= d->samples;
    }
  }
}
