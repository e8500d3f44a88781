// SPDX-License-Identifier: MIT
/* Shapes, found in the text: names of coordinates, and the expressions of `let` lines. */
#include "report/autodraw.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lang/print.h"
#include "mech/handle.h"
#include "report/place.h"

enum { MOST_LETS = 40, MOST_DEPTH = 40, MOST_TERMS = 24 };

/* ---- expressions of `let` lines ---- */

static const pw_ex *let_of(const pw_ast *ast, const char *name) {
  for (int i = 0; i < ast->n; i++) {
    const pw_stmt *s = ast->items[i];
    if (s->kind == PW_ST_LET && s->u.let.label.name.text == name && !s->u.let.is_function &&
        s->u.let.label.index.text == NULL) {
      return s->u.let.ex;
    }
  }
  return NULL;
}

/* Components of a vector; 0: a number, or unknown. */
static int width_of(const pw_ast *ast, const pw_ex *ex, int depth) {
  int a, b;
  if (ex == NULL || depth > MOST_DEPTH) {
    return 0;
  }
  switch (ex->kind) {
  case PW_EX_VECTOR: return ex->n_arg;
  case PW_EX_NAME: return width_of(ast, let_of(ast, ex->name), depth + 1);
  case PW_EX_FIELD: return strcmp(ex->name, "p") == 0 ? 3 : 0;
  case PW_EX_NEG:
  case PW_EX_POS:
  case PW_EX_DIV: return width_of(ast, ex->arg[0], depth + 1);
  case PW_EX_ADD:
  case PW_EX_SUB:
  case PW_EX_MUL:
    a = width_of(ast, ex->arg[0], depth + 1);
    b = width_of(ast, ex->arg[1], depth + 1);
    return a > b ? a : b;
  default: return 0;
  }
}

static bool is_call(const pw_ex *ex, const char *name) {
  return ex->kind == PW_EX_CALL && ex->arg[0]->kind == PW_EX_NAME &&
         strcmp(ex->arg[0]->name, name) == 0;
}

/* A velocity, or something that only results have, occurs in it. */
static bool is_moving(const pw_ast *ast, const pw_ex *ex, int depth) {
  if (ex == NULL || depth > MOST_DEPTH) {
    return ex != NULL;
  }
  bool field =
      ex->kind == PW_EX_FIELD && (strcmp(ex->name, "w") == 0 || strcmp(ex->name, "W") == 0);
  if (ex->kind == PW_EX_PRIME || field) {
    return true;
  }
  if (ex->kind == PW_EX_NAME) {
    return is_moving(ast, let_of(ast, ex->name), depth + 1);
  }
  for (int i = 0; i < ex->n_arg; i++) {
    if (is_moving(ast, ex->arg[i], depth + 1)) {
      return true;
    }
  }
  return false;
}

/* (cos(a), sin(a)) and the like are directions, not places. */
static bool is_direction(const pw_ex *ex) {
  bool plain = ex->kind == PW_EX_VECTOR;
  for (int i = 0; i < ex->n_arg && plain; i++) {
    const pw_ex *c = ex->arg[i]->kind == PW_EX_NEG ? ex->arg[i]->arg[0] : ex->arg[i];
    plain = is_call(c, "sin") || is_call(c, "cos") || c->kind == PW_EX_NUM;
  }
  return plain;
}

static const char *base_of(const pw_ex *ex) {
  while (ex->kind == PW_EX_INDEX) {
    ex = ex->arg[0];
  }
  return ex->kind == PW_EX_NAME ? ex->name : NULL;
}

/* (x[2] - x[1], y[2] - y[1]) is the way from one place to another, and no place. */
static bool is_difference(const pw_ex *ex) {
  bool apart = ex->kind == PW_EX_VECTOR;
  for (int i = 0; i < ex->n_arg && apart; i++) {
    const pw_ex *c = ex->arg[i];
    const char *name = c->kind == PW_EX_SUB ? base_of(c->arg[0]) : NULL;
    const char *other = name != NULL ? base_of(c->arg[1]) : NULL;
    apart = other != NULL && name[0] == other[0];
  }
  return apart;
}

