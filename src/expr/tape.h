// SPDX-License-Identifier: MIT
/* Straight-line programs compiled from the DAG. A tape is immutable and shared between threads;
 * the caller owns the registers. Running allocates nothing. */
#ifndef PW_EXPR_TAPE_H
#define PW_EXPR_TAPE_H

#include "expr/dag.h"

typedef struct pw_tape pw_tape;

/* input(payload, var) is the index of a variable in the input array. */
pw_tape *pw_tape_compile(pw_arena *arena, pw_dag *dag, const pw_node *out, int n_out,
                         int (*input)(void *payload, int var), void *payload);

/* One expression whose inputs are all variables up to the last that it has, each at its own number;
 * *n_in: how many these are, at least one. */
pw_tape *pw_tape_of_variables(pw_arena *arena, pw_dag *dag, pw_node a, int *n_in);

int pw_tape_length(const pw_tape *tape);    /* instructions */
int pw_tape_registers(const pw_tape *tape); /* doubles of work memory */
int pw_tape_outputs(const pw_tape *tape);
bool pw_tape_is_constant(const pw_tape *tape); /* no output depends on an input */

/* Writes the constants into the registers; once per register file. */
void pw_tape_prepare(const pw_tape *tape, double *reg);
/* out[i] from in[]; reg was prepared. */
void pw_tape_run(const pw_tape *tape, const double *in, double *reg, double *out);
/* The same where `out` holds its constants already: matrices of many bodies are mostly zeros. */
void pw_tape_prepare_out(const pw_tape *tape, double *out);
void pw_tape_update(const pw_tape *tape, const double *in, double *reg, double *out);

/* Univariate Taylor arithmetic, for theory (49): coefficient k of input i is in[i*(order+1) + k],
 * likewise out; f(t) = sum_k f_k t^k. Work memory: registers * (order+1) doubles, plus
 * 3*(order+1). order <= 24. abs, sign, min, max and select follow the branch of the zeroth
 * coefficient (lexicographic sign of the series when it is zero). */
void pw_tape_jet(const pw_tape *tape, int order, const double *in, double *work, double *out);

/* Errors of the outputs by rounding, in units of DBL_EPSILON: of inputs and constants, each wrong
 * by its own size, and of functions. For a sum that is the size of its terms.
 * work: 2 * registers. */
void pw_tape_terms(const pw_tape *tape, const double *in, double *work, double *out);

/* Intervals that contain all values for inputs in [in_lo, in_hi], but for rounding; infinite ends
 * where no bound is known. work: 2 * registers. */
void pw_tape_range(const pw_tape *tape, const double *in_lo, const double *in_hi, double *work,
                   double *out_lo, double *out_hi);
bool pw_tape_reads(const pw_tape *tape, int input); /* some output depends on it */

void pw_tape_dump(pw_buf *out, const pw_tape *tape);

#endif
