// SPDX-License-Identifier: MIT
/* Dry friction in print: the force while it slides and sticks, and the impulse at impacts. */
#include <string.h>

#include "export/write_law.h"

/* The letter of the contact that a friction belongs to, and its indices; of the rows of a joint the
 * norm, ||(lambda_jx, lambda_jy)||. */
static void put_contact(pw_export *x, const char *latex, const char *typst, const pw_ex *on) {
  const pw_ex *base = on;
  if (on->kind == PW_EX_VECTOR) {
    pw_math(&x->to, "\\left\\|\\left(", "norm(\\(");
    for (int i = 0; i < on->n_arg; i++) {
      pw_buf_puts(x->to.out, i == 0 ? "" : ", ");
      put_contact(x, latex, typst, on->arg[i]);
    }
    pw_math(&x->to, "\\right)\\right\\|", "\\))");
    return;
  }
  while (base->kind == PW_EX_INDEX) {
    base = base->arg[0];
  }
  pw_math(&x->to, latex, typst);
  pw_math(&x->to, "_{\\mathrm{", "_(upright(\"");
  if (base->kind == PW_EX_FIELD && base->arg[0]->kind == PW_EX_NAME) {
    pw_math_text(&x->to, base->arg[0]->name);
    pw_buf_puts(x->to.out, ".");
  }
  pw_math_text(&x->to,
               base->kind == PW_EX_NAME || base->kind == PW_EX_FIELD ? base->name : "contact");
  pw_math(&x->to, "}", "\")");
  for (const pw_ex *at = on; at->kind == PW_EX_INDEX; at = at->arg[0]) {
    pw_buf_puts(x->to.out, ",");
    pw_write_ex(x, at->arg[1]);
  }
  pw_math(&x->to, "}", ")");
}

/* The bound of dry friction: F, or mu times the force or the impulse of its contact. */
static void put_bound(pw_export *x, const pw_ex *ex, const pw_ex *on, bool impulse) {
  pw_write_coefficient(x, ex);
  if (on != NULL) {
    pw_buf_puts(x->to.out, " ");
    put_contact(x, impulse ? "\\Lambda" : "\\lambda", impulse ? "Lambda" : "lambda", on);
  }
}

typedef struct rub { /* the contact of a friction */
  pw_export *x;
  const pw_stmt *s;
  const pw_clause *mu, *bound, *stiction, *e;
  bool vector;  /* slips in a plane */
  bool impulse; /* at an impact */
} rub;

static void put_force(const rub *r) {
  pw_write_law_letter(r->x, r->impulse ? "\\Lambda" : "\\lambda", r->impulse ? "Lambda" : "lambda",
                      r->s);
}

/* v, or its form at an impact: v+ + e v-. */
static void put_slip(const rub *r) {
  pw_write_law_letter(r->x, "v", "v", r->s);
  if (!r->impulse) {
    return;
  }
  pw_math(&r->x->to, "^{+}", "^+");
  if (r->e != NULL) {
    pw_buf_puts(r->x->to.out, " + ");
    pw_write_coefficient(r->x, r->e->ex);
    pw_buf_puts(r->x->to.out, " ");
    pw_write_law_letter(r->x, "v", "v", r->s);
    pw_math(&r->x->to, "^{-}", "^-");
  }
}

static void bound_of(const rub *r) {
  put_bound(r->x, r->mu != NULL ? r->mu->ex : r->bound->ex, r->mu != NULL ? r->mu->on : NULL,
            r->impulse);
}

static void on_line(const rub *r) {
  pw_buf_puts(r->x->to.out, "-");
  put_force(r);
  pw_math(&r->x->to, " \\in ", " in ");
  bound_of(r);
  pw_math(&r->x->to, " \\operatorname{Sgn}\\left(", " op(\"Sgn\")(");
  put_slip(r);
  pw_math(&r->x->to, "\\right)", ")");
}

static void in_disk(const rub *r) {
  const pw_notation *to = &r->x->to;
  pw_math(to, "\\left\\|", "norm(");
  put_force(r);
  pw_math(to, "\\right\\| \\le ", ") <= ");
  bound_of(r);
  pw_math(to, ", \\quad -\\left\\|w\\right\\| ", ", quad -norm(w) ");
  put_force(r);
  pw_math(to, " = ", " = ");
  bound_of(r);
  pw_math(to, " \\, w, \\quad w = ", " thin w, quad w = ");
  put_slip(r);
}

