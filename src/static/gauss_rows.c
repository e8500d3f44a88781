// SPDX-License-Identifier: MIT
/* The mode of each law at the instant, and the forces it can have there. */
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/buf.h"
#include "law/scale_mech.h"
#include "linalg/dense.h"
#include "mech/handle.h"
#include "static/gauss.h"
#include "system/view.h"

static const pw_row *stated(const pawl_gauss *g, int row) {
  return &g->sys->model->rows.items[g->sys->row_of[row]];
}

/* ---- signs and sets ---- */

/* Scales for zero from the speed and duration of the motion: the speed that the load adds in that
 * time, and the distance covered. */
static pw_law_room room_of(const pawl_gauss *g, int i) {
  pw_zero_parts parts = pw_zero_of_motion();
  double pull = pw_norm2(g->f.c_force, g->f.n), length = g->f.length[i];
  double way = g->span * (g->speed + pull * g->span);
  double rate = pw_zero_room(parts, length * g->speed, length * pull * g->span);

  double value = g->row[i].law.form->on_velocity ? rate + pw_zero_room(parts, g->f.terms[i], 0)
                                                 : pw_zero_room(parts, g->f.terms[i], length * way);
  return (pw_law_room){.value = value, .rate = rate};
}

/* Values and rates are in the frame. */
static pw_law_row numbers_of(const pawl_gauss *g, int i, const double *graph, const double *limit) {
  int law = i - g->sys->nc;
  if (law < 0) {
    return pw_law_row_of_equality(&g->sys->row[i], 0, 0);
  }
  pw_law_row row = pw_view_law(g->sys, (pw_law_view){.graph = graph}, law);
  row.value = g->f.value[i];
  row.rate = g->f.rate[i];
  row.limit = limit[law];
  pw_law_keep_larger_limit(&row);
  return row;
}

/* Data of a servo or of a multiplier that is a state: the sign of the force that raises the row,
 * and whether the multiplier is above zero. */
static pw_law_hold hold_of(const pawl_gauss *g, int i, bool *spent) {
  const pw_system *s = g->sys;
  pw_law_hold hold = {.pushes = g->mech->sense[i] > 0};
  *spent = false;
  for (int k = 0; k < s->n_state; k++) {
    if (s->state_row[k] == i) {
      double lambda = g->q[s->model->nq + k];
      hold.carries = lambda > 0;
      *spent = !s->row[i].equality && !(lambda > 0) && g->mech->sense[i] > 0; /* it would fall */
    }
  }
  return hold;
}

static void describe(pawl_gauss *g, int i, const double *graph, const double *limit) {
  const pw_system *s = g->sys;
  const pw_law_form *form = &s->row[i];
  pw_static_row *r = &g->row[i];

  *r = (pw_static_row){.law = numbers_of(g, i, graph, limit),
                       .on = form->contact < 0 ? -1 : s->nc + form->contact,
                       .plane = form->group < 0 ? -1 : s->nc + form->group};
  r->sign =
      form->equality ? (pw_law_sign){.at_kink = true} : pw_law_sign_of(&r->law, room_of(g, i));
  bool spent = false;
  r->hold = form->equality ? (pw_law_hold){.sticks = false} : hold_of(g, i, &spent);
  r->sense = form->equality || form->by < 0 ? 1 : g->mech->sense[i];
  r->set = spent ? pw_law_point(0) : pw_law_set_at_kink(&r->law, r->hold);
  r->rest = r->set;
  r->spent = spent;
}

/* Slips of several components: all rows rest or slide together. */
static void describe_plane(pw_static_row *r) {
  bool rests = true;
  for (int k = 0; k < r->law.form->width; k++) {
    PW_ASSERT(r[k].plane == r[0].plane);
    rests = rests && r[k].sign.value == 0;
  }
  int side = rests ? 0 : 1;
  for (int k = 0; k < r->law.form->width; k++) {
    r[k].sign = (pw_law_sign){.value = side, .rate = side, .at_kink = rests};
    r[k].law.limit = r[0].law.limit;
  }
}

double pw_static_beside(const pw_static_row *r, pawl_when when) {
  const pw_law_form *form = r->law.form;
  bool starts = r->sign.value == 0 && !form->on_velocity; /* the rate shows the side */
  int side = starts ? (when == PAWL_LEFT ? -1 : 1) * r->sign.rate : r->sign.value;
  return pw_law_force_beside(&r->law, pw_law_is_wall(form) ? 1 : side);
}

