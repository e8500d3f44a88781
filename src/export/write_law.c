// SPDX-License-Identifier: MIT
/* Constraints and laws as a person would state them: inclusions, complementarity, impact laws. */
#include <string.h>

#include "export/write_law.h"

static const pw_clause *clause_of(const pw_stmt *s, pw_clause_kind kind) {
  for (int i = 0; i < s->u.law.n; i++) {
    if (s->u.law.items[i].kind == kind) {
      return &s->u.law.items[i];
    }
  }
  return NULL;
}

/* A letter with the name of a law below it, as a word. */
static void put_letter(pw_export *x, const char *latex, const char *typst, const char *law) {
  size_t len = strcspn(law, "[");
  pw_math(&x->to, latex, typst);
  pw_math(&x->to, "_{\\mathrm{", "_(upright(\"");
  char name[128];
  size_t n = len < sizeof name - 1 ? len : sizeof name - 1;
  memcpy(name, law, n);
  name[n] = '\0';
  pw_math_text(&x->to, name);
  pw_math(&x->to, "}", "\")");
  for (const char *at = law + len; *at != '\0'; at++) {
    if (*at == '[') {
      pw_buf_puts(x->to.out, ",");
    } else if (*at != ']') {
      pw_buf_add(x->to.out, at, 1);
    }
  }
  pw_math(&x->to, "}", ")");
}

void pw_write_lambda(pw_export *x, const char *law, bool rate) {
  put_letter(x, rate ? "\\dot{\\lambda}" : "\\lambda", rate ? "dot(lambda)" : "lambda", law);
}

/* "rub" or, of a family, "rub[i]" with its index. */
static void law_name(pw_export *x, const pw_stmt *s, char *text, size_t room) {
  const pw_heading *label = &s->u.law.label;
  pw_buf name = {0};
  pw_buf_puts(&name, label->name.text);
  if (label->index.text != NULL) {
    pw_buf_printf(&name, "[%s]", label->index.text);
  }
  if (label->second.text != NULL) {
    pw_buf_printf(&name, "[%s]", label->second.text);
  }
  x->to.out->failed = x->to.out->failed || name.failed;
  size_t n = name.failed ? 0 : name.len < room - 1 ? name.len : room - 1;
  memcpy(text, name.failed ? "" : name.text, n);
  text[n] = '\0';
  pw_buf_free(&name);
}

static void put_lambda(pw_export *x, const pw_stmt *s) {
  char name[128];
  law_name(x, s, name, sizeof name);
  pw_write_lambda(x, name, false);
}

static void put_measure(pw_export *x, const char *letter, const pw_stmt *s) {
  char name[128];
  law_name(x, s, name, sizeof name);
  put_letter(x, letter, letter, name);
}

/* left - right of a relation, right - left of <=; what is 0 is left out. */
static void put_gap(pw_export *x, const pw_rel *rel) {
  const pw_ex *plus = rel->op == PW_REL_LE ? rel->right : rel->left;
  const pw_ex *minus = rel->op == PW_REL_LE ? rel->left : rel->right;
  bool none = minus->kind == PW_EX_NUM && minus->value == 0;
  pw_write_ex(x, plus);
  if (!none) {
    bool sum = minus->kind == PW_EX_ADD || minus->kind == PW_EX_SUB;
    bool negative = minus->kind == PW_EX_NEG;
    pw_math(&x->to,
            sum        ? " - \\left("
            : negative ? " + "
                       : " - ",
            sum        ? " - ("
            : negative ? " + "
                       : " - ");
    pw_write_ex(x, negative ? minus->arg[0] : minus);
    pw_math(&x->to, sum ? "\\right)" : "", sum ? ")" : "");
  }
}

static void put_range(pw_export *x, const char *index, const pw_ex *from, const pw_ex *to) {
  if (index != NULL) {
    pw_math(&x->to, ", \\quad ", ", quad ");
    pw_math_name(&x->to, index, 0);
    pw_buf_puts(x->to.out, " = ");
    pw_write_ex(x, from);
    pw_math(&x->to, ", \\ldots, ", ", dots, ");
    pw_write_ex(x, to);
  }
}

