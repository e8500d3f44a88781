// SPDX-License-Identifier: MIT
/* Random statements, built as trees and not by way of text. Every form of the grammar occurs. */
#ifndef PW_TESTS_LANG_RANDOM_H
#define PW_TESTS_LANG_RANDOM_H

#include <stdint.h>

#include "lang_support.h"

typedef struct dice {
  uint64_t state;
  pw_arena *arena;
} dice;

static inline int roll(dice *d, int sides) { /* 0 .. sides - 1 */
  d->state = d->state * 6364136223846793005u + 1442695040888963407u;
  return (int)((d->state >> 33) % (uint64_t)sides);
}

/* Clause words and keywords among them: they are ordinary names inside expressions. */
static inline const char *random_name(dice *d) {
  static const char *const names[] = {"x",  "y",  "th",  "mu",       "on",   "restitution", "e",
                                      "g",  "vs", "run", "law",      "slip", "closed",      "of",
                                      "_1", "N",  "by",  "\xCE\xB1", "force"};
  return names[roll(d, sizeof names / sizeof *names)];
}

static inline pw_ex *random_node(dice *d, pw_ex_kind kind, int n) {
  pw_ex *ex = PW_NEW(d->arena, pw_ex);
  ex->kind = kind;
  ex->n_arg = n;
  ex->arg = n == 0 ? NULL : PW_TAKE(d->arena, n, pw_ex *);
  return ex;
}

static inline pw_ex *random_ex(dice *d, int depth);

static inline const pw_unit *random_unit(dice *d) {
  static const char *const names[] = {"m", "kg", "s", "mm", "N", "rad", "1"};
  pw_unit *unit = PW_NEW(d->arena, pw_unit);
  for (int i = roll(d, 3); i >= 0; i--) {
    pw_unit_factor f = {.name = names[roll(d, 7)], .power = roll(d, 9) - 4};
    PW_PUSH(d->arena, unit, f);
  }
  return unit;
}

static inline pw_ex *random_leaf(dice *d) {
  static const double values[] = {0, 1, 2, 0.5, 9.81, 1e-9, 1e300, 0.1, 123456789.123, 3e-320};
  static const char *const fixed[] = {"t", "pi", "inf"};
  pw_ex *ex = random_node(d, roll(d, 2) ? PW_EX_NUM : PW_EX_NAME, 0);
  if (ex->kind == PW_EX_NAME) {
    ex->name = roll(d, 6) == 0 ? fixed[roll(d, 3)] : random_name(d);
  } else {
    ex->value = roll(d, 2) ? values[roll(d, 10)] : roll(d, 1 << 30) / 7.0;
    ex->unit = roll(d, 4) == 0 ? random_unit(d) : NULL;
  }
  return ex;
}

static inline pw_ex *random_condition(dice *d, int depth) {
  static const pw_ex_kind kinds[] = {PW_EX_GT, PW_EX_GE, PW_EX_LT, PW_EX_LE};
  pw_ex *all = NULL; /* a or b and c ..., as the grammar has it: no parentheses */
  for (int i = roll(d, 3); i >= 0; i--) {
    pw_ex *each = NULL;
    for (int k = roll(d, 3); k >= 0; k--) {
      pw_ex *one = random_node(d, kinds[roll(d, 4)], 2);
      one->arg[0] = random_ex(d, depth - 1);
      one->arg[1] = random_ex(d, depth - 1);
      pw_ex *both = each == NULL ? one : random_node(d, PW_EX_AND, 2);
      if (each != NULL) {
        both->arg[0] = each;
        both->arg[1] = one;
      }
      each = both;
    }
    pw_ex *either = all == NULL ? each : random_node(d, PW_EX_OR, 2);
    if (all != NULL) {
      either->arg[0] = all;
      either->arg[1] = each;
    }
    all = either;
  }
  return all;
}

