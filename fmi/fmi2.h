// SPDX-License-Identifier: MIT
/* Names and signatures of the FMI standard, version 2.0, for co-simulation. */
#ifndef PAWL_FMI2_H
#define PAWL_FMI2_H

#include <stddef.h>

#if defined(FMI2_OVERRIDE_FUNCTION_PREFIX)
#define FMI2_ACTUAL_PREFIX FMI2_OVERRIDE_FUNCTION_PREFIX
#elif defined(FMI2_FUNCTION_PREFIX)
#define FMI2_ACTUAL_PREFIX FMI2_FUNCTION_PREFIX
#endif
#ifdef FMI2_ACTUAL_PREFIX
#define FMI2_PASTE(a, b) a##b
#define FMI2_PASTE_EXPANDED(a, b) FMI2_PASTE(a, b)
#define FMI2_NAME(name) FMI2_PASTE_EXPANDED(FMI2_ACTUAL_PREFIX, name)
#else
#define FMI2_NAME(name) name
#endif
#if defined(_WIN32)
#define FMI2_API __declspec(dllexport)
#elif defined(__GNUC__)
#define FMI2_API __attribute__((visibility("default")))
#else
#define FMI2_API
#endif

typedef void *fmi2Component, *fmi2ComponentEnvironment, *fmi2FMUstate;
typedef unsigned int fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer, fmi2Boolean;
typedef char fmi2Char, fmi2Byte;
typedef const fmi2Char *fmi2String;
enum { fmi2False, fmi2True };
typedef enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending } fmi2Status;
typedef enum { fmi2ModelExchange, fmi2CoSimulation } fmi2Type;
typedef enum {
  fmi2DoStepStatus,
  fmi2PendingStatus,
  fmi2LastSuccessfulTime,
  fmi2Terminated
} fmi2StatusKind;
typedef struct {
  void (*logger)(fmi2ComponentEnvironment, fmi2String name, fmi2Status, fmi2String category,
                 fmi2String message, ...);
  void *(*allocateMemory)(size_t, size_t);
  void (*freeMemory)(void *);
  void (*stepFinished)(fmi2ComponentEnvironment, fmi2Status);
  fmi2ComponentEnvironment componentEnvironment;
} fmi2CallbackFunctions;

