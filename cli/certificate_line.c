// SPDX-License-Identifier: MIT
#include "certificate_line.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static pawl_finding find(const pawl_certifier *c, const char *principle) {
  for (int i = 0; i < pawl_certify_findings(c); i++) {
    pawl_finding f = pawl_certify_finding(c, i);
    if (strcmp(f.principle, principle) == 0) {
      return f;
    }
  }
  return (pawl_finding){"", "", NAN, NAN, NAN};
}

static double larger(double a, double b) {
  return isnan(a) || b > a ? b : a;
}

static void put(FILE *out, bool *first, const char *text, double value) {
  if (!isnan(value)) {
    fprintf(out, value == 0 ? "%s%s0" : "%s%s%.0e", *first ? "" : ", ", text, value);
    *first = false;
  }
}

/* Relative numbers: the gap to the size of the motion, forces to the forces, jumps to the jump. */
static void put_numbers(const pawl_certifier *c, FILE *out) {
  bool first = true;
  pawl_finding gap = find(c, "gap"), law = find(c, "force law"), gauss = find(c, "Gauss");
  pawl_finding impulse = find(c, "impulse"), impact = find(c, "impact law");
  pawl_finding position = find(c, "position constraint"), velocity = find(c, "velocity constraint");
  put(out, &first, "gap >= ", isnan(gap.t) ? NAN : -gap.value);
  pawl_finding momentum =
      pawl_certify_get(c).order > 0 ? find(c, "momentum") : (pawl_finding){.t = NAN};
  put(out, &first, "momentum ", isnan(momentum.t) ? NAN : momentum.value);
  put(out, &first, "force law ", isnan(law.t) ? NAN : law.value);
  put(out, &first, "Gauss ", isnan(gauss.t) ? NAN : gauss.value);
  put(out, &first, "impulse ", isnan(impulse.t) ? NAN : impulse.value);
  put(out, &first, "impact law ", isnan(impact.t) ? NAN : impact.value);
  put(out, &first, "drift ",
      larger(isnan(position.t) ? NAN : position.value, isnan(velocity.t) ? NAN : velocity.value));
}

void certificate_line(const pawl_certificate *k, const pawl_certifier *c, FILE *out) {
  switch (k->verdict) {
  case PAWL_STRONG:
  case PAWL_WEAK:
    fprintf(out, "certificate  PASS  %s principle, %s",
            k->verdict == PAWL_STRONG ? "strong" : "weak", k->balance);
    if (k->order > 0) {
      fprintf(out, ", order %d  %" PRId64 " steps: ", k->order, k->instants);
    } else {
      fprintf(out, "  %" PRId64 " instants: ", k->instants);
    }
    put_numbers(c, out);
    fputc('\n', out);
    return;
  case PAWL_NOT_A_MOTION: fprintf(out, "certificate  FAIL not a motion: %s\n", k->sentence); return;
  case PAWL_UNDECIDED: fprintf(out, "certificate  UNDECIDED: %s\n", k->sentence); return;
  case PAWL_NOT_CHECKED: break;
  }
  fprintf(out, "certificate  not checked%s%s\n", *k->sentence ? ": " : "", k->sentence);
}

/* The worst curve of those displaced, or shifted in time. */
static void put_worst(const pawl_certifier *c, int strong, FILE *out) {
  const pawl_vary *v = pawl_certify_variations(c);
  pawl_worst w = pawl_vary_worst(v, strong);
  if (w.which < 0) {
    return;
  }
  char along[60];
  int n = 0;
  pawl_certify_along(c, w.which, along, sizeof along);
  for (int i = 0; i < pawl_vary_count(v); i++) {
    n += (pawl_vary_get(v, i).kind == PAWL_VARY_STRONG) == strong;
  }
  fprintf(out, "  %-20s %d curves; least -ds/|w| ", strong ? "time shifts" : "variations", n);
  if (w.is_zero) {
    fprintf(out, "0\n");
  } else {
    fprintf(out, "%.2e, %.0e of its parts, for %s%s near t = %.6g\n", w.value, w.part,
            w.sign < 0 ? "the reverse of " : "", along, w.t);
  }
}

void certificate_table(const pawl_certifier *c, bool verbose, FILE *out) {
  for (int i = 0; i < pawl_certify_findings(c); i++) {
    pawl_finding f = pawl_certify_finding(c, i);
    if (!isnan(f.t)) {
      fprintf(out, "  %-20s %-9.2e of %-9.2e at t = %-12.9g %s\n", f.principle, f.value,
              f.tolerance, f.t, f.law);
    }
  }
  if (verbose) {
    put_worst(c, 0, out);
    put_worst(c, 1, out);
  }
}
