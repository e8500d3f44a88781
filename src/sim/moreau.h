// SPDX-License-Identifier: MIT
/* Moreau and Jean's time stepping with theta = 1/2 and projection of the positions (Acary 2013),
 * theory (66), (67), (68), stepping (T1)-(T4).
 * In a step of length h, m its midpoint, v the mean of both velocities:
 *   M(m) (u1 - u0) = h f(m, v) + Phi(m) P,     q1 = q0 + h F v,     equalities: rate1 = 0,
 * rows that the step would violate: 0 <= rate1 + e rate0 complementary to P >= 0. Friction and
 * other laws with forces on both sides of their kinks: -P in h times their graphs of rate1. Then q1
 * goes to the nearest position with g = 0 for equalities and g >= 0 for the others. */
#ifndef PW_SIM_MOREAU_H
#define PW_SIM_MOREAU_H

#include "base/layout.h"
#include "sim/contact.h"
#include "sim/disk.h"

/* Laws with forces on both sides of their kinks: they are no rows of the mechanics in a step. */
typedef struct pw_moreau_graphs {
  bool any;                /* there are some */
  unsigned char *idle;     /* ni: open contacts and their slips, which frames leave out */
  unsigned char *apart;    /* ni: PW_IMPLIED for these, PW_ABOVE_KINK for the others */
  unsigned char *slides;   /* ni: goes on along its slip through the whole step */
  unsigned char *hits;     /* ni: a contact that is struck in the step */
  unsigned char *released; /* ni: its larger bound of sticking has been too small */
  double *middle, *bounds; /* 2 ni: -force beside the kinks, midpoint; as the step takes them */
  double *limit;           /* ni: bounds of sticking */
  double *mean;            /* nv: acceleration of the step without impacts */
  struct pw_disk *disk;    /* n_disk: slips in the plane that take part */
  int n_disk;
} pw_moreau_graphs;

typedef struct pw_moreau_doubt { /* a step that was accepted although its rounds had stalled */
  double change, t;              /* of the worst: its last round, in parts of the speeds; when */
  int row;                       /* the largest percussion */
  bool told;
} pw_moreau_doubt;

typedef struct pw_moreau {
  pw_contacts *contacts; /* its modes and its log */
  pw_local local;
  pw_part solver; /* where percussions are found */
  pw_frame mid, end;
  int rank, rank_q; /* of the equalities, at the start of the step */
  double *mid_memory, *end_memory;
  double *u1, *q1, *q_mid, *v; /* nv, nq, nq, nv: of the step that is solved for */
  double *du, *dq, *zero;      /* nv, nq: scratch; nv: zeros */
  double *z_rate;              /* nz: at the midpoint */
  double *P, *part, *push;     /* nr: percussions, their change; multipliers of the projection */
  double *rate0, *rate1;       /* nr: at both ends of the step */
  double *gap, *side;          /* ni, n_switch: scratch */
  double *columns;             /* nv x nc: scratch */
  double *after;               /* n: state after the instant at the end of the step */
  double *length;              /* 1: of the step that P belongs to; 0: no step yet */
  unsigned char *independent;  /* nc: equalities that imply the others */
  unsigned char *active, *off; /* ni: takes part in the step; rough row without pressure */
  unsigned char *struck;       /* ni: an impact */
  unsigned char *closes;       /* ni: mode after the instant */

  double *move;           /* nv: scratch of a step without restitution */
  pw_moreau_doubt *doubt; /* 1 */
  pw_moreau_graphs graph;
  enum {
    PW_STEP_AS_STATED,
    PW_STEP_BY_MIDDLE, /* rates by the rows of the midpoint */
    PW_STEP_PLASTIC    /* the same, without restitution */
  } manner;            /* tried in this order until percussions are found */
} pw_moreau;

/* Friction, springs, graphs: all but walls. */
static inline bool pw_moreau_is_graph(const pw_law_form *form) {
  return !form->wall;
}

/* `contacts` is set by the owner. */
void pw_moreau_lay_out(pw_moreau *x, const pw_system *sys, pw_layout *l);
void pw_moreau_init(pw_moreau *x, const pw_system *sys);
/* The modes on the mechanics: walls that are closed, and no law with a graph. */
void pw_moreau_impose(pw_moreau *x);

/* The column L^-1 Phi along which the force of a row acts, and its length. */
static inline const double *pw_moreau_column(const pw_frame *f, int row, double *length) {
  bool along = f->phi == NULL;
  *length = along ? f->length[row] : f->phi_length[row];
  return (along ? f->A : f->phi) + (size_t)row * (size_t)f->n;
}
/* The speed that resting contact gives in one step, twice. */
double pw_moreau_rest_speed(const pw_frame *f, double h, int row);

/* ---- laws with graphs (moreau_laws.c) ---- */

/* At the start of a step, `end` being the frame there: what slides through, what is struck. */
void pw_moreau_begin_laws(pw_moreau *x, const pw_rk *rk);
/* The graphs for the present guess of the step. */
void pw_moreau_bound_laws(pw_moreau *x, const pw_rk *rk);
/* Adds their rows to the local problem; free(i) is the rate of row i without percussions. */
void pw_moreau_take_graph(pw_moreau *x, const pw_rk *rk, int law, double free);
void pw_moreau_take_coulomb(pw_moreau *x, int law, double free);
void pw_moreau_take_disk(pw_moreau *x, const pw_rk *rk, int law, const double *free);
/* Slips that have overcome their larger bound of sticking; true if there are new ones. */
bool pw_moreau_release(pw_moreau *x, const pw_rk *rk);
/* Modes of these laws at the end of the step, into `closes`. */
void pw_moreau_judge_laws(pw_moreau *x, const pw_rk *rk);

/* ---- the ledger (moreau_ledger.c) ---- */

double pw_moreau_lost_by(const pw_moreau *x, int row);
void pw_moreau_book(const pw_moreau *x, double *z, int row, double lost, double work);
void pw_moreau_book_row(const pw_moreau *x, double *z, int row);
void pw_moreau_book_step(const pw_moreau *x, const pw_rk *rk, double *z);
void pw_moreau_book_shift(const pw_moreau *x, double *z, double gained);

/* ---- the step ---- */

/* A contact that was left out, and its slips, take part from now on. */
void pw_moreau_wake(pw_moreau *x, int contact);
/* Chooses the independent equalities of the frame `end`, as many as the mechanics has found. */
void pw_moreau_choose(pw_moreau *x);
/* Velocities u1, percussions P and positions q1 of the step of rk with the active rows, before the
 * projection; P holds a guess. PAWL_E_STEP if it does not converge. */
/* W0550, once, where the rounds of a step had stalled. */
void pw_moreau_announce(pw_moreau *x, pawl_diags *diags);
PAWL_NODISCARD pawl_status pw_moreau_solve(pw_moreau *x, const pw_rk *rk);
/* Puts q1 where equalities hold and no unilateral row is violated. */
PAWL_NODISCARD pawl_status pw_moreau_project(pw_moreau *x, double t);

/* The step of rk: y1 is the state before the instant at its end, if there is one (pending). */
PAWL_NODISCARD pawl_status pw_moreau_step(void *moreau, pw_rk *rk);
/* Treats that instant: s->y jumps, modes change, the log of the contacts says what. */
PAWL_NODISCARD pawl_status pw_moreau_handle(pw_moreau *x);

#endif
