// SPDX-License-Identifier: MIT
/* Statements back to text, one line each: for tests of the parser, parse(print(x)) = x. */
#ifndef PW_TESTS_PRINT_STMT_H
#define PW_TESTS_PRINT_STMT_H

#include <string.h>

#include "lang/print.h"
#include "lang/token.h"

static void print_string(pw_buf *out, const char *text) {
  pw_buf_puts(out, "\"");
  for (; *text != '\0'; text++) {
    pw_buf_puts(out, *text == '"' || *text == '\\' ? "\\" : "");
    pw_buf_add(out, text, 1);
  }
  pw_buf_puts(out, "\"");
}

static void print_word(pw_buf *out, const char *word, const pw_ex *ex) {
  pw_buf_puts(out, word);
  pw_print_ex(out, ex);
}

static void print_range(pw_buf *out, const pw_ex *from, const pw_ex *to) {
  pw_print_ex(out, from);
  print_word(out, "..", to);
}

static void print_comma(pw_buf *out, int i) {
  pw_buf_puts(out, i == 0 ? "" : ", ");
}

static void print_label(pw_buf *out, const pw_heading *label) {
  pw_buf_puts(out, label->name.text);
  if (label->index.text != NULL) {
    pw_buf_printf(out, "[%s in ", label->index.text);
    print_range(out, label->from, label->to);
    if (label->second.text != NULL) {
      pw_buf_printf(out, ", %s in ", label->second.text);
      print_range(out, label->from2, label->to2);
    }
    pw_buf_puts(out, "]");
  }
}

static void print_rel(pw_buf *out, const pw_rel *rel) {
  static const char *const signs[] = {" = ", " >= ", " <= "};
  pw_print_ex(out, rel->left);
  print_word(out, signs[rel->op], rel->right);
}

static void print_par(pw_buf *out, const pw_par *par) {
  if (par->of != NULL) {
    pw_print_ex(out, par->of);
    pw_buf_puts(out, ".");
  }
  print_label(out, &par->label);
  for (int i = 0; i < par->at.n; i++) {
    print_word(out, "[", par->at.items[i]);
    pw_buf_puts(out, "]");
  }
  print_word(out, " = ", par->value);
}

static void print_parameter(pw_buf *out, const pw_stmt *s) {
  for (int i = 0; i < s->u.parameter.n; i++) {
    const pw_par *par = &s->u.parameter.items[i];
    print_comma(out, i);
    print_par(out, par);
    if (par->lo != NULL) {
      pw_buf_puts(out, " in ");
      print_range(out, par->lo, par->hi);
    }
  }
}

static void print_coordinates(pw_buf *out, const pw_stmt *s) {
  for (int i = 0; i < s->u.coordinates.n; i++) {
    const pw_crd *crd = &s->u.coordinates.items[i];
    print_comma(out, i);
    pw_buf_puts(out, crd->name.text);
    if (crd->from != NULL) {
      pw_buf_puts(out, "[");
      print_range(out, crd->from, crd->to);
      pw_buf_puts(out, "]");
    }
  }
}

static void print_names(pw_buf *out, const pw_name *names, int n) {
  for (int i = 0; i < n; i++) {
    print_comma(out, i);
    pw_buf_puts(out, names[i].text);
  }
}

static void print_body(pw_buf *out, const pw_stmt *s) {
  print_label(out, &s->u.body.label);
  print_word(out, ": mass ", s->u.body.mass);
  print_word(out, ", inertia ", s->u.body.inertia);
}

static void print_let(pw_buf *out, const pw_stmt *s) {
  print_label(out, &s->u.let.label);
  if (s->u.let.is_function) {
    pw_buf_puts(out, "(");
    print_names(out, s->u.let.args, s->u.let.n_arg);
    pw_buf_puts(out, ")");
  }
  print_word(out, " = ", s->u.let.ex);
}

static void print_force(pw_buf *out, const pw_stmt *s) {
  print_word(out, s->u.force.at ? "at " : "", s->u.force.target);
  print_word(out, ": ", s->u.force.ex);
}

