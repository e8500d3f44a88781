// SPDX-License-Identifier: MIT
/* The certificate of a run: its rows are shown to the checker as they are kept. A resumed run shows
 * those it has again, so that its certificate is the same to the byte. */
#include <math.h>

#include "run/run.h"

/* Methods of fixed step have errors of the size of their steps, not of the tolerance. */
bool pw_run_is_exact(const pawl_run *run) {
  return !pawl_method_is_fixed(run->opts.sim.method);
}

pawl_status pw_certify_begin(pawl_run *run) {
  const pawl_sim_opts *sim = &run->opts.sim;
  if (run->opts.no_certificate || !pw_run_is_exact(run)) {
    return PAWL_OK;
  }
  pawl_certify_opts opts = {.noise = sim->tol,
                            .from = sim->from,
                            .to = sim->to,
                            .every = run->opts.every,
                            .instants = PAWL_ROWS_PER_INSTANT,
                            .sequential = sim->impacts == PAWL_IMPACTS_SEQUENTIAL};
  return pawl_certify_new(run->sys, &opts, &run->certifier);
}

void pw_certify_row(pawl_run *run, const double *row) {
  if (run->certifier != NULL) {
    const double *q = row + 1, *u = q + run->nq, *force = u + run->nv;
    double steps = (double)pawl_sim_statistics(run->sim).steps;
    pawl_certify_steps(run->certifier, steps / (double)(run->result.rows + 1));
    run->blind = run->blind || pawl_certify_row(run->certifier, row[0], q, u, force) != PAWL_OK;
  }
}

void pw_certify_end(pawl_run *run) {
  pawl_certify_finish(run->certifier);
  run->result.not_a_motion =
      run->certifier != NULL && pawl_certify_get(run->certifier).verdict == PAWL_NOT_A_MOTION;
}

static int into_buf(void *payload, const char *bytes, unsigned long count) {
  pw_buf *buf = payload;
  pw_buf_add(buf, bytes, count);
  return buf->failed;
}

void pw_certificate_json(pw_buf *out, const pawl_run *run, bool brief) {
  if (run->certifier == NULL) {
    pw_buf_puts(out, "{\"ok\":null,\"verdict\":\"NOT CHECKED\",\"subclass\":\"\",\"sentence\":");
    pw_buf_json(out, pawl_run_certificate(run).sentence);
    pw_buf_puts(out, ",\"residuals\":{}}");
  } else if (pawl_certify_json(run->certifier, brief, into_buf, out) != PAWL_OK) {
    out->failed = true;
  }
}

pawl_certificate pawl_run_certificate(const pawl_run *run) {
  pawl_certificate c = pawl_certify_get(run == NULL ? NULL : run->certifier);
  if (run != NULL && run->certifier == NULL) {
    c.sentence = run->opts.no_certificate
                     ? "not asked for"
                     : "a method with fixed steps is not accurate enough to be checked";
  }
  return c;
}

const pawl_certifier *pawl_run_certifier(const pawl_run *run) {
  return run == NULL ? NULL : run->certifier;
}
