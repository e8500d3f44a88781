// SPDX-License-Identifier: MIT
/* Units of the numbers of events, as the model states them. */
#ifndef CLI_EVENT_UNITS_H
#define CLI_EVENT_UNITS_H

#include "cli.h"

/* "" for a pure number and where nothing is stated. */
const char *event_unit_text(const char *unit);
/* False: the model states no units at all. */
bool event_units_stated(const pawl_system *system);
/* Of the i-th number of the state: positions, then velocities. */
const char *event_unit_state(const pawl_system *system, int i);
/* Of the force of the law that an event is at; NULL: it is at no law. */
const char *event_unit_force(const pawl_system *system, const char *at);
/* Of the rate of what a law with such a force measures: force times rate is a power. */
const char *event_unit_rate(const char *force);

#endif
