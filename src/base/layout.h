// SPDX-License-Identifier: MIT
/* Many arrays in one block of memory. One function counts and hands out: it runs twice, first with
 * a layout without memory, which only counts, then with the memory.
 *
 *   static void lay_out(thing *x, pw_layout *l) { x->a = PW_LAY(l, n, double); ... }
 *
 *   pw_layout l = {0};
 *   lay_out(x, &l);                        counts l.size bytes
 *   l = pw_layout_in(calloc(1, l.size));
 *   lay_out(x, &l);                        hands out
 *
 * In sanitizer builds a red zone follows each array, so that an overrun of one array into the next
 * is reported. */
#ifndef PW_BASE_LAYOUT_H
#define PW_BASE_LAYOUT_H

#include <stddef.h>

typedef struct pw_layout {
  unsigned char *memory; /* NULL: counts only */
  size_t size;           /* bytes counted or handed out so far */
} pw_layout;

/* Hands out this memory, which is zeroed and aligned as malloc does. */
pw_layout pw_layout_in(void *memory);

/* NULL while counting. A size that overflows becomes SIZE_MAX, which no allocation satisfies. */
void *pw_layout_take(pw_layout *l, size_t count, size_t item);
#define PW_LAY(l, count, type) ((type *)pw_layout_take((l), (size_t)(count), sizeof(type)))

/* Copies all bytes of a block, its red zones included: for saved states. */
void pw_layout_copy(void *to, const void *from, size_t size);

#endif
