// SPDX-License-Identifier: MIT
/* Names of the dimensional check, and the note about those whose dimension nobody stated. */
#include <stdio.h>
#include <string.h>

#include "model/dims_walk.h"

static unsigned hash_name(const char *name) {
  unsigned h = 2166136261u;
  for (; *name != '\0'; name++) {
    h = (h ^ (unsigned char)*name) * 16777619u;
  }
  return h;
}

/* The slot of a name, or the empty one where it belongs; the table is never full. */
static pw_meaning **slot_of(const pw_dims *w, const char *name) {
  unsigned mask = (unsigned)w->n_slot - 1;
  unsigned i = hash_name(name) & mask;
  while (w->slots[i] != NULL && strcmp(w->slots[i]->name, name) != 0) {
    i = (i + 1) & mask;
  }
  return &w->slots[i];
}

pw_meaning *pw_dims_find(const pw_dims *w, const char *name) {
  return *slot_of(w, name);
}

void pw_dims_define(pw_dims *w, pw_name name, pw_meaning_kind kind, const pw_stmt *stmt,
                    pw_quantity value) {
  pw_meaning **slot = slot_of(w, name.text);
  if (*slot == NULL) {
    *slot = PW_NEW(w->arena, pw_meaning);
    **slot = (pw_meaning){.name = name.text, .kind = kind, .span = name.span, .stmt = stmt};
  }
  (*slot)->value = value;
}

/* The part that a reference names; an index names any member, since all are alike. */
static const pw_meaning *part_of(pw_dims *w, const pw_ex *ex) {
  while (ex->kind == PW_EX_INDEX) {
    ex = ex->arg[0];
  }
  const pw_meaning *m = ex->kind == PW_EX_NAME ? pw_dims_find(w, ex->name) : pw_dims_member(w, ex);
  return m != NULL && m->kind == PW_MN_PART ? m : NULL;
}

pw_meaning *pw_dims_member(pw_dims *w, const pw_ex *ex) {
  const pw_meaning *part = ex->kind == PW_EX_FIELD ? part_of(w, ex->arg[0]) : NULL;
  if (part == NULL) {
    return NULL;
  }
  size_t size = strlen(part->scope) + strlen(ex->name) + 1;
  char *name = PW_TAKE(w->arena, size, char);
  snprintf(name, size, "%s%s", part->scope, ex->name);
  return pw_dims_find(w, name);
}

const pw_quantity *pw_dims_local(const pw_dims *w, const char *name) {
  for (int i = w->locals.n - 1; i >= w->floor; i--) {
    if (strcmp(w->locals.items[i].name, name) == 0) {
      return &w->locals.items[i].value;
    }
  }
  return NULL;
}

void pw_dims_push(pw_dims *w, const char *name, pw_quantity value) {
  pw_model_local local = {name, value};
  PW_PUSH(w->arena, &w->locals, local);
}

/* The last bit is shared by all names beyond the first 63. */
pw_quantity pw_doubt(pw_dims *w, pw_meaning *m) {
  if (m->bit == 0 && !w->silent) {
    int i = w->n_doubtful < PW_MAX_DOUBTFUL - 1 ? w->n_doubtful++ : PW_MAX_DOUBTFUL - 1;
    w->doubtful[i] = m;
    m->bit = (uint64_t)1 << i;
  }
  return (pw_quantity){.names = m->bit};
}

void pw_dims_remark(pw_dims *w) {
  enum { SHOWN = 8 };
  char names[512];
  size_t len = 0;
  int n = 0;
  const pw_meaning *first = NULL;
  for (int i = 0; i < PW_MAX_DOUBTFUL; i++) {
    if ((w->missed >> i & 1) == 0) {
      continue;
    }
    const pw_meaning *m = w->doubtful[i];
    first = first == NULL ? m : first;
    if (n++ < SHOWN && len < sizeof names) {
      int k = snprintf(names + len, sizeof names - len, "%s`%.40s`", n > 1 ? ", " : "", m->name);
      len += k > 0 ? (size_t)k : 0;
    }
  }
  if (first == NULL) {
    return;
  }
  pw_diag_ref d = pw_remark(w->diags, "N0150", first->span,
                            "dimensions were checked only in part: %s%s %s no unit", names,
                            n > SHOWN ? ", ..." : "", n > 1 ? "have" : "has");
  pw_label(d, "dimension unknown");
  pw_help(d, "give a unit with the value or the start, `[1]` for a pure number");
}
