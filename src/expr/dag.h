// SPDX-License-Identifier: MIT
/* Expressions as a directed acyclic graph with hash-consing: equal expressions are one node.
 * Building simplifies only zeros, ones, constants and signs; nothing is ever expanded.
 * Node numbers depend only on the order of building, so build in a stated order: never nest two
 * building calls as arguments of one call (C leaves their order open). */
#ifndef PW_EXPR_DAG_H
#define PW_EXPR_DAG_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/buf.h"
#include "expr/lookup.h"

typedef int pw_node; /* index into the graph; operands always have smaller numbers */

/* Name, number of operands, printed name. */
#define PW_OP_LIST(OP)                                                             \
  OP(CONST, 0, "const")                                                            \
  OP(VAR, 0, "var")                                                                \
  OP(ADD, 2, "+")                                                                  \
  OP(SUB, 2, "-")                                                                  \
  OP(MUL, 2, "*")                                                                  \
  OP(DIV, 2, "/")                                                                  \
  OP(NEG, 1, "neg")                                                                \
  OP(POW, 2, "^")     /* real exponent; base > 0, or integer-valued exponent */    \
  OP(POWI, 1, "powi") /* integer exponent in pw_node_int; by repeated squaring */  \
  OP(SQRT, 1, "sqrt")                                                              \
  OP(EXP, 1, "exp")                                                                \
  OP(LOG, 1, "log")                                                                \
  OP(SIN, 1, "sin")                                                                \
  OP(COS, 1, "cos")                                                                \
  OP(TAN, 1, "tan")                                                                \
  OP(ASIN, 1, "asin")                                                              \
  OP(ACOS, 1, "acos")                                                              \
  OP(ATAN, 1, "atan")                                                              \
  OP(ATAN2, 2, "atan2")                                                            \
  OP(SINH, 1, "sinh")                                                              \
  OP(COSH, 1, "cosh")                                                              \
  OP(TANH, 1, "tanh")                                                              \
  OP(HYPOT, 2, "hypot")                                                            \
  OP(ABS, 1, "abs")                                                                \
  OP(SIGN, 1, "sign")                                                              \
  OP(MIN, 2, "min")                                                                \
  OP(MAX, 2, "max")                                                                \
  OP(SELECT, 3, "select") /* operand 0 >= 0 ? operand 1 : operand 2 */             \
  OP(TABLE, 1, "table")   /* pw_lut_node; no tape has it: see system/switches.h */ \
  OP(LOOKUP, 1, "lookup") /* pw_lookup: a number of the piece in operand 0 */

typedef enum pw_op {
#define PW_OP_ENUM(name, arity, text) PW_OP_##name,
  PW_OP_LIST(PW_OP_ENUM)
#undef PW_OP_ENUM
      PW_OP_COUNT
} pw_op;

typedef struct pw_dag pw_dag;

pw_dag *pw_dag_new(pw_arena *arena);
int pw_dag_size(const pw_dag *dag);

pw_node pw_const(pw_dag *dag, double value);
pw_node pw_var(pw_dag *dag, int var); /* var >= 0: any number the caller likes */

pw_node pw_add(pw_dag *dag, pw_node a, pw_node b);
pw_node pw_sub(pw_dag *dag, pw_node a, pw_node b);
pw_node pw_mul(pw_dag *dag, pw_node a, pw_node b);
pw_node pw_div(pw_dag *dag, pw_node a, pw_node b);
pw_node pw_neg(pw_dag *dag, pw_node a);
pw_node pw_pow(pw_dag *dag, pw_node a, pw_node b); /* becomes POWI, MUL, SQRT where it can */
pw_node pw_apply1(pw_dag *dag, pw_op op, pw_node a);
pw_node pw_apply2(pw_dag *dag, pw_op op, pw_node a, pw_node b);
pw_node pw_select(pw_dag *dag, pw_node c, pw_node a, pw_node b);

/* Enters a table; its number. The table stays where it is. */
int pw_dag_add_table(pw_dag *dag, const pw_lut *table);
int pw_dag_tables(const pw_dag *dag);
const pw_lut *pw_dag_table(const pw_dag *dag, int i);
/* Derivative of some order of table i at x; a column of the piece with number `piece`. */
pw_node pw_lut_node(pw_dag *dag, int i, int order, pw_node x);
pw_node pw_lookup(pw_dag *dag, int i, pw_lut_column column, pw_node piece);
/* Of TABLE: which table, and which derivative; of LOOKUP: which column. */
int pw_node_table(const pw_dag *dag, pw_node a, int *which);

pw_op pw_node_op(const pw_dag *dag, pw_node a);
pw_node pw_node_arg(const pw_dag *dag, pw_node a, int i);
double pw_node_value(const pw_dag *dag, pw_node a); /* of CONST */
int pw_node_var(const pw_dag *dag, pw_node a);      /* of VAR */
int pw_node_int(const pw_dag *dag, pw_node a);      /* exponent of POWI */
bool pw_is_const(const pw_dag *dag, pw_node a);
bool pw_is_value(const pw_dag *dag, pw_node a, double value);

/* Calls visit(payload, node) once for every node below the roots, operands first. */
void pw_dag_walk(pw_dag *dag, const pw_node *roots, int n, void (*visit)(void *, pw_node),
                 void *payload);

/* True if some variable v below a has uses(payload, v). */
bool pw_depends(pw_dag *dag, pw_node a, bool (*uses)(void *payload, int var), void *payload);

/* Rebuilds the roots with each node first offered to `map`: it returns the replacement, or -1 to
 * rebuild the node from its rebuilt operands (given in `arg`). */
typedef pw_node (*pw_rewrite_fn)(void *payload, pw_dag *dag, pw_node node, const pw_node *arg);
void pw_rewrite(pw_dag *dag, const pw_node *roots, int n, pw_rewrite_fn map, void *payload,
                pw_node *out);

/* ---- derivatives, exact, as new nodes ---- */

/* out[i] = d f / d var[i], by one reverse sweep. */
void pw_gradient(pw_dag *dag, pw_node f, const int *var, int n, pw_node *out);

/* Directional derivative by one forward sweep: out[k] = sum_v df_k/dv * seed(v), where
 * seed(payload, var) is a node, or -1 for 0. */
typedef pw_node (*pw_seed_fn)(void *payload, int var);
void pw_derivative(pw_dag *dag, const pw_node *f, int n, pw_seed_fn seed, void *payload,
                   pw_node *out);

/* Value with var v replaced by value(payload, v); for constants and checks, not for speed. */
double pw_eval(pw_dag *dag, pw_node a, double (*value)(void *payload, int var), void *payload);

/* Infix text of one expression; name(payload, var) gives names. Shared parts are written out. */
void pw_node_print(pw_buf *out, const pw_dag *dag, pw_node a,
                   const char *(*name)(void *payload, int var), void *payload);
/* The same, but nodes below it with a number above 0 are written as e1, e2, ... */
void pw_node_print_parts(pw_buf *out, const pw_dag *dag, pw_node a,
                         const char *(*name)(void *payload, int var), void *payload,
                         const int *number);

#endif
