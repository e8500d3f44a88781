// SPDX-License-Identifier: MIT
/* A certificate while rows arrive. Each part has one owner, named at the part; the checks read the
 * parts and write findings and reasons into the record. */
#ifndef PW_VERIFY_CHECKER_H
#define PW_VERIFY_CHECKER_H

#include <stdint.h>

#include "base/real.h"
#include "mech/handle.h"
#include "pawl/options.h"
#include "pawl/verify.h"
#include "verify/energy.h"
#include "verify/findings.h"
#include "verify/fit.h"
#include "verify/own.h"
#include "verify/room.h"
#include "verify/scenes.h"
#include "verify/sets.h"
#include "verify/signal_watch.h"
#include "verify/steps.h"
#include "verify/vary.h"

enum { PW_USUAL_ROWS = PAWL_DEFAULT_ROWS }; /* rows of a run unless its model says otherwise */

typedef struct pw_row_view {
  double t;
  const double *q, *v, *u, *force; /* v: q' (nq); u in body axes; force NULL: not given */
  double doubt;                    /* of the velocities, where they were not given */
  double place;                    /* of the positions, if it was found between rows of a table */
} pw_row_view;

/* Rows of the present smooth piece, and the last three rows of any piece. Owner: stream.c. */
typedef struct pw_stream {
  int n_row, cap, done; /* rows; room; rows checked already */
  size_t width;         /* doubles per row: q, v, u, force, doubt, place */
  double *times, *rows;
  bool has_force;
  bool has_state;               /* the multipliers that are states are given */
  signed char *sign, *sign_now; /* ni + n_switch: side of each kink and surface */
  double last_time;
  bool any_row;
  bool after_pair;           /* the piece began with the later side of an instant */
  bool cut;                  /* the next row begins a piece */
  bool pending;              /* the newest row is on another side than the rows before it */
  double no_numbers;         /* time of the first row with values that are not finite; NAN: none */
  double *trail, trail_t[3]; /* 3 rows */
  int n_trail;
} pw_stream;

/* Sizes of the motion in the metric of M; they grow with the rows. Owner: motion_scale.c. */
typedef struct pw_motion_scale {
  double L0, V0, F0; /* largest distance, speed, force */
  double pull;       /* largest of the forces that are functions of the state */
  double whole;      /* time from first to last row, */
  double span;       /* at most that of 2000 rows */
  double first_step; /* length of the first segment of a run that moves; 0: not known */
  double extent;     /* range of all positions of a table */
  double place;      /* how far the first position is from zero; 1 in every coordinate if it is */
  double swift;      /* largest speed that was examined */
  double fastest;    /* of the velocities given, or 0 */
  bool scaled;
  double *first_q, *mass; /* nq: first position; nv: roots of the diagonal of M */
  double *size_of;        /* ni: lengths of the law rows at the last full examination */
} pw_motion_scale;

/* What is known about the errors of the samples. Owners: certify_file.c (digits, times), samples.c
 * (misses). */
typedef struct pw_data {
  bool table;                      /* rows come from a file */
  bool derived;                    /* velocities come from positions */
  bool find_noise;                 /* the errors are to be estimated from the rows */
  bool jitters;                    /* the times of all rows are rounded to single precision */
  double noise;                    /* assumed relative error of the samples */
  double grain;                    /* the same as estimated from a table, or 0 */
  double place_error, speed_error; /* in the metric */
  double spacing, time_error;      /* between the first rows; of times at uneven distances */
  double *digit, *still_digit;     /* columns of a table (q, q', forces): half of the last digit, of
                                      columns that vary and of columns that do not */
  double *force_error, *force_noise; /* model rows: half of the last digit; estimated error */
} pw_data;

/* Second derivatives of h over the intervals before. Owner: stretch_floor.c. */
typedef struct pw_bend_past {
  double bend, bend_t;            /* largest of the last intervals; when */
  double *last_bend, last_bend_t; /* nv: the last of them */
} pw_bend_past;