/* mu (m1, m2): the section of the cone is an ellipse, theory (97). */
static void in_ellipse(const rub *r) {
  const pw_notation *to = &r->x->to;
  const pw_ex *m = r->mu->ex;
  pw_math(to, "C = \\left\\{ \\left(f_{1}, f_{2}\\right) : ", "C = {(f_1, f_2) : ");
  for (int k = 0; k < 2; k++) {
    pw_buf_printf(to->out, pw_is_latex(to) ? "%s\\left(\\frac{f_{%d}}{" : "%s(frac(f_%d, ",
                  k == 0 ? "" : " + ", k + 1);
    pw_write_ex(r->x, m->arg[k]);
    pw_math(to, "}\\right)^{2}", "))^2");
  }
  pw_math(to, " \\le ", " <= ");
  put_contact(r->x, r->impulse ? "\\Lambda" : "\\lambda", r->impulse ? "Lambda" : "lambda",
              r->mu->on);
  pw_math(to, "^{2} \\right\\}, \\quad -", "^2}, quad -");
  put_force(r);
  pw_math(to, " \\in \\arg\\max_{f \\in C} f \\cdot \\left(", " in arg max_(f in C) f dot.op (");
  put_slip(r);
  pw_math(to, "\\right)", ")");
}

static void put_set(const rub *r) {
  if (r->mu != NULL && r->mu->ex->kind == PW_EX_VECTOR && r->mu->ex->n_arg == 2) {
    in_ellipse(r);
  } else if (r->vector) {
    in_disk(r);
  } else {
    on_line(r);
  }
}

static void put_stiction(const rub *r) {
  pw_write_next_line(r->x);
  pw_math(&r->x->to, "\\text{at rest: } \\left\\|", "\"at rest: \" norm(");
  put_force(r);
  pw_math(&r->x->to, "\\right\\| \\le ", ") <= ");
  put_bound(r->x, r->stiction->ex, r->mu != NULL ? r->mu->on : NULL, false);
}

static void put_rough(pw_export *x, const pw_stmt *s, const pw_clause *rough) {
  const pw_clause *e = pw_clause_of(s, PW_CL_RESTITUTION);
  pw_write_law_letter(x, "v", "v", s);
  pw_math(&x->to, " = 0 \\text{ while ", " = 0 \" while ");
  pw_math_text(&x->to, rough->on->kind == PW_EX_NAME ? rough->on->name : "the contact");
  pw_math(&x->to, " is closed}", " is closed\"");
  pw_write_family(x, s);
  pw_write_next_line(x);
  pw_math(&x->to, "\\text{impact: } ", "\"impact: \" ");
  pw_write_law_letter(x, "v", "v", s);
  pw_math(&x->to, "^{+} = ", "^+ = ");
  if (e == NULL) {
    pw_buf_puts(x->to.out, "0");
    return;
  }
  pw_buf_puts(x->to.out, "-");
  pw_write_coefficient(x, e->ex);
  pw_buf_puts(x->to.out, " ");
  pw_write_law_letter(x, "v", "v", s);
  pw_math(&x->to, "^{-}", "^-");
}

/* A force with a given bound is finite: it has no impulse. */
void pw_write_friction(pw_export *x, const pw_row *row) {
  const pw_stmt *s = row->stmt;
  const pw_clause *rough = pw_clause_of(s, PW_CL_ROUGH);
  rub r = {.x = x,
           .s = s,
           .vector = row->count > 1,
           .mu = pw_clause_of(s, PW_CL_MU),
           .bound = pw_clause_of(s, PW_CL_BOUND),
           .stiction = pw_clause_of(s, PW_CL_STATIC),
           .e = pw_clause_of(s, PW_CL_RESTITUTION)};

  /* the slip */
  pw_write_law_letter(x, "v", "v", s);
  pw_buf_puts(x->to.out, " := ");
  pw_write_ex(x, s->u.law.measure);
  pw_math(&x->to, ", \\quad ", ", quad ");
  if (rough != NULL) {
    put_rough(x, s, rough);
    return;
  }

  /* the force, and the impulse of an impact */
  put_set(&r);
  pw_write_family(x, s);
  if (r.stiction != NULL) {
    put_stiction(&r);
  }
  if (r.mu != NULL) {
    pw_write_next_line(x);
    pw_math(&x->to, "\\text{impact: } ", "\"impact: \" ");
    r.impulse = true;
    put_set(&r);
  }
}
