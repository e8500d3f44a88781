// SPDX-License-Identifier: MIT
/* Scales of the certificate. See law/scale.h. */
#ifndef PW_LAW_SCALE_VERIFY_H
#define PW_LAW_SCALE_VERIFY_H

#include "law/scale.h"

#define PW_SCALES_VERIFY(SCALE)

PW_SCALES_VERIFY(PW_SCALE_ACCESSOR)

#endif
