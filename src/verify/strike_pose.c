// SPDX-License-Identifier: MIT
/* The conditions of an impact whose modes are chosen, as a least distance: certificates (C9). */
#include <math.h>
#include <string.h>

#include "base/pi.h"
#include "base/real.h"
#include "linalg/chol.h"
#include "linalg/dense.h"
#include "verify/strike.h"

/* rows at an instant; corners of the polygon around a disk, of the cube around a ball */
enum { MOST_LAWS = 40, CORNERS = 6, CUBE = 8 };

pw_strike_room *pw_strike_lay(const pw_system *s, pw_layout *l) {
  int m = s->nr < MOST_LAWS ? s->nr : MOST_LAWS;
  int cells = PW_IMPACT_PHASES * m, rows = s->nv + 4 * m + 1, columns = 19 * m + CUBE + 8;
  size_t nv = (size_t)s->nv, k = (size_t)columns;
  pw_strike_room *room = PW_LAY(l, 1, pw_strike_room), r = {0};
  r.most_cells = cells;
  r.most_rows = rows;
  r.cell = PW_LAY(l, cells, pw_verify_cell);
  pw_reach_lay(&r.lp, rows, columns, l);
  r.owner = PW_LAY(l, k, int);
  r.vector = PW_LAY(l, k * nv, double);
  r.sides = PW_LAY(l, k * PW_STRIKE_SIDES, double);
  r.wanted = PW_LAY(l, rows, double);
  r.after = PW_LAY(l, PW_IMPACT_PHASES * nv, double);
  r.gradient = PW_LAY(l, nv, double);
  r.takes = PW_LAY(l, s->nr, signed char);
  if (room != NULL) {
    *room = r;
  }
  return room;
}

/* ---- rates ---- */

/* L^-1 J^T of a row; servos push along something else. */
static const double *gradient(const pw_strike *s, int row) {
  const pw_probe *p = &s->x->c->probe;
  size_t n = (size_t)s->x->c->sys->nv;
  if (s->x->c->sys->row[row].by < 0) {
    return p->A + (size_t)row * n;
  }
  double *out = s->x->c->room.strike->gradient;
  memcpy(out, p->J + (size_t)row * n, n * sizeof *out);
  pw_probe_forward(p, out);
  return out;
}

/* At the velocities w, by the tangents at those after the jump. */
static double rate_at(const pw_strike *s, const double *w, int row) {
  const double *g = gradient(s, row);
  double rate = s->x->c->probe.rate[row];
  for (int k = 0; k < s->x->c->sys->nv; k++) {
    rate += g[k] * (w[k] - s->x->fast[k]);
  }
  return rate;
}

/* ---- cells ---- */

static pw_phase_rule rule_of(const pw_strike *s, int step) {
  return pw_phase_rule_of(s->phase[step]);
}

/* Impulses of the phase depend on those of the phase before. */
static bool is_coupled(const pw_strike *s, int step) {
  return rule_of(s, step).least_impulse > 0;
}

static pw_verify_cell *new_cell(pw_strike *s, int row, int step, pw_cell_kind kind) {
  pw_strike_room *r = s->x->c->room.strike;
  if (r->n_cell == r->most_cells) {
    r->fits = false;
    return NULL;
  }
  pw_verify_cell *c = &r->cell[r->n_cell++];
  *c = (pw_verify_cell){.kind = kind, .row = row, .step = step, .contact = -1};
  c->unit = s->x->c->probe.length[row];
  return c;
}

static int contact_cell(const pw_strike *s, int row, int step) {
  const pw_strike_room *r = s->x->c->room.strike;
  for (int i = 0; i < r->n_cell; i++) {
    if (r->cell[i].kind == PW_CELL_NORMAL && r->cell[i].row == row && r->cell[i].step == step) {
      return i;
    }
  }
  return -1;
}

/* Constraints on velocities act in a projection, which is the last phase, where they end at zero:
 * others are left alone, among them such as have no gradient there. */
