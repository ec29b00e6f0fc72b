# Library, headers, tool, manual, and how other projects find them: find_package(foldout CONFIG) and pkg-config.
include(CMakePackageConfigHelpers)

install(TARGETS foldout EXPORT foldoutTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/foldout DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TARGET foldout_cli)
  install(TARGETS foldout_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(FILES ${PROJECT_BINARY_DIR}/man/foldout.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()

if(TARGET foldout_mpi)
  install(TARGETS foldout_mpi RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/foldout)
if(BUILD_SHARED_LIBS)
  set(FOLDOUT_STATIC OFF)
else()
  set(FOLDOUT_STATIC ON)
endif()
install(EXPORT foldoutTargets NAMESPACE foldout:: DESTINATION ${package_dir})
configure_package_config_file(cmake/foldoutConfig.cmake.in ${PROJECT_BINARY_DIR}/foldoutConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/foldoutConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/foldoutConfig.cmake ${PROJECT_BINARY_DIR}/foldoutConfigVersion.cmake
        cmake/FindLIBSVM.cmake DESTINATION ${package_dir})
# Relative to itself, so that an installation can be moved.
file(RELATIVE_PATH FOLDOUT_PC_TO_PREFIX /p/${CMAKE_INSTALL_LIBDIR}/pkgconfig /p)
configure_file(cmake/foldout.pc.in ${PROJECT_BINARY_DIR}/foldout.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/foldout.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
