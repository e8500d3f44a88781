// SPDX-License-Identifier: MIT
/* Directions of coordinates without inertia: the columns of the inverse of the matrix whose rows
 * are the gradients a of the laws, completed by rows of the unit matrix. */
#include <math.h>

#include "law/scale_model.h"
#include "model/nodes.h"

static bool is_zero(const pw_nodes *N, pw_node a) {
  return pw_is_value(N->ck->dag, a, 0);
}

/* a - b, and zero where numbers differ by rounding only */
static pw_node less(const pw_nodes *N, pw_node a, pw_node b) {
  pw_dag *dag = N->ck->dag;
  pw_node out = pw_sub(dag, a, b);
  bool numbers = pw_is_const(dag, a) && pw_is_const(dag, b);
  bool same = numbers &&
              fabs(pw_node_value(dag, out)) <= PW_SCALE(TERMS_CANCEL) * fabs(pw_node_value(dag, a));
  return same ? pw_const(dag, 0) : out;
}

/* ---- laws along one direction ---- */

/* The factor between the gradients of two laws; -1: they are not parallel. */
static pw_node ratio_of(const pw_nodes *N, const pw_node *a, const pw_node *b) {
  pw_dag *dag = N->ck->dag;
  pw_node ratio = -1;
  for (int k = 0; k < N->n; k++) {
    if (is_zero(N, a[k]) != is_zero(N, b[k])) {
      return -1;
    }
    if (!is_zero(N, b[k]) && ratio < 0) {
      ratio = pw_div(dag, a[k], b[k]);
    } else if (!is_zero(N, b[k]) && !is_zero(N, less(N, a[k], pw_mul(dag, ratio, b[k])))) {
      return -1;
    }
  }
  return ratio;
}

/* Laws with parallel gradients share the direction of the first of them. Their number. */
static int group(pw_nodes *N) {
  pw_dag *dag = N->ck->dag;
  int ways = 0;
  for (int i = 0; i < N->n_law; i++) {
    pw_node_law *l = &N->law[i];
    l->way = -1;
    for (int w = 0; w < ways && l->way < 0; w++) {
      l->ratio = ratio_of(N, l->a, N->law[N->way[w].first].a);
      l->way = l->ratio >= 0 ? w : -1;
    }
    if (l->way < 0 && ways == N->n) {
      N->by = N->ck->m->rows.items[l->row].law;
      return -1;
    }
    if (l->way < 0) {
      l->way = ways++;
      l->ratio = pw_const(dag, 1);
      N->way[l->way] = (pw_node_way){.slip = l->slip, .b = l->b, .first = i};
    }
    pw_node_way *w = &N->way[l->way];
    l->at = pw_neg(dag, pw_div(dag, less(N, l->b, pw_mul(dag, l->ratio, w->b)), l->ratio));
    w->laws++;
  }
  return ways;
}

/* ---- the inverse, by elimination ---- */

/* Subtracts a multiple of row `from` so that column k of row `to` is zero. */
static void clear(const pw_nodes *N, pw_node *to, const pw_node *from, int k, int width) {
  pw_dag *dag = N->ck->dag;
  pw_node factor = pw_div(dag, to[k], from[k]);
  if (is_zero(N, factor)) {
    return;
  }
  for (int j = 0; j < width; j++) {
    to[j] = j == k ? pw_const(dag, 0) : less(N, to[j], pw_mul(dag, factor, from[j]));
  }
}

/* The column to divide by: a number if there is one. -1: the row is zero. */
static int pivot_of(const pw_nodes *N, const pw_node *row) {
  int best = -1;
  for (int k = 0; k < N->n; k++) {
    bool better = best < 0 || (pw_is_const(N->ck->dag, row[k]) && //
                               !pw_is_const(N->ck->dag, row[best]));
    best = !is_zero(N, row[k]) && better ? k : best;
  }
  return best;
}

