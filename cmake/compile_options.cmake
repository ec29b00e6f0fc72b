# Warnings and sanitizers, as one interface target that all our code uses.
add_library(foldout_compile_options INTERFACE)
target_compile_options(foldout_compile_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
                       -Woverloaded-virtual $<$<BOOL:${FOLDOUT_WARNINGS_AS_ERRORS}>:-Werror>)
if(FOLDOUT_SANITIZE)
  target_compile_options(foldout_compile_options INTERFACE -fsanitize=${FOLDOUT_SANITIZE} -fno-omit-frame-pointer
                         -fno-sanitize-recover=all)
  target_link_options(foldout_compile_options INTERFACE -fsanitize=${FOLDOUT_SANITIZE})
endif()
# Bit-for-bit reproducibility excludes contraction, which depends on how a loop was inlined.
target_compile_options(foldout_compile_options INTERFACE -ffp-contract=off)