/* ---- links of a pendulum ---- */

typedef struct term {
  const pw_ex *ex;
  bool minus;
  const pw_ex *angle; /* the argument of its first sine or cosine, or NULL */
} term;

typedef struct sum { /* of one component */
  term items[MOST_TERMS];
  int n;
} sum;

static const pw_ex *angle_of(const pw_ex *ex, int depth) {
  if (depth > MOST_DEPTH) {
    return NULL;
  }
  if (is_call(ex, "sin") || is_call(ex, "cos")) {
    return ex->arg[1];
  }
  const pw_ex *found = NULL;
  for (int i = 0; i < ex->n_arg && found == NULL; i++) {
    found = angle_of(ex->arg[i], depth + 1);
  }
  return found;
}

static void take_apart(const pw_ex *ex, bool minus, sum *out, int depth) {
  bool both = ex->kind == PW_EX_ADD || ex->kind == PW_EX_SUB;
  if (depth < MOST_DEPTH && both) {
    take_apart(ex->arg[0], minus, out, depth + 1);
    take_apart(ex->arg[1], minus != (ex->kind == PW_EX_SUB), out, depth + 1);
  } else if (depth < MOST_DEPTH && ex->kind == PW_EX_NEG) {
    take_apart(ex->arg[0], !minus, out, depth + 1);
  } else if (out->n < MOST_TERMS) {
    out->items[out->n++] = (term){ex, minus, angle_of(ex, 0)};
  }
}

static bool is_same(const pw_ex *a, const pw_ex *b) {
  pw_buf x = {0}, y = {0};
  pw_print_ex(&x, a);
  pw_print_ex(&y, b);
  bool same = !x.failed && !y.failed && strcmp(x.text, y.text) == 0;
  pw_buf_free(&x);
  pw_buf_free(&y);
  return same;
}

/* Number of the angle of a term among those found, from 1; 0: it has none. */
static int rank_of(const pw_ex **angles, int *n, const pw_ex *angle) {
  if (angle == NULL) {
    return 0;
  }
  for (int i = 0; i < *n; i++) {
    if (is_same(angles[i], angle)) {
      return i + 1;
    }
  }
  if (*n < MOST_TERMS) {
    angles[(*n)++] = angle;
  }
  return *n;
}

/* Brackets around an expression that begins with a sign. */
static void put_term(pw_buf *out, const term *t, bool first) {
  pw_buf text = {0};
  pw_print_ex(&text, t->ex);
  bool bracket = text.text != NULL && text.text[0] == '-' && (t->minus || !first);
  const char *before = first ? (t->minus ? "-" : "") : t->minus ? " - " : " + ";
  if (!text.failed && text.text != NULL) {
    pw_buf_printf(out, bracket ? "%s(%s)" : "%s%s", before, text.text);
  }
  out->failed = out->failed || text.failed;
  pw_buf_free(&text);
}

static void put_sum(pw_buf *out, const sum *s, const pw_ex **angles, int n, int upto) {
  bool any = false;
  for (int i = 0; i < s->n; i++) {
    if (rank_of(angles, &n, s->items[i].angle) <= upto) {
      put_term(out, &s->items[i], !any);
      any = true;
    }
  }
  pw_buf_puts(out, any ? "" : "0");
}

/* (x + l*sin(a), -l*cos(a)) is a link from (x, 0); with two angles there are two links, and so on.
 */
