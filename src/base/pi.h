// SPDX-License-Identifier: MIT
/* Half a turn. Twice and half of it are exact. */
#ifndef PW_BASE_PI_H
#define PW_BASE_PI_H

#define PW_PI 3.14159265358979323846

#endif
