// SPDX-License-Identifier: MIT
/* Pawl: mechanics with inequalities. Includes the whole public API.
 *
 * Rules that hold for every function:
 * - A handle or pointer that is NULL where one is needed, an index or choice out of range, or a
 * call in the wrong order is harmless. Functions with a status return PAWL_E_ARGUMENT and set *out
 * to NULL; others return 0, NULL, NaN or a struct of these (texts may be ""). `free` accepts NULL.
 * - `diags` may be NULL: then the status is the only report.
 * - An object keeps alive the objects it was made from: a model may be freed before its system or
 * run, a system before its simulations, certificates, evaluators, ..., in any order.
 * - Returned pointers are borrowed: they are valid until their object is freed. */
#ifndef PAWL_PAWL_H
#define PAWL_PAWL_H

#include "pawl/bvp.h"
#include "pawl/diag.h"
#include "pawl/eval.h"
#include "pawl/export.h"
#include "pawl/figure.h"
#include "pawl/fmu.h"
#include "pawl/gradient.h"
#include "pawl/import.h"
#include "pawl/model.h"
#include "pawl/options.h"
#include "pawl/orbit.h"
#include "pawl/past.h"
#include "pawl/picture.h"
#include "pawl/report.h"
#include "pawl/sim.h"
#include "pawl/static.h"
#include "pawl/status.h"
#include "pawl/study.h"
#include "pawl/sweep.h"
#include "pawl/system.h"
#include "pawl/traj.h"
#include "pawl/variations.h"
#include "pawl/verify.h"
#include "pawl/version.h"
#include "pawl/write.h"

#endif
