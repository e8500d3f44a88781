// SPDX-License-Identifier: MIT
/* Weights w_i >= 0 of pieces that are tied on top solve the instant if pieces with a weight have
 * the largest acceleration. With piece k on top and each w_i in [0, 1] this is a box problem; its
 * solution is that of the instant if sum w_i <= 1, and so it is for every k that has a weight.
 * So the tied pieces are put on top one after the other until the one there has a weight. */
#include "sim/top.h"

#include <math.h>

#include "law/scale_static.h"
#include "sim/instant.h"
#include "sim/surface.h"

static const pw_system *system_of(const pw_contacts *c) {
  return c->watch.s->mech->sys;
}

static const pw_clauses *pair_of(const pw_contacts *c, int law) {
  return &pw_contacts_row(c, law)->clause;
}

/* The law is the first pair of a maximum. */
static bool is_maximum(const pw_contacts *c, int law) {
  const pw_system *s = system_of(c);
  return pair_of(c, law)->several == s->row_of[s->nc + law];
}

static int sign_of(double x) {
  return (x > 0) - (x < 0);
}

/* Which of the two pieces is larger, by their values, then by their rates; 0: they are tied. */
static int leads(const pw_contacts *c, int law) {
  int row = system_of(c)->nc + law;
  if (!pw_instant_is_zero(c, law)) {
    return sign_of(c->now.frame.value[row]);
  }
  bool tied = pw_contacts_row(c, law)->on_velocity || pw_instant_is_still(c, row);
  return tied ? 0 : sign_of(c->now.frame.rate[row]);
}

static bool put(pw_contacts *c, int law, int side) {
  return pw_surface_turn_law(c->watch.s, law, side);
}

/* ---- pieces that are tied on top ---- */

/* Place of the piece in a pair of the maximum that begins with model row `first`; -1: elsewhere. */
static int place_in(const pw_contacts *c, int law, int first, int piece) {
  const pw_clauses *x = pair_of(c, law);
  bool there = x->several == first;
  return there && x->piece[0] == piece ? 0 : there && x->piece[1] == piece ? 1 : -1;
}

static int last_piece(const pw_contacts *c, int first) {
  int last = -1;
  for (int i = 0; i < system_of(c)->ni; i++) {
    const pw_clauses *x = pair_of(c, i);
    last = x->several == first && x->piece[1] > last ? x->piece[1] : last;
  }
  return last;
}

/* Nothing is larger than the piece, which has a pair. */
static bool is_on_top(const pw_contacts *c, int first, int piece) {
  bool any = false;
  for (int i = 0; i < system_of(c)->ni; i++) {
    int place = place_in(c, i, first, piece);
    if (place >= 0 && leads(c, i) * (place == 0 ? 1 : -1) < 0) {
      return false;
    }
    any = any || place >= 0;
  }
  return any;
}

/* The k-th piece that is tied on top; -1: there are not so many. */
static int tied_piece(const pw_contacts *c, int first, int32_t k) {
  int last = last_piece(c, first);
  for (int piece = 0; piece <= last; piece++) {
    if (is_on_top(c, first, piece) && k-- == 0) {
      return piece;
    }
  }
  return -1;
}

static int32_t count_tied(const pw_contacts *c, int first) {
  int32_t n = 0;
  while (tied_piece(c, first, n) >= 0) {
    n++;
  }
  return n;
}

static bool crown(pw_contacts *c, int first, int piece) {
  bool changed = false;
  for (int i = 0; i < system_of(c)->ni; i++) {
    int place = place_in(c, i, first, piece);
    if (place >= 0) {
      changed = put(c, i, place == 0 ? 1 : -1) || changed;
    }
  }
  return changed;
}

/* The piece that the sides put on top; -1: its maximum has no slope. */
static int top_of(const pw_contacts *c, int first) {
  for (int i = 0; i < system_of(c)->ni; i++) {
    if (pair_of(c, i)->several == first) {
      pw_law_row row = pw_contacts_law(c, i);
      if (row.left < row.right) {
        return pair_of(c, i)->piece[row.left < 0 ? 0 : 1];
      }
    }
  }
  return -1;
}