static bool is_side(const pw_strike *s, int step, int row) {
  return rule_of(s, step).bounds && pw_jump_is_bound(s->x, row);
}

/* Equalities, contacts and, in a projection, one-sided constraints on velocities. */
static void list_firm(pw_strike *s, int step) {
  const pw_system *sys = s->x->c->sys;
  for (int i = 0; i < sys->nr; i++) {
    bool side = is_side(s, step, i);
    if (i < sys->nc) {
      (void)new_cell(s, i, step, PW_CELL_EQUAL);
    } else if (side || s->takes[i] != PW_TAKE_NOT) {
      pw_verify_cell *c = new_cell(s, i, step, PW_CELL_NORMAL);
      if (c != NULL && !side) {
        c->maybe = s->takes[i] == PW_TAKE_MAYBE;
        c->e = pw_jump_restitution(s->x, i);
        c->shift = rule_of(s, step).rate_shift * c->e;
      }
    }
  }
}

/* What acts with a contact, theory (58): with the restitution of its slip once the impact ends. */
static void list_slips(pw_strike *s, int step) {
  const pw_system *sys = s->x->c->sys;
  const pw_probe *p = &s->x->c->probe;
  pw_strike_room *r = s->x->c->room.strike;
  for (int i = sys->nc; i < sys->nr; i++) {
    int on = pw_row_contact(sys, i), k = i - sys->nc, at = contact_cell(s, on, step);
    bool rough = pw_law_is_rough(&sys->row[i]), plane = !rough && sys->law[k].group >= 0;
    if (on < 0 || at < 0 || (plane && sys->law[k].group != k)) {
      continue;
    }
    pw_verify_cell *c = new_cell(s, i, step,
                                 rough                   ? PW_CELL_ROUGH
                                 : !plane                ? PW_CELL_LINE
                                 : sys->law[k].width > 2 ? PW_CELL_BALL
                                                         : PW_CELL_DISK);
    if (c != NULL) {
      double now = rough ? 0 : pw_probe_bound(p, i, false);
      c->contact = at;
      r->cell[at].rough = r->cell[at].rough || rough;
      c->lo = rough ? 0 : pw_min(s->x->mu[k], now);
      c->hi = rough ? 0 : pw_max(s->x->mu[k], now);
      c->shift = rule_of(s, step).slip_shift * s->x->e[k];
      c->unit = plane ? pw_norm_inf(p->length + i, sys->law[k].width) : c->unit;
    }
  }
}

bool pw_strike_list(pw_strike *s) {
  pw_strike_room *r = s->x->c->room.strike;
  r->n_cell = 0;
  r->fits = true;
  for (int step = 0; step < s->n_phase; step++) {
    list_firm(s, step);
    if (rule_of(s, step).slips) {
      list_slips(s, step);
    }
  }
  for (int i = 0; i < r->n_cell; i++) {
    pw_verify_cell *c = &r->cell[i];
    for (int k = 0; k < pw_cell_width(c); k++) {
      c->base[k] = (1 + c->shift) * rate_at(s, s->from, c->row + k);
    }
    r->fits = r->fits && (c->unit > 0 || c->kind == PW_CELL_EQUAL) && isfinite(c->shift + c->hi);
    r->fits = r->fits && (s->to != NULL || c->kind != PW_CELL_BALL); /* not all of them */
  }
  return r->fits;
}

/* ---- conditions ---- */

static bool has_rate(const pw_strike *s, const pw_verify_cell *c) {
  bool carries = c->contact < 0 || is_coupled(s, c->step) ||
                 s->x->c->room.strike->cell[c->contact].mode != PW_MODE_OPEN;
  switch (c->kind) {
  case PW_CELL_EQUAL: return c->unit > 0;
  case PW_CELL_NORMAL: return !(c->maybe && c->mode != PW_MODE_CLOSED);
  case PW_CELL_ROUGH: return c->mode == PW_MODE_CLOSED && carries;
  case PW_CELL_LINE: return c->mode != PW_MODE_ANY && carries;
  case PW_CELL_BALL: return c->mode != PW_MODE_ANY && carries;
  case PW_CELL_DISK: break;
  }
  return c->mode != PW_MODE_ANY && carries && !(c->mode == PW_MODE_SLIDE && c->from == c->to);
}

