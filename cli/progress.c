// SPDX-License-Identifier: MIT
#include "progress.h"

#include <inttypes.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t interrupt_seen, is_quiet, is_idle;

/* The answer comes at once; to end, files have to be written. */
static void on_interrupt(int number) {
  static const char answer[] = "\nstopping, writing what there is; Ctrl-C again ends at once\n";
  (void)number;
  interrupt_seen = 1;
  if (!is_quiet && !is_idle && write(STDERR_FILENO, answer, sizeof answer - 1) < 0) {
    is_quiet = 1; /* nobody reads it */
  }
}

bool progress_interrupted(void) {
  return interrupt_seen != 0;
}

/* The second Ctrl-C ends the program at once. */
void progress_begin(cli_progress *p, bool quiet) {
  struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
  sigemptyset(&action.sa_mask);
  is_quiet = quiet;
  is_idle = 0;
  sigaction(SIGINT, &action, NULL);
  *p = (cli_progress){.draws = !quiet && isatty(STDERR_FILENO), .drawn = -1};
}

void progress_idle(void) {
  is_idle = 1;
}

static void draw(const pawl_progress *now) {
  enum { WIDTH = 24 };
  double part = (now->t - now->from) / (now->to - now->from);
  int filled = part > 0 ? (int)(part * WIDTH) : 0;
  filled = filled > WIDTH ? WIDTH : filled;
  char bar[WIDTH + 1];
  memset(bar, '-', WIDTH);
  memset(bar, '#', (size_t)filled);
  bar[WIDTH] = '\0';
  fprintf(stderr, "\r[%s] t %.5g/%.5g s  %" PRId64 " events  h %.1e", bar, now->t, now->to,
          now->events, now->step);
  if (part > 0.01) {
    fprintf(stderr, "  eta %.1f s", now->wall * (1 - part) / part);
  }
  fputs("\033[K", stderr);
  fflush(stderr);
}

int progress_step(cli_progress *p, const pawl_progress *now) {
  if (p->draws && now->wall - (p->drawn < 0 ? 0 : p->drawn) > 0.2) {
    p->drawn = now->wall;
    draw(now);
  }
  return interrupt_seen != 0;
}

static double wall(void) {
  struct timespec now;
  return clock_gettime(CLOCK_MONOTONIC, &now) == 0 ? (double)now.tv_sec + 1e-9 * (double)now.tv_nsec
                                                   : 0;
}

int progress_count(cli_progress *p, int64_t n, const char *what) {
  double now = p->draws ? wall() : 0;
  if (p->draws && now - p->drawn > 0.2) {
    p->drawn = now;
    fprintf(stderr, "\r%" PRId64 " %s\033[K", n, what);
    fflush(stderr);
  }
  return interrupt_seen != 0;
}

void progress_wipe(cli_progress *p) {
  if (p->drawn >= 0) {
    fputs("\r\033[K", stderr);
    p->drawn = -1;
  }
}
