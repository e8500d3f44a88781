// SPDX-License-Identifier: MIT
/* Value references of a unit: the same order when writing and when running it. */
#include <stddef.h>
#include <stdint.h>

#include "pawl/fmu.h"

enum { KINDS = PAWL_FMU_INPUT + 1 };

static void counts(const pawl_system *system, int n[KINDS]) {
  for (int k = 0; k < KINDS; k++) {
    n[k] = 1;
  }
  n[PAWL_FMU_NONE] = n[PAWL_FMU_INPUT] = 0;
  n[PAWL_FMU_PARAMETER] = pawl_system_parameters(system);
  n[PAWL_FMU_POSITION] = pawl_system_positions(system);
  n[PAWL_FMU_VELOCITY] = pawl_system_velocities(system);
  n[PAWL_FMU_FORCE] = pawl_system_laws(system);
  n[PAWL_FMU_OUTPUT] = pawl_system_outputs(system);
}

int pawl_fmu_variables(const pawl_system *system) {
  int n[KINDS], sum = 0;
  if (system == NULL) {
    return 0;
  }
  counts(system, n);
  for (int k = 0; k < KINDS; k++) {
    sum += n[k];
  }
  return sum;
}

/* Inputs are stored as positions; this distinguishes them. */
static pawl_fmu_variable name_input(const pawl_system *system, pawl_fmu_variable v) {
  for (int i = 0; v.kind == PAWL_FMU_POSITION && i < pawl_system_inputs(system); i++) {
    if (pawl_input_position(system, i) == v.index) {
      return (pawl_fmu_variable){PAWL_FMU_INPUT, i};
    }
  }
  return v;
}

pawl_fmu_variable pawl_fmu_variable_get(const pawl_system *system, int reference) {
  int n[KINDS];
  if (system == NULL || reference < 0) {
    return (pawl_fmu_variable){PAWL_FMU_NONE, 0};
  }
  counts(system, n);
  for (int k = 0; k < KINDS; k++) {
    if (reference < n[k]) {
      return name_input(system, (pawl_fmu_variable){(pawl_fmu_kind)k, reference});
    }
    reference -= n[k];
  }
  return (pawl_fmu_variable){PAWL_FMU_NONE, 0};
}

/* FNV-1a with 64 bits. */
unsigned long long pawl_fmu_token(const char *text, unsigned long count) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (unsigned long i = 0; text != NULL && i < count; i++) {
    hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
  }
  return hash;
}
