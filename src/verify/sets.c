// SPDX-License-Identifier: MIT
#include "verify/sets.h"

#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_verify.h"
#include "linalg/dense.h"
#include "system/moved.h"

enum { MOST_EDGES = 8, DISK_EDGES = 24, LOAD_PASSES = 60 };

int pw_set_columns(const pw_system *sys) {
  return sys->nr * 4 + sys->ni * DISK_EDGES + 8;
}

static int law_of(const pw_probe *p, int row) {
  return row - p->sys->nc;
}

static bool does_stay(const pw_probe *p, int row, const pw_set_scale *zero) {
  return zero->stays != NULL && law_of(p, row) >= 0 && zero->stays[law_of(p, row)];
}

static const pw_clauses *pair_of(const pw_probe *p, int row) {
  return &p->sys->model->rows.items[p->sys->row_of[row]].clause;
}

/* A stored motion says on which side of its kink a law is. Of the pieces of a maximum it does not
 * say which one the rounded positions put on top. */
static bool has_mode(const pw_probe *p, int row, const pw_set_scale *zero) {
  return zero->mode != NULL && law_of(p, row) >= 0 &&
         zero->mode[law_of(p, row)] != PW_SIDE_UNKNOWN && pair_of(p, row)->several < 0;
}

/* +1, 0, -1: side of the kink by the measure, its rate, its acceleration, up to the level. */
static int side_of(const pw_probe *p, int row, pw_set_level level, const pw_set_scale *zero,
                   const double *a) {
  double size = p->length[row], s = p->value[row];
  bool velocity = p->sys->row[row].on_velocity;
  if (velocity && level == PW_SET_POSITION) {
    return 0;
  }
  if (has_mode(p, row, zero)) {
    return zero->mode[law_of(p, row)];
  }
  double tiny = (velocity ? zero->velocity : zero->position) * size;
  if (fabs(s) > tiny) {
    return s > 0 ? 1 : -1;
  }
  if (!velocity && level == PW_SET_POSITION) {
    return 0;
  }
  if (!velocity && fabs(p->rate[row]) > zero->velocity * size) {
    return (p->rate[row] > 0) != zero->before ? 1 : -1; /* s(t - dt) = s - s' dt */
  }
  /* of a stored motion a rate is known up to the error of its polynomial, and may have any sign */
  bool creeps = !velocity && zero->mode != NULL && fabs(p->rate[row]) > zero->at_rest * size;
  if (level != PW_SET_ACCELERATION || creeps || does_stay(p, row, zero)) {
    return 0;
  }
  double y = p->zeta[row];
  const double *J = p->J + (size_t)row * (size_t)p->sys->nv;
  y += pw_dot(J, a, p->sys->nv);
  y = zero->before && velocity ? -y : y;
  return fabs(y) <= zero->acceleration * size ? 0 : y > 0 ? 1 : -1;
}

/* Its measure counts as zero, but may be on either side of it: then a rate does not tell the side.
 * The force of a viscous law is continuous there; of two pieces of a maximum either may be the one
 * that the rounded positions put on top. */
static bool is_unsure(const pw_probe *p, int row, const pw_set_scale *zero) {
  if (has_mode(p, row, zero)) {
    return false;
  }
  bool velocity = p->sys->row[row].on_velocity;
  double measure = fabs(p->value[row]), size = p->length[row];
  bool either = p->sys->row[row].kind == PW_KIND_VISCOUS || pair_of(p, row)->several >= 0;
  double sure = either ? -1 : velocity ? zero->at_rest : zero->at_place;
  return measure > sure * size && measure <= (velocity ? zero->velocity : zero->position) * size;
}

static bool is_rough(const pw_probe *p, int row) {
  return pw_law_is_rough(&p->sys->row[row]);
}

pw_law_set pw_set_of_row(const pw_probe *p, int row, pw_set_level level, const pw_set_scale *zero,
                         const double *a) {
  if (law_of(p, row) < 0) {
    return pw_law_line();
  }
  pw_law_row law = pw_probe_forces(p, row);
  bool stored = level != PW_SET_POSITION && has_mode(p, row, zero);
  pw_law_sight seen = {.side =
                           stored ? zero->mode[law_of(p, row)] : side_of(p, row, level, zero, a),
                       .unsure = !stored && is_unsure(p, row, zero),
                       .is_state = pw_row_state(p->sys, row) >= 0};
  return pw_law_set_seen(&law, seen, (pw_law_hold){.pushes = p->sense[row] >= 0});
}

