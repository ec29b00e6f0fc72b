# The oracles, compiled once for all tests that ask for test_support.
if(NOT TARGET test_support)
  add_library(test_support STATIC ${PROJECT_SOURCE_DIR}/tests/support/oracles.cpp
                                  ${PROJECT_SOURCE_DIR}/tests/support/datasets.cpp)
  target_include_directories(test_support PUBLIC ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(test_support PUBLIC foldout_internal)
endif()
