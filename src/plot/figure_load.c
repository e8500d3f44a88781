// SPDX-License-Identifier: MIT
/* The system of a figure: the model of a results folder, followed by one `plot` statement for each
 * expression. Each is a separate source, so that messages point into the caller's text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/file.h"
#include "plot/figure.h"

enum { MOST_TEXT = 64 << 20, MOST_PLOTS = 100, MOST_SHOWN = 6 };

typedef struct extra { /* statements after the model */
  const char *dir;
  char **text;
  int n;
  bool failed; /* no memory */
} extra;

static const char mark[] = "expression ";

static char *copy(const char *text) {
  char *out = malloc(strlen(text) + 1);
  return out == NULL ? NULL : strcpy(out, text);
}

static int include(void *payload, const char *from, const char *path, char **text,
                   unsigned long *count, char **shown) {
  extra *e = payload;
  (void)from;
  int i = strncmp(path, mark, sizeof mark - 1) == 0 ? atoi(path + sizeof mark - 1) : 0;
  if (i < 1 || i > e->n) {
    return 1;
  }
  *text = copy(e->text[i - 1]);
  *shown = copy(path);
  *count = strlen(e->text[i - 1]);
  e->failed = e->failed || *text == NULL || *shown == NULL;
  return e->failed;
}

static bool add_statement(extra *e, pw_buf *statement) {
  char **more = realloc(e->text, ((size_t)e->n + 1) * sizeof *more);
  if (more == NULL || statement->failed) {
    e->text = more == NULL ? e->text : more;
    pw_buf_free(statement);
    return false;
  }
  e->text = more;
  e->text[e->n++] = statement->text;
  return true;
}

static pawl_status refuse(pawl_diags *diags, int i, const char *why) {
  pw_error(diags, "E0630", PW_NO_SPAN, "expression %d %s", i + 1, why);
  return PAWL_E_MODEL;
}

/* An expression is one line: it can add curves, and nothing else. */
static pawl_status take_plots(extra *e, const pawl_figure_opts *opts, pawl_diags *diags) {
  for (int i = 0; i < opts->n_plot; i++) {
    const char *text = opts->plots[i];
    pw_buf statement = {0};
    if (text[strspn(text, " \t")] == '\0') {
      return refuse(diags, i, "is empty");
    }
    if (text[strcspn(text, "\r\n")] != '\0') {
      return refuse(diags, i, "has more than one line");
    }
    pw_buf_printf(&statement, "plot %s\n", text);
    if (!add_statement(e, &statement)) {
      return PAWL_E_MEMORY;
    }
  }
  return PAWL_OK;
}

/* The first positions (or velocities) of a model without plots. */
static bool list_names(const pawl_system *s, bool velocities, pw_buf *out) {
  int n = velocities ? pawl_system_velocities(s) : pawl_system_positions(s);
  for (int i = 0; i < n && i < MOST_SHOWN; i++) {
    pw_buf_printf(out, "%s%s", i == 0 ? "" : ", ",
                  velocities ? pawl_velocity_name(s, i) : pawl_position_name(s, i));
  }
  return !out->failed;
}

static pawl_status compile(const pw_buf *text, const char *name, extra *e, pawl_diags *diags,
                           pawl_system **out) {
  pw_buf whole = {0};
  pawl_model *model = NULL;
  const pawl_model_opts opts = {.name = name, .include = include, .payload = e, .folder = e->dir};
  pw_buf_add(&whole, text->text, text->len);
  for (int i = 0; i < e->n; i++) {
    pw_buf_printf(&whole, "\ninclude \"%s%d\"", mark, i + 1);
  }
  pawl_status status = PAWL_E_MEMORY;
  if (!whole.failed) {
    status =
        pawl_model_parse(whole.text == NULL ? "" : whole.text, whole.len, &opts, diags, &model);
  }
  if (model != NULL) {
    status = pawl_system_new(model, &(pawl_system_opts){.no_start = 1}, diags, out);
  }
  pawl_model_free(model);
  pw_buf_free(&whole);
  return e->failed ? PAWL_E_MEMORY : status;
}

static void note_curves(pawl_figure *f, int statements) {
  int n = pawl_system_plots(f->system);
  int all = n == 0 ? 0 : pawl_plot_get(f->system, n - 1).statement;
  f->panels = statements == 0 ? all : statements;
  for (int i = 0; i < n; i++) {
    f->curves += pawl_plot_get(f->system, i).statement > all - f->panels;
  }
}

/* Without an expression: the plots of the model, else its coordinates and their rates. */
static pawl_status load_default(pawl_figure *f, const pw_buf *text, const char *name, extra *e,
                                pawl_diags *diags) {
  pawl_status status = compile(text, name, e, diags, &f->system);
  for (int k = 0; k < 2 && status == PAWL_OK && pawl_system_plots(f->system) == 0; k++) {
    pw_buf statement = {0};
    pw_buf_puts(&statement, "plot ");
    bool ok = list_names(f->system, k == 1, &statement) && add_statement(e, &statement);
    status = ok ? PAWL_OK : PAWL_E_MEMORY;
  }
  if (status == PAWL_OK && e->n > 0) {
    pawl_system_free(f->system);
    f->system = NULL;
    status = compile(text, name, e, diags, &f->system);
  }
  return status;
}

/* A killed run has its motion in .partial, without a model. */
static void tell_unread(const char *dir, const char *path, int reason, pawl_diags *diags) {
  pw_buf partial = {0};
  pw_buf_printf(&partial, "%s/.partial", dir);
  if (!partial.failed && pw_path_look(partial.text) == PW_PATH_FOLDER) {
    pw_diag_ref d =
        pw_error(diags, "E0646", PW_NO_SPAN, "`%s` holds a run that did not come to its end", dir);
    pw_help(d, "`pawl run --resume %s` takes it up; `pawl report %s` shows what there is", dir,
            dir);
  } else {
    pw_diag_ref d =
        pw_error(diags, "E0631", PW_NO_SPAN, "cannot read `%s`: %s", path, pw_file_reason(reason));
    pw_help(d, "`pawl run M.pawl` writes the folder with the results");
  }
  pw_buf_free(&partial);
}

pawl_status pw_figure_load(pawl_figure *f, const char *dir, const pawl_figure_opts *opts,
                           pawl_diags *diags) {
  pw_buf path = {0}, text = {0};
  extra e = {.dir = dir};
  pw_buf_printf(&path, "%s/model.pawl", dir);
  int reason = path.failed ? PW_FILE_MEMORY : pw_file_read_all(path.text, MOST_TEXT, &text);
  pawl_status status = pw_file_status(reason);
  if (reason != 0 && reason != PW_FILE_MEMORY) {
    tell_unread(dir, path.text, reason, diags);
  }

  if (status == PAWL_OK && opts->n_plot > MOST_PLOTS) {
    pw_error(diags, "E0630", PW_NO_SPAN, "more than %d expressions", MOST_PLOTS);
    status = PAWL_E_LIMIT;
  }
  if (status == PAWL_OK) {
    status = take_plots(&e, opts, diags);
  }
  if (status == PAWL_OK) {
    status = e.n == 0 ? load_default(f, &text, path.text, &e, diags)
                      : compile(&text, path.text, &e, diags, &f->system);
  }
  if (status == PAWL_OK) {
    note_curves(f, e.n);
  }

  for (int i = 0; i < e.n; i++) {
    free(e.text[i]);
  }
  free(e.text);
  pw_buf_free(&path);
  pw_buf_free(&text);
  return status;
}
