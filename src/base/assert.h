// SPDX-License-Identifier: MIT
/* Invariants of the code itself, checked in debug and sanitizer builds (PAWL_ASSERTS). Never used
 * on input: errors that a user can cause are reported by a status with a diagnostic. */
#ifndef PW_BASE_ASSERT_H
#define PW_BASE_ASSERT_H

#ifdef PAWL_ASSERTS
#include <stdlib.h>
#define PW_ASSERT(condition) ((condition) ? (void)0 : abort())
#else
#define PW_ASSERT(condition) ((void)sizeof(!(condition)))
#endif

#endif