static void put_family(pw_export *x, const pw_stmt *s) {
  const pw_heading *label = &s->u.law.label;
  put_range(x, label->index.text, label->from, label->to);
  put_range(x, label->second.text, label->from2, label->to2);
}

/* In brackets if it is a sum. */
static void put_coefficient(pw_export *x, const pw_ex *ex) {
  bool sum = ex->kind == PW_EX_ADD || ex->kind == PW_EX_SUB || ex->kind == PW_EX_NEG;
  pw_math(&x->to, sum ? "\\left(" : "", sum ? "(" : "");
  pw_write_ex(x, ex);
  pw_math(&x->to, sum ? "\\right)" : "", sum ? ")" : "");
}

static void next_line(pw_export *x) {
  pw_math(&x->to, " \\\\\n & ", " \\\n & ");
}

/* g = ... >= 0 (or f of velocities), 0 <= lambda _|_ g >= 0, and what happens at an impact. */
static void one_sided(pw_export *x, const pw_stmt *s, const char *letter) {
  const pw_clause *newton = clause_of(s, PW_CL_RESTITUTION), *poisson = clause_of(s, PW_CL_POISSON);
  put_measure(x, letter, s);
  pw_math(&x->to, " := ", " := ");
  put_gap(x, &s->u.law.rel);
  pw_math(&x->to, " \\ge 0, \\quad 0 \\le ", " >= 0, quad 0 <= ");
  put_lambda(x, s);
  pw_math(&x->to, " \\perp ", " perp ");
  put_measure(x, letter, s);
  pw_math(&x->to, " \\ge 0", " >= 0");
  put_family(x, s);
  const pw_clause *impact = newton != NULL ? newton : poisson;
  if (impact == NULL) {
    return;
  }
  next_line(x);
  if (newton != NULL) {
    bool plastic = newton->ex->kind == PW_EX_NUM && newton->ex->value == 0;
    pw_math(&x->to, "\\text{impact: } 0 \\le \\Lambda \\perp \\dot g^{+}",
            "\"impact: \" 0 <= Lambda perp dot(g)^+");
    if (!plastic) {
      pw_buf_puts(x->to.out, " + ");
      put_coefficient(x, newton->ex);
      pw_math(&x->to, " \\dot g^{-}", " dot(g)^-");
    }
    pw_math(&x->to, " \\ge 0", " >= 0");
  } else {
    pw_math(&x->to, "\\text{impact: } \\Lambda_{E} \\ge ", "\"impact: \" Lambda_E >= ");
    put_coefficient(x, poisson->ex);
    pw_math(&x->to, " \\Lambda_{C} \\quad \\text{(Poisson)}", " Lambda_C quad \"(Poisson)\"");
  }
}

/* |(lambda_jx, lambda_jy)| */
static void put_norm(pw_export *x, const pw_ex *list) {
  pw_math(&x->to, "\\left\\|(", "norm(\\(");
  for (int i = 0; i < list->n_arg; i++) {
    pw_buf_puts(x->to.out, i == 0 ? "" : ", ");
    pw_write_lambda(x, list->arg[i]->kind == PW_EX_NAME ? list->arg[i]->name : "joint", false);
  }
  pw_math(&x->to, ")\\right\\|", "\\))");
}

/* The bound of dry friction: F, or mu times the force of its contact. */
static void put_bound(pw_export *x, const pw_stmt *s) {
  const pw_clause *mu = clause_of(s, PW_CL_MU), *bound = clause_of(s, PW_CL_BOUND);
  const pw_ex *ex = mu != NULL ? mu->ex : bound->ex;
  put_coefficient(x, ex);
  pw_buf_puts(x->to.out, " ");
  if (mu != NULL && mu->on->kind == PW_EX_VECTOR) {
    put_norm(x, mu->on);
  } else if (mu != NULL) {
    pw_math(&x->to, "\\lambda_{\\mathrm{", "lambda_(upright(\"");
    const pw_ex *base = mu->on;
    while (base->kind == PW_EX_INDEX) {
      base = base->arg[0];
    }
    pw_math_text(&x->to, base->kind == PW_EX_NAME ? base->name : "contact");
    pw_math(&x->to, "}", "\")");
    if (mu->on->kind == PW_EX_INDEX) {
      pw_buf_puts(x->to.out, ",");
      pw_write_ex(x, mu->on->arg[1]);
    }
    pw_math(&x->to, "}", ")");
  }
}

