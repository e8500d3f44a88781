// SPDX-License-Identifier: MIT
/* Messages about a law that the start violates: which law, by how much, what to write instead. All
 * return false. */
#ifndef PW_MECH_LAW_REPORT_H
#define PW_MECH_LAW_REPORT_H

#include "mech/start_check.h"

typedef struct pw_law_state {
  pw_mech *m;
  double t;
  const double *q, *u, *side;
  const pw_start_rules *rules;
  pawl_diags *diags;
} pw_law_state;

/* Fills the outputs of the contact and the clause tape. */
void pw_law_evaluate(const pw_law_state *x);

bool pw_report_wall(const pw_law_state *x, const pw_row *row, double at, double sign, double value);
bool pw_report_penetration(const pw_law_state *x, const pw_row *row); /* g < 0 */
void pw_report_crossed(const pw_law_state *x, const pw_touch *touch, double depth);
bool pw_report_inward(const pw_law_state *x, const pw_row *row);    /* g = 0, g' < 0 */
bool pw_report_violation(const pw_law_state *x, const pw_row *row); /* f < 0 */
bool pw_report_gradient(const pw_law_state *x, const pw_row *row);  /* it is zero */
bool pw_report_slip(const pw_law_state *x, const pw_row *row, const pw_row *on);
bool pw_report_multiplier(const pw_law_state *x, const pw_row *row, double lambda);
bool pw_report_restitution(const pw_law_state *x, const pw_row *row, double e);

#endif
