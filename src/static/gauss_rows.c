// SPDX-License-Identifier: MIT
/* Where each law stands at the instant, and the forces it can have there. */
#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "linalg/dense.h"
#include "mech/handle.h"
#include "static/gauss.h"

/* Parts of the motion's own speed and duration that count as zero. */
static const double part = 1e-10, drift = 1e-12;

static const pw_row *stated(const pawl_gauss *g, int row) {
  return &g->sys->model->rows.items[g->sys->row_of[row]];
}

static int sign_of(double x, double tiny) {
  return x > tiny ? 1 : x < -tiny ? -1 : 0;
}

static double rate_room(const pawl_gauss *g, int row) {
  double pull = pw_norm2(g->f.c_force, g->f.n);
  return g->f.length[row] * (part * g->speed + drift * pull * g->span);
}

static double value_room(const pawl_gauss *g, int row) {
  double pull = pw_norm2(g->f.c_force, g->f.n);
  double way = g->span * (g->speed + pull * g->span);
  return part * g->f.terms[row] + drift * g->f.length[row] * way;
}

static void describe(pawl_gauss *g, int i, const double *graph, const double *limit) {
  const pw_system *s = g->sys;
  pw_static_row *r = &g->row[i];
  const pw_row *row = stated(g, i);
  int law = i - s->nc;
  *r = (pw_static_row){
      .equality = law < 0, .velocity = row->on_velocity, .on = -1, .limit = -1, .plane = -1};
  if (r->equality) {
    r->lo = -INFINITY;
    r->hi = INFINITY;
    r->zero = r->at_kink = true;
    return;
  }
  double rate_zero = rate_room(g, i), value_zero = value_room(g, i);
  r->rough = row->kind == PW_KIND_ROUGH;
  r->coulomb = s->law[law].on >= 0;
  r->wall = s->law[law].wall && !r->rough;
  r->rate_sign = sign_of(g->f.rate[i], rate_zero);
  r->value_sign =
      sign_of(g->f.value[i], r->velocity ? rate_zero + part * g->f.terms[i] : value_zero);
  r->zero = r->value_sign == 0;
  r->at_kink = r->zero && (r->velocity || r->rate_sign == 0);
  r->on = r->rough ? s->index_of[row->clause.on] : r->coulomb ? s->nc + s->law[law].on : -1;
  r->lo = r->rough ? -INFINITY : -graph[2 * law + 1];
  r->hi = r->wall || r->rough ? INFINITY : -graph[2 * law];
  if (r->at_kink && r->lo > r->hi && row->kind != PW_KIND_FRICTION) { /* equal but for rounding */
    r->lo = r->hi = (r->lo + r->hi) / 2;
  }
  r->limit = limit[law] > fmax(fabs(r->lo), fabs(r->hi)) ? limit[law] : -1;
  r->plane = s->law[law].group >= 0 ? s->nc + s->law[law].group : -1;
  r->rest_lo = r->lo;
  r->rest_hi = r->hi;
}

/* Slips in a plane: both rows rest or slide together. graph holds the radius left of the kink. */
static void describe_plane(pawl_gauss *g, int i, const double *graph, const double *limit) {
  pw_static_row *r = &g->row[i];
  const double *s = g->f.value + i;
  int law = i - g->sys->nc;
  bool rests = r[0].zero && r[1].zero;
  double radius = -graph[2 * law], size = hypot(s[0], s[1]);
  for (int k = 0; k < 2; k++) {
    r[k].zero = r[k].at_kink = rests;
    r[k].value_sign = rests ? 0 : 1;
    r[k].rate_sign = r[k].value_sign;
    r[k].lo = rests ? -radius : -radius * s[k] / size;
    r[k].hi = rests ? radius : r[k].lo;
    r[k].rest_lo = -radius;
    r[k].rest_hi = radius;
    r[k].limit = limit[law] > radius ? limit[law] : -1;
  }
}

double pw_static_side_force(const pw_static_row *r, int sign) {
  return sign < 0 ? r->hi : r->lo;
}

int pw_static_side_of(const pw_static_row *r, pawl_when when) {
  int turn = r->zero && !r->velocity ? (when == PAWL_LEFT ? -1 : 1) * r->rate_sign : r->value_sign;
  return turn < 0 && !r->wall ? -1 : 1;
}

/* u: the velocity nearest to that of the motion at which both rows do not slip. */
static bool hold_plane(const pawl_gauss *g, int i, double *u) {
  int n = g->f.n;
  const double *a = pw_static_column(g, i), *b = pw_static_column(g, i + 1), *len = g->f.length;
  double ab = pw_dot(a, b, n), det = 1 - ab * ab;
  if (!(len[i] > 0) || !(len[i + 1] > 0) || !(det > 1e-12)) {
    return false;
  }
  double sa = g->f.value[i] / len[i], sb = g->f.value[i + 1] / len[i + 1];
  double x = (sa - ab * sb) / det, y = (sb - ab * sa) / det;
  for (int k = 0; k < n; k++) {
    u[k] = x * a[k] + y * b[k];
  }
  pw_frame_back(&g->f, u);
  for (int k = 0; k < n; k++) {
    u[k] = g->u[k] - u[k];
  }
  return true;
}

static void radius_at_rest(pawl_gauss *g, int i, double *u, double *graph) {
  pw_static_row *r = &g->row[i];
  if (r->zero || !hold_plane(g, i, u)) {
    return;
  }
  pw_mech_graphs(g->mech, g->t, g->q, u, g->side, graph, NULL);
  double radius = -graph[2 * (i - g->sys->nc)], now = hypot(r[0].lo, r[1].lo);
  for (int k = 0; k < 2; k++) {
    r[k].rest_hi = isnan(radius) ? now : fmax(radius, now);
    r[k].rest_lo = -r[k].rest_hi;
  }
}