static void friction(pw_export *x, const pw_row *row) {
  const pw_stmt *s = row->stmt;
  bool vector = row->count > 1;
  const pw_clause *rough = clause_of(s, PW_CL_ROUGH), *e = clause_of(s, PW_CL_RESTITUTION);
  put_measure(x, "v", s);
  pw_buf_puts(x->to.out, " := ");
  pw_write_ex(x, s->u.law.measure);
  pw_math(&x->to, ", \\quad ", ", quad ");
  if (rough != NULL) {
    put_measure(x, "v", s);
    pw_math(&x->to, " = 0 \\text{ while ", " = 0 \" while ");
    pw_math_text(&x->to, rough->on->kind == PW_EX_NAME ? rough->on->name : "the contact");
    pw_math(&x->to, " is closed}", " is closed\"");
  } else if (vector) {
    pw_math(&x->to, "\\left\\|", "norm(");
    put_lambda(x, s);
    pw_math(&x->to, "\\right\\| \\le ", ") <= ");
    put_bound(x, s);
    pw_math(&x->to, ", \\quad -", ", quad -");
    put_lambda(x, s);
    pw_math(&x->to, " = ", " = ");
    put_bound(x, s);
    pw_math(&x->to, " \\, v / \\left\\|v\\right\\| \\text{ for } v \\ne 0",
            " v \\/ norm(v) \" for \" v != 0");
  } else {
    pw_buf_puts(x->to.out, "-");
    put_lambda(x, s);
    pw_math(&x->to, " \\in ", " in ");
    put_bound(x, s);
    pw_math(&x->to, " \\operatorname{Sgn}\\left(", " op(\"Sgn\")(");
    put_measure(x, "v", s);
    pw_math(&x->to, "\\right)", ")");
  }
  put_family(x, s);
  if (e != NULL) {
    next_line(x);
    pw_math(&x->to, "\\text{impact: } v^{+} = -", "\"impact: \" v^+ = -");
    put_coefficient(x, e->ex);
    pw_math(&x->to, " v^{-}", " v^-");
    if (rough == NULL) {
      pw_math(&x->to, " \\text{ unless it slips}", " \" unless it slips\"");
    }
  }
}

static void clause_text(pw_export *x, const pw_stmt *s, pw_clause_kind kind, const char *latex,
                        const char *typst) {
  const pw_clause *c = clause_of(s, kind);
  if (c != NULL) {
    pw_math(&x->to, latex, typst);
    pw_write_ex(x, c->ex);
    if (c->ex2 != NULL) {
      pw_math(&x->to, " \\ldots ", " dots ");
      pw_write_ex(x, c->ex2);
    }
  }
}

/* Springs and graphs: -lambda is a set-valued function of the measure. */
static void characteristic(pw_export *x, const pw_stmt *s) {
  const pw_clause *graph = clause_of(s, PW_CL_GRAPH);
  const char *letter = s->u.law.is_slip ? "v" : "d";
  put_measure(x, letter, s);
  pw_buf_puts(x->to.out, " := ");
  pw_write_ex(x, s->u.law.measure);
  pw_math(&x->to, ", \\quad -", ", quad -");
  put_lambda(x, s);
  pw_math(&x->to, " \\in f\\left(", " in f(");
  put_measure(x, letter, s);
  pw_math(&x->to, "\\right)", ")");
  clause_text(x, s, PW_CL_STIFFNESS, ", \\quad \\text{stiffness } ", ", quad \"stiffness \" ");
  clause_text(x, s, PW_CL_PLAY, ", \\quad \\text{play } ", ", quad \"play \" ");
  clause_text(x, s, PW_CL_PRELOAD, ", \\quad \\text{preload } ", ", quad \"preload \" ");
  clause_text(x, s, PW_CL_DAMPING, ", \\quad \\text{damping } ", ", quad \"damping \" ");
  for (int i = 0; graph != NULL && i < graph->points.n; i++) {
    pw_math(&x->to, i == 0 ? ", \\quad f \\text{ through } " : ", ",
            i == 0 ? ", quad f \" through \" " : ", ");
    pw_write_ex(x, graph->points.items[i]);
  }
  put_family(x, s);
}

