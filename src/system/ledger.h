// SPDX-License-Identifier: MIT
/* The energy ledger: which terms of the equations change T + V, and at which rate. */
#ifndef PW_SYSTEM_LEDGER_H
#define PW_SYSTEM_LEDGER_H

#include "system/lagrange.h"

/* Fills sys->work and sys->n_work; rate[k] is the power of entry k, or -1 where mech computes it
 * from the force of a constraint row. `rate` comes from the arena. */
void pw_ledger(pw_system *sys, const pw_equations *eq, pw_node **rate);

/* With X = lambda phi of state k: the power of d/dt X_u - X_q without u' and lambda'; `bend` (nv)
 * is X_uu u, whose product with u' completes it. */
pw_node pw_carried_power(const pw_model *m, const pw_equations *eq, int k, pw_node *bend);

/* The rate of H = p.u - L by forces, dissipation and explicit time: theory (25) without laws. */
pw_node pw_free_power(const pw_model *model, const pw_equations *eq);

/* Zero for all values of its variables, judged by samples. */
bool pw_vanishes(const pw_model *m, pw_node a);

/* The number that a sample gives to a variable. */
double pw_sample_at(int var, unsigned seed);
/* Description of a constraint on velocities: linear, integrable; NULL for others (nature.c). */
const char *pw_nature_of_row(const pw_model *m, const pw_equations *eq, int i);

/* 2T - p.u with p of the energies: the difference between T + V and the Jacobi integral p.u - L. */
pw_node pw_energy_excess(const pw_model *model, const pw_equations *eq);

#endif
