# SPDX-License-Identifier: MIT
# MPI is optional. Only the program pawl-mpi needs it: the same program as pawl, with sweeps shared
# by the processes that mpirun starts.
if(PAWL_MPI)
  find_package(MPI QUIET COMPONENTS C)
  if(MPI_C_FOUND)
    message(STATUS "MPI: found (${MPI_C_LIBRARY_VERSION_STRING})")
    add_executable(pawl_mpi ${PW_SOURCES_CLI} cli/sweep_mpi.c)
    set_target_properties(pawl_mpi PROPERTIES OUTPUT_NAME pawl-mpi)
    target_link_libraries(pawl_mpi PRIVATE pawl_static pawl_flags m MPI::MPI_C)
    target_compile_definitions(pawl_mpi PRIVATE
      PAWL_EXAMPLES_DIR="${CMAKE_INSTALL_FULL_DATADIR}/pawl/examples")
  elseif(PAWL_MPI STREQUAL "AUTO")
    message(STATUS "MPI not found: no pawl-mpi (Debian package libopenmpi-dev)")
  else()
    message(FATAL_ERROR "PAWL_MPI is ON, but MPI is missing: install the Debian package libopenmpi-dev")
  endif()
endif()
