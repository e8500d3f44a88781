// SPDX-License-Identifier: MIT
/* Sampling and refining. A function that is zero within its doubt since the start (a conserved
 * quantity, a residual of a constraint) has no events: its signs are accidents. */
#include "sim/scan.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_sim.h"

enum { MAX_LEVEL = 12, MOST_PIECES = 4096, FEWEST_PIECES = 64, MOST_LOOKED = 1 << 17 };

void pw_scan_lay_out(pw_scan *s, int m, pw_layout *l) {
  s->m = m;
  s->root = PW_LAY(l, PW_ROOT_MAX * m, pw_root);
  s->w = PW_LAY(l, PW_ROOT_SAMPLES * m, double);
  s->left = PW_LAY(l, m, double);
  s->end = PW_LAY(l, m, double);
  s->delta = PW_LAY(l, m, double);
  s->noise = PW_LAY(l, m, double);
  s->near = PW_LAY(l, m, double);
  s->low = PW_LAY(l, m, double);
  s->count = PW_LAY(l, m, int);
  s->next = PW_LAY(l, m, int);
  s->first_sign = PW_LAY(l, m, int);
  s->want = PW_LAY(l, m, unsigned char);
  s->known = PW_LAY(l, m, unsigned char);
  s->live = PW_LAY(l, m, unsigned char);
  s->hides = PW_LAY(l, m, unsigned char);
  s->rises = PW_LAY(l, m, unsigned char);
}

void pw_scan_reset(pw_scan *s) {
  s->fresh = true;
  s->done = true;
  s->budget = MOST_PIECES;
  s->pieces = 0;
  for (int i = 0; i < s->m; i++) {
    s->known[i] = s->live[i] = s->rises[i] = 0;
    s->count[i] = s->next[i] = 0;
    s->noise[i] = 0;
  }
}

/* ---- one piece ---- */

static double theta_of(const pw_scan *s, double x) {
  return s->level == 0 ? x : ldexp((double)s->index + x, -s->level);
}

static pawl_status sample(pw_scan *s) {
  size_t bytes = (size_t)s->m * sizeof *s->w;
  bool ends_step = s->index + 1 == INT64_C(1) << s->level;
  memcpy(s->w, s->left, bytes);
  for (int j = 1; j < PW_ROOT_SAMPLES; j++) {
    double *w = s->w + (ptrdiff_t)j * s->m;
    if (j == PW_ROOT_DEGREE && ends_step) {
      memcpy(w, s->end, bytes);
      continue;
    }
    pawl_status status = s->source.value(s->source.ctx, theta_of(s, pw_roots_node(j)), w);
    if (status != PAWL_OK) {
      return status;
    }
  }
  s->pieces++;
  s->near_known = false;
  return PAWL_OK;
}

static bool wanted(unsigned want, pw_root_kind kind) {
  unsigned bit = kind == PW_ROOT_RISING    ? PW_WANT_RISING
                 : kind == PW_ROOT_FALLING ? PW_WANT_FALLING
                                           : PW_WANT_GRAZING;
  return (want & bit) != 0;
}

/* Values at the very start that are zero within rounding, and roots dealt with, become zero. */
static void clear_start(const pw_scan *s, int i, double *w) {
  double scale = 0;
  for (int j = 0; j < PW_ROOT_SAMPLES; j++) {
    scale = fmax(scale, fabs(w[j]));
  }
  if (s->index == 0 && (s->known[i] || (s->fresh && fabs(w[0]) <= PW_SCALE(ROUNDED) * scale))) {
    w[0] = 0;
  }
}

/* Least of the samples before the first that is clearly positive. */
static double low_of(const double *w, double noise) {
  double x = w[0];
  for (int j = 1; j < PW_ROOT_SAMPLES && w[j] <= noise; j++) {
    x = fmin(x, w[j]);
  }
  return x;
}

/* Of the piece, not of the whole step: a squared distance is known far better near its least value
 * than away from it. */
static double noise_near(pw_scan *s, int i) {
  if (!s->near_known) {
    memcpy(s->near, s->noise, (size_t)s->m * sizeof *s->near);
    s->source.noise(s->source.ctx, theta_of(s, 0), theta_of(s, 1), s->near);
    s->near_known = true;
  }
  return s->near[i];
}

