// SPDX-License-Identifier: MIT
/* Signals in print. */
#ifndef PW_EXPORT_WRITE_SIGNAL_H
#define PW_EXPORT_WRITE_SIGNAL_H

#include "export/write_law.h"

/* A delay or a noise inside an equation. */
void pw_write_spelled(pw_export *x, const pw_spelled *s);
/* Lines of an alignment, one for each table, input, state and sample; `begin` is called before
 * each. */
void pw_write_signals(pw_export *x, void (*begin)(void *payload), void *payload);

#endif