/* A velocity law that slips: its forces at the velocity nearest to u, in the metric of M, at which
 * it does not (for a bound that depends on the slip another set than here). */
static void forces_at_rest(pawl_gauss *g, int i, double *u, double *graph) {
  pw_static_row *r = &g->row[i];
  if (r->plane >= 0) {
    if (r->plane == i) {
      radius_at_rest(g, i, u, graph);
    }
    return;
  }
  if (!r->velocity || r->zero || r->wall || r->rough || !(g->f.length[i] > 0)) {
    return;
  }
  memcpy(u, pw_static_column(g, i), (size_t)g->f.n * sizeof *u);
  pw_frame_back(&g->f, u);
  for (int k = 0; k < g->f.n; k++) {
    u[k] = g->u[k] - u[k] * g->f.rate[i] / g->f.length[i];
  }
  pw_mech_graphs(g->mech, g->t, g->q, u, g->side, graph, NULL);
  double lo = -graph[2 * (i - g->sys->nc) + 1], hi = -graph[2 * (i - g->sys->nc)];
  r->rest_lo = isnan(lo) ? r->lo : fmin(lo, fmin(r->lo, r->hi));
  r->rest_hi = isnan(hi) ? r->hi : fmax(hi, fmax(r->lo, r->hi));
}

static bool report_violation(const pawl_gauss *g, int i, pawl_diags *diags) {
  const pw_row *row = stated(g, i);
  pw_buf text = {0};
  pw_buf_real(&text, g->f.value[i]);
  pw_diag_ref ref = pw_error(diags, "E0701", row->rel_span,
                             "the state violates `%s`, so that no forces can be found", row->name);
  pw_label(ref, "its value is %s", text.text == NULL ? "negative" : text.text);
  pw_help(ref, "give a state where it is zero or more");
  pw_buf_free(&text);
  return false;
}

/* Friction, per normal force or not, has a bound of 0 or more. */
static bool resists(const pawl_gauss *g, int i) {
  const pw_static_row *r = &g->row[i];
  if (r->plane >= 0) {
    return r->rest_hi >= 0 || r->limit > 0;
  }
  return stated(g, i)->kind != PW_KIND_FRICTION || r->limit > 0 ||
         (r->at_kink          ? r->lo <= r->hi
          : r->value_sign > 0 ? r->lo <= 0
                              : r->hi >= 0);
}

static bool report_bound(const pawl_gauss *g, int i, pawl_diags *diags) {
  const pw_row *row = stated(g, i);
  pw_diag_ref ref = pw_error(diags, "E0702", row->rel_span,
                             "the bound of `%s` is negative or no number at this state", row->name);
  pw_help(ref, "friction resists: give a bound or a coefficient that stays at 0 or above");
  return false;
}

/* Laws whose forces are not known from the state: servos and multipliers that are states and hold
 * on one side. */
static bool is_known(const pw_row *row) {
  bool state =
      pw_kind_imposed(row->kind) == PW_IMPOSED_STATE && row->stmt->u.law.rel.op != PW_REL_EQ;
  bool half =
      row->kind == PW_KIND_SERVO && (row->clause.one_way || row->stmt->u.law.rel.op != PW_REL_EQ);
  return !state && !half;
}

static bool check_known(const pawl_gauss *g, pawl_diags *diags) {
  const pw_model *m = g->sys->model;
  for (int i = 0; i < m->rows.n; i++) {
    if (!is_known(&m->rows.items[i])) {
      pw_error(diags, "E0901", m->rows.items[i].span,
               "the force sets of `%s` cannot be given by this version yet", m->rows.items[i].name);
      return false;
    }
  }
  return true;
}

/* c_0: what acts without any law. The frame holds the forces above the kinks. */
static void remove_laws(pawl_gauss *g) {
  const pw_system *s = g->sys;
  memcpy(g->c0, g->f.c_force, (size_t)g->f.n * sizeof *g->c0);
  for (int i = 0; i < s->ni; i++) {
    double x = pw_mech_side_force(g->mech, i) * g->f.length[s->nc + i];
    pw_axpy(-x, pw_static_column(g, s->nc + i), g->c0, g->f.n);
  }
}

bool pw_static_rows(pawl_gauss *g, pawl_diags *diags) {
  const pw_system *s = g->sys;
  double *graph = PW_TAKE(&g->arena, 2 * s->ni + 1, double);
  double *limit = PW_TAKE(&g->arena, s->ni + 1, double);
  double *u = PW_TAKE(&g->arena, s->nv + 1, double);
  bool ok = check_known(g, diags);
  remove_laws(g);
  pw_mech_graphs(g->mech, g->t, g->q, g->u, g->side, graph, limit);
  for (int i = 0; i < s->nr; i++) {
    describe(g, i, graph, limit);
  }
  for (int i = s->nc; i < s->nr; i++) {
    if (g->row[i].plane == i) {
      describe_plane(g, i, graph, limit);
    }
  }
  for (int i = 0; i < s->nr; i++) {
    bool violated = g->row[i].wall && g->row[i].value_sign < 0;
    ok = (!violated || report_violation(g, i, diags)) && ok;
    ok = (resists(g, i) || report_bound(g, i, diags)) && ok;
  }
  for (int i = s->nc; i < s->nr; i++) {
    forces_at_rest(g, i, u, graph);
  }
  return ok;
}
