// SPDX-License-Identifier: MIT
#include "model/env.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char *const reserved[] = {
    "t",     "pi",    "inf",  "in",    "sin",  "cos", "tan",  "asin", "acos", "atan",
    "atan2", "sinh",  "cosh", "tanh",  "exp",  "log", "sqrt", "abs",  "sign", "min",
    "max",   "hypot", "dot",  "cross", "norm", "sum", "axis", "if",   "and",  "or"};

bool pw_is_reserved(const char *name) {
  for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++) {
    if (strcmp(reserved[i], name) == 0) {
      return true;
    }
  }
  return false;
}

/* Names are interned, so their addresses identify them. */
static pw_symbol **find_slot(const pw_env *env, const char *name) {
  uint64_t h = (uint64_t)(uintptr_t)name * 0x9E3779B97F4A7C15u;
  uint64_t mask = (uint64_t)env->n_slot - 1;
  uint64_t i = (h >> 32) & mask;
  while (env->slots[i] != NULL && env->slots[i]->name != name) {
    i = (i + 1) & mask;
  }
  return &env->slots[i];
}

static void widen(pw_env *env) {
  env->n_slot = env->n_slot == 0 ? 64 : 2 * env->n_slot;
  env->slots = PW_TAKE(env->arena, env->n_slot, pw_symbol *);
  for (int i = 0; i < env->all.n; i++) {
    *find_slot(env, env->all.items[i]->name) = env->all.items[i];
  }
}

static void announce(pw_env *env, pw_name name, pw_symbol_kind kind, const pw_stmt *stmt) {
  if (2 * (env->all.n + 1) > env->n_slot) {
    widen(env);
  }
  pw_symbol **slot = find_slot(env, name.text);
  if (*slot == NULL) {
    pw_symbol *sym = PW_NEW(env->arena, pw_symbol);
    *sym = (pw_symbol){.name = name.text, .kind = kind, .span = name.span, .stmt = stmt};
    *slot = sym;
    PW_PUSH(env->arena, &env->all, sym);
  }
}

void pw_env_announce(pw_env *env, const pw_stmt *s) {
  switch (s->kind) {
  case PW_ST_PARAMETER: /* with an index it changes a number and names nothing */
    for (int i = 0; i < s->u.parameter.n; i++) {
      if (s->u.parameter.items[i].at.n == 0) {
        announce(env, s->u.parameter.items[i].label.name, PW_SYM_PARAMETER, s);
      }
    }
    break;
  case PW_ST_COORDINATES: /* here and below: one name for each item of the list */
    for (int i = 0; i < s->u.coordinates.n; i++) {
      announce(env, s->u.coordinates.items[i].name, PW_SYM_COORDINATE, s);
    }
    break;
  case PW_ST_ROTATION:
    for (int i = 0; i < s->u.rotation.n; i++) {
      announce(env, s->u.rotation.items[i], PW_SYM_ROTATION, s);
    }
    break;
  case PW_ST_OUTPUT:
    for (int i = 0; i < s->u.output.n; i++) {
      announce(env, s->u.output.items[i].name, PW_SYM_OUTPUT, s);
    }
    break;
  case PW_ST_STATE:
    for (int i = 0; i < s->u.output.n; i++) {
      announce(env, s->u.output.items[i].name, PW_SYM_STATE, s);
    }
    break;
  case PW_ST_INPUT:
    for (int i = 0; i < s->u.input.n; i++) {
      announce(env, s->u.input.items[i].name, PW_SYM_INPUT, s);
    }
    break;
  case PW_ST_SAMPLE: announce(env, s->u.sample.name, PW_SYM_SAMPLE, s); break;
  case PW_ST_TABLE: announce(env, s->u.table.name, PW_SYM_TABLE, s); break;
  case PW_ST_BODY: announce(env, s->u.body.label.name, PW_SYM_BODY, s); break;
  case PW_ST_LET: /* with arguments it is a function */
    announce(env, s->u.let.label.name, s->u.let.is_function ? PW_SYM_FUNCTION : PW_SYM_LET, s);
    break;
  case PW_ST_KINETIC: /* energies of all kinds */
  case PW_ST_POTENTIAL:
  case PW_ST_DISSIPATION: announce(env, s->u.energy.name, PW_SYM_ENERGY, s); break;
  case PW_ST_CONSTRAINT: /* laws: their forces can be asked for by name */
  case PW_ST_FRICTION:
  case PW_ST_SPRING:
  case PW_ST_LAW:
  case PW_ST_SERVO:
  case PW_ST_JOINT: announce(env, s->u.law.label.name, PW_SYM_LAW, s); break;
  case PW_ST_CONTACT: announce(env, s->u.law.label.name, PW_SYM_LAW, s); break;
  case PW_ST_SHAPE: announce(env, s->u.shape.label.name, PW_SYM_SHAPE, s); break;
  case PW_ST_INCLUDE: /* only a part has a name; plain text has none */
    if (s->u.string.part != NULL) {
      announce(env, s->u.string.part->label.name, PW_SYM_PART, s);
    }
    break;
  case PW_ST_EVENT: announce(env, s->u.event.name, PW_SYM_EVENT, s); break;
  default: break; /* the other statements name nothing */
  }
}

