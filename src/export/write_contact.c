// SPDX-License-Identifier: MIT
/* Contacts between shapes in print: one law for every pair, with its gap. */
#include <string.h>

#include "export/write_law.h"

/* ---- shapes ---- */

static void put_word(pw_export *x, const char *text) {
  pw_math(&x->to, "\\text{", "\"");
  pw_math_text(&x->to, text);
  pw_math(&x->to, "}", "\"");
}

/* Points without a word are what the kind of shape says. */
static const char *role_of(const char *kind, int place) {
  if (strcmp(kind, "plane") == 0) {
    return place == 0 ? " through " : ", normal ";
  }
  return strcmp(kind, "segment") == 0 ? (place == 0 ? " from " : " to ") : " at ";
}

void pw_write_shape(pw_export *x, const pw_stmt *s) {
  const pw_heading *label = &s->u.shape.label;
  int place = 0;
  pw_math(&x->to, "\\mathrm{", "upright(\"");
  pw_math_text(&x->to, label->name.text);
  pw_math(&x->to, "}", "\")");
  if (label->index.text != NULL) {
    pw_math(&x->to, "_{", "_(");
    pw_math_name(&x->to, label->index.text, 0);
    pw_math(&x->to, "}", ")");
  }

  /* its kind and its data */
  pw_math(&x->to, ": \\quad & ", ": quad & ");
  put_word(x, s->u.shape.kind.text);
  for (int i = 0; i < s->u.shape.n; i++) {
    const pw_darg *a = &s->u.shape.items[i];
    if (a->word == NULL) {
      put_word(x, role_of(s->u.shape.kind.text, place++));
    } else {
      pw_buf_puts(x->to.out, ", ");
      put_word(x, a->word);
      pw_math(&x->to, "\\ ", " space ");
    }
    pw_write_ex(x, a->ex);
  }

  for (int i = 0; i < s->u.shape.corners.n; i++) {
    if (i == 0) {
      pw_buf_puts(x->to.out, ", ");
      put_word(x, "corners ");
    } else {
      pw_buf_puts(x->to.out, ", ");
    }
    pw_write_ex(x, s->u.shape.corners.items[i]);
  }
  pw_write_range(x, label->index.text, label->from, label->to);
}

/* ---- pairs ---- */

enum { BALLS = 1, SEGMENTS = 2, PLANES = 4, SPACE = 8 };

static const char *kind_of(const pw_model *m, const char *name, size_t len) {
  for (int i = 0; i < m->ast->n; i++) {
    const pw_stmt *s = m->ast->items[i];
    bool same = s->kind == PW_ST_SHAPE && strlen(s->u.shape.label.name.text) == len &&
                strncmp(s->u.shape.label.name.text, name, len) == 0;
    if (same) {
      return s->u.shape.kind.text;
    }
  }
  return "";
}

/* Which gaps the pairs of a contact have. */
static unsigned gaps_of(const pw_model *m, const pw_stmt *contact) {
  unsigned out = 0;
  for (int i = 0; i < m->touches.n; i++) {
    const pw_touch *t = &m->touches.items[i];
    if (m->rows.items[t->row].stmt != contact) {
      continue;
    }
    const char *other = strchr(t->pair, '-');
    const char *kinds[2] = {kind_of(m, t->pair, strcspn(t->pair, "[-")),
                            other == NULL ? "" : kind_of(m, other + 1, strcspn(other + 1, "["))};
    unsigned gap = BALLS;
    for (int k = 0; k < 2; k++) {
      bool thin = strcmp(kinds[k], "segment") == 0 || strcmp(kinds[k], "capsule") == 0;
      gap = strcmp(kinds[k], "plane") == 0 ? PLANES : thin && gap == BALLS ? SEGMENTS : gap;
    }
    out |= gap | (t->dim == 3 ? SPACE : 0u);
  }
  return out;
}

static void put_gap(pw_export *x, unsigned kind) {
  pw_write_next_line(x);
  if (kind == BALLS) {
    pw_math(
        &x->to,
        "\\text{balls at } a, b\\text{: } g_{c} = \\left\\|a - b\\right\\| - r_{a} - r_{b}, \\quad "
        "n_{c} = \\frac{a - b}{\\left\\|a - b\\right\\|}",
        "\"balls at \" a, b\": \" g_c = norm(a - b) - r_a - r_b, quad n_c = frac(a - b, norm(a - "
        "b))");
  } else if (kind == SEGMENTS) {
    pw_math(
        &x->to,
        "\\text{a ball and } [p, q]\\text{: the same with } b = p + \\sigma \\left(q - p\\right), "
        "\\quad \\sigma = \\min\\left(1, \\max\\left(0, \\frac{\\left(a - p\\right) \\cdot "
        "\\left(q - p\\right)}{\\left\\|q - p\\right\\|^{2}}\\right)\\right)",
        "\"a ball and\" [p, q]\": the same with \" b = p + sigma (q - p), quad sigma = min(1, "
        "max(0, frac((a - p) dot.op (q - p), norm(q - p)^2)))");
  } else {
    pw_math(
        &x->to,
        "\\text{a ball or a corner (} r_{a} = 0 \\text{) and a plane: } g_{c} = n \\cdot "
        "\\left(a - p\\right) - r_{a}, \\quad n_{c} = n",
        "\"a ball or a corner (\" r_a = 0 \") and a plane: \" g_c = n dot.op (a - p) - r_a, quad "
        "n_c = n");
  }
}

