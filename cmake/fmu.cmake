# SPDX-License-Identifier: MIT
# What every functional mock-up unit holds (`pawl export --fmu3`): the functions of the standard, the
# sources of the library that run a model, and the binary made of both. fmu/files.txt lists them for
# the build folder; the installed list has relative paths.
add_library(pawl_fmu MODULE fmi/fmi2.c fmi/fmi3.c fmi/slope.c fmi/unit.c)
target_link_libraries(pawl_fmu PRIVATE pawl_static pawl_flags m)
target_link_options(pawl_fmu PRIVATE -Wl,--exclude-libs,ALL -Wl,--gc-sections -Wl,-Bsymbolic)
set_target_properties(pawl_fmu PROPERTIES PREFIX "" C_VISIBILITY_PRESET hidden
  LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/fmu")

set(PW_FMU_LAYERS base scene law linalg lang expr model system mech solve traj sim tangent)
set(pw_kit) # NAME of each source below sources/
set(pw_kit_paths)
macro(pw_kit_add name path)
  list(APPEND pw_kit "${name}")
  list(APPEND pw_kit_paths "${path}")
endmacro()
foreach(layer IN LISTS PW_FMU_LAYERS)
  string(TOUPPER "${layer}" upper)
  set(sources ${PW_SOURCES_${upper}})
  list(TRANSFORM sources REPLACE "_posix\\.c$" "_plain.c") # units need ISO C alone
  foreach(source IN LISTS sources)
    string(REGEX REPLACE "^src/" "" name "${source}")
    pw_kit_add("${name}" "${source}")
  endforeach()
  file(GLOB headers RELATIVE "${PROJECT_SOURCE_DIR}/src" CONFIGURE_DEPENDS "src/${layer}/*.h")
  foreach(header IN LISTS headers)
    pw_kit_add("${header}" "src/${header}")
  endforeach()
endforeach()
pw_kit_add(fmu/fmu_variables.c src/fmu/fmu_variables.c)
file(GLOB headers RELATIVE "${PROJECT_SOURCE_DIR}" CONFIGURE_DEPENDS "include/pawl/*.h")
foreach(header IN LISTS headers)
  pw_kit_add("${header}" "${header}")
endforeach()
foreach(source slope.c unit.c unit.h unit_part.h)
  pw_kit_add("${source}" "fmi/${source}")
endforeach()

# Names of the platform in both versions of the standard; version 2 knows few.
set(pw_platform "${CMAKE_SYSTEM_PROCESSOR}-linux")
set(pw_lines "")
set(pw_installed "")
macro(pw_kit_line versions name path installed)
  string(APPEND pw_lines "${versions} ${name} ${path}\n")
  string(APPEND pw_installed "${versions} ${name} ${installed}\n")
endmacro()
set(pw_binary "${PROJECT_BINARY_DIR}/fmu/pawl_fmu.so")
pw_kit_line(3 "binaries/${pw_platform}/@ID@.so" "${pw_binary}" "pawl_fmu.so")
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  pw_kit_line(2 "binaries/linux64/@ID@.so" "${pw_binary}" "pawl_fmu.so")
endif()
foreach(pair IN ZIP_LISTS pw_kit pw_kit_paths)
  pw_kit_line(23 "sources/${pair_0}" "${PROJECT_SOURCE_DIR}/${pair_1}" "sources/${pair_0}")
endforeach()
pw_kit_line(23 sources/include/pawl/version.h "${PROJECT_BINARY_DIR}/include/pawl/version.h"
  sources/include/pawl/version.h)
foreach(version 2 3)
  foreach(ending c h)
    pw_kit_line(${version} sources/fmi${version}.${ending}
      "${PROJECT_SOURCE_DIR}/fmi/fmi${version}.${ending}" sources/fmi${version}.${ending})
  endforeach()
endforeach()
file(WRITE "${PROJECT_BINARY_DIR}/fmu/files.txt" "${pw_lines}")
file(WRITE "${PROJECT_BINARY_DIR}/fmu/installed.txt" "${pw_installed}")

set(pw_kit_dir "${CMAKE_INSTALL_LIBDIR}/pawl/fmu")
file(RELATIVE_PATH pw_kit_from_bin "${CMAKE_INSTALL_FULL_BINDIR}"
  "${CMAKE_INSTALL_FULL_LIBDIR}/pawl/fmu/files.txt")
foreach(program pawl_cli pawl_mpi)
  if(TARGET ${program})
    target_compile_definitions(${program} PRIVATE PAWL_FMU_KIT="${pw_kit_from_bin}")
    add_dependencies(${program} pawl_fmu) # whoever has the program can export
  endif()
endforeach()

if(PAWL_INSTALL)
  install(TARGETS pawl_fmu DESTINATION "${pw_kit_dir}")
  install(FILES "${PROJECT_BINARY_DIR}/fmu/installed.txt" DESTINATION "${pw_kit_dir}"
    RENAME files.txt)
  foreach(pair IN ZIP_LISTS pw_kit pw_kit_paths)
    get_filename_component(folder "${pair_0}" DIRECTORY)
    install(FILES "${pair_1}" DESTINATION "${pw_kit_dir}/sources/${folder}")
  endforeach()
  install(FILES fmi/fmi2.c fmi/fmi2.h fmi/fmi3.c fmi/fmi3.h DESTINATION "${pw_kit_dir}/sources")
  install(FILES "${PROJECT_BINARY_DIR}/include/pawl/version.h"
    DESTINATION "${pw_kit_dir}/sources/include/pawl")
endif()
