// SPDX-License-Identifier: MIT
/* Code that is not part of the program when it starts: libraries loaded on demand, and machine code
 * generated at run time. If the system supports neither, all functions fail. */
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

#endif
