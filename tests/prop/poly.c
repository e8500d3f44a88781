// SPDX-License-Identifier: MIT
#include "poly.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- building ---- */

static void give_up(const char *what) {
  fprintf(stderr, "campaign: %s\n", what);
  abort();
}

term *poly_add(poly *p, double c) {
  if (p->n == POLY_TERMS) {
    give_up("too many terms");
  }
  term *t = &p->t[p->n++];
  memset(t, 0, sizeof *t);
  t->c = c;
  return t;
}

void term_times(term *t, factor f) {
  if (t->n == POLY_FACTORS) {
    give_up("too many factors");
  }
  t->f[t->n++] = f;
}

void poly_scale(poly *p, double c) {
  for (int k = 0; k < p->n; k++) {
    p->t[k].c *= c;
  }
}

/* ---- values ---- */

static double base_of(const factor *f, place at) {
  switch (f->kind) {
  case FACTOR_Q: return at.q[f->i] - f->shift;
  case FACTOR_U: return at.u[f->i];
  case FACTOR_SIN_Q: return sin(at.q[f->i]);
  case FACTOR_COS_Q: return cos(at.q[f->i]);
  case FACTOR_SIN_T: return sin(f->shift * at.t);
  default: return cos(f->shift * at.t);
  }
}

double poly_at(const poly *p, place at) {
  double sum = 0;
  for (int k = 0; k < p->n; k++) {
    double product = p->t[k].c;
    for (int j = 0; j < p->t[k].n; j++) {
      double base = base_of(&p->t[k].f[j], at);
      for (int e = 0; e < p->t[k].f[j].power; e++) {
        product *= base;
      }
    }
    sum += product;
  }
  return sum;
}

/* ---- derivatives ---- */

/* Derivative of the base of a factor: a number times at most one more factor. */
static double inner(const factor *f, variable v, int i, factor *more, int *n_more) {
  *n_more = 0;
  if (f->kind == FACTOR_SIN_T || f->kind == FACTOR_COS_T) {
    if (v != VAR_T) {
      return 0;
    }
    *more = (factor){f->kind == FACTOR_SIN_T ? FACTOR_COS_T : FACTOR_SIN_T, 0, 1, f->shift};
    *n_more = 1;
    return f->kind == FACTOR_SIN_T ? f->shift : -f->shift;
  }
  if (v == VAR_T || f->i != i || (f->kind == FACTOR_U) != (v == VAR_U)) {
    return 0;
  }
  if (f->kind == FACTOR_SIN_Q || f->kind == FACTOR_COS_Q) {
    *more = (factor){f->kind == FACTOR_SIN_Q ? FACTOR_COS_Q : FACTOR_SIN_Q, i, 1, 0};
    *n_more = 1;
    return f->kind == FACTOR_SIN_Q ? 1 : -1;
  }
  return 1;
}

void poly_diff(const poly *p, variable v, int i, poly *out) {
  out->n = 0;
  for (int k = 0; k < p->n; k++) {
    for (int j = 0; j < p->t[k].n; j++) {
      factor more;
      int n_more;
      double c = inner(&p->t[k].f[j], v, i, &more, &n_more);
      if (c == 0) {
        continue;
      }
      term *t = poly_add(out, p->t[k].c * c * p->t[k].f[j].power);
      for (int l = 0; l < p->t[k].n; l++) {
        factor f = p->t[k].f[l];
        f.power -= l == j;
        if (f.power > 0) {
          term_times(t, f);
        }
      }
      if (n_more > 0) {
        term_times(t, more);
      }
    }
  }
}

double poly_slope(const poly *p, variable v, int i, place at) {
  poly d;
  poly_diff(p, v, i, &d);
  return poly_at(&d, at);
}

double poly_rate(const poly *p, int n, place at) {
  double rate = poly_slope(p, VAR_T, 0, at);
  for (int i = 0; i < n; i++) {
    rate += poly_slope(p, VAR_Q, i, at) * at.u[i];
  }
  return rate;
}

double poly_rate_u(const poly *p, int n, place at, const double *a) {
  double rate = poly_rate(p, n, at);
  for (int i = 0; i < n; i++) {
    rate += poly_slope(p, VAR_U, i, at) * a[i];
  }
  return rate;
}

/* ---- text ---- */

static void write_factor(const factor *f, FILE *out) {
  switch (f->kind) {
  case FACTOR_Q:
    if (f->shift == 0) {
      fprintf(out, "*q%d", f->i + 1);
    } else {
      fprintf(out, "*(q%d - (%.10g))", f->i + 1, f->shift);
    }
    break;
  case FACTOR_U: fprintf(out, "*q%d'", f->i + 1); break;
  case FACTOR_SIN_Q: fprintf(out, "*sin(q%d)", f->i + 1); break;
  case FACTOR_COS_Q: fprintf(out, "*cos(q%d)", f->i + 1); break;
  case FACTOR_SIN_T: fprintf(out, "*sin(%.10g*t)", f->shift); break;
  default: fprintf(out, "*cos(%.10g*t)", f->shift); break;
  }
  if (f->power > 1) {
    fprintf(out, "^%d", f->power);
  }
}

void poly_write(const poly *p, FILE *out) {
  if (p->n == 0) {
    fputc('0', out);
  }
  for (int k = 0; k < p->n; k++) {
    double c = p->t[k].c;
    fprintf(out, "%s%.10g", k == 0 ? (c < 0 ? "-" : "") : (c < 0 ? " - " : " + "), fabs(c));
    for (int j = 0; j < p->t[k].n; j++) {
      write_factor(&p->t[k].f[j], out);
    }
  }
}

/* ---- random numbers ---- */

static uint64_t dice_next(dice *d) {
  uint64_t z = d->state += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

double dice_unit(dice *d) {
  return (double)(dice_next(d) >> 11) * 0x1p-53;
}

int dice_below(dice *d, int n) {
  return (int)(dice_unit(d) * n);
}

int dice_chance(dice *d, double p) {
  return dice_unit(d) < p;
}

double dice_range(dice *d, double lo, double hi, int decimals) {
  double unit = pow(10, decimals);
  return round((lo + (hi - lo) * dice_unit(d)) * unit) / unit;
}