static int number_conditions(pw_strike *s) {
  pw_strike_room *r = s->x->c->room.strike;
  int rows = s->to != NULL ? s->x->c->sys->nv : 0;
  for (int i = 0; i < r->n_cell; i++) {
    pw_verify_cell *c = &r->cell[i];
    bool couple = c->kind == PW_CELL_NORMAL && is_coupled(s, c->step);
    c->eq = has_rate(s, c) ? rows : -1;
    rows += c->eq < 0 ? 0 : pw_cell_width(c);
    c->couple = couple ? rows++ : -1;
  }
  return rows > 0 ? rows : 1;
}

static double *add_column(pw_strike *s, double lo, double hi, int owner) {
  pw_strike_room *r = s->x->c->room.strike;
  double *col = pw_reach_add(&r->lp, lo, hi);
  if (col == NULL) {
    r->fits = false;
    return NULL;
  }
  memset(col, 0, (size_t)r->lp.n * sizeof *col);
  r->owner[r->lp.k - 1] = owner;
  return col;
}

/* What the impulses `v` of a phase do to the momentum, and to the rates after it and after all
 * later phases. */
static void fill_column(pw_strike *s, int at, double *col, const double *v) {
  pw_strike_room *r = s->x->c->room.strike;
  const pw_verify_cell *own = &r->cell[at];
  int n = s->x->c->sys->nv;
  double reach = s->x->c->probe.reach[own->row];
  if (s->to != NULL) {
    memcpy(col, v, (size_t)n * sizeof *col);
  }
  for (int i = 0; i < r->n_cell; i++) {
    const pw_verify_cell *c = &r->cell[i];
    for (int k = 0; c->eq >= 0 && c->step >= own->step && k < pw_cell_width(c); k++) {
      col[c->eq + k] = pw_dot(gradient(s, c->row + k), v, n) / c->unit;
    }
    if (c->couple >= 0 && own->kind == PW_CELL_NORMAL && c->row == own->row) {
      bool squeezes = own->step + 1 == c->step;
      double least = rule_of(s, c->step).least_impulse * c->e;
      col[c->couple] = own->step == c->step ? reach : squeezes ? -least * reach : 0;
    }
  }
}

static double *vector_of(const pw_strike *s, int column) {
  return s->x->c->room.strike->vector + (size_t)column * (size_t)s->x->c->sys->nv;
}

static double *sides_of(const pw_strike *s, int column) {
  return s->x->c->room.strike->sides + (size_t)column * PW_STRIKE_SIDES;
}

static void add_free(pw_strike *s, int at, double lo, double hi) {
  const pw_verify_cell *c = &s->x->c->room.strike->cell[at];
  double *col = add_column(s, lo, hi, at);
  if (col != NULL) {
    int n = s->x->c->sys->nv, k = s->x->c->room.strike->lp.k - 1;
    memcpy(vector_of(s, k), s->x->c->probe.A + (size_t)c->row * (size_t)n,
           (size_t)n * sizeof(double));
    memset(sides_of(s, k), 0, PW_STRIKE_SIDES * sizeof(double));
    fill_column(s, at, col, vector_of(s, k));
  }
}

/* ---- the edges of a cone of friction ---- */

typedef struct edges {
  int n;
  double x[CUBE][PW_LAW_MOST];
} edges;

static void add_edge(edges *out, double size, double angle) {
  out->x[out->n][0] = size * cos(angle);
  out->x[out->n++][1] = size * sin(angle);
}

