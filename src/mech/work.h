// SPDX-License-Identifier: MIT
/* Work space of pw_mech, shared by the files of this folder only. */
#ifndef PW_MECH_WORK_H
#define PW_MECH_WORK_H

#include "base/layout.h"
#include "expr/enclosure.h"
#include "linalg/broyden.h"
#include "linalg/dense.h"
#include "linalg/qr.h"
#include "mech/mech.h"
#include "system/moved.h"
#include "system/view.h"

/* A tape with its own prepared registers and outputs. */
typedef struct pw_program {
  const pw_tape *tape;
  double *reg, *out;
  bool steady; /* `out` is not written elsewhere: its constants stay there */
} pw_program;

enum { PW_MOST_TURNING = 16 }; /* slips that follow the load at once; others keep their heading */
typedef struct pw_turning {
  pw_broyden b;
  double room[PW_MOST_TURNING * (PW_MOST_TURNING + 6)];
} pw_turning;

typedef struct pw_clock { /* tapes that contain the time, see pw_mech_clear */
  const pw_program *of[4];
  int n;
  double *in;            /* n_in: inputs at the other end of an interval */
  double *sample;        /* 5 n_out */
  double *low, *high;    /* n_out: result on an interval */
  double *least, *most;  /* n_out: bounds of the values there */
  double *range, *slack; /* n_out: of the samples, and what of it counts as near */
  double *work;
} pw_clock;

typedef struct pw_sight { /* enclosures along a piece of a step, see mech/sight.h */
  pw_form *in;            /* n_in */
  pw_form *reg, *out;     /* of the longest tape */
  bool reads_fixed;       /* some of them reads parameters, impulses or forces */
} pw_sight;

typedef struct pw_programs { /* each with the results of its last run */
  pw_program motion, position, velocity, gap, contact, clause, graph, by, carried, momentum;
  pw_program energy, sides, ties, signal, roots, output;
  pw_program *expect; /* n_expect_group */
} pw_programs;

typedef struct pw_oblique { /* imposed rows whose forces do not act along their gradients */
  bool any;                 /* there are some; else the rest is not used */
  bool open;                /* sliding friction leaves forces of independent rows open */
  double *phi, *D;          /* nv x n_act: L^-1 Phi; n_act x n_act: factor of columns^T phi */
  double *length;           /* n_act: force = scaled force / this */
  int *slides, n_slides;    /* ni: frictions that slide on closed contacts */
  int *pivot, *place;       /* n_act; nr: where a row stands among the imposed ones, or -1 */
  pw_qr slant;              /* the same matrix where forces are open */
} pw_oblique;

typedef struct pw_firm {             /* rows of a sparse system that are clearly independent */
  bool holds;                        /* the rows of the last pw_mech_rates are sparse; else dense */
  pw_sparse_rows rows;               /* of the accelerations */
  pw_sparse_rows project, project_q; /* for projections: all equalities, equalities on positions */
  double *room;                      /* nv: one row as nv numbers */
  double *dense;                     /* columns and decompositions, once they were needed */
  int *dense_ints;
} pw_firm;

typedef struct pw_kept_rows { /* gradients of the imposed rows that are factorised */
  double *slope;              /* their entries, row by row; NULL: they are not kept */
  int n;                      /* rows; -1: none, as other ones are imposed now */
} pw_kept_rows;

enum { PW_BARE_MOST = 6 };               /* velocities */
typedef struct pw_bare_factor {          /* M = L D L^T, see bare.c */
  bool on;                               /* nothing is imposed */
  bool valid;                            /* the factor; it stays where M is constant */
  pw_motion_view view;                   /* of the motion tape */
  double L[PW_BARE_MOST * PW_BARE_MOST]; /* by columns, below its diagonal of ones */
  double D[PW_BARE_MOST], inverse[PW_BARE_MOST];
  double c[PW_BARE_MOST]; /* L^-1 h */
} pw_bare_factor;

typedef struct pw_kept_shares { /* pw_mech_keep_shares */
  bool kept;
  double *force;         /* nr */
  double *scaled, *rest; /* n_act: scratch */
  double *push;          /* nv: scratch */
} pw_kept_shares;

