// SPDX-License-Identifier: MIT
/* Numbers that are known before the run: constants, tolerances, bounds of ranges. */
#include <math.h>

#include "law/scale_model.h"
#include "model/check.h"

bool pw_known_number(pw_check *ck, pw_node node, double *out) {
  *out = pw_has(ck, node) == 0 ? pw_value_now(ck, node) : (double)NAN;
  pw_note_use_by_value(ck, node, ck->stmt->span);
  return isfinite(*out);
}

static void report_variable(pw_check *ck, const pw_ex *ex, const char *what, unsigned has) {
  pw_diag_ref d = pw_elab_error(ck, "E0110", ex->span, "%s must be known before the run", what);
  if ((has & PW_HAS_TIME) != 0 && (has & (PW_HAS_Q | PW_HAS_U)) == 0) {
    pw_label(d, "depends on the time");
  } else {
    pw_label(d, "depends on the motion");
  }
  pw_help(d, "use numbers and parameters only");
}

bool pw_node_is_known(pw_check *ck, const pw_ex *ex, pw_node node, unsigned site, const char *what,
                      double *out) {
  unsigned has = pw_has(ck, node);
  if (has != 0) {
    report_variable(ck, ex, what, has);
    return false;
  }
  *out = pw_value_now(ck, node);
  pw_note_use_by_value(ck, node, ex->span);
  if (isnan(*out) || (isinf(*out) && (site & PW_MAY_INF) == 0)) {
    pw_diag_ref d = pw_elab_error(ck, "E0110", ex->span, "%s is not a finite number", what);
    pw_label(d, "this is %s", pw_format_real(ck, *out));
    return false;
  }
  return true;
}

bool pw_elab_const(pw_check *ck, const pw_ex *ex, unsigned site, const char *what, double *out) {
  pw_node node;
  bool ok = pw_elab_scalar_at(ck, ex, site, what, &node);
  return ok && pw_node_is_known(ck, ex, node, site, what, out);
}

static bool elab_bound(pw_check *ck, const pw_ex *ex, int *out) {
  double x;
  if (!pw_elab_const(ck, ex, 0, "a bound of a range", &x)) {
    return false;
  }
  if (!(fabs(x - round(x)) <= PW_SCALE(WHOLE_NUMBER)) || fabs(x) > 1e9) {
    pw_diag_ref d = pw_elab_error(ck, "E0113", ex->span,
                                  fabs(x) > 1e9 ? "a bound of a range is too large"
                                                : "a bound of a range must be an integer");
    pw_label(d, "this is %s", pw_format_real(ck, x));
    return false;
  }
  *out = (int)round(x);
  return true;
}

bool pw_elab_range(pw_check *ck, const pw_ex *from, const pw_ex *to, bool empty, int *lo, int *hi) {
  bool ok = elab_bound(ck, from, lo);
  ok = elab_bound(ck, to, hi) && ok;
  if (!ok) {
    return false;
  }
  if (*hi < *lo - (empty ? 1 : 0)) {
    pw_diag_ref d = pw_elab_error(ck, "E0113", pw_span_join(from->span, to->span),
                                  "the range %d..%d is empty", *lo, *hi);
    pw_label(d, "it ends before it begins");
    if (empty) {
      pw_help(d, "a sum without terms, which is 0, has the range %d..%d", *lo, *lo - 1);
    }
    return false;
  }
  if ((int64_t)*hi - *lo + 1 > PW_MAX_MEMBERS) {
    pw_diag_ref d = pw_elab_error(ck, "E0113", pw_span_join(from->span, to->span),
                                  "the range %d..%d is too long", *lo, *hi);
    pw_label(d, "at most %d members", PW_MAX_MEMBERS);
    return false;
  }
  return true;
}
