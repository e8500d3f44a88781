// SPDX-License-Identifier: MIT
/* Counts and fails heap allocations of the program under test. Every unit test is linked with it:
 * -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free. Calls inside libc are not seen. */
#ifndef PW_TESTS_ALLOC_WRAP_H
#define PW_TESTS_ALLOC_WRAP_H

/* Calls of malloc, calloc and realloc since the program began: compare two readings. */
long alloc_calls(void);

/* Blocks that are not freed yet: equal before and after if nothing leaks. */
long alloc_live(void);

/* The k-th allocation from now on fails (k >= 1), once; 0 stops that. */
void alloc_fail_at(long k);

/* True if the failure asked for has happened. */
int alloc_failed(void);

/* Calls attempt(payload) with the k-th allocation failing, k = 1, 2, ..., until one call is not hit
 * any more. Returns that k: the number of allocations plus one; -1 if blocks leaked. */
long alloc_sweep(void (*attempt)(void *payload), void *payload);

#endif
