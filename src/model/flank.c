// SPDX-License-Identifier: MIT
/* Flanks: where `mod`, `floor`, `ceil` or `round` let the gap g of a contact jump, the obstacle has
 * a face along the jump. With x the argument of the stairs and k = floor(x) the piece of the
 * present, a body that comes to x = k meets the face if g would be negative beyond it, and passes
 * if not (engineering (E8)):
 *   low:  x - k >= 0 where g < 0 in piece k - 1,   high:  k + 1 - x >= 0 where g < 0 in piece k
 * + 1. Each is a contact like others, with the impact law of its constraint. */
#include "model/law_rows.h"

typedef struct pw_stair {
  pw_node whole;    /* floor(x) */
  double step;      /* to the piece beyond: -1 or 1 */
  pw_node beyond;   /* g there */
  pw_node distance; /* to the face */
} pw_stair;

static pw_node step_over(void *payload, pw_dag *dag, pw_node node, const pw_node *arg) {
  const pw_stair *s = payload;
  (void)arg;
  return node == s->whole ? pw_add(dag, node, pw_const(dag, s->step)) : -1;
}

const pw_row *pw_face_named(const pw_check *ck, int row, const char *name) {
  const char *whole = pw_intern_format(ck->names, "%s.%s", ck->m->rows.items[row].name, name);
  for (int i = row + 1; i < ck->m->rows.n; i++) {
    const pw_row *r = &ck->m->rows.items[i];
    if (r->is_face && r->name == whole) {
      return r;
    }
  }
  return NULL;
}

static const pw_lut *stairs_of(pw_check *ck, pw_node node) {
  int order;
  const pw_lut *t = pw_node_op(ck->dag, node) == PW_OP_TABLE
                        ? pw_dag_table(ck->dag, pw_node_table(ck->dag, node, &order))
                        : NULL;
  return t != NULL && pw_lut_is_stairs(t) ? t : NULL;
}

/* One face as a row; where it does not stand the gap is a whole piece. */
static void add_face(pw_check *ck, int of, pw_stair *s, int number) {
  pw_dag *dag = ck->dag;
  const pw_row *row = &ck->m->rows.items[of];
  const pw_lut *t = stairs_of(ck, s->whole);
  pw_node x = pw_node_arg(dag, s->whole, 0), one = pw_const(dag, 1);
  pw_node part = pw_sub(dag, x, s->whole); /* from origin to origin + 1 */
  pw_node edge = pw_const(dag, s->step < 0 ? t->origin : t->origin + 1);
  s->distance = s->step < 0 ? pw_sub(dag, part, edge) : pw_sub(dag, edge, part);
  pw_rewrite(dag, &row->value, 1, step_over, s, &s->beyond);
  pw_node value = pw_select(dag, s->beyond, one, s->distance);
  const char *name = pw_intern_format(ck->names, number > 1 ? "%s.%s%d" : "%s.%s", row->name,
                                      s->step < 0 ? "low" : "high", number);
  pw_val one_value = {.kind = PW_V_VECTOR, .n = 1, .v = &value};
  pw_row_draft draft = {.kind = PW_KIND_UNILATERAL, .clause = PW_NO_CLAUSES};
  draft.clause.restitution = row->clause.restitution;
  draft.clause.impact = row->clause.impact;
  if (pw_add_rows(ck, name, &draft, &one_value, row->rel_span)) {
    ck->m->rows.items[ck->m->rows.n - 1].is_face = true;
    ck->m->rows.items[ck->m->rows.n - 1].stairs = s->whole;
  }
}

typedef struct pw_stair_list {
  pw_check *ck;
  PW_LIST(pw_node) found;
} pw_stair_list;

/* Stairs of a time alone are no faces: the wall itself jumps. */
static void collect(void *payload, pw_node node) {
  pw_stair_list *l = payload;
  if (stairs_of(l->ck, node) != NULL && (pw_has(l->ck, node) & PW_HAS_Q) != 0) {
    PW_PUSH(l->ck->arena, &l->found, node);
  }
}

void pw_add_flanks(pw_check *ck, int first) {
  int n = ck->m->rows.n;
  for (int i = first; i < n; i++) {
    const pw_row *row = &ck->m->rows.items[i];
    pw_stair_list list = {.ck = ck};
    if (row->kind == PW_KIND_UNILATERAL && !row->on_velocity) {
      pw_dag_walk(ck->dag, &row->value, 1, collect, &list);
    }
    for (int k = 0; k < list.found.n && pw_spend(ck, 2); k++) {
      for (int step = -1; step <= 1; step += 2) {
        pw_stair s = {.whole = list.found.items[k], .step = step};
        add_face(ck, i, &s, k + 1);
      }
    }
  }
}
