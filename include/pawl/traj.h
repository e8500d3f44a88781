// SPDX-License-Identifier: MIT
/* A stored trajectory: the file motion.pwt of a results folder. Between two events it is piecewise
 * polynomial, one segment for each step of the integration; at jumps it has two sides. Very long
 * runs leave out steps without rows and events (pawl_run_opts.motion_bytes). */
#ifndef PAWL_TRAJ_H
#define PAWL_TRAJ_H

#include <stdint.h>

#include "pawl/write.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pawl_traj pawl_traj;

/* Opens DIR/motion.pwt and scans it once. PAWL_E_FILE: it is missing or damaged; the diagnostics
 * say which. One thread at a time. */
PAWL_API PAWL_NODISCARD pawl_status pawl_traj_open(const char *dir, pawl_diags *diags,
                                                   pawl_traj **out);
PAWL_API void pawl_traj_free(pawl_traj *traj);

typedef struct pawl_traj_info {
  double from, to;    /* span of the stored motion */
  double tol;         /* of the integration */
  const char *method; /* "dp5", ...; "event": chosen during the run */
  int positions, velocities, multipliers, laws, outputs, works;
  int64_t rows, events, segments;
  double whole_until; /* all steps are stored until then; later only steps with rows or events */
} pawl_traj_info;
PAWL_API pawl_traj_info pawl_traj_info_get(const pawl_traj *traj);

/* Names of the columns of a row: t, positions, velocities, forces, outputs; of laws and entries of
 * the ledger. NULL: out of range. */
PAWL_API const char *pawl_traj_column(const pawl_traj *traj, int i);
PAWL_API const char *pawl_traj_law(const pawl_traj *traj, int i);
PAWL_API const char *pawl_traj_work(const pawl_traj *traj, int i);

typedef enum pawl_law_mode {
  PAWL_LAW_OPEN, /* above its kink: an open contact, a slip forward, a spring that is taut */
  PAWL_LAW_HELD, /* at its kink: an equality, a closed contact, friction that sticks */
  PAWL_LAW_BELOW /* below its kink: a slip backward */
} pawl_law_mode;

typedef struct pawl_traj_point { /* borrowed, until the next call */
  double t;
  const double *q;           /* positions */
  const double *u;           /* velocities as shown */
  const double *multiplier;  /* of vakonomic and inertia laws, which are states */
  const unsigned char *mode; /* pawl_law_mode of every law */
  const double *force;       /* of every law: linear between the ends of the segment */
  double kinetic, potential, action;
  const double *works; /* entries of the ledger since the start */
} pawl_traj_point;

/* PAWL_E_GAP: the step at t was not stored. The motion at a time between from and to, on the side
 * before or after a jump; both are the same where nothing jumps. States come from the polynomial
 * and are not projected: constraints hold up to the tolerance of the integration. */
PAWL_API PAWL_NODISCARD pawl_status pawl_traj_at(pawl_traj *traj, double t, pawl_side side,
                                                 pawl_traj_point *out);

typedef struct pawl_traj_segment { /* borrowed, for the time of the call */
  double from, to;
  int degree;                /* of the polynomial; 0: a single instant, the side of a jump */
  const unsigned char *mode; /* pawl_law_mode of every law */
} pawl_traj_segment;

typedef struct pawl_traj_visitor { /* functions may be NULL; non-zero from one: stop */
  int (*segment)(void *payload, const pawl_traj_segment *segment);
  int (*row)(void *payload, const double *values); /* as pawl_traj_column names them */
  int (*event)(void *payload, const pawl_run_event *event);
  void *payload;
} pawl_traj_visitor;

/* Everything in one pass. Each kind comes in order of time; of a part of the motion come first its
 * segments, then its rows, then its events. */
PAWL_API PAWL_NODISCARD pawl_status pawl_traj_visit(pawl_traj *traj,
                                                    const pawl_traj_visitor *visitor);

typedef struct pawl_traj_match {
  int known;      /* 1: there is a motion.pwt, and it is whole */
  int trajectory; /* 1: trajectory.csv has the rows of the stored trajectory, byte by byte */
  int events;     /* 1: events.csv has its events, likewise */
  int damaged;    /* 1: there is a motion.pwt, but it cannot be read, or not to its end */
} pawl_traj_match;

/* Whether the tables of a results folder match its stored trajectory. */
PAWL_API PAWL_NODISCARD pawl_status pawl_traj_compare(const char *dir, pawl_traj_match *out);

/* ---- the distance of two motions ---- */

typedef struct pawl_distance pawl_distance;

/* Both norms of Leine and Aeberhard (10) of the difference of two motions with the same
 * coordinates: the strong one is the sum of the largest differences of the positions, the weak one
 * adds those of the velocities. from, to: NAN for the time covered by both. The motions must be two
 * objects, and must stay open. PAWL_E_MODEL with E0668: their coordinates differ; with E0669: no
 * such time. PAWL_E_GAP: steps were not stored. */
PAWL_API PAWL_NODISCARD pawl_status pawl_distance_new(pawl_traj *a, pawl_traj *b, double from,
                                                      double to, pawl_diags *diags,
                                                      pawl_distance **out);
PAWL_API void pawl_distance_free(pawl_distance *distance);
PAWL_API double pawl_distance_norm(const pawl_distance *distance, int weak);

typedef struct pawl_apart {
  const char *name; /* of a position or velocity; borrowed from the first motion */
  int velocity;     /* 1: a velocity */
  double most, t;   /* the largest difference, and where it is */
} pawl_apart;
PAWL_API int pawl_distance_count(const pawl_distance *distance);
PAWL_API pawl_apart pawl_distance_get(const pawl_distance *distance, int i);
PAWL_API PAWL_NODISCARD pawl_status pawl_distance_json(const pawl_distance *distance,
                                                       pawl_sink sink, void *payload);

#ifdef __cplusplus
}
#endif

#endif
