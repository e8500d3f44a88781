// SPDX-License-Identifier: MIT
/* The certificate: is this trajectory a motion of the model? Judged only from the rows of the
 * trajectory and the laws of the model; the checker shares no code with the integrator or the
 * solvers. */
#ifndef PAWL_VERIFY_H
#define PAWL_VERIFY_H

#include <stddef.h>
#include <stdint.h>

#include "pawl/system.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pawl_certifier pawl_certifier;

/* During a run only every 15th row is examined in full, to keep certification cheap. For a results
 * folder every row is examined; the coverage figures still count every 15th. */
enum { PAWL_ROWS_PER_INSTANT = 15 };

typedef struct pawl_certify_opts { /* zero selects the default */
  double tol;                      /* relative error above which a check fails; default 1e-6 */
  double noise;                    /* assumed relative error of the samples; default 1e-9 */
  double from, to;                 /* span of the motion; default: that of the run statement */
  double every;                    /* time from row to row; default a 2000th of the span */
  double steps;                    /* integration steps per row; default: unknown */
  int64_t instants;                /* examine only every n-th row in full; default: every row */
  int sequential;                  /* 1: impacts of several contacts follow each other */
  int any_impact_law;              /* 1: accept any impact law, whatever the model states */
  int variations; /* 1: try the action of varied curves too; files of up to 20000 rows */
  /* The method of a stored motion: "moreau" and "variational" are judged step by step, with the
   * order of error of the method. NULL: by events. Borrowed during pawl_certify_new. */
  const char *method;
  int unseen;      /* intervals in which the run may have missed something short (W0502), */
  double unseen_t; /* and the time of the first */
  /* Files: the list of events of the same run, as events.csv and events.jsonl have it, or NULL */
  const char *events, *events_json;
  /* Files: whether the table is that of a run, "run", "foreign" or "damaged" (the stored motion is
   * damaged); shown in the certificate. NULL: unknown. Borrowed as long as the
   *      certifier lives. */
  const char *tables;
  /* Files: rows read of `all`, which is 0 while they are counted. Non-zero: stop (PAWL_E_FILE). */
  int (*progress)(void *payload, int64_t rows, int64_t all);
  void *payload;
} pawl_certify_opts;

/* PAWL_E_ARGUMENT also for options that are no numbers, negative, or a tol or noise of 1 and more.
 */
PAWL_API PAWL_NODISCARD pawl_status pawl_certify_new(const pawl_system *system,
                                                     const pawl_certify_opts *opts,
                                                     pawl_certifier **out);
PAWL_API void pawl_certify_free(pawl_certifier *c);

/* The next row in order of time: nq positions, nv velocities (as shown), the force of every law or
 * NULL. Two rows at one time are the two sides of an instant. PAWL_E_ARGUMENT: time runs back, or a
 * value is not finite; the verdict is then at best PAWL_UNDECIDED. Rows after pawl_certify_finish
 * are ignored. */
PAWL_API PAWL_NODISCARD pawl_status pawl_certify_row(pawl_certifier *c, double t, const double *q,
                                                     const double *u, const double *force);
/* Integration steps per row so far. Where there are many, rows may be too far apart to show the
 * motion. */
PAWL_API void pawl_certify_steps(pawl_certifier *c, double per_row);
/* After the last row. */
PAWL_API void pawl_certify_finish(pawl_certifier *c);

/* All of the above for a table in a file: columns `t`, all positions, and, if present, velocities
 * and forces, by name. Jumps between rows are found. Default tolerance 1e-5; noise is estimated. */
PAWL_API PAWL_NODISCARD pawl_status pawl_certify_file(const pawl_system *system, const char *path,
                                                      const pawl_certify_opts *opts,
                                                      pawl_diags *diags, pawl_certifier **out);

/* The stored motion of a results folder, DIR/motion.pwt, judged as its run was: segments, instants
 * and the forces of rows. opts: tol, sequential, variations, events, progress. PAWL_E_FILE: there
 * is none, it is damaged, or one of another model. */
PAWL_API PAWL_NODISCARD pawl_status pawl_certify_motion(const pawl_system *system, const char *dir,
                                                        const pawl_certify_opts *opts,
                                                        pawl_diags *diags, pawl_certifier **out);

typedef enum pawl_verdict {
  PAWL_NOT_CHECKED,
  PAWL_STRONG,       /* the principle holds for all variations: impacts keep the energy */
  PAWL_WEAK,         /* it holds for variations of the positions alone */
  PAWL_NOT_A_MOTION, /* some law is broken: see worst */
  PAWL_UNDECIDED     /* the samples are too coarse or too noisy to decide */
} pawl_verdict;
PAWL_API const char *pawl_verdict_text(pawl_verdict verdict); /* "NOT A MOTION", ... */

typedef struct pawl_finding {
  const char *principle;      /* quantity checked: "gap", "d'Alembert", "impact law", ... */
  const char *law;            /* or "" */
  double t, value, tolerance; /* relative; violated if value > tolerance. t NAN: never checked */
} pawl_finding;

