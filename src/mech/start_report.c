// SPDX-License-Identifier: MIT
/* Names the constraint that is missed most, the fixed value to blame, and tries out which value
 * would satisfy everything if it were a guess. */
#include "mech/start_report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "lang/print.h"
#include "law/scale_mech.h"
#include "linalg/dense.h"
#include "mech/start.h"

static const pw_row *row_at(const pw_mech *m, int i) {
  return &m->sys->model->rows.items[m->sys->row_of[i]];
}

static int worst_row(const pw_start_problem *p) {
  int worst = 0;
  double most = -1;
  for (int i = 0; i < p->count; i++) {
    double ratio = p->residual[i] == 0 ? 0 : fabs(p->residual[i]) / p->tolerance[i];
    if (!(ratio <= most)) {
      most = ratio;
      worst = i;
    }
  }
  return worst;
}

static bool is_zero(const pw_ex *ex) {
  return ex->kind == PW_EX_NUM && ex->value == 0;
}

static bool is_sum(const pw_ex *ex) {
  return ex->kind == PW_EX_ADD || ex->kind == PW_EX_SUB || ex->kind == PW_EX_NEG;
}

void pw_print_residual(pw_buf *out, const pw_row *row) {
  const pw_stmt *law = row->stmt;
  if (row->count > 1 || law->u.law.label.index.text != NULL || law->kind == PW_ST_JOINT ||
      law->kind == PW_ST_CONTACT) {
    /* a component or a member: the text is that of the whole */
    pw_buf_puts(out, row->name);
    return;
  }
  if (law->kind != PW_ST_CONSTRAINT && law->kind != PW_ST_SERVO) {
    pw_print_ex(out, law->u.law.measure);
    return;
  }
  bool less = law->u.law.rel.op == PW_REL_LE;
  const pw_ex *from = less ? law->u.law.rel.right : law->u.law.rel.left;
  const pw_ex *what = less ? law->u.law.rel.left : law->u.law.rel.right;
  if (is_zero(what)) {
    pw_print_ex(out, from);
    return;
  }
  if (is_zero(from)) {
    pw_buf_puts(out, is_sum(what) ? "-(" : "-");
  } else {
    pw_print_ex(out, from);
    pw_buf_puts(out, is_sum(what) ? " - (" : " - ");
  }
  pw_print_ex(out, what);
  pw_buf_puts(out, is_sum(what) ? ")" : "");
}

/* ---- trying out guesses ---- */

/* Of a rotation, a component that is fixed if there is one. */
static const pw_value *start_of(const pw_start_problem *p, const pw_coord *k) {
  const pw_model *m = p->mech->sys->model;
  if (p->level == PW_START_POSITION) {
    return &m->q_start[k->q];
  }
  int i = 0;
  while (k->is_rotation && i < 2 && m->u_start[k->u + i].mode != PW_FIXED) {
    i++;
  }
  return &m->u_start[k->u + i];
}

static const char *name_of(const pw_start_problem *p, const pw_coord *k) {
  const pw_model *m = p->mech->sys->model;
  if (k->is_rotation) {
    return p->level == PW_START_POSITION ? k->name : m->u_name[k->u];
  }
  return p->level == PW_START_POSITION ? m->q_name[k->q] : m->u_name[k->u];
}

static void free_coord(pw_start_problem *p, const pw_coord *k, bool may_move) {
  const pw_value *u_start = &p->mech->sys->model->u_start[k->u];
  for (int i = 0; i < (k->is_rotation ? 3 : 1); i++) {
    if (p->level == PW_START_POSITION || u_start[i].mode == PW_FIXED) {
      p->free[k->u + i] = may_move;
    }
  }
}

enum { SHOWN = 4 };

/* Lists the scalar values that the solution changed, and values fixed after `freed` in the same
 * statement, which are equally new to the reader: "ph = 0, x = 0.4". */
