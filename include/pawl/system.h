// SPDX-License-Identifier: MIT
/* A system: a model with numbers for its parameters, checked, differentiated and compiled.
 * Immutable; one system may serve any number of simulations in any number of threads. */
#ifndef PAWL_SYSTEM_H
#define PAWL_SYSTEM_H

#include "pawl/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pawl_system pawl_system;

typedef struct pawl_override {
  const char *name, *value; /* "e" and "0.8"; "y'" or "d.y" for start velocities; "force(c)" for a
                               multiplier that is a state; "realise c" and "vakonomic", "ideal",
                               "viscous:100", "inertia:PHI", "servo:x",
                               "friction:2" for another realisation of the constraint c; "input
                               file" and a path for courses of inputs; "impact laws" and "open":
                               contacts need no impact law, for pawl_certify_opts.any_impact_law
                               alone, since motions take one without law as plastic; "run method"
                               and "moreau" or another: pairs of contacts are made for it, as
                               pawl_run_new does with the method that it is given */
} pawl_override;

typedef struct pawl_system_opts {
  const pawl_override *overrides;
  int n_override;
  int check_only; /* stop after checking: laws that cannot be run yet are no error */
  int no_start;   /* do not solve for start values: pawl_start_positions is NULL then, and motions,
                     pawl_gauss_new, pawl_equilibria_new and pawl_bvp_new are refused */
  int between;    /* for pawl_bvp_new: the start values that it searches for may be missing */
  const char *const *vary; /* parameters that stay variables of the compiled system, with the values
                              that the model gives them; names of others are passed over */
  int n_vary;
  int no_native; /* 1: expressions are interpreted, not run as machine code; the same numbers */
} pawl_system_opts;

/* Compiles the model and solves for consistent start values. */
PAWL_API PAWL_NODISCARD pawl_status pawl_system_new(const pawl_model *model,
                                                    const pawl_system_opts *opts, pawl_diags *diags,
                                                    pawl_system **out);
/* Objects made from the system keep it alive: it may be freed before them. */
PAWL_API void pawl_system_free(pawl_system *system);

/* ---- contents; returned pointers are borrowed ---- */

PAWL_API int pawl_system_positions(const pawl_system *system);  /* nq */
PAWL_API int pawl_system_velocities(const pawl_system *system); /* nv */
PAWL_API int pawl_system_laws(const pawl_system *system);
PAWL_API int pawl_system_outputs(const pawl_system *system);
PAWL_API int pawl_system_events(const pawl_system *system); /* event statements */
/* Inputs that pawl_sim_input may set: inputs without a given time course. */
PAWL_API int pawl_system_inputs(const pawl_system *system);
PAWL_API const char *pawl_input_name(const pawl_system *system, int i);
PAWL_API double pawl_input_start(const pawl_system *system, int i); /* NAN: no such input */
/* The position under which it is shown (pawl_position_name); -1: no such input. */
PAWL_API int pawl_input_position(const pawl_system *system, int i);
PAWL_API int pawl_system_parameters(const pawl_system *system);
PAWL_API int pawl_system_expectations(const pawl_system *system);
PAWL_API int pawl_system_works(const pawl_system *system); /* entries of the energy ledger */

PAWL_API const char *pawl_system_title(const pawl_system *system); /* or NULL */
PAWL_API const char *pawl_system_file(const pawl_system *system);
PAWL_API const char *pawl_position_name(const pawl_system *system, int i);
PAWL_API const char *pawl_velocity_name(const pawl_system *system, int i);
PAWL_API const char *pawl_output_name(const pawl_system *system, int i);
PAWL_API const char *pawl_event_name(const pawl_system *system, int i);
/* SI units of these numbers, "1" for a pure number; NULL: the model does not state them. */
PAWL_API const char *pawl_position_unit(const pawl_system *system, int i);
PAWL_API const char *pawl_velocity_unit(const pawl_system *system, int i);
PAWL_API const char *pawl_output_unit(const pawl_system *system, int i);

