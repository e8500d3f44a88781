// SPDX-License-Identifier: MIT
/* The dimensional check, shared by its files. A quantity has a known dimension, an unknown one, or
 * any (0 and inf suit every sum). Families are not written out: all members are alike. */
#ifndef PW_MODEL_DIMS_WALK_H
#define PW_MODEL_DIMS_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "lang/ast.h"
#include "model/dims.h"
#include "model/units.h"

typedef enum pw_quantity_kind {
  PW_QT_UNKNOWN, /* zero: what an error or an unsupported combination gives */
  PW_QT_KNOWN,
  PW_QT_ANY,
  PW_QT_VECTOR,   /* v[n] */
  PW_QT_ROTATION, /* also what axis() gives */
  PW_QT_BODY,     /* sym */
  PW_QT_FUNCTION, /* sym */
  PW_QT_LAW       /* sym */
} pw_quantity_kind;

enum {
  PW_QT_BARE = 1,   /* made of bare numbers alone */
  PW_QT_CLOCK = 2,  /* t with bare factors: may also be read as a pure number, sin(3*t) */
  PW_QT_MOVES = 4,  /* depends on coordinates */
  PW_QT_RATE = 8,   /* depends on velocities */
  PW_QT_FAMILY = 16 /* of a family: what each member is */
};

typedef struct pw_quantity {
  pw_quantity_kind kind;
  unsigned flags;
  pw_dim dim;     /* known */
  uint64_t names; /* unknown: bits of the names that cause it, see pw_dims.doubtful */
  int n;
  struct pw_quantity *v;
  struct pw_meaning *sym;
} pw_quantity;

typedef enum pw_meaning_kind {
  PW_MN_PARAMETER,
  PW_MN_COORDINATE,
  PW_MN_BODY,
  PW_MN_VALUE, /* let, energy, output */
  PW_MN_FUNCTION,
  PW_MN_LAW,
  PW_MN_ROTATION,
  PW_MN_EVENT,
  PW_MN_PART
} pw_meaning_kind;

typedef struct pw_meaning { /* of a name */
  const char *name;
  pw_meaning_kind kind;
  pw_span span;
  const pw_stmt *stmt;
  bool has_unit;     /* coordinate, body: its dimension is known */
  pw_quantity value; /* law: of the relation, slip or stretch */
  pw_quantity force; /* law: of its multiplier */
  const char *scope; /* part: "left.", of a family that of its first member */
  uint64_t bit;      /* among the doubtful names; 0: none */
} pw_meaning;

enum { PW_MAX_DOUBTFUL = 64 };

typedef struct pw_model_local {
  const char *name;
  pw_quantity value;
} pw_model_local;

typedef struct pw_dims {
  pw_arena *arena;
  pawl_diags *diags;
  const pw_replaced *replaced;
  int n_replaced;
  bool silent;     /* first pass: finds units and the dimensions of coordinates */
  bool uses_units; /* other than of pure numbers */
  bool failed;
  pw_meaning **slots;
  int n_slot;
  struct {
    pw_model_local *items;
    int n, cap;
  } locals;
  int floor; /* locals below belong to a caller */
  int depth;
  int64_t steps;
  pw_span call; /* of the user's function being looked through; file -1: none */
  pw_meaning *doubtful[PW_MAX_DOUBTFUL];
  int n_doubtful;
  uint64_t missed; /* names that kept a check from being made */
} pw_dims;

/* ---- dims_quantity.c ---- */

pw_quantity pw_known(double m, double kg, double s);
pw_quantity pw_pure(unsigned flags);
bool pw_is_pure(const pw_quantity *q); /* known and of dimension 1 */
pw_quantity pw_vector_of(pw_dims *w, pw_quantity component, int n);
/* a * b^power for scalars; vectors and others are unknown. */
pw_quantity pw_scale(pw_quantity a, pw_quantity b, double power);
/* The common value of two summands that agree. */
pw_quantity pw_common(const pw_quantity *a, const pw_quantity *b);
pw_quantity pw_rate_of(pw_dims *w, const pw_quantity *q); /* q' */

/* a[index], of a vector or a family. */
pw_quantity pw_dims_component(const pw_quantity *whole, const pw_ex *index);

/* False if both are known and differ. Notes the names that kept it from deciding. */
bool pw_agree(pw_dims *w, const pw_quantity *a, const pw_quantity *b);

/* Two operands of one sum, comparison or function must agree, in each component. `what` is what
 * the message begins with: "the operands of `+`". False after an error. */
bool pw_alike(pw_dims *w, const char *code, const char *what, const pw_ex *left,
              const pw_quantity *a, const pw_ex *right, const pw_quantity *b);

typedef struct pw_demand {
  const char *code;
  const char *what; /* "the mass" */
  const char *name; /* `NAME` behind it, or NULL */
  const char *help; /* or NULL */
  bool bare_is_si;  /* a bare number as the whole value stands for SI units */
} pw_demand;

/* `ex` must have the wanted dimension, in each component. */
/* The dimension of a unit as it is written. */
pw_quantity pw_dims_of_unit(const pw_unit *unit);
bool pw_require(pw_dims *w, const pw_ex *ex, const pw_quantity *got, const pw_quantity *want,
                const pw_demand *demand);

/* ---- dims_env.c ---- */

void pw_dims_define(pw_dims *w, pw_name name, pw_meaning_kind kind, const pw_stmt *stmt,
                    pw_quantity value);
/* The meaning of a reference into a part, `left.x`; NULL if it is none. */
pw_meaning *pw_dims_member(pw_dims *w, const pw_ex *ex);
pw_meaning *pw_dims_find(const pw_dims *w, const char *name);
const pw_quantity *pw_dims_local(const pw_dims *w, const char *name);
void pw_dims_push(pw_dims *w, const char *name, pw_quantity value);
/* Unknown because of this name. */
pw_quantity pw_doubt(pw_dims *w, pw_meaning *m);
void pw_dims_remark(pw_dims *w);

/* ---- dims_expr.c, dims_call.c ---- */

pw_quantity pw_dims_of(pw_dims *w, const pw_ex *ex);
pw_quantity pw_dims_call(pw_dims *w, const pw_ex *ex);

/* ---- dims_signal.c ---- */

void pw_dims_signal(pw_dims *w, const pw_stmt *stmt);
pw_quantity pw_dims_table_call(pw_dims *w, const pw_ex *ex, const pw_meaning *table);
/* Of delay and noise, where the model defines no such name. */
pw_quantity pw_dims_free_call(pw_dims *w, const pw_ex *ex);

/* ---- dims_law.c ---- */

void pw_dims_law(pw_dims *w, const pw_stmt *stmt);
void pw_dims_joint(pw_dims *w, const pw_stmt *stmt); /* dims_joint.c */
void pw_dims_shape(pw_dims *w, const pw_stmt *stmt); /* shape, contact */
void pw_dims_force(pw_dims *w, const pw_stmt *stmt);
/* Energy (or power, for rates) per unit of q: what multiplies a variation of q. */
pw_quantity pw_conjugate(pw_dims *w, const pw_quantity *q);

#endif
