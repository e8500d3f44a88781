// SPDX-License-Identifier: MIT
/* A model's text brought to the start of its motion through the public interface. */
#ifndef PW_TESTS_SUBJECT_H
#define PW_TESTS_SUBJECT_H

#include "pawl/pawl.h"

typedef struct subject {
  pawl_diags *diags;
  pawl_model *model;
  pawl_system *system;
  pawl_sim *sim; /* NULL: refused */
} subject;

pawl_status subject_open(subject *s, const char *text, const pawl_sim_opts *opts);
void subject_close(subject *s);
/* Code and message of the last diagnostic. */
void subject_why(const subject *s, char *why, size_t room);

#endif