struct pw_mech_work {
  /* properties of the system, set by pw_mech_new */
  bool has_segments; /* some law has forces on both sides of its kink */
  bool has_planes;   /* some slip is a vector */

  /* state and tapes: pw_mech_input, pw_program_run */
  double *in; /* input of every tape */
  pw_programs tape;

  /* rows that are imposed: pw_mech_close */
  unsigned char *state; /* ni: PW_AT_KINK, ... */
  int *act;             /* n_act rows: equalities and closed laws, positions first */
  int n_act, n_act_q;
  pw_bare_factor bare;

  /* factors at the last state: pw_mech_rates (accel.c, oblique.c) */
  double *L;       /* nv x nv: Cholesky factor of M; or the numbers of its plan */
  bool have_mass;  /* L is valid and M is constant */
  double *columns; /* nv x n_act: L^-1 J^T with columns of length 1 */
  double *length;  /* n_act: sqrt(D_ii), the lengths before scaling */
  pw_qr rows;      /* of `columns` */
  pw_kept_rows kept;
  pw_firm firm; /* in place of them, in a sparse system */
  pw_oblique oblique;

  /* directions of slips in a plane: heading.c */
  double *turn;       /* ni: angles from their headings */
  pw_turning turning; /* and how they are found */

  /* forces of equalities that bound frictions, and how they are found: loads.c */
  pw_broyden loads;

  /* forces that oblique rows leave open: nearest to these */
  pw_kept_shares shares;

  /* looking ahead in time: clock.c; along a step: sight.c */
  pw_clock clock;
  pw_sight sight;

  /* scratch, valid within one call */
  double *c;       /* nv: L^-1 h, then free */
  double *r, *lam; /* n_act: right-hand sides and scaled forces */
  double *given;   /* n_act: pw_mech_anchor */
  double *y, *v;   /* nv */
  double *dq;      /* nq */
  pw_qr project;   /* of the rows of a projection */
  double *jet_in;  /* 3 n_in, for pw_mech_side_jets */
  double *jet_work;
  double *terms; /* for pw_program_terms */
};

/* q o (0, W) / 2 */
void pw_quaternion_rate(const double *q, const double *W, double *out);

/* Sets t, q, u, sides in the input of the tapes. */
static inline void pw_mech_input(pw_mech *m, double t, const double *q, const double *u,
                                 const double *side) {
  const pw_system *s = m->sys;
  double *in = m->w->in;
  in[s->offset[PW_VAR_TIME]] = t;
  pw_copy(in + s->offset[PW_VAR_Q], q, s->nq);
  pw_copy(in + s->offset[PW_VAR_U], u, s->nv);
  if (s->n_switch > 0 && side != NULL) {
    pw_copy(in + s->offset[PW_VAR_MODE], side, s->n_switch);
  }
}
void pw_program_run(pw_mech *m, const pw_program *p);
/* Sizes of the terms of each output (pw_tape_terms), until the next call. */
const double *pw_program_terms(pw_mech *m, const pw_program *p);

/* Rows of laws are outputs of the contact tape; J of an equality row lies in eq_J (by rows). */
/* nv numbers; of a sparse system until the next call. */
const double *pw_mech_row(const pw_mech *m, const double *eq_J, int row);
const double *pw_mech_law(const pw_mech *m, int row); /* PW_VIEW_VALUE, ..., J */

/* works (nz) += powers of the rows with their present forces. */
void pw_mech_row_powers(const pw_mech *m, const pw_motion_view *x, const double *u, double *works);

/* Whether rates go by bare.c: with the rows that are imposed; whenever none is. */
bool pw_bare_fits(const pw_mech *m);
bool pw_bare_may_fit(const pw_mech *m);
/* All that pw_mech_rates computes, at the input of the tapes with velocities u. False: a value is
 * not a number, or M is not positive; the general path reports which. */
PAWL_NODISCARD bool pw_bare_rates(pw_mech *m, const double *u);