/* ---- the law ---- */

static void put_pairs(pw_export *x, const pw_stmt *s) {
  pw_math(&x->to, "\\text{for every pair } c \\text{ of } ", "\"for every pair \" c \" of \" ");
  for (int i = 0; i < s->u.law.shapes.n; i++) {
    const pw_ex *shape = s->u.law.shapes.items[i];
    pw_buf_puts(x->to.out, i == 0 ? "" : ", ");
    if (shape->kind == PW_EX_NAME) {
      pw_math(&x->to, "\\mathrm{", "upright(\"");
      pw_math_text(&x->to, shape->name);
      pw_math(&x->to, "}", "\")");
    } else {
      pw_write_ex(x, shape);
    }
  }
}

/* mu lambda Sgn(v), or the same of impulses. */
static void put_slips(pw_export *x, const pw_stmt *s, bool space, bool impulse) {
  const pw_clause *mu = pw_clause_of(s, PW_CL_MU);
  const char *tau = impulse ? "\\mathrm{T}_{c}" : "\\tau_{c}";
  const char *typst_tau = impulse ? "upright(T)_c" : "tau_c";
  const char *v = impulse ? "v_{c}^{+}" : "v_{c}", *typst_v = impulse ? "v_c^+" : "v_c";
  pw_math(&x->to, space ? "\\left\\|" : "-", space ? "norm(" : "-");
  pw_math(&x->to, tau, typst_tau);
  pw_math(&x->to, space ? "\\right\\| \\le " : " \\in ", space ? ") <= " : " in ");
  pw_write_coefficient(x, mu->ex);
  pw_math(&x->to, impulse ? " \\Lambda_{c}" : " \\lambda_{c}", impulse ? " Lambda_c" : " lambda_c");
  pw_math(&x->to, space ? ", \\quad -\\left\\|" : " \\operatorname{Sgn}\\left(",
          space ? ", quad -norm(" : " op(\"Sgn\")(");
  pw_math(&x->to, v, typst_v);
  pw_math(&x->to, space ? "\\right\\| " : "\\right)", space ? ") " : ")");
  if (space) {
    pw_math(&x->to, tau, typst_tau);
    pw_buf_puts(x->to.out, " = ");
    pw_write_coefficient(x, mu->ex);
    pw_math(&x->to, impulse ? " \\Lambda_{c} " : " \\lambda_{c} ",
            impulse ? " Lambda_c " : " lambda_c ");
    pw_math(&x->to, v, typst_v);
  }
}

static void put_impact(pw_export *x, const pw_stmt *s) {
  const pw_clause *e = pw_clause_of(s, PW_CL_RESTITUTION), *p = pw_clause_of(s, PW_CL_POISSON);
  pw_write_next_line(x);
  if (p != NULL) {
    pw_math(&x->to, "\\text{impact: } \\Lambda_{c,E} \\ge ", "\"impact: \" Lambda_(c,E) >= ");
    pw_write_coefficient(x, p->ex);
    pw_math(&x->to, " \\Lambda_{c,C} \\text{ (Poisson)}", " Lambda_(c,C) \" (Poisson)\"");
    return;
  }
  bool plastic = e == NULL || (e->ex->kind == PW_EX_NUM && e->ex->value == 0);
  pw_math(&x->to, "\\text{impact: } 0 \\le \\Lambda_{c} \\perp \\dot{g}_{c}^{+}",
          "\"impact: \" 0 <= Lambda_c perp dot(g)_c^+");
  if (!plastic) {
    pw_buf_puts(x->to.out, " + ");
    pw_write_coefficient(x, e->ex);
    pw_math(&x->to, " \\dot{g}_{c}^{-}", " dot(g)_c^-");
  }
  pw_math(&x->to, " \\ge 0", " >= 0");
}

