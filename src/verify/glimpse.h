// SPDX-License-Identifier: MIT
/* An instant of a motion as far as it is known. A run gives the polynomial of a segment and the
 * modes of its laws (check_segment.c); of a table the rows beside the instant are fitted
 * (rows_tell.c). Either says how well it knows each number, and what else might explain a misfit;
 * check_instant.c judges both alike. */
#ifndef PW_VERIFY_GLIMPSE_H
#define PW_VERIFY_GLIMPSE_H

#include "verify/residual.h"

typedef struct pw_glimpse pw_glimpse;

/* What else might explain a misfit: raises the floors of the residuals, or puts values in their
 * place that are known better. Returns its rule, or PW_RULES if it does not apply here. */
typedef pw_rule pw_doubt(pawl_certifier *c, const pw_glimpse *g, double scale, pw_residuals *r);

typedef struct pw_teller { /* where glimpses come from */
  /* Which laws are at their kinks. Returns an error of the acceleration that they show. */
  double (*kinks)(pawl_certifier *c, const pw_glimpse *g, double scale, pw_set_scale *zero);
  /* Forces as delivered, multipliers, friction. */
  void (*forces)(pawl_certifier *c, const pw_glimpse *g, const pw_set_scale *zero, double scale,
                 pw_residuals *r);
  pw_doubt *const *doubts; /* for misfits, cheapest first; NULL ends */
  pw_doubt *blind;         /* where an error would not show, or NULL */
} pw_teller;

struct pw_glimpse {
  const pw_teller *from;
  pw_row_view row;
  bool known;              /* there is an acceleration */
  bool grows;              /* findings are relative to the motion so far */
  const double *a;         /* nv: acceleration */
  double turn;             /* how well it is known; sizes are in the metric of M */
  double slip, slip_floor; /* velocities against the rates of positions */
  double miss, miss_floor; /* position against those beside it */
  double weight;           /* time that it stands for */
};

/* Where the probe is, after pw_scale_row. */
void pw_instant_judge(pawl_certifier *c, const pw_glimpse *g);
/* Whether a quick look may do for this model; whether it does at this instant, where the probe is,
 * after pw_scale_row: then it is judged, else nothing has happened. */
bool pw_glance_is_enough(const pw_system *s);
bool pw_glance(pawl_certifier *c, const pw_glimpse *g);
/* An instant at which the model has no numbers. */
void pw_instant_unseen(pawl_certifier *c, double t, double weight);

#endif
