// SPDX-License-Identifier: MIT
/* Status of every call that can fail. 0 is success, negative is an error. */
#ifndef PAWL_STATUS_H
#define PAWL_STATUS_H

#if defined(__GNUC__)
#define PAWL_API __attribute__((visibility("default")))
#define PAWL_NODISCARD __attribute__((warn_unused_result))
#else
#define PAWL_API
#define PAWL_NODISCARD
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define PAWL_STATUS_LIST(ENTRY)                                                          \
  ENTRY(PAWL_OK, 0, "ok")                                                                \
  ENTRY(PAWL_E_MEMORY, -1, "out of memory")                                              \
  ENTRY(PAWL_E_ARGUMENT, -2, "an argument of the call is not valid")                     \
  ENTRY(PAWL_E_MODEL, -3, "the model has errors")                                        \
  ENTRY(PAWL_E_LIMIT, -4, "the model is larger than the limits allow")                   \
  ENTRY(PAWL_E_START, -5, "the start values are not consistent")                         \
  ENTRY(PAWL_E_NAN, -6, "a value is not a number")                                       \
  ENTRY(PAWL_E_INERTIA, -7, "the mass matrix is not positive definite")                  \
  ENTRY(PAWL_E_CONTRADICTION, -8, "constraints contradict each other")                   \
  ENTRY(PAWL_E_STEP, -9, "the step size fell below the resolution of time")              \
  ENTRY(PAWL_E_EVENTS, -10, "too many events")                                           \
  ENTRY(PAWL_E_STEPS, -11, "too many steps")                                             \
  ENTRY(PAWL_E_DRIFT, -12, "a constraint cannot be held")                                \
  ENTRY(PAWL_E_FILE, -13, "a file cannot be read or written")                            \
  ENTRY(PAWL_E_STATE, -14, "saved data does not belong to this model and these options") \
  ENTRY(PAWL_E_UNSUPPORTED, -15, "not supported by this build")                          \
  ENTRY(PAWL_E_IMPACT, -16, "an impact gains energy that it may not gain")               \
  ENTRY(PAWL_E_NO_MOTION, -17, "the laws allow no motion, or several")                   \
  ENTRY(PAWL_E_JUMP, -18, "an energy or a constraint jumps")                             \
  ENTRY(PAWL_E_TIME, -19, "the time allowed for the run is used up")                     \
  ENTRY(PAWL_E_GAP, -20, "the stored trajectory leaves this time out")

typedef enum pawl_status {
#define PAWL_STATUS_ENUM(name, value, text) name = value,
  PAWL_STATUS_LIST(PAWL_STATUS_ENUM)
#undef PAWL_STATUS_ENUM
} pawl_status;

/* One line without a full stop; "unknown status" for other numbers. */
PAWL_API const char *pawl_status_text(pawl_status status);

/* Receives text; a non-zero return stops the writing and is passed on as PAWL_E_FILE. */
typedef int (*pawl_sink)(void *payload, const char *bytes, unsigned long count);

#ifdef __cplusplus
}
#endif

#endif
