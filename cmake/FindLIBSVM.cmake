# libsvm provides no package files. This finds its header (in libsvm/ on Debian) and its library, as LIBSVM::LIBSVM.
find_path(LIBSVM_INCLUDE_DIR svm.h PATH_SUFFIXES libsvm libsvm-3.0)
find_library(LIBSVM_LIBRARY svm)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LIBSVM REQUIRED_VARS LIBSVM_LIBRARY LIBSVM_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "install libsvm-dev (Debian, Ubuntu), or run `make setup`")
if(LIBSVM_FOUND AND NOT TARGET LIBSVM::LIBSVM)
  add_library(LIBSVM::LIBSVM UNKNOWN IMPORTED)
  set_target_properties(LIBSVM::LIBSVM PROPERTIES IMPORTED_LOCATION "${LIBSVM_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${LIBSVM_INCLUDE_DIR}")
endif()
mark_as_advanced(LIBSVM_INCLUDE_DIR LIBSVM_LIBRARY)
