// SPDX-License-Identifier: MIT
/* A running unit: what both versions of the standard need of a model. It uses the public functions
 * of the library alone, and keeps nothing outside of itself, so that any number of units can live
 * in one process. */
#ifndef FMI_UNIT_H
#define FMI_UNIT_H

#include <pawl/fmu.h>
#include <pawl/sim.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum fmi_mode { /* bits, so that a call can name all modes it is allowed in */
                        FMI_MADE = 1,
                        FMI_INIT = 2,
                        FMI_EVENT = 4,
                        FMI_STEP = 8,
                        FMI_ENDED = 16,
                        FMI_FAILED = 32, /* can be reset and freed alone */
                        FMI_BETWEEN = 64 /* inside of a step, while the importer looks at values */
} fmi_mode;

typedef struct fmi_unit fmi_unit;
/* Tells the importer; severity: 1 a warning, 3 an error. */
typedef void (*fmi_say)(fmi_unit *unit, int severity, const char *text);

struct fmi_unit {
  fmi_say say;
  void *host; /* of the version of the standard */
  bool logging;
  fmi_mode mode;
  unsigned long long token; /* of the text of the model */
  pawl_diags *diags;
  pawl_model *model;
  pawl_system *initial; /* with the parameters of the text: names and numbers of things */
  pawl_system *system;  /* with the parameters that were set; NULL: not compiled yet */
  pawl_sim *sim;
  double *parameter, *first, *input; /* one block; inputs at the start, and now */
  int n_parameter, n_input;
  bool has_stop;
  double tol, start, stop, t;
  bool stale;   /* parameters were set since the system was compiled */
  bool fresh;   /* inputs were set that the motion does not know yet */
  bool driven;  /* inputs have changed on the way */
  bool pending; /* an event has happened and is not treated yet: values are those before it */
};

/* The model at `path`, whose token must be `token` (NULL: not asked). NULL: `say` has told why. */
fmi_unit *fmi_unit_new(const char *path, const char *token, fmi_say say, void *host, bool logging);
void fmi_unit_free(fmi_unit *unit);
/* As it was made. */
void fmi_unit_reset(fmi_unit *unit);

/* False, and told: the call is not allowed now. */
bool fmi_unit_allows(fmi_unit *unit, int modes, const char *call);
/* The argument is there. False, and told: it is NULL. */
bool fmi_unit_given(fmi_unit *unit, const void *argument, const char *call, const char *what);
/* Arrays of n references and n values, either of which may be NULL for n = 0. */
bool fmi_unit_arrays(fmi_unit *unit, size_t n, const void *references, const void *values,
                     const char *call);
/* Compiles the model and stands at its start. */
bool fmi_unit_ready(fmi_unit *unit);

/* Values by reference. False, and told: there is no such one, or it cannot be set now. */
bool fmi_unit_get(fmi_unit *unit, unsigned reference, double *out);
bool fmi_unit_set(fmi_unit *unit, unsigned reference, double value);

/* Derivatives of n values along a change of m others: of inputs at the present state, of parameters
 * along the motion so far. False, and told: there are none. */
bool fmi_unit_slope(fmi_unit *unit, const unsigned *unknown, size_t n, const unsigned *known,
                    const double *seed, size_t m, double *out);

/* Tolerance and times of the experiment. False, and told: they are not legal. */
bool fmi_unit_experiment(fmi_unit *unit, bool has_tol, double tol, double start, bool has_stop,
                         double stop);
/* The end of a step from a communication point; beyond the stop time by rounding alone it is that
 * time. False, and told: the unit is elsewhere, or the size is no step. */
bool fmi_unit_target(fmi_unit *unit, double point, double size, double *target);
/* Goes on to the target, the next event or the end of the motion. */
bool fmi_unit_advance(fmi_unit *unit, double target, pawl_stop *why);

/* A copy of everything that changes, in one block; NULL: out of memory. */
typedef struct fmi_saved {
  unsigned long long sum; /* of all bytes behind it */
  size_t size;            /* of all of it */
  unsigned long long token;
  fmi_mode mode;
  bool has_stop, pending, built, fresh, driven;
  double tol, start, stop, t;
  /* parameters, inputs (both) and the saved simulation follow */
} fmi_saved;
fmi_saved *fmi_unit_save(fmi_unit *unit);
/* A copy of bytes that were a state; NULL, and told: they are none. */
fmi_saved *fmi_unit_unpack(fmi_unit *unit, const void *bytes, size_t size);
/* Writes a state to `room` bytes. False, and told: there is not enough room, or too much. */
bool fmi_unit_pack(fmi_unit *unit, const fmi_saved *saved, void *bytes, size_t room);
/* False, and told: it is not a state of this model, or damaged; the unit is as it was. */
bool fmi_unit_restore(fmi_unit *unit, const fmi_saved *saved, size_t size);

void fmi_unit_tell(fmi_unit *unit, int severity, const char *fmt, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 3, 4)))
#endif
    ;

#endif
