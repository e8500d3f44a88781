// SPDX-License-Identifier: MIT
/* Robots in other formats as models: URDF and a subset of MJCF (`pawl import`). */
#ifndef PAWL_IMPORT_H
#define PAWL_IMPORT_H

#include <stddef.h>

#include "pawl/diag.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the model of a robot as text of the language. The first element determines the format:
 * `robot` is URDF, `mujoco` MJCF. Each part that cannot be converted gives a warning in `diags` and
 * a comment at the head of the text. Files of up to 16 MiB; nothing else is loaded. PAWL_E_MODEL:
 * the diagnostics give the reason, and nothing is written. `diags` may be NULL. */
PAWL_API PAWL_NODISCARD pawl_status pawl_import(const char *path, pawl_diags *diags, pawl_sink sink,
                                                void *payload);
/* The same for text in memory; `name` is its name in messages. */
PAWL_API PAWL_NODISCARD pawl_status pawl_import_text(const char *name, const char *text, size_t len,
                                                     pawl_diags *diags, pawl_sink sink,
                                                     void *payload);

#ifdef __cplusplus
}
#endif

#endif
