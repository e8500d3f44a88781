// SPDX-License-Identifier: MIT
/* Laws that open and close along the motion: they are watched in every step, the step ends where
 * one of them acts, and the instant is treated as a whole: impacts, then modes (theory (41), (65)).
 * Membership is decided at such instants only and kept as a mode in between. */
#ifndef PW_SIM_CONTACT_H
#define PW_SIM_CONTACT_H

#include "base/layout.h"
#include "sim/impact.h"
#include "sim/modes.h"
#include "sim/paradox.h"
#include "sim/trial.h"
#include "sim/watch.h"
#include "sim/zeno.h"

typedef enum pw_contact_kind {
  PW_IMPACT,
  PW_CLOSE,
  PW_LIFTOFF,
  PW_ENGAGE,
  PW_RELEASE,
  PW_REST,
  PW_STICK,
  PW_SLIP,
  PW_REVERSE,
  PW_LOST /* control: the motion stops */
} pw_contact_kind;

typedef struct pw_contact_event { /* no pointers: it is saved with the simulation */
  pw_contact_kind kind;
  int law;
  double t;
  double impulse;   /* of an impact */
  double dE;        /* its share of the change of energy */
  bool gains;       /* ENERGY_INCREASE */
  bool ambiguous;   /* AMBIGUOUS: together and one after the other give different results */
  bool adhesive;    /* ADHESIVE: a rough contact that pulls */
  bool jams;        /* IMPACT_WITHOUT_COLLISION */
  bool chosen;      /* SEVERAL_MOTIONS: one of them goes on */
  bool indifferent; /* INDIFFERENT: it opens, but no derivative of the motion demands that */
  bool shared;      /* NOT_UNIQUE: the impulse is one of many; the least is given */
  double rate_before, rate_after; /* of the value of the law, at an impact */
  int tied, n_tied;               /* of pw_instant.tied: from where on, and how many */
} pw_contact_event;

const char *pw_contact_kind_name(pw_contact_kind kind);
/* The flags of an event, separated by commas; NULL: none. */
const char *pw_contact_flag(const pw_contact_event *e);

typedef enum pw_trouble { /* why an instant cannot be treated */
                          PW_TROUBLE_NONE,
                          PW_TROUBLE_FORCE,         /* no forces keep all laws */
                          PW_TROUBLE_IMPACT,        /* no impulses do */
                          PW_TROUBLE_PARADOX,       /* no forces do, because of friction */
                          PW_TROUBLE_SEVERAL,       /* several motions do */
                          PW_TROUBLE_CONTINUUM,     /* as many as there are numbers in a range */
                          PW_TROUBLE_NEGATIVE,      /* the bound of a friction is negative */
                          PW_TROUBLE_WEAK,          /* its static bound is below the sliding one */
                          PW_TROUBLE_REENTRANT,     /* the ridge of a potential is reached */
                          PW_TROUBLE_CONTROL,       /* a servo that acts does not move its row */
                          PW_TROUBLE_SERVO,         /* no admissible force of a servo */
                          PW_TROUBLE_SERVO_SEVERAL, /* several */
                          PW_TROUBLE_SATURATED,     /* a multiplier at 0 would have to fall */
                          PW_TROUBLE_NO_WAY_ON,     /* the same, complementary to its law */
                          PW_TROUBLE_GRADIENT,      /* a law that acts has no gradient */
                          PW_TROUBLE_FLAT,          /* nor has an equality on velocities */
                          PW_TROUBLE_RESTITUTION,   /* a restitution is not a number */
                          PW_TROUBLE_PASSED,        /* a wall is behind without having been met */
                          PW_TROUBLE_GROWTH,        /* impacts that give energy ever faster */
                          PW_TROUBLE_CASCADE,       /* impacts at one instant without end */
                          PW_TROUBLE_STORM          /* instants without progress in time */
} pw_trouble;

