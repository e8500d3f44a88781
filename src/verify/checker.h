// SPDX-License-Identifier: MIT
/* A certificate on its way: the rows of the present smooth piece, scales, and what was found. */
#ifndef PW_VERIFY_CHECKER_H
#define PW_VERIFY_CHECKER_H

#include "mech/handle.h"
#include "pawl/verify.h"
#include "verify/energy.h"
#include "verify/fit.h"
#include "verify/sets.h"
#include "verify/vary.h"

/* Name and how it is told. Values are relative: to the size of the motion, of the forces, of the
 * jump. */
#define PW_FINDING_LIST(F)           \
  F(GAP, "gap")                      \
  F(POSITION, "position constraint") \
  F(VELOCITY, "velocity constraint") \
  F(KINEMATIC, "velocity")           \
  F(ALEMBERT, "d'Alembert")          \
  F(JOURDAIN, "Jourdain")            \
  F(GAUSS, "Gauss")                  \
  F(FORCE, "force")                  \
  F(SET, "force law")                \
  F(BREAK, "smoothness")             \
  F(MOMENTUM, "momentum")            \
  F(ENERGY, "energy")                \
  F(HOLD, "hold")                    \
  F(CONTINUITY, "continuity")        \
  F(IMPULSE, "impulse")              \
  F(IMPACT, "impact law")            \
  F(EVENT, "events")

typedef enum pw_finding_kind {
#define PW_FINDING_ENUM(name, text) PW_FINDING_##name,
  PW_FINDING_LIST(PW_FINDING_ENUM)
#undef PW_FINDING_ENUM
      PW_FINDINGS
} pw_finding_kind;

typedef struct pw_verify_found { /* the worst of its kind */
  double value, tolerance, t;    /* t NAN: nothing yet */
  int law;                       /* model row, or -1 */
} pw_verify_found;

typedef struct pw_verify_jump_record { /* an instant at which velocities jump */
  double t, loss;                      /* loss: energy lost, relative to T- + T+ */
  double impulse;     /* distance of the jump from the normal cone, relative to the jump */
  double restitution; /* effective, of the contact that closes fastest; NAN: none does */
  int law;            /* model row of that contact, or -1 */
} pw_verify_jump_record;

typedef struct pw_owed { /* a contact that an impact has left closing: the next one must hit it */
  double value, speed, tiny; /* value 0: none */
  double t, until;
  int law;
} pw_owed;

enum { PW_CORNERS_KEPT = 1000, PW_SERIES = 4 };

typedef struct pw_multipliers { /* found from the motion, see multiplier.h */
  double *L, *rest, *unit;      /* nv x nv; nv; nv x n_state */
  double *shows;                /* n_state: largest share of a unit that is no force */
  double *sum, *blur;           /* n_state: integral of the rate since the constraint was met */
  double *last, *before;        /* n_state: forces at the rows before */
  double t;
  bool closed;
  bool lost; /* an impact has changed them, nobody knows how */
} pw_multipliers;

typedef struct pw_row_view {
  double t;
  const double *q, *v, *u, *force; /* v: q' (nq); u in body axes; force NULL: not given */
  double doubt;                    /* of the velocities, where they were not given */
  double place;                    /* of the positions, if it was found between rows of a table */
} pw_row_view;

struct pawl_certifier {
  const pawl_system *system;
  const pw_system *sys;
  pawl_certify_opts opts;
  pw_probe probe;
  pw_reach reach;

  /* rows of the present piece */
  int n_row, cap, done; /* rows; room; rows looked at already */
  size_t width;         /* doubles per row: q, v, u, force, doubt, place */
  double *times, *rows;
  bool has_force;
  bool has_state; /* the multipliers that are states are given */
  pw_multipliers unknown;
  signed char *sign, *sign_now; /* ni + n_switch: side of each kink and surface */
  signed char *stays;           /* ni: see pw_set_scale; of the present instant */
  double *size_of;              /* ni: lengths of the law rows at the last close look */
  double last_time;
  bool any_row;
  bool after_pair; /* the piece began with the later side of an instant */
  bool cut;        /* the next row begins a piece */
  bool pending;    /* the newest row is on another side than those before it */

  /* scales in the metric of M */
  double L0, V0, F0, pull; /* pull: of the forces that are functions of the state */
  double whole, span;      /* from first to last; no more than 2000 rows of it */
  double extent;           /* range of all positions of a table */
  bool scaled, find_noise;
  bool table;   /* rows come from a file */
  bool derived; /* velocities come from positions */
  double grain; /* relative error of the samples of a table, as it looks; noise is 1e-9 or more */
  double place_error, speed_error; /* of the samples, in the metric */
  double fastest;                  /* of the velocities given, or 0 */
  double swift;                    /* the largest speed that was looked at */
  double bend, bend_t; /* largest second derivative of h in the stretches balanced last; when */
  double *last_bend, last_bend_t; /* nv: the last of them */
  bool aside;                     /* a stretch is balanced once more */
  double spacing, time_error;  /* of a table: between its first rows; of times between even ones */
  bool jitters;                /* the times of all rows are rounded to single precision */
  double *digit, *still_digit; /* columns of a table (q, q', forces): half of the last digit, of
                                  those that vary and of those that do not */
  double *force_error, *force_noise; /* laws: what digits leave out of a force; what it is off by */
  double *first_q, *mass;            /* nq: first position; nv: roots of the diagonal of M */
  pw_owed owed;
  double last_corner[PW_SERIES]; /* times of the last ones, by n_corner modulo PW_SERIES */
  double slack, slack_place;     /* of velocities; of positions at an instant found between rows */

