// SPDX-License-Identifier: MIT
/* Friction, springs with play, and monotone graphs. */
#include <math.h>
#include <string.h>

#include "law/scale_mech.h"
#include "model/law_rows.h"
#include "model/tangent.h"
#include "model/unit_asks.h"

/* ---- the argument of a law ---- */

static bool is_velocity(void *payload, int var) {
  (void)payload;
  return pw_var_kind(var) == PW_VAR_U;
}

bool pw_slip_is_linear(pw_check *ck, pw_node slip) {
  int nv = ck->m->nv;
  int *var = PW_TAKE(ck->arena, nv + 1, int);
  pw_node *slope = PW_TAKE(ck->arena, nv + 1, pw_node);
  bool linear = true;
  for (int i = 0; i < nv; i++) {
    var[i] = pw_var_of(PW_VAR_U, i);
  }
  pw_gradient(ck->dag, slip, var, nv, slope);
  for (int i = 0; i < nv && linear; i++) {
    linear = !pw_depends(ck->dag, slope[i], is_velocity, NULL);
  }
  return linear;
}

/* A slip is a relative velocity: its gradient by the velocities must not contain them, or the force
 * along it would depend on the unit of the slip. */
static bool check_linear(pw_check *ck, const pw_ex *ex, pw_node slip) {
  bool linear = pw_slip_is_linear(ck, slip);
  if (!linear) {
    pw_diag_ref d = pw_error(ck->diags, "E0208", ex->span, "a slip is linear in the velocities");
    pw_label(d, "its derivative by a velocity contains velocities");
    pw_help(d, "write the relative velocity itself, such as `x' - v0`, and what depends on its "
               "size in the law: `bound F0 + c*slip^2`, `mu m/(1 + abs(slip))`");
    pw_help(d, "a smooth resistance is `dissipation D = ...` or `force x: ...`");
  }
  return linear;
}

/* A slip contains velocities, a stretch does not. */
static bool elab_measure(pw_check *ck, bool slip, int n, pw_val *out) {
  const pw_ex *ex = ck->stmt->u.law.measure;
  if (!pw_elab_list(ck, ex, n, slip ? "the slip" : "the stretch", out)) {
    return false;
  }
  for (int i = 0; i < out->n; i++) {
    unsigned has = pw_has(ck, out->v[i]);

    /* A slip is a relative velocity, of first degree in the velocities. */
    if (slip && (has & PW_HAS_U) == 0) {
      pw_diag_ref d = pw_error(ck->diags, "E0208", ex->span, "a slip must contain velocities");
      pw_label(d, "no velocity occurs in it");
      pw_help(d, "slip is a relative velocity, such as `x' - v0`; a law of positions has "
                 "`stretch`");
      return false;
    }
    if (slip && !check_linear(ck, ex, out->v[i])) {
      return false;
    }

    /* A stretch is a function of place, and must depend on it. */
    if (!slip && (has & PW_HAS_U) != 0) {
      pw_diag_ref d = pw_error(ck->diags, "E0208", ex->span, "a stretch cannot contain velocities");
      pw_label(d, "velocities occur in it");
      pw_help(d, "a law of velocities is `law ...: slip v, graph ...` or `friction`");
      return false;
    }
    if (!slip && !pw_check_place_signals(ck, out->v[i], ex->span)) {
      return false;
    }
    if (!slip && (has & PW_HAS_Q) == 0) {
      pw_diag_ref d = pw_error(ck->diags, "E0208", ex->span, "a stretch must contain coordinates");
      pw_label(d, "no coordinate occurs in it");
      return false;
    }
  }
  return true;
}

static void push_argument(pw_check *ck, const char *word, const pw_val *value) {
  pw_name name = {pw_intern_format(ck->names, "%s", word), ck->stmt->u.law.measure->span};
  pw_val own = value->n == 1 ? pw_scalar_val(value->v[0]) : *value;
  own.kind = value->n == 1 ? PW_V_SCALAR : PW_V_VECTOR;
  pw_env_push(&ck->env, name, own);
}