/* Rows [a | unit] of the directions; those without a law move one coordinate that has no pivot. */
static bool eliminate(pw_nodes *N, int ways, pw_node *rows, int *pivot) {
  int n = N->n, width = 2 * n, free = 0;
  bool *taken = PW_TAKE(N->ck->arena, n, bool);
  for (int w = 0; w < n; w++) {
    pw_node *row = rows + (ptrdiff_t)w * width;
    while (w >= ways && taken[free]) {
      free++;
    }
    for (int k = 0; k < n; k++) {
      pw_node unit = pw_const(N->ck->dag, k == free);
      row[k] = w < ways ? N->law[N->way[w].first].a[k] : unit;
      row[n + k] = pw_const(N->ck->dag, k == w);
    }
    if (w >= ways) {
      pw_node rate = pw_var(N->ck->dag, N->x[free].u);
      N->way[w] = (pw_node_way){.slip = rate, .b = pw_const(N->ck->dag, 0), .first = -1};
    }

    /* above and below */
    for (int v = 0; v < w; v++) {
      clear(N, row, rows + (ptrdiff_t)v * width, pivot[v], width);
    }
    pivot[w] = pivot_of(N, row);
    if (pivot[w] < 0) {
      N->by = N->ck->m->rows.items[N->law[N->way[w].first].row].law;
      return false;
    }
    taken[pivot[w]] = true;
    for (int v = 0; v < w; v++) {
      clear(N, rows + (ptrdiff_t)v * width, row, pivot[w], width);
    }
  }
  return true;
}

bool pw_nodes_find_ways(pw_nodes *N) {
  pw_check *ck = N->ck;
  int n = N->n, ways = group(N);
  pw_node *rows = PW_TAKE(ck->arena, 2 * n * n, pw_node);
  int *pivot = PW_TAKE(ck->arena, n, int);
  if (ways < 0 || !eliminate(N, ways, rows, pivot)) {
    N->why = "its rate follows from those of the other laws here, so that nothing tells their "
             "forces apart: leave one of them out, or give the coordinate a small mass";
    return false;
  }

  /* e_w: column w of the inverse */
  for (int w = 0; w < n; w++) {
    pw_node_way *way = &N->way[w];
    way->k = PW_TAKE(ck->arena, n, int);
    way->e = PW_TAKE(ck->arena, n, pw_node);
    way->x = pivot[w];
    for (int v = 0; v < n; v++) {
      const pw_node *row = rows + (ptrdiff_t)v * 2 * n;
      if (!is_zero(N, row[n + w])) {
        way->k[way->n] = pivot[v];
        way->e[way->n++] = pw_div(ck->dag, row[n + w], row[pivot[v]]);
      }
    }
  }
  return true;
}

/* ---- functions along directions ---- */

/* sum of e_k g_k */
static pw_node dot(const pw_nodes *N, const pw_node_way *w, const pw_node *g) {
  pw_node sum = pw_const(N->ck->dag, 0);
  for (int i = 0; i < w->n; i++) {
    sum = pw_add(N->ck->dag, sum, pw_mul(N->ck->dag, w->e[i], g[w->k[i]]));
  }
  return sum;
}

static pw_node *gradient_of(const pw_nodes *N, pw_node f, bool rates) {
  int *var = PW_TAKE(N->ck->arena, N->n, int);
  pw_node *g = PW_TAKE(N->ck->arena, N->n, pw_node);
  for (int k = 0; k < N->n; k++) {
    var[k] = rates ? N->x[k].u : N->x[k].q;
  }
  pw_gradient(N->ck->dag, f, var, N->n, g);
  return g;
}

pw_node pw_along(const pw_nodes *N, const pw_node_way *w, pw_node f, bool rates) {
  return dot(N, w, gradient_of(N, f, rates));
}

pw_node pw_resistance(const pw_nodes *N, const pw_node_way *w) {
  return dot(N, w, N->resist);
}

static int node_of(const pw_nodes *N, int var) {
  return pw_var_kind(var) == PW_VAR_U ? N->of[pw_var_index(var)] : -1;
}

static bool is_node_rate(void *payload, int var) {
  return node_of(payload, var) >= 0;
}

bool pw_has_node_rate(const pw_nodes *N, pw_node f) {
  pw_nodes own = *N;
  return pw_depends(N->ck->dag, f, is_node_rate, &own);
}

typedef struct rates_at {
  const pw_nodes *N;
  const pw_node *rate; /* n */
} rates_at;

