// SPDX-License-Identifier: MIT
/* Threads: a lock with a signal, and work done by several threads at once. A build without POSIX
 * (thread_plain.c) has one thread only. */
#ifndef PW_BASE_THREAD_H
#define PW_BASE_THREAD_H

#include <stdbool.h>

typedef struct pw_lock pw_lock;

pw_lock *pw_lock_new(void); /* NULL: no memory */
void pw_lock_free(pw_lock *lock);
void pw_lock_take(pw_lock *lock);
void pw_lock_release(pw_lock *lock);
/* Releases the lock until another thread calls pw_lock_wake, or for the given number of seconds;
 * either may also return spuriously. */
void pw_lock_wait(pw_lock *lock);
void pw_lock_wait_for(pw_lock *lock, double seconds);
void pw_lock_wake(pw_lock *lock); /* all who wait */

/* Calls work(payload, i) for i = 0..n-1 in one thread each and `meanwhile` in this thread; waits
 * for all. If fewer than n threads can be started, work is called only for the first of them.
 * False: none could be started, and nothing was called. */
bool pw_threads_run(int n, void (*work)(void *payload, int i), void (*meanwhile)(void *payload),
                    void *payload);

#endif