/* The same of three components: a cube around the ball; of a patch of directions the solid between
 * two triangles, the one at a radius below the arc, the other above it. */
static edges edges_of_ball(const pw_verify_cell *c) {
  edges out = {0};
  if (c->mode != PW_MODE_SLIDE && c->mode != PW_MODE_STICK_IN) {
    for (; out.n < CUBE; out.n++) {
      for (int k = 0; k < PW_LAW_MOST; k++) {
        out.x[out.n][k] = (out.n >> k & 1) != 0 ? -c->hi : c->hi;
      }
    }
    return out;
  }
  double sign = c->mode == PW_MODE_SLIDE ? -1 : 1, above = c->hi / pw_patch_depth(&c->patch);
  double below = c->mode == PW_MODE_SLIDE ? c->lo : 0;
  for (int i = 0; i < 2 * PW_LAW_MOST; i++, out.n++) {
    for (int k = 0; k < PW_LAW_MOST; k++) {
      out.x[i][k] = sign * (i % 2 == 0 ? above : below) * c->patch.corner[i / 2][k];
    }
  }
  return out;
}

/* Of impulses per normal impulse: corners of a polygon that holds what the mode allows. */
static edges edges_of(const pw_verify_cell *c) {
  edges out = {0};
  if (c->kind == PW_CELL_BALL) {
    return edges_of_ball(c);
  }
  double half = (c->to - c->from) / 2, middle = c->from + half;
  switch (c->mode) {
  case PW_MODE_PLUS:
  case PW_MODE_MINUS:
    /* Slip along a line: against it, between both coefficients. */
    add_edge(&out, c->mode == PW_MODE_PLUS ? -c->hi : c->hi, 0);
    if (c->lo < c->hi) {
      add_edge(&out, c->mode == PW_MODE_PLUS ? -c->lo : c->lo, 0);
    }
    break;
  case PW_MODE_SLIDE:
  case PW_MODE_STICK_IN: {
    /* A sector of directions: the tangents at the ends of its arc meet at hi / cos(half). */
    double sign = c->mode == PW_MODE_SLIDE ? -1 : 1;
    double least = c->mode == PW_MODE_SLIDE ? c->lo : c->hi;
    add_edge(&out, sign * c->hi / cos(half), middle);
    add_edge(&out, sign * least, c->from);
    add_edge(&out, sign * least, c->to);
    if (c->mode == PW_MODE_STICK_IN) {
      add_edge(&out, 0, 0);
    } else if (c->lo < c->hi) {
      add_edge(&out, -c->hi, c->from);
      add_edge(&out, -c->hi, c->to);
    }
    break;
  }
  default:
    /* Stick, or not decided: a regular polygon around the disk, or the ends of the interval. */
    for (int k = 0; k < (c->kind == PW_CELL_DISK ? CORNERS : 2); k++) {
      double angle = c->kind == PW_CELL_DISK ? 2 * PW_PI * k / CORNERS : PW_PI * k;
      add_edge(&out, c->kind == PW_CELL_DISK ? c->hi / cos(PW_PI / CORNERS) : c->hi, angle);
    }
  }
  return out;
}

/* Every column from `first` on, once with each edge of the friction. */
static void spread(pw_strike *s, int first, const pw_verify_cell *f, int place) {
  pw_strike_room *r = s->x->c->room.strike;
  int n = s->x->c->sys->nv, last = r->lp.k, at = f->contact;
  const double *push = s->x->c->probe.A + (size_t)f->row * (size_t)n;
  edges e = edges_of(f);
  for (int k = e.n - 1; k >= 0; k--) {
    for (int j = first; j < last; j++) {
      int to = k == 0 ? j : r->lp.k;
      double *col =
          k == 0 ? r->lp.A + (size_t)j * (size_t)r->lp.n : add_column(s, r->lp.lo[j], INFINITY, at);
      if (col == NULL) {
        return;
      }
      memmove(vector_of(s, to), vector_of(s, j), (size_t)n * sizeof(double));
      memmove(sides_of(s, to), sides_of(s, j), PW_STRIKE_SIDES * sizeof(double));
      for (int d = 0; d < pw_cell_width(f); d++) {
        pw_axpy(e.x[k][d], push + (size_t)d * (size_t)n, vector_of(s, to), n);
        sides_of(s, to)[place + d] = e.x[k][d];
      }
      fill_column(s, at, col, vector_of(s, to));
    }
  }
}

