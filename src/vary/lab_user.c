// SPDX-License-Identifier: MIT
/* The caller's variation: functions of the time and of the model's parameters, compiled as the
 * curves of a small model that has these parameters and nothing else, with their derivatives. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/diag.h"
#include "pawl/picture.h"
#include "vary/lab.h"
#include "verify/checker.h"

enum { MOST_TEXT = 100000 };

static pawl_status refuse(pawl_diags *diags, const char *why, const char *what) {
  pw_diag_ref d = pw_error(diags, "E0660", PW_NO_SPAN, "%s `%s`", why, what);
  pw_help(d, "write w(t) as `x: sin(pi*t), y: t*(2 - t)` and tau(t) as `t*(2 - t)`");
  return PAWL_E_MODEL;
}

static bool is_name(const char *text) {
  bool fine = isalpha((unsigned char)text[0]);
  for (; *text != '\0'; text++) {
    fine = fine && (isalnum((unsigned char)*text) || *text == '_');
  }
  return fine;
}

/* Parameters of the model with their values. */
static void put_parameters(const pawl_lab *l, pw_buf *out) {
  for (int i = 0; i < pawl_system_parameters(l->system); i++) {
    pawl_parameter_info p = pawl_parameter_get(l->system, i);
    if (is_name(p.name) && isfinite(p.value)) {
      pw_buf_printf(out, "parameter %s = %.17g\n", p.name, p.value);
    }
  }
}

static int velocity_of(const pawl_lab *l, const char *name, size_t n) {
  for (int i = 0; i < l->sys->nv; i++) {
    char text[PW_LAB_NAME];
    pw_certify_name(l->sys->model, i, text, sizeof text);
    if (strlen(text) == n && memcmp(text, name, n) == 0) {
      return i;
    }
  }
  return -1;
}

static void put_function(pw_lab_user *user, const char *text, size_t n, int velocity, pw_buf *out) {
  for (int k = 0; k < 2; k++) {
    pw_buf_puts(out, "plot (");
    pw_buf_add(out, text, n);
    pw_buf_puts(out, k == 0 ? ")\n" : ")'\n");
  }
  user->velocity[user->n_function++] = velocity;
}

/* To the comma that ends an entry: one outside of all brackets. */
static size_t entry_length(const char *text) {
  int depth = 0;
  size_t n = 0;
  for (; text[n] != '\0' && !(text[n] == ',' && depth == 0); n++) {
    depth += strchr("([", text[n]) != NULL;
    depth -= strchr(")]", text[n]) != NULL;
  }
  return n;
}

static pawl_status take_entry(pawl_lab *l, const char *text, size_t n, pawl_diags *diags,
                              pw_buf *out) {
  char name[PW_LAB_NAME], whole[PW_LAB_NAME];
  const char *colon = memchr(text, ':', n);
  snprintf(whole, sizeof whole, "%.*s", n < sizeof whole ? (int)n : (int)sizeof whole - 1, text);
  if (colon == NULL) {
    return refuse(diags, "no coordinate and colon in", whole);
  }

  /* The coordinate precedes the colon; each may be varied once. */
  size_t k = (size_t)(colon - text);
  while (k > 0 && isspace((unsigned char)text[k - 1])) {
    k--;
  }
  int velocity = velocity_of(l, text, k);
  if (velocity < 0) {
    snprintf(name, sizeof name, "%.*s", k < sizeof name ? (int)k : (int)sizeof name - 1, text);
    return refuse(diags, "the model has no coordinate", name);
  }
  for (int i = 0; i < l->user.n_function; i++) {
    if (l->user.velocity[i] == velocity) {
      return refuse(diags, "twice a variation along the same coordinate:", whole);
    }
  }

  /* The function follows and is compiled together with its time derivative. */
  size_t rest = n - (size_t)(colon + 1 - text), blank = 0;
  while (blank < rest && isspace((unsigned char)colon[1 + blank])) {
    blank++;
  }
  if (blank == rest) {
    return refuse(diags, "no expression in", whole);
  }
  put_function(&l->user, colon + 1, rest, velocity, out);
  return PAWL_OK;
}

