// SPDX-License-Identifier: MIT
/* Vectors of two or three nodes. */
#ifndef PW_MODEL_SHAPE_VEC_H
#define PW_MODEL_SHAPE_VEC_H

#include "model/check.h"

pw_node pw_number(pw_check *ck, double x);
void pw_vec_sub(pw_check *ck, const pw_node *a, const pw_node *b, int n, pw_node *out);
/* a + f b */
void pw_vec_add(pw_check *ck, const pw_node *a, pw_node f, const pw_node *b, int n, pw_node *out);
void pw_vec_cross(pw_check *ck, const pw_node *a, const pw_node *b, pw_node *out);
pw_node pw_vec_norm(pw_check *ck, const pw_node *a, int n);
void pw_vec_divide(pw_check *ck, pw_node *a, pw_node f, int n);
/* a where c >= 0, else b */
void pw_vec_choose(pw_check *ck, pw_node c, const pw_node *a, const pw_node *b, int n,
                   pw_node *out);

#endif
