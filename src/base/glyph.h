// SPDX-License-Identifier: MIT
/* Characters on a screen: reading UTF-8 that may be damaged, and its width. */
#ifndef PW_BASE_GLYPH_H
#define PW_BASE_GLYPH_H

#include <stdint.h>

/* Bytes (at least 1) of the character at `text` < `end`: a first byte and all continuation bytes
 * after it, as pw_source_locate counts columns. `*code` is the code point, -1 if not valid. */
int pw_glyph_next(const char *text, const char *end, int32_t *code);

/* Terminal columns of a code point: 0 combining, 2 wide, otherwise 1 (also for -1). */
int pw_glyph_width(int32_t code);

#endif
