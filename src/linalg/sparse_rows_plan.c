// SPDX-License-Identifier: MIT
/* The positions of entries of sparse rows: the entries of A = F^-1 J^T, which fill in along the
 * columns of F, and the products that make up each entry of G. */
#include <stdbool.h>
#include <stdlib.h>

#include "linalg/sparse_rows.h"

typedef struct ints {
  int *items;
  int n, cap;
} ints;

typedef struct planner {
  pw_arena *arena;
  const pw_chol_plan *mass;
  pw_rows_plan *plan;
  size_t most;
  int *step;  /* n: when each coordinate is eliminated */
  int *where; /* n: place of a coordinate in the present row, -1: not there */
  ints entry, at_step;
  ints target;
} planner;

static int ascending(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

/* The steps that a row reaches: the steps of its entries, and from there along the columns of F. */
static void reach(planner *p, const pw_pattern *rows, int i, ints *steps) {
  const pw_chol_plan *mass = p->mass;
  steps->n = 0;
  for (int e = rows->start[i]; e < rows->start[i + 1]; e++) {
    p->where[rows->index[e]] = 0;
    PW_PUSH(p->arena, steps, p->step[rows->index[e]]);
  }
  for (int k = 0; k < steps->n; k++) {
    int step = steps->items[k];
    for (int e = mass->start[step]; e < mass->start[step + 1]; e++) {
      if (p->where[mass->row[e]] < 0) {
        p->where[mass->row[e]] = 0;
        PW_PUSH(p->arena, steps, p->step[mass->row[e]]);
      }
    }
  }
  if (steps->n > 1) {
    qsort(steps->items, (size_t)steps->n, sizeof *steps->items, ascending);
  }
}

static void add_row(planner *p, const pw_pattern *rows, int i, ints *steps) {
  const pw_chol_plan *mass = p->mass;
  reach(p, rows, i, steps);
  for (int k = 0; k < steps->n; k++) {
    int coordinate = mass->order[steps->items[k]];
    p->where[coordinate] = p->entry.n;
    PW_PUSH(p->arena, &p->entry, coordinate);
    PW_PUSH(p->arena, &p->at_step, steps->items[k]);
  }
  for (int e = rows->start[i]; e < rows->start[i + 1]; e++) {
    p->plan->load[e] = p->where[rows->index[e]];
  }
  for (int k = 0; k < steps->n; k++) {
    int step = steps->items[k];
    for (int e = mass->start[step]; e < mass->start[step + 1]; e++) {
      PW_PUSH(p->arena, &p->target, p->where[mass->row[e]]);
    }
  }
  for (int k = 0; k < steps->n; k++) {
    p->where[mass->order[steps->items[k]]] = -1;
  }
}

static bool plan_columns(planner *p, const pw_pattern *rows) {
  pw_rows_plan *plan = p->plan;
  int *start = PW_TAKE(p->arena, plan->m + 1, int);
  ints steps = {0};
  plan->load = PW_TAKE(p->arena, rows->start[plan->m] + 1, int);
  plan->load[rows->start[plan->m]] = -1; /* the end */
  for (int i = 0; i < plan->m; i++) {
    add_row(p, rows, i, &steps);
    start[i + 1] = p->entry.n;
    plan->work = (size_t)p->entry.n + (size_t)p->target.n;
    if (plan->work > p->most) {
      return false;
    }
  }
  plan->A = (pw_pattern){plan->m, start, p->entry.items};
  plan->step = p->at_step.items;
  plan->target = p->target.items;
  return true;
}

typedef struct users { /* of each coordinate: the entries of A in it, by rows */
  int *start, *entry, *row;
} users;

static users users_of(planner *p) {
  const pw_pattern *A = &p->plan->A;
  int n = p->plan->n, all = A->start[A->n];
  users u = {PW_TAKE(p->arena, n + 2, int), PW_TAKE(p->arena, all + 1, int),
             PW_TAKE(p->arena, all + 1, int)};
  for (int e = 0; e < all; e++) {
    u.start[A->index[e] + 2]++;
  }
  for (int c = 0; c < n; c++) {
    u.start[c + 2] += u.start[c + 1];
  }
  for (int i = 0; i < A->n; i++) {
    for (int e = A->start[i]; e < A->start[i + 1]; e++) {
      int at = u.start[A->index[e] + 1]++;
      u.entry[at] = e;
      u.row[at] = i;
    }
  }
  return u;
}

typedef struct gram { /* lower pattern of G by columns, with the products of each entry */
  int *start;
  ints row, product_start, product;
} gram;

/* Column j of G: rows i > j that share a coordinate with row j, ascending. */
static void gram_column(planner *p, const users *u, int j, int *seen, ints *rows) {
  const pw_pattern *A = &p->plan->A;
  rows->n = 0;
  for (int e = A->start[j]; e < A->start[j + 1]; e++) {
    int c = A->index[e];
    for (int k = u->start[c]; k < u->start[c + 1]; k++) {
      if (u->row[k] > j && seen[u->row[k]] != j) {
        seen[u->row[k]] = j;
        PW_PUSH(p->arena, rows, u->row[k]);
      }
    }
  }
  if (rows->n > 1) {
    qsort(rows->items, (size_t)rows->n, sizeof *rows->items, ascending);
  }
}

/* Pairs of positions of the coordinates that rows i and j share; p->where: positions of row j. */
static void add_products(planner *p, int i, ints *product) {
  const pw_pattern *A = &p->plan->A;
  for (int e = A->start[i]; e < A->start[i + 1]; e++) {
    if (p->where[A->index[e]] >= 0) {
      PW_PUSH(p->arena, product, e);
      PW_PUSH(p->arena, product, p->where[A->index[e]]);
    }
  }
}

static bool plan_gram(planner *p) {
  pw_rows_plan *plan = p->plan;
  const pw_pattern *A = &plan->A;
  users u = users_of(p);
  gram g = {.start = PW_TAKE(p->arena, plan->m + 1, int)};
  ints rows = {0};
  int *seen = PW_TAKE(p->arena, plan->m + 1, int);

  /* seen: the last column of G that row i is part of */
  for (int j = 0; j < plan->m; j++) {
    seen[j] = -1;
  }
  PW_PUSH(p->arena, &g.product_start, 0);

  /* column j of G: the diagonal, then the rows i > j with their products */
  for (int j = 0; j < plan->m; j++) {
    gram_column(p, &u, j, seen, &rows);
    for (int e = A->start[j]; e < A->start[j + 1]; e++) {
      p->where[A->index[e]] = e;
    }
    PW_PUSH(p->arena, &g.row, j);
    for (int k = 0; k < rows.n; k++) {
      PW_PUSH(p->arena, &g.row, rows.items[k]);
      add_products(p, rows.items[k], &g.product);
      PW_PUSH(p->arena, &g.product_start, g.product.n);
    }
    g.start[j + 1] = g.row.n;
    for (int e = A->start[j]; e < A->start[j + 1]; e++) {
      p->where[A->index[e]] = -1;
    }
    if (plan->work + (size_t)g.product.n / 2 > p->most) {
      return false;
    }
  }

  /* the factor of G may use the remaining work; beyond that dense rows are cheaper */
  plan->work += (size_t)g.product.n / 2;
  plan->product = (pw_pattern){g.product_start.n - 1, g.product_start.items, g.product.items};
  pw_pattern lower = {plan->m, g.start, g.row.items};
  plan->gram = pw_chol_plan_new(p->arena, &lower, p->most - plan->work);
  if (plan->gram == NULL) {
    return false;
  }
  plan->work += plan->gram->work;

  /* where the factor keeps each entry below the diagonal, in the order of its products */
  int *place = PW_TAKE(p->arena, plan->product.n + 1, int);
  for (int j = 0, at = 0; j < plan->m; j++) {
    for (int e = lower.start[j] + 1; e < lower.start[j + 1]; e++) {
      place[at++] = plan->gram->place[e];
    }
  }
  plan->gram_place = place;
  return true;
}

pw_rows_plan *pw_rows_plan_new(pw_arena *arena, const pw_chol_plan *mass, const pw_pattern *rows,
                               size_t most) {
  pw_rows_plan *plan = PW_NEW(arena, pw_rows_plan);
  plan->n = mass->n;
  plan->m = rows->n;
  planner p = {.arena = arena,
               .mass = mass,
               .plan = plan,
               .most = most,
               .step = PW_TAKE(arena, mass->n + 1, int),
               .where = PW_TAKE(arena, mass->n + 1, int)};
  for (int k = 0; k < mass->n; k++) {
    p.step[mass->order[k]] = k;
    p.where[k] = -1;
  }
  return plan_columns(&p, rows) && plan_gram(&p) ? plan : NULL;
}
