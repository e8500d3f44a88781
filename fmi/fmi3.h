// SPDX-License-Identifier: MIT
/* Names and signatures of the FMI standard, version 3.0 (https://fmi-standard.org). */
#ifndef PAWL_FMI3_H
#define PAWL_FMI3_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A source that is linked statically carries the prefix of its model. */
#if defined(FMI3_OVERRIDE_FUNCTION_PREFIX)
#define FMI3_ACTUAL_PREFIX FMI3_OVERRIDE_FUNCTION_PREFIX
#elif defined(FMI3_FUNCTION_PREFIX)
#define FMI3_ACTUAL_PREFIX FMI3_FUNCTION_PREFIX
#endif
#ifdef FMI3_ACTUAL_PREFIX
#define FMI3_PASTE(a, b) a##b
#define FMI3_PASTE_EXPANDED(a, b) FMI3_PASTE(a, b)
#define FMI3_NAME(name) FMI3_PASTE_EXPANDED(FMI3_ACTUAL_PREFIX, name)
#else
#define FMI3_NAME(name) name
#endif
#if defined(_WIN32)
#define FMI3_API __declspec(dllexport)
#elif defined(__GNUC__)
#define FMI3_API __attribute__((visibility("default")))
#else
#define FMI3_API
#endif

typedef void *fmi3Instance, *fmi3InstanceEnvironment, *fmi3FMUState;
typedef uint32_t fmi3ValueReference;
typedef float fmi3Float32;
typedef double fmi3Float64;
typedef int8_t fmi3Int8;
typedef uint8_t fmi3UInt8;
typedef int16_t fmi3Int16;
typedef uint16_t fmi3UInt16;
typedef int32_t fmi3Int32;
typedef uint32_t fmi3UInt32;
typedef int64_t fmi3Int64;
typedef uint64_t fmi3UInt64;
typedef bool fmi3Boolean, fmi3Clock;
typedef char fmi3Char;
typedef const fmi3Char *fmi3String;
typedef uint8_t fmi3Byte;
typedef const fmi3Byte *fmi3Binary;

typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef enum {
  fmi3Independent,
  fmi3Constant,
  fmi3Fixed,
  fmi3Tunable,
  fmi3Discrete,
  fmi3Dependent
} fmi3DependencyKind;
typedef enum {
  fmi3IntervalNotYetKnown,
  fmi3IntervalUnchanged,
  fmi3IntervalChanged
} fmi3IntervalQualifier;

typedef void (*fmi3LogMessageCallback)(fmi3InstanceEnvironment environment, fmi3Status status,
                                       fmi3String category, fmi3String message);
typedef void (*fmi3ClockUpdateCallback)(fmi3InstanceEnvironment environment);
typedef void (*fmi3IntermediateUpdateCallback)(fmi3InstanceEnvironment environment,
                                               fmi3Float64 time, fmi3Boolean setRequested,
                                               fmi3Boolean getAllowed, fmi3Boolean stepFinished,
                                               fmi3Boolean canReturnEarly,
                                               fmi3Boolean *earlyReturnRequested,
                                               fmi3Float64 *earlyReturnTime);
typedef void (*fmi3LockPreemptionCallback)(void);
typedef void (*fmi3UnlockPreemptionCallback)(void);