static bool allow_clauses(pw_check *ck, unsigned allowed, const char *why) {
  for (int i = 0; i < ck->stmt->u.law.n; i++) {
    const pw_clause *c = &ck->stmt->u.law.items[i];
    if ((allowed >> c->kind & 1u) == 0) {
      return pw_no_effect(ck, c, "%s", why);
    }
  }
  return true;
}

/* ---- friction ---- */

/* A compliant contact has no multiplier that could bound the friction: its force is known. */
static bool refuse_compliant(pw_check *ck, const pw_ex *on, const pw_row *r) {
  const pw_clause *N = pw_find_clause(r->stmt, PW_CL_VISCOUS);
  const pw_clause *K = pw_find_clause(r->stmt, PW_CL_STIFFNESS);
  const char *name = pw_text_of(ck, on->span);
  const char *n = N == NULL ? "N" : pw_text_of(ck, N->ex->span);
  const char *k = K == NULL ? "K" : pw_text_of(ck, K->ex->span);
  pw_diag_ref d = pw_error(ck->diags, "E0206", on->span, "`%s` is a compliant contact", name);
  pw_label(d, "friction `on` needs the normal force of a rigid one");
  pw_second(d, r->span, "stated here");
  pw_help(d, "write `restitution e` instead of `viscous` and `stiffness` in `%s`", name);
  pw_help(d,
          "or give the bound by the force of the contact, with g for its gap: "
          "`bound if(g < 0, mu*max(-(%s)*g - (%s)*g', 0), 0)`",
          k, n);
  return false;
}

static bool check_normal(pw_check *ck, const pw_ex *on, int *row) {
  int n;
  if (!pw_law_rows(ck, on, row, &n)) {
    return false;
  }
  const pw_row *r = &ck->m->rows.items[*row];
  if (r->kind == PW_KIND_VISCOUS && !r->on_velocity && r->stmt->u.law.rel.op != PW_REL_EQ) {
    return refuse_compliant(ck, on, r);
  }
  if (r->kind != PW_KIND_UNILATERAL) {
    pw_diag_ref d = pw_error(ck->diags, "E0206", on->span, "`%s` is not a unilateral constraint",
                             pw_text_of(ck, on->span));
    pw_label(d, "this is %s (%s)", pw_kind_name(r->kind), pw_kind_about(r->kind));
    pw_second(d, r->span, "stated here");
    pw_help(d, "friction `on` needs a contact `g >= 0`; otherwise give the bound yourself: "
               "`bound F`");
    return false;
  }
  if (n != 1) {
    pw_diag_ref d = pw_error(ck->diags, "E0206", on->span, "`%s` has %d components",
                             pw_text_of(ck, on->span), n);
    pw_label(d, "name one of them: `%s[1]`", pw_text_of(ck, on->span));
    return false;
  }
  return true;
}

/* A sticking bound below the sliding one would never matter. */
bool pw_check_static(pw_check *ck, const pw_clause *c, pw_node sliding, pw_node *out) {
  if (c == NULL) {
    return true;
  }
  if (!pw_clause_value(ck, c, 0, (double)INFINITY, out)) {
    return false;
  }
  if (pw_is_const(ck->dag, *out) && pw_is_const(ck->dag, sliding) &&
      pw_node_value(ck->dag, *out) < pw_node_value(ck->dag, sliding)) {
    pw_diag_ref d =
        pw_error(ck->diags, "E0205", c->span, "`static` is smaller than the sliding value");
    pw_label(d, "%s is below %s", pw_format_real(ck, pw_node_value(ck->dag, *out)),
             pw_format_real(ck, pw_node_value(ck->dag, sliding)));
    return false;
  }
  return true;
}

/* The tangential restitution, if given. */
static bool check_bounce(pw_check *ck, pw_clauses *out) {
  const pw_clause *e = pw_find_clause(ck->stmt, PW_CL_RESTITUTION);
  return e == NULL || pw_clause_value(ck, e, 0, 1, &out->restitution);
}

