// SPDX-License-Identifier: MIT
/* Enclosures along a piece of time: every sample of random expressions is inside the line and the
 * interval, lines converge quadratically, and what is not tame is counted as blur. */
#include "expr/enclosure.h"
#include "expr_support.h"

static pw_form tube_of(lab *l, pw_node f, const pw_form *in) {
  pw_tape *tape = lab_compile(l, &f, 1);
  pw_form *work = malloc(((size_t)pw_tape_registers(tape) + 1) * sizeof *work), out;
  pw_tape_tube(tape, in, work, &out);
  free(work);
  return out;
}

/* Inputs go along lines, and off them by no more than the remainder. */
static double sample(lab *l, pw_node f, const pw_form *in, double x) {
  double v[LAB_VARS];
  for (int i = 0; i < LAB_VARS; i++) {
    v[i] = in[i].c + in[i].s * x + lab_real(l, -1, 1) * in[i].r;
  }
  return pw_eval(l->dag, f, lab_value, v);
}

static void contain_all_values(void) {
  int known = 0, lines = 0;
  for (uint64_t seed = 1; seed <= 3000; seed++) {
    lab l;
    lab_open(&l, seed);
    pw_node pool[64], f = lab_random(&l, 30, 1, pool);
    pw_form in[LAB_VARS];
    double width = pow(10, lab_real(&l, -4, 0.5));
    for (int i = 0; i < LAB_VARS; i++) {
      in[i] = pw_form_line(lab_real(&l, -1, 1), lab_real(&l, -1, 1) * width,
                           lab_int(&l, 2) * 0.1 * width);
    }
    pw_form out = tube_of(&l, f, in);
    for (int k = 0; k < 40; k++) {
      double x = lab_real(&l, -1, 1), y = sample(&l, f, in, x);
      double slack = 1e-15 * fabs(y); /* of the sample itself */
      bool inside = y >= out.lo - slack && y <= out.hi + slack &&
                    fabs(y - out.c - out.s * x) <= out.r + slack;
      if (isfinite(y) && !CHECK(inside)) {
        printf("  seed %d: %.17g is outside %.17g + %.17g x +- %g, [%.17g, %.17g]\n", (int)seed, y,
               out.c, out.s, out.r, out.lo, out.hi);
        break;
      }
    }
    known += out.hi - out.lo < INFINITY;
    lines += out.s != 0;
    lab_close(&l);
  }
  CHECK(known > 2500); /* they say something */
  CHECK(lines > 1500);
}

static void lines_converge(void) {
  for (uint64_t seed = 1; seed <= 200; seed++) {
    lab l;
    lab_open(&l, seed);
    pw_node pool[64], f = lab_random(&l, 12, 1, pool);
    double r[2], centre[LAB_VARS], slope[LAB_VARS];
    for (int i = 0; i < LAB_VARS; i++) {
      centre[i] = lab_real(&l, -1, 1);
      slope[i] = lab_real(&l, -1, 1);
    }
    for (int k = 0; k < 2; k++) {
      pw_form in[LAB_VARS];
      for (int i = 0; i < LAB_VARS; i++) {
        in[i] = pw_form_line(centre[i], slope[i] * (k == 0 ? 1e-3 : 1e-4), 0);
      }
      r[k] = tube_of(&l, f, in).r;
    }
    if (r[0] < 1e-2) { /* not near a singular point */
      CHECK(r[1] <= 0.02 * r[0] + 1e-13);
    }
    lab_close(&l);
  }
}

/* Terms that have something in common: x - x + small, sqrt((x + 1) - x). */
static void differences_do_not_grow(void) {
  lab l;
  lab_open(&l, 0);
  pw_node x = pw_var(l.dag, 0), y = pw_var(l.dag, 1);
  pw_form in[] = {pw_form_line(100, 50, 0), pw_form_line(101, 50, 1e-3)};
  pw_node f = pw_apply1(l.dag, PW_OP_SQRT, pw_sub(l.dag, y, x));
  pw_form out = tube_of(&l, f, in);
  CHECK(out.lo > 0.999 && out.hi < 1.001);
  CHECK(out.blur == 0);
  lab_close(&l);
}

/* height exp(-((x - 0.3)/w)^2) + 2 x */
static pw_node bell(lab *l, double height, double w) {
  pw_dag *g = l->dag;
  pw_node x = pw_var(g, 0), z = pw_sub(g, x, pw_const(g, 0.3));
  z = pw_div(g, z, pw_const(g, w));
  z = pw_neg(g, pw_pow(g, z, pw_const(g, 2)));
  pw_node b = pw_mul(g, pw_const(g, height), pw_apply1(g, PW_OP_EXP, z));
  return pw_add(g, b, pw_mul(g, pw_const(g, 2), x));
}

static void blur_is_what_may_hide(void) {
  lab l;
  lab_open(&l, 0);
  pw_form whole = pw_form_line(0, 1, 0), beside = pw_form_line(-0.5, 0.5, 0);
  pw_form core = pw_form_line(0.3, 1e-6, 0);
  pw_form out = tube_of(&l, bell(&l, 1e-3, 1e-6), &whole);
  CHECK_NEAR(out.blur, 1e-3, 1e-6);
  CHECK(out.lo > -2.01 && out.hi < 2.01);
  CHECK(tube_of(&l, bell(&l, 1e-3, 1e-6), &beside).blur < 1e-300);
  CHECK(tube_of(&l, bell(&l, 1e-3, 1e-6), &core).blur == 0);
  CHECK(tube_of(&l, bell(&l, 1e-3, 0.9), &whole).blur == 0);
  lab_close(&l);
}

static void poles_are_met(void) {
  lab l;
  lab_open(&l, 0);
  pw_node x = pw_var(l.dag, 0), f = pw_pow(l.dag, x, pw_const(l.dag, -13));
  pw_form out = tube_of(&l, f, &(pw_form){.c = 0, .s = 1, .lo = -1, .hi = 1});
  CHECK(out.hi == INFINITY && out.blur == INFINITY);
  out = tube_of(&l, f, &(pw_form){.c = 30, .s = 20, .lo = 10, .hi = 50});
  CHECK(out.lo > 0 && out.hi < 1.1e-13 && out.blur < 1.1e-13);
  lab_close(&l);
}

CHECK_MAIN({"contain all values", contain_all_values}, {"lines converge", lines_converge},
           {"differences do not grow", differences_do_not_grow},
           {"blur is what may hide", blur_is_what_may_hide}, {"poles are met", poles_are_met})