static void put_links(pw_buf *out, const pw_ex *ex) {
  sum parts[3] = {0};
  const pw_ex *angles[MOST_TERMS];
  int n = 0;
  for (int k = 0; k < ex->n_arg; k++) {
    take_apart(ex->arg[k], false, &parts[k], 0);
    for (int i = 0; i < parts[k].n; i++) {
      rank_of(angles, &n, parts[k].items[i].angle);
    }
  }
  if (n == 0) {
    return;
  }
  pw_buf_puts(out, "draw line ");
  for (int upto = 0; upto <= n; upto++) {
    pw_buf_puts(out, upto == 0 ? "(" : ", (");
    for (int k = 0; k < ex->n_arg; k++) {
      pw_buf_puts(out, k == 0 ? "" : ", ");
      put_sum(out, &parts[k], angles, n, upto);
    }
    pw_buf_puts(out, ")");
  }
  pw_buf_puts(out, "\n");
}

static void put_let(pw_buf *out, const pw_ast *ast, const pw_stmt *s) {
  const pw_ex *ex = s->u.let.ex;
  if (ex->kind == PW_EX_VECTOR) {
    put_links(out, ex);
  } else if ((ex->kind == PW_EX_ADD || ex->kind == PW_EX_SUB) && width_of(ast, ex->arg[0], 0) > 0) {
    pw_buf_puts(out, "draw line ");
    pw_print_ex(out, ex->arg[0]);
    pw_buf_printf(out, ", %s\n", s->u.let.label.name.text);
  }
  pw_buf_printf(out, "draw point %s\n", s->u.let.label.name.text);
}

static void put_lets(pw_buf *out, const pw_ast *ast) {
  int drawn = 0;
  for (int i = 0; i < ast->n && drawn < MOST_LETS; i++) {
    const pw_stmt *s = ast->items[i];
    if (s->kind != PW_ST_LET || s->u.let.is_function || s->u.let.label.index.text != NULL) {
      continue;
    }
    int width = width_of(ast, s->u.let.ex, 0);
    if ((width == 2 || width == 3) && !is_moving(ast, s->u.let.ex, 0) &&
        !is_direction(s->u.let.ex) && !is_difference(s->u.let.ex)) {
      put_let(out, ast, s);
      drawn++;
    }
  }
}

/* ---- members of families ---- */

typedef struct member { /* a name in the model, such as "top", "rod[2].p[1]", "link[1][3][2]" */
  const char *name;
  size_t len;       /* of the name with its indices */
  int64_t value[2]; /* of the indices */
} member;

/* What follows the name and indices of a member; NULL: the name does not belong to the family. A
 * statement without an index has one member. */
static const char *read_member(const pw_heading *label, const char *name, member *out) {
  size_t len = strlen(label->name.text);
  int indices = label->index.text == NULL ? 0 : label->second.text == NULL ? 1 : 2;
  if (strncmp(name, label->name.text, len) != 0) {
    return NULL;
  }
  *out = (member){.name = name};
  for (int k = 0; k < indices; k++) {
    char *end = NULL;
    if (name[len] != '[') {
      return NULL;
    }
    out->value[k] = strtol(name + len + 1, &end, 10);
    if (*end != ']') {
      return NULL;
    }
    len = (size_t)(end + 1 - name);
  }
  out->len = len;
  return name + len;
}

/* The expression with a number for the index; an inner index of the same name hides it. Along the
 * first arguments without recursion: a sum may have any number of terms. */
static pw_ex *with_number(pw_arena *arena, const pw_ex *ex, const char *index, double value) {
  pw_ex *first = NULL;
  pw_ex **place = &first;
  while (ex != NULL) {
    pw_ex *out = PW_NEW(arena, pw_ex);
    *out = *ex;
    *place = out;
    if (ex->kind == PW_EX_NAME && strcmp(ex->name, index) == 0) {
      out->kind = PW_EX_NUM;
      out->value = value;
    }
    out->arg = ex->n_arg > 0 ? PW_TAKE(arena, ex->n_arg, pw_ex *) : NULL;
    for (int i = 1; i < ex->n_arg; i++) {
      bool hidden = ex->kind == PW_EX_EACH && i == 2 && strcmp(ex->name, index) == 0;
      out->arg[i] = hidden ? ex->arg[i] : with_number(arena, ex->arg[i], index, value);
    }
    place = ex->n_arg > 0 ? &out->arg[0] : NULL;
    ex = ex->n_arg > 0 ? ex->arg[0] : NULL;
  }
  return first;
}