static bool check_rough(pw_check *ck, const pw_clause *rough, pw_clauses *out) {
  return allow_clauses(ck, 1u << PW_CL_ROUGH | 1u << PW_CL_RESTITUTION,
                       "a rough contact has no bound") &&
         check_normal(ck, rough->on, &out->on) && check_bounce(ck, out);
}

/* ---- an elliptic section of the cone: mu (m1, m2) ---- */

static bool check_positive(pw_check *ck, const pw_clause *mu, pw_node value, int which) {
  if (!pw_is_const(ck->dag, value) || pw_node_value(ck->dag, value) > 0) {
    return true;
  }
  bool listed = mu->ex->kind == PW_EX_VECTOR;
  pw_diag_ref d = pw_error(ck->diags, "E0205", listed ? mu->ex->arg[which]->span : mu->ex->span,
                           "both values of `mu` must be positive");
  pw_label(d, "this is %s", pw_format_real(ck, pw_node_value(ck->dag, value)));
  pw_help(d, "a slip without friction is left out: `slip v1, mu m1 on c`");
  return false;
}

/* x = factor * rest with the number that can be taken out of products and quotients. */
static double take_factor(pw_dag *dag, pw_node x, pw_node *rest) {
  *rest = x;
  if (pw_is_const(dag, x)) {
    *rest = pw_const(dag, 1);
    return pw_node_value(dag, x);
  }
  pw_op op = pw_node_op(dag, x);
  if (op != PW_OP_MUL && op != PW_OP_DIV) {
    return 1;
  }
  pw_node a, b;
  double first = take_factor(dag, pw_node_arg(dag, x, 0), &a);
  double second = take_factor(dag, pw_node_arg(dag, x, 1), &b);
  *rest = op == PW_OP_MUL ? pw_mul(dag, a, b) : pw_div(dag, a, b);
  return op == PW_OP_MUL ? first * second : first / second;
}

/* The ratio of the half axes is the unit of the second row, theory (97). */
static bool check_ratio(pw_check *ck, const pw_clause *mu, const pw_val *pair, double *ratio) {
  pw_node shape[2];
  *ratio = 1;
  if (ck->symbols) { /* known in numbers only */
    return true;
  }
  double first = take_factor(ck->dag, pair->v[0], &shape[0]);
  *ratio = take_factor(ck->dag, pair->v[1], &shape[1]) / first;
  if (shape[0] == shape[1] && *ratio > 0 && fmax(*ratio, 1 / *ratio) <= PW_SCALE(ELLIPSE_RATIO)) {
    return true;
  }
  bool constant = shape[0] == shape[1];
  pw_diag_ref d = pw_error(ck->diags, "E0222", mu->ex->span,
                           constant ? "the two values of `mu` are too far apart"
                                    : "the ratio of the two values of `mu` is not constant");
  if (constant) {
    pw_label(d, "their ratio must be between 1/%g and %g", PW_SCALE(ELLIPSE_RATIO),
             PW_SCALE(ELLIPSE_RATIO));
    pw_help(d, "a slip without friction is left out: `slip v1, mu m1 on c`");
  } else {
    pw_label(d, "the shape of the ellipse must stay the same");
    pw_help(d, "both may change together: `mu (m1*f, m2*f) on c` with numbers m1 and m2");
  }
  return false;
}

static bool check_ellipse(pw_check *ck, const pw_clause *mu, const pw_val *pair, int slips,
                          pw_clauses *out) {
  const pw_clause *stick = pw_find_clause(ck->stmt, PW_CL_STATIC);
  if (slips != 2) {
    pw_diag_ref d = pw_error(ck->diags, "E0106", mu->ex->span,
                             "`mu` with two values needs a slip of two components");
    pw_label(d, "one value for each component");
    pw_second(d, ck->stmt->u.law.measure->span, "%d component%s", slips, slips == 1 ? "" : "s");
    pw_help(d, "write `slip (v1, v2), mu (m1, m2) on c`, or one number for `mu`");
    return false;
  }
  if (stick != NULL) {
    return pw_exclude(ck, mu, stick, "sticking has the same ellipse as sliding");
  }
  bool ok = check_positive(ck, mu, pair->v[0], 0);
  ok = check_positive(ck, mu, pair->v[1], 1) && ok;
  out->mu = pair->v[0];
  return ok && check_ratio(ck, mu, pair, &out->mu_ratio);
}