/* Finds the roots of function i; says whether the piece is too long for it. */
static pw_root_trust search(pw_scan *s, int i) {
  double w[PW_ROOT_SAMPLES];
  pw_root found[PW_ROOT_MAX];
  pw_root_poly poly;
  pw_root_trust trust;
  s->count[i] = s->next[i] = 0;
  if (!s->live[i] || (s->want[i] == 0 && !s->rises[i])) {
    return PW_ROOTS_TRUSTED;
  }

  /* a polynomial through the samples, and its roots */
  for (int j = 0; j < PW_ROOT_SAMPLES; j++) {
    w[j] = s->w[(ptrdiff_t)j * s->m + i];
  }
  clear_start(s, i, w);
  pw_roots_fit(w, &poly);
  poly.noise = s->noise[i];
  poly.start = s->rises[i] ? 1 : 0;
  int n = pw_roots_find(&poly, found, &trust);
  if (trust == PW_ROOTS_NOISY && s->source.noise != NULL) {
    poly.noise = noise_near(s, i);
    n = pw_roots_find(&poly, found, &trust);
  }

  /* a function that begins at zero may dive and come back before the first sample */
  if (s->index == 0) {
    double low = low_of(w, s->noise[i]);
    s->first_sign[i] = pw_roots_first_sign(&poly);
    s->low[i] = s->pieces == 1 ? low : fmin(s->low[i], low); /* shorter pieces see less of a dive */
    bool dives = s->rises[i] && s->first_sign[i] < 0 && low < -PW_SCALE(SCAN_DIVES) * s->noise[i];
    trust = dives ? PW_ROOTS_COARSE : trust;
  }

  for (int k = 0; k < n; k++) {
    if (wanted(s->want[i], found[k].kind)) {
      pw_root *r = &s->root[(ptrdiff_t)i * PW_ROOT_MAX + s->count[i]++];
      r->kind = found[k].kind; /* one by one: bytes between members are saved, too */
      r->x = theta_of(s, found[k].x);
      r->lo = theta_of(s, found[k].lo);
      r->hi = theta_of(s, found[k].hi);
      r->slope = ldexp(found[k].slope, s->level);
    }
  }
  return trust;
}

/* The piece may hide roots of functions that are watched. */
static bool is_hiding(pw_scan *s) {
  bool any = false;
  if (s->looked >= MOST_LOOKED) {
    return false;
  }
  s->looked++;
  s->source.look(s->source.ctx, theta_of(s, 0), theta_of(s, 1), s->hides);
  for (int i = 0; i < s->m; i++) {
    any = any || (s->hides[i] && s->want[i] != 0);
  }
  return any;
}

/* The rest of the step, or this piece, remains as samples show it. */
static void give_up(pw_scan *s, double to) {
  for (int i = 0; i < s->m; i++) {
    if (s->hides[i] && s->want[i] != 0) {
      s->source.give_up(s->source.ctx, i, theta_of(s, 0), to);
    }
  }
}

/* Halves the piece until it hides nothing. */
static void divide(pw_scan *s) {
  int from = s->level;
  while (is_hiding(s)) {
    bool last = s->looked == MOST_LOOKED;
    if (last || ldexp(1, -s->level) <= 2 * s->finest) {
      give_up(s, last ? 1 : theta_of(s, 1));
      return;
    }
    s->level++;
    s->index *= 2;
  }
  if (s->level > from || s->level <= s->base) {
    s->base = s->level;
    s->pieces = 0;
  }
}

/* Searches the piece at (level, index), or the first part of it that is short enough. */
static pawl_status load(pw_scan *s) {
  divide(s);
  for (;;) {
    pawl_status status = sample(s);
    if (status != PAWL_OK) {
      return status;
    }
    bool coarse = false, narrow = false;
    for (int i = 0; i < s->m; i++) {
      pw_root_trust trust = search(s, i);
      coarse = coarse || trust == PW_ROOTS_COARSE;
      narrow = narrow || trust == PW_ROOTS_NARROW;
      s->looked = s->count[i] > 0 ? 0 : s->looked;
    }
    coarse = coarse && s->level < s->base + MAX_LEVEL;
    narrow = narrow && ldexp(1, -s->level) > 2 * s->finest; /* theory (37) */
    if ((!coarse && !narrow) || s->pieces >= s->budget) {
      return PAWL_OK;
    }
    s->level++;
    s->index *= 2;
  }
}

/* ---- the step ---- */

