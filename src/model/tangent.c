// SPDX-License-Identifier: MIT
/* A slip of three components: the velocity of one surface against the other in space, by its
 * coordinates, with the part along the normal or without it. The forces lie in the plane that these
 * slips span while the contact is closed. Its normal n follows from their gradients J (3 rows, by
 * the velocities), contacts (K5):
 *   J has rank 2:  n n^T is adj(J J^T) over its trace;
 *   J has rank 3 and the gradient c of the gap is n^T J:  n is along adj(J J^T) J c.
 * Two tangents e at right angles turn the law into one with two rows, e . slip, contacts (K7); no
 * two tangents do on all of a sphere, so there are three pairs of them, chosen by the largest
 * component of n. */
#include "model/tangent.h"

#include <math.h>

#include "law/scale_mech.h"

enum { STATES = 5, COMPONENTS = 3 };

typedef struct span {
  pw_check *ck;
  const pw_node *slip; /* 3 */
  int nv;
  pw_node *J, *c; /* 3 x nv, nv; c NULL: no contact */
  pw_node adj[COMPONENTS][COMPONENTS];
  pw_node m[COMPONENTS]; /* along n, if `whole` */
  bool whole;            /* the slips have a part along the normal */
} span;

/* ---- what they span, at states of no importance ---- */

static double value_at(void *payload, int var) {
  const int *state = payload;
  return 0.3 + 0.5 * sin(1.7 * (var + 1) + 2.3 * *state); /* nothing is zero or equal */
}

/* Takes the first `done` rows, at right angles to each other, out of row `done`. False: nothing is
 * left. */
static bool is_new(double *row, int done, int nv) {
  double *own = row + (size_t)done * (size_t)nv, before = 0, after = 0;
  for (int j = 0; j < nv; j++) {
    before += own[j] * own[j];
  }
  for (int k = 0; k < 2 * done; k++) { /* twice: rounding */
    const double *other = row + (size_t)(k % done) * (size_t)nv;
    double along = 0;
    for (int j = 0; j < nv; j++) {
      along += own[j] * other[j];
    }
    for (int j = 0; j < nv; j++) {
      own[j] -= along * other[j];
    }
  }
  for (int j = 0; j < nv; j++) {
    after += own[j] * own[j];
  }
  double size = sqrt(after);
  bool left = size > PW_SCALE(RANK_ROWS) * sqrt(before);
  for (int j = 0; j < nv && left; j++) {
    own[j] /= size;
  }
  return left;
}

/* Rank of the slips at a state, and with the gap; -1: they are no numbers there. */
static int rank_at(const span *x, int state, double *row, int *with_gap) {
  int rank = 0, nv = x->nv;
  for (int i = 0; i < COMPONENTS + (x->c != NULL); i++) {
    for (int j = 0; j < nv; j++) {
      pw_node node = i < COMPONENTS ? x->J[i * nv + j] : x->c[j];
      double v = pw_eval(x->ck->dag, node, value_at, &state);
      row[(size_t)rank * (size_t)nv + (size_t)j] = v;
      if (!isfinite(v)) {
        return -1;
      }
    }
    bool more = is_new(row, rank, nv);
    *with_gap = rank + more;
    rank += i < COMPONENTS && more;
  }
  return rank;
}

/* Dimension of the space of forces: without the direction of the gap, if the slips contain it. */
static int dimension(span *x) {
  double *row = PW_TAKE(x->ck->arena, (COMPONENTS + 1) * x->nv + 1, double);
  int most = 0, all = 0;
  for (int s = 0; s < STATES; s++) {
    int with_gap = 0, rank = rank_at(x, s, row, &with_gap);
    most = rank > most ? rank : most;
    all = rank >= 0 && with_gap > all ? with_gap : all;
  }
  x->whole = x->c != NULL && all == most;
  return most - x->whole;
}

/* ---- the normal ---- */

static pw_node dot(const span *x, const pw_node *a, const pw_node *b, int n) {
  pw_dag *dag = x->ck->dag;
  pw_node sum = pw_const(dag, 0);
  for (int j = 0; j < n; j++) {
    pw_node part = pw_mul(dag, a[j], b[j]);
    sum = pw_add(dag, sum, part);
  }
  return sum;
}

