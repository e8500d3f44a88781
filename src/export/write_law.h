// SPDX-License-Identifier: MIT
/* Laws in print. */
#ifndef PW_EXPORT_WRITE_LAW_H
#define PW_EXPORT_WRITE_LAW_H

#include "export/write.h"

/* The multiplier of a law, "rub" or "link[3]"; or its rate. */
void pw_write_lambda(pw_export *x, const char *law, bool rate);
/* The statement behind a row: a line of an alignment. */
void pw_write_law(pw_export *x, const pw_row *row);

#endif
