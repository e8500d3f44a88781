// SPDX-License-Identifier: MIT
#include "mech/stages.h"

#include <setjmp.h>
#include <stdlib.h>

#include "expr/native.h"
#include "expr/tape_write.h"
#include "law/scale_mech.h"
#include "mech/work.h"

enum { MOST = PW_BARE_MOST };

struct pw_stages {
  pw_arena arena; /* of the tape and of all that follows */
  pw_tape *tape;
  pw_native *native;
  int n, n_rate, n_end, n_pivot; /* components of the state; outputs of each kind */
  int count;                     /* stages */
  const int *used;               /* inputs of the motion tape, in the input of all tapes */
  int n_used;
  double *in;  /* values of `used`, h, y (n), k_0 (n) */
  double *out; /* count x n rates, the end point, and by how much pivots are above the least ones */
  double *reg;
};

/* ---- writing ---- */

typedef struct draft {
  pw_tape_writer w;
  const pw_system *sys;
  const pw_tape *motion;
  pw_stage_table table;
  int n;
  int h, one, least;        /* values */
  const int *used, *y, *k0; /* values at the start of the step */
  int *leaf, *result;
  int *out, *pivot; /* rates, then the end; pivots */
  int n_pivot;
  bool sound; /* no constant pivot is too small */
} draft;

static int times(draft *d, int a, int b) {
  return pw_write_value(&d->w, PW_TAPE_MUL, a, b, -1);
}

/* c - a b */
static int less(draft *d, int c, int a, int b) {
  return pw_write_value(&d->w, PW_TAPE_SUB_MUL, a, b, c);
}

/* By how much a pivot is above the least one. */
static void note_pivot(draft *d, int pivot) {
  double number;
  if (pw_write_is_constant(&d->w, pivot, &number)) {
    d->sound = d->sound && number > 0;
  } else {
    d->pivot[d->n_pivot++] = pivot;
  }
}

/* M = L D L^T and M a = h in the operations of bare.c. M: lower triangle by columns. */
static void solve(draft *d, const int *M, const int *h, int *a) {
  int n = d->sys->nv, L[MOST][MOST], V[MOST][MOST], inverse[MOST], c[MOST];
  for (int j = 0; j < n; j++) {
    int diagonal = *M;
    for (int i = j; i < n; i++) {
      V[j][i] = *M++;
      for (int k = 0; k < j; k++) {
        V[j][i] = less(d, V[j][i], L[k][j], V[k][i]);
      }
    }
    note_pivot(d, less(d, V[j][j], d->least, diagonal));
    inverse[j] = pw_write_value(&d->w, PW_TAPE_DIV, d->one, V[j][j], -1);
    for (int i = j + 1; i < n; i++) {
      L[j][i] = times(d, V[j][i], inverse[j]);
    }
  }
  for (int i = 0; i < n; i++) {
    c[i] = h[i];
    for (int k = 0; k < i; k++) {
      c[i] = less(d, c[i], c[k], L[k][i]);
    }
  }
  for (int j = n - 1; j >= 0; j--) {
    a[j] = times(d, c[j], inverse[j]);
    for (int i = j + 1; i < n; i++) {
      a[j] = less(d, a[j], L[j][i], a[i]);
    }
  }
}

/* Component of the state that this input is, -1: the time, -2: none, it stays. */
static int component(const pw_system *s, int in) {
  int q = in - s->offset[PW_VAR_Q], u = in - s->offset[PW_VAR_U];
  return in == s->offset[PW_VAR_TIME] ? -1
         : q >= 0 && q < s->nq        ? q
         : u >= 0 && u < s->nv        ? s->nq + u
                                      : -2;
}

/* Component i of y + h sum_(j<s) a_sj k_j. */
static int argument(draft *d, int s, int i) {
  const double *a = d->table.a + s * (s - 1) / 2;
  int sum = pw_write_constant(&d->w, 0);
  for (int j = 0; j < s; j++) {
    int k = j == 0 ? d->k0[i] : d->out[(j - 1) * d->n + i];
    int weight = pw_write_constant(&d->w, a[j]);
    double zero;
    bool first = pw_write_is_constant(&d->w, sum, &zero) && zero == 0;
    sum = first ? times(d, weight, k) : pw_write_value(&d->w, PW_TAPE_MUL_ADD, weight, k, sum);
  }
  return pw_write_value(&d->w, PW_TAPE_MUL_ADD, d->h, sum, d->y[i]);
}

static void write_stage(draft *d, int s) {
  const pw_system *sys = d->sys;
  pw_motion_places at = pw_view_places(sys);
  for (int i = 0; i < d->motion->n_in; i++) {
    int c = component(sys, d->motion->input[i]);
    if (c == -1) {
      int part = pw_write_constant(&d->w, d->table.c[s]);
      d->leaf[i] = pw_write_value(&d->w, PW_TAPE_MUL_ADD, part, d->h, d->used[i]);
    } else {
      d->leaf[i] = c < 0 ? d->used[i] : argument(d, s, c);
    }
  }
  pw_write_tape(&d->w, d->motion, d->leaf, d->result);
  int *k = d->out + (s - 1) * d->n;
  for (int i = 0; i < sys->nq; i++) {
    k[i] = d->result[at.q_rate + i];
  }
  solve(d, d->result + at.M, d->result + at.h, k + sys->nq);
  for (int i = 0; i < sys->nz; i++) {
    k[sys->nq + sys->nv + i] = d->result[at.z_rate + i];
  }
}

/* ---- life ---- */

