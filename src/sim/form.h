// SPDX-License-Identifier: MIT
/* What the simulation asks about the form of a law row (law/row.h). */
#ifndef PW_SIM_FORM_H
#define PW_SIM_FORM_H

#include "law/row.h"

/* No slip, while its contact is closed: it has no mode of its own. */
static inline bool pw_is_rough(const pw_law_form *f) {
  return f->kind == PW_KIND_ROUGH;
}

/* A wall on positions. */
static inline bool pw_is_contact(const pw_law_form *f) {
  return f->wall && !f->on_velocity && !pw_is_rough(f);
}

/* A wall on velocities: it takes no part in impacts of contacts. */
static inline bool pw_is_one_sided(const pw_law_form *f) {
  return f->wall && f->on_velocity && !pw_is_rough(f);
}

/* Friction whose bound is a coefficient times the force of the contact f->on. */
static inline bool pw_is_coulomb(const pw_law_form *f) {
  return f->on >= 0;
}

/* Coulomb friction or a rough row: the slip of the contact f->contact. */
static inline bool pw_is_contact_slip(const pw_law_form *f) {
  return f->contact >= 0;
}

/* One of the two rows of a slip in the plane. */
static inline bool pw_in_plane(const pw_law_form *f) {
  return f->group >= 0;
}

#endif
