// SPDX-License-Identifier: MIT
/* A model as mathematics in print, or as C: its equations of motion and laws (`pawl export`). */
#ifndef PAWL_EXPORT_H
#define PAWL_EXPORT_H

#include "pawl/system.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum pawl_export_format { PAWL_LATEX, PAWL_TYPST, PAWL_C } pawl_export_format;

typedef struct pawl_export_opts {
  pawl_export_format format;
  const pawl_override *overrides;
  int n_override;
} pawl_export_opts;

/* PAWL_C: the right-hand side as one C file, which compiles on its own: M, h, J and the measures of
 * the laws at a state, accelerations and multipliers. Other formats: a document that can be
 * compiled as it is: energies, equations of motion with the names of the parameters kept,
 * constraints and laws, impact laws. Needs no start values. PAWL_E_MODEL: the diagnostics give the
 * reason. */
PAWL_API PAWL_NODISCARD pawl_status pawl_model_export(const pawl_model *model,
                                                      const pawl_export_opts *opts,
                                                      pawl_diags *diags, pawl_sink sink,
                                                      void *payload);

/* Prefix of the function names in C, an identifier made from the name of the model's file; ""
 * without a model. Writes it to `name`, truncated to `size` bytes, and returns it. */
PAWL_API const char *pawl_export_name(const pawl_model *model, char *name, unsigned long size);

#ifdef __cplusplus
}
#endif

#endif