static inline pw_ex *random_call(dice *d, int depth) {
  int kind = roll(d, 4);
  int n = kind == 0 ? 1 : kind == 1 ? 3 : 1 + roll(d, 3);
  pw_ex *ex = random_node(d, PW_EX_CALL, n + 1);
  ex->arg[0] = random_node(d, PW_EX_NAME, 0);
  ex->arg[0]->name = kind == 0 ? "sum" : kind == 1 ? "if" : random_name(d);
  for (int i = 1; i <= n; i++) {
    ex->arg[i] = kind == 1 && i == 1 ? random_condition(d, depth) : random_ex(d, depth - 1);
  }
  if (kind == 0) {
    pw_ex *each = random_node(d, PW_EX_EACH, 3);
    each->name = random_name(d);
    for (int i = 0; i < 3; i++) {
      each->arg[i] = random_ex(d, depth - 1);
    }
    ex->arg[1] = each;
  }
  return ex;
}

static inline pw_ex *random_ex(dice *d, int depth) {
  static const pw_ex_kind kinds[] = {PW_EX_NEG,   PW_EX_POS,   PW_EX_ADD,  PW_EX_SUB,
                                     PW_EX_MUL,   PW_EX_DIV,   PW_EX_POW,  PW_EX_PRIME,
                                     PW_EX_INDEX, PW_EX_FIELD, PW_EX_CALL, PW_EX_VECTOR};
  static const int counts[] = {1, 1, 2, 2, 2, 2, 2, 1, 2, 1, 0, 0};
  if (depth <= 0 || roll(d, 5) == 0) {
    return random_leaf(d);
  }
  int which = roll(d, 12);
  if (kinds[which] == PW_EX_CALL) {
    return random_call(d, depth);
  }
  int n = kinds[which] == PW_EX_VECTOR ? 2 + roll(d, 3) : counts[which];
  pw_ex *ex = random_node(d, kinds[which], n);
  ex->name = kinds[which] == PW_EX_FIELD ? random_name(d) : NULL;
  for (int i = 0; i < n; i++) {
    ex->arg[i] = random_ex(d, depth - 1);
  }
  return ex;
}

static inline pw_ex *any_ex(dice *d) {
  return random_ex(d, 1 + roll(d, 5));
}

/* NAME with indexes, fields and primes. */
static inline pw_ex *random_ref(dice *d) {
  pw_ex *ex = random_node(d, PW_EX_NAME, 0);
  ex->name = random_name(d);
  for (int i = roll(d, 4); i > 0; i--) {
    static const pw_ex_kind kinds[] = {PW_EX_PRIME, PW_EX_INDEX, PW_EX_FIELD};
    int which = roll(d, 3);
    pw_ex *outer = random_node(d, kinds[which], which == 1 ? 2 : 1);
    outer->arg[0] = ex;
    outer->name = which == 2 ? random_name(d) : NULL;
    if (which == 1) {
      outer->arg[1] = any_ex(d);
    }
    ex = outer;
  }
  return ex;
}

static inline pw_heading random_label(dice *d, int family) {
  pw_heading label = {.name.text = random_name(d)};
  if (family || roll(d, 3) == 0) {
    label.index.text = random_name(d);
    label.from = any_ex(d);
    label.to = any_ex(d);
  }
  return label;
}

static inline void random_clause(dice *d, pw_stmt *s, pw_clause_kind kind) {
  pw_clause c = {.kind = kind};
  if (kind != PW_CL_VAKONOMIC && kind != PW_CL_ROUGH && kind != PW_CL_GRAPH && kind != PW_CL_BY &&
      kind != PW_CL_ONE_WAY && kind != PW_CL_PULL) {
    c.ex = any_ex(d);
  }
  c.word = kind == PW_CL_PULL ? "allow" : NULL;
  if (kind == PW_CL_INERTIA && roll(d, 2)) {
    c.word = roll(d, 2) ? "reservoir" : "complementary";
  }
  c.ex2 = kind == PW_CL_PLAY ? any_ex(d) : NULL;
  c.on = kind == PW_CL_MU || kind == PW_CL_ROUGH ? random_ref(d) : NULL;
  if (kind == PW_CL_MU && roll(d, 3) == 0) { /* a list of equalities */
    pw_ex *list = random_node(d, PW_EX_VECTOR, 2 + roll(d, 2));
    for (int i = 0; i < list->n_arg; i++) {
      list->arg[i] = random_ref(d);
    }
    c.on = list;
  }
  for (int i = kind == PW_CL_GRAPH ? 1 + roll(d, 4) : 0; i > 0; i--) {
    pw_ex *point = random_node(d, PW_EX_VECTOR, 2);
    point->arg[0] = any_ex(d);
    point->arg[1] = any_ex(d);
    PW_PUSH(d->arena, &c.points, point);
  }
  bool with_factors = roll(d, 2);
  for (int i = kind != PW_CL_BY ? 0 : with_factors ? 1 + roll(d, 3) : 1; i > 0; i--) {
    pw_by by = {random_ref(d), with_factors ? any_ex(d) : NULL};
    PW_PUSH(d->arena, &c.by, by);
  }
  PW_PUSH(d->arena, &s->u.law, c);
}