/* Sizes of the motion so far: they say what is zero. */
typedef struct pw_sizes {
  double *largest;           /* ni: |value| */
  double *recent;            /* ni: the same since it took part in an instant, or last moved */
  double *steepest;          /* ni: length of the gradient */
  double *terms;             /* ni: what the value is a difference of, since the last instant */
  double *met;               /* ni: time of its last part in an impact; NAN: it had none */
  double *residue;           /* ni: value at the last instant, if it touched there */
  double *slowest, *fastest; /* ni: least and largest rate */
  double speed;              /* |L^T u| */
  double load;               /* of the terms that cancel in the forces, for slips without a step, */
  double drift;              /* and the largest speed so far that they would make in one step */
  double step;               /* length of the last step */
} pw_sizes;

/* Contacts whose bounces accumulate: they are stopped now and come to rest a little later. */
typedef struct pw_rests {
  unsigned char *due; /* ni: a rest event is due, */
  double time;        /* then; INFINITY: none is */
  double *energy;     /* ni: change of energy by the impacts left out, */
  double *impulse;    /* ni: and the impulse that stops the contact in their stead, */
  double *since;      /* ni: to which its force adds from then on */
  double put_off;     /* time at which rests were put off; NAN: none is */
} pw_rests;

/* Why the motion cannot go on. */
typedef struct pw_halt {
  pw_trouble trouble;
  int culprit;      /* its row, or -1 */
  bool ends;        /* the motion comes to its end here: nothing goes on from it */
  bool proved;      /* that nothing satisfies the laws was proved; else nothing was found */
  double sigma;     /* of a law without a way on, theory (80) */
  double flat_time; /* of the singular point of PW_TROUBLE_FLAT; the run stops just before it */
} pw_halt;

enum { PW_SHARE_NONE, PW_SHARE_OWN, PW_SHARE_OPEN }; /* no part in it, a unique one, one of many */

/* Shares of a load that were found last, by a key of all numbers that they depend on; 0: none. */
typedef struct pw_known_shares {
  uint64_t key;
  double *force;       /* nr */
  unsigned char *open; /* nr: PW_SHARE_OPEN: the force is not unique */
  uint64_t margin_key;
  double margin; /* of pw_load_margin */
  double *grip;  /* ni: bound of friction on one equality by a unit of its force */
  double *unit;  /* loads: scratch */
} pw_known_shares;

/* One instant: what its phases compute (sim/instant.h says which phase writes what). Nothing of it
 * but the log is read after the instant. */
typedef struct pw_instant {
  pw_frame frame; /* of the state as it is now, in frame_memory; loads are watched in it, too */
  double *frame_memory;
  double *e;               /* ni: restitutions */
  unsigned char *was;      /* ni: modes before */
  unsigned char *loaded;   /* ni: modes to which the forces belong that bound frictions */
  bool crossed;            /* pieces of the model have changed here: `was` is that before it, */
  unsigned char *jumped;   /* ni: and these values jump */
  double *phase;           /* 2 ni: of laws on coordinates without inertia before, and scratch */
  double *kick;            /* nr: impulses of all jumps */
  int hits;                /* impacts */
  bool collapsed;          /* they would have gone on for ever */
  unsigned char *struck;   /* nr: of accumulate.c: parts with a contact that was hit */
  unsigned char *hold;     /* ni: pw_hold, of the problem that is solved next */
  unsigned char *stopped;  /* ni: slips that an impact leaves as small as it knows them */
  unsigned char *unloaded; /* ni: contacts that others carry, where slips tilt the forces */
  double *fall;            /* nv: accelerations as L^T a, of accumulate.c and flight.c */

  double *base;        /* nv: velocity before the last jump, as L^T u */
  double *rate_before; /* nr: rates before it */
  double *sides;       /* 2 n_sides: switching functions before the impacts and after them */
  double *place;       /* nq: positions, of instant_lift.c */
  double *bend;        /* nv: velocity at which its rows were taken */
  double *from;        /* nv + n_state: the same as it is, and multipliers */
  double *carried;     /* n_state: multipliers before it */
  double *goal;        /* n_state: multipliers that its problem asks for */
  double stretch;      /* of restitutions, potentials (P8) */
  double *momentum;    /* 2 nv: momenta before it, scratch */
  double energy;       /* before it */

  pw_contact_event *log; /* room for 2 ni */
  pawl_tied *tied;       /* nr: impulses that go with those of the events */
  int n_log;
} pw_instant;

