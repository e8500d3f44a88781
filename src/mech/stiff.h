// SPDX-License-Identifier: MIT
/* A warning where the forces that realise constraints make a run expensive. */
#ifndef PW_MECH_STIFF_H
#define PW_MECH_STIFF_H

#include "mech/start.h"

void pw_warn_stiff(pw_mech *m, const pw_start *start, pawl_diags *diags);

#endif
