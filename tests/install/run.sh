#!/usr/bin/env bash
# Installs foldout into a folder of its own and builds a stranger's project against it, twice.
set -eu
build=$1
compiler=$2
here=$(cd "$(dirname "$0")" && pwd)
prefix=$build/tests/install-prefix
rm -rf "$prefix" "$build/tests/install-consumer"
cmake --install "$build" --prefix "$prefix" >/dev/null

cmake -S "$here" -B "$build/tests/install-consumer" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$compiler" >/dev/null
cmake --build "$build/tests/install-consumer"
"$build/tests/install-consumer/consumer"

libdir=$(dirname "$(find "$prefix" -name foldout.pc)")
flags=$(PKG_CONFIG_PATH=$libdir pkg-config --cflags --libs foldout)
# shellcheck disable=SC2086
"$compiler" "$here/consumer.cpp" $flags -o "$build/tests/install-consumer/by-pkg-config"
LD_LIBRARY_PATH=$(dirname "$libdir") "$build/tests/install-consumer/by-pkg-config"

"$prefix/bin/foldout" --version
test -f "$prefix/share/man/man1/foldout.1"