/* Every function of the standard: result, name, arguments. */
#define FMI3_REFERENCES const fmi3ValueReference references[], size_t nReferences
#define FMI3_GET_SET(ENTRY, Type)                                                      \
  ENTRY(fmi3Status, fmi3Get##Type,                                                     \
        (fmi3Instance instance, FMI3_REFERENCES, fmi3##Type values[], size_t nValues)) \
  ENTRY(fmi3Status, fmi3Set##Type,                                                     \
        (fmi3Instance instance, FMI3_REFERENCES, const fmi3##Type values[], size_t nValues))

#define FMI3_INSTANTIATION(ENTRY)                                                          \
  ENTRY(const char *, fmi3GetVersion, (void))                                              \
  ENTRY(fmi3Status, fmi3SetDebugLogging,                                                   \
        (fmi3Instance instance, fmi3Boolean loggingOn, size_t nCategories,                 \
         const fmi3String categories[]))                                                   \
  ENTRY(fmi3Instance, fmi3InstantiateModelExchange,                                        \
        (fmi3String name, fmi3String token, fmi3String resourcePath, fmi3Boolean visible,  \
         fmi3Boolean loggingOn, fmi3InstanceEnvironment environment,                       \
         fmi3LogMessageCallback logMessage))                                               \
  ENTRY(fmi3Instance, fmi3InstantiateCoSimulation,                                         \
        (fmi3String name, fmi3String token, fmi3String resourcePath, fmi3Boolean visible,  \
         fmi3Boolean loggingOn, fmi3Boolean eventModeUsed, fmi3Boolean earlyReturnAllowed, \
         const fmi3ValueReference intermediate[], size_t nIntermediate,                    \
         fmi3InstanceEnvironment environment, fmi3LogMessageCallback logMessage,           \
         fmi3IntermediateUpdateCallback intermediateUpdate))                               \
  ENTRY(fmi3Instance, fmi3InstantiateScheduledExecution,                                   \
        (fmi3String name, fmi3String token, fmi3String resourcePath, fmi3Boolean visible,  \
         fmi3Boolean loggingOn, fmi3InstanceEnvironment environment,                       \
         fmi3LogMessageCallback logMessage, fmi3ClockUpdateCallback clockUpdate,           \
         fmi3LockPreemptionCallback lock, fmi3UnlockPreemptionCallback unlock))            \
  ENTRY(void, fmi3FreeInstance, (fmi3Instance instance))                                   \
  ENTRY(fmi3Status, fmi3EnterInitializationMode,                                           \
        (fmi3Instance instance, fmi3Boolean toleranceDefined, fmi3Float64 tolerance,       \
         fmi3Float64 startTime, fmi3Boolean stopTimeDefined, fmi3Float64 stopTime))        \
  ENTRY(fmi3Status, fmi3ExitInitializationMode, (fmi3Instance instance))                   \
  ENTRY(fmi3Status, fmi3EnterEventMode, (fmi3Instance instance))                           \
  ENTRY(fmi3Status, fmi3Terminate, (fmi3Instance instance))                                \
  ENTRY(fmi3Status, fmi3Reset, (fmi3Instance instance))

#define FMI3_NUMBERS(ENTRY) FMI3_GET_SET(ENTRY, Float64)
/* Types that no variable of a model has. */
#define FMI3_OTHER_TYPES(ENTRY)                                                                    \
  FMI3_GET_SET(ENTRY, Float32)                                                                     \
  FMI3_GET_SET(ENTRY, Int8)                                                                        \
  FMI3_GET_SET(ENTRY, UInt8)                                                                       \
  FMI3_GET_SET(ENTRY, Int16)                                                                       \
  FMI3_GET_SET(ENTRY, UInt16)                                                                      \
  FMI3_GET_SET(ENTRY, Int32)                                                                       \
  FMI3_GET_SET(ENTRY, UInt32)                                                                      \
  FMI3_GET_SET(ENTRY, Int64)                                                                       \
  FMI3_GET_SET(ENTRY, UInt64)                                                                      \
  FMI3_GET_SET(ENTRY, Boolean)                                                                     \
  FMI3_GET_SET(ENTRY, String)                                                                      \
  ENTRY(fmi3Status, fmi3GetBinary,                                                                 \
        (fmi3Instance instance, FMI3_REFERENCES, size_t sizes[], fmi3Binary values[],              \
         size_t nValues))                                                                          \
  ENTRY(fmi3Status, fmi3SetBinary,                                                                 \
        (fmi3Instance instance, FMI3_REFERENCES, const size_t sizes[], const fmi3Binary values[],  \
         size_t nValues))                                                                          \
  ENTRY(fmi3Status, fmi3GetClock, (fmi3Instance instance, FMI3_REFERENCES, fmi3Clock values[]))    \
  ENTRY(fmi3Status, fmi3SetClock,                                                                  \
        (fmi3Instance instance, FMI3_REFERENCES, const fmi3Clock values[]))                        \
  ENTRY(fmi3Status, fmi3GetIntervalDecimal,                                                        \
        (fmi3Instance instance, FMI3_REFERENCES, fmi3Float64 intervals[],                          \
         fmi3IntervalQualifier qualifiers[]))                                                      \
  ENTRY(fmi3Status, fmi3GetIntervalFraction,                                                       \
        (fmi3Instance instance, FMI3_REFERENCES, fmi3UInt64 counters[], fmi3UInt64 resolutions[],  \
         fmi3IntervalQualifier qualifiers[]))                                                      \
  ENTRY(fmi3Status, fmi3GetShiftDecimal,                                                           \
        (fmi3Instance instance, FMI3_REFERENCES, fmi3Float64 shifts[]))                            \
  ENTRY(fmi3Status, fmi3GetShiftFraction,                                                          \
        (fmi3Instance instance, FMI3_REFERENCES, fmi3UInt64 counters[], fmi3UInt64 resolutions[])) \
  ENTRY(fmi3Status, fmi3SetIntervalDecimal,                                                        \
        (fmi3Instance instance, FMI3_REFERENCES, const fmi3Float64 intervals[]))                   \
  ENTRY(fmi3Status, fmi3SetIntervalFraction,                                                       \
        (fmi3Instance instance, FMI3_REFERENCES, const fmi3UInt64 counters[],                      \
         const fmi3UInt64 resolutions[]))                                                          \
  ENTRY(fmi3Status, fmi3SetShiftDecimal,                                                           \
        (fmi3Instance instance, FMI3_REFERENCES, const fmi3Float64 shifts[]))                      \
  ENTRY(fmi3Status, fmi3SetShiftFraction,                                                          \
        (fmi3Instance instance, FMI3_REFERENCES, const fmi3UInt64 counters[],                      \
         const fmi3UInt64 resolutions[]))

#define FMI3_STATES(ENTRY)                                                           \
  ENTRY(fmi3Status, fmi3GetFMUState, (fmi3Instance instance, fmi3FMUState * state))  \
  ENTRY(fmi3Status, fmi3SetFMUState, (fmi3Instance instance, fmi3FMUState state))    \
  ENTRY(fmi3Status, fmi3FreeFMUState, (fmi3Instance instance, fmi3FMUState * state)) \
  ENTRY(fmi3Status, fmi3SerializedFMUStateSize,                                      \
        (fmi3Instance instance, fmi3FMUState state, size_t * size))                  \
  ENTRY(fmi3Status, fmi3SerializeFMUState,                                           \
        (fmi3Instance instance, fmi3FMUState state, fmi3Byte bytes[], size_t size))  \
  ENTRY(fmi3Status, fmi3DeserializeFMUState,                                         \
        (fmi3Instance instance, const fmi3Byte bytes[], size_t size, fmi3FMUState *state))

#define FMI3_STEPPING(ENTRY)                                                                    \
  ENTRY(fmi3Status, fmi3UpdateDiscreteStates,                                                   \
        (fmi3Instance instance, fmi3Boolean * needUpdate, fmi3Boolean * terminate,              \
         fmi3Boolean * nominalsChanged, fmi3Boolean * valuesChanged,                            \
         fmi3Boolean * nextEventTimeDefined, fmi3Float64 * nextEventTime))                      \
  ENTRY(fmi3Status, fmi3EnterStepMode, (fmi3Instance instance))                                 \
  ENTRY(fmi3Status, fmi3DoStep,                                                                 \
        (fmi3Instance instance, fmi3Float64 point, fmi3Float64 size, fmi3Boolean noSetBefore,   \
         fmi3Boolean * eventHandlingNeeded, fmi3Boolean * terminate, fmi3Boolean * earlyReturn, \
         fmi3Float64 * lastSuccessfulTime))

#define FMI3_DERIVATIVE                                                                       \
  (fmi3Instance instance, const fmi3ValueReference unknowns[], size_t nUnknowns,              \
   const fmi3ValueReference knowns[], size_t nKnowns, const fmi3Float64 seed[], size_t nSeed, \
   fmi3Float64 sensitivity[], size_t nSensitivity)
/* What belongs to other kinds of units, or is not provided. */
#define FMI3_ABSENT(ENTRY)                                                                       \
  ENTRY(fmi3Status, fmi3GetNumberOfVariableDependencies,                                         \
        (fmi3Instance instance, fmi3ValueReference reference, size_t * n))                       \
  ENTRY(fmi3Status, fmi3GetVariableDependencies,                                                 \
        (fmi3Instance instance, fmi3ValueReference dependent, size_t elements[],                 \
         fmi3ValueReference independents[], size_t elementsOfIndependents[],                     \
         fmi3DependencyKind kinds[], size_t n))                                                  \
  ENTRY(fmi3Status, fmi3GetAdjointDerivative, FMI3_DERIVATIVE)                                   \
  ENTRY(fmi3Status, fmi3EnterConfigurationMode, (fmi3Instance instance))                         \
  ENTRY(fmi3Status, fmi3ExitConfigurationMode, (fmi3Instance instance))                          \
  ENTRY(fmi3Status, fmi3EvaluateDiscreteStates, (fmi3Instance instance))                         \
  ENTRY(fmi3Status, fmi3EnterContinuousTimeMode, (fmi3Instance instance))                        \
  ENTRY(fmi3Status, fmi3CompletedIntegratorStep,                                                 \
        (fmi3Instance instance, fmi3Boolean noSetBefore, fmi3Boolean * enterEventMode,           \
         fmi3Boolean * terminate))                                                               \
  ENTRY(fmi3Status, fmi3SetTime, (fmi3Instance instance, fmi3Float64 time))                      \
  ENTRY(fmi3Status, fmi3SetContinuousStates,                                                     \
        (fmi3Instance instance, const fmi3Float64 states[], size_t n))                           \
  ENTRY(fmi3Status, fmi3GetContinuousStateDerivatives,                                           \
        (fmi3Instance instance, fmi3Float64 derivatives[], size_t n))                            \
  ENTRY(fmi3Status, fmi3GetEventIndicators,                                                      \
        (fmi3Instance instance, fmi3Float64 indicators[], size_t n))                             \
  ENTRY(fmi3Status, fmi3GetContinuousStates,                                                     \
        (fmi3Instance instance, fmi3Float64 states[], size_t n))                                 \
  ENTRY(fmi3Status, fmi3GetNominalsOfContinuousStates,                                           \
        (fmi3Instance instance, fmi3Float64 nominals[], size_t n))                               \
  ENTRY(fmi3Status, fmi3GetNumberOfEventIndicators, (fmi3Instance instance, size_t * n))         \
  ENTRY(fmi3Status, fmi3GetNumberOfContinuousStates, (fmi3Instance instance, size_t * n))        \
  ENTRY(fmi3Status, fmi3GetOutputDerivatives,                                                    \
        (fmi3Instance instance, FMI3_REFERENCES, const fmi3Int32 orders[], fmi3Float64 values[], \
         size_t nValues))                                                                        \
  ENTRY(fmi3Status, fmi3ActivateModelPartition,                                                  \
        (fmi3Instance instance, fmi3ValueReference clock, fmi3Float64 time))
#define FMI3_GRADIENTS(ENTRY) ENTRY(fmi3Status, fmi3GetDirectionalDerivative, FMI3_DERIVATIVE)

#define FMI3_FUNCTIONS(ENTRY) \
  FMI3_INSTANTIATION(ENTRY)   \
  FMI3_NUMBERS(ENTRY)         \
  FMI3_OTHER_TYPES(ENTRY)     \
  FMI3_STATES(ENTRY)          \
  FMI3_STEPPING(ENTRY)        \
  FMI3_GRADIENTS(ENTRY)       \
  FMI3_ABSENT(ENTRY)

#define FMI3_DECLARE(result, name, arguments) FMI3_API result FMI3_NAME(name) arguments;
FMI3_FUNCTIONS(FMI3_DECLARE)
#undef FMI3_DECLARE

#endif
