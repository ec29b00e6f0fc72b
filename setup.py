# SPDX-License-Identifier: Apache-2.0
"""Builds the Python package with CMake, for pip. FOLDOUT_BUILD_DIR names a build tree to use instead of a new one."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

root = pathlib.Path(__file__).resolve().parent
version = re.search(r"project\(foldout VERSION ([\d.]+)", (root / "CMakeLists.txt").read_text())[1]
(root / "build/pip").mkdir(parents=True, exist_ok=True)
# What every Linux system has: the C library and the run-time libraries of the compiler.
BASE = re.compile(r"(ld-linux|lib(c|m|dl|rt|pthread|resolv|util|gcc_s|stdc\+\+)\.so)")


def copy_libraries(module, folder):
    """The libraries that the module loads, directly or not, except those of the base system."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    listed = subprocess.run(["ldd", module], check=True, capture_output=True, text=True).stdout
    for name, path in re.findall(r"^\s*(\S+) => (/\S+)", listed, flags=re.M):
        if not BASE.match(name):
            shutil.copyfile(path, folder / name)


class BuildWithCMake(build_ext):
    def run(self):
        tree = pathlib.Path(os.environ.get("FOLDOUT_BUILD_DIR", root / "build/pip/cmake"))
        if not (tree / "CMakeCache.txt").exists():
            subprocess.run(["cmake", "-S", root, "-B", tree, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                            "-DFOLDOUT_BUILD_TESTS=OFF", "-DFOLDOUT_BUILD_APPS=OFF", "-DFOLDOUT_BUILD_PYTHON=ON",
                            f"-DPYTHON_EXECUTABLE={sys.executable}"], check=True)
        subprocess.run(["cmake", "--build", tree, "--target", "foldout_package"], check=True)
        package = pathlib.Path(self.build_lib) / "foldout"
        shutil.copytree(tree / "python/foldout", package, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
        if sys.platform == "linux":
            copy_libraries(next(package.glob("_core*.so")), package / ".libs")


setup(version=version, packages=[], ext_modules=[Extension("foldout._core", [])], cmdclass={"build_ext": BuildWithCMake})
