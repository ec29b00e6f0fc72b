# SPDX-License-Identifier: Apache-2.0
"""The Python blocks of the documentation run as shown, and the tutorial passes a type checker."""
import os
import pathlib
import re
import runpy
import shutil
import subprocess
import sys
import tempfile
import unittest
import warnings

import foldout

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ("README.md", "docs/tutorial.md", "docs/from_scikit_learn.md", "docs/python.md")


def script_of(page):
    return "\n".join(re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), flags=re.S))


class Documents(unittest.TestCase):
    def test_the_blocks_of_every_page_run_in_order(self):
        home = os.getcwd()
        for page in PAGES:
            with self.subTest(page=page), tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
                warnings.simplefilter("ignore", foldout.FitWarning)
                script = pathlib.Path(folder, "page.py")
                script.write_text(script_of(page))
                self.assertGreater(len(script.read_text()), 100)
                os.chdir(folder)
                try:
                    runpy.run_path(str(script))
                finally:
                    os.chdir(home)

    @unittest.skipIf(shutil.which("mypy") is None, "mypy is not installed")
    def test_the_tutorial_passes_a_strict_type_checker(self):
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder, "tutorial.py")
            script.write_text(script_of("docs/tutorial.md"))
            package = pathlib.Path(foldout.__file__).parents[1]
            done = subprocess.run(["mypy", "--strict", "--follow-imports=silent", "--ignore-missing-imports", "--python-executable",
                                   sys.executable, "--cache-dir", folder, str(script)], capture_output=True, text=True,
                                  env=dict(os.environ, MYPYPATH=str(package)))
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
