#!/usr/bin/env bash
# pip install of a checkout into a fresh virtual environment that sees the system's packages, from an existing build tree.
# The wheel must not look for libraries in folders of the build.
set -eu
source=$1
build=$2
python=$3
"$python" -c 'import sklearn, setuptools, wheel, venv, ensurepip' 2>/dev/null || { echo "skipped: needs python3-sklearn, python3-wheel and python3-venv"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$python" -m venv --system-site-packages "$folder/venv"
export FOLDOUT_BUILD_DIR=$build
unset PYTHONPATH
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
import subprocess
import foldout
module = pathlib.Path(foldout._core.__file__)
assert "venv" in module.parts, module
assert foldout.LLE().fit_transform(foldout.datasets.make_swiss_roll(300).data).shape == (300, 2)
assert (module.parent / "py.typed").exists()
dynamic = subprocess.run(["readelf", "-d", module], capture_output=True, text=True, check=True).stdout
assert "RPATH" not in dynamic and "RUNPATH" not in dynamic and "libfoldout" not in dynamic, dynamic
SCRIPT
