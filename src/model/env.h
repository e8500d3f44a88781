// SPDX-License-Identifier: MIT
/* Names and what they mean. Every name of a model is defined once; a table made before the
 * check starts knows all of them, so that use before definition can say where that is. */
#ifndef PW_MODEL_ENV_H
#define PW_MODEL_ENV_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/suggest.h"
#include "lang/ast.h"
#include "model/value.h"

typedef enum pw_symbol_kind {
  PW_SYM_PARAMETER,
  PW_SYM_COORDINATE,
  PW_SYM_ROTATION,
  PW_SYM_BODY,
  PW_SYM_LET,
  PW_SYM_FUNCTION,
  PW_SYM_ENERGY, /* kinetic, potential, dissipation */
  PW_SYM_LAW,
  PW_SYM_SHAPE,
  PW_SYM_EVENT,
  PW_SYM_OUTPUT,
  PW_SYM_PART, /* include ... as */
  PW_SYM_INPUT,
  PW_SYM_STATE,
  PW_SYM_SAMPLE,
  PW_SYM_TABLE,
  PW_SYM_LOCAL /* family index or argument of a function */
} pw_symbol_kind;

typedef struct pw_symbol {
  const char *name; /* interned */
  pw_symbol_kind kind;
  pw_span span;
  const pw_stmt *stmt;
  bool defined;         /* its statement has been reached */
  pw_val val;           /* PW_V_BAD: its definition has an error */
  int kink_row, n_kink; /* of an energy: rows of its kinks */
  /* A parameter: its numbers, member after member. */
  bool family;
  int lo;            /* of a family */
  int each;          /* components of a vector; 0: numbers */
  int first;         /* its first number among those of the model */
  pw_node *nodes;    /* their values */
  const pw_ex *used; /* the first place that uses it; NULL: none yet */
} pw_symbol;

typedef struct pw_env {
  pw_arena *arena;
  pw_symbol **slots; /* by name */
  int n_slot;
  struct {
    pw_symbol **items;
    int n, cap;
  } all; /* in order of the text */
  struct {
    pw_symbol *items;
    int n, cap;
  } locals;
  const pw_ast *ast;
  const char **excused; /* names in statements with syntax errors, in order of addresses */
  int n_excused;
  int floor; /* locals below belong to a caller and are not seen */
} pw_env;

/* Enters the first definition of every name of the model. */
void pw_env_init(pw_env *env, pw_arena *arena, const pw_ast *ast);

/* Enters the names of one more statement. */
void pw_env_announce(pw_env *env, const pw_stmt *stmt);

/* Local names hide others; NULL if nobody defines the name. */
pw_symbol *pw_env_find(const pw_env *env, const char *name);

/* Whether a statement with a syntax error may define the name: then its absence is no error. */
bool pw_env_excuses(const pw_env *env, const char *name);

void pw_env_push(pw_env *env, pw_name name, pw_val val);
/* Forgets the last n locals that were pushed; all of them. */
void pw_env_drop(pw_env *env, int n);
void pw_env_clear(pw_env *env);

/* Offers every name defined so far. */
void pw_env_suggest(const pw_env *env, pw_suggest *s);

const char *pw_symbol_kind_name(const pw_symbol *sym); /* "parameter", "definition", ... */

/* t, pi, sin, dot, if, ...: the parser lets nobody define these. */
bool pw_is_reserved(const char *name);

#endif
