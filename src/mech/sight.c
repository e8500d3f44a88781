// SPDX-License-Identifier: MIT
/* Enclosures of the tapes. If operations are not tame, the uncertainty of an output (its blur) is
 * converted into an acceleration with the diagonal masses. This estimate decides how finely the
 * step is searched, not the result of the search. */
#include "mech/sight.h"

#include <math.h>

#include "mech/work.h"

pw_form *pw_mech_sight(pw_mech *m) {
  return m->w->sight.in;
}

void pw_mech_sight_fixed(pw_mech *m, const double *side) {
  const pw_system *s = m->sys;
  pw_form *in = m->w->sight.in;
  for (int i = 0; i < s->n_switch; i++) {
    in[s->offset[PW_VAR_MODE] + i] = pw_form_value(side[i]);
  }
  if (!m->w->sight.reads_fixed) {
    return;
  }
  for (int i = 0; i < s->model->parameters.n; i++) {
    int at = s->offset[PW_VAR_PARAMETER] + i;
    in[at] = pw_form_value(m->w->in[at]);
  }
  for (int i = 0; i < s->model->rows.n; i++) {
    int at = s->offset[PW_VAR_IMPULSE] + i;
    in[at] = pw_form_value(m->w->in[at]);
    in[s->offset[PW_VAR_FORCE] + i] = (pw_form){.r = INFINITY, .lo = -INFINITY, .hi = INFINITY};
  }
}

unsigned pw_mech_wild(pw_mech *m) {
  const pw_guards *g = &m->sys->tape.guards;
  const pw_sight *x = &m->w->sight;
  unsigned wild = 0;
  if (g->n == 0) {
    return 0;
  }
  pw_tape_tube(g->tape, x->in, x->reg, x->out);
  for (int i = 0; i < g->n; i++) {
    const pw_guard *k = &g->item[i];
    pw_interval a = {x->out[k->a].lo, x->out[k->a].hi}, b = {x->out[k->b].lo, x->out[k->b].hi};
    if ((k->where & ~wild) != 0 && !pw_op_is_tame(k->op, k->n, a, b)) {
      wild |= k->where;
    }
  }
  return wild;
}

static bool has_pole(const pw_guard *g, const pw_form *a) {
  bool fits = g->op == PW_TAPE_DIV || g->op == PW_TAPE_SQRT ||
              ((g->op == PW_TAPE_POWI || g->op == PW_TAPE_POW) && g->n <= 0);
  return fits && a->lo <= 0 && a->hi >= 0;
}

int pw_mech_pole(pw_mech *m) {
  const pw_guards *g = &m->sys->tape.guards;
  const pw_sight *x = &m->w->sight;
  if (g->n > 0) {
    pw_tape_tube(g->tape, x->in, x->reg, x->out);
  }
  for (int i = 0; i < g->n; i++) {
    if ((g->item[i].where & PW_OF_MOTION) != 0 && has_pole(&g->item[i], &x->out[g->item[i].a])) {
      return i;
    }
  }
  return -1;
}

static const char *var_name(void *payload, int var) {
  const pw_model *const *model = payload;
  return pw_model_var_name(*model, var);
}

void pw_mech_pole_text(const pw_mech *m, int guard, pw_buf *out) {
  const pw_model *model = m->sys->model;
  pw_node of = m->sys->tape.guards.item[guard].of;
  while (pw_node_op(model->dag, of) == PW_OP_SELECT) { /* one side of a kink */
    of = pw_node_arg(model->dag, of, 1);
  }
  pw_node_print(out, model->dag, of, var_name, &model);
}

static const pw_tape *tape_of(const pw_system *s, unsigned tape) {
  return tape == PW_OF_MOTION    ? s->tape.motion
         : tape == PW_OF_CONTACT ? s->tape.contact
         : tape == PW_OF_GRAPH   ? s->tape.graph
         : tape == PW_OF_GAP     ? s->tape.gap
         : tape == PW_OF_SIDES   ? s->tape.sides
                                 : s->tape.roots;
}

bool pw_mech_sight_reads(const pw_mech *m, unsigned tape, int input) {
  return pw_tape_reads(tape_of(m->sys, tape), input);
}

const pw_form *pw_mech_enclose(pw_mech *m, unsigned tape) {
  const pw_sight *x = &m->w->sight;
  pw_tape_tube(tape_of(m->sys, tape), x->in, x->reg, x->out);
  return x->out;
}

unsigned pw_mech_force_tapes(const pw_mech *m) {
  bool laws = m->w->n_act > m->sys->nc || m->w->has_segments;
  return PW_OF_MOTION | (laws ? PW_OF_CONTACT : 0) | (m->w->has_segments ? PW_OF_GRAPH : 0);
}

/* ---- uncertainty of the accelerations ---- */

static void note(pw_murk *murk, double part, int coord, int row) {
  if (!(part <= murk->most)) {
    *murk = (pw_murk){isnan(part) ? INFINITY : part, coord, row};
  }
}

/* Least acceleration that is allowed in any direction, as length by masses. */
static double least_allowed(const pw_mech *m, const double *allowed) {
  double least = INFINITY;
  for (int j = 0; j < m->sys->nv; j++) {
    least = fmin(least, sqrt(fmax(m->mass[j], 0)) * allowed[j]);
  }
  return least;
}

