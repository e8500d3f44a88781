// SPDX-License-Identifier: MIT
/* Whether the ledger of a run explains its energy, up to what the tolerance lets pass. */
#include <math.h>
#include <stdint.h>

#include "base/diag.h"
#include "law/scale_run.h"
#include "run/run.h"

/* A step that is off by tol relative to positions and velocities changes the energy by up to
 * |p||du| + |V_q||dq|, which is tol times twice T and what the potential does: tol times what the
 * energy and the entries of the ledger have grown to. At worst all steps and events err the same
 * way. Norms are taken by coordinates, and projections on constraints move as far again; hence the
 * hundred. Below that there is rounding. */
double pw_run_balance_limit(const pawl_energy *e, const double *works, int n_work, double tol,
                            int64_t moves) {
  double size = e->scale;
  for (int i = 0; i < n_work; i++) {
    size += fabs(works[i]);
  }
  double whole = fabs(e->kinetic) + fabs(e->potential) + fabs(e->start);
  return (double)moves *
         (PW_SCALE(LEDGER_TOL) * tol * size + PW_SCALE(LEDGER_ROUNDING) * (size + whole + e->push));
}

void pw_run_balance(const pawl_run *run, pawl_diags *diags) {
  const pawl_energy *e = &run->result.energy;
  double tol = run->opts.sim.tol;
  int64_t moves = run->result.stats.steps + run->result.events + 1;
  double limit = pw_run_balance_limit(e, run->works, pawl_system_works(run->sys), tol, moves);
  if (!pw_run_is_exact(run) || fabs(e->unexplained) <= limit) {
    return;
  }
  pw_diag_ref ref = pw_warning(diags, "W0606", PW_NO_SPAN,
                               "the ledger does not explain %.2g of the energy; errors of all "
                               "steps make %.1g at most",
                               fabs(e->unexplained), limit);
  pw_help(ref,
          "a force or potential may have changed within one step: try `--tol %.0e` or `--step "
          "%.0e`",
          tol / 1000, run->opts.every / 10);
}