/* Multipliers that are states. Found from the motion where they are not given: multiplier.c. */
typedef struct pw_multipliers {
  double *L, *rest, *unit; /* nv x nv; nv; nv x n_state */
  double *shows;           /* n_state: largest part of a unit that is no force */
  double *sum, *blur;      /* n_state: integral of the rate since the constraint was met */
  double *last, *before;   /* n_state: forces at the rows before */
  double *rate;            /* n_state: at the present instant (check_forces.c) */
  double *bend, *size;     /* n_state: second differences, largest sizes (stream.c) */
  double t;
  bool closed;
  bool lost; /* an impact has changed them by an unknown amount */
} pw_multipliers;

typedef struct pw_verify_jump_record { /* an instant at which velocities jump */
  double t, loss;                      /* loss: energy lost, relative to T- + T+ */
  double impulse;     /* distance of the jump from the normal cone, relative to the jump */
  double restitution; /* effective, of the contact that closes fastest; NAN: none does */
  int law;            /* model row of that contact, or -1 */
} pw_verify_jump_record;

typedef struct pw_owed { /* a contact that an impact has left closing: the next one must hit it */
  double value, speed, tiny; /* value 0: none */
  double t, until;
  double from; /* the first one that closes is open until then; -INFINITY: it may be met at once */
  int law;
  bool now; /* its gap is zero, in rows on both sides of the instant */
} pw_owed;

enum { PW_CORNERS_KEPT = 1000, PW_SERIES = 4 };

/* Owners: check_corner.c, check_impact.c. */
typedef struct pw_jumps {
  pw_verify_jump_record *corner; /* the first PW_CORNERS_KEPT */
  int64_t n_corner;
  double last_corner[PW_SERIES]; /* times of the last ones, by n_corner modulo PW_SERIES */
  int gained_law;                /* model row at which most is gained, or -1 */
  double gained, lost;           /* largest relative gain and loss of energy at an impact */
  pw_owed owed;
  double unjudged; /* time of an impact whose law could not be decided; NAN: none */
  int unjudged_law;
} pw_jumps;

static inline void pw_jumps_gain(pw_jumps *j, double gained, int law) {
  if (gained > j->gained) {
    j->gained = gained;
    j->gained_law = law;
  }
}

/* The next of them, at the end of the list. */
static inline void pw_jumps_keep(pw_jumps *j, const pw_verify_jump_record *k) {
  if (j->n_corner < PW_CORNERS_KEPT) {
    j->corner[j->n_corner] = *k;
  }
  j->last_corner[j->n_corner % PW_SERIES] = k->t;
  j->n_corner++;
}

static inline void pw_jumps_lose(pw_jumps *j, double lost) {
  j->lost = pw_max(j->lost, lost);
}

/* How many rows were examined, and for which part of the time. Owners: stream.c, check_instant.c.
 */
typedef struct pw_coverage {
  int64_t n_rows, n_kept; /* rows; rows that fits may use */
  int64_t n_instant, n_undecided;
  int64_t counts;               /* only every n-th instant is used in the times below */
  double gap_time;              /* time of which nothing is stored */
  double seen_time, blind_time; /* time in which an error of CERT_SEEN would show, or would not */
} pw_coverage;

/* An instant is decided or not, and so is the time that it stands for. */
static inline void pw_coverage_add(pw_coverage *count, bool seen, double time) {
  count->n_undecided += !seen;
  *(seen ? &count->seen_time : &count->blind_time) += time;
}

typedef struct pw_against { /* see pawl_certify_direction */
  double *way;              /* nv */
  double t, rho;
} pw_against;

typedef struct pw_result { /* owner: verdict.c; event_note: check_events.c */
  pawl_verdict verdict;
  bool signals_hide; /* what the rows seem to violate may be the work of signals between them */
  const char *subclass;
  char sentence[400], event_note[300], advice[300], balance[200];
} pw_result;

enum { PW_HAND_FINDINGS = 3 };

/* Parts that are judged by events, and by the steps of a pile. Owner: hand_over.c. */
typedef struct pw_hand {
  bool both;                               /* the model has rows and piles: both kinds may come */
  bool steps;                              /* the present part is made of steps of a pile */
  pw_verify_found aside[PW_HAND_FINDINGS]; /* of the other kind, which have another scale */
} pw_hand;

