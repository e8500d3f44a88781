# SPDX-License-Identifier: MIT
# Language, warnings and sanitizers for everything built here; nothing of it reaches a consumer.
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
string(REPLACE "-O3" "-O2" CMAKE_C_FLAGS_RELEASE "${CMAKE_C_FLAGS_RELEASE}")

find_program(PW_CCACHE ccache)
mark_as_advanced(PW_CCACHE)
if(PW_CCACHE AND PROJECT_IS_TOP_LEVEL)
  set(CMAKE_C_COMPILER_LAUNCHER "${PW_CCACHE}")
endif()

# Sanitized code is slow to compile: what takes little time when it runs is not optimised.
set(PW_SANITIZE_FLAGS)
set(PW_COLD_FLAGS)
set(PW_COLD_LAYERS lang model export import report plot write study fmu help)
if(PAWL_SANITIZE)
  set(PW_SANITIZE_FLAGS -fsanitize=${PAWL_SANITIZE} -fno-sanitize-recover=all)
  set(PW_COLD_FLAGS -O0)
endif()

# Invariants are asserted in debug and sanitizer builds (src/base/assert.h). The list of sanitizers
# contains a comma, which no generator expression may.
set(PW_ASSERTS $<$<CONFIG:Debug>:PAWL_ASSERTS>)
if(PAWL_SANITIZE)
  set(PW_ASSERTS PAWL_ASSERTS)
endif()

add_library(pawl_flags INTERFACE)
target_compile_definitions(pawl_flags INTERFACE ${PW_ASSERTS}
  $<$<BOOL:${PAWL_POSIX}>:_POSIX_C_SOURCE=200809L>
  # Scales read from the environment, for scripts/mutate only (src/law/scale.h).
  $<$<BOOL:${PAWL_MUTATE}>:PW_SCALES_MUTABLE>)
target_compile_options(pawl_flags INTERFACE
  -ffp-contract=off # the same digits on every machine
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wmissing-prototypes -Wvla
  -Wundef -Wcast-qual -Wstrict-prototypes
  ${PW_SANITIZE_FLAGS})
target_link_options(pawl_flags INTERFACE ${PW_SANITIZE_FLAGS})
