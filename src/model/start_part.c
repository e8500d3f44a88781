// SPDX-License-Identifier: MIT
/* Which entry of the start, or which override, has the last word on each start value, and what is
 * left of an entry as text when others have taken some of its values away. */
#include <string.h>

#include "model/edits.h"

/* ---- values ---- */

int pw_setting_size(const pw_setting *s) {
  return s->target.kind == PW_TG_ROTATION ? 1 : s->target.n;
}

/* The owner of value i; an orientation counts as one value. */
static int *owner_of(pw_check *ck, const pw_settings *all, const pw_setting *s, int i) {
  const pw_target *t = &s->target;
  const pw_coord *coord = &ck->m->coords.items[t->coord];
  switch (t->kind) {
  case PW_TG_SIGNAL: return &all->q_owner[ck->m->signals.items[t->coord].q];
  case PW_TG_ROTATION: return &all->q_owner[coord->q];
  case PW_TG_SPIN: return &all->u_owner[coord->u + t->first + i];
  default: return t->primes == 0 ? &all->q_owner[coord[i].q] : &all->u_owner[coord[i].u];
  }
}

static double final_value(pw_check *ck, const pw_target *t, int i) {
  const pw_coord *coord = &ck->m->coords.items[t->coord];
  if (t->kind == PW_TG_SIGNAL) {
    return ck->draft.q_starts.items[ck->m->signals.items[t->coord].q].value;
  }
  if (t->kind == PW_TG_SPIN) {
    return ck->draft.spins.items[t->coord].w[t->first + i];
  }
  return t->primes == 0 ? ck->draft.q_starts.items[coord[i].q].value
                        : ck->draft.u_starts.items[coord[i].u].value;
}

/* ---- collecting ---- */

/* An angular velocity given in other axes than before replaces all of it. */
static void take_values(pw_check *ck, pw_settings *all) {
  int index = all->list.n - 1;
  const pw_setting *s = &all->list.items[index];
  const pw_target *t = &s->target;
  if (t->kind == PW_TG_SPIN) {
    int *u = &all->u_owner[ck->m->coords.items[t->coord].u];
    for (int i = 0; i < 3; i++) {
      bool turned = u[i] >= 0 && all->list.items[u[i]].target.space != t->space;
      u[i] = turned ? -1 : u[i];
    }
  }
  for (int i = 0; i < pw_setting_size(s); i++) {
    *owner_of(ck, all, s, i) = index;
  }
}

static bool is_movable(const pw_target *t) {
  return t->kind != PW_TG_BAD && t->kind != PW_TG_BODY;
}

static void collect_init(pw_check *ck, pw_settings *all, int stmt, int init) {
  const pw_init *in = &ck->m->ast->items[stmt]->u.start.items[init];
  bool parts = in->label.name.text != NULL && in->ref != NULL; /* overrides stand behind these */
  if (in->mode == PW_INIT_CLOSED || in->is_force || parts) {
    return;
  }
  pw_setting s = {.ex = in->value, .guess = in->mode == PW_INIT_GUESS, .stmt = stmt, .init = init};
  pw_ex name = {.kind = PW_EX_NAME, .span = in->label.name.span, .name = in->label.name.text};
  s.target = pw_resolve(ck, in->ref != NULL ? in->ref : &name, "");
  int behind;
  if (in->ref != NULL) {
    s.left = pw_text_of(ck, in->ref->span);
    behind = in->ref->span.end;
  } else {
    int lo, hi;
    pw_text_list left = {0};
    pw_text_add(ck, &left, name.name);
    for (int i = 0; i < in->primes; i++) {
      pw_text_add(ck, &left, "'");
    }
    s.left = pw_text_end(ck, &left);
    s.index = in->label.index.text;
    behind = in->label.to->span.end;
    if (!pw_elab_range(ck, in->label.from, in->label.to, true, &lo, &hi)) {
      return;
    }
    s.target.coord += lo - s.target.lo;
    s.target.lo = lo;
    s.target.n = hi - lo + 1;
    s.target.primes = in->primes;
  }
  s.value = pw_text_of(ck, pw_value_extent(ck, behind, in->value));
  if (is_movable(&s.target)) {
    PW_PUSH(ck->arena, &all->list, s);
    take_values(ck, all);
  }
}

static void collect_override(pw_check *ck, pw_settings *all, const pw_given *g) {
  pw_setting s = {.target = pw_resolve(ck, g->target, ""),
                  .left = pw_print_text(ck, g->target),
                  .value = pw_given_text(ck, g->value),
                  .ex = g->value,
                  .stmt = -1};
  if (is_movable(&s.target)) {
    PW_PUSH(ck->arena, &all->list, s);
    take_values(ck, all);
  }
}

