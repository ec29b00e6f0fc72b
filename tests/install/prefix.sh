#!/usr/bin/env bash
# Installs foldout into a folder of its own, for the tests that build programs against it.
set -eu
build=$1
prefix=$2
rm -rf "$prefix"
cmake --install "$build" --prefix "$prefix" >/dev/null
"$prefix/bin/foldout" --version
test -f "$prefix/share/man/man1/foldout.1"
