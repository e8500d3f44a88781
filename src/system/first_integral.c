// SPDX-License-Identifier: MIT
/* A function h of positions and time with w = dh for a closed form w, or w = g dh, that is
 * w_i h_j - w_j h_i = 0 for all i < j, for an integrable one, potentials (P10). h is sought among
 * sums of x^3 and of products of x, x^2, sin x, cos x and exp x of up to two variables, the
 * simplest first: conditions at points are columns, and the first column that depends on the
 * previous ones gives h. Of a closed form w itself is the first column, dh the others. */
#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "law/scale_model.h"
#include "system/nature.h"

enum {
  ONE,
  LINE,
  SQUARE,
  SINE,
  COSINE,
  EXPONENT,
  CUBE, /* not in products */
  KINDS,
  FORM, /* w itself in the place of dh */
  MOST_USED = 4,
  MOST_TERMS = 130,
  POINTS = 80,
  MOST_SHOWN = 6
};

typedef struct term { /* product of two functions; the second may be 1. Or f = FORM */
  int a, b;           /* index among the variables used */
  int f, g;
} term;

typedef struct search {
  const pw_pfaff *w;
  bool closed;
  int used[MOST_USED], n; /* variables that occur */
  int points, rows, terms;
  double x[POINTS][MOST_USED], at[POINTS][MOST_USED]; /* points, and w there */
  term term[MOST_TERMS];
  double *column; /* terms x rows: orthonormal */
  double *by;     /* terms x terms: each column in terms of the columns of the terms */
} search;

static double value(int kind, double x) {
  switch (kind) {
  case LINE: return x;
  case SQUARE: return x * x;
  case SINE: return sin(x);
  case COSINE: return cos(x);
  case EXPONENT: return exp(x);
  case CUBE: return x * x * x;
  default: return 1;
  }
}

static double slope(int kind, double x) {
  switch (kind) {
  case LINE: return 1;
  case SQUARE: return 2 * x;
  case SINE: return cos(x);
  case COSINE: return -sin(x);
  case EXPONENT: return exp(x);
  case CUBE: return 3 * x * x;
  default: return 0;
  }
}

/* dh/dx_i of a term at point k. */
static double derivative(const search *s, const term *t, int i, int k) {
  const double *x = s->x[k];
  if (t->f == FORM) {
    return s->at[k][i];
  }
  double of_a = t->a == i ? slope(t->f, x[t->a]) * value(t->g, x[t->b]) : 0;
  double of_b = t->b == i ? value(t->f, x[t->a]) * slope(t->g, x[t->b]) : 0;
  return of_a + of_b;
}

static void add(search *s, int a, int f, int b, int g) {
  if (s->terms < MOST_TERMS) {
    s->term[s->terms++] = (term){a, b, f, g};
  }
}

/* Single functions, then products, both by their kinds: x before x*y before x*sin(y). */
static void list_terms(search *s) {
  if (s->closed) {
    add(s, 0, FORM, 0, ONE);
  }
  for (int f = LINE; f < KINDS; f++) {
    for (int a = 0; a < s->n; a++) {
      add(s, a, f, a, ONE);
    }
  }
  for (int sum = LINE + LINE; sum <= EXPONENT + EXPONENT; sum++) {
    for (int f = LINE; f <= EXPONENT; f++) {
      for (int a = 0; a < s->n && sum - f >= LINE && sum - f <= EXPONENT; a++) {
        for (int b = a + 1; b < s->n; b++) {
          add(s, a, f, b, sum - f);
        }
      }
    }
  }
}

static bool occurs(const pw_pfaff *w, int i) {
  bool found = !pw_is_value(w->m->dag, w->w[i], 0);
  for (int k = 0; k < w->n; k++) {
    found = found || !pw_is_value(w->m->dag, w->by[k][i], 0);
  }
  return found;
}

typedef struct place { /* a sample, with some of its variables turned */
  const search *s;
  unsigned seed, turned;
} place;

static double value_at(void *payload, int var) {
  const place *p = payload;
  double x = pw_sample_at(var, p->seed);
  for (int i = 0; i < p->s->n; i++) {
    if (p->s->w->var[p->s->used[i]] == var && (p->turned >> i & 1u) != 0) {
      return -x;
    }
  }
  return x;
}