bool pw_set_is_closed(const pw_probe *p, int row, pw_set_level level, const pw_set_scale *zero,
                      const double *a) {
  pw_law_set x = pw_set_of_row(p, row, level, zero, a);
  return x.hi > 0 || x.lo < 0;
}

/* ---- slips of several components: disk or ball of radius F, or F per normal force ---- */

static bool is_plane(const pw_probe *p, int row) {
  int i = law_of(p, row);
  return i >= 0 && p->sys->law[i].group >= 0;
}

/* The direction of the slip (of its rate, at the last level), or false where there is none. It is
 * known less well than the size of the slip; that of a slip which has just begun is not yet that of
 * its rate. */
static bool heading(const pw_probe *p, int row, pw_set_level level, const pw_set_scale *zero,
                    const double *a, double *d) {
  int n = p->sys->nv, m = p->sys->row[row].width;
  double size = pw_norm_inf(p->length + row, m), slow = PW_SCALE(CERT_DIRECTION);
  if (level == PW_SET_POSITION || (has_mode(p, row, zero) && zero->mode[law_of(p, row)] == 0)) {
    return false;
  }
  memcpy(d, p->value + row, (size_t)m * sizeof *d);
  double speed = pw_length(d, m);
  if (speed <= zero->velocity * size / slow && level == PW_SET_ACCELERATION) {
    for (int k = 0; k < m; k++) {
      const double *J = p->J + (size_t)(row + k) * (size_t)n;
      d[k] = does_stay(p, row + k, zero) ? 0 : pw_dot(J, a, n) + p->zeta[row + k];
    }
    speed = pw_length(d, m);
    if (speed <= zero->acceleration * size) {
      return false;
    }
    speed = zero->before ? -speed : speed;
  } else if (speed <= slow * zero->velocity * size) {
    return false;
  }
  for (int k = 0; k < m; k++) {
    d[k] /= speed;
  }
  return true;
}

/* ---- columns ---- */

typedef struct builder {
  const pw_probe *p;
  pw_set_level level;
  const pw_set_scale *zero;
  const double *a;
  pw_reach *reach;
  double *c; /* the target; behind it one for each maximum */
  int sense; /* frictions on one equality are in the cone of its force with this sign; 0: each has
                its own bounds */
} builder;

static const double *push(const builder *b, int row) {
  return b->p->A + (size_t)row * (size_t)b->p->sys->nv;
}

static void fill(const builder *b, const double *from, double *col) {
  size_t n = (size_t)b->p->sys->nv;
  memcpy(col, from, n * sizeof *col);
  memset(col + n, 0, ((size_t)b->reach->n - n) * sizeof *col);
}

static void add_column(const builder *b, int row, double lo, double hi) {
  if (lo == hi) {
    if (lo != 0) {
      pw_moved_axpy(b->p->sys, row, -lo, push(b, row), b->c);
    }
    return;
  }
  double *col = pw_reach_add(b->reach, lo, hi);
  if (col != NULL) {
    fill(b, push(b, row), col);
  }
}

static double *add_edge(const builder *b, const double *normal) {
  double *col = pw_reach_add(b->reach, 0, INFINITY);
  if (col != NULL) {
    fill(b, normal, col);
  }
  return col;
}

/* Edges of the cone over a disk or ball along its axes, and the one towards the force that is asked
 * for: where one contact makes it alone, as it slides or sticks, no further edge is needed. */
static void add_disk_edges(const builder *b, int disk, const double *tilted) {
  const pw_probe *p = b->p;
  int n = p->sys->nv, m = p->sys->row[disk].width;
  double F = pw_probe_bound(p, disk, true), asked[PW_LAW_MOST];
  for (int k = 0; k < m; k++) {
    double size = p->reach[disk + k];
    asked[k] = size > 0 ? pw_dot(push(b, disk + k), b->c, n) / (size * size) : 0;
  }
  double whole = pw_length(asked, m);
  for (int k = 0; k < 2 * m + (whole > 0); k++) {
    double *edge = add_edge(b, tilted);
    for (int j = 0; j < m && edge != NULL; j++) {
      double axis = k / 2 == j ? 1 - 2 * (k % 2) : 0;
      pw_axpy(F * (k < 2 * m ? axis : asked[j] / whole), push(b, disk + j), edge, n);
    }
  }
}