/* The expression for one member. */
static pw_ex *of_member(pw_arena *arena, pw_ex *ex, const pw_heading *label, const member *who) {
  const char *const index[2] = {label->index.text, label->second.text};
  for (int k = 0; k < 2 && index[k] != NULL; k++) {
    ex = with_number(arena, ex, index[k], (double)who->value[k]);
  }
  return ex;
}

/* ---- bodies ---- */

/* A ball, or the box of even density, with this mass and inertia. */
static void put_body(pw_buf *out, pw_arena *arena, const pw_stmt *s, const member *who) {
  pw_buf mass = {0};
  const pw_heading *label = &s->u.body.label;
  const pw_ex *J = of_member(arena, s->u.body.inertia, label, who);
  const pw_ex *m = of_member(arena, s->u.body.mass, label, who);
  int n = (int)who->len;
  pw_print_ex(&mass, m);
  if (J->kind == PW_EX_VECTOR && J->n_arg >= 3) {
    pw_buf_printf(out, "draw box %.*s, size (", n, who->name);
    for (int k = 0; k < 3; k++) { /* J1 = m (b^2 + c^2)/12 and so on */
      pw_buf_puts(out, k == 0 ? "sqrt(6*max(0, " : ", sqrt(6*max(0, ");
      for (int i = 0; i < 3; i++) {
        pw_buf_puts(out, i == 0 ? "" : " + ");
        pw_buf_puts(out, i == k ? "-(" : "(");
        pw_print_ex(out, J->arg[i]);
        pw_buf_puts(out, ")");
      }
      pw_buf_printf(out, ")/(%s))", mass.text);
    }
    pw_buf_puts(out, ")\n");
  } else { /* J = 2/5 m r^2 */
    pw_buf_printf(out, "draw sphere %.*s, radius sqrt(5/2*(", n, who->name);
    pw_print_ex(out, J);
    pw_buf_printf(out, ")/(%s))\n", mass.text);
  }
  out->failed = out->failed || mass.failed;
  pw_buf_free(&mass);
}

static void put_bodies(pw_buf *out, const pawl_system *sys) {
  const pw_model *m = sys->model;
  for (int i = 0; i < sys->ast.n; i++) {
    const pw_stmt *s = sys->ast.items[i];
    for (int k = 0; k < m->coords.n && s->kind == PW_ST_BODY; k++) {
      member who;
      const char *rest = read_member(&s->u.body.label, m->coords.items[k].name, &who);
      if (rest != NULL && strcmp(rest, ".p[1]") == 0) {
        put_body(out, m->arena, s, &who);
      }
    }
  }
  for (int i = 0; i < m->coords.n; i++) {
    const pw_coord *c = &m->coords.items[i];
    for (int k = 0; k < 3 && c->is_rotation && strchr(c->name, '.') == NULL; k++) {
      pw_buf_printf(out, "draw line (0, 0, 0), %s*(%d, %d, %d)\n", c->name, k == 0, k == 1, k == 2);
    }
  }
}

/* ---- joints ---- */

static void put_end(pw_buf *out, const pw_joint_end *end) {
  bool ground = pw_joint_on_ground(end);
  if (!ground) {
    pw_print_ex(out, end->body);
    pw_buf_puts(out, end->at == NULL ? ".p" : ".p + ");
  }
  if (!ground && end->at != NULL) {
    pw_print_ex(out, end->body);
    pw_buf_puts(out, ".R*(");
  }
  if (end->at != NULL) {
    pw_print_ex(out, end->at);
    pw_buf_puts(out, ground ? "" : ")");
  } else if (ground) {
    pw_buf_puts(out, "(0, 0, 0)");
  }
}

