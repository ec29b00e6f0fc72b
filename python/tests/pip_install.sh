#!/usr/bin/env bash
# A wheel and a source distribution of a checkout, and the wheel in a fresh virtual environment that sees the system's
# packages. pip_install.sh SOURCE BUILD PYTHON; with an empty BUILD the library is compiled anew, from a clean copy of
# SOURCE.
set -eu
source=$1
build=$2
python=$3
"$python" -c 'import sklearn, setuptools, wheel, venv, ensurepip' 2>/dev/null || { echo "skipped: needs python3-sklearn, python3-wheel and python3-venv"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$python" -m venv --system-site-packages "$folder/venv"
unset PYTHONPATH
if [ -n "$build" ]; then
  export FOLDOUT_BUILD_DIR=$build
else
  git clone -q "$source" "$folder/checkout"
  source=$folder/checkout
fi
"$folder/venv/bin/pip" wheel --quiet --no-build-isolation --no-deps --no-index -w "$folder" "$source"
"$folder/venv/bin/pip" install --quiet --no-deps --no-index "$folder"/foldout-*.whl
# The source distribution has everything that the build reads.
(cd "$source" && "$folder/venv/bin/python" -c "from setuptools import build_meta; build_meta.build_sdist('$folder')" >/dev/null 2>&1)
tar xzf "$folder"/foldout-*.tar.gz -C "$folder"
for part in CMakeLists.txt cmake include src python; do
  diff -r -x __pycache__ "$source/$part" "$folder"/foldout-*/"$part"
done
cd "$folder"
venv/bin/python - <<'SCRIPT'
import pathlib
import re
import subprocess

import foldout

module = pathlib.Path(foldout._core.__file__)
assert "venv" in module.parts, module
assert foldout.LLE().fit_transform(foldout.datasets.make_swiss_roll(300).data).shape == (300, 2)
assert (module.parent / "py.typed").exists()


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


# Every library comes from the wheel, except those of the base system, and no file names a folder outside of it.
base = re.compile(r"(linux-vdso|ld-linux|lib(c|m|dl|rt|pthread|resolv|util|gcc_s|stdc\+\+)\.so)")
inside = module.parent / ".libs"
found = dict(re.findall(r"^\s*(\S+) => (\S+)", output("ldd", module), flags=re.M))
outside = {name: path for name, path in found.items() if not base.match(name) and inside not in pathlib.Path(path).resolve().parents}
assert not outside, outside
assert any(name.startswith("libopenblas") for name in found), found
assert "libfoldout" not in found, "the library is part of the module"
for file in [module, *inside.iterdir()]:
    folders = re.findall(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]", output("readelf", "-d", file))
    assert folders == (["$ORIGIN/.libs"] if file == module else []), (file, folders)
SCRIPT
