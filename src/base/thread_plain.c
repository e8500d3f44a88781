// SPDX-License-Identifier: MIT
/* No threads: locks are always free, and no thread can be started. */
#include <stdlib.h>

#include "base/thread.h"

pw_lock *pw_lock_new(void) {
  return malloc(1); /* it has no parts */
}

void pw_lock_free(pw_lock *lock) {
  free(lock);
}

void pw_lock_take(pw_lock *lock) {
  (void)lock;
}

void pw_lock_release(pw_lock *lock) {
  (void)lock;
}

void pw_lock_wait(pw_lock *lock) {
  (void)lock;
}

void pw_lock_wait_for(pw_lock *lock, double seconds) {
  (void)lock;
  (void)seconds;
}

void pw_lock_wake(pw_lock *lock) {
  (void)lock;
}

bool pw_threads_run(int n, void (*work)(void *payload, int i), void (*meanwhile)(void *payload),
                    void *payload) {
  (void)n;
  (void)work;
  (void)meanwhile;
  (void)payload;
  return false;
}