/* Each clause of the list with probability 1/2. */
static inline void random_clauses(dice *d, pw_stmt *s, const pw_clause_kind *kinds, int n) {
  for (int i = 0; i < n; i++) {
    if (roll(d, 2)) {
      random_clause(d, s, kinds[i]);
    }
  }
}

static inline void random_law(dice *d, pw_stmt *s) {
  static const pw_clause_kind claw[] = {PW_CL_RESTITUTION, PW_CL_POISSON, PW_CL_VAKONOMIC,
                                        PW_CL_INERTIA,     PW_CL_VISCOUS, PW_CL_STIFFNESS};
  static const pw_clause_kind sclause[] = {PW_CL_STIFFNESS, PW_CL_PLAY, PW_CL_PRELOAD,
                                           PW_CL_DAMPING, PW_CL_PULL};
  static const pw_clause_kind behind_mu[] = {PW_CL_RESTITUTION, PW_CL_STATIC};
  static const pw_clause_kind first[] = {PW_CL_MU, PW_CL_ROUGH, PW_CL_BOUND};
  s->u.law.label = random_label(d, 0);
  if (s->kind == PW_ST_CONSTRAINT || s->kind == PW_ST_SERVO) {
    s->u.law.rel = (pw_rel){.op = (pw_relation)roll(d, 3), .left = any_ex(d), .right = any_ex(d)};
  } else {
    s->u.law.is_slip = s->kind == PW_ST_FRICTION || (s->kind == PW_ST_LAW && roll(d, 2));
    s->u.law.measure = any_ex(d);
  }
  if (s->kind == PW_ST_CONSTRAINT) {
    random_clauses(d, s, claw, 6);
  } else if (s->kind == PW_ST_SPRING) {
    random_clauses(d, s, sclause, 5);
  } else if (s->kind == PW_ST_FRICTION) {
    int which = roll(d, 3);
    random_clause(d, s, first[which]);
    random_clauses(d, s, behind_mu + (which == 2), which == 0 ? 2 : 1);
  } else if (s->kind == PW_ST_LAW) {
    random_clause(d, s, PW_CL_GRAPH);
  } else {
    static const pw_clause_kind one_way[] = {PW_CL_ONE_WAY};
    random_clause(d, s, PW_CL_BY);
    random_clauses(d, s, one_way, 1);
  }
}

static inline pw_init random_init(dice *d) {
  pw_init init = {.mode = PW_INIT_FIX};
  int kind = roll(d, 4);
  init.mode = kind == 3 ? PW_INIT_CLOSED : roll(d, 2) ? PW_INIT_FIX : PW_INIT_GUESS;
  if (kind == 0) {
    init.label = random_label(d, 1);
    init.primes = roll(d, 3);
  } else {
    init.ref = random_ref(d);
    init.is_force = kind == 1;
  }
  init.value = kind == 3 ? NULL : any_ex(d);
  return init;
}

static inline void random_run(dice *d, pw_stmt *s) {
  static const char *const words[] = {"tol", "energy-gain", "start-impact", "method"};
  s->u.run.from = any_ex(d);
  s->u.run.to = any_ex(d);
  for (int i = roll(d, 4); i > 0; i--) {
    pw_runopt option = {.word.text = words[roll(d, 4)]};
    if (roll(d, 2)) {
      option.ex = random_node(d, PW_EX_NAME, 0);
      option.ex->name = option.choice.text = "moreau";
    } else {
      option.ex = random_node(d, PW_EX_MUL, 2); /* a single name would be a choice */
      option.ex->arg[0] = random_ex(d, 0);
      option.ex->arg[1] = random_ex(d, 2);
    }
    PW_PUSH(d->arena, &s->u.run, option);
  }
}

