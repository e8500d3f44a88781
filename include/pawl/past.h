// SPDX-License-Identifier: MIT
/* States and impacts that can have led to a state (`pawl past`). With one-sided laws, friction and
 * impacts several pasts may have the same present (Kozlov 2019 sec. 3, Glocker 1998 sec. 10). The
 * tree starts with every acceleration that the laws admit before the instant, and every impact that
 * ends with the present velocities. Each is followed back to the previous instant, and so on. */
#ifndef PAWL_PAST_H
#define PAWL_PAST_H

#include "pawl/static.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pawl_past pawl_past;

typedef struct pawl_past_opts { /* zero selects the default */
  int depth;                    /* instants to go back through; default 2 */
  double back; /* time to go back at most; default: the run statement's span, or 1 */
  int most;    /* pasts in all; default 1000 */
} pawl_past_opts;

/* The pasts of the start. PAWL_E_START: the start violates a law. */
PAWL_API PAWL_NODISCARD pawl_status pawl_past_new(const pawl_system *system,
                                                  const pawl_past_opts *opts, pawl_diags *diags,
                                                  pawl_past **out);
PAWL_API void pawl_past_free(pawl_past *past);

typedef struct pawl_past_info {    /* one past of an instant; pointers are borrowed */
  int parent;                      /* the past whose beginning the instant is; -1: the start */
  int impact;                      /* 1: velocities jumped at the instant */
  double t;                        /* the instant */
  const double *acceleration;      /* nv, just before it; NULL: an impact */
  const double *u;                 /* nv: velocities just before it */
  const char *law;                 /* laws that change there, "" if none does */
  const char *how;                 /* "joins", "leaves", "turns" of the first of them; "strikes" */
  int followed;                    /* 1: back to the instant below */
  double since;                    /* where this past began, or how far it was followed */
  const double *q_since, *u_since; /* nq, nv: the state there */
  int ends;                        /* 1: there is a previous instant; 0: none within the time */
} pawl_past_info;
PAWL_API int pawl_past_count(const pawl_past *past);
PAWL_API pawl_past_info pawl_past_get(const pawl_past *past, int i);

/* 1: there are no others. Else the reason, in words; "" if complete. */
PAWL_API int pawl_past_complete(const pawl_past *past);
PAWL_API const char *pawl_past_why(const pawl_past *past);

/* The only motion that leads to the start, which is at `from`, back to the time `to`: q (nq), u
 * (nv); unless NULL, force (laws): multipliers that are states, NAN for other laws.
 * PAWL_E_NO_MOTION with a diagnostic where there are several pasts, or none. */
PAWL_API PAWL_NODISCARD pawl_status pawl_past_state(const pawl_system *system, double from,
                                                    double to, pawl_diags *diags, double *q,
                                                    double *u, double *force);

/* The result of `pawl past --json`. */
PAWL_API PAWL_NODISCARD pawl_status pawl_past_json(const pawl_past *past, pawl_sink sink,
                                                   void *payload);

#ifdef __cplusplus
}
#endif

#endif
