# The headers that nearly every file includes, parsed once for a group of targets: Eigen alone takes 1.5 s. They only
# save time: every file includes what it uses, which the presets dev and tidy check by disabling them
# (CMAKE_DISABLE_PRECOMPILE_HEADERS).
set(FOLDOUT_COMMON_HEADERS <Eigen/Core> <Eigen/SparseCore> <fmt/format.h> <algorithm> <cmath> <functional> <memory>
                           <optional> <string> <string_view> <utility> <variant> <vector>)

# The first target of a group compiles the headers, the others share them; a group has the same compile options.
function(foldout_precompile target group)
  get_property(owner GLOBAL PROPERTY foldout_precompiled_${group})
  if(owner)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  else()
    target_precompile_headers(${target} PRIVATE ${FOLDOUT_COMMON_HEADERS} ${ARGN})
    set_property(GLOBAL PROPERTY foldout_precompiled_${group} ${target})
  endif()
endfunction()