/* A joint is a point, with an arm to the mass centre of each body that it does not sit in. */
static void put_joint(pw_buf *out, pw_arena *arena, const pw_stmt *s, const member *who) {
  pw_joint_end end[2];
  for (int e = 0; e < 2; e++) {
    const pw_joint_end *of = &s->u.law.joint->end[e];
    end[e].body = of_member(arena, of->body, &s->u.law.label, who);
    end[e].at = of_member(arena, of->at, &s->u.law.label, who);
    if (!pw_joint_on_ground(&end[e]) && end[e].at != NULL) {
      pw_buf_puts(out, "draw line ");
      pw_print_ex(out, end[e].body);
      pw_buf_puts(out, ".p, ");
      put_end(out, &end[e]);
      pw_buf_puts(out, "\n");
    }
  }
  pw_buf_puts(out, "draw point ");
  put_end(out, &end[0]);
  pw_buf_puts(out, "\n");
}

/* Each joint once: its rows are consecutive. */
static void put_joints(pw_buf *out, const pawl_system *sys) {
  const pw_model *m = sys->model;
  for (int i = 0; i < sys->ast.n; i++) {
    const pw_stmt *s = sys->ast.items[i];
    member last = {.name = "", .len = 0};
    for (int r = 0; r < m->rows.n && s->kind == PW_ST_JOINT; r++) {
      member who;
      const char *rest = read_member(&s->u.law.label, m->rows.items[r].name, &who);
      bool is_row = rest != NULL && (*rest == '[' || *rest == '\0');
      if (is_row && (who.len != last.len || strncmp(who.name, last.name, who.len) != 0)) {
        put_joint(out, m->arena, s, &who);
        last = who;
      }
    }
  }
}

/* ---- coordinates ---- */

/* Numbers of which none is zero or equal to another. */
static double any_value(void *payload, int var) {
  (void)payload;
  return 0.3 + 0.5 * sin(1.7 * (var + 1));
}

/* The value of a one-sided constraint grows with the distance of two places: they may not come
 * nearer. A rope is the other way round. */
static bool keeps_apart(const pw_model *m, const pw_row *row, const pw_place ends[2]) {
  double grows = 0;
  for (int k = 0; k < ends[0].n && k < ends[1].n; k++) {
    int var[2];
    pw_node gradient[2];
    for (int e = 0; e < 2; e++) {
      var[e] = pw_var_of(PW_VAR_Q, m->coords.items[ends[e].coord[k]].q);
    }
    pw_gradient(m->dag, row->value, var, 2, gradient);
    grows += pw_eval(m->dag, gradient[0], any_value, NULL) *
             (any_value(NULL, var[0]) - any_value(NULL, var[1]));
  }
  return row->kind == PW_KIND_UNILATERAL && grows > 0;
}

static void put_place(pw_buf *out, const pw_model *m, const pw_place *place) {
  for (int k = 0; k < place->n; k++) {
    pw_buf_printf(out, "%s%s", k == 0 ? "(" : ", ", m->coords.items[place->coord[k]].name);
  }
  pw_buf_puts(out, ")");
}

static void put_places(pw_buf *out, const pw_model *m) {
  pw_place place;
  for (int i = 0; pw_place_next(m, &i, &place);) {
    pw_buf_puts(out, "draw point ");
    put_place(out, m, &place);
    pw_buf_puts(out, "\n");
  }
}

/* Position constraints that depend on the coordinates of two places, all of them, are links; those
 * of one place are links to a fixed point, if there is one. */