struct pawl_certifier {
  const pawl_system *system;
  const pw_system *sys;
  pawl_certify_opts opts;
  pw_probe probe;
  pw_stream stream;
  pw_own own;
  pw_steps steps;
  pw_scenes scenes;
  pw_hand hand;
  pw_signal_watch signals;
  pw_motion_scale scale;
  pw_data data;
  pw_bend_past past;
  pw_multipliers lambda;
  pw_thrift energy;
  pw_jumps jumps;
  pw_record record;
  pw_against against;
  pw_coverage count;
  pw_result result;
  pw_room room;
  pawl_vary *vary; /* or NULL */
  pw_family family;
  bool over;
  void *memory;
  void *room_memory; /* of `room`; freed with the verdict */
};

/* ---- certifier.c ---- */

/* Rows do not show the percussions between them: a table of a pile is not checked. */
void pw_certify_leave(pawl_certifier *c);
/* A step of a pile. */
void pw_certify_pile(pawl_certifier *c, const pw_segment *g, int stride);

/* ---- hand_over.c ---- */

void pw_hand_begin(pawl_certifier *c);
/* The next segment, which may be of the other kind. */
void pw_hand_to(pawl_certifier *c, const pw_segment *g);
/* At the end: the findings of events alone, then with those of steps. */
void pw_hand_show_events(pawl_certifier *c);
void pw_hand_merge(pawl_certifier *c);

/* ---- stream.c ---- */

void pw_stream_lay(pawl_certifier *c, pw_layout *l);
pw_row_view pw_row_at(const pawl_certifier *c, int i);
/* A row with angular velocities in the body; how well its velocities and its positions are known,
 * 0 where they were given. */
void pw_stream_put(pawl_certifier *c, double t, const double *q, const double *u,
                   const double *force, double doubt, double place);
/* The next row begins another piece. */
void pw_stream_cut(pawl_certifier *c);
void pw_stream_end(pawl_certifier *c);

/* ---- motion_scale.c ---- */

/* A jump of velocities (nv), but for those without inertia, which carry no momentum: balances say
 * what they are. */
void pw_verify_jump_of(const pw_system *s, const double *after, const double *before, double *du);
/* pw_probe_beside at a row, with its forces where they bound frictions. */
bool pw_probe_row(pawl_certifier *c, const pw_row_view *row, double ahead);

/* Sizes grow with a row. After pw_probe_at. */
void pw_scale_row(pawl_certifier *c, const pw_row_view *row);
void pw_scale_speed(pawl_certifier *c, double speed);
/* The scale of the forces at an instant: own forces, acceleration (size and floor). */
double pw_scale_force(pawl_certifier *c, double own, double acceleration, double floor);
/* The part of it that the whole motion so far makes. */
double pw_scale_share(const pawl_certifier *c);
/* The speed that errors of velocities are compared with at the end: the largest or, where all
 * motion is rounding, the one that would pass the place in the whole time. */
double pw_scale_velocity(const pawl_certifier *c);
/* Tells the record the sizes of the motion so far. */
void pw_scale_record(pawl_certifier *c);
void pw_scale_pull(pawl_certifier *c, double pull);
/* The range of the positions (nq), known beforehand. */
void pw_scale_extent(pawl_certifier *c, const double *low, const double *high);
/* Below these a measure counts as zero. floor: of the accelerations. */
pw_set_scale pw_zero_scale(const pawl_certifier *c, double force, double floor);
double pw_verify_size(const pw_probe *p, const double *x); /* |L^T x| */
/* The same of four vectors, `apart` from each other. */
void pw_verify_sizes(const pw_probe *p, const double *x, ptrdiff_t apart, double out[4]);
/* Distance of two positions by given masses (nv); b NULL: from 0. */
double pw_verify_distance(const pw_model *m, const double *mass, const double *a, const double *b);
/* The same with the diagonal of the metric at the probe. */
double pw_verify_apart(const pawl_certifier *c, const double *a, const double *b);

/* ---- check_segment.c ---- */