/* Events of one instant: at most an impact and a change of mode of each law, or the loss of
 * control.
 */
static inline int pw_instant_room(const pw_system *sys) {
  return 2 * sys->ni + 1;
}

/* What lives between instants, and the problems that instants solve. */
typedef struct pw_contacts {
  pw_watch watch;  /* of the laws: value while open, force while closed */
  pw_local forces; /* problem of forces; each phase that solves one begins anew */
  pw_part part;    /* where the local problems of forces and impacts are solved */
  pw_impact impact;
  pw_modes modes;
  pw_instant now; /* the instant at the end of the step */
  pw_sizes size;
  pw_rests rest;
  pw_halt halt;
  pw_zeno zeno;
  pw_growth growth;
  pw_paradox paradox;
  pw_conditions conditions; /* of this motion, given at its start */
  double tol;

  unsigned char *mode;   /* ni */
  unsigned char *fired;  /* ni: acts at the end of the step */
  bool pending;          /* some law does */
  unsigned char *begins; /* ni: what is watched is zero after the instant it took part in */
  unsigned char *smooth; /* ni: rough contacts at which an impact has left a slip */
  unsigned char *share;  /* ni: pw_load, how its force is known */
  double *left;          /* ni: time of the last instant it took part in, NAN: none */
  double *slip;          /* ni: size of each slip in the plane after the last step */
  double *impulse;       /* rows of the model: of the last jump of each */
  double *sense;         /* nr: of the servos, pw_mech.sense */
  int struck;            /* instants with impacts so far */
  int repeats;           /* instants since time went on */

  pw_known_shares known; /* of rows, load.c */

  double *value;         /* ni: scratch: values of the laws */
  double *settled;       /* n + ni: scratch: a state on the imposed rows, and values there */
  double *graph, *limit; /* 2 ni, ni: scratch: -force beside the kinks, bounds of sticking */
} pw_contacts;

/* Arrays of all parts; counts only if the layout has no memory. */
void pw_contacts_lay_out(pw_contacts *c, const pw_system *sys, pw_layout *l);
/* After its arrays were laid out in memory that is zeroed. */
void pw_contacts_init(pw_contacts *c, pw_stepper *s, double tol, bool sequential);
/* Connects the functions that are watched of the laws with the steps (contact_watch.c). */
void pw_contacts_watch(pw_contacts *c, pw_stepper *s);

/* Modes of the start: at s->y, which is consistent. An inward velocity at a closed contact is an
 * impact (the caller has allowed or excluded it). touching (ni): values that count as zero. */
PAWL_NODISCARD pawl_status pw_contacts_begin(pw_contacts *c, const unsigned char *touching);
/* After a step: cuts it at the first law that acts; c->pending then. *again: at its very start. */
PAWL_NODISCARD pawl_status pw_contacts_after(pw_contacts *c, bool *again);
/* Some friction slides on this contact. */
bool pw_contacts_carries_slip(const pw_contacts *c, int law);
/* The margin of contacts on which friction slides (margin.c). After a whole step: a small one that
 * falls is announced. No step goes on from here: true if that is because a margin vanishes, which
 * is then pending. A step must not end where a margin vanishes, because its stages see forces
 * without bound there: *shorter until nothing is left of the margin. */
