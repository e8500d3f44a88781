// SPDX-License-Identifier: MIT
/* Names that would look alike in print, `beta` and `\u03b2`, `x1` and `x_1`: all but the first of
 * them are printed as words, letter by letter; a letter that is written itself stays. */
#include "export/plain_names.h"

#include <stdlib.h>
#include <string.h>

typedef struct entry {
  const char *name;
  char *shown;
} entry;

typedef struct lexicon {
  pw_arena *arena;
  pw_notation to; /* without words */
  PW_LIST(entry) all;
  PW_LIST(const char *) plain;
} lexicon;

static char *shown_as(lexicon *x, const char *name) {
  pw_buf text = {0};
  pw_notation to = {.out = &text, .format = x->to.format};
  pw_math_name(&to, name, 0);
  char *out = PW_TAKE(x->arena, text.len + 1, char);
  if (!text.failed && text.len > 0) {
    memcpy(out, text.text, text.len);
  }
  x->to.out->failed = x->to.out->failed || text.failed;
  pw_buf_free(&text);
  return out;
}

static void enter(lexicon *x, const char *name) {
  if (name == NULL) {
    return;
  }
  entry e = {name, shown_as(x, name)};
  for (int i = 0; i < x->all.n; i++) {
    if (strcmp(x->all.items[i].name, name) == 0) {
      return;
    }
  }
  for (int i = 0; i < x->all.n; i++) {
    if (strcmp(x->all.items[i].shown, e.shown) == 0) { /* a letter itself is no word */
      bool letter = (unsigned char)name[0] >= 0x80;
      PW_PUSH(x->arena, &x->plain, letter ? x->all.items[i].name : name);
      break;
    }
  }
  PW_PUSH(x->arena, &x->all, e);
}

void pw_plain_names(const pw_model *m, pw_arena *arena, pw_notation *to) {
  lexicon x = {.arena = arena, .to = *to};
  for (int i = 0; i < m->coords.n; i++) {
    enter(&x, m->coords.items[i].of);
  }
  for (int i = 0; i < m->parameters.n; i++) {
    enter(&x, m->parameters.items[i].name);
  }
  for (int i = 0; i < m->signals.n; i++) {
    pw_signal_kind kind = m->signals.items[i].kind;
    bool named = kind != PW_SIGNAL_DELAY && kind != PW_SIGNAL_TURNS;
    enter(&x, named ? m->signals.items[i].name : NULL);
  }
  for (int i = 0; i < m->ast->n; i++) {
    const pw_stmt *s = m->ast->items[i];
    bool energy =
        s->kind == PW_ST_KINETIC || s->kind == PW_ST_POTENTIAL || s->kind == PW_ST_DISSIPATION;
    enter(&x, s->kind == PW_ST_LET     ? s->u.let.label.name.text
              : s->kind == PW_ST_TABLE ? s->u.table.name.text
              : energy                 ? s->u.energy.name.text
                                       : NULL);
  }
  to->plain = x.plain.items;
  to->n_plain = x.plain.n;
}