static void put_inertia(pw_export *x, const pw_stmt *s) {
  const pw_clause *phi = clause_of(s, PW_CL_INERTIA);
  pw_write_relation(x, &s->u.law.rel);
  put_family(x, s);
  if (phi != NULL) {
    pw_math(&x->to, ", \\quad \\text{by the kinetic energy } T + ",
            ", quad \"by the kinetic energy\" T + ");
    put_lambda(x, s);
    pw_math(&x->to, " \\left(", " (");
    pw_write_ex(x, phi->ex);
    pw_math(&x->to, "\\right)", ")");
  } else {
    pw_math(&x->to, ", \\quad \\delta \\int (L + ", ", quad delta integral (L + ");
    put_lambda(x, s);
    pw_math(&x->to, " f) \\, dt = 0", " f) dif t = 0");
  }
}

static void viscous(pw_export *x, const pw_stmt *s) {
  pw_write_relation(x, &s->u.law.rel);
  pw_math(&x->to, " \\text{ realised by }", " \" realised by \"");
  clause_text(x, s, PW_CL_VISCOUS, " \\text{viscosity } ", " \"viscosity \" ");
  clause_text(x, s, PW_CL_STIFFNESS, ", \\text{ stiffness } ", ", \" stiffness \" ");
  put_family(x, s);
}

static void servo(pw_export *x, const pw_stmt *s) {
  pw_write_relation(x, &s->u.law.rel);
  pw_math(&x->to, ", \\quad \\text{by } ", ", quad \"by \" ");
  put_lambda(x, s);
  const pw_clause *by = clause_of(s, PW_CL_BY);
  for (int i = 0; by != NULL && i < by->by.n; i++) {
    pw_math(&x->to, i == 0 ? " \\text{ along } " : ", ", i == 0 ? " \" along \" " : ", ");
    pw_write_ex(x, by->by.items[i].ref);
  }
  if (clause_of(s, PW_CL_ONE_WAY) != NULL) {
    pw_math(&x->to, ", \\quad ", ", quad ");
    put_lambda(x, s);
    pw_math(&x->to, " \\ge 0", " >= 0");
  }
  put_family(x, s);
}

static void constraint(pw_export *x, const pw_row *row) {
  const pw_stmt *s = row->stmt;
  if (clause_of(s, PW_CL_VISCOUS) != NULL) {
    viscous(x, s);
  } else if (row->kind == PW_KIND_VAKONOMIC || row->kind == PW_KIND_INERTIA) {
    put_inertia(x, s);
  } else if (s->u.law.rel.op == PW_REL_EQ) {
    pw_write_relation(x, &s->u.law.rel);
    put_family(x, s);
  } else {
    one_sided(x, s, row->on_velocity ? "f" : "g");
  }
}

void pw_write_law(pw_export *x, const pw_row *row) {
  const pw_stmt *s = row->stmt;
  pw_math(&x->to, "\\mathrm{", "upright(\"");
  pw_math_text(&x->to, s->u.law.label.name.text);
  pw_math(&x->to, "}: \\quad & ", "\"): quad & ");
  switch (s->kind) {
  case PW_ST_FRICTION: friction(x, row); break;
  case PW_ST_SPRING:
  case PW_ST_LAW: characteristic(x, s); break;
  case PW_ST_SERVO: servo(x, s); break;
  case PW_ST_JOINT:
    pw_write_joint(x, s->u.law.joint);
    put_family(x, s);
    break;
  default: constraint(x, row);
  }
}
