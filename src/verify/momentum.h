// SPDX-License-Identifier: MIT
/* The weak form of Lagrange and d'Alembert with the simplest test functions: over the time between
 * two rows the momentum changes by the impulse of the forces, whatever happens in between
 * (certificates (C17), (C18)). It needs no derivative of the data and no smoothness of the motion:
 * laws that may change there give the hull of their sets, contacts that may be met any impulse of
 * their cones. */
#ifndef PW_VERIFY_MOMENTUM_H
#define PW_VERIFY_MOMENTUM_H

#include "verify/checker.h"

typedef struct pw_verify_momentum { /* relative to the impulses and the momentum exchanged */
  double value, floor;
  double share;              /* those, relative to the largest momentum of the motion */
  double needed;             /* momentum that laws must give, in the same measure */
  double place, place_floor; /* way minus the integral of the velocities, relative to the motion */
  double law_value,
      law_floor;    /* violation of the law by an impact in between, relative to speeds */
  double pull;      /* largest force that is a function of the state */
  double hidden;    /* change of momentum by impacts that are not told, relative to the motion */
  double loss;      /* of energy by impacts that are told, relative to twice the kinetic one */
  double noise;     /* the part of the floor that errors of the samples make */
  int law, contact; /* model rows, or -1 */
  bool meets, kick; /* some contact may be met; is */
  bool opens;       /* one that may be met is open somewhere */
  double loaded;    /* relative, of frictions bounded by forces of equalities */
} pw_verify_momentum;

void pw_stretch_lay(pw_stretch_room *r, const pw_system *s, pw_layout *l);
/* From row a to row b by their velocities; false: nothing can be said. forces: the means of those
 * given are used, not the sets; again: not the next interval of the stream. Moves the probe. */
bool pw_balance_step(pawl_certifier *c, const pw_row_view *a, const pw_row_view *b, bool forces,
                     bool again, pw_verify_momentum *out);
/* Of three rows by their positions. */
bool pw_balance_hat(pawl_certifier *c, const pw_row_view *a, const pw_row_view *m,
                    const pw_row_view *b, bool forces, bool again, pw_verify_momentum *out);

typedef struct pw_weak { /* balances of the intervals beside a row, where its fit fails */
  double momentum, momentum_floor, force, force_floor; /* relative to forces */
  double share;          /* of their impulse in the largest momentum */
  double hidden;         /* momentum of impacts that are not told, relative to the same */
  double way, way_floor; /* way minus the integral of the velocities, per time, as a speed */
  double place_floor;    /* the same as a length */
  double noise;          /* the part of the floors that errors of the samples make */
  int law, force_law;
  bool kick; /* there is an impact in between */
} pw_weak;
/* Beside row j of the present piece; false: nothing. Moves the probe. */
bool pw_weak_at(pawl_certifier *c, int j, pw_weak *out);

typedef enum pw_between { PW_SMOOTH, PW_MAY_STRIKE, PW_STRIKES } pw_between;

/* Judges a stretch of a table by somebody else; m NULL: by the velocities. Whether something is
 * struck in it. */
pw_between pw_verify_balance(pawl_certifier *c, const pw_row_view *a, const pw_row_view *m,
                             const pw_row_view *b);

#endif