static void find_normal(span *x) {
  pw_dag *dag = x->ck->dag;
  pw_node G[COMPONENTS][COMPONENTS], b[COMPONENTS];
  for (int i = 0; i < COMPONENTS; i++) {
    for (int j = 0; j < COMPONENTS; j++) {
      G[i][j] = dot(x, x->J + (size_t)i * (size_t)x->nv, x->J + (size_t)j * (size_t)x->nv, x->nv);
    }
  }
  for (int i = 0; i < COMPONENTS; i++) {
    for (int j = 0; j < COMPONENTS; j++) { /* cofactors, by cyclic indices */
      int a = (i + 1) % 3, b2 = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
      pw_node left = pw_mul(dag, G[a][c], G[b2][d]);
      pw_node right = pw_mul(dag, G[a][d], G[b2][c]);
      x->adj[i][j] = pw_sub(dag, left, right);
    }
  }
  for (int i = 0; i < COMPONENTS && x->whole; i++) {
    b[i] = dot(x, x->J + (size_t)i * (size_t)x->nv, x->c, x->nv);
  }
  for (int i = 0; i < COMPONENTS && x->whole; i++) {
    x->m[i] = dot(x, x->adj[i], b, COMPONENTS);
  }
}

/* ---- pairs of tangents ---- */

typedef struct choice { /* surfaces between the pairs: the last one where `last` >= 0, else the
                           first where `first` >= 0, else the second */
  pw_node last, first;
} choice;

static pw_node choose(const span *x, const choice *c, pw_node a, pw_node b, pw_node last) {
  pw_node others = pw_select(x->ck->dag, c->first, a, b);
  return pw_select(x->ck->dag, c->last, last, others);
}

/* n_i/n_k is part(i, k)/part(k, k). */
static pw_node part(const span *x, int i, int k) {
  return x->whole ? x->m[i] : x->adj[i][k];
}

/* contacts (K8). The weights keep the surfaces away from the planes in which motions lie that are
 * symmetric. */
static choice find_choice(const span *x) {
  static const double last = 0.3183098861837907, first = 0.8646647167633873;
  pw_dag *dag = x->ck->dag;
  pw_node size[COMPONENTS];
  for (int k = 0; k < COMPONENTS; k++) {
    size[k] = part(x, k, k);
    size[k] = x->whole ? pw_mul(dag, size[k], size[k]) : size[k];
  }
  pw_node both = pw_add(dag, size[0], size[1]);
  pw_node less = pw_mul(dag, pw_const(dag, last), both);
  pw_node second = pw_mul(dag, pw_const(dag, first), size[1]);
  choice out;
  out.last = pw_sub(dag, size[2], less);
  out.first = pw_sub(dag, size[0], second);
  return out;
}

/* Component i of the tangents in the order (k+1, k+2, k), k the largest of n, contacts (K7):
 * with a = n_(k+1)/n_k, b = n_(k+2)/n_k, r = |(a, b, 1)|
 *   e1 = (1 - a a/s, -a b/s, -a/r),   e2 = (-a b/s, 1 - b b/s, -b/r),   s = r (1 + r). */
static void find_tangents(const span *x, const choice *c, pw_node e[2][COMPONENTS]) {
  pw_dag *dag = x->ck->dag;
  pw_node one = pw_const(dag, 1), ratio[2], square = one;
  pw_node largest = choose(x, c, part(x, 0, 0), part(x, 1, 1), part(x, 2, 2));
  for (int i = 0; i < 2; i++) {
    pw_node over = choose(x, c, part(x, (1 + i) % 3, 0), part(x, (2 + i) % 3, 1), part(x, i, 2));
    ratio[i] = pw_div(dag, over, largest);
    pw_node own = pw_mul(dag, ratio[i], ratio[i]);
    square = pw_add(dag, square, own);
  }
  pw_node r = pw_apply1(dag, PW_OP_SQRT, square);
  pw_node s = pw_mul(dag, r, pw_add(dag, one, r));
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < 2; j++) {
      pw_node product = pw_mul(dag, ratio[i], ratio[j]);
      pw_node quotient = pw_div(dag, product, s);
      e[i][j] = i == j ? pw_sub(dag, one, quotient) : pw_neg(dag, quotient);
    }
    e[i][2] = pw_neg(dag, pw_div(dag, ratio[i], r));
  }
}

