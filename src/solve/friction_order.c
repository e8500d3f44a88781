// SPDX-License-Identifier: MIT
/* Orders of elimination by least degree on the quotient graph (Amestoy, Davis and Duff, "An
 * approximate minimum degree ordering algorithm", SIAM J. Matrix Anal. Appl. 17, 1996): a clique is
 * kept as the list of its nodes, a node as the list of its cliques. An eliminated node joins its
 * cliques to one, which is its row of U, in the memory that they had. So memory is that of the
 * pattern, and time that of the factor. */
#include <string.h>

#include "base/strip.h"
#include "solve/friction_factor.h"

typedef struct quotient {
  int n, edges;        /* nodes; cliques of two nodes to begin with */
  int *node;           /* 2 edges: piece e of the memory of cliques is 2 e, 2 e + 1 */
  int *held, *after;   /* edges: nodes in a piece, and the next piece of its clique or -1 */
  int *first, *last;   /* n + edges: pieces of a clique */
  int *size;           /* n + edges: of a clique; -1: it was joined to another */
  int *outside;        /* n + edges: nodes that are not in the newest clique */
  int *seen;           /* n + edges: pivot of the last look */
  int *from, *cliques; /* n + 1, 2 edges: cliques of a node */
  int *count;          /* n */
  int *degree;         /* n: a bound of it; nodes of one degree are a list */
  int *least, *next, *before;
  int *mark, *row; /* n */
  int lowest;      /* no node has a lower degree */
} quotient;

static void lay_out(quotient *g, int n, size_t blocks, pw_strip *to) {
  size_t nodes = (size_t)n, edges = blocks > nodes ? blocks - nodes : 0, all = nodes + edges;
  struct {
    int **array;
    size_t n;
  } parts[] = {{&g->node, 2 * edges},    {&g->held, edges},  {&g->after, edges},
               {&g->first, all},         {&g->last, all},    {&g->size, all},
               {&g->outside, all},       {&g->seen, all},    {&g->from, nodes + 2},
               {&g->cliques, 2 * edges}, {&g->count, nodes}, {&g->degree, nodes},
               {&g->least, nodes + 1},   {&g->next, nodes},  {&g->before, nodes},
               {&g->mark, nodes},        {&g->row, nodes}};
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
    *parts[k].array = pw_strip_whole(to, parts[k].n);
  }
}

size_t pw_block_work_ints(int n, size_t blocks) {
  quotient g;
  pw_strip to = {0};
  lay_out(&g, n, blocks, &to);
  return to.n_whole;
}

/* ---- lists of nodes by degree ---- */

static void unlist(quotient *g, int v) {
  if (g->before[v] >= 0) {
    g->next[g->before[v]] = g->next[v];
  } else {
    g->least[g->degree[v]] = g->next[v];
  }
  if (g->next[v] >= 0) {
    g->before[g->next[v]] = g->before[v];
  }
}

static void list(quotient *g, int v, int degree) {
  degree = degree < g->n - 1 ? degree : g->n - 1;
  g->degree[v] = degree;
  g->before[v] = -1;
  g->next[v] = g->least[degree];
  if (g->next[v] >= 0) {
    g->before[g->next[v]] = v;
  }
  g->least[degree] = v;
  g->lowest = degree < g->lowest ? degree : g->lowest;
}

/* ---- the pattern ---- */

static bool has_block(const pw_friction *p, int i, int j) {
  int lo = p->start[i], hi = p->start[i + 1];
  while (lo < hi) {
    int mid = lo + (hi - lo) / 2;
    if (p->col[mid] < j) {
      lo = mid + 1;
    } else {
      hi = mid;
    }
  }
  return lo < p->start[i + 1] && p->col[lo] == j;
}

/* Each block beside the diagonal, or two of them, is a clique. */
static void find_edges(quotient *g, const pw_friction *p) {
  g->edges = 0;
  memset(g->from, 0, ((size_t)g->n + 2) * sizeof *g->from);
  for (int i = 0; i < g->n; i++) {
    for (int k = p->start[i]; k < p->start[i + 1]; k++) {
      int j = p->col[k], e = g->edges;
      if (j == i || (j < i && has_block(p, j, i))) {
        continue;
      }
      g->node[2 * e] = i;
      g->node[2 * e + 1] = j;
      g->held[e] = g->size[e] = 2;
      g->after[e] = -1;
      g->first[e] = g->last[e] = e;
      g->from[i + 2]++;
      g->from[j + 2]++;
      g->edges++;
    }
  }
  for (int i = 0; i <= g->n; i++) {
    g->from[i + 1] += g->from[i];
  }
  for (int k = 0; k < 2 * g->edges; k++) { /* from[v + 1] becomes the end of v */
    g->cliques[g->from[g->node[k] + 1]++] = k / 2;
  }
  for (int v = 0; v < g->n; v++) {
    g->count[v] = g->from[v + 1] - g->from[v];
  }
}

static void begin(quotient *g, const pw_friction *p) {
  find_edges(g, p);
  for (int v = 0; v <= g->n; v++) {
    g->least[v] = -1;
  }
  for (int v = g->n - 1; v >= 0; v--) {
    g->mark[v] = -1;
    list(g, v, g->count[v]);
  }
  for (int e = 0; e < g->n + g->edges; e++) {
    g->seen[e] = -1;
  }
}

/* ---- one pivot ---- */