pw_law_set pw_static_extent(const pw_static_row *r, int i, bool sticks) {
  pw_law_hold hold = r->hold;
  hold.sticks = sticks;
  pw_law_set set = r->spent ? r->set : pw_law_set_at_kink(&r->law, hold);
  return pw_law_set_extent(&set, r->plane < 0 ? 0 : i - r->plane);
}

/* ---- forces at rest ---- */

bool pw_static_hold_plane(const pawl_gauss *g, int i, double *u) {
  int n = g->f.n, m = g->row[i].law.form->width;
  double a[PW_LAW_MOST][PW_LAW_MOST], value[PW_LAW_MOST]; /* by unit columns of the rows */
  for (int k = 0; k < m; k++) {
    if (!(g->f.length[i + k] > 0)) {
      return false;
    }
    value[k] = g->f.value[i + k] / g->f.length[i + k];
    for (int l = 0; l < m; l++) {
      a[k][l] = pw_dot(pw_static_column(g, i + k), pw_static_column(g, i + l), n);
    }
  }
  for (int k = 0; k < m; k++) { /* a x = value, by elimination */
    if (!(a[k][k] > PW_SCALE(PARALLEL))) {
      return false;
    }
    for (int r = 0; r < m; r++) {
      double part = a[r][k] / a[k][k];
      for (int l = k; l < m && r != k; l++) {
        a[r][l] -= part * a[k][l];
      }
      value[r] -= r == k ? 0 : part * value[k];
    }
  }
  pw_zero(u, n);
  for (int k = 0; k < m; k++) {
    pw_axpy(value[k] / a[k][k], pw_static_column(g, i + k), u, n);
  }
  pw_frame_back(&g->f, u);
  for (int k = 0; k < n; k++) {
    u[k] = g->u[k] - u[k];
  }
  return true;
}

/* The set of row i at the velocity u. */
static pw_law_set set_at(pawl_gauss *g, int i, const double *u, double *graph) {
  pw_mech_graphs(g->mech, g->t, g->q, u, g->side, graph, NULL);
  pw_law_row row = pw_view_law(g->sys, (pw_law_view){.graph = graph}, i - g->sys->nc);
  return pw_law_set_at_kink(&row, (pw_law_hold){.sticks = false});
}

/* At least the force that it has while it slides. */
static void disk_at_rest(pawl_gauss *g, int i, double *u, double *graph) {
  pw_static_row *r = &g->row[i];
  if (r->sign.value == 0 || !pw_static_hold_plane(g, i, u)) {
    return;
  }
  pw_law_set rest = set_at(g, i, u, graph);
  bool known = !pw_law_set_is_empty(&rest) && pw_law_set_is_number(&r->set) &&
               !pw_law_set_is_larger(&r->set, &rest);
  for (int k = 0; k < r->law.form->width; k++) {
    r[k].rest = known ? rest : r->set;
  }
}

/* A velocity law that slips: its forces at the velocity nearest to u, in the metric of M, at which
 * it does not (for a bound that depends on the slip another set than here), and the one it has. A
 * kink at another slip has the force of its side there. */
static void forces_at_rest(pawl_gauss *g, int i, double *u, double *graph) {
  pw_static_row *r = &g->row[i];
  if (r->plane >= 0) {
    if (r->plane == i) {
      disk_at_rest(g, i, u, graph);
    }
    return;
  }
  const pw_law_form *form = r->law.form;
  double at_rest = -form->unit * form->shift; /* value of the row where the law does not slip */
  bool rests = r->sign.value == 0 && at_rest == 0;
  if (!pw_law_is_slip(form) || rests || !(g->f.length[i] > 0)) {
    return;
  }

  memcpy(u, pw_static_column(g, i), (size_t)g->f.n * sizeof *u);
  pw_frame_back(&g->f, u);
  for (int k = 0; k < g->f.n; k++) {
    u[k] = g->u[k] - u[k] * (g->f.rate[i] - at_rest) / g->f.length[i];
  }
  pw_law_set rest = set_at(g, i, u, graph);
  if (at_rest != 0) {
    pw_law_row row = pw_view_law(g->sys, (pw_law_view){.graph = graph}, i - g->sys->nc);
    rest = pw_law_set_beside(&row, at_rest > 0 ? 1 : -1);
  }
  pw_law_set own =
      r->set; /* its force at the current slip; a value that is not a number adds nothing */
  if (r->sign.value != 0) {
    own = pw_law_set_beside(&r->law, r->sign.value);
  }
  r->rest = pw_law_set_hull(rest, own);
}