/* One coefficient, or one for each of two slips. */
static bool check_mu(pw_check *ck, const pw_clause *mu, int slips, pw_clauses *out) {
  pw_val value = pw_elab(ck, mu->ex);
  if (value.kind == PW_V_VECTOR && value.n == 2) {
    return check_ellipse(ck, mu, &value, slips, out);
  }
  return value.kind != PW_V_BAD && pw_clause_value(ck, mu, 0, (double)INFINITY, &out->mu);
}

static bool check_coulomb(pw_check *ck, const pw_clause *mu, int slips, pw_clauses *out) {
  const pw_clause *stick = pw_find_clause(ck->stmt, PW_CL_STATIC);
  bool loaded;
  if (!pw_is_on_equalities(ck, mu->on, &loaded)) {
    return false;
  }
  if (loaded) {
    return pw_check_loaded(ck, mu, stick, out);
  }
  return allow_clauses(ck, 1u << PW_CL_MU | 1u << PW_CL_RESTITUTION | 1u << PW_CL_STATIC,
                       "it does not belong to Coulomb friction") &&
         check_normal(ck, mu->on, &out->on) && check_mu(ck, mu, slips, out) &&
         pw_check_static(ck, stick, out->mu, &out->static_bound) && check_bounce(ck, out);
}

static bool check_bound(pw_check *ck, const pw_clause *bound, pw_clauses *out) {
  const pw_clause *stick = pw_find_clause(ck->stmt, PW_CL_STATIC);
  return allow_clauses(ck, 1u << PW_CL_BOUND | 1u << PW_CL_STATIC,
                       "friction with a given bound transmits no impulse") &&
         pw_clause_value(ck, bound, 0, (double)INFINITY, &out->bound) &&
         pw_check_static(ck, stick, out->bound, &out->static_bound);
}

static bool check_friction_clauses(pw_check *ck, int slips, pw_clauses *out) {
  const pw_clause *mu = pw_find_clause(ck->stmt, PW_CL_MU);
  const pw_clause *rough = pw_find_clause(ck->stmt, PW_CL_ROUGH);
  const pw_clause *bound = pw_find_clause(ck->stmt, PW_CL_BOUND);
  if (mu != NULL && (rough != NULL || bound != NULL)) {
    return pw_exclude(ck, mu, rough != NULL ? rough : bound, "friction has one law");
  }
  if (rough != NULL && bound != NULL) {
    return pw_exclude(ck, rough, bound, "friction has one law");
  }
  if (mu == NULL && rough == NULL && bound == NULL) {
    pw_name name = ck->stmt->u.law.label.name;
    pw_diag_ref d = pw_error(ck->diags, "E0217", name.span, "friction `%s` has no law", name.text);
    pw_label(d, "how large may the force be?");
    pw_help(d, "add `, bound F`, `, mu 0.3 on floor`, or `, rough on floor`");
    return false;
  }
  return mu != NULL      ? check_coulomb(ck, mu, slips, out)
         : rough != NULL ? check_rough(ck, rough, out)
                         : check_bound(ck, bound, out);
}

/* Its force by the components that are stated: "force(f)[3]". */
static void add_force(pw_check *ck, const char *name, int row) {
  pw_val force = pw_law_vector(ck, PW_VAR_FORCE, row);
  for (int i = 0; i < force.n; i++) {
    pw_output o = {.name = pw_intern_format(ck->names, "force(%s)[%d]", name, i + 1),
                   .span = ck->stmt->u.law.label.name.span,
                   .value = force.v[i],
                   .ex = pw_force_ex(ck->m, ck->stmt->u.law.label.name.text),
                   .component = i};
    PW_PUSH(ck->arena, &ck->m->outputs, o);
  }
}