/* Samples are positive; w is looked at where variables have both signs, if it has numbers there. */
static bool look_at(search *s, int k, unsigned turned) {
  place p = {s, (unsigned)k + 1, turned};
  bool finite = true;
  for (int i = 0; i < s->n; i++) {
    s->x[k][i] = value_at(&p, s->w->var[s->used[i]]);
    s->at[k][i] = pw_eval(s->w->m->dag, s->w->w[s->used[i]], value_at, &p);
    finite = finite && isfinite(s->at[k][i]);
  }
  return finite;
}

/* False: too many variables, or w has no numbers at the points. */
static bool look(search *s) {
  for (int i = 0; i < s->w->n; i++) {
    if (occurs(s->w, i)) {
      if (s->n == MOST_USED) {
        return false;
      }
      s->used[s->n++] = i;
    }
  }
  s->points = s->n == 0 ? 0 : 2 * POINTS / (s->n > 2 ? s->n : 2); /* twice as many rows as terms */
  s->rows = s->points * (s->closed ? s->n : s->n * (s->n - 1) / 2);
  for (int k = 0; k < s->points; k++) {
    if (!look_at(s, k, (unsigned)k) && !look_at(s, k, 0)) {
      return false;
    }
  }
  return s->n > 0;
}

/* The conditions on a term at all points; returns the size of the terms whose differences they
 * are. */
static double state(const search *s, const term *t, double *column) {
  int row = 0;
  double size = 0;
  for (int k = 0; k < s->points; k++) {
    for (int i = 0; i < s->n && s->closed; i++) {
      column[row] = derivative(s, t, i, k);
      size += column[row] * column[row];
      row++;
    }
    for (int i = 0; i < s->n && !s->closed; i++) {
      for (int j = i + 1; j < s->n; j++) {
        double a = s->at[k][i] * derivative(s, t, j, k);
        double b = s->at[k][j] * derivative(s, t, i, k);
        column[row++] = a - b;
        size += a * a + b * b;
      }
    }
  }
  return sqrt(size);
}

static double dot(const double *a, const double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum += a[i] * b[i];
  }
  return sum;
}

/* Orthogonalises column k against the previous ones. by_k: coefficients of the remainder in the
 * terms; true if the remainder is zero. */
static bool depends(search *s, int k) {
  double *c = s->column + (ptrdiff_t)k * s->rows, *by = s->by + (ptrdiff_t)k * MOST_TERMS;
  double size = state(s, &s->term[k], c);
  by[k] = 1;

  /* Gram-Schmidt, twice: the second pass removes the rounding errors of the first */
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < k; i++) {
      const double *b = s->column + (ptrdiff_t)i * s->rows;
      double part = dot(b, c, s->rows);
      for (int r = 0; r < s->rows; r++) {
        c[r] -= part * b[r];
      }
      for (int r = 0; r <= i; r++) {
        by[r] -= part * s->by[(ptrdiff_t)i * MOST_TERMS + r];
      }
    }
  }

  /* nothing is left of it, or a unit column */
  double left = sqrt(dot(c, c, s->rows));
  if (!(left > PW_SCALE(SAME_FORM) * size)) {
    return true;
  }
  for (int r = 0; r < s->rows; r++) {
    c[r] /= left;
  }
  for (int r = 0; r <= k; r++) {
    by[r] /= left;
  }
  return false;
}

/* Drops coefficients at rounding level. The remaining few terms must satisfy the conditions by
 * themselves: many functions together can approximate anything. */
static bool is_simple(const search *s, double *by, int last, double *sum) {
  int shown = 0;
  double most = 0, size = 0;
  for (int k = 0; k <= last; k++) {
    most = fmax(most, fabs(by[k]));
  }
  memset(sum, 0, (size_t)s->rows * sizeof *sum);
  for (int k = 0; k <= last; k++) {
    by[k] = fabs(by[k]) <= PW_SCALE(FORM_NOISE) * most ? 0 : by[k];
    if (by[k] != 0) {
      double *c = s->column + (ptrdiff_t)last * s->rows; /* not needed any more */
      size = fmax(size, fabs(by[k]) * state(s, &s->term[k], c));
      shown++;
      for (int r = 0; r < s->rows; r++) {
        sum[r] += by[k] * c[r];
      }
    }
  }
  bool flat = true;
  for (int r = 0; r < s->rows; r++) {
    flat = flat && fabs(sum[r]) <= PW_SCALE(FORM_NOISE) * size;
  }
  return flat && shown <= MOST_SHOWN;
}

