// SPDX-License-Identifier: MIT
/* The kinds of laws a model can state, with what each needs from the engine. One row per kind:
 * a new law is a new row here, not a new path through the code. */
#ifndef PW_LAW_KIND_H
#define PW_LAW_KIND_H

#include <stdbool.h>

/* enum name, printed name, plain description, bilateral equality that the engine imposes. */
#define PW_KIND_LIST(KIND)                                                                       \
  KIND(HOLONOMIC, "holonomic", "equality on positions", true)                                    \
  KIND(RHEONOMIC, "rheonomic", "equality on positions and time", true)                           \
  KIND(NONHOLONOMIC, "nonholonomic", "equality on velocities (Chetaev's rule)", true)            \
  KIND(UNILATERAL, "unilateral", "inequality on positions with impacts", false)                  \
  KIND(ONE_SIDED_VELOCITY, "one-sided-velocity", "inequality on velocities (Kozlov)", false)     \
  KIND(FRICTION, "friction", "dry friction", false)                                              \
  KIND(ROUGH, "rough", "no slip while a contact is closed", false)                               \
  KIND(SPRING, "spring", "spring with play and preload", false)                                  \
  KIND(LAW, "law", "set-valued monotone characteristic", false)                                  \
  KIND(SERVO, "servo", "servo-constraint of type I (Beghin)", false)                             \
  KIND(VAKONOMIC, "vakonomic", "stationary action among admissible curves", false)               \
  KIND(INERTIA, "inertia", "servo-constraint of type II", false)                                 \
  KIND(VISCOUS, "viscous", "constraint realised by a viscous force", false)

typedef enum pw_kind {
#define PW_KIND_ENUM(name, text, about, equality) PW_KIND_##name,
  PW_KIND_LIST(PW_KIND_ENUM)
#undef PW_KIND_ENUM
      PW_KIND_COUNT
} pw_kind;

const char *pw_kind_name(pw_kind kind);
const char *pw_kind_about(pw_kind kind);
bool pw_kind_is_equality(pw_kind kind);

#endif