static pawl_status take_all(pawl_lab *l, pawl_diags *diags, pw_buf *out) {
  const char *by = l->opts.by, *shift = l->opts.shift;
  const char *both[] = {by == NULL ? "" : by, shift == NULL ? "" : shift};
  for (int i = 0; i < 2; i++) {
    if (strlen(both[i]) > MOST_TEXT || strpbrk(both[i], "\r\n\"") != NULL) {
      return refuse(diags, "more than one line, or a quotation mark, in", "a variation");
    }
  }
  while (by != NULL) {
    by += strspn(by, " \t");
    size_t n = entry_length(by);
    pawl_status status = take_entry(l, by, n, diags, out);
    if (status != PAWL_OK) {
      return status;
    }
    by = by[n] == ',' ? by + n + 1 : NULL;
  }
  if (shift != NULL) {
    if (shift[strspn(shift, " \t")] == '\0') {
      return refuse(diags, "no expression in", shift);
    }
    put_function(&l->user, shift, strlen(shift), l->sys->nv, out);
  }
  return PAWL_OK;
}

static pawl_status compile(pw_lab_user *u, const pw_buf *text, pawl_diags *diags) {
  pawl_model *model = NULL;
  const pawl_model_opts opts = {.name = "variation"};
  pawl_status status =
      text->failed ? PAWL_E_MEMORY : pawl_model_parse(text->text, text->len, &opts, diags, &model);
  if (model != NULL) {
    status = pawl_system_new(model, &(pawl_system_opts){.no_start = 1}, diags, &u->functions);
  }
  pawl_model_free(model);
  return status;
}

static void lay_out(pw_lab_user *u, pw_layout *l) {
  const pw_system *s = u->functions->sys;
  pw_probe_lay(&u->probe, s, l);
  pw_probe_tape_lay(&u->tape, s->tape.picture, l);
  u->q = PW_LAY(l, (size_t)s->nq, double);
  u->u = PW_LAY(l, (size_t)s->nv, double);
}

pawl_status pw_lab_user_new(pawl_lab *l, pawl_diags *diags) {
  pw_lab_user *u = &l->user;
  pw_buf text = {0};
  if (l->opts.by == NULL && l->opts.shift == NULL) {
    return PAWL_OK;
  }

  /* One function for each velocity at most. */
  u->n = l->sys->nv;
  u->velocity = calloc((size_t)u->n + 1, sizeof *u->velocity);
  if (u->velocity == NULL) {
    return PAWL_E_MEMORY;
  }

  /* A small model whose plots are the functions, with these parameters and columns of data. */
  put_parameters(l, &text);
  pw_buf_puts(&text, "coordinates pawl_place\nkinetic pawl_energy = 1/2*pawl_place'^2\n");
  pawl_status status = pw_lab_columns(l->opts.columns, diags, &text);
  status = status == PAWL_OK ? take_all(l, diags, &text) : status;
  if (status == PAWL_OK) {
    status = compile(u, &text, diags);
  }
  pw_buf_free(&text);
  if (status != PAWL_OK) {
    return status;
  }

  /* Each function gives two plots: itself and its rate. More come from a text with several. */
  if (pawl_system_plots(u->functions) != 2 * u->n_function) {
    return refuse(diags, "more than one expression in", l->opts.by == NULL ? "" : l->opts.by);
  }

  /* Lay out twice: to count, then to fill. */
  pw_layout counts = {0};
  lay_out(u, &counts);
  u->memory = calloc(1, counts.size);
  if (u->memory == NULL) {
    return PAWL_E_MEMORY;
  }
  pw_layout fill = pw_layout_in(u->memory);
  lay_out(u, &fill);
  return PAWL_OK;
}

void pw_lab_user_free(pw_lab_user *u) {
  pawl_system_free(u->functions);
  free(u->memory);
  free(u->velocity);
}

/* then w and tau; in a pass with only one of them the other is zero. */
void pw_lab_user_at(double t, void *user, double *w, double *rate) {
  pw_lab_user *u = user;
  size_t size = ((size_t)u->n + (u->tau ? 1 : 0)) * sizeof *w;
  memset(w, 0, size);
  memset(rate, 0, size);
  (void)pw_probe_gaps(&u->probe, t, u->q, u->u);
  pw_tape_run(u->tape.tape, u->probe.in, u->tape.reg, u->tape.out);
  for (int i = 0; i < u->n_function; i++) { /* a curve has a vertical and a horizontal value */
    int k = u->velocity[i];
    if (k < u->n ? u->w : u->tau) {
      w[k] = u->tape.out[4 * i];
      rate[k] = u->tape.out[4 * i + 2];
      bool fails = !(isfinite(w[k]) && isfinite(rate[k])) && !u->undefined;
      u->at = fails ? t : u->at;
      u->undefined = u->undefined || fails;
    }
  }
}