static void lay_out(const span *x, pw_tangents *out) {
  pw_node e[2][COMPONENTS];
  choice c = find_choice(x);
  find_tangents(x, &c, e);
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < COMPONENTS; k++) { /* component k stands at k - (chosen + 1) mod 3 */
      out->along[i][k] = choose(x, &c, e[i][(k + 2) % 3], e[i][(k + 1) % 3], e[i][k]);
    }
    out->slip[i] = dot(x, out->along[i], x->slip, COMPONENTS);
  }
}

static pw_node *gradient(pw_check *ck, pw_node rate, pw_node *out) {
  int nv = ck->m->nv;
  int *var = PW_TAKE(ck->arena, nv + 1, int);
  for (int i = 0; i < nv; i++) {
    var[i] = pw_var_of(PW_VAR_U, i);
  }
  pw_gradient(ck->dag, rate, var, nv, out);
  return out;
}

bool pw_find_tangents(pw_check *ck, const pw_node *slip, int contact, pw_tangents *out) {
  span x = {.ck = ck, .slip = slip, .nv = ck->m->nv};
  pw_node rate;
  x.J = PW_TAKE(ck->arena, COMPONENTS * x.nv + 1, pw_node);
  for (int i = 0; i < COMPONENTS; i++) {
    gradient(ck, slip[i], x.J + (size_t)i * (size_t)x.nv);
  }
  if (contact >= 0 && pw_elab_rate(ck, &ck->m->rows.items[contact].value, 1, &rate)) {
    x.c = gradient(ck, rate, PW_TAKE(ck->arena, x.nv + 1, pw_node));
  }
  if (dimension(&x) != 2) {
    return false;
  }
  find_normal(&x);
  lay_out(&x, out);
  return true;
}

/* ---- its force ---- */

pw_val pw_law_vector(pw_check *ck, pw_var_class kind, int row) {
  const pw_row *first = &ck->m->rows.items[row];
  pw_node *v = PW_TAKE(ck->arena, 3, pw_node);
  for (int i = 0; i < 3; i++) {
    v[i] = pw_const(ck->dag, 0);
    for (int k = 0; k < first->count; k++) {
      pw_node lambda = pw_var(ck->dag, pw_var_of(kind, row + k));
      pw_node part = pw_mul(ck->dag, first[k].along[i], lambda);
      v[i] = pw_add(ck->dag, v[i], part);
    }
  }
  return (pw_val){.kind = PW_V_VECTOR, .n = 3, .v = v};
}

static pw_val refuse_component(pw_check *ck, const pw_ex *ex) {
  pw_diag_ref d = pw_elab_error(ck, "E0107", ex->arg[1]->span,
                                "`%s` is a slip of three components, with two rows along tangents",
                                pw_text_of(ck, ex->arg[1]->arg[0]->span));
  pw_label(d, "a component of its force is chosen behind the bracket: `force(c)[3]`");
  return PW_BAD_VAL;
}

/* The multiplier of a constraint with corners: that of all its pieces together. */
static pw_val of_pieces(pw_check *ck, pw_var_class kind, int row, int n) {
  pw_node sum = pw_const(ck->dag, 0);
  for (int i = 0; i < n; i++) {
    sum = pw_add(ck->dag, sum, pw_var(ck->dag, pw_var_of(kind, row + i)));
  }
  return pw_scalar_val(sum);
}

pw_val pw_law_val(pw_check *ck, const pw_ex *ex, pw_var_class kind, int row, int n) {
  const pw_row *first = &ck->m->rows.items[row];
  if (first->is_piece && n == first->count) {
    return of_pieces(ck, kind, row, n);
  }
  if (first->along != NULL) {
    return n == first->count ? pw_law_vector(ck, kind, row) : refuse_component(ck, ex);
  }
  pw_node *v = PW_TAKE(ck->arena, n, pw_node);
  for (int i = 0; i < n; i++) {
    v[i] = pw_var(ck->dag, pw_var_of(kind, row + i));
  }
  return n == 1 ? pw_scalar_val(v[0]) : (pw_val){.kind = PW_V_VECTOR, .n = n, .v = v};
}