static inline void random_joint(dice *d, pw_stmt *s) {
  pw_joint *joint = PW_NEW(d->arena, pw_joint);
  s->u.law.label = random_label(d, roll(d, 2));
  s->u.law.joint = joint;
  joint->kind = (pw_joint_kind)roll(d, PW_JOINTS);
  int axes = roll(d, 3);
  for (int i = 0; i < 2; i++) {
    joint->end[i].body = random_ref(d);
    joint->end[i].at = roll(d, 2) ? any_ex(d) : NULL;
    joint->axis[i] = i < axes ? any_ex(d) : NULL;
  }
}

static inline void random_expect(dice *d, pw_stmt *s) {
  s->u.expect.left = any_ex(d);
  s->u.expect.right = any_ex(d);
  s->u.expect.tol = any_ex(d);
  int at = roll(d, 3);
  if (at == 1) {
    s->u.expect.at = PW_AT_TIME;
    s->u.expect.time = any_ex(d);
  } else if (at == 2) {
    s->u.expect.at = PW_AT_EVENT;
    s->u.expect.kind.text = "impact";
    s->u.expect.count = any_ex(d);
    s->u.expect.of = random_ref(d);
  }
}

static inline void random_parts(dice *d, pw_stmt *s) {
  for (int i = 1 + roll(d, 3); i > 0; i--) {
    pw_name name = {.text = random_name(d)};
    if (s->kind == PW_ST_PARAMETER) {
      int range = roll(d, 2);
      pw_par par = {.label = random_label(d, roll(d, 2)), .value = any_ex(d)};
      par.lo = range ? any_ex(d) : NULL;
      par.hi = range ? any_ex(d) : NULL;
      for (int k = par.label.index.text == NULL ? roll(d, 3) : 0; k > 0; k--) {
        pw_ex *index = any_ex(d);
        PW_PUSH(d->arena, &par.at, index);
      }
      PW_PUSH(d->arena, &s->u.parameter, par);
    } else if (s->kind == PW_ST_COORDINATES) {
      int many = roll(d, 2);
      pw_crd crd = {name, many ? any_ex(d) : NULL, many ? any_ex(d) : NULL};
      PW_PUSH(d->arena, &s->u.coordinates, crd);
    } else if (s->kind == PW_ST_ROTATION) {
      PW_PUSH(d->arena, &s->u.rotation, name);
    } else if (s->kind == PW_ST_OUTPUT) {
      pw_def def = {name, any_ex(d), roll(d, 3) == 0 ? random_unit(d) : NULL};
      PW_PUSH(d->arena, &s->u.output, def);
    } else if (s->kind == PW_ST_PLOT) {
      pw_ex *ex = any_ex(d);
      PW_PUSH(d->arena, &s->u.plot, ex);
      s->u.plot.vs = roll(d, 2) ? any_ex(d) : NULL;
    } else if (s->kind == PW_ST_DRAW) {
      static const char *const words[] = {"angle", "radius", "size"};
      pw_darg arg = {.word = roll(d, 2) ? words[roll(d, 3)] : NULL};
      bool text = arg.word == NULL && roll(d, 3) == 0;
      arg.ex = text ? NULL : any_ex(d);
      arg.text = text ? "a \"b\" \\ # c" : NULL;
      s->u.draw.shape.text = "line";
      PW_PUSH(d->arena, &s->u.draw, arg);
    } else {
      pw_init init = random_init(d);
      PW_PUSH(d->arena, &s->u.start, init);
    }
  }
}

static inline void random_let(dice *d, pw_stmt *s) {
  s->u.let.ex = any_ex(d);
  s->u.let.is_function = roll(d, 2);
  if (s->u.let.is_function) {
    s->u.let.label.name.text = random_name(d);
  } else {
    s->u.let.label = random_label(d, roll(d, 2));
  }
  s->u.let.n_arg = s->u.let.is_function ? 1 + roll(d, 3) : 0;
  s->u.let.args = PW_TAKE(d->arena, s->u.let.n_arg, pw_name);
  for (int i = 0; i < s->u.let.n_arg; i++) {
    s->u.let.args[i].text = random_name(d);
  }
}

