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
