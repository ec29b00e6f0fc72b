#!/usr/bin/env bash
# Builds a stranger's project against an installed foldout, by find_package and by pkg-config.
set -eu
prefix=$1
compiler=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(dirname "$prefix")/install-consumer
rm -rf "$work"

cmake -S "$here" -B "$work" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$compiler" >/dev/null
cmake --build "$work"
"$work/consumer"

libdir=$(dirname "$(find "$prefix" -name foldout.pc)")
flags=$(PKG_CONFIG_PATH=$libdir pkg-config --cflags --libs foldout)
# shellcheck disable=SC2086
"$compiler" "$here/consumer.cpp" $flags -o "$work/by-pkg-config"
LD_LIBRARY_PATH=$(dirname "$libdir") "$work/by-pkg-config"

# A program whose Eigen allocates in another way than the library's would crash: it must not link. One of the two does.
printf '#include <foldout/core/types.h>\nint main() {}\n' >"$work/other.cpp"
# shellcheck disable=SC2086
"$compiler" "$work/other.cpp" $flags -o "$work/other"
for other in 0 1; do
  # shellcheck disable=SC2086
  "$compiler" -DEIGEN_MALLOC_ALREADY_ALIGNED=$other "$work/other.cpp" $flags -o "$work/other" 2>>"$work/refused.txt" ||
    echo "refused: an Eigen that allocates in another way"
done
grep "EigenAllocation<.*>::is_that_of_libfoldout" "$work/refused.txt"
