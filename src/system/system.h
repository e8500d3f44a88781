// SPDX-License-Identifier: MIT
/* The compiled system: M, h, constraint rows and all other functions of the state as tapes.
 * Immutable after building. Theory: M u' = h + J^T lambda, rows J u' + zeta = 0. */
#ifndef PW_SYSTEM_SYSTEM_H
#define PW_SYSTEM_SYSTEM_H

#include "expr/tape.h"
#include "law/row.h"
#include "model/model.h"
#include "system/guards.h"

typedef struct pw_work { /* one entry of the energy ledger */
  const char *name;
  bool lost;  /* counted as energy lost: dissipation, impacts */
  int row;    /* of a constraint or law: its power lambda * J u; -1: none */
  int rows;   /* how many: the kinks of one law follow each other */
  bool jumps; /* changes at impacts of the row only */
  bool slips; /* friction: the part -force * slip is lost, the rest is work of the moving surface */
  int pile;   /* of a pile: its number from 1; 0: of none */
  bool is_time; /* explicit time: -dL/dt plus the change of 2T - p.u */
} pw_work;

typedef struct pw_surface_origin { /* where a switching surface was first met */
  const char *word; /* "abs", "sign", "min", "max", "if", "table", "sample", "delay", "angle" */
  pw_span span;
  bool of_time;  /* a time, whatever the motion */
  bool of_force; /* it contains forces of equalities */
  int law; /* law row of the kink of an energy that lies on it, whose mode determines the side; -1:
              none */
  int table;  /* its side is the number of a piece of this table; -1: +1 or -1 */
  int place;  /* then: output of the tape `sides` with the argument of the table */
  int signal; /* the end of a piece of this delay, or of this count of turns; -1: none */
} pw_surface_origin;

/* Other changes at switching surfaces: signals with a value in the tape `signal`. */
typedef struct pw_ticks {
  int n;
  int *of;      /* n: index in model->signals, samples and delays */
  int *surface; /* n: the surface at which the signal changes */
} pw_ticks;

typedef struct pw_loads { /* equalities whose forces bound frictions */
  int n;
  int *row; /* n: rows here */
} pw_loads;

typedef struct pw_roots { /* event functions: of events that are not periodic */
  int n;
  int *of;         /* n: index in model->events */
  bool use_forces; /* they contain accelerations or forces */
} pw_roots;

/* Properties that hold for the whole motion, and save work or require more. */
typedef struct pw_traits {
  bool oblique; /* some force does not act along the gradient of its row: friction, servos */
  bool sides_use_forces; /* switching functions contain forces: |lambda| as the bound of friction */
  bool constant_mass;    /* M does not change along the motion */
  bool curved;           /* M changes with the velocities: T is not quadratic in them */
  bool bends;            /* some phi is not linear in the velocities: M contains multipliers */
  bool balances;         /* a coordinate has no inertia: the forces on it balance */
  bool phases;           /* frictions or contacts act on such coordinates */
} pw_traits;

typedef struct pw_patterns {        /* of M and J */
  const struct pw_sparsity *sparse; /* NULL: all entries are computed */
  const struct pw_moved *moved;     /* NULL: most rows move most velocities */
  int n_mass, n_slope;              /* entries of M, of J of the equalities */
  const int *rider, *next_rider; /* ni: first slip on a contact, next one on the same; -1: none */
} pw_patterns;

typedef struct pw_tie { /* a corner against the faces of another shape: see ties.h */
  int out; /* first output: gap, its rate, heights of its neighbours over the corner, its place,
              the functions of its surfaces */
  int n_beside, dim;
  const int *surface; /* n_surface: surfaces that choose the face */
  int n_surface;
  double size; /* of both shapes */
  int touch;   /* of the model */
} pw_tie;

typedef struct pw_ties {
  int n;
  const pw_tie *item;
} pw_ties;