static pw_node take_rate(void *payload, pw_dag *dag, pw_node node, const pw_node *arg) {
  const rates_at *r = payload;
  int k = pw_node_op(dag, node) == PW_OP_VAR ? node_of(r->N, pw_node_var(dag, node)) : -1;
  (void)arg;
  return k >= 0 ? r->rate[k] : -1;
}

static pw_node with_rates(const pw_nodes *N, pw_node f, const pw_node *rate) {
  rates_at at = {N, rate};
  pw_node out;
  pw_rewrite(N->ck->dag, &f, 1, take_rate, &at, &out);
  return out;
}

pw_node pw_at_zero_rates(const pw_nodes *N, pw_node f) {
  pw_node *zero = PW_TAKE(N->ck->arena, N->n, pw_node);
  for (int k = 0; k < N->n; k++) {
    zero[k] = pw_const(N->ck->dag, 0);
  }
  return with_rates(N, f, zero);
}

/* n' where no direction moves: - sum e_j b_j */
static pw_node *rates_at_rest(const pw_nodes *N) {
  pw_dag *dag = N->ck->dag;
  pw_node *rate = PW_TAKE(N->ck->arena, N->n, pw_node);
  for (int k = 0; k < N->n; k++) {
    rate[k] = pw_const(dag, 0);
  }
  for (int j = 0; j < N->n; j++) {
    const pw_node_way *w = &N->way[j];
    for (int i = 0; i < w->n; i++) {
      rate[w->k[i]] = pw_sub(dag, rate[w->k[i]], pw_mul(dag, w->e[i], w->b));
    }
  }
  return rate;
}

/* n' = sum e_j (s_j - b_j): first with all s = 0, then the others as they are. */
pw_node pw_with_way_held(const pw_nodes *N, int way, pw_node f) {
  pw_dag *dag = N->ck->dag;
  const pw_node *slope = gradient_of(N, f, true);
  pw_node sum = with_rates(N, f, rates_at_rest(N));
  for (int j = 0; j < N->n; j++) {
    pw_node by = j == way ? pw_const(dag, 0) : dot(N, &N->way[j], slope);
    sum = is_zero(N, by) ? sum : pw_add(dag, sum, pw_mul(dag, by, N->way[j].slip));
  }
  return sum;
}

/* ---- directions that no damper resists ---- */

/* e of a direction, by coordinates (n) */
static void spread(const pw_nodes *N, const pw_node_way *w, pw_node *e) {
  for (int k = 0; k < N->n; k++) {
    e[k] = pw_const(N->ck->dag, 0);
  }
  for (int i = 0; i < w->n; i++) {
    e[w->k[i]] = w->e[i];
  }
}

static void gather(const pw_nodes *N, const pw_node *e, pw_node_way *w) {
  w->n = 0;
  w->undamped = true;
  for (int k = 0; k < N->n; k++) {
    if (!is_zero(N, e[k])) {
      w->k[w->n] = k;
      w->e[w->n++] = e[k];
    }
  }
}

/* Rows [e . dR/dn' | e], in echelon form: where nothing is left of the first part, the row is a
 * direction without resistance. Those with a pivot stay as they are. */
void pw_nodes_find_undamped(pw_nodes *N) {
  int n = N->n, width = 2 * n, done = 0;
  pw_node *rows = PW_TAKE(N->ck->arena, n * width, pw_node);
  int *pivot = PW_TAKE(N->ck->arena, n, int);
  for (int w = 0; w < n; w++) {
    pw_node_way *way = &N->way[w];
    pw_node *row = rows + (ptrdiff_t)done * width;
    const pw_node *by = gradient_of(N, pw_resistance(N, way), true);
    if (way->laws > 0) {
      continue;
    }
    bool damped = false;
    for (int k = 0; k < n; k++) {
      row[k] = by[k];
      damped = damped || !is_zero(N, by[k]);
    }
    spread(N, way, row + n);
    for (int v = 0; v < done; v++) {
      clear(N, row, rows + (ptrdiff_t)v * width, pivot[v], width);
    }
    pivot[done] = pivot_of(N, row);
    if (pivot[done] >= 0) {
      done++;
    } else if (damped) {
      gather(N, row + n, way);
    }
  }
}
