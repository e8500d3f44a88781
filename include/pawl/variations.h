// SPDX-License-Identifier: MIT
/* A laboratory for variations (`pawl vary`): the action of a motion and of neighbouring curves,
 * q(theta) + eps w(theta) with theta = t - eps tau(t) (Leine and Aeberhard (11)). The motion is
 * taken from the steps of the integration, not from a table of samples. */
#ifndef PAWL_VARIATIONS_H
#define PAWL_VARIATIONS_H

#include <stdint.h>

#include "pawl/write.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pawl_lab pawl_lab;

typedef struct pawl_lab_opts { /* zero selects the default */
  const char *by;              /* "x: sin(pi*t), y: t*(2 - t)": w(t) along velocities; NULL: none */
  const char *shift;           /* "t*(2 - t)": tau(t); NULL: none */
  const char
      *columns;  /* a table, "t,w\n0,0\n..."; the two expressions above may use w(t). NULL: none */
  int free_ends; /* 1: variations need not vanish at the ends, nor their times */
  int use_span;  /* 1: only the motion from `from` to `to` */
  double from, to;
} pawl_lab_opts;

/* Varies the stored motion of a results folder, which is one of this system. PAWL_E_MODEL: an
 * expression is wrong, the diagnostics show where; PAWL_E_FILE: there is no such motion;
 * PAWL_E_LIMIT: it is too long. */
PAWL_API PAWL_NODISCARD pawl_status pawl_lab_new(const pawl_system *system, const char *dir,
                                                 const pawl_lab_opts *opts, pawl_diags *diags,
                                                 pawl_lab **out);
/* Runs the model and varies its motion; if the run stops early, the motion so far. No folder is
 * written. */
PAWL_API PAWL_NODISCARD pawl_status pawl_lab_run(const pawl_model *model, const pawl_run_opts *run,
                                                 const pawl_lab_opts *opts, pawl_diags *diags,
                                                 pawl_lab **out);
PAWL_API void pawl_lab_free(pawl_lab *lab);

typedef struct pawl_lab_info {
  double from, to;  /* of the motion */
  double action;    /* integral of T - V */
  int64_t steps;    /* of the integration */
  int64_t corners;  /* instants at which momenta jump */
  double weak_norm; /* of the caller's variation, else of the worst: Leine and Aeberhard (10);
                       infinite where it jumps */
  double strong_norm;
  int weak_holds;   /* every weak variation obeys its principle */
  int strong_holds; /* and so does every strong one */
  int user_holds;   /* the caller's; -1: the constraints do not allow it, or there is none */
} pawl_lab_info;
PAWL_API pawl_lab_info pawl_lab_info_get(const pawl_lab *lab);

typedef struct pawl_lab_family { /* a variation; the sign that the constraints allow */
  const char *kind;              /* "weak", "strong", "user" */
  const char *along;             /* "x", "-x", "+x -y", "t", or the caller's text */
  const char *principle;         /* whose inequality it is */
  double from, to;               /* where it is not zero */
  double value;      /* -(delta s) by differences of actions, with the work of other forces */
  double by_formula; /* the same by reactions and jumps, Leine and Aeberhard (30), (24) */
  double tolerance;
  double size;  /* |w|: root of the integral of w.M w */
  double t;     /* where the formula has its largest part that is negative; NAN: none */
  int equality; /* 1: w and -w are allowed, the value must vanish; 0: it must not be negative */
  int at_end;   /* 1: it does not vanish at an end: the principle is that of free ends */
  int holds;    /* 1, 0; -1: the constraints allow neither w nor -w */
} pawl_lab_family;
PAWL_API int pawl_lab_families(const pawl_lab *lab);
PAWL_API pawl_lab_family pawl_lab_family_get(const pawl_lab *lab, int i);
/* The weak variation that is found by a search for the most negative value: in each part of the
 * motion along the steepest direction, then around the worst in ever smaller parts. */
PAWL_API pawl_lab_family pawl_lab_worst(const pawl_lab *lab);

/* Momentum (nv numbers) and energy p.u - L at the start (0) or the end (1): where an end is free
 * they vanish, Leine and Aeberhard (24). NULL, NAN: no such end. */
PAWL_API const double *pawl_lab_momentum(const pawl_lab *lab, int end);
PAWL_API double pawl_lab_energy(const pawl_lab *lab, int end);
/* The name of velocity i as displacements go by it: "x", "R.W[1]"; at most `room` bytes. */
PAWL_API void pawl_lab_name(const pawl_lab *lab, int i, char *text, size_t room);

typedef struct pawl_lab_conserved { /* by Noether's theorem, see pawl_symmetries */
  const char *text;
  double start; /* its value at the start of the motion */
  double drift; /* how far it goes from it */
} pawl_lab_conserved;
PAWL_API int pawl_lab_conserved_count(const pawl_lab *lab);
PAWL_API pawl_lab_conserved pawl_lab_conserved_get(const pawl_lab *lab, int i);

/* The result of `pawl vary --json`. */
PAWL_API PAWL_NODISCARD pawl_status pawl_lab_json(const pawl_lab *lab, pawl_sink sink,
                                                  void *payload);

/* Conserved quantities p.xi by Noether's theorem: fields xi along which no force changes the
 * momenta and no law acts. Shifts and turns of rotations about axes of space and of the body for up
 * to forty coordinates, linear fields A q for up to six. Systems with multipliers that are states,
 * with signals, or with contacts found during time stepping have none here. */
typedef struct pawl_symmetries pawl_symmetries;
PAWL_API PAWL_NODISCARD pawl_status pawl_symmetries_new(const pawl_system *system,
                                                        pawl_symmetries **out);
PAWL_API void pawl_symmetries_free(pawl_symmetries *s);
PAWL_API int pawl_symmetries_count(const pawl_symmetries *s);
PAWL_API const char *pawl_symmetry_text(const pawl_symmetries *s, int i); /* "x*p(y) - y*p(x)" */
/* Its value at a state, velocities as shown; NAN: none. */
PAWL_API double pawl_symmetry_value(pawl_symmetries *s, int i, double t, const double *q,
                                    const double *u);

#ifdef __cplusplus
}
#endif

#endif