/* Two rows for a slip of three components, contacts (K7). */
static bool add_plane(pw_check *ck, const char *name, const pw_row_draft *draft,
                      const pw_tangents *plane) {
  pw_node *v = PW_TAKE(ck->arena, 2, pw_node);
  v[0] = plane->slip[0];
  v[1] = plane->slip[1];
  pw_val slip = {.kind = PW_V_VECTOR, .n = 2, .v = v};
  pw_row_draft both[2] = {*draft, *draft};
  int first = ck->m->rows.n;
  if (!pw_add_rows(ck, name, both, &slip, ck->stmt->u.law.measure->span)) {
    return false;
  }
  for (int i = 0; i < 2; i++) {
    pw_row *row = &ck->m->rows.items[first + i];
    pw_node *along = PW_TAKE(ck->arena, 3, pw_node);
    memcpy(along, plane->along[i], sizeof plane->along[i]);
    row->along = along;
    row->column = pw_intern_format(ck->names, "%s.t", name);
    row->name = pw_intern_format(ck->names, "%s[%d]", row->column, i + 1);
  }
  add_force(ck, name, first);
  return true;
}

static bool friction_member(pw_check *ck, const char *name) {
  pw_val slip;
  if (!elab_measure(ck, true, 0, &slip)) {
    return false;
  }
  if (slip.n > 3) {
    pw_diag_ref d = pw_error(ck->diags, "E0106", ck->stmt->u.law.measure->span,
                             "a slip has at most 3 components, not %d", slip.n);
    pw_label(d, "this has %d", slip.n);
    return false;
  }
  push_argument(ck, "slip", &slip);
  bool rough = pw_find_clause(ck->stmt, PW_CL_ROUGH) != NULL;
  pw_row_draft draft = {rough ? PW_KIND_ROUGH : PW_KIND_FRICTION, PW_NO_CLAUSES};
  if (!check_friction_clauses(ck, slip.n, &draft.clause)) {
    return false;
  }
  pw_tangents plane;
  bool runs = !ck->symbols; /* in print it stays as it is stated */
  if (slip.n == 3 && runs && pw_find_tangents(ck, slip.v, draft.clause.on, &plane)) {
    return add_plane(ck, name, &draft, &plane);
  }
  pw_row_draft all[3] = {draft, draft, draft};
  return pw_add_rows(ck, name, all, &slip, ck->stmt->u.law.measure->span);
}

void pw_check_friction(pw_check *ck) {
  pw_law_members(ck, friction_member);
}

/* ---- spring ---- */

static bool check_play(pw_check *ck, const pw_clause *play, pw_clauses *out) {
  double a, b;
  bool ok = pw_elab_const(ck, play->ex, PW_MAY_INF, "the play", &a);
  ok = pw_elab_const(ck, play->ex2, PW_MAY_INF, "the play", &b) && ok;
  if (ok && a > b) {
    pw_diag_ref d = pw_error(ck->diags, "E0209", play->span, "the play is reversed");
    pw_label(d, "%s is larger than %s", pw_format_real(ck, a), pw_format_real(ck, b));
    pw_help(d, "write the smaller end first: `play a..b` with a <= b");
    ok = false;
  }
  if (ok) {
    out->play_lo = pw_const(ck->dag, a);
    out->play_hi = pw_const(ck->dag, b);
  }
  return ok;
}

/* Damping beyond the play. What is fastened on both sides, a spring without play, may pull. */
static bool check_damping(pw_check *ck, const pw_clause *play, pw_clauses *out) {
  const pw_clause *damping = pw_find_clause(ck->stmt, PW_CL_DAMPING);
  const pw_clause *pull = pw_find_clause(ck->stmt, PW_CL_PULL);
  if (pull != NULL && (damping == NULL || play == NULL)) {
    return pw_no_effect(ck, pull,
                        damping == NULL ? "only `damping` could turn the force round"
                                        : "a spring without `play` is fastened, and pulls");
  }
  out->pulls = pull != NULL || play == NULL;
  return damping == NULL || pw_clause_value(ck, damping, 0, (double)INFINITY, &out->damping);
}

