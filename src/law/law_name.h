// SPDX-License-Identifier: MIT
/* How the force of a law is named in files. A vector slip is one law whose force is an array;
 * a relation between vectors is as many laws as it has components. */
#ifndef PW_LAW_LAW_NAME_H
#define PW_LAW_LAW_NAME_H

#include "base/buf.h"
#include "pawl/system.h"

/* "force(floor)", "force(rub)[2]" */
void pw_force_column(pw_buf *out, const char *law, int component, int components);
/* Member of an object, in the order of the laws: `"floor":9.81`, or `"rub":[1` and then `,2]`. */
void pw_force_json(pw_buf *out, bool first, const pawl_law_info *law, double force);
/* Text before and after the value of a law, or of one of its components. */
void pw_law_json_open(pw_buf *out, bool first, const pawl_law_info *law);
void pw_law_json_close(pw_buf *out, const pawl_law_info *law);

#endif