static void put_rods(pw_buf *out, const pw_model *m) {
  for (int r = 0; r < m->rows.n; r++) {
    const pw_row *row = &m->rows.items[r];
    pw_place ends[2];
    double centre[2];
    if (row->on_velocity || row->kind == PW_KIND_FRICTION) {
      continue;
    }

    /* between two points, or from a fixed centre to one */
    if (pw_place_ends(m, row->value, ends)) {
      if (!keeps_apart(m, row, ends)) {
        pw_buf_puts(out, "draw line ");
        put_place(out, m, &ends[0]);
        pw_buf_puts(out, ", ");
        put_place(out, m, &ends[1]);
        pw_buf_puts(out, "\n");
      }
    } else if (row->kind == PW_KIND_HOLONOMIC && pw_place_about(m, row->value, ends, centre)) {
      const char *unit = m->coords.items[ends[0].coord[0]].q_unit;
      const char *text = unit == NULL || strcmp(unit, "1") == 0 ? "" : unit;
      pw_buf_puts(out, "draw line (");
      for (int k = 0; k < 2; k++) {
        pw_buf_real(out, centre[k]);
        pw_buf_printf(out, text[0] == '\0' ? "%s" : " [%s]", text);
        pw_buf_puts(out, k == 0 ? ", " : "), ");
      }
      put_place(out, m, &ends[0]);
      pw_buf_puts(out, "\n");
    }
  }
}

static bool is_angle(const pw_coord *c) {
  static const char *const names[] = {"th", "theta", "ph", "phi",  "ps", "psi",
                                      "al", "alpha", "be", "beta", "ga", "gamma"};
  const char *letters = pw_place_letters(c);
  size_t n = strcspn(letters, "[0123456789_");
  bool known = c->q_unit != NULL && strcmp(c->q_unit, "1") == 0;
  for (size_t i = 0; i < sizeof names / sizeof *names && !known; i++) {
    known = strlen(names[i]) == n && strncmp(letters, names[i], n) == 0;
  }
  return known && !c->is_rotation;
}

/* Coordinates without a partner: along the axis that their name begins with. If there are only
 * angles, each is drawn as a separate hand. */
static void put_lone(pw_buf *out, const pw_model *m, bool alone) {
  int hands = 0;
  for (int i = 0; i < m->coords.n; i++) {
    const pw_coord *c = &m->coords.items[i];
    int first = tolower((unsigned char)pw_place_letters(c)[0]);
    if (c->is_rotation || c->of_body || pw_place_has(m, i)) {
      continue;
    }
    if (first == 'x') {
      pw_buf_printf(out, "draw point (%s, 0)\n", c->name);
    } else if (first == 'y' || first == 'z' || first == 'h') {
      pw_buf_printf(out, "draw point (0, %s)\n", c->name);
    } else if (alone && is_angle(c)) {
      int x = 3 * hands++;
      pw_buf_printf(out, "draw line (%d, 0), (%d + sin(%s), -cos(%s))\n", x, x, c->name, c->name);
      pw_buf_printf(out, "draw point (%d + sin(%s), -cos(%s))\n", x, c->name, c->name);
    }
  }
}

static void put_shapes(pawl_system *system, void *payload) {
  pw_buf *out = payload;
  size_t begin = out->len;
  put_bodies(out, system);
  put_joints(out, system);
  put_lets(out, &system->ast);
  put_rods(out, system->model);
  put_places(out, system->model);
  put_lone(out, system->model, out->len == begin);
}

pawl_status pw_autodraw_shapes(pawl_system *system, pw_buf *out) {
  pawl_status status = pw_place_guard(system, put_shapes, out);
  return out->failed ? PAWL_E_MEMORY : status;
}

/* ---- the drawings ---- */

static bool is_shown(const pw_model *m, int q) {
  for (int i = 0; i < m->draws.n; i++) {
    for (int k = 0; k < m->draws.items[i].n_arg; k++) {
      for (int c = 0; c < m->draws.items[i].args[k].n; c++) {
        if (pw_place_in(m, m->draws.items[i].args[k].v[c], q)) {
          return true;
        }
      }
    }
  }
  return false;
}

static void look_at_all(pawl_system *system, void *payload) {
  int shown = 0;
  for (int q = 0; q < system->model->nq; q++) {
    shown += is_shown(system->model, q);
  }
  *(bool *)payload = 2 * shown >= system->model->nq;
}

pawl_status pw_autodraw_covers(pawl_system *system, bool *enough) {
  *enough = false;
  return pw_place_guard(system, look_at_all, enough);
}