void pw_collect_settings(pw_check *ck, pw_settings *all) {
  const pw_ast *ast = ck->m->ast;
  all->q_owner = PW_TAKE(ck->arena, ck->m->nq, int);
  all->u_owner = PW_TAKE(ck->arena, ck->m->nv, int);
  for (int i = 0; i < ck->m->nq; i++) {
    all->q_owner[i] = -1;
  }
  for (int i = 0; i < ck->m->nv; i++) {
    all->u_owner[i] = -1;
  }
  for (int i = 0; i < ast->n; i++) {
    for (int k = 0; ast->items[i]->kind == PW_ST_START && k < ast->items[i]->u.start.n; k++) {
      collect_init(ck, all, i, k);
    }
  }
  for (int i = 0; i < ck->n_given; i++) {
    if (!ck->given[i].used) {
      collect_override(ck, all, &ck->given[i]);
    }
  }
}

/* ---- what is left ---- */

int pw_setting_kept(pw_check *ck, const pw_settings *all, int s) {
  int kept = 0;
  for (int i = 0; i < pw_setting_size(&all->list.items[s]); i++) {
    kept += *owner_of(ck, all, &all->list.items[s], i) == s;
  }
  return kept;
}

/* An angular velocity is fixed or guessed as a whole; an override fixes it. */
static const char *sign_of(pw_check *ck, const pw_setting *s) {
  bool fixed = s->target.kind == PW_TG_SPIN && ck->draft.spins.items[s->target.coord].overridden;
  return s->guess && !fixed ? "~" : "=";
}

static const char *component(pw_check *ck, const pw_setting *s, int i) {
  return s->ex->kind == PW_EX_VECTOR ? pw_component_text(ck, pw_text_of(ck, s->ex->span), i)
                                     : pw_exact_text(ck, final_value(ck, &s->target, i));
}

/* A name for the index of a range that means nothing else. */
static const char *free_index(pw_check *ck) {
  const char *name = pw_intern_format(ck->names, "i");
  for (int i = 1; pw_env_find(&ck->env, name) != NULL; i++) {
    name = pw_intern_format(ck->names, "i%d", i);
  }
  return name;
}

/* Members a..b (counted from 0) that all have the same text for their value. */
static const char *range_text(pw_check *ck, const pw_setting *s, int a, int b) {
  int lo = s->target.lo + a, hi = s->target.lo + b;
  if (s->index == NULL && a == b) {
    return pw_format_text(ck, "%s[%d] %s %s", s->left, lo, sign_of(ck, s), s->value);
  }
  const char *index = s->index != NULL ? s->index : free_index(ck);
  return pw_format_text(ck, "%s[%s in %d..%d] %s %s", s->left, index, lo, hi, sign_of(ck, s),
                        s->value);
}

static bool has_one_text(pw_check *ck, const pw_setting *s) {
  pw_val val;
  return s->target.kind == PW_TG_FAMILY &&
         (s->index != NULL || (pw_elab_list(ck, s->ex, 0, "", &val) && val.n == 1));
}

static const char *part_text(pw_check *ck, const pw_settings *all, int index) {
  const pw_setting *s = &all->list.items[index];
  pw_text_list out = {0};
  int n = pw_setting_size(s);
  int lo = s->target.kind == PW_TG_FAMILY ? s->target.lo : 1;
  bool ranges = has_one_text(ck, s);
  for (int i = 0; i < n; i++) {
    if (*owner_of(ck, all, s, i) != index) {
      continue;
    }
    int last = i;
    while (ranges && last + 1 < n && *owner_of(ck, all, s, last + 1) == index) {
      last++;
    }
    pw_text_add(ck, &out, out.n > 0 ? ", " : "");
    pw_text_add(ck, &out,
                ranges ? range_text(ck, s, i, last)
                       : pw_format_text(ck, "%s[%d] %s %s", s->left, lo + i, sign_of(ck, s),
                                        component(ck, s, i)));
    i = last;
  }
  return pw_text_end(ck, &out);
}

const char *pw_setting_text(pw_check *ck, const pw_settings *all, int index) {
  const pw_setting *s = &all->list.items[index];
  if (pw_setting_kept(ck, all, index) < pw_setting_size(s)) {
    return part_text(ck, all, index);
  }
  if (s->index != NULL) {
    return range_text(ck, s, 0, s->target.n - 1);
  }
  return pw_format_text(ck, "%s %s %s", s->left, sign_of(ck, s), s->value);
}