/* The state (nq + nv) where the last segment ends, or the jump at its end, is that of the next. */
void pw_own_join(pawl_certifier *c, double t, const double *state);
/* The next segment begins at this state, by another method. */
void pw_own_restart(pawl_certifier *c, const double *state);

/* ---- checks ---- */

/* One row of the present piece: laws, accelerations, forces. counted: its time counts for the
 * coverage. */
void pw_verify_instant(pawl_certifier *c, int j, bool counted);
/* Rates of the multipliers that are states at row j, from the rows beside it; returns how well the
 * forces that they make are known. After pw_probe_at. */
double pw_verify_states(pawl_certifier *c, int j);
/* Whether rows dt apart resolve the motion from this row on, (C27). Moves the probe. */
bool pw_verify_resolves(pawl_certifier *c, const pw_row_view *row, double dt);
/* The only row of a piece: checks that need no neighbours. */
void pw_verify_alone(pawl_certifier *c);
/* From the row before the newest one to it: positions go where velocities lead. */
void pw_verify_step(pawl_certifier *c);
/* Constraints and gaps at a row, after pw_probe_at. */
void pw_verify_admissible(pawl_certifier *c, const pw_row_view *row);
/* Both sides of an instant. */
void pw_verify_corner(pawl_certifier *c, const pw_row_view *before, const pw_row_view *after);
/* Time has come to t: an impact that is still owed by then will not come. */
void pw_owed_settle(pawl_certifier *c, double t);
/* A jump comes at t, which may be the one that is owed. */
void pw_owed_pay(pawl_certifier *c, double t);
/* Forces as delivered against the laws, after pw_probe_at. a (nv): acceleration. Returns how far
 * they are from making it, relative to the scale, and the law along which most is missed. */
double pw_verify_forces(pawl_certifier *c, const pw_row_view *row, const double *a,
                        const pw_set_scale *zero, double scale, int *law);
/* Error of the sum of all forces by the noise of their columns. */
double pw_verify_force_noise(const pawl_certifier *c);
/* Whether some friction has a force, by those given. */
void pw_verify_rubs_by(pawl_certifier *c, const pw_row_view *row, const pw_set_scale *zero,
                       double scale);
/* Without forces: whether some friction slips under load. */
void pw_verify_rubs(pawl_certifier *c, const pw_set_scale *zero);
/* The sets alone. */
void pw_verify_force_sets(pawl_certifier *c, const pw_row_view *row, const pw_set_scale *zero,
                          double scale);
void pw_verify_verdict(pawl_certifier *c);
/* The rule of the worst finding. */
pw_rule pw_worst_rule(const pawl_certifier *c);

/* The name of displacement i: of a coordinate, or a turn about an axis of the body. */
void pw_certify_name(const pw_model *m, int i, char *text, size_t room);

/* Angular velocities from space into the body. */
void pw_motion_into_body(const pw_model *m, const double *q, double *u);
/* v = dq/dt of the velocities u, and u' of q'' at (q, u). */
void pw_motion_rate(const pw_model *m, const double *q, const double *u, double *v);
void pw_motion_back(const pw_model *m, const double *q, const double *v, const double *u,
                    const double *second, double *a);
/* q'' of u' = a at a row, as u' at the position `from` with no velocity: rotations in one frame. */
void pw_motion_seen(const pw_model *m, const double *from, const pw_row_view *row, double *a);
/* Half-way between two rows on the cubic through positions and velocities: q, v (nq), u (nv). */
void pw_motion_middle(const pw_system *s, const pw_row_view *a, const pw_row_view *b, double *q,
                      double *v, double *u);
/* |q2 - q1 - dt (v1 + v2)/2| from row to row by masses (nv), and |v2 - v1|. */
double pw_motion_miss(const pw_model *m, const double *mass, const pw_row_view *a,
                      const pw_row_view *b, double *turn);
/* Makes quaternions those of length 1; returns the largest change of their squares. */
double pw_motion_unit(const pw_model *m, double *q);
/* Velocity error of an error in q'. */
void pw_motion_error(const pw_model *m, const double *q, const double *dv, double *du);

#endif