static const int *inputs(pw_tape_writer *w, int first, int n) {
  int *value = PW_TAKE(w->arena, n + 1, int);
  for (int i = 0; i < n; i++) {
    value[i] = pw_write_input(w, first + i);
  }
  return value;
}

/* False: a constant M is not positive. */
static bool write_step(pw_stages *x, const pw_mech *m, pw_stage_table table) {
  const pw_system *sys = m->sys;
  const pw_tape *motion = m->w->tape.motion.tape;
  pw_arena *arena = &x->arena;
  x->count = table.count;
  x->n = sys->nq + sys->nv + sys->nz;
  x->n_rate = x->count * x->n;
  x->n_end = table.end ? x->n : 0;
  x->used = motion->input;
  x->n_used = motion->n_in;

  /* inputs: those of the motion at the start, h, y, k_0 */
  draft d = {.w = {.arena = arena}, .sys = sys, .motion = motion, .table = table, .n = x->n};
  d.used = inputs(&d.w, 0, x->n_used);
  d.h = pw_write_input(&d.w, x->n_used);
  d.y = inputs(&d.w, x->n_used + 1, x->n);
  d.k0 = inputs(&d.w, x->n_used + 1 + x->n, x->n);
  d.one = pw_write_constant(&d.w, 1);
  d.least = pw_write_constant(&d.w, PW_SCALE(CHOL_PIVOT));
  d.sound = true;

  /* the stages one after the other, the end */
  d.leaf = PW_TAKE(arena, x->n_used + 1, int);
  d.result = PW_TAKE(arena, motion->n_out + 1, int);
  d.out = PW_TAKE(arena, x->n_rate + x->n_end + x->count * sys->nv, int);
  d.pivot = d.out + x->n_rate + x->n_end;
  for (int s = 1; s <= x->count; s++) {
    write_stage(&d, s);
  }
  for (int i = 0; i < x->n_end; i++) {
    d.out[x->n_rate + i] = argument(&d, x->count + 1, i);
  }

  /* the tape and its numbers */
  x->n_pivot = d.n_pivot;
  x->tape = pw_write_end(&d.w, d.out, x->n_rate + x->n_end + d.n_pivot);
  x->in = PW_TAKE(arena, x->n_used + 1 + 2 * x->n, double);
  x->out = PW_TAKE(arena, x->tape->n_out + 1, double);
  x->reg = PW_TAKE(arena, x->tape->n_reg + 1, double);
  pw_tape_prepare(x->tape, x->reg);
  pw_tape_prepare_out(x->tape, x->out);
  return d.sound;
}

bool pw_stages_fit(const pw_mech *m) {
  return pw_bare_may_fit(m) && m->sys->nc == 0 && !m->w->has_segments && m->w->tape.motion.steady;
}

static bool write_guarded(pw_stages *x, const pw_mech *m, pw_stage_table table) {
  jmp_buf failed;
  x->arena.on_fail = &failed;
  if (setjmp(failed) != 0) {
    x->arena.on_fail = NULL;
    return false;
  }
  bool sound = write_step(x, m, table);
  x->arena.on_fail = NULL;
  return sound;
}

pw_stages *pw_stages_new(const pw_mech *m, pw_stage_table table) {
  pw_stages *x = calloc(1, sizeof *x);
  if (x == NULL) {
    return NULL;
  }
  pw_arena_init(&x->arena, 0);
  x->native = write_guarded(x, m, table) ? pw_native_new(&x->tape, 1) : NULL;
  if (x->native == NULL) {
    pw_stages_free(x);
    return NULL;
  }
  return x;
}

void pw_stages_free(pw_stages *s) {
  if (s != NULL) {
    pw_native_free(s->native);
    pw_arena_free(&s->arena);
  }
  free(s);
}

/* ---- running ---- */

/* x - x is zero for a number alone; four sums, which do not wait for each other. */
static bool are_numbers(const double *x, int n) {
  double sum[4] = {0, 0, 0, 0};
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    sum[0] += x[i] - x[i];
    sum[1] += x[i + 1] - x[i + 1];
    sum[2] += x[i + 2] - x[i + 2];
    sum[3] += x[i + 3] - x[i + 3];
  }
  for (; i < n; i++) {
    sum[0] += x[i] - x[i];
  }
  return sum[0] + sum[1] + (sum[2] + sum[3]) == 0;
}

static bool are_positive(const double *x, int n) {
  bool all = true;
  for (int i = 0; i < n; i++) {
    all = all && x[i] > 0;
  }
  return all;
}

bool pw_stages_run(const pw_stages *s, pw_mech *m, double t, double h, const double *y,
                   const double *side, double *k, double *end) {
  if (!m->w->bare.on) {
    return false;
  }
  pw_mech_input(m, t, y, y + m->sys->nq, side);
  for (int i = 0; i < s->n_used; i++) {
    s->in[i] = m->w->in[s->used[i]];
  }
  double *start = s->in + s->n_used;
  *start = h;
  pw_copy(start + 1, y, s->n);
  pw_copy(start + 1 + s->n, k, s->n);
  pw_tape_update(s->tape, s->in, s->reg, s->out);
  const double *at_end = s->out + s->n_rate;
  if (!are_numbers(s->out, s->n_rate) || !are_positive(at_end + s->n_end, s->n_pivot)) {
    return false;
  }
  pw_copy(k + s->n, s->out, s->n_rate);
  pw_copy(end, at_end, s->n_end);
  m->evaluations += s->count;
  return true;
}
