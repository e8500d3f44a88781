// SPDX-License-Identifier: MIT
/* Code that is not part of the program when it starts: libraries that are loaded when somebody asks
 * for them, and machine code made at run time. Where the system has neither, all of these say no.
 */
#ifndef PW_BASE_MODULE_H
#define PW_BASE_MODULE_H

/* The library stays loaded until the program ends. NULL: it cannot be loaded. */
void *pw_module_open(const char *file);
/* Address of a name in it, or NULL. */
void *pw_module_symbol(void *module, const char *name);

#endif
