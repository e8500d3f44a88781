// SPDX-License-Identifier: MIT
/* Pawl: mechanics with inequalities. Includes the whole public API. */
#ifndef PAWL_PAWL_H
#define PAWL_PAWL_H

#include "pawl/bvp.h"
#include "pawl/diag.h"
#include "pawl/model.h"
#include "pawl/sim.h"
#include "pawl/static.h"
#include "pawl/status.h"
#include "pawl/system.h"
#include "pawl/verify.h"
#include "pawl/version.h"
#include "pawl/write.h"

#endif
