// SPDX-License-Identifier: MIT
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "base/thread.h"

struct pw_lock {
  pthread_mutex_t mutex;
  pthread_cond_t signal;
};

pw_lock *pw_lock_new(void) {
  pw_lock *lock = malloc(sizeof *lock);
  if (lock == NULL) {
    return NULL;
  }
  if (pthread_mutex_init(&lock->mutex, NULL) != 0) {
    free(lock);
    return NULL;
  }
  if (pthread_cond_init(&lock->signal, NULL) != 0) {
    pthread_mutex_destroy(&lock->mutex);
    free(lock);
    return NULL;
  }
  return lock;
}

void pw_lock_free(pw_lock *lock) {
  if (lock != NULL) {
    pthread_cond_destroy(&lock->signal);
    pthread_mutex_destroy(&lock->mutex);
    free(lock);
  }
}

void pw_lock_take(pw_lock *lock) {
  pthread_mutex_lock(&lock->mutex);
}

void pw_lock_release(pw_lock *lock) {
  pthread_mutex_unlock(&lock->mutex);
}

void pw_lock_wait(pw_lock *lock) {
  pthread_cond_wait(&lock->signal, &lock->mutex);
}

void pw_lock_wait_for(pw_lock *lock, double seconds) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  long nanoseconds = until.tv_nsec + (long)(seconds * 1e9);
  until.tv_sec += nanoseconds / 1000000000;
  until.tv_nsec = nanoseconds % 1000000000;
  pthread_cond_timedwait(&lock->signal, &lock->mutex, &until);
}

void pw_lock_wake(pw_lock *lock) {
  pthread_cond_broadcast(&lock->signal);
}

typedef struct hand {
  pthread_t thread;
  void (*work)(void *payload, int i);
  void *payload;
  int i;
} hand;

static void *begin(void *payload) {
  const hand *h = payload;
  h->work(h->payload, h->i);
  return NULL;
}

bool pw_threads_run(int n, void (*work)(void *payload, int i), void (*meanwhile)(void *payload),
                    void *payload) {
  hand *hands = calloc((size_t)n, sizeof *hands);
  int count = 0;
  for (bool ok = hands != NULL; ok && count < n; count += ok) {
    hands[count] = (hand){.work = work, .payload = payload, .i = count};
    ok = pthread_create(&hands[count].thread, NULL, begin, &hands[count]) == 0;
  }
  if (count > 0) {
    meanwhile(payload);
  }
  for (int i = 0; i < count; i++) {
    pthread_join(hands[i].thread, NULL);
  }
  free(hands);
  return count > 0;
}