  pw_verify_found found[PW_FINDINGS];
  pw_verify_jump_record *corner; /* the first PW_CORNERS_KEPT */
  long n_corner, n_instant, n_undecided, n_rows;
  long n_kept;                  /* rows that fits may use */
  long counts;                  /* one instant in so many counts for what follows */
  double seen_time, blind_time; /* for which the instants stand */
  bool uncounted;               /* the present instant does not */
  double hidden, hidden_t;      /* momentum that could come from nowhere between rows; when */
  pw_thrift energy;
  double gained, lost; /* largest relative gain and loss of energy at a corner */
  bool rubs;           /* some dry friction had a force */
  bool over;
  pawl_verdict verdict;
  const char *subclass;
  char sentence[400], event_note[300];

  pawl_vary *vary; /* or NULL */
  pw_family family;

  void *memory;
  double *u_body;  /* nv */
  double *against; /* nv: see pawl_certify_direction */
  double against_t, against_rho;
  double *state_rate; /* n_state: rates of the multipliers at the present instant */
  double *state_bend; /* n_state: their second differences at the newest rows, */
  double *state_size; /* n_state: and how large they have been */
  double *work, *scratch, *balance;
  double *trail, trail_t[3]; /* 3 rows: the newest ones, whatever the pieces */
  int n_trail;
  double *shaken;        /* nq + 5 nv + 2 ni: scratch, first a residual */
  pw_reach replay_reach; /* one row more */
  double *replay;
  int *replay_part; /* nr */
  double *hold;     /* NULL: no law asks for it */
  int *hold_row;
  struct pw_strike_room *strike;
  pw_fit_weights window[PW_FIT_WIDTHS]; /* of the last instant, from narrow to wide */
  double unjudged; /* time of an impact whose law could not be decided; NAN: none */
  int unjudged_law;
  double no_numbers; /* time of the first row with values that are not finite; NAN: none */
};

#define PW_SEEN 1e-3  /* an error that an instant must be able to show */
#define PW_BLIND 3e-2 /* where floors are not even this low, they are no floors */

/* Keeps the worst of its kind, by value / tolerance. */
void pw_found_note(pawl_certifier *c, pw_finding_kind kind, double value, double tolerance,
                   double t, int law);

/* The same where numbers are known up to a floor: the tolerance is that much larger, and what
 * cannot be seen is no finding. */
void pw_found_judge(pawl_certifier *c, pw_finding_kind kind, double value, double floor, double t,
                    int law);

pw_row_view pw_row_at(const pawl_certifier *c, int i);
/* Below these a measure counts as zero. floor: of the accelerations. */
pw_set_scale pw_zero_scale(const pawl_certifier *c, double force, double floor);

/* One row of the present piece: laws, accelerations, forces. */
void pw_verify_instant(pawl_certifier *c, int j);
/* Rates of the multipliers that are states at row j, from the rows beside it; returns how well the
 * forces that they make are known. After pw_probe_at. */
double pw_verify_states(pawl_certifier *c, int j);
/* Whether rows that are dt apart can show what happens from this one on. Moves the probe. */
bool pw_verify_resolves(pawl_certifier *c, const pw_row_view *row, double dt);
/* The only row of a piece: what can be said without neighbours. */
void pw_verify_alone(pawl_certifier *c);
/* From the row before the newest one to it: positions go where velocities lead. */
void pw_verify_step(pawl_certifier *c);
/* Constraints and gaps at a row, after pw_probe_at. */
void pw_verify_admissible(pawl_certifier *c, const pw_row_view *row);
/* Scales that grow with the motion. After pw_probe_at. */
void pw_verify_scales(pawl_certifier *c, const pw_row_view *row);
/* Both sides of an instant. */
void pw_verify_corner(pawl_certifier *c, const pw_row_view *before, const pw_row_view *after);
/* Time has come to t: an impact that is still owed by then will not come. */
void pw_owed_settle(pawl_certifier *c, double t);
/* Forces as delivered against the laws, after pw_probe_at. a (nv): acceleration. Returns how far
 * they are from making it, relative to the scale, and the law along which most is missed. */
double pw_verify_forces(pawl_certifier *c, const pw_row_view *row, const double *a,
                        const pw_set_scale *zero, double scale, int *law);
/* What noise of the columns of forces makes of their sum. */
double pw_verify_force_noise(const pawl_certifier *c);
/* Without forces: whether some friction slips under load. */
void pw_verify_rubs(pawl_certifier *c, const pw_set_scale *zero);
/* The sets alone. */
void pw_verify_force_sets(pawl_certifier *c, const pw_row_view *row, const pw_set_scale *zero,
                          double scale);
double pw_verify_size(const pw_probe *p, const double *x); /* |L^T x| */
/* How far the first position is from zero, in the metric; 1 in every coordinate if it is zero. */
double pw_verify_place(const pawl_certifier *c);
void pw_verify_verdict(pawl_certifier *c);

/* The name of displacement i: of a coordinate, or a turn about an axis of the body. */
void pw_certify_name(const pw_model *m, int i, char *text, size_t room);

/* A row with angular velocities in the body. */
void pw_certify_put(pawl_certifier *c, double t, const double *q, const double *u,
                    const double *force);
/* The range of the positions (nq), known beforehand. */
void pw_certify_extent(pawl_certifier *c, const double *low, const double *high);

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
/* Velocity error of an error in q'. */
void pw_motion_error(const pw_model *m, const double *q, const double *dv, double *du);

#endif
