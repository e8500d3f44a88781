// SPDX-License-Identifier: MIT
/* Whether a constraint f = a(q, t).u + b(q, t) on velocities is one on positions in disguise
 * (Kozlov 2019, sec. 1). With the form w = a dq + b dt, f = h' if dw = 0, and f = g h' if
 *   w ^ dw = 0,  that is  w_i (w_k,j - w_j,k) + w_j (w_i,k - w_k,i) + w_k (w_j,i - w_i,j) = 0
 * for all i < j < k (Frobenius), potentials (P10). Derivatives are exact; whether they vanish is
 * tested at points. */
#include <string.h>

#include "base/buf.h"
#include "system/nature.h"

static bool is_velocity(void *payload, int v) {
  (void)payload;
  return pw_var_kind(v) == PW_VAR_U;
}

static bool is_linear(const pw_model *m, const pw_equations *eq, int i) {
  for (int e = eq->rows.start[i]; e < eq->rows.start[i + 1]; e++) {
    if (pw_depends(m->dag, eq->J[e], is_velocity, NULL)) {
      return false;
    }
  }
  return true;
}

/* False: a rotation takes part, or there are too many variables. */
static bool make_form(const pw_model *m, pw_node f, const pw_node *J, pw_pfaff *x) {
  for (int c = 0; c < m->coords.n; c++) {
    const pw_coord *k = &m->coords.items[c];
    bool occurs = false;
    for (int i = 0; i < (k->is_rotation ? 3 : 1); i++) {
      occurs = occurs || !pw_is_value(m->dag, J[k->u + i], 0);
    }
    if (k->is_rotation ? occurs : x->n >= PW_MOST_OF_FORM - 1) {
      return false;
    }
    if (!k->is_rotation) {
      x->var[x->n] = pw_var_of(PW_VAR_Q, k->q);
      x->w[x->n++] = J[k->u];
    }
  }
  pw_node rest = pw_sub(m->dag, f, pw_power(m, J));
  if (!pw_vanishes(m, rest)) {
    x->var[x->n] = pw_var_of(PW_VAR_TIME, 0);
    x->w[x->n++] = rest;
  }
  for (int i = 0; i < x->n; i++) {
    pw_gradient(m->dag, x->w[i], x->var, x->n, x->by[i]);
  }
  return true;
}

static pw_node turn(const pw_pfaff *x, int j, int k) {
  return pw_sub(x->m->dag, x->by[k][j], x->by[j][k]);
}

static bool is_closed(const pw_pfaff *x) {
  for (int j = 0; j < x->n; j++) {
    for (int k = j + 1; k < x->n; k++) {
      if (!pw_vanishes(x->m, turn(x, j, k))) {
        return false;
      }
    }
  }
  return true;
}

static bool is_triple_flat(const pw_pfaff *x, int i, int j, int k) {
  pw_dag *dag = x->m->dag;
  pw_node a = turn(x, j, k), b = turn(x, k, i), c = turn(x, i, j);
  a = pw_mul(dag, x->w[i], a);
  b = pw_mul(dag, x->w[j], b);
  c = pw_mul(dag, x->w[k], c);
  pw_node sum = pw_add(dag, a, b);
  return pw_vanishes(x->m, pw_add(dag, sum, c));
}

static bool is_integrable(const pw_pfaff *x) {
  for (int i = 0; i < x->n; i++) {
    for (int j = i + 1; j < x->n; j++) {
      for (int k = j + 1; k < x->n; k++) {
        if (!is_triple_flat(x, i, j, k)) {
          return false;
        }
      }
    }
  }
  return true;
}

static bool has_nature(pw_kind kind) {
  return kind == PW_KIND_NONHOLONOMIC || kind == PW_KIND_ONE_SIDED_VELOCITY ||
         kind == PW_KIND_VAKONOMIC;
}

static const char *in_words(const pw_model *m, pw_integral x, bool closed) {
  if (x.h == NULL) {
    return closed ? "integrable: the rate of a function of positions"
                  : "integrable with a factor: holonomic in disguise";
  }
  pw_buf text = {0};
  pw_buf_printf(&text,
                closed    ? "integrable: the rate of %s"
                : x.turns ? "integrable with a factor that changes its sign: holonomic in "
                            "disguise, (%s)'"
                          : "integrable with a factor: holonomic in disguise, the sign of (%s)'",
                x.h);
  char *kept = PW_TAKE(m->arena, text.len + 1, char);
  if (text.text != NULL) {
    memcpy(kept, text.text, text.len);
  }
  pw_buf_free(&text);
  return kept;
}

const char *pw_nature_of_row(const pw_model *m, const pw_equations *eq, int i) {
  if (!has_nature(m->rows.items[eq->row_of[i]].kind)) {
    return NULL;
  }
  if (!is_linear(m, eq, i)) {
    return "not linear in the velocities";
  }
  pw_pfaff x = {.m = m};
  pw_node J[PW_MOST_OF_FORM];
  for (int k = 0; k < PW_MOST_OF_FORM; k++) {
    J[k] = pw_const(m->dag, 0);
  }
  for (int e = eq->rows.start[i]; e < eq->rows.start[i + 1] && m->nv < PW_MOST_OF_FORM; e++) {
    J[eq->rows.index[e]] = eq->J[e];
  }
  if (m->nv >= PW_MOST_OF_FORM || !make_form(m, eq->value[i], J, &x)) {
    return "linear in the velocities";
  }
  bool closed = is_closed(&x);
  if (!closed && !is_integrable(&x)) {
    return "linear, not integrable";
  }
  return in_words(m, pw_first_integral(&x, closed), closed);
}