/* ---- columns ---- */

static bool is_off(const pw_strike_room *r, int at) {
  for (int i = at + 1; i < r->n_cell; i++) {
    if (r->cell[i].contact == at && r->cell[i].kind == PW_CELL_ROUGH &&
        r->cell[i].mode == PW_MODE_OPEN) {
      return true;
    }
  }
  return false;
}

static void add_contact(pw_strike *s, int at) {
  pw_strike_room *r = s->x->c->room.strike;
  const pw_verify_cell *c = &r->cell[at];
  bool expands = is_coupled(s, c->step);
  int first = r->lp.k, place = 0;
  double down = s->sticky && c->rough ? -INFINITY : 0;
  if ((c->mode == PW_MODE_OPEN && !expands) || is_off(r, at)) {
    return;
  }
  if (s->x->c->probe.sense[c->row] < 0) { /* a servo that pushes its row down */
    add_free(s, at, -INFINITY, -down);
    return;
  }
  add_free(s, at, down, INFINITY);
  for (int i = at + 1; i < r->n_cell; i++) {
    const pw_verify_cell *f = &r->cell[i];
    int wide = pw_cell_width(f);
    if (f->contact == at && f->kind != PW_CELL_ROUGH) {
      r->fits = r->fits && place + wide <= PW_STRIKE_SIDES;
      if (!r->fits) {
        return;
      }
      spread(s, first, f, place);
      place += wide;
    }
  }
}

static void add_slack(pw_strike *s, int row, double value) {
  double *col = row < 0 ? NULL : add_column(s, 0, INFINITY, -1);
  if (col != NULL) {
    col[row] = value;
  }
}

/* Where the rates after may be: rate - slack = 0. */
static void add_slacks(pw_strike *s, const pw_verify_cell *c) {
  if (c->kind == PW_CELL_BALL) {
    for (int k = 0; k < PW_LAW_MOST && c->mode == PW_MODE_SLIDE && c->eq >= 0; k++) {
      double *col = add_column(s, 0, INFINITY, -1);
      for (int i = 0; i < PW_LAW_MOST && col != NULL; i++) {
        col[c->eq + i] = -c->patch.corner[k][i];
      }
    }
    return;
  }
  if (c->kind == PW_CELL_NORMAL) {
    if (c->mode != PW_MODE_CLOSED) {
      add_slack(s, c->eq, -1);
    }
    if (c->mode != PW_MODE_OPEN) {
      add_slack(s, c->couple, -1);
    }
  } else if (c->kind == PW_CELL_LINE && (c->mode == PW_MODE_PLUS || c->mode == PW_MODE_MINUS)) {
    add_slack(s, c->eq, c->mode == PW_MODE_PLUS ? -1 : 1);
  } else if (c->kind == PW_CELL_DISK && c->mode == PW_MODE_SLIDE && c->eq >= 0) {
    for (int k = 0; k < 2; k++) {
      double *col = add_column(s, 0, INFINITY, -1), angle = k == 0 ? c->from : c->to;
      if (col != NULL) {
        col[c->eq] = -cos(angle);
        col[c->eq + 1] = -sin(angle);
      }
    }
  }
}

/* ---- the solution ---- */