/* Of the set of a law on a contact the point that lies farthest along `way`, times its row, onto
 * the edge. */
static void add_support(const builder *b, int row, const double *way, double *edge) {
  const pw_probe *p = b->p;
  int n = p->sys->nv, m = p->sys->row[row].width;
  double d[PW_LAW_MOST], w[PW_LAW_MOST];
  if (!is_plane(p, row)) {
    pw_law_set per = pw_set_of_row(p, row, b->level, b->zero, b->a);
    double end = pw_dot(push(b, row), way, n) > 0 ? per.hi : per.lo;
    pw_axpy(isfinite(end) ? end : 0, push(b, row), edge, n);
    return;
  }
  if (p->sys->law[law_of(p, row)].group != law_of(p, row)) {
    return; /* the first component stands for all */
  }
  bool slides = heading(p, row, b->level, b->zero, b->a, d);
  double F = pw_probe_bound(p, row, !slides);
  for (int k = 0; k < m; k++) {
    w[k] = slides ? -d[k] : pw_dot(push(b, row + k), way, n);
  }
  double size = slides ? 1 : pw_length(w, m);
  for (int k = 0; k < m && size > 0; k++) {
    pw_axpy(F * w[k] / size, push(b, row + k), edge, n);
  }
}

/* The edge of the cone of a contact, with all frictions on it, that leads farthest along `way`: n
 * and the support of each of their sets. */
static void find_edge(const builder *b, int contact, const double *way, double *edge) {
  const pw_system *s = b->p->sys;
  memcpy(edge, push(b, contact), (size_t)s->nv * sizeof *edge);
  for (int i = s->pattern.rider[contact - s->nc]; i >= 0; i = s->pattern.next_rider[i]) {
    add_support(b, s->nc + i, way, edge);
  }
}

/* Frictions along lines that stick double the edges of a cone from `first` on. */
static void double_edges(const builder *b, int law, int first) {
  const pw_system *s = b->p->sys;
  for (int i = s->pattern.rider[law]; i >= 0; i = s->pattern.next_rider[i]) {
    int row = s->nc + i, last = b->reach->k;
    if (is_plane(b->p, row)) {
      continue;
    }
    pw_law_set per = pw_set_of_row(b->p, row, b->level, b->zero, b->a);
    for (int k = first; per.lo < per.hi && k < last && last - first <= MOST_EDGES; k++) {
      double *copy = add_edge(b, b->reach->A + (size_t)k * (size_t)b->reach->n);
      if (copy != NULL) {
        pw_axpy(per.hi, push(b, row), copy, s->nv);
        pw_axpy(per.lo, push(b, row), b->reach->A + (size_t)k * (size_t)b->reach->n, s->nv);
      }
    }
  }
}

/* Edges of the cone of a contact: every friction on it at either end of its interval. `tilted` is
 * the column with what slides; frictions that stick double the edges. */
static void add_cone(const builder *b, int contact, double *tilted) {
  const pw_system *s = b->p->sys;
  int n = s->nv, first = b->reach->k, disk = -1, law = contact - s->nc, riders = 0;
  memcpy(tilted, push(b, contact), (size_t)n * sizeof *tilted);

  /* slips along a line that have one force tilt the normal */
  for (int i = s->pattern.rider[law]; i >= 0; i = s->pattern.next_rider[i]) {
    int row = s->nc + i;
    if (is_plane(b->p, row)) {
      continue;
    }
    pw_law_set per = pw_set_of_row(b->p, row, b->level, b->zero, b->a);
    if (per.lo == per.hi) {
      pw_moved_axpy(s, row, per.lo, push(b, row), tilted);
    }
  }

  /* so do slips in the plane with a direction; one without has its disk */
  for (int i = s->pattern.rider[law]; i >= 0; i = s->pattern.next_rider[i]) {
    double d[PW_LAW_MOST];
    int row = s->nc + i;
    riders += s->law[i].group < 0 || s->law[i].group == i;
    if (s->law[i].group == i) {
      if (heading(b->p, row, b->level, b->zero, b->a, d)) {
        for (int k = 0; k < s->law[i].width; k++) {
          pw_axpy(-pw_probe_bound(b->p, row, false) * d[k], push(b, row + k), tilted, n);
        }
      } else {
        disk = row;
      }
    }
  }

  if (add_edge(b, tilted) == NULL) {
    return;
  }

  double_edges(b, law, first);
  if (disk >= 0) {
    add_disk_edges(b, disk, tilted);
  }
  if (disk >= 0 && riders > 1) { /* with all of them towards what is asked for */
    find_edge(b, contact, b->c, tilted);
    (void)add_edge(b, tilted);
  }
}

