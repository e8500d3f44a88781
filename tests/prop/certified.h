// SPDX-License-Identifier: MIT
/* The certificate of a random run, from rows such as `pawl run` keeps: even ones, and both sides of
 * every event. It must not reject what the engine computes. */
#ifndef PW_TESTS_CERTIFIED_H
#define PW_TESTS_CERTIFIED_H

#include "pawl/pawl.h"

/* NULL: there is no memory. */
pawl_certifier *certified_begin(const pawl_system *system, double span);
void certified_row(pawl_certifier *c, pawl_sim *sim, pawl_side side);
/* The sentence of a rejection, or "". Frees c. */
void certified_end(pawl_certifier *c, char *sentence, size_t room);

#endif