typedef struct pawl_certificate {
  pawl_verdict verdict;
  const char *subclass; /* "dissipative", "energy-gaining" or "" */
  const char *balance;  /* "conservative", "dissipative", "driven", "gaining energy at LAW"; "" */
  const char *sentence; /* the verdict in plain words */
  pawl_finding worst;   /* the largest value in terms of its tolerance */
  int64_t rows, instants, corners;
  int64_t undecided; /* instants at which an error of a thousandth could not be seen */
  /* Motions by steps of one size: order of the error of the method in this motion, longest step,
     largest part of the speeds by which rates were allowed to miss their laws. Else 0. */
  int order;
  double step, slack;
} pawl_certificate;
PAWL_API pawl_certificate pawl_certify_get(const pawl_certifier *c);

PAWL_API int pawl_certify_findings(const pawl_certifier *c);
PAWL_API pawl_finding pawl_certify_finding(const pawl_certifier *c, int i);

/* The result of `pawl certify --json`; brief: without the list of corners. */
PAWL_API PAWL_NODISCARD pawl_status pawl_certify_json(const pawl_certifier *c, int brief,
                                                      pawl_sink sink, void *payload);

/* Hamilton's principle taken literally: the action of varied curves, certificates (C11)-(C15).
 * Weak: q + eps w(t); strong: q(t - eps tau(t)), which moves the instants of impacts; projected:
 * weak, with the displacement nearest to w that the constraints allow. The function gives w and
 * dw/dt (nv numbers each, along velocities, for rotations in the body), or tau and its rate (one
 * number). Models with vakonomic or inertia laws: PAWL_E_ARGUMENT. */
typedef struct pawl_vary pawl_vary;
typedef enum pawl_vary_kind {
  PAWL_VARY_WEAK,
  PAWL_VARY_STRONG,
  PAWL_VARY_PROJECTED,
  PAWL_VARY_GENERAL /* q(theta) + eps w(theta), theta = t - eps tau(t): nv numbers and tau */
} pawl_vary_kind;
typedef void (*pawl_vary_fn)(double t, void *payload, double *w, double *rate);

/* near: gaps up to this, in the metric of M, count as closed. */
PAWL_API PAWL_NODISCARD pawl_status pawl_vary_new(const pawl_system *system, double near,
                                                  pawl_vary **out);
PAWL_API void pawl_vary_free(pawl_vary *v);
/* Before the first row. The payload is borrowed. */
PAWL_API PAWL_NODISCARD pawl_status pawl_vary_add(pawl_vary *v, pawl_vary_kind kind,
                                                  pawl_vary_fn fn, void *payload);
/* Rows as for pawl_certify_row; a jump has two rows of equal time. */
PAWL_API PAWL_NODISCARD pawl_status pawl_vary_row(pawl_vary *v, double t, const double *q,
                                                  const double *u);
PAWL_API void pawl_vary_finish(pawl_vary *v);
PAWL_API double pawl_vary_action(const pawl_vary *v); /* of the trajectory itself */

typedef struct pawl_variation {
  pawl_vary_kind kind;
  double slope;   /* d(action)/d(eps) of the varied curves, from four of their actions */
  double formula; /* the same by reactions, impulses and jumps of the energy: (C12), (C13) */
  double weak; /* weak only: integral of p w' + (p' without reactions) w, (C11): the slope and the
                  work of the forces that have no potential; else NAN */
  double held; /* with multipliers that are states: integral of lambda times the variation of phi,
                  (C26); `weak` minus this enters Hoelder's form of the principle */
  double
      parts;   /* sum of the sizes of the terms of `weak`; strong: integral of (|T| + |V|) |tau'| */
  double size; /* |w|: root of the integral of w.M w; strong: w = -tau q' */
  int admissible; /* constraints allow w (1), -w (2), both (3), neither (0) */
} pawl_variation;
/* Variations of a certificate (opts.variations), or NULL: B-splines in time, along each of up to
 * six velocities and along mixtures of all, projected, and of the time (strong). They are reported
 * and do not change the verdict. */
PAWL_API const pawl_vary *pawl_certify_variations(const pawl_certifier *c);

typedef struct pawl_worst {
  int which;    /* index of the variation, or -1: none is allowed, or the model has laws with
                   additional forces (friction, springs with play, servos) */
  int sign;     /* of it */
  double value; /* -(weak)/|w| or, strong, -(formula)/|w|: negative if the principle is violated */
  double t;     /* where the formula has its largest part of that sign */
  double part;  /* value divided by the sum of the sizes of its terms */
  int is_zero;  /* 1: that quotient is rounding */
} pawl_worst;
/* The least of all that the constraints allow, weak or strong ones. */
PAWL_API pawl_worst pawl_vary_worst(const pawl_vary *v, int strong);
/* Name of the displaced quantity of a variation of the certificate: a coordinate, "t", a mixture
 * "+x -y"; at most `room` bytes including the terminating zero. */
PAWL_API void pawl_certify_along(const pawl_certifier *c, int i, char *text, size_t room);

/* The displacement (nv numbers, of unit length in the metric of M; of rotations in the body) for
 * which d'Alembert's inequality fails most, certificates (C3), and when; NULL: it never does. */
PAWL_API const double *pawl_certify_direction(const pawl_certifier *c, double *t);
PAWL_API int pawl_vary_count(const pawl_vary *v);
PAWL_API pawl_variation pawl_vary_get(const pawl_vary *v, int i);

#ifdef __cplusplus
}
#endif

#endif
