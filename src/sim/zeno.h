// SPDX-License-Identifier: MIT
/* Impacts that accumulate: a repeating pattern of contacts whose periods shrink by a steady ratio.
 * The sum of the periods to come is a geometric series, theory (62). */
#ifndef PW_SIM_ZENO_H
#define PW_SIM_ZENO_H

#include <stdbool.h>
#include <stdint.h>

enum { PW_ZENO_KEEP = 32, PW_ZENO_PERIOD = 4 };

/* Keys of sets of contacts: contacts are added one by one, in their order. */
static const uint64_t PW_KEY = 14695981039346656037u;
static inline uint64_t pw_key_add(uint64_t key, int law) {
  return (key ^ (uint64_t)(law + 1)) * 1099511628211u;
}

typedef struct pw_zeno {
  int n; /* instants kept, the newest last */
  double t[PW_ZENO_KEEP];
  uint64_t key[PW_ZENO_KEEP]; /* of the set of contacts hit */
  int period;                 /* instants of the pattern seen last, */
  double ratio;               /* and of its lengths; 0: none */
} pw_zeno;

void pw_zeno_reset(pw_zeno *z);
void pw_zeno_hit(pw_zeno *z, double t, uint64_t key);
/* True if the last three periods shrink steadily: *period instants each, *ratio of their lengths,
 * and the time *limit where they accumulate. Periods too short to be measured are trusted to go on
 * as they did, as far as they can be seen. */
bool pw_zeno_accumulates(pw_zeno *z, int *period, double *ratio, double *limit);

/* Impacts one after the other at one instant, between contacts that cannot be told apart in time:
 * a repeating pattern whose impulses shrink by a steady ratio goes on for ever, theory,
 * section 20. */
enum { PW_CASCADE_PERIOD = 16, PW_CASCADE_KEEP = 3 * PW_CASCADE_PERIOD };

typedef struct pw_cascade {
  int n; /* impacts kept, the newest last */
  uint64_t key[PW_CASCADE_KEEP];
  double size[PW_CASCADE_KEEP]; /* of the impulses */
  int seen;                     /* impacts since it was found to go on for ever */
} pw_cascade;

/* After an impact: how many impacts the pattern has, or 0: it need not go on for ever. */
int pw_cascade_hit(pw_cascade *k, uint64_t key, double size);

/* Impacts that give energy to the motion ever faster, as between walls that close on a body: the
 * times in which the sum of what they give grows fourfold shrink like a geometric series. */
typedef struct pw_growth {
  double gain;    /* of kinetic energy by all impacts so far */
  double mark, t; /* where it had grown fourfold last, and when */
  double span;    /* how long that took; 0: not known */
  int streak;     /* how often in a row it took much less time than before */
  double limit;   /* where the times accumulate */
} pw_growth;

void pw_growth_reset(pw_growth *g);
/* After an impact, with g->gain up to date: true if the speeds grow beyond all bounds. */
bool pw_growth_hit(pw_growth *g, double t);

#endif