/* |L^-1 J^T| with the masses on the diagonal. */
static double length_of(const pw_mech *m, const pw_form *J, pw_slope_view at) {
  double sum = 0;
  for (int k = 0; k < at.n; k++) {
    double x = pw_form_size(J[k]), mass = m->mass[at.at == NULL ? k : at.at[k]];
    sum += mass > 0 ? x * x / mass : 0;
  }
  return sqrt(sum);
}

/* J: entries at the velocities that `at` names. */
static void row_murk(const pw_mech *m, const pw_form *J, pw_slope_view at, pw_form zeta, int row,
                     double least, pw_murk *murk) {
  double length = length_of(m, J, at);
  if (zeta.blur > 0) {
    note(murk, zeta.blur / (length * least), -1, row);
  }
  for (int k = 0; k < at.n; k++) {
    if (J[k].blur > 0) {
      double turned = J[k].blur / sqrt(m->mass[at.at == NULL ? k : at.at[k]]) / length;
      note(murk, turned * fmax(m->reaction, m->pull) / least, -1, row);
    }
  }
}

/* blur (nv) += uncertainty of M times the accelerations. */
static void mass_blur(const pw_mech *m, const pw_form *M, const double *a, double *blur) {
  const pw_system *s = m->sys;
  for (int j = 0, e = 0; j < s->nv; j++) {
    int end = s->pattern.sparse == NULL ? e + s->nv - j : s->pattern.sparse->mass.start[j + 1];
    for (int i = j; e < end; e++, i++) {
      int row = s->pattern.sparse == NULL ? i : s->pattern.sparse->mass.index[e];
      if (M[e].blur > 0) {
        blur[j] += M[e].blur * a[row];
        blur[row] += row != j ? M[e].blur * a[j] : 0;
      }
    }
  }
}

static int coord_of(const pw_mech *m, int u) {
  const pw_model *model = m->sys->model;
  int c = model->coords.n - 1;
  while (c > 0 && model->coords.items[c].u > u) {
    c--;
  }
  return c;
}

static void motion_murk(pw_mech *m, const double *allowed, const double *a, pw_murk *murk) {
  const pw_system *s = m->sys;
  const pw_form *out = pw_mech_enclose(m, PW_OF_MOTION);
  pw_motion_places at = pw_view_places(s);
  double least = least_allowed(m, allowed), *blur = m->w->v;
  for (int j = 0; j < s->nv; j++) {
    blur[j] = out[at.h + j].blur;
  }
  mass_blur(m, out + at.M, a, blur);
  for (int j = 0; j < s->nv; j++) {
    if (blur[j] > 0) {
      note(murk, blur[j] / (m->mass[j] * allowed[j]), coord_of(m, j), -1);
    }
  }
  const double *J = pw_view_motion(s, m->w->tape.motion.out).J;
  for (int k = 0; k < s->nc; k++) {
    pw_slope_view slope = pw_view_slope(s, J, k);
    row_murk(m, out + at.J + (slope.value - J), slope, out[at.zeta + k], k, least, murk);
  }
}

/* Laws at their kink are rows; other laws are forces along their gradients, taken from the last
 * evaluation. */
static void law_murk(pw_mech *m, unsigned wild, const double *allowed, pw_murk *murk) {
  const pw_system *s = m->sys;
  double least = least_allowed(m, allowed);
  const pw_form *out = (wild & PW_OF_CONTACT) != 0 ? pw_mech_enclose(m, PW_OF_CONTACT) : NULL;
  for (int i = 0; out != NULL && i < s->ni; i++) {
    if (m->w->state[i] == PW_AT_KINK) {
      const pw_form *own = out + pw_view_law_at(s, i, PW_VIEW_VALUE);
      pw_slope_view all = {.n = s->nv};
      row_murk(m, own + PW_VIEW_HEAD, all, own[PW_VIEW_ZETA], s->nc + i, least, murk);
    }
  }
  out = (wild & PW_OF_GRAPH) != 0 ? pw_mech_enclose(m, PW_OF_GRAPH) : NULL;
  for (int i = 0; out != NULL && i < s->ni; i++) {
    bool plane = s->law[i].group >= 0; /* aimed in another way; the radius stands below */
    bool above = m->w->state[i] == PW_ABOVE_KINK && !plane;
    double blur = out[pw_view_graph_at(i, above)].blur, sum = 0;
    const double *J = pw_mech_law(m, s->nc + i) + PW_VIEW_HEAD;
    for (int j = 0; blur > 0 && j < s->nv; j++) {
      sum += m->mass[j] > 0 ? J[j] * J[j] / m->mass[j] : 0;
    }
    int on = s->law[i].on; /* per normal force */
    blur *= on >= 0 ? fabs(m->lambda[s->nc + on]) : 1;
    if (blur > 0 && m->w->state[i] != PW_AT_KINK) {
      note(murk, blur * sqrt(sum) / least, -1, s->nc + i);
    }
  }
}

pw_murk pw_mech_murk(pw_mech *m, const double *allowed, const double *a) {
  pw_murk murk = {0, -1, -1};
  unsigned tapes = pw_mech_force_tapes(m);
  motion_murk(m, allowed, a, &murk);
  law_murk(m, tapes, allowed, &murk);
  return murk;
}
