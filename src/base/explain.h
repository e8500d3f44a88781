// SPDX-License-Identifier: MIT
/* Long explanations of codes. Each layer explains the codes that it raises in a table among its
 * sources, explain_LAYER.c; help/explain.c searches all of them. A code that several layers raise
 * is explained by the lowest. */
#ifndef PW_BASE_EXPLAIN_H
#define PW_BASE_EXPLAIN_H

typedef struct pw_explanation {
  const char *code, *text; /* text: whole lines */
} pw_explanation;

/* Ended by {NULL, NULL}. */
extern const pw_explanation pw_explain_base[], pw_explain_lang[], pw_explain_units[],
    pw_explain_signal[], pw_explain_model[], pw_explain_mech[], pw_explain_traj[], pw_explain_sim[],
    pw_explain_verify[], pw_explain_static[], pw_explain_bvp[], pw_explain_tangent[],
    pw_explain_orbit[], pw_explain_run[], pw_explain_plot[], pw_explain_export[], pw_explain_vary[],
    pw_explain_past[], pw_explain_fmu[], pw_explain_sweep[], pw_explain_import[],
    pw_explain_study[], pw_explain_play[];

#endif
