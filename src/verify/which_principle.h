// SPDX-License-Identifier: MIT
#ifndef PW_VERIFY_WHICH_PRINCIPLE_H
#define PW_VERIFY_WHICH_PRINCIPLE_H

#include "base/buf.h"
#include "pawl/verify.h"

/* Appends the member "principles" of a certificate in JSON. */
void pw_principles_json(pw_buf *out, const pawl_certifier *c);

#endif
