// SPDX-License-Identifier: MIT
/* The descriptions of a unit: modelDescription.xml and, for version 3,
 * sources/buildDescription.xml.
 */
#ifndef PW_FMU_DESCRIBE_H
#define PW_FMU_DESCRIBE_H

#include "base/buf.h"
#include "pawl/fmu.h"

typedef struct pw_fmu {
  const pawl_system *system;
  int version; /* 2 or 3 */
  const char *identifier;
  unsigned long long token;
  const char *const *sources; /* names of the C files below sources/ */
  int n_source;
} pw_fmu;

void pw_fmu_describe(pw_buf *out, const pw_fmu *unit);
/* Version 3 only. */
void pw_fmu_describe_build(pw_buf *out, const pw_fmu *unit);

#endif
