// SPDX-License-Identifier: MIT
/* The table of scales: every number by which Pawl judges that something is zero, dependent, seen or
 * noise. No such number may appear anywhere else. The table is one list per layer (law/scale_*.h),
 * each entry with its value, where the value comes from, and what it decides; summary.json prints
 * it.
 *
 *   PW_SCALE(STILL)     the value of the entry STILL
 *
 * `make mutate` changes the entries one by one and shows which test notices. */
#ifndef PW_LAW_SCALE_H
#define PW_LAW_SCALE_H

#include <float.h>

typedef enum pw_scale_origin {
  PW_SCALE_ROUNDING, /* a multiple of the rounding unit; the factor counts operations */
  PW_SCALE_DERIVED, /* follows from an order of accuracy or from an equation, named in the reason */
  PW_SCALE_JUDGEMENT /* chosen; the reason describes what goes wrong above and below */
} pw_scale_origin;

typedef struct pw_scale_entry {
  const char *name;
  double value;
  pw_scale_origin origin;
  const char *reason;
} pw_scale_entry;

int pw_scale_count(void);
pw_scale_entry pw_scale_at(int i);

/* A list for a layer is an X-macro of rows (NAME, value, ORIGIN, "reason"), used twice: here to
 * make the accessors, and in scale.c to make the table. */
#ifdef PW_SCALES_MUTABLE
/* PAWL_MUTATE=NAME:FACTOR changes a scale; PAWL_SCALES_READ=FILE receives the names of the scales
 * that were read. */
double pw_scale_factor(const char *name);
#define PW_SCALE_ACCESSOR(NAME, value, ORIGIN, reason) \
  static inline double pw_scale_##NAME(void) {         \
    static double factor;                              \
    if (factor == 0) {                                 \
      factor = pw_scale_factor(#NAME);                 \
    }                                                  \
    return factor * (value);                           \
  }
#else
#define PW_SCALE_ACCESSOR(NAME, value, ORIGIN, reason) \
  static inline double pw_scale_##NAME(void) {         \
    return (value);                                    \
  }
#endif

#define PW_SCALE(NAME) (pw_scale_##NAME())

#endif