static bool spring_member(pw_check *ck, const char *name) {
  const pw_stmt *s = ck->stmt;
  const pw_clause *k = pw_find_clause(s, PW_CL_STIFFNESS);
  const pw_clause *play = pw_find_clause(s, PW_CL_PLAY);
  const pw_clause *preload = pw_find_clause(s, PW_CL_PRELOAD);
  pw_row_draft draft = {PW_KIND_SPRING, PW_NO_CLAUSES};
  pw_clauses *out = &draft.clause;
  pw_val stretch;
  if (!elab_measure(ck, false, 1, &stretch)) {
    return false;
  }
  if (k == NULL && preload == NULL && pw_find_clause(s, PW_CL_DAMPING) == NULL) {
    pw_diag_ref d = pw_error(ck->diags, "E0217", s->u.law.label.name.span,
                             "spring `%s` has no force", s->u.law.label.name.text);
    pw_label(d, "it needs `stiffness` or `preload`");
    pw_help(d, "add `, stiffness k`, or `, preload F0` for a constant force beyond the play");
    return false;
  }
  push_argument(ck, "stretch", &stretch);
  bool ok = k == NULL || pw_clause_value(ck, k, 0, (double)INFINITY, &out->stiffness);
  ok = (preload == NULL || pw_clause_value(ck, preload, 0, (double)INFINITY, &out->preload)) && ok;
  ok = (play == NULL || check_play(ck, play, out)) && ok;
  ok = check_damping(ck, play, out) && ok;
  return ok && pw_add_rows(ck, name, &draft, &stretch, s->u.law.measure->span);
}

void pw_check_spring(pw_check *ck) {
  pw_law_members(ck, spring_member);
}

/* ---- graph ---- */

static bool elab_point(pw_check *ck, const pw_ex *point, double out[2]) {
  if (point->kind != PW_EX_VECTOR || point->n_arg != 2) {
    pw_diag_ref d = pw_error(ck->diags, "E0209", point->span, "a point of a graph is `(x, f)`");
    pw_label(d, "two numbers are needed");
    return false;
  }
  bool ok = pw_elab_const(ck, point->arg[0], PW_MAY_INF, "a point of a graph", &out[0]);
  return pw_elab_const(ck, point->arg[1], PW_MAY_INF, "a point of a graph", &out[1]) && ok;
}

/* Neighbours must not fall, in either direction, and must differ. */
static bool check_step(pw_check *ck, const pw_ex *const point[2], double a[2], double b[2]) {
  if ((b[0] >= a[0] && b[1] >= a[1]) && (b[0] > a[0] || b[1] > a[1])) {
    return true;
  }
  if (a[0] == b[0] && a[1] == b[1]) {
    pw_diag_ref same =
        pw_error(ck->diags, "E0209", point[1]->span, "a point of the graph is repeated");
    pw_label(same, "the same as the point before");
    return false;
  }
  pw_diag_ref d = pw_error(ck->diags, "E0209", point[1]->span, "the graph is not monotone");
  pw_label(d, "the %s falls from (%s, %s) to (%s, %s)", b[0] < a[0] ? "argument" : "force",
           pw_format_real(ck, a[0]), pw_format_real(ck, a[1]), pw_format_real(ck, b[0]),
           pw_format_real(ck, b[1]));
  pw_second(d, point[0]->span, "the point before");
  pw_help(d, "from point to point neither value may fall; vertical and level pieces are allowed");
  return false;
}

/* An end is infinite in one way: a force without bound stands over one argument, a graph that goes
 * on for ever is level. sign: -1 at the first point, 1 at the last. */
static bool ends_well(const double *end, const double *next, int sign) {
  if (!isinf(end[0]) && !isinf(end[1])) {
    return true;
  }
  int way = isinf(end[0]) ? 0 : 1;
  return end[way] * sign > 0 && !isinf(end[1 - way]) && end[1 - way] == next[1 - way];
}

