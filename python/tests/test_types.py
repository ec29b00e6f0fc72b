# SPDX-License-Identifier: Apache-2.0
"""The package and the tutorial pass a strict type checker."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import foldout
from test_documents import script_of


@unittest.skipIf(shutil.which("mypy") is None, "mypy is not installed")
class Types(unittest.TestCase):
    def check(self, *arguments, **environment):
        with tempfile.TemporaryDirectory() as cache:
            done = subprocess.run(["mypy", "--strict", "--ignore-missing-imports", "--follow-imports=silent", "--python-executable",
                                   sys.executable, "--cache-dir", cache, *arguments], capture_output=True, text=True,
                                  env=dict(os.environ, **environment))
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_tutorial_passes(self):
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder, "tutorial.py")
            script.write_text(script_of("docs/tutorial.md"))
            self.check(str(script), MYPYPATH=str(pathlib.Path(foldout.__file__).parents[1]))

    def test_the_package_passes(self):
        folder = pathlib.Path(foldout.__file__).parent
        self.check(*map(str, sorted(folder.glob("*.py"))), "--allow-subclassing-any", "--allow-untyped-decorators")


if __name__ == "__main__":
    unittest.main()