static pawl_status find_live(pw_scan *s) {
  bool all = true;
  for (int i = 0; i < s->m; i++) {
    all = all && s->live[i];
  }
  if (all) {
    return PAWL_OK;
  }
  pawl_status status = s->source.doubt(s->source.ctx, s->delta);
  for (int i = 0; i < s->m && status == PAWL_OK; i++) {
    double size = fmax(fabs(s->left[i]), fabs(s->end[i]));
    s->live[i] = s->live[i] || size > PW_SCALE(SCAN_CERTAIN) * s->delta[i];
  }
  return status;
}

/* Functions that no refinement resolves (noise) must not cost as much in every step. */
static void adjust_budget(pw_scan *s) {
  bool exhausted = s->pieces >= s->budget;
  if (exhausted && s->budget > FEWEST_PIECES) {
    s->budget /= 2;
  } else if (!exhausted && s->budget < MOST_PIECES) {
    s->budget *= 2;
  }
}

/* A function that changes along the step by less than what it is away from zero; at the start of a
 * motion, or of a step that begins at a root, samples are to decide. */
static bool is_far(const pw_scan *s, int i) {
  double a = s->left[i], b = s->end[i];
  return (s->want[i] == 0 && !s->rises[i]) ||
         (s->live[i] && !s->known[i] && a * b > 0 && fmin(fabs(a), fabs(b)) > fabs(b - a));
}

/* The step is one piece without roots. */
static bool is_clear(pw_scan *s) {
  bool far = !s->fresh && s->source.clear != NULL;
  for (int i = 0; far && i < s->m; i++) {
    far = is_far(s, i);
  }
  if (!far || !s->source.clear(s->source.ctx)) {
    return false;
  }
  for (int i = 0; i < s->m; i++) {
    s->count[i] = s->next[i] = 0;
    s->first_sign[i] = (s->end[i] > 0) - (s->end[i] < 0);
    s->low[i] = fmin(s->left[i], s->end[i]);
  }
  s->done = true;
  return true;
}

pawl_status pw_scan_step(pw_scan *s, bool joined, double finest) {
  s->finest = finest;
  s->done = s->m == 0;
  if (s->done) {
    return PAWL_OK;
  }

  /* the whole step is the first piece */
  adjust_budget(s);
  s->level = s->base = s->pieces = s->looked = 0;
  s->index = 0;

  /* values at both ends; those at the start are the last ones if nothing jumped */
  pawl_status status = PAWL_OK;
  if (joined && !s->fresh) {
    memcpy(s->left, s->end, (size_t)s->m * sizeof *s->left);
  } else {
    status = s->source.value(s->source.ctx, 0, s->left);
  }
  if (status == PAWL_OK) {
    status = s->source.value(s->source.ctx, 1, s->end);
  }

  /* functions that are zero within their doubt, and steps that enclosures clear, are not sampled */
  if (status == PAWL_OK) {
    status = find_live(s);
  }
  if (status == PAWL_OK && !is_clear(s)) {
    status = load(s);
  }
  s->fresh = false;
  memset(s->known, 0, (size_t)s->m);
  return status;
}

const pw_root *pw_scan_root(const pw_scan *s, int i) {
  return s->next[i] < s->count[i] ? &s->root[(ptrdiff_t)i * PW_ROOT_MAX + s->next[i]] : NULL;
}

void pw_scan_use(pw_scan *s, int i) {
  s->next[i]++;
}

static pawl_status next_piece(pw_scan *s) {
  memcpy(s->left, s->w + (ptrdiff_t)PW_ROOT_DEGREE * s->m, (size_t)s->m * sizeof *s->left);
  s->index++;
  while (s->level > 0 && s->index % 2 == 0) {
    s->index /= 2;
    s->level--;
  }
  s->done = s->level == 0 && s->index == 1;
  return s->done ? PAWL_OK : load(s);
}

pawl_status pw_scan_peek(pw_scan *s, int *which) {
  *which = -1;
  while (!s->done) {
    for (int i = 0; i < s->m; i++) {
      const pw_root *r = pw_scan_root(s, i);
      if (r != NULL && (*which < 0 || r->x < pw_scan_root(s, *which)->x)) {
        *which = i;
      }
    }
    if (*which >= 0) {
      return PAWL_OK;
    }
    pawl_status status = next_piece(s);
    if (status != PAWL_OK) {
      return status;
    }
  }
  return PAWL_OK;
}
