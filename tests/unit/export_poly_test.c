// SPDX-License-Identifier: MIT
/* Sums as people write them: coefficients that rounding keeps apart are the same, others are not.
 */
#include "export/poly.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "export/notation.h"
#include "expr_support.h"
#include "pawl/pawl.h"

typedef struct desk {
  lab l;
  pw_polys p;
  pw_node a, b;
} desk;

static void open_desk(desk *d) {
  lab_open(&d->l, 0);
  d->p = (pw_polys){.arena = &d->l.arena, .dag = d->l.dag};
  d->a = pw_var(d->l.dag, 0);
  d->b = pw_var(d->l.dag, 1);
}

/* Terms of cos a cos b + k sin a sin b; one if it is cos(a - b). */
static int terms_of_product(double k) {
  desk d;
  open_desk(&d);
  pw_dag *g = d.l.dag;
  pw_node cosines = pw_mul(g, pw_apply1(g, PW_OP_COS, d.a), pw_apply1(g, PW_OP_COS, d.b));
  pw_node sines = pw_mul(g, pw_apply1(g, PW_OP_SIN, d.a), pw_apply1(g, PW_OP_SIN, d.b));
  pw_node part = pw_mul(g, pw_const(g, k), sines);
  int n = pw_poly_of(&d.p, pw_add(g, cosines, part))->n;
  lab_close(&d.l);
  return n;
}

static void addition_theorem(void) {
  CHECK_INT(terms_of_product(1), 1);
  CHECK_INT(terms_of_product(1 + 2e-13), 1);
  CHECK_INT(terms_of_product(1 - 2e-11), 2);
  CHECK_INT(terms_of_product(2), 2);
}

/* Terms of a - k a. */
static int terms_left(double k) {
  desk d;
  open_desk(&d);
  const pw_poly *one = pw_poly_of(&d.p, d.a);
  const pw_poly *other = pw_poly_of(&d.p, pw_mul(d.l.dag, pw_const(d.l.dag, k), d.a));
  int n = pw_poly_sum(&d.p, one, other, -1).n;
  lab_close(&d.l);
  return n;
}

static void cancels(void) {
  CHECK_INT(terms_left(1 + 10 * DBL_EPSILON), 0);
  CHECK_INT(terms_left(1 - 10 * DBL_EPSILON), 0);
  CHECK_INT(terms_left(1 + 450 * DBL_EPSILON), 1);
}

/* The factor that 2 a + k b has in front. */
static double in_front(double k) {
  desk d;
  open_desk(&d);
  pw_dag *g = d.l.dag;
  pw_node twice = pw_mul(g, pw_const(g, 2), d.a), more = pw_mul(g, pw_const(g, k), d.b);
  double out = pw_poly_common(&d.p, pw_poly_of(&d.p, pw_add(g, twice, more))).coefficient;
  lab_close(&d.l);
  return out;
}

static void whole_multiples(void) {
  CHECK_NEAR(in_front(6), 2, 0);
  CHECK_NEAR(in_front(6 * (1 + 2e-13)), 2, 0);
  CHECK_NEAR(in_front(6 * (1 + 2e-11)), 1, 0);
}

static void fractions(void) {
  int64_t above = 0, below = 0;
  CHECK(pw_is_fraction((2 + 4e-13) / 3, &above, &below));
  CHECK(above == 2 && below == 3);
  CHECK(!pw_is_fraction((2 + 4e-11) / 3, &above, &below));
}

/* ---- poses of imported robots ---- */

static int keep(void *payload, const char *bytes, unsigned long count) {
  (void)payload;
  (void)bytes;
  (void)count;
  return 0;
}

/* A link with this least moment, fixed to another one: it may be negative by rounding. */
static pawl_status with_moment(const char *least) {
  char text[800];
  snprintf(text, sizeof text,
           "<robot name='r'><link name='a'><inertial><mass value='1'/>"
           "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
           "<link name='b'><inertial><mass value='1'/>"
           "<inertia ixx='1' iyy='1' izz='%s' ixy='0' ixz='0' iyz='0'/></inertial></link>"
           "<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint></robot>",
           least);
  return pawl_import_text("r", text, strlen(text), NULL, keep, NULL);
}

static void moments(void) {
  CHECK_INT(with_moment("1"), PAWL_OK);
  CHECK_INT(with_moment("-5e-15"), PAWL_OK);
  CHECK_INT(with_moment("-5e-13"), PAWL_E_MODEL);
}

CHECK_MAIN({"addition_theorem", addition_theorem}, {"cancels", cancels},
           {"whole_multiples", whole_multiples}, {"fractions", fractions}, {"moments", moments})
