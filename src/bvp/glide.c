// SPDX-License-Identifier: MIT
/* Motions that come to a contact without impact and are held by it until the end, theory (89). None
 * of their neighbours is like them: these bounce, the more often the nearer they are. So trials are
 * made in which the contact does not rebound, and among them a motion is searched whose impact has
 * no speed. */
#include <math.h>
#include <stdlib.h>

#include "bvp/search.h"
#include "law/scale_bvp.h"

enum {
  SAMPLES = 321,
  REACHES = 4,    /* speeds that are sampled, in multiples of the reach */
  HALVINGS = 100, /* more than doubles have digits */
  MOST_BEFORE = 2 /* impacts before the landing */
};

/* ---- one direction: the speed of the landing changes its sign ---- */

static double look(pw_shoot *x, double s, bool fine) {
  return pw_shoot_fly(x, &s, fine).ok ? x->r[x->m - 1] : NAN;
}

/* Bisection to the last digit; returns the end with less speed at the landing. */
static double close_in(pw_shoot *x, double a, double b) {
  double at_a = look(x, a, true), at_b = look(x, b, true);
  for (int k = 0; k < HALVINGS && at_a * at_b < 0; k++) {
    double m = (a + b) / 2, at = look(x, m, true);
    if (m == a || m == b || isnan(at)) {
      break;
    }
    if (at_a * at > 0) {
      a = m;
      at_a = at;
    } else {
      b = m;
      at_b = at;
    }
  }
  return fabs(at_a) < fabs(at_b) ? a : b;
}

static bool search_speeds(pw_shoot *x, pw_bvp_found *out) {
  double last = NAN, before = 0;
  bool ok = true;
  for (int i = 0; i < SAMPLES && ok && !x->tally->stopped; i++) {
    double z = 2.0 * i / (SAMPLES - 1) - 1, s = REACHES * x->reach * z * fabs(z);
    double now = look(x, s, false);
    if (now * last <= 0) {
      double root = now == 0 ? s : close_in(x, before, s);
      ok = pw_found_add(out, &root, 0);
    }
    last = now;
    before = s;
  }
  return ok;
}

/* ---- all ---- */

/* Also motions that the current contacts allow if slow impacts are ignored. */
static bool keep(const pw_shoot *x, const pw_bvp_found *landed, pw_bvp_found *out) {
  pw_shoot slow = pw_shoot_slow(x);
  bool ok = true;
  for (int i = 0; i < landed->n && ok; i++) {
    const double *s = landed->s + (size_t)i * (size_t)landed->d;
    if (pw_shoot_fly(&slow, s, true).miss <= PW_SCALE(BVP_ARRIVED)) {
      ok = pw_found_add(out, s, PW_SCALE(BVP_SAME_ROOT) * x->reach);
    }
  }
  return ok;
}

bool pw_glides(const pw_shoot *x, pw_bvp_found *out) {
  pw_bvp_found landed = {.d = x->d};
  int most = x->opts->most < MOST_BEFORE ? x->opts->most : MOST_BEFORE;
  bool ok = true;
  for (int before = 0; x->n_fold > 0 && before <= most && ok && !x->tally->stopped; before++) {
    pw_shoot soft = pw_shoot_landing(x, before + 1);
    ok = x->d == 1 ? search_speeds(&soft, &landed) : pw_seeds(&soft, x->opts->all != 0, &landed);
    ok = ok && keep(x, &landed, out);
    landed.n = 0;
  }
  free(landed.s);
  return ok;
}
