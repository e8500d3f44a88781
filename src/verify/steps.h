// SPDX-License-Identifier: MIT
/* Motions made by steps of one size, judged step by step by the discrete principle of their method,
 * certificates section 12. What a step misses of a law has the order of its length, and that is
 * what the laws are held to; its own equation holds to the accuracy of its solver. */
#ifndef PW_VERIFY_STEPS_H
#define PW_VERIFY_STEPS_H

#include <stdint.h>

#include "traj/segment.h"
#include "verify/probe.h"

typedef enum pw_scheme { PW_SCHEME_EVENTS, PW_SCHEME_MOREAU, PW_SCHEME_VARIATIONAL } pw_scheme;

typedef struct pw_steps_rates { /* nr each: rates of the rows */
  double *before;               /* at the start, */
  double *mean;                 /* with the mean velocity, */
  double *behind;               /* and at the end */
  double *turn;                 /* what switching surfaces at the ends change of them there; */
  double *bend;                 /* what the turn of the rows in the step does */
  double *room;                 /* what a rate may miss */
} pw_steps_rates;

typedef struct pw_steps_sets { /* ni each: of the laws over the step */
  double *lo, *hi;             /* hull of their sets, forces; */
  double *kink_lo, *kink_hi;   /* of those at their kinks */
  double *least, *most, *hold; /* bounds of slips in the plane; with those of sticking */
} pw_steps_sets;

/* Owners: check_steps.c; of what laws say in a step: check_step_laws.c. */
typedef struct pw_steps {
  pw_scheme scheme;
  bool any;        /* some part was made of steps of a pile */
  bool open;       /* a step waits for the velocities after its end */
  bool changes;    /* some law has changed its mode */
  bool graphs;     /* there are laws with forces on both sides of their kinks */
  bool others;     /* there are laws that are no constraints on positions */
  bool acts;       /* some law acts in the step */
  bool straight;   /* positions are where the mean velocity leads */
  double longest;  /* step */
  double slack;    /* largest part of the speeds by which rates were allowed to miss their laws */
  double from, to; /* of the step */
  int64_t seen;    /* states that the probe had seen when it looked at the last end */
  double speed;    /* the larger one of both ends, in the metric */
  double *start;   /* nq + nv: state at its start; */
  double *end;     /* the same at its end, before the instant there; */
  double *after;   /* and behind it */
  double *middle;  /* nq + nv: midpoint, mean velocity */
  double *arrive;  /* nq: where the mean velocity leads */
  double *move;    /* nv: half of u1 - u0; scratch */
  double *P;       /* nr: percussions of the first row of each law, else 0 */
  pw_steps_rates rate;
  double *gap;          /* nr: values at the end, */
  double *met;          /* ni: where the mean velocity leads */
  double stretch;       /* of quaternions by the step */
  double put;           /* how far positions were put back */
  int n_stop, n_arrive; /* of both places; where the step has led */
  double *stops; /* 2 nr x nv: M^-1 J^T of what positions are put back by, and stops contacts */
  double *e;     /* ni: restitutions at the start */
  pw_steps_sets set;
  unsigned char *taken; /* ni: forces beside kinks, no longer asked for in a half of the step */
  double *force;        /* model rows: means over the step */
  unsigned char *mode;  /* model rows: at the last step */
} pw_steps;

struct pawl_certifier;
struct pw_row_view;

void pw_steps_lay(pw_steps *x, const pw_system *s, pw_layout *l);
/* The scheme of a method by its name; NULL: by events. */
pw_scheme pw_steps_scheme(const char *method);
/* The next part of the motion is made by this one. */
void pw_steps_take(pw_steps *x, pw_scheme scheme);
/* Its order of error: 1 where laws change their modes at the ends of steps; 0: not by steps. */
int pw_steps_order(const pw_steps *x);

/* At the ends of steps of Moreau's method: part of the speeds that rates are known up to; time
 * within which events have happened. 0 by events. */
static inline double pw_steps_slack(const pw_steps *x) {
  return x->scheme == PW_SCHEME_MOREAU ? x->slack : 0;
}
static inline double pw_steps_way(const pw_steps *x) {
  return x->scheme == PW_SCHEME_MOREAU ? x->longest : 0;
}

/* The next step; both sides of an instant; the end. Instead of what own segments are judged by. */
void pw_steps_segment(struct pawl_certifier *c, const pw_segment *g, int stride);
void pw_steps_side(struct pawl_certifier *c, const struct pw_row_view *before,
                   const struct pw_row_view *after);
void pw_steps_finish(struct pawl_certifier *c);

/* ---- check_discrete.c ---- */

void pw_steps_judge_discrete(struct pawl_certifier *c);

/* ---- check_step_laws.c ---- */

/* What the laws say where the probe is, at the start of the step, its middle, its end. */
void pw_step_laws_begin(pw_steps *x, const pw_system *s);
void pw_step_laws_look(struct pawl_certifier *c);
/* Percussions and rates against them; `scale`: size of the momentum that the step moves. The probe
 * is at the midpoint. */
void pw_step_laws_judge(struct pawl_certifier *c, double scale);
/* What contacts take or give, relative to the speeds: P (rate0 + rate1)/2, up to what rates are
 * known. */
void pw_step_laws_book(struct pawl_certifier *c);
/* A face with a percussion was met, from the side of the start. */
bool pw_step_laws_meet_face(const struct pawl_certifier *c);
/* Friction may lock the step, stepping (T5): its percussions are known less well. */
bool pw_step_laws_lock(const struct pawl_certifier *c);

#endif
