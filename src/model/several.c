// SPDX-License-Identifier: MIT
/* max(p_1, ..., p_n) is found by n - 1 comparisons: the best so far, i, against the next one,
 *   best(i, j) = if(p_i - p_j >= 0, best(i, j + 1), best(j, j + 1)),     best(i, n + 1) = p_i.
 * So every choice is by the difference of two pieces, and where several of them meet each pair is a
 * kink of its own. */
#include "model/several.h"

enum { MOST_PIECES = 30 };

typedef struct unfolding {
  pw_check *ck;
  unsigned has;
  pw_maxima *out;
} unfolding;

typedef PW_LIST(pw_node) piece_list;

static void flatten(pw_check *ck, pw_node node, pw_op op, piece_list *out) {
  if (pw_node_op(ck->dag, node) != op || out->n > MOST_PIECES) {
    PW_PUSH(ck->arena, out, node);
    return;
  }
  pw_node a = pw_node_arg(ck->dag, node, 0), b = pw_node_arg(ck->dag, node, 1);
  flatten(ck, a, op, out);
  flatten(ck, b, op, out);
}

/* The table best(i, j) for all j > i, from its end; leaf: what piece i stands for. choice: also
 * notes its nodes. */
static pw_node best_of(pw_check *ck, const pw_maximum *s, const pw_node *leaf, pw_maxima *choices) {
  int n = s->n;
  pw_node *best = PW_TAKE(ck->arena, n + 1, pw_node);
  for (int i = 0; i < n; i++) {
    best[i] = leaf[i];
  }
  for (int j = n - 1; j > 0; j--) { /* best[i] is best(i, j + 1) for i <= j */
    for (int i = 0; i < j; i++) {
      pw_node more = pw_sub(ck->dag, s->piece[i], s->piece[j]);
      best[i] = pw_select(ck->dag, more, best[i], best[j]);
      if (choices != NULL) {
        PW_PUSH(ck->arena, &choices->choice, best[i]);
      }
    }
  }
  return best[0];
}

/* Maxima inside of this one were taken for themselves before. */
static void forget_parts(pw_maxima *out, const pw_maximum *whole) {
  int kept = 0;
  for (int k = 0; k < out->all.n; k++) {
    const pw_maximum *s = &out->all.items[k];
    int known = 0;
    for (int i = 0; i < s->n; i++) {
      for (int j = 0; j < whole->n; j++) {
        if (s->piece[i] == whole->piece[j]) {
          known++;
          break;
        }
      }
    }
    if (known < s->n) {
      out->all.items[kept++] = *s;
    }
  }
  out->all.n = kept;
}

static pw_node unfold(void *payload, pw_dag *dag, pw_node node, const pw_node *arg) {
  unfolding *x = payload;
  pw_op op = pw_node_op(dag, node);
  (void)arg;
  if (op != PW_OP_MAX && op != PW_OP_MIN) {
    return -1;
  }
  piece_list pieces = {0};
  flatten(x->ck, node, op, &pieces);
  bool depends = (pw_has(x->ck, node) & x->has) != 0;
  if (pieces.n < 3 || pieces.n > MOST_PIECES || !depends || !pw_spend(x->ck, pieces.n * pieces.n)) {
    return -1;
  }
  pw_maximum s = {.n = pieces.n, .piece = PW_TAKE(x->ck->arena, pieces.n, pw_node)};
  for (int i = 0; i < s.n; i++) {
    pw_node piece = op == PW_OP_MIN ? pw_neg(dag, pieces.items[i]) : pieces.items[i];
    pw_rewrite(dag, &piece, 1, unfold, payload, &s.piece[i]);
  }
  forget_parts(x->out, &s);
  s.root = best_of(x->ck, &s, s.piece, x->out);
  PW_PUSH(x->ck->arena, &x->out->all, s);
  return op == PW_OP_MIN ? pw_neg(dag, s.root) : s.root;
}

pw_node pw_maxima_unfold(pw_check *ck, unsigned has, pw_node energy, pw_maxima *out) {
  unfolding x = {ck, has, out};
  pw_node unfolded;
  pw_rewrite(ck->dag, &energy, 1, unfold, &x, &unfolded);
  return unfolded;
}

pw_node pw_maximum_is_top(pw_check *ck, const pw_maximum *s, int i) {
  pw_node *leaf = PW_TAKE(ck->arena, s->n, pw_node);
  for (int k = 0; k < s->n; k++) {
    leaf[k] = pw_const(ck->dag, k == i);
  }
  return best_of(ck, s, leaf, NULL);
}

const pw_maximum *pw_maximum_of(const pw_maxima *list, pw_node root) {
  for (int k = 0; k < list->all.n; k++) {
    if (list->all.items[k].root == root) {
      return &list->all.items[k];
    }
  }
  return NULL;
}

bool pw_maximum_has_choice(const pw_maxima *list, pw_node node) {
  for (int k = 0; k < list->choice.n; k++) {
    if (list->choice.items[k] == node) {
      return true;
    }
  }
  return false;
}