static void put_friction(pw_export *x, const pw_stmt *s, bool space) {
  const pw_clause *mu = pw_clause_of(s, PW_CL_MU), *more = pw_clause_of(s, PW_CL_STATIC);
  if (mu == NULL && pw_clause_of(s, PW_CL_ROUGH) == NULL) {
    return;
  }
  pw_write_next_line(x);
  if (space) {
    pw_math(&x->to,
            "v_{c} = w - n_{c} \\left(n_{c} \\cdot w\\right), \\quad w = \\dot{x}_{a} - "
            "\\dot{x}_{b}, \\quad ",
            "v_c = w - n_c (n_c dot.op w), quad w = dot(x)_a - dot(x)_b, quad ");
  } else {
    pw_math(&x->to,
            "v_{c} = \\left(-n_{c,2}, n_{c,1}\\right) \\cdot \\left(\\dot{x}_{a} - "
            "\\dot{x}_{b}\\right), \\quad ",
            "v_c = (-n_(c,2), n_(c,1)) dot.op (dot(x)_a - dot(x)_b), quad ");
  }
  if (mu == NULL) {
    pw_math(&x->to, "v_{c} = 0 \\text{ while } g_{c} = 0", "v_c = 0 \" while \" g_c = 0");
    return;
  }
  put_slips(x, s, space, false);
  if (more != NULL) {
    pw_math(&x->to, ", \\quad \\text{at rest up to } ", ", quad \"at rest up to \" ");
    pw_write_coefficient(x, more->ex);
    pw_math(&x->to, " \\lambda_{c}", " lambda_c");
  }
}

/* The moment against rolling or spinning has a bound like friction. */
static void put_turn(pw_export *x, const pw_clause *c, const char *tex, const char *typst) {
  if (c == NULL) {
    return;
  }
  pw_write_next_line(x);
  pw_math(&x->to, "\\left\\|M_{c,\\mathrm{", "norm(M_(c,upright(\"");
  pw_math(&x->to, tex, typst);
  pw_math(&x->to, "}}\\right\\| \\le ", "\"))) <= ");
  pw_write_coefficient(x, c->ex);
  pw_math(&x->to, " \\lambda_{c}, \\quad M_{c,\\mathrm{", " lambda_c, quad M_(c,upright(\"");
  pw_math(&x->to, tex, typst);
  pw_math(&x->to, "}} \\text{ against } \\omega_{c,\\mathrm{",
          "\")) \" against \" omega_(c,upright(\"");
  pw_math(&x->to, tex, typst);
  pw_math(&x->to, "}} \\text{ at the bound}", "\")) \" at the bound\"");
}

void pw_write_contact(pw_export *x, const pw_stmt *s) {
  unsigned gaps = gaps_of(x->model, s);
  bool space = (gaps & SPACE) != 0;
  put_pairs(x, s);
  pw_math(&x->to, "\\text{: } 0 \\le \\lambda_{c} \\perp g_{c} \\ge 0",
          "\": \" 0 <= lambda_c perp g_c >= 0");
  put_friction(x, s, space);
  put_turn(x, pw_clause_of(s, PW_CL_ROLL), "roll", "roll");
  put_turn(x, pw_clause_of(s, PW_CL_SPIN), "spin", "spin");
  put_impact(x, s);
  if (pw_clause_of(s, PW_CL_MU) != NULL) {
    pw_math(&x->to, ", \\quad ", ", quad ");
    put_slips(x, s, space, true);
  }
  for (unsigned kind = BALLS; kind <= PLANES; kind *= 2) {
    if ((gaps & kind) != 0) {
      put_gap(x, kind);
    }
  }
}

void pw_write_contact_sum(pw_export *x, const pw_stmt *s, pw_node velocity) {
  static const pw_clause_kind turn[2] = {PW_CL_ROLL, PW_CL_SPIN};
  bool rubs = pw_clause_of(s, PW_CL_MU) != NULL || pw_clause_of(s, PW_CL_ROUGH) != NULL;
  bool turns = pw_clause_of(s, PW_CL_ROLL) != NULL || pw_clause_of(s, PW_CL_SPIN) != NULL;
  bool several = rubs || turns;

  pw_math(&x->to, "\\sum_{c \\in \\mathrm{", "sum_(c in upright(\"");
  pw_math_text(&x->to, s->u.law.label.name.text);
  pw_math(&x->to, several ? "}} \\left(" : "}} ", several ? "\")) (" : "\")) ");
  pw_math(&x->to, "\\frac{\\partial \\dot{g}_{c}}{\\partial ", "frac(diff dot(g)_c, diff ");
  pw_write_node(x, velocity);
  pw_math(&x->to, "} \\lambda_{c}", ") lambda_c");

  /* friction, then moments against rolling and spinning */
  if (rubs) {
    pw_math(&x->to, " + \\frac{\\partial v_{c}}{\\partial ", " + frac(diff v_c, diff ");
    pw_write_node(x, velocity);
    pw_math(&x->to, "} \\tau_{c}", ") tau_c");
  }
  for (int i = 0; i < 2; i++) {
    if (pw_clause_of(s, turn[i]) == NULL) {
      continue;
    }
    const char *word = pw_clause_word(turn[i]);
    pw_math(&x->to, " + \\frac{\\partial \\omega_{c,\\mathrm{", " + frac(diff omega_(c,upright(\"");
    pw_math_text(&x->to, word);
    pw_math(&x->to, "}}}{\\partial ", "\")), diff ");
    pw_write_node(x, velocity);
    pw_math(&x->to, "} M_{c,\\mathrm{", ") M_(c,upright(\"");
    pw_math_text(&x->to, word);
    pw_math(&x->to, "}}", "\"))");
  }
  if (several) {
    pw_math(&x->to, "\\right)", ")");
  }
}