/* ---- in words ---- */

static void put_function(pw_buf *out, int kind, const char *name) {
  static const char *const before[] = {"", "", "", "sin(", "cos(", "exp(", ""};
  static const char *const behind[] = {"", "", "^2", ")", ")", ")", "^3"};
  pw_buf_printf(out, "%s%s%s", before[kind], name, behind[kind]);
}

static const char *name_of(const search *s, int i) {
  int v = s->w->var[s->used[i]];
  const pw_model *m = s->w->m;
  for (int c = 0; c < m->coords.n && pw_var_kind(v) == PW_VAR_Q; c++) {
    if (v == pw_var_of(PW_VAR_Q, m->coords.items[c].q)) {
      return m->coords.items[c].name;
    }
  }
  return "t";
}

/* The sum of all terms but w, times `scale`. */
static const char *write(const search *s, const double *by, int last, double scale) {
  pw_buf out = {0};
  for (int k = last; k >= 0; k--) {
    double x = by[k] * scale;
    const term *t = &s->term[k];
    if (by[k] == 0 || t->f == FORM) {
      continue;
    }
    pw_buf_puts(&out, out.len == 0 ? (x < 0 ? "-" : "") : x < 0 ? " - " : " + ");
    if (fabs(fabs(x) - 1) > PW_SCALE(FORM_NOISE)) {
      pw_buf_printf(&out, "%.6g*", fabs(x));
    }
    put_function(&out, t->f, name_of(s, t->a));
    if (t->g != ONE) {
      pw_buf_puts(&out, "*");
      put_function(&out, t->g, name_of(s, t->b));
    }
  }
  char *kept = out.failed || out.text == NULL ? NULL : PW_TAKE(s->w->m->arena, out.len + 1, char);
  if (kept != NULL) {
    memcpy(kept, out.text, out.len);
  }
  pw_buf_free(&out);
  return kept;
}

/* The sign of w_i/h_i where h_i is largest, at all points: 0 if it changes. */
static int factor(const search *s, const double *by, int last) {
  int positive = 0, negative = 0;
  for (int k = 0; k < s->points; k++) {
    double most = 0, found = 0;
    for (int i = 0; i < s->n; i++) {
      double h = 0;
      for (int l = 0; l <= last; l++) {
        h += by[l] * derivative(s, &s->term[l], i, k);
      }
      found = fabs(h) > most ? s->at[k][i] / h : found;
      most = fmax(most, fabs(h));
    }
    positive += found > 0;
    negative += found < 0;
  }
  return positive > 0 && negative > 0 ? 0 : negative > 0 ? -1 : 1;
}

pw_integral pw_first_integral(const pw_pfaff *w, bool closed) {
  search *s = PW_TAKE(w->m->arena, 1, search);
  s->w = w;
  s->closed = closed;
  if (!look(s)) {
    return (pw_integral){0};
  }
  list_terms(s);
  s->column = PW_TAKE(w->m->arena, (size_t)s->terms * (size_t)s->rows + 1, double);
  s->by = PW_TAKE(w->m->arena, (size_t)MOST_TERMS * MOST_TERMS, double);
  for (int k = 0; k < s->terms; k++) {
    if (!depends(s, k)) {
      continue;
    }
    double *by = s->by + (ptrdiff_t)k * MOST_TERMS;
    double *sum = PW_TAKE(w->m->arena, s->rows + 1, double);
    if (!is_simple(s, by, k, sum) || (closed && by[0] == 0)) {
      return (pw_integral){0};
    }
    int sign = closed ? 1 : factor(s, by, k);
    double scale = closed ? -1 / by[0] : sign < 0 ? -1 : 1;
    return (pw_integral){.h = write(s, by, k, scale), .turns = sign == 0};
  }
  return (pw_integral){0};
}
