// SPDX-License-Identifier: MIT
/* What is left of the laws at one instant, of a table or of a segment: the distances of the
 * reaction from the sets of the laws, certificates (C2), and what they are known up to. */
#ifndef PW_VERIFY_RESIDUAL_H
#define PW_VERIFY_RESIDUAL_H

#include "verify/checker.h"

typedef struct pw_residuals { /* relative to the size of the forces, or of the velocities */
  double velocity, place, rho[PW_SET_ACCELERATION + 1], force;
  int law[PW_SET_ACCELERATION + 1], force_law;
  double floor, velocity_floor, place_floor, force_floor;
  double fit;        /* error of the acceleration that laws at their kinks show */
  double noise;      /* of the forces given */
  bool given;        /* `force` was looked at */
  double own, whole; /* of segments: forces of the instant; the scale that they are relative to */
  pw_rule rule;      /* the last rule that changed a value or a floor */
} pw_residuals;

/* The three distances for the acceleration a (nv), where the probe is. */
void pw_residual_principles(pawl_certifier *c, const double *a, const pw_set_scale *zero, double t,
                            double scale, pw_residuals *r);
/* The largest value that does not fit; 0: all fit. */
double pw_residual_misfit(const pawl_certifier *c, const pw_residuals *r);
/* Records that a rule was applied to a row with the misfit `off`: it accepts the row if all fits
 * now, and is the reason of the finding if nothing fits to the end. Returns the misfit left. */
double pw_residual_applied(pawl_certifier *c, double t, pw_rule rule, double off, pw_residuals *r);
/* Findings of the instant, and whether an error would have shown. weight: time it stands for. */
void pw_residual_judge(pawl_certifier *c, double t, double weight, const pw_residuals *r);

#endif