void pw_margin_follow(pw_contacts *c);
bool pw_margin_jams(pw_contacts *c);
PAWL_NODISCARD pawl_status pw_margin_approach(pw_contacts *c, int which, double h, bool *shorter);
/* Not at its kink. */
bool pw_is_beside(const pw_contacts *c, int law);
/* Length of the gradient in the present frame against the largest so far: rates are compared with
 * each other by it. */
double pw_contacts_slope(const pw_contacts *c, int law);
/* After a step. */
void pw_contacts_note_sizes(pw_contacts *c);
/* Before the laws are watched along it: pw_sizes.load, drift. */
void pw_contacts_note_load(pw_contacts *c);
/* A value this small is zero: what round-off of the motion leaves. */
double pw_contacts_zero(const pw_contacts *c, int law);
/* The same against its latest flight only: the small bounces of several contacts that come to rest
 * are told apart. What was left of it when it last touched is still zero, though the positions, and
 * their rounding with them, have become smaller. */
double pw_contacts_touch(const pw_contacts *c, int law);
/* Of the value of a law at the end of a step of this length. */
double pw_contacts_rounding(const pw_contacts *c, int law, double step);
/* The same by terms and gradients at one place (pw_watch_noisy). */
void pw_contacts_noisy(void *owner, pw_stepper *s, double t, const double *y, double *noise);
/* Of what is watched of a law at its kink: the distance of friction from its bound is a difference
 * of its force and that of its contact. */
double pw_contacts_force_rounding(const pw_contacts *c, int law);
/* Fails if a bound of friction is negative at the end of the step. */
PAWL_NODISCARD pawl_status pw_contacts_check_bounds(pw_contacts *c);
/* The same when all that ends the step is known: it then ends where the bound becomes negative.
 * changes: a surface is crossed at its end. */
PAWL_NODISCARD pawl_status pw_contacts_check_step(pw_contacts *c, bool changes);
/* Loads that several closed laws share (load.c): which do, at the end of an instant; then, along
 * the motion, how far all of them are from their bounds together. */
typedef enum pw_load { PW_LOAD_OWN, PW_LOAD_SHARED, PW_LOAD_NONE } pw_load;
void pw_load_note(pw_contacts *c);
/* Frictions on equalities are bounded by the least forces that fit together, where rows share a
 * load: in the modes as they are. */
void pw_load_bounds(pw_contacts *c);
PAWL_NODISCARD pawl_status pw_load_margin(pw_contacts *c, double t, const double *y, double *w);
/* The law by which that is watched, or -1. */
int pw_load_keeper(const pw_contacts *c);
/* Slips in the plane, by the first of their two laws (slip.c): what is watched of them, their
 * directions after a step (one that has nearly ended acts), how they stand at an instant, and
 * whether they are zero to rounding. */
double pw_slip_watch(const pw_contacts *c, int law, const double *value);
void pw_slip_follow(pw_contacts *c);
/* What is left of a slip that has just ended, and points aside, is an accident: the forces before
 * the instant are those of the direction in which it went. */
void pw_slip_end(pw_contacts *c);
void pw_slip_describe(pw_contacts *c, int law, pw_disk *out);
bool pw_slip_is_small(const pw_contacts *c, int law);
/* Ends within what rounding hides, where instants follow each other in no time. */
bool pw_slip_is_hidden(const pw_contacts *c, int law);
/* The law that acts *h after the start of the step (-1: none does, and the step is whole) is a slip
 * that ends, or the step throws another one aside, though it is still far from its end: *h is made
 * shorter. */
bool pw_slip_nears_end(pw_contacts *c, int law, double *h);
/* The law that acts, after *h: a slip that this step has ended, else `which` as it was. */
int pw_slip_ended(pw_contacts *c, int which, double *h);
/* Slips that stick with forces that are not unique: the least ones are shown and watched, unless
 * they leave the disks while others would not. Then, after an instant, others are looked for, and
 * the forces of the mechanics are kept near them. */
