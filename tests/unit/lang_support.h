// SPDX-License-Identifier: MIT
/* What the tests of the language share: parsing a string, and comparing trees without their
 * places. Trees are compared field by field, so the comparison depends on no printer. */
#ifndef PW_TESTS_LANG_SUPPORT_H
#define PW_TESTS_LANG_SUPPORT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "check.h"
#include "lang/parse.h"
#include "lang/print.h"
#include "lang/spine.h"
#include "lang/token.h"

typedef struct world { /* everything one parse needs */
  pw_arena arena;
  pw_interner names;
  pw_sources sources;
  pawl_diags *diags;
  pw_ast ast;
  int errors; /* as returned by the parser */
  jmp_buf failed;
} world;

static inline world *world_new(void) {
  world *w = calloc(1, sizeof *w);
  if (w == NULL || pawl_diags_new(&w->diags) != PAWL_OK) {
    abort();
  }
  pw_arena_init(&w->arena, 0);
  w->arena.on_fail = &w->failed;
  pw_interner_init(&w->names, &w->arena);
  return w;
}

static inline void world_free(world *w) {
  pw_arena_free(&w->arena);
  pawl_diags_free(w->diags);
  free(w);
}

static inline pw_parse world_env(world *w, const pw_loader *loader) {
  return (pw_parse){&w->arena, &w->names, &w->sources, w->diags, loader};
}

/* Files of numbers are empty, others are not there. */
static inline const char *load_numbers_only(void *payload, const char *from, const char *path,
                                            char **text, size_t *len, char **shown) {
  (void)from;
  size_t n = strlen(path);
  if (n < 4 || strcmp(path + n - 4, ".csv") != 0) {
    return "this text was not read from a file, so nothing can be included";
  }
  *text = *shown = payload;
  *len = 0;
  return NULL;
}

static inline void release_nothing(void *payload, char *memory) {
  (void)payload;
  (void)memory;
}

static inline world *parse_bytes(const char *text, size_t len) {
  world *w = world_new();
  if (setjmp(w->failed) != 0) {
    abort(); /* no memory */
  }
  char nothing[] = "";
  pw_loader loader = {.load = load_numbers_only, .release = release_nothing, .payload = nothing};
  pw_parse env = world_env(w, &loader);
  int file = pw_sources_add(&w->arena, &w->sources, "test.pawl", text, (int)len);
  w->errors = pw_parse_file(&env, file, &w->ast);
  return w;
}

static inline world *parse_string(const char *text) {
  return parse_bytes(text, strlen(text));
}

static inline char *read_model(const char *folder, const char *name) {
  char path[300];
  snprintf(path, sizeof path, "%s/%s/%s", PW_SOURCE_DIR, folder, name);
  FILE *f = fopen(path, "rb");
  char *text = calloc(1, 1 << 16);
  if (f == NULL || text == NULL) {
    printf("cannot read %s\n", path);
    abort();
  }
  size_t n = fread(text, 1, (1 << 16) - 1, f);
  text[n] = '\0';
  fclose(f);
  return text;
}

static inline void show_errors(const world *w) {
  for (int i = 0; i < pawl_diags_count(w->diags); i++) {
    const pawl_diag *d = pawl_diags_get(w->diags, i);
    printf("  %s at %d:%d: %s\n  %s\n", d->code, d->at.line, d->at.column, d->message,
           d->at.source);
  }
}

/* ---- equality of trees ---- */

