// SPDX-License-Identifier: MIT
/* What the files of a unit share, and the versions of the standard do not need. */
#ifndef FMI_UNIT_PART_H
#define FMI_UNIT_PART_H

#include <pawl/gradient.h>

#include "unit.h"

/* PAWL_FMU_NONE: there is no such reference. */
pawl_fmu_variable fmi_unit_find(const fmi_unit *unit, unsigned reference);
/* The motion exists and knows the inputs. */
bool fmi_unit_follow(fmi_unit *unit);
/* Derivatives by parameters of the motion up to now. False, and told. */
bool fmi_unit_gradient(fmi_unit *unit, const char *const *names, int n, pawl_gradient **out);

#endif
