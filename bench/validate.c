// SPDX-License-Identifier: MIT
/* What looking along every step costs: runs without certificate, few rows. */
#include "share.h"

static void set(pawl_run_opts *opts, int with) {
  opts->no_certificate = 1;
  opts->every = 1e9;
  opts->sim.validate = with ? PAWL_VALIDATE_ON : PAWL_VALIDATE_OFF;
}

int main(int argc, char **argv) {
  return bench_shares(
      argc, argv,
      &(bench_share){
          .name = "validate",
          .title = "Validated steps",
          .text = "Runs of all examples without certificate and rows, with and without "
                  "`--validate=off`:\nprocessor time within one process, in turns, and which "
                  "part of it the enclosures are.",
          .target = "validated steps: largest share of a run without rows",
          .limit = 0.3,
          .set = set});
}
