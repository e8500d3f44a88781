// SPDX-License-Identifier: MIT
#include "sim/sim_state.h"

const pw_method pw_moreau_method = {.name = "moreau", .rk = &pw_hermite, .fixed = true};