static void print_by(pw_buf *out, const pw_clause *clause) {
  if (clause->by.items[0].factor == NULL) {
    pw_print_ex(out, clause->by.items[0].ref);
    return;
  }
  for (int i = 0; i < clause->by.n; i++) {
    print_word(out, i == 0 ? "(" : ", ", clause->by.items[i].ref);
    print_word(out, ": ", clause->by.items[i].factor);
  }
  pw_buf_puts(out, ")");
}

static void print_clause(pw_buf *out, const pw_clause *clause) {
  bool alone = clause->kind == PW_CL_VAKONOMIC || clause->kind == PW_CL_ROUGH ||
               clause->kind == PW_CL_ONE_WAY || clause->kind == PW_CL_PULL;
  pw_buf_printf(out, "%s%s", pw_clause_word(clause->kind), alone ? "" : " ");
  if (clause->ex != NULL) {
    pw_print_ex(out, clause->ex);
  }
  if (clause->ex2 != NULL) {
    print_word(out, "..", clause->ex2);
  }
  if (clause->on != NULL) {
    print_word(out, " on ", clause->on);
  }
  if (clause->word != NULL) {
    pw_buf_printf(out, " %s", clause->word);
  }
  for (int i = 0; i < clause->points.n; i++) {
    pw_print_ex(out, clause->points.items[i]);
  }
  if (clause->kind == PW_CL_BY) {
    print_by(out, clause);
  }
}

static void print_law(pw_buf *out, const pw_stmt *s) {
  print_label(out, &s->u.law.label);
  pw_buf_puts(out, ": ");
  if (s->kind == PW_ST_CONTACT) {
    for (int i = 0; i < s->u.law.shapes.n; i++) {
      print_word(out, i == 0 ? "" : ", ", s->u.law.shapes.items[i]);
    }
  } else if (s->kind == PW_ST_CONSTRAINT || s->kind == PW_ST_SERVO) {
    print_rel(out, &s->u.law.rel);
  } else {
    print_word(out, s->u.law.is_slip ? "slip " : "stretch ", s->u.law.measure);
  }
  for (int i = 0; i < s->u.law.n; i++) {
    pw_buf_puts(out, ", ");
    print_clause(out, &s->u.law.items[i]);
  }
}

static void print_init(pw_buf *out, const pw_init *init) {
  if (init->label.name.text != NULL) {
    print_label(out, &init->label);
    for (int i = 0; i < init->primes; i++) {
      pw_buf_puts(out, "'");
    }
    if (init->ref != NULL) { /* a part of each member: what stands behind `b[i]` */
      pw_buf part = {0};
      pw_print_ex(&part, init->ref);
      pw_buf_puts(out, strchr(part.text, ']') + 1);
      pw_buf_free(&part);
    }
  } else {
    print_word(out, init->is_force ? "force(" : "", init->ref);
    pw_buf_puts(out, init->is_force ? ")" : "");
  }
  if (init->mode == PW_INIT_CLOSED) {
    pw_buf_puts(out, " closed");
  } else {
    print_word(out, init->mode == PW_INIT_FIX ? " = " : " ~ ", init->value);
  }
}

static void print_start(pw_buf *out, const pw_stmt *s) {
  for (int i = 0; i < s->u.start.n; i++) {
    print_comma(out, i);
    print_init(out, &s->u.start.items[i]);
  }
}

static void print_event(pw_buf *out, const pw_stmt *s) {
  pw_buf_printf(out, "%s: ", s->u.event.name.text);
  if (s->u.event.every != NULL) {
    print_word(out, "every ", s->u.event.every);
  } else {
    print_rel(out, &s->u.event.rel);
  }
  pw_buf_puts(out, s->u.event.stop ? ", stop" : "");
  pw_buf_puts(out, s->u.event.rising ? ", rising" : "");
  pw_buf_puts(out, s->u.event.falling ? ", falling" : "");
}

static void print_output(pw_buf *out, const pw_stmt *s) {
  for (int i = 0; i < s->u.output.n; i++) {
    print_comma(out, i);
    pw_buf_puts(out, s->u.output.items[i].name.text);
    if (s->u.output.items[i].unit != NULL) {
      pw_print_unit(out, s->u.output.items[i].unit);
    }
    print_word(out, " = ", s->u.output.items[i].ex);
  }
}

