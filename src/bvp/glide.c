// SPDX-License-Identifier: MIT
/* Motions that come to a contact without impact and are held by it until the end, theory (89). None
 * of their neighbours is like them: these bounce, the more often the nearer they are. So trials are
 * made in which the contact does not rebound; a motion is looked for among them whose impact has no
 * speed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bvp/search.h"
#include "law/scale_sim.h"
#include "sim/contact.h"

enum { SAMPLES = 321, HALVINGS = 100, MOST_BEFORE = 2 }; /* impacts before it */

/* ---- one direction: the speed with its sign changes that ---- */

static double look(pw_shoot *x, double s, bool fine) {
  return pw_shoot_fly(x, &s, fine).ok ? x->r[x->m - 1] : NAN;
}

/* To the last digit; the side of less speed. */
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
  for (int i = 0; i < SAMPLES && ok && !x->stopped; i++) {
    double z = 2.0 * i / (SAMPLES - 1) - 1, s = 4 * x->reach * z * fabs(z), now = look(x, s, false);
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

/* Those that the contacts as they are let pass, too. */
static bool keep(pw_shoot *x, const pw_bvp_found *landed, pw_bvp_found *out) {
  bool ok = true;
  x->still = PW_STILL_LANDING;
  for (int i = 0; i < landed->n && ok; i++) {
    const double *s = landed->s + (size_t)i * (size_t)landed->d;
    if (pw_shoot_fly(x, s, true).miss <= 1e-9) {
      ok = pw_found_add(out, s, 1e-9 * x->reach);
    }
  }
  x->still = PW_SCALE(STILL);
  return ok;
}

bool pw_glides(pw_shoot *x, pw_bvp_found *out) {
  pw_bvp_found landed = {.d = x->d};
  int limit = x->limit, most = x->opts->most < MOST_BEFORE ? x->opts->most : MOST_BEFORE;
  bool ok = true;
  for (int before = 0; x->n_fold > 0 && before <= most && ok && !x->stopped; before++) {
    x->landing = before + 1;
    x->limit = PW_MAX_BOUNCES - 1;
    x->m++;
    ok = x->d == 1 ? search_speeds(x, &landed) : pw_seeds(x, &landed);
    x->m--;
    x->limit = limit;
    x->landing = 0;
    ok = ok && keep(x, &landed, out);
    landed.n = 0;
  }
  free(landed.s);
  return ok;
}