static inline void random_event(dice *d, pw_stmt *s) {
  s->u.event.name.text = random_name(d);
  if (roll(d, 2)) {
    s->u.event.every = any_ex(d);
  } else {
    s->u.event.rel = (pw_rel){.op = (pw_relation)roll(d, 3), .left = any_ex(d), .right = any_ex(d)};
  }
  s->u.event.stop = roll(d, 2);
  s->u.event.rising = roll(d, 2);
  s->u.event.falling = roll(d, 2);
}

static inline void random_table(dice *d, pw_stmt *s) {
  static const char *const words[] = {"linear", "cubic", "monotone", "periodic", "extend"};
  s->u.table.name.text = random_name(d);
  s->u.table.arg.text = random_name(d);
  s->u.table.data = (pw_data_file){.file = -1};
  if (roll(d, 3) == 0) {
    s->u.table.data.path = "a \"b\" \\.csv";
  }
  for (int i = s->u.table.data.path == NULL ? 1 + roll(d, 3) : 0; i > 0; i--) {
    pw_ex *point = random_node(d, PW_EX_VECTOR, 2);
    point->arg[0] = any_ex(d);
    point->arg[1] = any_ex(d);
    PW_PUSH(d->arena, &s->u.table.points, point);
  }
  for (int i = roll(d, 3); i > 0; i--) {
    pw_name word = {.text = words[roll(d, 5)]};
    PW_PUSH(d->arena, &s->u.table.words, word);
  }
}

static inline void random_signal(dice *d, pw_stmt *s) {
  if (s->kind == PW_ST_SAMPLE) {
    s->u.sample.name.text = random_name(d);
    s->u.sample.ex = any_ex(d);
    s->u.sample.every = any_ex(d);
    return;
  }
  s->u.input.all.path = NULL;
  if (s->kind == PW_ST_INPUT && roll(d, 4) == 0) {
    s->u.input.all.path = "all.csv";
    return;
  }
  for (int i = 1 + roll(d, 2); i > 0; i--) {
    pw_input in = {.name.text = random_name(d), .value = any_ex(d), .data.file = -1};
    in.data.path = roll(d, 2) ? "x.csv" : NULL;
    pw_def def = {.name.text = random_name(d), .ex = any_ex(d)};
    if (s->kind == PW_ST_INPUT) {
      PW_PUSH(d->arena, &s->u.input, in);
    } else {
      PW_PUSH(d->arena, &s->u.output, def);
    }
  }
}

static inline pw_stmt *random_stmt(dice *d) {
  pw_stmt *s = PW_NEW(d->arena, pw_stmt);
  do {
    s->kind = (pw_stmt_kind)roll(d, PW_ST_EXPECT + 1);
  } while (s->kind == PW_ST_INCLUDE || s->kind == PW_ST_JOINT || s->kind == PW_ST_SHAPE ||
           s->kind == PW_ST_CONTACT); /* these are in lang_statements.h */
  switch (s->kind) {
  case PW_ST_MODEL: s->u.string.text = "a \"b\" \\"; break;
  case PW_ST_BODY:
    s->u.body.label = random_label(d, 0);
    s->u.body.mass = any_ex(d);
    s->u.body.inertia = any_ex(d);
    break;
  case PW_ST_LET: random_let(d, s); break;
  case PW_ST_KINETIC:
  case PW_ST_POTENTIAL:
  case PW_ST_DISSIPATION:
    s->u.energy.name.text = random_name(d);
    s->u.energy.ex = any_ex(d);
    break;
  case PW_ST_FORCE:
    s->u.force.at = roll(d, 2);
    s->u.force.target = s->u.force.at ? any_ex(d) : random_ref(d);
    s->u.force.ex = any_ex(d);
    break;
  case PW_ST_CONSTRAINT:
  case PW_ST_FRICTION:
  case PW_ST_SPRING:
  case PW_ST_LAW:
  case PW_ST_SERVO: random_law(d, s); break;
  case PW_ST_JOINT: random_joint(d, s); break;
  case PW_ST_TABLE: random_table(d, s); break;
  case PW_ST_INPUT:
  case PW_ST_STATE:
  case PW_ST_SAMPLE: random_signal(d, s); break;
  case PW_ST_EVENT: random_event(d, s); break;
  case PW_ST_RUN: random_run(d, s); break;
  case PW_ST_EXPECT: random_expect(d, s); break;
  default: random_parts(d, s); break;
  }
  return s;
}

#endif