static bool has_friction(const pw_probe *p, int contact) {
  return p->sys->pattern.rider[contact - p->sys->nc] >= 0;
}

/* Friction of several components without a contact: known where it slides; where it sticks, the
 * disk or ball. */
static void add_slips(const builder *b, int row) {
  double d[PW_LAW_MOST];
  int n = b->p->sys->row[row].width, before = b->reach->k;
  bool slides = heading(b->p, row, b->level, b->zero, b->a, d);
  double F = pw_probe_bound(b->p, row, !slides);
  for (int k = 0; k < n; k++) {
    add_column(b, row + k, slides ? -F * d[k] : -F, slides ? -F * d[k] : F);
  }
  if (!slides && b->reach->k == before + n) {
    pw_reach_join(b->reach, n);
  }
}

/* The one equality whose force bounds a friction; -1: none, or several. */
static int load_of(const pw_probe *p, int row) {
  const pw_clauses *c = &p->sys->model->rows.items[p->sys->row_of[row]].clause;
  return c->n_load == 1 ? p->sys->index_of[c->loads[0]] : -1;
}

/* Edges of the cone of an equality with frictions on it, for one sign of its force: those that
 * slide tilt it, and one that sticks has two ends. Forces that bound are one here. False: nothing
 * is on it. */
static bool add_loaded(const builder *b, int equality, double *tilted) {
  const pw_system *s = b->p->sys;
  int stick = -1, n = 0;
  double lo = 0, hi = 0;
  memset(tilted, 0, (size_t)s->nv * sizeof *tilted);
  pw_axpy(b->sense, push(b, equality), tilted, s->nv);
  for (int row = s->nc; row < s->nr; row++) {
    if (load_of(b->p, row) != equality) {
      continue;
    }
    pw_law_set per = pw_set_of_row(b->p, row, b->level, b->zero, b->a);
    n++;
    if (per.lo == per.hi) {
      pw_moved_axpy(s, row, per.lo, push(b, row), tilted);
    } else {
      stick = row;
      lo = per.lo;
      hi = per.hi;
    }
  }
  if (n > 0 && stick >= 0) {
    pw_axpy(hi, push(b, stick), tilted, s->nv);
    (void)add_edge(b, tilted);
    pw_axpy(lo - hi, push(b, stick), tilted, s->nv);
  }
  return n > 0 && add_edge(b, tilted) != NULL;
}

static void add_row(const builder *b, int row, double *scratch) {
  const pw_probe *p = b->p;
  int i = law_of(p, row);
  if (b->sense != 0 && (i < 0 ? add_loaded(b, row, scratch) : load_of(p, row) >= 0)) {
    return;
  }
  if (i >= 0 && b->zero->taken != NULL && b->zero->taken[i]) {
    return;
  }
  int contact = pw_row_contact(p->sys, row);
  if (contact >= 0) { /* friction belongs to the cone of its contact */
    if (is_rough(p, row) && pw_set_is_closed(p, contact, b->level, b->zero, b->a)) {
      add_column(b, row, -INFINITY, INFINITY);
    }
    return;
  }
  if (is_plane(p, row)) {
    if (p->sys->law[i].group == i) {
      add_slips(b, row);
    }
    return;
  }
  const double *carried = b->zero->carried;
  int state = carried == NULL ? -1 : pw_row_state(p->sys, row);
  if (state >= 0 && !isnan(carried[state])) {
    add_column(b, row, -carried[state], -carried[state]);
    return;
  }
  pw_law_set x = pw_set_of_row(p, row, b->level, b->zero, b->a);
  if (i >= 0 && x.hi > 0 && p->sys->law[i].wall && has_friction(p, row)) {
    add_cone(b, row, scratch);
  } else {
    add_column(b, row, x.lo, x.hi);
  }
}

