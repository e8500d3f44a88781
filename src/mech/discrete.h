// SPDX-License-Identifier: MIT
/* Input of the equations of a discrete Lagrangian at a state: momenta p = dL/du, their rate without
 * reactions, derivatives of both, velocities from momenta, and the imposed rows on positions.
 * Coordinates only, no rotations. */
#ifndef PW_MECH_DISCRETE_H
#define PW_MECH_DISCRETE_H

#include "mech/mech.h"

typedef struct pw_discrete {
  pw_mech *mech;
  double *in, *reg;             /* input and registers of the momentum tape */
  double *p, *push;             /* nv each, one after the other: its output */
  double *jet, *work, *jet_out; /* the same for derivatives */
} pw_discrete;

size_t pw_discrete_doubles(const pw_system *sys);
void pw_discrete_init(pw_discrete *d, pw_mech *m, double *memory);

/* d->p and d->push at a state; false if they are not finite. */
bool pw_discrete_at(pw_discrete *d, double t, const double *q, const double *u, const double *side);
/* Their change along (dq, du) from the state of the last pw_discrete_at; dq = c du (nv). */
void pw_discrete_along(pw_discrete *d, double c, const double *du, double *dp, double *dpush);

/* Solves p(t, q, u) = p for u, which holds a guess. Also does pw_mech_rates at the solution. */
PAWL_NODISCARD pawl_status pw_discrete_velocity(pw_discrete *d, double t, const double *q,
                                                const double *side, const double *p, double *u);

/* Values (mech->imposed_q) and gradients J (by rows) of the rows imposed on positions. */
void pw_discrete_rows(pw_discrete *d, double t, const double *q, const double *u,
                      const double *side, double *value, double *J);

/* ---- laws other than constraints on positions: stepping (T8)-(T10) ---- */

/* Some row on velocities is imposed, some law acts away from its kink, or there are servos. */
bool pw_discrete_has_laws(const pw_discrete *d);
/* The following refer to the last pw_mech_rates. */
/* f += forces of the laws away from their kinks, where they are functions of the state. */
void pw_discrete_forces(const pw_discrete *d, double *f);
/* Covectors of the reactions of all imposed rows, by rows; a contact on which friction slides has
 * that in its own. */
void pw_discrete_reactions(const pw_discrete *d, double *phi);
/* Rates and gradients of the imposed rows on velocities, after the rows on positions. */
void pw_discrete_rates(pw_discrete *d, double *value, double *J);
/* Solves p(t, q, u) = p + Phi mu with all imposed rows satisfied by u, which holds a guess. */
PAWL_NODISCARD pawl_status pw_discrete_land(pw_discrete *d, double t, const double *q,
                                            const double *side, const double *p, double *u);

#endif