void pw_slip_anchor(pw_contacts *c);
void pw_slip_share(pw_contacts *c);
/* Multipliers that are states at a jump (carry.c): before it, after its impulses are known, for
 * another try with the rows at the velocities found, and at its end. */
void pw_carry_begin(pw_contacts *c);
void pw_carry_take(pw_contacts *c);
void pw_carry_rebase(pw_contacts *c);
void pw_carry_end(pw_contacts *c);
/* H = p.u - L without what multipliers carry. */
double pw_carry_energy(const pw_contacts *c);
/* One-sided ones: the state of a law's multiplier or -1; what of it is watched while the law is
 * closed; after the modes of an instant, whether the motion can go on. */
int pw_carry_state(const pw_contacts *c, int law);
double pw_carry_watch(const pw_contacts *c, int state, const double *y);
bool pw_carry_above(const pw_contacts *c, int state); /* it is not zero */
PAWL_NODISCARD pawl_status pw_carry_check(pw_contacts *c);
/* True if a step of length *h comes closer to where the value of a law is negative for the first
 * time, or that of any law (-1) no number. */
bool pw_contacts_approach(pw_contacts *c, int law, double *h);
/* Fails (crossing.c) if a law changes its sign in the step, there where its value has just been
 * polished, but is larger than anywhere else; if a wall is behind though no root was found. */
PAWL_NODISCARD pawl_status pw_crossing_pole(pw_contacts *c, int which, bool *shorter, double *h);
PAWL_NODISCARD pawl_status pw_crossing_passed(pw_contacts *c, bool *shorter, double *h);
/* A wall that was left open at the last instant though nothing leads away from it. */
bool pw_contacts_indifferent(const pw_contacts *c, int law);
/* The first friction row on a contact that touches, or -1. */
int pw_contacts_friction(const pw_contacts *c);
const pw_row *pw_contacts_row(const pw_contacts *c, int law);
/* -force beside the kinks and bounds of sticking at a state; then a law row with these numbers, and
 * the bounds of its force while it sticks: an interval, or for a slip in the plane the radius. */
void pw_contacts_graphs(pw_contacts *c, double t, const double *q, const double *u);
pw_law_row pw_contacts_law(const pw_contacts *c, int law);
void pw_contacts_bounds(const pw_contacts *c, int law, double *lo, double *hi);
/* Treats the instant at the end of the step, and the log of what modes it changed (instant.c). */
PAWL_NODISCARD pawl_status pw_contacts_instant(pw_contacts *c);
void pw_contacts_log_changes(pw_contacts *c);
/* What a change of mode is called; false: it has no name (continuous forces). */
bool pw_contacts_name_change(const pw_contacts *c, int law, pw_contact_kind *kind);
/* The modes of the start are no events, but contacts that jammed there were closed before. */
void pw_contacts_log_start(pw_contacts *c);

/* Treats the instant at the end of the step: s->y jumps, modes change, c->log says what. */
PAWL_NODISCARD pawl_status pw_contacts_handle(pw_contacts *c);
/* The step was cut before the law acted. */
void pw_contacts_forget(pw_contacts *c);
/* impulse: nr, of this instant by rows; those that go with its events (tied.c). */
void pw_events_tie(pw_contacts *c, const double *impulse);
/* Impulse and energy of impacts of a contact that are left out, before it is due. */
void pw_rest_owe(pw_contacts *c, int law, double impulse, double energy);
/* The rest events that are due, into the log; there may be none. */
void pw_contacts_rest(pw_contacts *c);
/* Forces (nr) at a state where they are not unique: the smallest, and which are not.
 * lambda: those of the imposed laws. */
PAWL_NODISCARD pawl_status pw_contacts_forces(pw_contacts *c, double t, const double *y,
                                              double *lambda, bool *dependent);
/* All laws open, nothing is owed: steps of another kind go on with them. */
void pw_contacts_release(pw_contacts *c);
/* Imposes the modes on the mechanics again, after data was restored. */
void pw_contacts_impose(pw_contacts *c);

#endif
