// SPDX-License-Identifier: MIT
#include "sim/moreau.h"
