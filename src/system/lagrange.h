// SPDX-License-Identifier: MIT
/* Lagrange's equations as expressions: energies and forces to M, h and constraint rows. */
#ifndef PW_SYSTEM_LAGRANGE_H
#define PW_SYSTEM_LAGRANGE_H

#include "linalg/sparse_chol.h"
#include "system/kinks.h"
#include "system/switches.h"
#include "system/system.h"

typedef struct pw_equations {
  pw_node T, V, L, D;    /* sums of the energy lines, smooth pieces; L = T - V */
  pw_node held;          /* L with the kinks of the potentials as variables; so is D */
  pw_node *dissipation;  /* of each energy line, smooth pieces; others unused */
  pw_node *force;        /* force lines one after the other, nv each, smooth pieces */
  int n_state;           /* multipliers lambda that are states, theory (78) */
  pw_node *phi;          /* n_state: smooth pieces */
  pw_node carried;       /* sum of lambda phi, part of the Lagrangian that moves the system */
  pw_node *p;            /* nv: momenta d(L + carried)/du */
  pw_pattern mass;       /* rows i >= j of each column j of M */
  pw_node *M;            /* lower triangle by columns, entries of the pattern */
  pw_node *h;            /* nv */
  int nc, np;            /* equality rows, on positions first */
  int nr;                /* with the rows that open and close */
  int *row_of;           /* nr: index in model->rows; a law with several kinks has several rows */
  double *shift;         /* nr: slip or stretch at the kink */
  double *unit;          /* nr: see pw_law_form */
  pw_node *left, *right; /* nr: -force on the two sides of a law's kink; -1: infinite */
  pw_kink_shape *shape;  /* nr: of the kinks */
  pw_node *value, *rate; /* nr: g or f; g' or f (equal for velocity rows) */
  pw_pattern rows;       /* columns of each row of J */
  pw_node *J, *zeta;     /* by rows, entries of the pattern; nr */
  pw_node **by;          /* nr: covector (nv) of the force; NULL: the gradient J */
} pw_equations;

/* Only entries of M and J that are not zero, and the diagonal of M. */
void pw_lagrange(const pw_model *model, pw_switches *switches, pw_equations *eq);
/* All entries of M and J, zero or not. */
void pw_equations_fill(const pw_model *model, pw_equations *eq);
/* Energies, momenta, h and all entries of M alone. */
void pw_lagrange_motion(const pw_model *model, pw_switches *switches, pw_equations *eq);

/* out (nv) = F^T dL/dq + Q - dD/du: the rate of the momenta of coordinates without reactions. */
void pw_momentum_rate(const pw_model *model, const pw_equations *eq, pw_node *out);

/* Puts the kinks back into n values or derivatives of `held` and D. They are as written: steps end
 * where their laws act, so that values need no sides. */
void pw_let_go(const pw_model *model, pw_node *f, int n);

/* The first n variables of a class. */
int *pw_var_list(const pw_model *m, pw_var_class c, int n);
/* d/dt with u' = 0: the part of a rate that does not contain accelerations. */
void pw_convective(const pw_model *model, const pw_node *f, int n, pw_node *out);
/* Partial derivative by explicit time. */
void pw_by_time(const pw_model *model, const pw_node *f, int n, pw_node *out);
/* sum_i a_i u_i */
pw_node pw_power(const pw_model *model, const pw_node *a);
/* out (nv) = F^T grad (nq): a covector on positions as one on velocities. */
void pw_pull_back(const pw_model *model, const pw_node *grad, pw_node *out);

#endif