/* ---- maxima of three and more pieces ---- */

bool pw_set_is_tied(const pw_probe *p, int row, pw_set_level level, const pw_set_scale *zero,
                    const double *a) {
  return row >= p->sys->nc && pair_of(p, row)->several >= 0 &&
         (side_of(p, row, level, zero, a) == 0 || is_unsure(p, row, zero));
}

/* Number of a maximum; of all of them for -1. */
static int number_of(const pw_system *s, int several) {
  int n = 0;
  for (int i = s->nc; i < s->nr; i++) {
    int row = s->row_of[i];
    n += s->model->rows.items[row].clause.several == row && (several < 0 || row < several);
  }
  return n;
}

int pw_set_maxima(const pw_system *sys) {
  return number_of(sys, -1);
}

/* Pairs with the piece on top that are tied. */
static int count_ties(const builder *b, int several) {
  int n = 0;
  for (int i = b->p->sys->nc; i < b->p->sys->nr; i++) {
    pw_law_row law = pw_probe_law(b->p, i);
    n += pair_of(b->p, i)->several == several && law.left < law.right &&
         pw_set_is_tied(b->p, i, b->level, b->zero, b->a);
  }
  return n;
}

/* potentials (P14): the weights of a maximum and that of its top, which has no force, have the sum
 * of its slope; in a coordinate of its own, as long as the forces. */
static void add_weight(const builder *b, int row, int before) {
  int n = b->p->sys->nv, several = pair_of(b->p, row)->several;
  if (several < 0 || b->reach->k == before || !(b->reach->lo[before] < b->reach->hi[before])) {
    return;
  }
  double slope = b->reach->hi[before] - b->reach->lo[before], unit = b->p->reach[row];
  int at = n + number_of(b->p->sys, several);
  bool first = b->c[at] == 0;
  if (count_ties(b, several) < 2) {
    return;
  }
  double *col = b->reach->A + (size_t)before * (size_t)b->reach->n;
  double *top = first ? pw_reach_add(b->reach, 0, slope) : NULL;
  if (top != NULL) {
    memset(top, 0, (size_t)b->reach->n * sizeof *top);
    top[at] = unit;
    b->c[at] = unit * slope;
  }
  double whole = b->c[at] / slope;
  col[at] = b->reach->hi[before] > 0 ? whole : -whole;
}

/* Whether the edges of add_cone may not be all: those of one or two frictions along lines are. */
static bool has_round_cone(const pw_system *s, int law) {
  int count = 0;
  bool round = false;
  for (int i = s->pattern.rider[law]; i >= 0; i = s->pattern.next_rider[i]) {
    round = round || s->law[i].group >= 0;
    count++;
  }
  return round || count > 2;
}

/* An edge for each contact along which the rest could be shortened. False: there is none. */
static bool add_missing_edge(const builder *b, double tiny) {
  const pw_system *s = b->p->sys;
  int n = s->nv;
  double *edge = b->c + b->reach->n;
  bool added = false;
  for (int law = 0; law < s->ni; law++) {
    int contact = s->nc + law;
    if (!has_round_cone(s, law) || !pw_set_is_closed(b->p, contact, b->level, b->zero, b->a)) {
      continue;
    }
    find_edge(b, contact, b->reach->rest, edge);
    bool helps = pw_dot(edge, b->reach->rest, n) > tiny * pw_norm2(push(b, contact), n);
    added = (helps && add_edge(b, edge) != NULL) || added;
  }
  return added;
}

/* All rows, then b->c against them. */
static void solve(const builder *b) {
  int n = b->p->sys->nv;
  for (int row = 0; row < b->p->sys->nr; row++) {
    int before = b->reach->k;
    add_row(b, row, b->c + b->reach->n);
    if (b->reach->n > n && row >= b->p->sys->nc) {
      add_weight(b, row, before);
    }
  }
  double tiny = b->reach->k > 0 ? PW_SCALE(CERT_DUAL) * pw_norm2(b->c, n) : 0;
  pw_reach_solve(b->reach, b->c);
  int known = b->reach->k;
  for (int k = 0; known > 0 && k < DISK_EDGES && add_missing_edge(b, tiny); k++) {
    pw_reach_resume(b->reach, b->c, known);
    known = b->reach->k;
  }
}