static void print_plot(pw_buf *out, const pw_stmt *s) {
  for (int i = 0; i < s->u.plot.n; i++) {
    print_comma(out, i);
    pw_print_ex(out, s->u.plot.items[i]);
  }
  if (s->u.plot.vs != NULL) {
    print_word(out, " vs ", s->u.plot.vs);
  }
}

static void print_args(pw_buf *out, const pw_darg *args, int n) {
  for (int i = 0; i < n; i++) {
    const pw_darg *arg = &args[i];
    pw_buf_puts(out, i == 0 ? " " : ", ");
    if (arg->word != NULL) {
      pw_buf_printf(out, "%s ", arg->word);
    }
    if (arg->ex != NULL) {
      pw_print_ex(out, arg->ex);
    } else {
      print_string(out, arg->text);
    }
  }
}

static void print_draw(pw_buf *out, const pw_stmt *s) {
  pw_buf_puts(out, s->u.draw.shape.text);
  print_args(out, s->u.draw.items, s->u.draw.n);
}

static void print_shape(pw_buf *out, const pw_stmt *s) {
  print_label(out, &s->u.shape.label);
  pw_buf_printf(out, ": %s", s->u.shape.kind.text);
  print_args(out, s->u.shape.items, s->u.shape.n);
  for (int i = 0; i < s->u.shape.corners.n; i++) {
    print_word(out, i == 0 ? ", " : "", s->u.shape.corners.items[i]);
  }
}

static void print_run(pw_buf *out, const pw_stmt *s) {
  print_range(out, s->u.run.from, s->u.run.to);
  for (int i = 0; i < s->u.run.n; i++) {
    const pw_runopt *option = &s->u.run.items[i];
    pw_buf_printf(out, ", %s ", option->word.text);
    if (option->choice.text != NULL) {
      pw_buf_puts(out, option->choice.text);
    } else if (option->ex->kind == PW_EX_NAME) { /* without parentheses it would be a choice too */
      pw_buf_printf(out, "(%s)", option->ex->name);
    } else {
      pw_print_ex(out, option->ex);
    }
  }
}

static void print_joint(pw_buf *out, const pw_stmt *s) {
  const pw_joint *joint = s->u.law.joint;
  print_label(out, &s->u.law.label);
  pw_buf_printf(out, ": %s", pw_joint_word(joint->kind));
  for (int i = 0; i < 2; i++) {
    print_word(out, ", ", joint->end[i].body);
    if (joint->end[i].at != NULL) {
      print_word(out, " at ", joint->end[i].at);
    }
  }
  for (int i = 0; i < 2 && joint->axis[i] != NULL; i++) {
    print_word(out, ", axis ", joint->axis[i]);
  }
}

static void print_expect(pw_buf *out, const pw_stmt *s) {
  pw_print_ex(out, s->u.expect.left);
  print_word(out, " = ", s->u.expect.right);
  print_word(out, " +- ", s->u.expect.tol);
  if (s->u.expect.at == PW_AT_TIME) {
    print_word(out, " at t = ", s->u.expect.time);
  } else if (s->u.expect.at == PW_AT_EVENT) {
    pw_buf_printf(out, " at %s ", s->u.expect.kind.text);
    pw_print_ex(out, s->u.expect.count);
    print_word(out, " of ", s->u.expect.of);
  }
}

static void print_part(pw_buf *out, const pw_lang_part *part) {
  if (part != NULL) {
    pw_buf_puts(out, " as ");
    print_label(out, &part->label);
    for (int i = 0; i < part->settings.n; i++) {
      pw_buf_puts(out, ", ");
      print_par(out, &part->settings.items[i]);
    }
  }
}

