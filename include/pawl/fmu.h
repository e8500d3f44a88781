// SPDX-License-Identifier: MIT
/* Functional mock-up units: a model as a unit for co-simulation with other tools (`pawl export
 * --fmu3`). The unit holds the model as text, the sources of the library that run it, and a binary.
 */
#ifndef PAWL_FMU_H
#define PAWL_FMU_H

#include "pawl/system.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Variables of a unit; their value references count from 0 in this order. */
typedef enum pawl_fmu_kind {
  PAWL_FMU_NONE, /* there is no such reference */
  PAWL_FMU_TIME,
  PAWL_FMU_PARAMETER,
  PAWL_FMU_POSITION,
  PAWL_FMU_VELOCITY,
  PAWL_FMU_FORCE,  /* of a law */
  PAWL_FMU_OUTPUT, /* an output statement */
  PAWL_FMU_KINETIC,
  PAWL_FMU_POTENTIAL,
  PAWL_FMU_LOST, /* energy lost for good since the start */
  PAWL_FMU_INPUT /* one of the positions */
} pawl_fmu_kind;

typedef struct pawl_fmu_variable {
  pawl_fmu_kind kind;
  int index; /* index among variables of its kind */
} pawl_fmu_variable;

PAWL_API int pawl_fmu_variables(const pawl_system *system);
PAWL_API pawl_fmu_variable pawl_fmu_variable_get(const pawl_system *system, int reference);

/* Hash of the text of a model; units use it to check that their parts belong together. */
PAWL_API unsigned long long pawl_fmu_token(const char *text, unsigned long count);

typedef struct pawl_fmu_opts {
  int version; /* of the standard: 3 or 2 */
  /* A list of the files that go into every unit, a line VERSIONS NAME PATH for each:
   * versions of the standard as digits, the name in the unit (@ID@ in it is the identifier of the
   * model), and a path, which starts at the folder of the list if it is relative. */
  const char *kit;
  const char *identifier; /* a name of C; NULL: made from the file name of the model */
  const pawl_override *overrides;
  int n_override;
} pawl_fmu_opts;

/* Writes the unit, a zip archive. Same model, same bytes. PAWL_E_MODEL: the diagnostics give the
 * reason; PAWL_E_FILE: a file of the kit cannot be read. */
PAWL_API PAWL_NODISCARD pawl_status pawl_fmu_write(const pawl_model *model,
                                                   const pawl_fmu_opts *opts, pawl_diags *diags,
                                                   pawl_sink sink, void *payload);

#ifdef __cplusplus
}
#endif

#endif
