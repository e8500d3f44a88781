// SPDX-License-Identifier: MIT
/* What the certificate costs: whole runs, files included. */
#include "share.h"

static void set(pawl_run_opts *opts, int with) {
  opts->no_certificate = !with;
}

static int is_certified(const pawl_run *run) {
  return pawl_run_certificate(run).verdict != PAWL_NOT_CHECKED;
}

int main(int argc, char **argv) {
  return bench_shares(
      argc, argv,
      &(bench_share){
          .name = "certificate",
          .title = "Certificates",
          .text = "Runs of all examples as `pawl run` does them, at default output and with all "
                  "files, with\nand without `--certify=off`: processor time within one process, in "
                  "turns, and which\npart of it the certificate is.",
          .target = "certificate: largest share of a run at default output",
          .limit = 0.15,
          .set = set,
          .counts = is_certified});
}
