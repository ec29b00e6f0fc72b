# SPDX-License-Identifier: Apache-2.0
"""The Python blocks of the documentation run as shown."""
import os
import pathlib
import re
import runpy
import tempfile
import unittest
import warnings

import foldout

try:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import matplotlib

        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
except ImportError:
    plt = None

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ("README.md", "docs/tutorial.md", "docs/from_scikit_learn.md", "docs/python.md")


def script_of(page):
    return "\n".join(re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), flags=re.S))


class Documents(unittest.TestCase):
    def test_the_blocks_of_every_page_run_in_order(self):
        home = os.getcwd()
        for page in PAGES:
            if plt is None and "matplotlib" in script_of(page):
                continue
            with self.subTest(page=page), tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
                warnings.simplefilter("ignore", foldout.FitWarning)
                script = pathlib.Path(folder, "page.py")
                script.write_text(script_of(page))
                self.assertGreater(len(script.read_text()), 100)
                os.chdir(folder)
                try:
                    runpy.run_path(str(script))
                    for picture in pathlib.Path(folder).glob("*.png"):  # shown by the page as it is drawn
                        self.assertIn(f"pictures/{picture.name}", (ROOT / page).read_text())
                        self.assertTrue((ROOT / "docs/pictures" / picture.name).exists())
                finally:
                    os.chdir(home)
                    if plt is not None:
                        plt.close("all")


if __name__ == "__main__":
    unittest.main()
