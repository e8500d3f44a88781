// SPDX-License-Identifier: MIT
/* Impacts: one problem over all rows that touch (theory (55)-(61)). Newton's law in Moreau's form,
 * Poisson's two phases, or one contact after the other; rough contacts stop or turn their slip
 * (weak solutions of Lagrange-d'Alembert, v+ = (I - (1 + mu) P) v-). */
#ifndef PW_SIM_IMPACT_H
#define PW_SIM_IMPACT_H

#include "base/layout.h"
#include "base/least.h"
#include "sim/form.h"
#include "sim/jump_log.h"
#include "sim/split.h"
#include "traj/strokes.h"

typedef struct pw_impact_law { /* a law row at the instant, beside its form */
  bool touches;                /* contact: closed or just reached */
  bool jumped;    /* one-sided velocity law: its bound has jumped past the velocity, which makes an
                     impact of its own */
  double e;       /* restitution: of a contact, or of a slip */
  double mu;      /* Coulomb friction: coefficient at the present slip */
  double heading; /* of a slip that goes on in pw_impact_hold: its sign, or the component of its
                     unit vector */
} pw_impact_law;

/* How pw_impact_hold keeps a law row. */
typedef enum pw_hold { PW_HOLD_NOT, PW_HOLD_ABOVE, PW_HOLD_AT } pw_hold; /* rate+ >= 0, = 0 */

/* Memory of one solution. */
typedef struct pw_impact_scratch {
  pw_least order; /* contacts that close, by their speeds: those that are hit one after the other */
  double *part, *before, *squeeze; /* nr */
  double *other;                   /* n */
  int *near;                       /* nr + 1: rows whose rates a solution changes, */
  int n_near;
  unsigned char *met;    /* nr: which of them are listed; 0 between solutions */
  double *share;         /* nr: of what pw_impact_collapse loses, by its laws */
  unsigned char *rough;  /* ni: ON, OFF, or STICKY contact */
  unsigned char *shared; /* nr: the impulse is one of many, the least is given */
} pw_impact_scratch;

typedef struct pw_impact {
  const pw_system *sys;
  pw_local local;
  pw_impact_law *law;    /* ni */
  int *slip, *next_slip; /* ni: first slip that acts with a contact, next one with the same; -1 */
  pw_disk *disk;         /* n_disk: slips in the plane that take part */
  int n_disk;
  bool sequential;
  double speed;             /* below this, in the metric of M, a rate counts as zero */
  double *drift;            /* nr: or below this, of walls that move by themselves */
  const double *first_rate; /* nr: rates before the jump that restitution is about, where they are
                               not those of the frame; or NULL */
  pw_jump_log *log;         /* of whoever wants to know the jumps one by one; or NULL */
  pw_strokes *strokes;      /* the impulses alone, for the certificate; or NULL */
  /* results */
  double *impulse;  /* nr */
  double *rate;     /* nr: after */
  double *velocity; /* n: L^T u after */
  double *energy;   /* nr, theory (60): given by the impulse to the motion: sum over the phases of
                       impulse (rate- + rate+)/2; what a moving wall adds is `work` */
  double *work;     /* nr: -impulse g_t */
  bool ambiguous;   /* the other treatment of several contacts gives another result */
  bool adhesive;    /* a rough contact pulls: its normal impulse is negative */
  int failed;       /* row that cannot be satisfied, or -1, */
  bool proved;      /* which was proved; else no solution was found */
  pw_impact_scratch scratch;
} pw_impact;

void pw_impact_lay_out(pw_impact *p, const pw_system *sys, pw_layout *l);
/* Lists the slips. */
void pw_impact_init(pw_impact *p);

/* Adds the impulses p->scratch.part of the solution to impulses, rates, velocity and energies,
 * theory (55), (60). Rows whose rates change: p->scratch.near. */
void pw_impact_add(pw_impact *p, const pw_frame *f);
/* Adds the solution p->scratch.part, which has just been added to the results, to the log. hold:
 * that of pw_impact_hold; NULL: a phase of an impact. */
void pw_impact_note(pw_impact *p, const pw_frame *f, pw_phase phase, const unsigned char *hold);

/* Below this the rate of a row counts as zero. */
double pw_impact_still(const pw_impact *p, const pw_frame *f, int row);
/* True if some touching row closes faster than that. */
bool pw_impact_needed(const pw_impact *p, const pw_frame *f, const double *rate);
/* The row whose restitution is not a number: of a contact that touches or of its slip; -1: none. */
int pw_impact_undefined(const pw_impact *p);
/* Velocities after the impact of all touching rows. */
PAWL_NODISCARD pw_outcome pw_impact_solve(pw_impact *p, const pw_frame *f);
/* Of contacts that are held after bounces which last for a time T more: the slips that friction
 * ends by then are held too, the others get their heading. */
PAWL_NODISCARD pw_outcome pw_impact_land(pw_impact *p, const pw_frame *f, double T,
                                         unsigned char *hold);
/* Velocities nearest to the present ones that hold law rows as told (ni, pw_hold). */
PAWL_NODISCARD pw_outcome pw_impact_hold(pw_impact *p, const pw_frame *f,
                                         const unsigned char *hold);
/* The same at the end of infinitely many impacts, whose losses the laws share in proportion to
 * p->scratch.share. */
PAWL_NODISCARD pw_outcome pw_impact_collapse(pw_impact *p, const pw_frame *f,
                                             const unsigned char *hold);

/* Impact without collision, theory (75): contacts that touch with a rate of zero are struck as if
 * they closed with a speed that goes to zero. Where friction lets forces keep the contacts open or
 * closed in one way only this is no impact at all: PW_INFEASIBLE. */
PAWL_NODISCARD pw_outcome pw_impact_jam(pw_impact *p, const pw_frame *f, const unsigned char *hold);

#endif