static void read_solution(pw_strike *s) {
  pw_strike_room *r = s->x->c->room.strike;
  int n = s->x->c->sys->nv;

  /* before any impulse */
  for (int step = 0; step < s->n_phase; step++) {
    memcpy(r->after + (size_t)step * (size_t)n, s->from, (size_t)n * sizeof(double));
  }
  for (int i = 0; i < r->n_cell; i++) {
    pw_verify_cell *c = &r->cell[i];
    c->push = c->more = 0;
    memset(c->side, 0, sizeof c->side);
  }

  /* impulses of columns, with their friction */
  for (int j = 0; j < r->lp.k; j++) {
    int at = r->owner[j], place = 0;
    if (at < 0 || r->lp.x[j] == 0) {
      continue;
    }
    pw_verify_cell *c = &r->cell[at];
    c->push += r->lp.x[j];
    for (int step = c->step; step < s->n_phase; step++) {
      pw_axpy(r->lp.x[j], vector_of(s, j), r->after + (size_t)step * (size_t)n, n);
    }
    for (int i = at + 1; c->kind == PW_CELL_NORMAL && i < r->n_cell; i++) {
      pw_verify_cell *f = &r->cell[i];
      bool slips = f->contact == at && (f->kind == PW_CELL_LINE || pw_cell_is_plane(f));
      int wide = slips ? pw_cell_width(f) : 0;
      for (int d = 0; d < wide; d++) {
        f->side[d] += r->lp.x[j] * sides_of(s, j)[place++];
      }
    }
  }

  /* rates after each phase */
  for (int i = 0; i < r->n_cell; i++) {
    pw_verify_cell *c = &r->cell[i];
    const double *w = r->after + (size_t)c->step * (size_t)n;
    for (int k = 0; k < pw_cell_width(c); k++) {
      c->rate[k] = c->base[k] + rate_at(s, w, c->row + k) - rate_at(s, s->from, c->row + k);
    }
    int squeezed = c->couple >= 0 ? contact_cell(s, c->row, c->step - 1) : -1;
    c->more = c->push - (squeezed < 0 ? 0 : c->e * r->cell[squeezed].push);
  }
}

void pw_strike_pose(pw_strike *s) {
  pw_strike_room *r = s->x->c->room.strike;
  int n = s->x->c->sys->nv, rows = number_conditions(s);
  r->lp.n = rows;
  r->fits = r->fits && rows <= r->most_rows;
  pw_reach_begin(&r->lp);

  /* a column for each impulse */
  for (int i = 0; i < r->n_cell && r->fits; i++) {
    const pw_verify_cell *c = &r->cell[i];
    bool idle = c->kind == PW_CELL_ROUGH && !is_coupled(s, c->step) &&
                r->cell[c->contact].mode == PW_MODE_OPEN;
    bool off = c->kind == PW_CELL_ROUGH && (c->mode == PW_MODE_OPEN || idle);
    if (c->kind == PW_CELL_NORMAL) {
      add_contact(s, i);
    } else if (c->kind == PW_CELL_EQUAL || (c->kind == PW_CELL_ROUGH && !off)) {
      add_free(s, i, -INFINITY, INFINITY);
    }
  }

  /* impulses of laws that rest */
  if (r->fits && s->to != NULL) {
    int first = r->lp.k;
    pw_jump_add_rests(s->x, &r->lp);
    for (int j = first; j < r->lp.k; j++) {
      r->owner[j] = -1;
    }
  }

  /* velocities after, if known, and the conditions on rates */
  memset(r->wanted, 0, (size_t)r->most_rows * sizeof *r->wanted);
  for (int k = 0; s->to != NULL && k < n; k++) {
    r->wanted[k] = s->to[k] - s->from[k];
  }
  for (int i = 0; i < r->n_cell && r->fits; i++) {
    const pw_verify_cell *c = &r->cell[i];
    add_slacks(s, c);
    for (int k = 0; c->eq >= 0 && k < pw_cell_width(c); k++) {
      r->wanted[c->eq + k] = -c->base[k] / c->unit;
    }
  }

  if (r->fits) {
    pw_reach_solve(&r->lp, r->wanted);
    read_solution(s);
  }
}