/* ---- laws without forces ---- */

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
  if (r->law.form->kind != PW_KIND_FRICTION || r->law.limit > 0) {
    return true;
  }
  if (r->plane >= 0 || r->sign.at_kink) {
    return !pw_law_set_is_empty(&r->set);
  }
  double force = pw_law_force_beside(&r->law, r->sign.value);
  return r->sign.value > 0 ? force <= 0 : force >= 0;
}

static bool report_bound(const pawl_gauss *g, int i, pawl_diags *diags) {
  const pw_row *row = stated(g, i);
  pw_diag_ref ref = pw_error(diags, "E0702", row->rel_span,
                             "the bound of `%s` is negative or no number at this state", row->name);
  pw_help(ref, "friction resists: give a bound or a coefficient that stays at 0 or above");
  return false;
}

static bool report_ridge(const pawl_gauss *g, int i, pawl_diags *diags) {
  const pw_row *row = stated(g, i);
  pw_diag_ref ref =
      pw_error(diags, "E0534", row->rel_span, "the state lies on a re-entrant kink of `%s`",
               row->stmt->u.energy.name.text);
  pw_label(ref, "its slope falls across the kink `%s`: no force is determined there", row->name);
  return false;
}

static bool report_corner(const pawl_gauss *g, int i, pawl_diags *diags) {
  const pw_row *row = stated(g, i);
  pw_diag_ref ref =
      pw_error(diags, "E0534", row->rel_span, "the state lies in a corner of `%s`", row->name);
  pw_label(ref, "the gradient of its gap jumps there: no normal is determined");
  pw_help(ref, "write a constraint for each of the smooth sides that meet there");
  return false;
}

/* c_0: the forces without any law. The frame holds the forces above the kinks. */
static void remove_laws(const pawl_gauss *g, double *c0) {
  const pw_system *s = g->sys;
  memcpy(c0, g->f.c_force, (size_t)g->f.n * sizeof *c0);
  for (int i = 0; i < s->ni; i++) {
    double x = pw_mech_side_force(g->mech, i) * g->f.length[s->nc + i];
    pw_axpy(-x, pw_static_column(g, s->nc + i), c0, g->f.n);
  }
}

bool pw_static_rows(pawl_gauss *g, pawl_diags *diags) {
  const pw_system *s = g->sys;
  double *graph = PW_TAKE(&g->arena, 2 * s->ni + 1, double);
  double *limit = PW_TAKE(&g->arena, s->ni + 1, double);
  double *u = PW_TAKE(&g->arena, s->nv + 1, double);
  bool ok = true;
  remove_laws(g, g->c0);
  pw_mech_graphs(g->mech, g->t, g->q, g->u, g->side, graph, limit);
  for (int i = 0; i < s->nr; i++) {
    describe(g, i, graph, limit);
  }
  for (int i = s->nc; i < s->nr; i++) {
    if (g->row[i].plane == i) {
      describe_plane(&g->row[i]);
    }
  }
  for (int i = 0; i < s->nr; i++) {
    bool violated = pw_law_is_wall(g->row[i].law.form) && g->row[i].sign.value < 0;
    ok = (!violated || report_violation(g, i, diags)) && ok;
    ok = (resists(g, i) || report_bound(g, i, diags)) && ok;
    bool ridge = g->row[i].sign.value == 0 && pw_law_is_reentrant(&g->row[i].law);
    ok = (!ridge || report_ridge(g, i, diags)) && ok;
    bool corner = i >= s->nc && g->row[i].sign.value == 0 && g->corner[i - s->nc];
    ok = (!corner || report_corner(g, i, diags)) && ok;
  }
  for (int i = s->nc; i < s->nr; i++) {
    forces_at_rest(g, i, u, graph);
  }
  return ok;
}