static void begin(const builder *b, const pw_system *s) {
  int more = pw_set_maxima(s);
  pw_reach_begin_with(b->reach, s->nv + more);
  memset(b->c + s->nv, 0, (size_t)more * sizeof *b->c);
}

/* All columns from the start. */
static void solve_anew(builder *b) {
  const pw_probe *p = b->p;
  begin(b, p->sys);
  pw_probe_lift(p, b->a, b->c); /* c = L^T a - L^-1 h */
  pw_axpy(-1, p->h, b->c, p->sys->nv);
  solve(b);
}

/* A friction that sticks on one equality, and none on several. */
static bool has_cones(const builder *b) {
  const pw_probe *p = b->p;
  bool sticks = false;
  for (int row = p->sys->nc; row < p->sys->nr; row++) {
    if (p->sys->row[row].loaded && load_of(p, row) < 0) {
      return false;
    }
    if (p->sys->row[row].loaded) {
      pw_law_set x = pw_set_of_row(p, row, b->level, b->zero, b->a);
      sticks = sticks || pw_set_is_closed(p, row, b->level, b->zero, b->a) || x.lo != x.hi;
    }
  }
  return sticks;
}

/* Forces that bound, by what is stored in p->lambda (nr); with all of them `sense`, if it is not
 * zero. */
static void put_loads(pw_probe *p, const double *lambda, int sense) {
  for (int k = 0; k < p->sys->load.n; k++) {
    int row = p->sys->load.row[k];
    p->lambda[row] = sense != 0 ? sense : lambda[row];
  }
  (void)pw_probe_take_loads(p, p->lambda);
}

/* Where other constraints share the load with an equality, the forces found need not be those that
 * let a friction stick: any in its two cones |f| <= mu |lambda| do. */
static void try_cones(builder *b, pw_probe *p) {
  double least = pw_norm2(b->reach->rest, p->sys->nv), *found = p->lambda + p->sys->nr;
  memcpy(found, b->reach->x, (size_t)p->sys->nc * sizeof *found);
  for (b->sense = 1; b->sense >= -1; b->sense -= 2) {
    put_loads(p, NULL, b->sense);
    solve_anew(b);
    if (pw_norm2(b->reach->rest, p->sys->nv) < least) {
      break;
    }
  }
  bool better = b->sense >= -1;
  b->sense = 0;
  put_loads(p, found, 0);
  if (!better) {
    solve_anew(b);
  }
}

/* The columns of the equalities stand first, so that their coefficients are the multipliers. */
void pw_set_distance(pw_probe *p, pw_set_level level, const pw_set_scale *zero, const double *a,
                     pw_reach *reach, double *scratch) {
  int pass = 0;
  builder b = {p, level, zero, a, reach, scratch, 0};
  do {
    solve_anew(&b);
  } while (p->sys->load.n > 0 && pw_probe_take_loads(p, reach->x) && ++pass < LOAD_PASSES);
  bool left = pw_norm2(reach->rest, p->sys->nv) > PW_SCALE(CERT_DUAL) * pw_norm2(b.c, p->sys->nv);
  if (p->sys->load.n > 0 && left && has_cones(&b)) {
    try_cones(&b, p);
  }
}

void pw_set_fit(const pw_probe *p, const pw_set_scale *zero, const double *rest,
                const double *extra, int n_extra, pw_reach *reach, double *scratch) {
  size_t n = (size_t)p->sys->nv;
  builder b = {p, PW_SET_VELOCITY, zero, NULL, reach, scratch, 0};
  begin(&b, p->sys);
  for (int k = 0; k < n_extra; k++) {
    double *col = pw_reach_add(reach, -INFINITY, INFINITY);
    if (col != NULL) {
      fill(&b, extra + (size_t)k * n, col);
    }
  }
  memcpy(b.c, rest, n * sizeof *rest);
  solve(&b);
}