static inline int same_text(const char *a, const char *b) {
  return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static inline int same_unit(const pw_unit *a, const pw_unit *b) {
  if (a == NULL || b == NULL) {
    return a == b;
  }
  int same = a->n == b->n;
  for (int i = 0; same && i < a->n; i++) {
    same = same_text(a->items[i].name, b->items[i].name) && a->items[i].power == b->items[i].power;
  }
  return same;
}

static inline int same_ex(const pw_ex *a, const pw_ex *b) {
  while (a != NULL && b != NULL && a->kind == b->kind && pw_ex_is_binary(a)) {
    if (!same_ex(a->arg[1], b->arg[1])) {
      return 0;
    }
    a = a->arg[0];
    b = b->arg[0];
  }
  if (a == NULL || b == NULL) {
    return a == b;
  }
  int same = a->kind == b->kind && a->n_arg == b->n_arg && same_text(a->name, b->name) &&
             memcmp(&a->value, &b->value, sizeof a->value) == 0 && same_unit(a->unit, b->unit);
  for (int i = 0; same && i < a->n_arg; i++) {
    same = same_ex(a->arg[i], b->arg[i]);
  }
  return same;
}

static inline int same_label(const pw_heading *a, const pw_heading *b) {
  return same_text(a->name.text, b->name.text) && same_text(a->index.text, b->index.text) &&
         same_ex(a->from, b->from) && same_ex(a->to, b->to) &&
         same_text(a->second.text, b->second.text) && same_ex(a->from2, b->from2) &&
         same_ex(a->to2, b->to2);
}

static inline int same_rel(const pw_rel *a, const pw_rel *b) {
  return a->op == b->op && same_ex(a->left, b->left) && same_ex(a->right, b->right);
}

static inline int same_clause(const pw_clause *a, const pw_clause *b) {
  int same = a->kind == b->kind && same_ex(a->ex, b->ex) && same_ex(a->ex2, b->ex2) &&
             same_ex(a->on, b->on) && same_text(a->word, b->word) && a->points.n == b->points.n &&
             a->by.n == b->by.n;
  for (int i = 0; same && i < a->points.n; i++) {
    same = same_ex(a->points.items[i], b->points.items[i]);
  }
  for (int i = 0; same && i < a->by.n; i++) {
    same = same_ex(a->by.items[i].ref, b->by.items[i].ref) &&
           same_ex(a->by.items[i].factor, b->by.items[i].factor);
  }
  return same;
}

static inline int same_law(const pw_stmt *a, const pw_stmt *b) {
  int same = same_label(&a->u.law.label, &b->u.law.label) &&
             same_rel(&a->u.law.rel, &b->u.law.rel) &&
             same_ex(a->u.law.measure, b->u.law.measure) && a->u.law.is_slip == b->u.law.is_slip &&
             a->u.law.n == b->u.law.n;
  for (int i = 0; same && i < a->u.law.n; i++) {
    same = same_clause(&a->u.law.items[i], &b->u.law.items[i]);
  }
  return same;
}

static inline int same_joint(const pw_stmt *a, const pw_stmt *b) {
  const pw_joint *x = a->u.law.joint, *y = b->u.law.joint;
  int same = same_label(&a->u.law.label, &b->u.law.label) && x->kind == y->kind;
  for (int i = 0; same && i < 2; i++) {
    same = same_ex(x->end[i].body, y->end[i].body) && same_ex(x->end[i].at, y->end[i].at) &&
           same_ex(x->axis[i], y->axis[i]);
  }
  return same;
}

static inline int same_par(const pw_par *a, const pw_par *b) {
  int same = same_label(&a->label, &b->label) && a->at.n == b->at.n &&
             same_ex(a->value, b->value) && same_ex(a->lo, b->lo) && same_ex(a->hi, b->hi);
  for (int i = 0; same && i < a->at.n; i++) {
    same = same_ex(a->at.items[i], b->at.items[i]);
  }
  return same;
}

static inline int same_part(const pw_lang_part *a, const pw_lang_part *b) {
  if (a == NULL || b == NULL) {
    return a == b;
  }
  int same = same_label(&a->label, &b->label) && a->settings.n == b->settings.n;
  for (int i = 0; same && i < a->settings.n; i++) {
    same = same_par(&a->settings.items[i], &b->settings.items[i]);
  }
  return same;
}

static inline int same_init(const pw_init *a, const pw_init *b) {
  return a->mode == b->mode && same_label(&a->label, &b->label) && a->primes == b->primes &&
         same_ex(a->ref, b->ref) && a->is_force == b->is_force && same_ex(a->value, b->value);
}

static inline int same_expect(const pw_stmt *a, const pw_stmt *b) {
  return same_ex(a->u.expect.left, b->u.expect.left) &&
         same_ex(a->u.expect.right, b->u.expect.right) &&
         same_ex(a->u.expect.tol, b->u.expect.tol) && a->u.expect.at == b->u.expect.at &&
         same_ex(a->u.expect.time, b->u.expect.time) &&
         same_text(a->u.expect.kind.text, b->u.expect.kind.text) &&
         same_ex(a->u.expect.count, b->u.expect.count) && same_ex(a->u.expect.of, b->u.expect.of);
}

static inline int same_event(const pw_stmt *a, const pw_stmt *b) {
  return same_text(a->u.event.name.text, b->u.event.name.text) &&
         same_ex(a->u.event.every, b->u.event.every) &&
         same_rel(&a->u.event.rel, &b->u.event.rel) && a->u.event.stop == b->u.event.stop &&
         a->u.event.rising == b->u.event.rising && a->u.event.falling == b->u.event.falling;
}

#define SAME_LIST(field, test)               \
  do {                                       \
    if (a->u.field.n != b->u.field.n) {      \
      return 0;                              \
    }                                        \
    for (int i = 0; i < a->u.field.n; i++) { \
      if (!(test)) {                         \
        return 0;                            \
      }                                      \
    }                                        \
    return 1;                                \
  } while (0)
#define BOTH(field) a->u.field, b->u.field
#define ITEM(list, field) a->u.list.items[i].field, b->u.list.items[i].field

static inline int same_let(const pw_stmt *a, const pw_stmt *b) {
  int same = same_label(&a->u.let.label, &b->u.let.label) &&
             a->u.let.is_function == b->u.let.is_function && a->u.let.n_arg == b->u.let.n_arg &&
             same_ex(BOTH(let.ex));
  for (int i = 0; same && i < a->u.let.n_arg; i++) {
    same = same_text(a->u.let.args[i].text, b->u.let.args[i].text);
  }
  return same;
}

static inline int same_run(const pw_stmt *a, const pw_stmt *b) {
  if (!same_ex(BOTH(run.from)) || !same_ex(BOTH(run.to))) {
    return 0;
  }
  SAME_LIST(run, same_text(ITEM(run, word.text)) && same_text(ITEM(run, choice.text)) &&
                     same_ex(ITEM(run, ex)));
}

static inline int same_shapes(const pw_stmt *a, const pw_stmt *b) {
  SAME_LIST(law.shapes, same_ex(a->u.law.shapes.items[i], b->u.law.shapes.items[i]));
}

static inline int same_corners(const pw_stmt *a, const pw_stmt *b) {
  SAME_LIST(shape.corners, same_ex(a->u.shape.corners.items[i], b->u.shape.corners.items[i]));
}

static inline int same_shape(const pw_stmt *a, const pw_stmt *b) {
  if (!same_label(&a->u.shape.label, &b->u.shape.label) || !same_text(BOTH(shape.kind.text)) ||
      !same_corners(a, b)) {
    return 0;
  }
  SAME_LIST(shape, same_text(ITEM(shape, word)) && same_ex(ITEM(shape, ex)));
}

static inline int same_unit_of(const pw_unit *a, const pw_unit *b) {
  int same = (a == NULL) == (b == NULL) && (a == NULL || a->n == b->n);
  for (int i = 0; same && a != NULL && i < a->n; i++) {
    same = same_text(a->items[i].name, b->items[i].name) && a->items[i].power == b->items[i].power;
  }
  return same;
}

static inline int same_table(const pw_stmt *a, const pw_stmt *b) {
  if (!same_text(BOTH(table.name.text)) || !same_text(BOTH(table.arg.text)) ||
      !same_unit_of(BOTH(table.arg_unit)) || !same_unit_of(BOTH(table.unit)) ||
      !same_text(BOTH(table.data.path)) || a->u.table.points.n != b->u.table.points.n) {
    return 0;
  }
  for (int i = 0; i < a->u.table.points.n; i++) {
    if (!same_ex(a->u.table.points.items[i], b->u.table.points.items[i])) {
      return 0;
    }
  }
  SAME_LIST(table.words, same_text(ITEM(table.words, text)));
}

static inline int same_input(const pw_stmt *a, const pw_stmt *b) {
  if (!same_text(BOTH(input.all.path))) {
    return 0;
  }
  SAME_LIST(input, same_text(ITEM(input, name.text)) && same_ex(ITEM(input, value)) &&
                       same_text(ITEM(input, data.path)) &&
                       a->u.input.items[i].points.n == b->u.input.items[i].points.n);
}

static inline int same_stmt(const pw_stmt *a, const pw_stmt *b) {
  if (a->kind != b->kind) {
    return 0;
  }
  switch (a->kind) {
  case PW_ST_MODEL:
  case PW_ST_INCLUDE: return same_text(BOTH(string.text)) && same_part(BOTH(string.part));
  case PW_ST_PARAMETER:
    SAME_LIST(parameter, same_par(&a->u.parameter.items[i], &b->u.parameter.items[i]));
  case PW_ST_COORDINATES:
    SAME_LIST(coordinates, same_text(ITEM(coordinates, name.text)) &&
                               same_ex(ITEM(coordinates, from)) && same_ex(ITEM(coordinates, to)));
  case PW_ST_ROTATION: SAME_LIST(rotation, same_text(ITEM(rotation, text)));
  case PW_ST_BODY:
    return same_label(&a->u.body.label, &b->u.body.label) && same_ex(BOTH(body.mass)) &&
           same_ex(BOTH(body.inertia));
  case PW_ST_LET: return same_let(a, b);
  case PW_ST_KINETIC:
  case PW_ST_POTENTIAL:
  case PW_ST_DISSIPATION: return same_text(BOTH(energy.name.text)) && same_ex(BOTH(energy.ex));
  case PW_ST_FORCE:
    return a->u.force.at == b->u.force.at && same_ex(BOTH(force.target)) && same_ex(BOTH(force.ex));
  case PW_ST_CONSTRAINT:
  case PW_ST_FRICTION:
  case PW_ST_SPRING:
  case PW_ST_LAW:
  case PW_ST_SERVO: return same_law(a, b);
  case PW_ST_CONTACT: return same_law(a, b) && same_shapes(a, b);
  case PW_ST_SHAPE: return same_shape(a, b);
  case PW_ST_JOINT: return same_joint(a, b);
  case PW_ST_INPUT: return same_input(a, b);
  case PW_ST_TABLE: return same_table(a, b);
  case PW_ST_SAMPLE:
    return same_text(BOTH(sample.name.text)) && same_ex(BOTH(sample.ex)) &&
           same_ex(BOTH(sample.every));
  case PW_ST_START:
  case PW_ST_END: SAME_LIST(start, same_init(&a->u.start.items[i], &b->u.start.items[i]));
  case PW_ST_EVENT: return same_event(a, b);
  case PW_ST_STATE:
  case PW_ST_OUTPUT:
    SAME_LIST(output, same_text(ITEM(output, name.text)) && same_ex(ITEM(output, ex)));
  case PW_ST_PLOT:
    if (!same_ex(BOTH(plot.vs))) {
      return 0;
    }
    SAME_LIST(plot, same_ex(a->u.plot.items[i], b->u.plot.items[i]));
  case PW_ST_DRAW:
    if (!same_text(BOTH(draw.shape.text))) {
      return 0;
    }
    SAME_LIST(draw, same_text(ITEM(draw, word)) && same_text(ITEM(draw, text)) &&
                        same_ex(ITEM(draw, ex)));
  case PW_ST_RUN: return same_run(a, b);
  case PW_ST_EXPECT: return same_expect(a, b);
  }
  return 0;
}

static inline int same_ast(const pw_ast *a, const pw_ast *b) {
  int same = a->n == b->n;
  for (int i = 0; same && i < a->n; i++) {
    same = same_stmt(a->items[i], b->items[i]);
  }
  return same;
}

#endif
