// SPDX-License-Identifier: MIT
/* Constraints and laws as a person would state them: inclusions, complementarity, impact laws. */
#include <string.h>

#include "export/write_law.h"

const pw_clause *pw_clause_of(const pw_stmt *s, pw_clause_kind kind) {
  for (int i = 0; i < s->u.law.n; i++) {
    if (s->u.law.items[i].kind == kind) {
      return &s->u.law.items[i];
    }
  }
  return NULL;
}

/* A letter with the name of a law below it, as a word; brackets after it are indices. */
static void put_letter(pw_export *x, const char *latex, const char *typst, const char *law) {
  const char *dot = strrchr(law, '.'), *last = dot == NULL ? law : dot; /* leg[1].grip[2] */
  size_t len = (size_t)(last - law) + strcspn(last, "[");
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

void pw_write_gradient(pw_export *x, const char *law) {
  put_letter(x, "J", "J", law);
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

void pw_write_law_letter(pw_export *x, const char *latex, const char *typst, const pw_stmt *s) {
  char name[128];
  law_name(x, s, name, sizeof name);
  put_letter(x, latex, typst, name);
}

static void put_measure(pw_export *x, const char *letter, const pw_stmt *s) {
  pw_write_law_letter(x, letter, letter, s);
}

/* left - right of a relation, right - left of <=; a side that is 0 is omitted. */
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

void pw_write_range(pw_export *x, const char *index, const pw_ex *from, const pw_ex *to) {
  if (index != NULL) {
    pw_math(&x->to, ", \\quad ", ", quad ");
    pw_math_name(&x->to, index, 0);
    pw_buf_puts(x->to.out, " = ");
    pw_write_ex(x, from);
    pw_math(&x->to, ", \\ldots, ", ", dots, ");
    pw_write_ex(x, to);
  }
}

void pw_write_family(pw_export *x, const pw_stmt *s) {
  const pw_heading *label = &s->u.law.label;
  pw_write_range(x, label->index.text, label->from, label->to);
  pw_write_range(x, label->second.text, label->from2, label->to2);
}

/* In brackets if it is a sum. */
void pw_write_coefficient(pw_export *x, const pw_ex *ex) {
  bool sum = ex->kind == PW_EX_ADD || ex->kind == PW_EX_SUB || ex->kind == PW_EX_NEG;
  pw_math(&x->to, sum ? "\\left(" : "", sum ? "(" : "");
  pw_write_ex(x, ex);
  pw_math(&x->to, sum ? "\\right)" : "", sum ? ")" : "");
}

void pw_write_next_line(pw_export *x) {
  pw_math(&x->to, " \\\\\n & ", " \\\n & ");
}

/* The rate that closes at an impact, before or after it: the rate of a gap, or a velocity
 * itself. */
static void put_rate(pw_export *x, const char *letter, const pw_stmt *s, bool after) {
  bool velocity = letter[0] == 'f';
  pw_write_law_letter(x, velocity ? "f" : "\\dot{g}", velocity ? "f" : "dot(g)", s);
  pw_math(&x->to, after ? "^{+}" : "^{-}", after ? "^+" : "^-");
}

/* g = ... >= 0 (or f of velocities), 0 <= lambda _|_ g >= 0, and the impact law. */
static void one_sided(pw_export *x, const pw_stmt *s, const char *letter) {
  const pw_clause *newton = pw_clause_of(s, PW_CL_RESTITUTION),
                  *poisson = pw_clause_of(s, PW_CL_POISSON);

  /* g := ... >= 0, 0 <= lambda perp g >= 0 */
  put_measure(x, letter, s);
  pw_math(&x->to, " := ", " := ");
  put_gap(x, &s->u.law.rel);
  pw_math(&x->to, " \\ge 0, \\quad 0 \\le ", " >= 0, quad 0 <= ");
  put_lambda(x, s);
  pw_math(&x->to, " \\perp ", " perp ");
  put_measure(x, letter, s);
  pw_math(&x->to, " \\ge 0", " >= 0");
  pw_write_family(x, s);

  /* Newton: 0 <= Lambda perp g+ + e g- >= 0; Poisson: Lambda_E >= e Lambda_C */
  const pw_clause *impact = newton != NULL ? newton : poisson;
  if (impact == NULL) {
    return;
  }
  pw_write_next_line(x);
  if (newton != NULL) {
    bool plastic = newton->ex->kind == PW_EX_NUM && newton->ex->value == 0;
    pw_math(&x->to, "\\text{impact: } 0 \\le ", "\"impact: \" 0 <= ");
    pw_write_law_letter(x, "\\Lambda", "Lambda", s);
    pw_math(&x->to, " \\perp ", " perp ");
    put_rate(x, letter, s, true);
    if (!plastic) {
      pw_buf_puts(x->to.out, " + ");
      pw_write_coefficient(x, newton->ex);
      pw_buf_puts(x->to.out, " ");
      put_rate(x, letter, s, false);
    }
    pw_math(&x->to, " \\ge 0", " >= 0");
  } else {
    pw_math(&x->to, "\\text{impact: } \\Lambda_{E} \\ge ", "\"impact: \" Lambda_E >= ");
    pw_write_coefficient(x, poisson->ex);
    pw_math(&x->to, " \\Lambda_{C} \\quad \\text{(Poisson)}", " Lambda_C quad \"(Poisson)\"");
  }
}

static void clause_text(pw_export *x, const pw_stmt *s, pw_clause_kind kind, const char *latex,
                        const char *typst) {
  const pw_clause *c = pw_clause_of(s, kind);
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
  const pw_clause *graph = pw_clause_of(s, PW_CL_GRAPH);
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
  pw_write_family(x, s);
}

static void put_inertia(pw_export *x, const pw_stmt *s) {
  const pw_clause *phi = pw_clause_of(s, PW_CL_INERTIA);
  pw_write_relation(x, &s->u.law.rel);
  pw_write_family(x, s);
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
  pw_write_family(x, s);
}

static void servo(pw_export *x, const pw_stmt *s) {
  pw_write_relation(x, &s->u.law.rel);
  pw_math(&x->to, ", \\quad \\text{by } ", ", quad \"by \" ");
  put_lambda(x, s);
  const pw_clause *by = pw_clause_of(s, PW_CL_BY);
  for (int i = 0; by != NULL && i < by->by.n; i++) {
    pw_math(&x->to, i == 0 ? " \\text{ along } " : ", ", i == 0 ? " \" along \" " : ", ");
    pw_write_ex(x, by->by.items[i].ref);
  }
  if (pw_clause_of(s, PW_CL_ONE_WAY) != NULL) {
    pw_math(&x->to, ", \\quad ", ", quad ");
    put_lambda(x, s);
    pw_math(&x->to, " \\ge 0", " >= 0");
  }
  pw_write_family(x, s);
}

static void constraint(pw_export *x, const pw_row *row) {
  const pw_stmt *s = row->stmt;
  if (pw_clause_of(s, PW_CL_VISCOUS) != NULL) {
    viscous(x, s);
  } else if (row->kind == PW_KIND_VAKONOMIC || row->kind == PW_KIND_INERTIA) {
    put_inertia(x, s);
  } else if (s->u.law.rel.op == PW_REL_EQ) {
    pw_write_relation(x, &s->u.law.rel);
    pw_write_family(x, s);
  } else {
    one_sided(x, s, row->on_velocity ? "f" : "g");
  }
}

static void tip_force(pw_export *x, const pw_row *row) {
  pw_math(&x->to, "\\left(", "(");
  for (int k = 0; k < row->count; k++) {
    pw_buf_puts(x->to.out, k == 0 ? "" : ", ");
    pw_write_lambda(x, row[k].name, false);
  }
  pw_math(&x->to, "\\right)", ")");
}

/* The tip of a norm, potentials (P11): all of its rows. */
static void tip(pw_export *x, const pw_row *row) {
  pw_math(&x->to, "s := \\left(", "s := (");
  for (int k = 0; k < row->count; k++) {
    pw_buf_puts(x->to.out, k == 0 ? "" : ", ");
    pw_write_node(x, row[k].value);
  }
  pw_math(&x->to, "\\right), \\quad \\left\\|", "), quad norm(");
  tip_force(x, row);
  pw_math(&x->to, "\\right\\| \\le ", ") <= ");
  pw_write_node(x, row->clause.bound);
  pw_math(&x->to, ", \\quad -\\left\\|s\\right\\| ", ", quad -norm(s) ");
  tip_force(x, row);
  pw_math(&x->to, " = \\left(", " = (");
  pw_write_node(x, row->clause.bound);
  pw_math(&x->to, "\\right) s", ") s");
}

/* A kink of an energy: the force is the generalised gradient of the energy along its measure,
 * potentials (P2). */
static void kink(pw_export *x, const pw_row *row) {
  if (row->count > 1) {
    tip(x, row);
    return;
  }
  put_letter(x, "s", "s", row->name);
  pw_buf_puts(x->to.out, " := ");
  pw_write_node(x, row->value);
  pw_math(&x->to, ", \\quad -", ", quad -");
  pw_write_lambda(x, row->name, false);
  pw_math(&x->to, " \\in \\partial_{s} ", " in diff_s ");
  pw_math_name(&x->to, row->stmt->u.energy.name.text, 0);
  pw_math(&x->to, " = \\begin{cases} \\left\\{ ", " = cases({");
  pw_write_node(x, row->clause.below);
  pw_math(&x->to, " \\right\\} & s < 0 \\\\ \\left[ ", "} & quad s < 0, [");
  pw_write_node(x, row->clause.below);
  pw_math(&x->to, ", \\; ", "\\, ");
  pw_write_node(x, row->clause.above);
  pw_math(&x->to, " \\right] & s = 0 \\\\ \\left\\{ ", "] & quad s = 0, {");
  pw_write_node(x, row->clause.above);
  pw_math(&x->to, " \\right\\} & s > 0 \\end{cases}", "} & quad s > 0)");
}

void pw_write_law(pw_export *x, const pw_row *row) {
  const pw_stmt *s = row->stmt;
  pw_math(&x->to, "\\mathrm{", "upright(\"");
  pw_math_text(&x->to, row->kind == PW_KIND_KINK ? row->law : s->u.law.label.name.text);
  pw_math(&x->to, "}: \\quad & ", "\"): quad & ");
  switch (s->kind) {
  case PW_ST_POTENTIAL:
  case PW_ST_DISSIPATION: kink(x, row); break;
  case PW_ST_CONTACT: pw_write_contact(x, s); break;
  case PW_ST_FRICTION: pw_write_friction(x, row); break;
  case PW_ST_SPRING:
  case PW_ST_LAW: characteristic(x, s); break;
  case PW_ST_SERVO: servo(x, s); break;
  case PW_ST_JOINT:
    pw_write_joint(x, s->u.law.joint);
    pw_write_family(x, s);
    break;
  default: constraint(x, row);
  }
}