static void print_moved(pw_buf *out, const pw_start_problem *p, const pw_coord *freed,
                        const double *q, const double *u) {
  const pw_model *m = p->mech->sys->model;
  pw_span from = start_of(p, freed)->span;
  int shown = 0;
  for (int c = 0; c < m->coords.n && shown < SHOWN; c++) {
    const pw_coord *k = &m->coords.items[c];
    bool position = p->level == PW_START_POSITION;
    double now = position ? p->q[k->q] : p->u[k->u];
    double was = position ? q[k->q] : u[k->u];
    const pw_value *start = start_of(p, k);
    bool behind =
        start->mode == PW_FIXED && start->span.file == from.file && start->span.begin > from.begin;
    if (!k->is_rotation && (now != was || start->mode == PW_GUESS || behind)) {
      pw_buf_printf(out, "%s%s = %.6g", shown == 0 ? "" : ", ", name_of(p, k),
                    fabs(now) < PW_SCALE(START_TERMS) ? 0 : now);
      shown++;
    }
  }
}

static void offer(pw_start_problem *p, const pw_coord *k, pw_diag_ref ref, const double *q,
                  const double *u) {
  pw_buf moved = {0};
  print_moved(&moved, p, k, q, u);
  if (k->is_rotation) {
    pw_help(ref, "make it a guess: write `~` instead of `=` for %s", name_of(p, k));
  } else {
    pw_help(ref, "make it a guess: `%s ~ %.6g`   (solves to %s)", name_of(p, k),
            start_of(p, k)->value, moved.text == NULL ? "" : moved.text);
  }
  pw_buf_free(&moved);
}

static void restore(pw_start_problem *p, const double *q, const double *u) {
  const pw_system *s = p->mech->sys;
  memcpy(p->q, q, (size_t)s->nq * sizeof *q);
  memcpy(p->u, u, (size_t)s->nv * sizeof *u);
}

/* Whether velocities that were found lead to the sides with which they were found. */
static bool sides_agree(pw_start_problem *p) {
  const pw_system *s = p->mech->sys;
  if (p->level == PW_START_POSITION || s->n_switch == 0) {
    return true;
  }
  double *side = PW_TAKE(s->model->arena, s->n_switch, double);
  double *scratch = PW_TAKE(s->model->arena, 3 * s->n_sides, double);
  return pw_start_sides(p->mech, p->t, p->q, p->u, side, scratch) == PAWL_OK &&
         memcmp(side, p->side, (size_t)s->n_switch * sizeof *side) == 0;
}

/* The fixed coordinate that alone would repair the start if it were a guess; NULL: none. */
static const pw_coord *repair(pw_start_problem *p, const double *q, const double *u) {
  const pw_model *m = p->mech->sys->model;
  for (int c = 0; c < m->coords.n; c++) {
    const pw_coord *k = &m->coords.items[c];
    if (start_of(p, k)->mode == PW_FIXED) {
      free_coord(p, k, true);
      bool solved = pw_start_newton(p) && sides_agree(p);
      free_coord(p, k, false);
      if (solved) {
        return k;
      }
      restore(p, q, u);
    }
  }
  return NULL;
}

/* The fixed coordinate with the largest share in a row; NULL: none occurs in it. */
static const pw_coord *blame(const pw_start_problem *p, int row) {
  const pw_model *m = p->mech->sys->model;
  const pw_coord *found = NULL;
  double most = 0;
  for (int c = 0; c < m->coords.n; c++) {
    const pw_coord *k = &m->coords.items[c];
    double share = fabs(pw_start_slope(p, row, k->u));
    if (start_of(p, k)->mode == PW_FIXED && share > most) {
      most = share;
      found = k;
    }
  }
  return found;
}

static pw_diag_ref headline(const pw_start_problem *p, int i, pw_span at, pawl_diags *diags) {
  const pw_row *row = row_at(p->mech, p->row[i]);
  pw_buf text = {0};
  pw_print_residual(&text, row);
  bool position = p->level == PW_START_POSITION;
  bool rate = !position && !row->on_velocity;
  pw_diag_ref ref =
      pw_error(diags, position ? "E0302" : "E0303", at,
               "the start %sdoes not satisfy `%s%s` (residual %.3g)", position ? "" : "velocity ",
               row->name, row->start_closed ? " closed" : "", fabs(p->residual[i]));
  const char *body = text.text == NULL ? row->name : text.text;
  pw_label(ref, rate ? "d/dt(%s) = %.3g, must be 0" : "%s = %.3g, must be 0", body, p->residual[i]);
  pw_buf_free(&text);
  return ref;
}

