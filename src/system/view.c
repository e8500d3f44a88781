// SPDX-License-Identifier: MIT
#include "system/view.h"

#include <math.h>

pw_law_row pw_view_law(const pw_system *sys, pw_law_view view, int law) {
  const double *own =
      view.contact == NULL ? NULL : view.contact + (size_t)law * (size_t)pw_view_stride(sys);
  const double *sides = view.graph == NULL ? NULL : view.graph + 2 * (size_t)law;
  const double *clause = view.clause;
  return (pw_law_row){
      .form = &sys->law[law],
      .value = own == NULL ? NAN : own[0],
      .rate = own == NULL ? NAN : own[1],
      .zeta = own == NULL ? NAN : own[2],
      .J = own == NULL ? NULL : own + 3,
      .left = sides == NULL ? NAN : sides[0],
      .right = sides == NULL ? NAN : sides[1],
      .restitution = clause == NULL ? NAN : clause[law],
      .limit = clause == NULL ? NAN : clause[sys->ni + law],
  };
}