/* Factors M, which lies in L. As pw_chol. */
int pw_mech_factor(pw_mech *m);
void pw_mech_forward(const pw_mech *m, double *b);                 /* b <- L^-1 b */
void pw_mech_backward(const pw_mech *m, double *b);                /* b <- L^-T b */
void pw_mech_lift(const pw_mech *m, const double *v, double *out); /* out <- L^T v */
double pw_mech_unit(const pw_mech *m, double *b);                  /* as pw_chol_unit */
/* Of a dense factor: out (nv) <- L^-1 J^T of a row, of unit length. Returns its original length. */
double pw_mech_unit_row(const pw_mech *m, const double *L, int row, const double *J, double *out);
double pw_mech_column_dot(const pw_mech *m, int k, const double *v); /* of the last rates */

void pw_firm_lay(pw_layout *l, pw_firm *f, const pw_system *s);
/* Rows and their factor from the entries of J; true: they are clearly independent. */
bool pw_firm_factor(pw_mech *m, pw_sparse_rows *rows, const double *J, bool decide);
/* False: no memory. */
bool pw_firm_make_dense(pw_mech *m);
void pw_firm_free(pw_mech *m);

/* columns <- L^-1 J^T scaled to unit length, length <- sqrt(D_ii), for the first `count` active
 * rows. A row with a zero gradient keeps a zero column. */
void pw_mech_columns(const pw_mech *m, const double *eq_J, int count, double *columns,
                     double *length);

/* Directions of slips in the plane, in the output of the graph tape and in its series. After the
 * contact tape. */
void pw_mech_aim(pw_mech *m);
/* After the accelerations: turns the directions that follow the load; true: compute them again. */
bool pw_mech_turn(pw_mech *m, int pass);
/* pw_mech_rates in modes that need not last. */
PAWL_NODISCARD pawl_status pw_mech_rates_tentative(pw_mech *m, double t, const double *q,
                                                   const double *u, const double *side);
/* Forces that bound frictions: unknown at first; after the accelerations, a better guess of them.
 * True: compute the accelerations again. */
void pw_mech_forget_loads(pw_mech *m);
void pw_mech_spoil_loads(pw_mech *m); /* no numbers */
bool pw_mech_guess_loads(pw_mech *m, int pass, bool lenient, pawl_status *status);
/* They must be unique. After the rank was decided. */
pawl_status pw_mech_check_loads(pw_mech *m);
void pw_mech_aim_series(const pw_mech *m, int order, double *graph);
/* A law away from its kink, whose force is a function of the state. */
bool pw_mech_on_segment(const pw_mech *m, int law);
/* h += J^T force of these laws; their forces go to m->lambda. After the contact tape. */
pawl_status pw_mech_add_segments(pw_mech *m, double *h);

/* Runs the `by` tape. A servo that lets go acts along sense * Phi, so that a positive force raises
 * its row (Kozlov 2019, sec. 6). */
void pw_mech_aim_servos(pw_mech *m);
/* Chooses the senses, and aims. After the contact tape and the factor of M. */
void pw_mech_orient_servos(pw_mech *m);
/* Covector of a row's force: of a servo, else its gradient. After the aiming. */
const double *pw_mech_direction(const pw_mech *m, const double *eq_J, int row);

/* Coulomb friction that slides on a closed contact, and force / normal force of it. */
bool pw_mech_slides(const pw_mech *m, int law);
/* Lists them, where states or headings have changed. */
void pw_mech_list_slides(pw_mech *m);
double pw_mech_ratio(const pw_mech *m, int law);
/* After the columns: the matrix of the rows if it is not symmetric. */
pawl_status pw_mech_factor_oblique(pw_mech *m);
/* Sliding friction makes the matrix singular, and no forces solve it: Painleve. */
pawl_status pw_mech_no_hold(pw_mech *m);
/* x: scaled forces for the right-hand side r of the rows, y = L^-1 Phi x. Returns the residual. */
double pw_mech_solve_rows(const pw_mech *m, const double *r, double *x, double *y);
/* The same for the forces of the motion, with the shares that are kept. */
double pw_mech_solve_forces(const pw_mech *m, const double *r, double *x, double *y);
void pw_mech_sliding_forces(pw_mech *m);

/* Rate of an imposed row, which vanishes where it holds. After the tapes `velocity` and `contact`.
 */
double pw_mech_rate_of(const pw_mech *m, int row);

pawl_status pw_mech_fail(pw_mech *m, pawl_status status, int coord, int row, double value);

#endif
