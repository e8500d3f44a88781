// SPDX-License-Identifier: MIT
#include "event_units.h"

#include <string.h>

const char *event_unit_text(const char *unit) {
  return unit == NULL || strcmp(unit, "1") == 0 ? "" : unit;
}

const char *event_unit_state(const pawl_system *system, int i) {
  int nq = pawl_system_positions(system);
  return i < nq ? pawl_position_unit(system, i) : pawl_velocity_unit(system, i - nq);
}

bool event_units_stated(const pawl_system *system) {
  int n = pawl_system_positions(system) + pawl_system_velocities(system);
  bool stated = false;
  for (int i = 0; i < n && !stated; i++) {
    stated = event_unit_state(system, i) != NULL;
  }
  for (int i = 0; i < pawl_system_laws(system) && !stated; i++) {
    stated = pawl_law_get(system, i).unit != NULL;
  }
  return stated;
}

const char *event_unit_force(const pawl_system *system, const char *at) {
  for (int i = 0; i < pawl_system_laws(system); i++) {
    pawl_law_info law = pawl_law_get(system, i);
    if (strcmp(law.law, at) == 0 || strcmp(law.name, at) == 0) {
      return law.unit == NULL ? "" : law.unit;
    }
  }
  return NULL;
}

const char *event_unit_rate(const char *force) {
  static const char *const rates[][2] = {{"N", "m/s"}, {"J", "rad/s"}, {"N*m", "rad/s"}};
  for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
    if (strcmp(force, rates[i][0]) == 0) {
      return event_unit_text(rates[i][1]);
    }
  }
  return "";
}