void pw_report_start(pw_start_problem *p, pawl_diags *diags) {
  const pw_system *s = p->mech->sys;
  double *q = PW_TAKE(s->model->arena, s->nq + 1, double);
  double *u = PW_TAKE(s->model->arena, s->nv + 1, double);
  memcpy(q, p->q, (size_t)s->nq * sizeof *q);
  memcpy(u, p->u, (size_t)s->nv * sizeof *u);
  (void)pw_start_measure(p);
  int row = worst_row(p);
  const pw_coord *guilty = blame(p, row);
  double residual = p->residual[row];
  const pw_coord *better = repair(p, q, u);
  const pw_coord *shown = better != NULL ? better : guilty;
  p->residual[row] = residual;
  pw_span at = shown != NULL ? start_of(p, shown)->span : row_at(p->mech, p->row[row])->span;
  pw_diag_ref ref = headline(p, row, at, diags);
  if (better != NULL) {
    offer(p, better, ref, q, u);
  } else if (guilty != NULL) {
    pw_help(ref, "no single value repairs this: make guesses (`~`) of the values that may move");
  } else {
    pw_help(ref, "no values were found that satisfy all constraints together: guess others, or "
                 "look for constraints that contradict each other");
  }
  restore(p, q, u);
}

bool pw_report_flat(pw_start_problem *p, pawl_diags *diags) {
  (void)pw_start_measure(p);
  for (int i = 0; i < p->count; i++) {
    const pw_row *row = row_at(p->mech, p->row[i]);
    pw_slope_view J = pw_start_row(p, i);
    if (p->row[i] < p->mech->sys->nc && pw_norm2(J.value, J.n) == 0) {
      pw_diag_ref ref =
          pw_error(diags, "E0315", row->rel_span,
                   "`%s` has no gradient at the start: no force can hold it", row->name);
      pw_label(ref, "its derivative with respect to every %s is zero here",
               row->on_velocity ? "velocity" : "coordinate");
      pw_help(ref, "start elsewhere, or state the same condition with a gradient (`x = 0`, not "
                   "`x^2 = 0`)");
      return false;
    }
  }
  return true;
}

/* A friction whose bound is a force that is not unique, or NULL. */
static const pw_row *doubtful_friction(const pw_mech *m) {
  const pw_system *s = m->sys;
  for (int i = 0; i < s->ni; i++) {
    if (s->law[i].on >= 0 && m->dependent[s->nc + s->law[i].on]) {
      return row_at(m, s->nc + i);
    }
  }
  return NULL;
}

void pw_report_redundant(const pw_mech *m, pawl_diags *diags) {
  if (m->rank >= m->imposed) {
    return;
  }
  pw_buf names = {0};
  int listed = 0;
  for (int i = 0; i < m->sys->nr; i++) {
    if (m->dependent[i] && ++listed <= 12) {
      pw_buf_printf(&names, "%s`%s`", listed == 1 ? "" : ", ", row_at(m, i)->name);
    }
  }
  if (listed > 12) {
    pw_buf_printf(&names, " and %d more", listed - 12);
  }
  pw_diag_ref ref = pw_warning(diags, "W0330", PW_NO_SPAN,
                               "constraints %s are redundant (rank %d of %d at the start)",
                               names.text == NULL ? "" : names.text, m->rank, m->imposed);
  const pw_row *friction = doubtful_friction(m);
  if (friction != NULL) {
    pw_note(ref,
            "the single forces are not unique, and neither is the motion: they bound `%s`; it is "
            "computed with the smallest ones, which are marked `*`",
            friction->name);
  } else {
    pw_note(ref, "the motion is unique, the single forces are not; the smallest ones are reported "
                 "and marked `*`");
  }
  pw_buf_free(&names);
}