static bool check_end(pw_check *ck, const pw_ex *const pair[2], const double *a, const double *b,
                      bool first, bool last) {
  if ((!first || ends_well(a, b, -1)) && (!last || ends_well(b, a, 1))) {
    return true;
  }
  pw_diag_ref d = pw_error(ck->diags, "E0209", pair[1]->span, "an end of the graph has no line");
  pw_label(d, "which forces lie between (%s, %s) and (%s, %s)?", pw_format_real(ck, a[0]),
           pw_format_real(ck, a[1]), pw_format_real(ck, b[0]), pw_format_real(ck, b[1]));
  pw_second(d, pair[0]->span, "the point before");
  pw_help(d, "a wall is vertical: `(0, -inf)(0, 0)`, `(1, 0)(1, inf)`; what goes on for ever is "
             "level: `(-inf, 2)(0, 2)`");
  return false;
}

static bool check_graph_clause(pw_check *ck, const pw_clause *graph, pw_clauses *out) {
  int n = graph->points.n;
  double last[2] = {0, 0};

  /* Two points make the first segment. */
  if (n < 2) {
    pw_diag_ref d = pw_error(ck->diags, "E0209", graph->span, "a graph needs at least two points");
    pw_label(d, "this has %d", n);
    return false;
  }
  struct pw_graph_point *points = PW_TAKE(ck->arena, n, struct pw_graph_point);
  for (int i = 0; i < n; i++) {
    double p[2];
    const pw_ex *point = graph->points.items[i];
    if (!elab_point(ck, point, p)) {
      return false;
    }

    /* The graph may go on for ever at its ends, nowhere else. */
    bool infinite = isinf(p[0]) || isinf(p[1]);
    if (infinite && i > 0 && i < n - 1) {
      pw_diag_ref d =
          pw_error(ck->diags, "E0209", point->span, "only the ends of a graph can be infinite");
      pw_label(d, "this point has others on both sides");
      return false;
    }

    /* A law is monotone: neither the argument nor the force falls from point to point. */
    const pw_ex *pair[2] = {i > 0 ? graph->points.items[i - 1] : NULL, point};
    if (i > 0 &&
        !(check_step(ck, pair, last, p) && check_end(ck, pair, last, p, i == 1, i == n - 1))) {
      return false;
    }
    last[0] = p[0];
    last[1] = p[1];
    points[i] = (struct pw_graph_point){p[0], p[1]};
  }
  out->graph = points;
  out->n_graph = n;
  return true;
}

/* A dashpot beside the whole graph. */
static bool check_graph_damping(pw_check *ck, pw_clauses *out) {
  const pw_clause *damping = pw_find_clause(ck->stmt, PW_CL_DAMPING);
  if (damping != NULL && out->on_slip) {
    return pw_no_effect(ck, damping, "damping is the slope of a graph over a slip");
  }
  return damping == NULL || pw_clause_value(ck, damping, 0, (double)INFINITY, &out->damping);
}

static bool graph_member(pw_check *ck, const char *name) {
  const pw_stmt *s = ck->stmt;
  const pw_clause *graph = pw_find_clause(s, PW_CL_GRAPH);
  pw_val value;
  if (!elab_measure(ck, s->u.law.is_slip, 1, &value)) {
    return false;
  }
  if (graph == NULL) {
    pw_diag_ref d = pw_error(ck->diags, "E0217", s->u.law.label.name.span, "law `%s` has no graph",
                             s->u.law.label.name.text);
    pw_label(d, "which force belongs to which value?");
    pw_help(d, "add `, graph (x1, f1)(x2, f2)`");
    return false;
  }
  push_argument(ck, s->u.law.is_slip ? "slip" : "stretch", &value);
  pw_row_draft draft = {PW_KIND_LAW, PW_NO_CLAUSES};
  draft.clause.on_slip = s->u.law.is_slip;
  return check_graph_clause(ck, graph, &draft.clause) && check_graph_damping(ck, &draft.clause) &&
         pw_add_rows(ck, name, &draft, &value, s->u.law.measure->span);
}

void pw_check_graph(pw_check *ck) {
  pw_law_members(ck, graph_member);
}
