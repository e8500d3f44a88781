// SPDX-License-Identifier: MIT
/* Code that is not part of the program when it starts: libraries loaded on demand, and machine code
 * generated at run time. If the system supports neither, these functions fail. And memory by pages.
 */
#ifndef PW_BASE_MODULE_H
#define PW_BASE_MODULE_H

#include <stddef.h>

/* The library stays loaded until the program ends. NULL: it cannot be loaded. */
void *pw_module_open(const char *file);
/* Address of a name in it, or NULL. */
void *pw_module_symbol(void *module, const char *name);

/* Memory with a copy of `bytes` that can be run, and no longer be written: no page is ever both.
 * Begins at a multiple of 16. NULL: the system does not allow it. */
void *pw_code_map(const unsigned char *bytes, size_t count);
void pw_code_unmap(void *code, size_t count); /* NULL: nothing to do */

/* Zeros, as calloc gives them, for matrices of many bodies, of which most is never written: pages
 * that are not touched take no memory. calloc promises that only as long as nothing was freed
 * before. NULL: there is no room. */
void *pw_pages_new(size_t size);
void pw_pages_free(void *memory); /* NULL: nothing to do */

#endif