typedef struct pw_tapes {  /* named by their outputs; the input of all of them is the same */
  const pw_tape *motion;   /* M lower triangle by columns, h, J by rows, zeta (nc), q' (nq), z' */
  const pw_tape *position; /* g (np), J of these rows */
  const pw_tape *velocity; /* g' of position rows and f of the others (nc), J of these rows */
  const pw_tape *gap;      /* value of each law row (ni); 1 of a law without kink */
  const pw_tape *contact;  /* of each law row: value, rate, zeta, J (nv) */
  const pw_tape *clause;   /* restitution of each law row (ni), 0 where it has none; bound of
                              sticking (ni), -1 where it has none */
  const pw_tape *graph;    /* of each law row: -force left and right of its kink (2 ni) */
  const pw_tape *by;       /* covectors of the servos (n_by x nv) */
  const pw_tape *carried;  /* of each multiplier that is a state, with X = lambda phi: the power of
                              d/dt X_u - X_q without u' and lambda', then X_uu u (nv) */
  const pw_tape *energy;   /* T, V, 2T - p.u without multipliers, sum of lambda phi */
  const pw_tape *momentum; /* p = dL/du (nv), its rate without reactions (nv), without rotations */
  const pw_tape *power;    /* of all that is no law: rate of the energy p.u - L without them */
  const pw_tape *sides;    /* switching functions (n_switch), arguments of tables */
  const pw_tape *signal;   /* expressions of samples and delays (tick.n) */
  const pw_tape *roots;    /* event functions (root.n) */
  const pw_tape *output;   /* velocities as shown (nv), then outputs (n_out) */
  const pw_tape **expect;  /* left and right of PW_EXPECT_GROUP expectations each, so that one
                              which is due costs no evaluation of all */
  const pw_tape *picture;  /* vertical and horizontal value of each curve of the plots, then the
                              numbers of the drawn shapes, then of touches */
  const pw_tape *ties;     /* of each tie, see pw_tie */
  pw_guards guards;        /* of motion, contact, graph, gap, sides and roots */
} pw_tapes;

enum { PW_EXPECT_GROUP = 32 }; /* they share subexpressions */

typedef struct pw_system {
  const pw_model *model;
  int nq; /* positions of the model, followed by n_state multipliers that are states */
  int nv;
  int n_state;
  int *state_row; /* n_state: row whose force is minus the rate of the multiplier */
  int nc;         /* equality rows, the first np of them on positions */
  int np;
  int ni;                     /* rows that open and close (laws), after the equalities */
  int nr;                     /* all rows: nc + ni */
  int n_work;                 /* ledger entries */
  int nz;                     /* integrals along the motion: the action, then the ledger */
  int n_switch;               /* surfaces where an expression changes its smooth piece */
  pw_surface_origin *surface; /* n_switch */
  int n_sides;                /* outputs of `sides`: n_switch, then arguments of tables */
  int n_out;
  int n_expect, n_expect_group; /* expectations, and tapes of them */

  int *row_of;         /* nr: index of each row in model->rows */
  const char **nature; /* nr: of constraints on velocities, in words; NULL: none */
  int *index_of;       /* model rows: index of the (first) row here, or -1 */
  pw_law_form *row;    /* nr: form of each row, equalities first */
  pw_law_form *law;    /* ni: the law rows among them, row + nc */
  int n_by;            /* covectors in the `by` tape */
  pw_work *work;       /* n_work */
  /* Input of every tape: t, q, u, a, force, impulse, integrals, modes. */
  int offset[PW_VAR_CLASSES];
  int n_in;

  const struct pw_scene *scene;  /* shapes of piles; NULL: there are none */
  const struct pw_equations *eq; /* the expressions of the tapes, for dumps */

  pw_ticks tick;
  pw_loads load;
  pw_roots root;
  pw_traits trait;
  pw_patterns pattern;
  pw_ties tie;
  pw_tapes tape;
  PW_LIST(pw_tape *) compiled; /* all of them, for machine code */
} pw_system;

/* A jump is not linear in its impulses: momenta decide, theory (83), potentials (P7). */
static inline bool pw_system_jumps_by_momenta(const pw_system *sys) {
  return sys->trait.bends || sys->trait.curved;
}

/* The side of a surface for the value that `sides` has there, if it was `before`: its sign, or the
 * piece of a table. */
double pw_surface_side(const pw_system *sys, int surface, const double *sides);
/* The next side, after the function has become zero. */
double pw_surface_next(const pw_system *sys, int surface, const double *sides, double side);
/* +1 or -1: the sign that the function has on this side. */
double pw_surface_sign(const pw_system *sys, int surface, double side);

/* Differentiates and compiles. All memory from the model's arena. */
pw_system *pw_system_build(const pw_model *model);
/* Recompiles the tape of plots and drawings, after drawings were added to the model. */
void pw_system_picture(pw_system *sys);

/* Sizes, equations and rows; long expressions have named parts, each defined before it is used. */
void pw_system_dump(pw_buf *out, const pw_system *system);
/* Every node of the graph, one per line. */
void pw_system_dump_dag(pw_buf *out, const pw_system *system);

#endif