typedef struct pawl_law_info {
  const char *name, *kind, *about; /* "blade", "one-sided-velocity", ... */
  int line;                        /* of the main file, or of the included one */
  int redundant;             /* its force at the start is not unique (the smallest is reported) */
  const char *cost;          /* description: does it do work, is it reversible */
  const char *nature;        /* of a constraint on velocities: whether it is integrable, in words;
                                else "" */
  double start;              /* of a multiplier that is a state; NAN: it is none */
  const char *law;           /* "rub" of a component "rub[2]" of a vector slip; else the name */
  int component, components; /* of a vector slip, from 1; else 1 and 1 */
  const char *unit;          /* of its force: SI, "1" for a pure number; NULL: not stated */
  const char *column;        /* name of its force in files: the law, or "rub.t" for a slip of three
                                components, whose rows are along two tangents */
} pawl_law_info;
PAWL_API pawl_law_info pawl_law_get(const pawl_system *system, int i);

typedef struct pawl_parameter_info {
  const char *name;
  double value, lo, hi; /* lo > hi: no range given */
  const char *unit;     /* of these numbers: SI, "1" for a pure number; NULL: not stated */
} pawl_parameter_info;
PAWL_API pawl_parameter_info pawl_parameter_get(const pawl_system *system, int i);

typedef struct pawl_work_info {
  const char *name; /* a dissipation, force, constraint, or "time" for explicit time */
  int lost;         /* 1: energy lost for good (dissipation); 0: work done on the system */
} pawl_work_info;
PAWL_API pawl_work_info pawl_work_get(const pawl_system *system, int i);

typedef struct pawl_expectation_info {
  const char *text;
  int line;
  double tol;
  int at; /* 0: at the end; 1: at time; 2: at event */
  double time;
  const char *kind, *of;
  int count;
} pawl_expectation_info;
PAWL_API pawl_expectation_info pawl_expectation_get(const pawl_system *system, int i);

/* Independent directions of motion at the start, and rank of the equality constraints. */
PAWL_API int pawl_system_dof(const pawl_system *system);
PAWL_API int pawl_system_rank(const pawl_system *system);

/* Start values, solved for consistency: nq and nv numbers (velocities as shown, see names). */
PAWL_API const double *pawl_start_positions(const pawl_system *system);
PAWL_API const double *pawl_start_velocities(const pawl_system *system);
PAWL_API double pawl_start_time(const pawl_system *system);

/* The run statement: 0 if there is none. Options by name: value or choice, NULL if not given. */
PAWL_API int pawl_run_span(const pawl_system *system, double *from, double *to); /* or NULL */
typedef struct pawl_run_option {
  const char *word, *choice; /* choice NULL: a number */
  double value;
} pawl_run_option;
PAWL_API int pawl_run_options(const pawl_system *system);
PAWL_API pawl_run_option pawl_run_option_get(const pawl_system *system, int i);

/* The model text as run: includes in place, overrides applied. */
PAWL_API PAWL_NODISCARD pawl_status pawl_system_text(const pawl_system *system, pawl_sink sink,
                                                     void *payload);
/* File i, from 0, that this text refers to: a part, under the name that the text gives it.
 * PAWL_E_ARGUMENT beyond the last. */
enum { PAWL_FILE_NAME = 40 };
PAWL_API PAWL_NODISCARD pawl_status pawl_system_attached(const pawl_system *system, int i,
                                                         char name[PAWL_FILE_NAME], pawl_sink sink,
                                                         void *payload);
/* DAG, system or tape, for people (`pawl dump`). */
PAWL_API PAWL_NODISCARD pawl_status pawl_system_dump(const pawl_system *system, pawl_stage stage,
                                                     pawl_sink sink, void *payload);

#ifdef __cplusplus
}
#endif

#endif