static void print_input(pw_buf *out, const pw_stmt *s) {
  if (s->u.input.all.path != NULL) {
    pw_buf_puts(out, "from ");
    print_string(out, s->u.input.all.path);
  }
  for (int i = 0; i < s->u.input.n; i++) {
    const pw_input *in = &s->u.input.items[i];
    print_comma(out, i);
    pw_buf_printf(out, "%s = ", in->name.text);
    pw_print_ex(out, in->value);
    if (in->data.path != NULL) {
      pw_buf_puts(out, " from ");
      print_string(out, in->data.path);
    }
    pw_buf_puts(out, in->points.n > 0 ? " through " : "");
    for (int k = 0; k < in->points.n; k++) {
      pw_print_ex(out, in->points.items[k]);
    }
  }
}

static void print_table(pw_buf *out, const pw_stmt *s) {
  pw_buf_printf(out, "%s(%s", s->u.table.name.text, s->u.table.arg.text);
  if (s->u.table.arg_unit != NULL) {
    pw_print_unit(out, s->u.table.arg_unit);
  }
  pw_buf_puts(out, ")");
  if (s->u.table.unit != NULL) {
    pw_print_unit(out, s->u.table.unit);
  }
  pw_buf_puts(out, ": ");
  if (s->u.table.data.path != NULL) {
    print_string(out, s->u.table.data.path);
  }
  for (int i = 0; i < s->u.table.points.n; i++) {
    pw_print_ex(out, s->u.table.points.items[i]);
  }
  for (int i = 0; i < s->u.table.words.n; i++) {
    pw_buf_printf(out, ", %s", s->u.table.words.items[i].text);
  }
}

static void print_state(pw_buf *out, const pw_stmt *s) {
  for (int i = 0; i < s->u.output.n; i++) {
    print_comma(out, i);
    pw_buf_puts(out, s->u.output.items[i].name.text);
    print_word(out, "' = ", s->u.output.items[i].ex);
  }
}

static void print_rest(pw_buf *out, const pw_stmt *s) {
  switch (s->kind) {
  case PW_ST_MODEL:
  case PW_ST_INCLUDE:
    print_string(out, s->u.string.text);
    print_part(out, s->u.string.part);
    break;
  case PW_ST_PARAMETER: print_parameter(out, s); break;
  case PW_ST_COORDINATES: print_coordinates(out, s); break;
  case PW_ST_ROTATION: print_names(out, s->u.rotation.items, s->u.rotation.n); break;
  case PW_ST_BODY: print_body(out, s); break;
  case PW_ST_LET: print_let(out, s); break;
  case PW_ST_KINETIC:
  case PW_ST_POTENTIAL:
  case PW_ST_DISSIPATION:
    pw_buf_puts(out, s->u.energy.name.text);
    print_word(out, " = ", s->u.energy.ex);
    break;
  case PW_ST_FORCE: print_force(out, s); break;
  case PW_ST_CONSTRAINT:
  case PW_ST_FRICTION:
  case PW_ST_SPRING:
  case PW_ST_LAW:
  case PW_ST_SERVO:
  case PW_ST_CONTACT: print_law(out, s); break;
  case PW_ST_SHAPE: print_shape(out, s); break;
  case PW_ST_JOINT: print_joint(out, s); break;
  case PW_ST_INPUT: print_input(out, s); break;
  case PW_ST_TABLE: print_table(out, s); break;
  case PW_ST_STATE: print_state(out, s); break;
  case PW_ST_SAMPLE:
    pw_buf_puts(out, s->u.sample.name.text);
    print_word(out, ": ", s->u.sample.ex);
    print_word(out, ", every ", s->u.sample.every);
    break;
  case PW_ST_START:
  case PW_ST_END: print_start(out, s); break;
  case PW_ST_EVENT: print_event(out, s); break;
  case PW_ST_OUTPUT: print_output(out, s); break;
  case PW_ST_PLOT: print_plot(out, s); break;
  case PW_ST_DRAW: print_draw(out, s); break;
  case PW_ST_RUN: print_run(out, s); break;
  case PW_ST_EXPECT: print_expect(out, s); break;
  }
}

static inline void print_stmt(pw_buf *out, const pw_stmt *stmt) {
  pw_buf_printf(out, "%s ", pw_keywords[stmt->kind]);
  print_rest(out, stmt);
}

#endif