static int by_address(const void *a, const void *b) {
  uintptr_t x = (uintptr_t) * (const char *const *)a, y = (uintptr_t) * (const char *const *)b;
  return (x > y) - (x < y);
}

static void sort_excused(pw_env *env) {
  int n = env->ast->excused.n;
  if (n > 0) {
    env->excused = PW_TAKE(env->arena, n, const char *);
    env->n_excused = n;
    memcpy(env->excused, env->ast->excused.items, (size_t)n * sizeof *env->excused);
    qsort(env->excused, (size_t)n, sizeof *env->excused, by_address);
  }
}

bool pw_env_excuses(const pw_env *env, const char *name) {
  return env->ast->broken_names ||
         (env->n_excused > 0 && bsearch(&name, env->excused, (size_t)env->n_excused,
                                        sizeof *env->excused, by_address) != NULL);
}

void pw_env_init(pw_env *env, pw_arena *arena, const pw_ast *ast) {
  *env = (pw_env){.arena = arena, .ast = ast};
  sort_excused(env);
  widen(env);
  for (int i = 0; i < ast->n; i++) {
    pw_env_announce(env, ast->items[i]);
  }
}

pw_symbol *pw_env_find(const pw_env *env, const char *name) {
  for (int i = env->locals.n - 1; i >= env->floor; i--) {
    if (env->locals.items[i].name == name) {
      return &env->locals.items[i];
    }
  }
  return *find_slot(env, name);
}

void pw_env_push(pw_env *env, pw_name name, pw_val val) {
  pw_symbol sym = {
      .name = name.text, .kind = PW_SYM_LOCAL, .span = name.span, .defined = true, .val = val};
  PW_PUSH(env->arena, &env->locals, sym);
}

void pw_env_drop(pw_env *env, int n) {
  env->locals.n -= n;
}

void pw_env_clear(pw_env *env) {
  env->locals.n = 0;
}

void pw_env_suggest(const pw_env *env, pw_suggest *s) {
  for (int i = env->floor; i < env->locals.n; i++) {
    pw_suggest_try(s, env->locals.items[i].name);
  }
  for (int i = 0; i < env->all.n; i++) {
    if (env->all.items[i]->defined) {
      pw_suggest_try(s, env->all.items[i]->name);
    }
  }
}

const char *pw_symbol_kind_name(const pw_symbol *sym) {
  switch (sym->kind) {
  case PW_SYM_PARAMETER: return "parameter";
  case PW_SYM_COORDINATE: return "coordinate";
  case PW_SYM_ROTATION: return "rotation";
  case PW_SYM_BODY: return "body";
  case PW_SYM_LET: return "definition";
  case PW_SYM_INPUT: return "input";
  case PW_SYM_STATE: return "state";
  case PW_SYM_SAMPLE: return "sample";
  case PW_SYM_TABLE: return "table";
  case PW_SYM_FUNCTION: return "function";
  case PW_SYM_ENERGY:
    return sym->stmt->kind == PW_ST_KINETIC     ? "kinetic energy"
           : sym->stmt->kind == PW_ST_POTENTIAL ? "potential"
                                                : "dissipation";
  case PW_SYM_LAW: return "law";
  case PW_SYM_SHAPE: return "shape";
  case PW_SYM_EVENT: return "event";
  case PW_SYM_OUTPUT: return "output";
  case PW_SYM_PART: return "part";
  case PW_SYM_LOCAL: return "local name";
  }
  return "name";
}
