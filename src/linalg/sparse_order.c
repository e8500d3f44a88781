// SPDX-License-Identifier: MIT
/* The plan of a sparse factor. Columns are eliminated in the order of least degree (Tinney and
 * Walker 1967): the one with the fewest neighbours left, whose neighbours then all become
 * neighbours of each other. Chains and trees are eliminated from their ends and fill nothing in. */
#include <stdbool.h>

#include "base/assert.h"
#include "linalg/sparse_chol.h"

typedef struct ints {
  int *items;
  int n, cap;
} ints;

typedef struct graph {
  pw_arena *arena;
  int n;
  ints *near;       /* n: neighbours that are left */
  int *next, *prev; /* n: list of the columns of one degree */
  int *first;       /* n: its first column, or -1 */
  int *seen;        /* n: stamp */
  int stamp, least; /* no column has a smaller degree than `least` */
} graph;

static void unlist(graph *g, int v) {
  if (g->prev[v] >= 0) {
    g->next[g->prev[v]] = g->next[v];
  } else {
    g->first[g->near[v].n] = g->next[v];
  }
  if (g->next[v] >= 0) {
    g->prev[g->next[v]] = g->prev[v];
  }
}

static void list(graph *g, int v) {
  int degree = g->near[v].n;
  g->prev[v] = -1;
  g->next[v] = g->first[degree];
  if (g->next[v] >= 0) {
    g->prev[g->next[v]] = v;
  }
  g->first[degree] = v;
  g->least = degree < g->least ? degree : g->least;
}

static graph graph_of(pw_arena *arena, const pw_pattern *lower) {
  int n = lower->n;
  graph g = {.arena = arena,
             .n = n,
             .near = PW_TAKE(arena, n + 1, ints),
             .next = PW_TAKE(arena, n + 1, int),
             .prev = PW_TAKE(arena, n + 1, int),
             .first = PW_TAKE(arena, n + 1, int),
             .seen = PW_TAKE(arena, n + 1, int),
             .least = n};
  for (int j = 0; j < n; j++) {
    g.first[j] = -1;
    for (int e = lower->start[j]; e < lower->start[j + 1]; e++) {
      int i = lower->index[e];
      if (i != j) {
        PW_PUSH(arena, &g.near[i], j);
        PW_PUSH(arena, &g.near[j], i);
      }
    }
  }
  for (int v = n - 1; v >= 0; v--) {
    list(&g, v);
  }
  return g;
}

static int take_least(graph *g) {
  while (g->first[g->least] < 0) {
    g->least++;
  }
  int v = g->first[g->least];
  unlist(g, v);
  return v;
}

/* Neighbour u of the eliminated v gets all other neighbours of v. */
static void join(graph *g, int u, int v) {
  unlist(g, u);
  g->stamp++;
  ints *own = &g->near[u];
  int kept = 0;
  g->seen[u] = g->stamp;
  for (int i = 0; i < own->n; i++) {
    if (own->items[i] != v) {
      g->seen[own->items[i]] = g->stamp;
      own->items[kept++] = own->items[i];
    }
  }
  own->n = kept;
  for (int i = 0; i < g->near[v].n; i++) {
    int w = g->near[v].items[i];
    if (g->seen[w] != g->stamp) {
      PW_PUSH(g->arena, own, w);
    }
  }
  list(g, u);
}

/* Fills order, start and row; false: too much work. */
static bool eliminate(graph *g, pw_chol_plan *plan, size_t most) {
  ints rows = {0};
  for (int k = 0; k < g->n; k++) {
    int v = take_least(g);
    const ints *near = &g->near[v];
    plan->order[k] = v;
    plan->start[k] = rows.n;
    plan->work += (size_t)near->n * (size_t)(near->n + 1) / 2;
    if (plan->work > most) {
      return false;
    }
    for (int i = 0; i < near->n; i++) {
      PW_PUSH(g->arena, &rows, near->items[i]);
    }
    for (int i = 0; i < near->n; i++) {
      join(g, near->items[i], v);
    }
  }
  plan->start[g->n] = rows.n;
  plan->row = rows.items;
  plan->numbers = g->n + rows.n;
  return true;
}

typedef struct finder { /* of entries of the factor */
  const pw_chol_plan *plan;
  const int *step; /* n: when each column is eliminated */
} finder;

/* Position of entry (a, b) in x: in the column that is eliminated first. */
static int place_of(const finder *f, int a, int b) {
  if (a == b) {
    return a;
  }
  int k = f->step[a] < f->step[b] ? f->step[a] : f->step[b];
  int other = f->step[a] < f->step[b] ? b : a, e = f->plan->start[k];
  while (f->plan->row[e] != other) {
    e++;
    PW_ASSERT(e < f->plan->start[k + 1]);
  }
  return f->plan->n + e;
}

static void find_targets(pw_arena *arena, pw_chol_plan *plan, const finder *f) {
  plan->target = PW_TAKE(arena, plan->work + 1, int);
  int *target = plan->target;
  for (int k = 0; k < plan->n; k++) {
    for (int a = plan->start[k]; a < plan->start[k + 1]; a++) {
      for (int b = a; b < plan->start[k + 1]; b++) {
        *target++ = place_of(f, plan->row[a], plan->row[b]);
      }
    }
  }
}

pw_chol_plan *pw_chol_plan_new(pw_arena *arena, const pw_pattern *lower, size_t most) {
  int n = lower->n;
  pw_chol_plan *plan = PW_NEW(arena, pw_chol_plan);
  plan->n = n;
  plan->order = PW_TAKE(arena, n + 1, int);
  plan->start = PW_TAKE(arena, n + 1, int);
  graph g = graph_of(arena, lower);
  if (!eliminate(&g, plan, most)) {
    return NULL;
  }
  int *step = PW_TAKE(arena, n + 1, int);
  for (int k = 0; k < n; k++) {
    step[plan->order[k]] = k;
  }
  finder f = {plan, step};
  find_targets(arena, plan, &f);
  plan->given = lower->start[n];
  plan->place = PW_TAKE(arena, plan->given + 1, int);
  for (int j = 0; j < n; j++) {
    for (int e = lower->start[j]; e < lower->start[j + 1]; e++) {
      plan->place[e] = place_of(&f, lower->index[e], j);
    }
  }
  return plan;
}
