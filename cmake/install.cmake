# SPDX-License-Identifier: MIT
include(CMakePackageConfigHelpers)

install(TARGETS pawl pawl_static EXPORT pawl-targets)
if(TARGET pawl_cli)
  install(TARGETS pawl_cli)
endif()
if(TARGET pawl_mpi)
  install(TARGETS pawl_mpi)
endif()
install(DIRECTORY include/pawl "${PROJECT_BINARY_DIR}/include/pawl"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h")
install(DIRECTORY examples/ DESTINATION "${CMAKE_INSTALL_DATADIR}/pawl/examples"
  FILES_MATCHING PATTERN "*.pawl" PATTERN "*.c")
foreach(section 1 3 5)
  install(DIRECTORY docs/man/ DESTINATION "${CMAKE_INSTALL_MANDIR}/man${section}"
    FILES_MATCHING PATTERN "*.${section}")
endforeach()
# As in the repository, so that their links stay right.
install(FILES README.md CHANGELOG.md DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/pawl")
install(DIRECTORY docs/ DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/pawl/docs"
  FILES_MATCHING PATTERN "*.md" PATTERN "python.ipynb" PATTERN "references.bib" PATTERN "img/*"
  PATTERN "man" EXCLUDE)
install(FILES completions/pawl.bash RENAME pawl
  DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
install(FILES completions/_pawl DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions")
install(FILES completions/pawl.fish DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/pawl")
configure_package_config_file(cmake/pawl-config.cmake.in pawl-config.cmake
  INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file(pawl-config-version.cmake COMPATIBILITY SameMinorVersion)
install(EXPORT pawl-targets NAMESPACE pawl:: DESTINATION "${package_dir}")
install(FILES "${PROJECT_BINARY_DIR}/pawl-config.cmake"
  "${PROJECT_BINARY_DIR}/pawl-config-version.cmake" DESTINATION "${package_dir}")

# Relative to the .pc file, so that `cmake --install --prefix` and moved trees stay right.
set(pc_dir "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig")
file(RELATIVE_PATH PW_PC_TO_PREFIX "${pc_dir}" "${CMAKE_INSTALL_PREFIX}")
file(RELATIVE_PATH PW_PC_LIBDIR "${CMAKE_INSTALL_PREFIX}" "${CMAKE_INSTALL_FULL_LIBDIR}")
file(RELATIVE_PATH PW_PC_INCLUDEDIR "${CMAKE_INSTALL_PREFIX}" "${CMAKE_INSTALL_FULL_INCLUDEDIR}")
list(TRANSFORM CMAKE_DL_LIBS PREPEND "-l" OUTPUT_VARIABLE PW_DL_LIBS)
list(JOIN PW_DL_LIBS " " PW_DL_LIBS)
configure_file(cmake/pawl.pc.in pawl.pc @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/pawl.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
