// SPDX-License-Identifier: MIT
/* The kinds of laws a model can state, with what each needs from the engine. One row per kind:
 * a new law is a new row here, not a new path through the code. */
#ifndef PW_LAW_KIND_H
#define PW_LAW_KIND_H

#include <stdbool.h>

/* Enum name, printed name, plain description, and how the engine imposes it: EQUALITY always,
 * SWITCHED while it is closed, STATE always, with a multiplier that is a state. */
#define PW_KIND_LIST(KIND)                                                                       \
  KIND(HOLONOMIC, "holonomic", "equality on positions", EQUALITY)                                \
  KIND(RHEONOMIC, "rheonomic", "equality on positions and time", EQUALITY)                       \
  KIND(NONHOLONOMIC, "nonholonomic", "equality on velocities (Chetaev's rule)", EQUALITY)        \
  KIND(UNILATERAL, "unilateral", "inequality on positions with impacts", SWITCHED)               \
  KIND(ONE_SIDED_VELOCITY, "one-sided-velocity", "inequality on velocities (Kozlov)", SWITCHED)  \
  KIND(FRICTION, "friction", "dry friction", SWITCHED)                                           \
  KIND(ROUGH, "rough", "no slip while a contact is closed", SWITCHED)                            \
  KIND(SPRING, "spring", "spring with play and preload", SWITCHED)                               \
  KIND(LAW, "law", "set-valued monotone characteristic", SWITCHED)                               \
  KIND(SERIES, "friction", "dry friction on a coordinate without inertia", SWITCHED)             \
  KIND(TOUCH, "unilateral", "inequality on positions of a coordinate without inertia", SWITCHED) \
  KIND(SERVO, "servo", "servo-constraint of type I (Beghin)", EQUALITY)                          \
  KIND(VAKONOMIC, "vakonomic", "stationary action among admissible curves", STATE)               \
  KIND(INERTIA, "inertia", "servo-constraint of type II", STATE)                                 \
  KIND(VISCOUS, "viscous", "constraint realised by a viscous force", SWITCHED)                   \
  KIND(KINK, "kink", "generalised gradient of a potential", SWITCHED)

typedef enum pw_imposed { PW_IMPOSED_EQUALITY, PW_IMPOSED_SWITCHED, PW_IMPOSED_STATE } pw_imposed;

typedef enum pw_kind {
#define PW_KIND_ENUM(name, text, about, imposed) PW_KIND_##name,
  PW_KIND_LIST(PW_KIND_ENUM)
#undef PW_KIND_ENUM
      PW_KIND_COUNT
} pw_kind;

const char *pw_kind_name(pw_kind kind);
const char *pw_kind_about(pw_kind kind);
pw_imposed pw_kind_imposed(pw_kind kind);

#endif