#define FMI2_REFERENCES const fmi2ValueReference references[], size_t n
#define FMI2_GET_SET(ENTRY, Type)                                                           \
  ENTRY(fmi2Status, fmi2Get##Type, (fmi2Component c, FMI2_REFERENCES, fmi2##Type values[])) \
  ENTRY(fmi2Status, fmi2Set##Type, (fmi2Component c, FMI2_REFERENCES, const fmi2##Type values[]))

#define FMI2_REAL_WORK(ENTRY)                                                                   \
  ENTRY(const char *, fmi2GetTypesPlatform, (void))                                             \
  ENTRY(const char *, fmi2GetVersion, (void))                                                   \
  ENTRY(fmi2Status, fmi2SetDebugLogging,                                                        \
        (fmi2Component c, fmi2Boolean loggingOn, size_t n, const fmi2String categories[]))      \
  ENTRY(fmi2Component, fmi2Instantiate,                                                         \
        (fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,                 \
         const fmi2CallbackFunctions *functions, fmi2Boolean visible, fmi2Boolean loggingOn))   \
  ENTRY(void, fmi2FreeInstance, (fmi2Component c))                                              \
  ENTRY(fmi2Status, fmi2SetupExperiment,                                                        \
        (fmi2Component c, fmi2Boolean toleranceDefined, fmi2Real tolerance, fmi2Real startTime, \
         fmi2Boolean stopTimeDefined, fmi2Real stopTime))                                       \
  ENTRY(fmi2Status, fmi2EnterInitializationMode, (fmi2Component c))                             \
  ENTRY(fmi2Status, fmi2ExitInitializationMode, (fmi2Component c))                              \
  ENTRY(fmi2Status, fmi2Terminate, (fmi2Component c))                                           \
  ENTRY(fmi2Status, fmi2Reset, (fmi2Component c))                                               \
  FMI2_GET_SET(ENTRY, Real)                                                                     \
  ENTRY(fmi2Status, fmi2GetFMUstate, (fmi2Component c, fmi2FMUstate * state))                   \
  ENTRY(fmi2Status, fmi2SetFMUstate, (fmi2Component c, fmi2FMUstate state))                     \
  ENTRY(fmi2Status, fmi2FreeFMUstate, (fmi2Component c, fmi2FMUstate * state))                  \
  ENTRY(fmi2Status, fmi2SerializedFMUstateSize,                                                 \
        (fmi2Component c, fmi2FMUstate state, size_t * size))                                   \
  ENTRY(fmi2Status, fmi2SerializeFMUstate,                                                      \
        (fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size))                   \
  ENTRY(fmi2Status, fmi2DeSerializeFMUstate,                                                    \
        (fmi2Component c, const fmi2Byte bytes[], size_t size, fmi2FMUstate *state))            \
  ENTRY(fmi2Status, fmi2DoStep,                                                                 \
        (fmi2Component c, fmi2Real point, fmi2Real size, fmi2Boolean noSetBefore))              \
  ENTRY(fmi2Status, fmi2GetRealStatus,                                                          \
        (fmi2Component c, const fmi2StatusKind kind, fmi2Real *value))                          \
  ENTRY(fmi2Status, fmi2GetBooleanStatus,                                                       \
        (fmi2Component c, const fmi2StatusKind kind, fmi2Boolean *value))

/* Types that no variable of a model has. */
#define FMI2_OTHER_TYPES(ENTRY) \
  FMI2_GET_SET(ENTRY, Integer)  \
  FMI2_GET_SET(ENTRY, Boolean)  \
  FMI2_GET_SET(ENTRY, String)

#define FMI2_DERIVATIVE                                                      \
  (fmi2Component c, const fmi2ValueReference unknowns[], size_t nUnknowns,   \
   const fmi2ValueReference knowns[], size_t nKnowns, const fmi2Real seed[], \
   fmi2Real sensitivity[])
#define FMI2_GRADIENTS(ENTRY) ENTRY(fmi2Status, fmi2GetDirectionalDerivative, FMI2_DERIVATIVE)
#define FMI2_ABSENT(ENTRY)                                                                       \
  ENTRY(fmi2Status, fmi2SetRealInputDerivatives,                                                 \
        (fmi2Component c, FMI2_REFERENCES, const fmi2Integer orders[], const fmi2Real values[])) \
  ENTRY(fmi2Status, fmi2GetRealOutputDerivatives,                                                \
        (fmi2Component c, FMI2_REFERENCES, const fmi2Integer orders[], fmi2Real values[]))       \
  ENTRY(fmi2Status, fmi2CancelStep, (fmi2Component c))                                           \
  ENTRY(fmi2Status, fmi2GetStatus,                                                               \
        (fmi2Component c, const fmi2StatusKind kind, fmi2Status *value))                         \
  ENTRY(fmi2Status, fmi2GetIntegerStatus,                                                        \
        (fmi2Component c, const fmi2StatusKind kind, fmi2Integer *value))                        \
  ENTRY(fmi2Status, fmi2GetStringStatus,                                                         \
        (fmi2Component c, const fmi2StatusKind kind, fmi2String *value))

#define FMI2_FUNCTIONS(ENTRY) \
  FMI2_REAL_WORK(ENTRY)       \
  FMI2_OTHER_TYPES(ENTRY)     \
  FMI2_GRADIENTS(ENTRY)       \
  FMI2_ABSENT(ENTRY)

#define FMI2_DECLARE(result, name, arguments) FMI2_API result FMI2_NAME(name) arguments;
FMI2_FUNCTIONS(FMI2_DECLARE)
#undef FMI2_DECLARE

#endif