/* The other nodes of the cliques of v, as a list and as one clique; their number. */
static int join_cliques(quotient *g, int v, int pivot) {
  int n = 0, joined = g->edges + pivot, last = -1;
  g->first[joined] = g->last[joined] = -1;
  g->mark[v] = g->n; /* never again */
  for (int k = 0; k < g->count[v]; k++) {
    int e = g->cliques[g->from[v] + k];
    for (int piece = g->first[e]; piece >= 0; piece = g->after[piece]) {
      for (int i = 0; i < g->held[piece]; i++) {
        int u = g->node[2 * piece + i];
        if (g->mark[u] < pivot) {
          g->mark[u] = pivot;
          g->row[n++] = u;
        }
      }
    }
    if (last < 0) {
      g->first[joined] = g->first[e];
    } else {
      g->after[last] = g->first[e];
    }
    last = g->last[e];
    g->size[e] = -1;
  }
  if (n == 0) {
    g->first[joined] = -1;
  }
  int done = 0;
  for (int piece = g->first[joined]; piece >= 0; piece = g->after[piece]) {
    int room = n - done < 2 ? n - done : 2;
    memcpy(g->node + 2 * (size_t)piece, g->row + done, (size_t)room * sizeof *g->row);
    g->held[piece] = room;
    done += room;
    g->last[joined] = piece;
    if (done == n) {
      g->after[piece] = -1;
    }
  }
  g->size[joined] = n;
  return n;
}

/* Nodes of the new clique: it takes the place of those that it has joined. Degrees are bounded by
 * its size and what the other cliques of a node have outside of it. */
static void renew(quotient *g, int n, int pivot) {
  int joined = g->edges + pivot;
  for (int k = 0; k < n; k++) {
    int u = g->row[k], kept = 0, *own = g->cliques + g->from[u];
    for (int i = 0; i < g->count[u]; i++) {
      int e = own[i];
      if (g->size[e] < 0) {
        continue;
      }
      own[kept++] = e;
      if (g->seen[e] != pivot) {
        g->seen[e] = pivot;
        g->outside[e] = g->size[e];
      }
      g->outside[e]--;
    }
    own[kept++] = joined;
    g->count[u] = kept;
  }
  for (int k = n - 1; k >= 0; k--) { /* the first of equals is taken first */
    int u = g->row[k], degree = n - 1;
    for (int i = 0; i + 1 < g->count[u]; i++) {
      degree += g->outside[g->cliques[g->from[u] + i]];
    }
    unlist(g, u);
    list(g, u, degree);
  }
}

/* All pivots. With `first` the rows of U, as nodes, behind each other. Returns their length. */
static int eliminate(quotient *g, int *order, int *first, int *rows) {
  int fill = 0;
  for (int k = 0; k < g->n; k++) {
    while (g->least[g->lowest] < 0) {
      g->lowest++;
    }
    int v = g->least[g->lowest];
    unlist(g, v);
    int n = join_cliques(g, v, k);
    order[k] = v;
    if (first != NULL) {
      first[k] = fill;
      memcpy(rows + fill, g->row, (size_t)n * sizeof *rows);
    }
    fill += n;
    renew(g, n, k);
  }
  return fill;
}

static quotient quotient_of(const pw_friction *p, int *work) {
  quotient g = {.n = p->nc};
  lay_out(&g, p->nc, p->nc > 0 ? (size_t)p->start[p->nc] : 0, &(pw_strip){.whole = work});
  begin(&g, p);
  return g;
}

int pw_block_order(const pw_friction *p, pw_block_plan *plan, int *whole, int *work) {
  quotient g = quotient_of(p, work);
  plan->n = p->nc;
  plan->order = whole;
  plan->at = whole + p->nc;
  plan->fill = eliminate(&g, plan->order, NULL, NULL);
  for (int k = 0; k < p->nc; k++) {
    plan->at[plan->order[k]] = k;
  }
  return plan->fill;
}

/* Pivots are visited in order, so the rows of L come out ascending; the rows of U are the columns
 * of L, visited in order again. */
void pw_block_lists(const pw_friction *p, pw_block_plan *plan, int *whole, int *work) {
  int n = plan->n, *next = whole + 4 * n + 2 + 2 * plan->fill;
  quotient g = quotient_of(p, work);
  plan->first = whole + 2 * n;
  plan->start = plan->first + n + 1;
  plan->up = plan->start + n + 1;
  plan->low = plan->up + plan->fill;
  plan->first[n] = eliminate(&g, plan->order, plan->first, plan->up);

  memset(plan->start, 0, ((size_t)n + 1) * sizeof *plan->start);
  for (int e = 0; e < plan->fill; e++) {
    plan->start[plan->at[plan->up[e]] + 1]++;
  }
  for (int k = 0; k < n; k++) {
    plan->start[k + 1] += plan->start[k];
    next[k] = plan->start[k];
  }
  for (int k = 0; k < n; k++) {
    for (int e = plan->first[k]; e < plan->first[k + 1]; e++) {
      plan->low[next[plan->at[plan->up[e]]]++] = k;
    }
  }
  memcpy(next, plan->first, (size_t)n * sizeof *next);
  for (int k = 0; k < n; k++) {
    for (int e = plan->start[k]; e < plan->start[k + 1]; e++) {
      plan->up[next[plan->low[e]]++] = k;
    }
  }
}
