// SPDX-License-Identifier: MIT
/* Parts of a model that cannot be exported, with the reason. */
#include "export/unprintable.h"

#include <stdio.h>

enum { MOST_VELOCITIES = 100, MOST_NODES = 20000 };

bool pw_is_too_large(const pw_model *m, pawl_diags *diags) {
  bool large = m->nv > MOST_VELOCITIES || pw_dag_size(m->dag) > MOST_NODES;
  if (large) {
    pw_diag_ref ref = pw_error(diags, "E0640", PW_NO_SPAN,
                               "the model is too large to be written out as equations");
    pw_help(ref, "make its families shorter: `N=3` behind the model");
  }
  return large;
}

/* The first statement whose meaning C would not have; NULL if there is none. */
static const pw_stmt *unknown_to_c(const pw_model *m, const char **what) {
  for (int i = 0; i < m->ast->n; i++) {
    const pw_stmt *s = m->ast->items[i];
    *what = s->kind == PW_ST_CONTACT  ? "contacts between shapes"
            : s->kind == PW_ST_TABLE  ? "tables"
            : s->kind == PW_ST_SAMPLE ? "samples"
            : s->kind == PW_ST_STATE  ? "states without inertia"
                                      : NULL;
    if (*what != NULL) {
      return s;
    }
  }
  for (int i = 0; i < m->rows.n; i++) {
    pw_kind kind = m->rows.items[i].kind;
    if (kind == PW_KIND_KINK || kind == PW_KIND_SERIES || kind == PW_KIND_TOUCH) {
      *what = kind == PW_KIND_KINK     ? "kinks of energies"
              : kind == PW_KIND_SERIES ? "frictions on coordinates without inertia"
                                       : "contacts of coordinates without inertia";
      return m->rows.items[i].stmt;
    }
  }
  for (int i = 0; i < m->signals.n; i++) {
    pw_signal_kind kind = m->signals.items[i].kind;
    if (kind != PW_SIGNAL_INPUT && kind != PW_SIGNAL_TURNS) {
      const pw_stmt *s = m->signals.items[i].stmt;
      *what = "delays";
      return s != NULL ? s : m->ast->items[0];
    }
  }
  return NULL;
}

/* Delays and noise have letters, and these have no rates: number from 1 of one whose rate is
 * needed; 0: none. */
static int needs_rate(const pw_model *m) {
  int number = m->rate_of_spelled;
  for (int i = 0; i < m->energies.n && m->spelled.n > 0; i++) {
    const pw_energy *e = &m->energies.items[i];
    if (e->kind == PW_ST_KINETIC) {
      (void)pw_depends(m->dag, e->value, pw_is_spelled, &number);
    }
  }
  return number;
}

static bool refuse(pw_span span, const char *what, const char *label, pawl_diags *diags) {
  pw_diag_ref ref = pw_error(diags, "E0645", span, "%s", what);
  pw_label(ref, "%s", label);
  pw_help(ref, "leave it out of a copy of the model to export the rest");
  return false;
}

bool pw_is_printable(const pw_model *m, bool symbols, pawl_diags *diags) {
  for (int i = 0; i < m->rows.n; i++) {
    if (m->rows.items[i].kind == PW_KIND_SERIES) {
      return refuse(m->rows.items[i].span,
                    "friction on a coordinate without inertia cannot be printed",
                    "its force follows from those beside it, piece by piece", diags);
    }
  }
  for (int i = 0; i < m->signals.n; i++) {
    const pw_signal *s = &m->signals.items[i];
    if (!symbols && s->kind == PW_SIGNAL_DELAY) {
      return refuse(s->span, "a delay cannot be printed where parameters are needed as numbers",
                    "this delay", diags);
    }
  }
  int number = needs_rate(m);
  return number == 0 || refuse(m->spelled.items[number - 1].span,
                               "the rate of a delay or of a noise cannot be printed",
                               "its rate is part of the equations", diags);
}

bool pw_is_c(const pw_model *m, pawl_diags *diags) {
  const char *what;
  const pw_stmt *s = unknown_to_c(m, &what);
  char text[96];
  if (s != NULL) {
    snprintf(text, sizeof text, "%s cannot be written as C", what);
    return refuse(s->span, text, "is no part of the equations in C", diags);
  }
  return true;
}

bool pw_has_no_states(const pw_model *m, pawl_diags *diags) {
  int row = pw_next_state(m, -1);
  if (row >= 0) {
    pw_diag_ref ref = pw_error(diags, "E0671", m->rows.items[row].stmt->span,
                               "`%s` has a multiplier that is a state: it cannot be written as C",
                               m->rows.items[row].name);
    pw_help(ref, "without `vakonomic` or `inertia` its multiplier is a force, which C can have");
  }
  return row < 0;
}