bool pw_top_begin(pw_contacts *c) {
  pw_stepper *s = c->watch.s;
  bool changed = false;
  for (int i = 0; i < system_of(c)->ni; i++) {
    int side = pair_of(c, i)->several >= 0 ? leads(c, i) : 0;
    changed = (side != 0 && put(c, i, side)) || changed;
  }
  if (changed) {
    pw_contacts_graphs(c, s->t, s->y, s->y + s->nq);
  }
  for (int i = 0; i < system_of(c)->ni; i++) {
    if (is_maximum(c, i)) {
      int first = pair_of(c, i)->several, top = top_of(c, first);
      int piece = top >= 0 && !is_on_top(c, first, top) ? tied_piece(c, first, 0) : -1;
      changed = (piece >= 0 && crown(c, first, piece)) || changed;
    }
  }
  return changed;
}

bool pw_top_take(pw_contacts *c, int32_t k) {
  for (int i = 0; i < system_of(c)->ni; i++) {
    if (is_maximum(c, i)) {
      int first = pair_of(c, i)->several;
      int32_t n = count_tied(c, first);
      if (n > 0) {
        (void)crown(c, first, tied_piece(c, first, k % n));
        k /= n;
      }
    }
  }
  return k == 0;
}

/* ---- weights ---- */

bool pw_top_holds(const pw_contacts *c) {
  const pw_system *s = system_of(c);
  for (int i = 0; i < s->ni; i++) {
    double sum = 0, slope = 0;
    for (int j = i; j < s->ni && is_maximum(c, i); j++) {
      if (pair_of(c, j)->several == pair_of(c, i)->several && c->modes.candidate[j].may_close) {
        pw_law_row row = pw_contacts_law(c, j);
        slope = fmax(slope, row.right - row.left);
        sum += fabs(c->modes.found[s->nc + j] + c->modes.candidate[j].base);
      }
    }
    if (slope > 0 && sum > slope * (1 - PW_SCALE(SAME_MOTION))) { /* nothing is left for the top */
      return false;
    }
  }
  return true;
}

void pw_top_bounds(const pw_contacts *c, int law, double *lo, double *hi) {
  const pw_mech *m = c->watch.s->mech;
  int first = pair_of(c, law)->several;
  double others = 0;
  for (int i = 0; i < m->sys->ni && first >= 0; i++) {
    bool held = i != law && c->mode[i] == PW_CLOSED && pair_of(c, i)->several == first;
    others += held ? fabs(m->lambda[m->sys->nc + i]) : 0;
  }
  *lo = *lo < 0 ? *lo + others : *lo;
  *hi = *hi > 0 ? *hi - others : *hi;
}

void pw_top_share(const pw_system *s, pw_share *p, int law, const double bound[2], double base,
                  double length) {
  int first = s->model->rows.items[s->row_of[s->nc + law]].clause.several;
  int sign = bound[1] > 0 ? -1 : 1; /* - sum |force| >= - slope */
  if (first >= 0) {
    pw_share_sum(p, s->nc + law, first, sign / length, sign * base, bound[0] - bound[1]);
  }
}

/* ---- the motion that follows ---- */

/* The piece that passes the one on top, by its acceleration; else that on top. */
static int heir_of(const pw_contacts *c, int first, int top) {
  int heir = top;
  for (int i = 0; i < system_of(c)->ni; i++) {
    int place = place_in(c, i, first, top);
    bool passed = place >= 0 && leads(c, i) == 0 && c->mode[i] == (place == 0 ? PW_BELOW : PW_OPEN);
    pw_law_row row = pw_contacts_law(c, i);
    heir = passed && row.left < row.right ? pair_of(c, i)->piece[1 - place] : heir;
  }
  return heir;
}

void pw_top_end(pw_contacts *c) {
  for (int i = 0; i < system_of(c)->ni; i++) {
    if (is_maximum(c, i)) {
      int first = pair_of(c, i)->several, top = top_of(c, first);
      if (top >= 0) {
        (void)crown(c, first, heir_of(c, first, top));
      }
    }
  }
}
