// SPDX-License-Identifier: MIT
/* Writing expressions: derived ones as sums of products, stated ones as they are in the model. */
#ifndef PW_EXPORT_WRITE_H
#define PW_EXPORT_WRITE_H

#include "export/notation.h"
#include "export/poly.h"
#include "model/model.h"
#include "system/switches.h"

typedef struct pw_export {
  pw_notation to;
  const pw_model *model;
  pw_polys polys;
  const pw_switches *switches;
  void (*before_term)(void *payload); /* of a sum that stands in no other; or NULL */
  void *payload;
  int depth; /* of sums inside sums */
} pw_export;

/* ---- derived expressions ---- */

/* A sum. `more`: something precedes it, so a sign comes first. Returns its terms. */
int pw_write_sum(pw_export *x, const pw_poly *a, bool more);
/* A sum times the factor that follows, in brackets if needed; a factor 1 is omitted. `more` as
 * above; the overall sign is written first. */
void pw_write_factor(pw_export *x, const pw_poly *a, bool more);
void pw_write_node(pw_export *x, pw_node node);

/* ---- as stated ---- */

void pw_write_ex(pw_export *x, const pw_ex *ex);
/* "P_i" or "f(x, y)", left of the sign; ", i = 1, ..., N" after the formula of a family. */
void pw_write_defined(pw_export *x, const pw_st_let *let);
void pw_write_indices(pw_export *x, const pw_heading *label);
/* `x = y`, `x >= y`. */
void pw_write_relation(pw_export *x, const pw_rel *rel);
void pw_write_joint(pw_export *x, const pw_joint *joint);

#endif
