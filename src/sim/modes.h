// SPDX-License-Identifier: MIT
/* Which laws stay closed: Gauss' principle at an instant with continuous velocities
 * (theory (42)-(45)). Rows whose force and acceleration both vanish are decided by the first
 * derivative that does not, along the Taylor series of the motion (theory (47)-(50); Kozlov 2019,
 * sec. 2). */
#ifndef PW_SIM_MODES_H
#define PW_SIM_MODES_H

#include "base/layout.h"
#include "mech/series.h"
#include "sim/form.h"
#include "sim/sharing.h"
#include "sim/split.h"

typedef enum pw_mode {
  PW_OPEN,    /* above the kink */
  PW_CLOSED,  /* at it: imposed */
  PW_RESTING, /* closed, but implied by the imposed ones: carries no force of its own */
  PW_BELOW    /* below it; laws with a wall are never there */
} pw_mode;

/* The state of a law in the mechanics that belongs to a mode. */
unsigned char pw_mode_state(unsigned char mode);

/* A law row at the instant, beside its form. Forces of Coulomb friction are per normal force. */
typedef struct pw_candidate {
  bool may_close; /* its value and rate are zero */
  double lo, hi;  /* then: forces it can have */
  double base;    /* force of it that the frame already contains */
  pw_mode side;   /* else: where it is, */
  double beside;  /* and its force there */
  pw_disk disk;   /* a slip in the plane, at the first of its rows */
  bool smooth;    /* contact: its rough rows have no force, theory, section 19 */
  double share;   /* friction that may stick: its force in the solution, per normal force */
  bool leaves;    /* was closed by a derivative of its force, again and again: it opens */
  bool unloaded;  /* a contact that others carry, without a force of its own */
  bool arrives;   /* has just reached its kink from outside: it stays if nothing decides */
} pw_candidate;

typedef struct pw_modes {
  pw_mech *mech;
  pw_local *local; /* problem of forces */
  pw_share_part share_part;
  pw_share share;
  pw_series series;
  pw_candidate *candidate; /* ni */
  pw_disk *disk;           /* n_disk: slips in the plane that take part */
  int n_disk;
  unsigned char *mode;      /* ni: result */
  unsigned char *closed;    /* ni: scratch for pw_mech_close */
  unsigned char *undecided; /* ni */
  unsigned char *off;       /* ni: rows that follow a row which opens */
  unsigned char *faint;     /* ni: closed by a derivative of the force, which is zero itself */
  unsigned char *firm;      /* ni: carries a force even if as few rows as possible do */
  double *force;            /* nr */
  double *found;            /* nr: forces, without those that the frame contains */
  bool *open;               /* nr: scratch: forces that are not unique */
  double *anchor;           /* nr: forces that hold, where they are not unique; pw_modes_anchor */
  bool anchored;            /* there are such */
  double *heading, *blur;   /* ni: of the slips in the plane, pw_mech_head */
  double *unit; /* nv x n_unit: orthonormal columns that span those of the closed rows */
  int n_unit;
  int *extent;  /* 2 n_unit: first and last velocity of each */
  bool shared;  /* closed rows that depend on others are imposed, since slips follow their shares */
  bool keeps;   /* the shares are those that were found, not the least */
  double *rest; /* nv: scratch: what of a column they do not span */
  double scale; /* largest size of accelerations and forces so far, in the metric */
  double span;  /* of the run: derivatives that matter within it matter */
  double delay; /* by which the time of this instant may be wrong, where pieces change */
  double doubt; /* of accelerations at it: rounding of forces that balance each other */
  bool several; /* several do: without `settle` there is no result but the list */
  bool indifferent; /* some row stayed undecided and was opened */
  bool joint;       /* rough rows are tied to their contacts in the problem */
  bool proved;      /* not solved: there is no motion, else none was found */
  bool ends;        /* the same because a rough contact that must open would close at once */
  int failed;       /* row that contradicts the others, if not solved */
} pw_modes;

/* `mech` and `local` are set by the owner. */
void pw_modes_lay_out(pw_modes *p, const pw_system *sys, pw_layout *l);

/* Fills `mode` for the candidates (others are open) and imposes the closed rows on the mechanics.
 * frame: at the same state. settle: where several motions satisfy the laws that with the least
 * forces is chosen. */
PAWL_NODISCARD pawl_status pw_modes_select(pw_modes *p, const pw_frame *f, double t,
                                           const double *q, const double *u, const double *side,
                                           bool settle);
/* Forces within all bounds, for the modes that were selected last, of slips in the plane that all
 * stick, well inside their disks. */
void pw_modes_anchor(pw_modes *p, const pw_frame *f);

#endif
