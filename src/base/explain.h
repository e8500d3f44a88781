// SPDX-License-Identifier: MIT
/* Long explanations of error codes, kept as tables near to each other so that a code is used once.
 */
#ifndef PW_BASE_EXPLAIN_H
#define PW_BASE_EXPLAIN_H

typedef struct pw_explanation {
  const char *code, *text; /* text: whole lines */
} pw_explanation;

/* In the order of codes, ended by {NULL, NULL}. */
extern const pw_explanation pw_explain_syntax[]; /* E0001 to E0099 */
extern const pw_explanation pw_explain_model[];  /* E0101 to E0221, E0401 to E0421, E0901 */
extern const pw_explanation pw_explain_start[]; /* E0300 to E0340, E0501 to E0533, W0330 to W0341 */
extern const pw_explanation pw_explain_units[]; /* E0150 to E0159 */
extern const pw_explanation pw_explain_run[];   /* E0601 to E0699 */

#endif
