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


class BuildWithCMake(build_ext):
    def run(self):
        tree = pathlib.Path(os.environ.get("FOLDOUT_BUILD_DIR", root / "build/pip/cmake"))
        if not (tree / "CMakeCache.txt").exists():
            subprocess.run(["cmake", "-S", root, "-B", tree, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                            "-DFOLDOUT_BUILD_TESTS=OFF", "-DFOLDOUT_BUILD_APPS=OFF", "-DFOLDOUT_BUILD_PYTHON=ON",
                            f"-DPYTHON_EXECUTABLE={sys.executable}"], check=True)
        subprocess.run(["cmake", "--build", tree, "--target", "foldout_package"], check=True)
        shutil.copytree(tree / "python/foldout", pathlib.Path(self.build_lib) / "foldout", dirs_exist_ok=True,
                        ignore=shutil.ignore_patterns("__pycache__"))


setup(version=version, packages=[], ext_modules=[Extension("foldout._core", [])], cmdclass={"build_ext": BuildWithCMake})
