// SPDX-License-Identifier: MIT
/* The certificate of a run: its segments and instants are shown to the checker as they are made. A
 * resumed run shows those it has again, so that its certificate is the same to the byte. */
#include <math.h>

#include "run/run.h"
#include "verify/feed.h"

/* Methods of fixed step have errors of the size of their steps, not of the tolerance. */
bool pw_run_is_exact(const pawl_run *run) {
  return !pawl_method_is_fixed(run->opts.sim.method) && !pw_sim_is_heap(run->sim) &&
         pawl_sim_parts(run->sim) < 2;
}

pawl_status pw_certify_begin(pawl_run *run) {
  const pawl_sim_opts *sim = &run->opts.sim;
  if (run->opts.no_certificate) {
    return PAWL_OK;
  }
  pawl_certify_opts opts = {.noise = sim->tol,
                            .from = sim->from,
                            .to = sim->to,
                            .method = pawl_method_name(sim->method),
                            .sequential = sim->impacts == PAWL_IMPACTS_SEQUENTIAL};
  pw_sim_tell_strokes(run->sim, &run->strokes);
  return pawl_certify_new(run->sys, &opts, &run->certifier);
}

void pw_certify_segment(pawl_run *run, const pw_segment *segment) {
  if (run->certifier != NULL) {
    pw_own_segment(run->certifier, segment, pw_shape_values(&run->shape));
  }
}

void pw_certify_row(pawl_run *run, const double *row) {
  if (run->certifier != NULL) {
    pw_own_row(run->certifier, row);
  }
}

void pw_certify_side(pawl_run *run, pawl_side side, const double *row) {
  if (run->certifier != NULL) {
    if (side == PAWL_AFTER && pw_strokes_tell(&run->strokes)) {
      const char *at = run->strokes.bytes.text;
      pw_own_strokes(run->certifier, (pw_reader){at, at + run->strokes.bytes.len, false});
    }
    pw_own_side(run->certifier, side, row);
  }
}

void pw_certify_chunk(pawl_run *run, const pw_chunk_view *chunk) {
  if (run->certifier != NULL) {
    pw_own_chunk(run->certifier, chunk);
  }
}

bool pw_certify_end(pawl_run *run) {
  int unseen = pawl_sim_unseen_count(run->sim);
  if (run->certifier != NULL && unseen > 0) {
    pw_own_unseen(run->certifier, unseen, pawl_sim_unseen(run->sim, 0).from);
  }
  pawl_certify_finish(run->certifier);
  return run->certifier != NULL && pawl_certify_get(run->certifier).verdict == PAWL_NOT_A_MOTION;
}

void pw_certificate_json(pw_buf *out, const pawl_run *run, bool brief) {
  if (run->certifier == NULL) {
    pw_buf_puts(out, "{\"ok\":null,\"verdict\":\"NOT CHECKED\",\"subclass\":\"\",\"sentence\":");
    pw_buf_json(out, pawl_run_certificate(run).sentence);
    pw_buf_puts(out, ",\"residuals\":{}}");
  } else if (pawl_certify_json(run->certifier, brief, pw_buf_sink, out) != PAWL_OK) {
    out->failed = true;
  }
}

pawl_certificate pawl_run_certificate(const pawl_run *run) {
  pawl_certificate c = pawl_certify_get(run == NULL ? NULL : run->certifier);
  if (run != NULL && run->certifier == NULL) {
    c.sentence = "not asked for";
  }
  return c;
}

const pawl_certifier *pawl_run_certifier(const pawl_run *run) {
  return run == NULL ? NULL : run->certifier;
}
