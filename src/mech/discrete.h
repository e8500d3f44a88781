// SPDX-License-Identifier: MIT
/* Input of the equations of a discrete Lagrangian at a state: momenta p = dL/du, their rate without
 * reactions, derivatives of both, velocities from momenta, and the imposed rows on positions. */
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

/* ---- a step from q0 with the mean velocity v: stepping (T8), of rotations (T11) ---- */

/* q after one or two halves of a step of length h. */
void pw_discrete_go(const pw_discrete *d, const double *q0, const double *v, double h, int halves,
                    double *q);
/* Momenta that the step has at its start without reactions, from d->p and d->push of its midpoint;
 * with -h for h those at its end. */
void pw_discrete_ends(const pw_discrete *d, double h, const double *v, double *p);
/* Their change with v along dv, from the midpoint of the last pw_discrete_at. */
void pw_discrete_along(pw_discrete *d, double h, const double *v, const double *dv, double *dp);

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
/* Rates and gradients of the imposed rows from `first` on; those on positions come first. */
void pw_discrete_rates(pw_discrete *d, int first, double *value, double *J);

#endif
