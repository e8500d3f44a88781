// SPDX-License-Identifier: MIT
/* Robots in other formats as models: URDF and a subset of MJCF (`pawl import`). */
#ifndef PAWL_IMPORT_H
#define PAWL_IMPORT_H

#include <stddef.h>

#include "pawl/diag.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the model of a robot as text of the language. The format is told by the first element:
 * `robot` is URDF, `mujoco` MJCF. What cannot be carried over is a warning each in `diags` and a
 * comment at the head of the text. Files of up to 16 MiB; nothing else is loaded. PAWL_E_MODEL: the
 * diagnostics tell why; nothing is written then. `diags` may be NULL. */
PAWL_API PAWL_NODISCARD pawl_status pawl_import(const char *path, pawl_diags *diags, pawl_sink sink,
                                                void *payload);
/* The same for text in memory; `name` is what messages call it. */
PAWL_API PAWL_NODISCARD pawl_status pawl_import_text(const char *name, const char *text, size_t len,
                                                     pawl_diags *diags, pawl_sink sink,
                                                     void *payload);

#ifdef __cplusplus
}
#endif

#endif
