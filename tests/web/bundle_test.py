# SPDX-License-Identifier: Apache-2.0
"""Is the program of the explorer page the one that web/ gives? Skipped without npm, or if its packages cannot be had."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
npm = shutil.which("npm")
if not npm:
    print("skipped: npm is not installed")
    sys.exit(77)
with tempfile.TemporaryDirectory() as folder:
    copy = pathlib.Path(folder)
    shutil.copytree(ROOT / "web", copy / "web", ignore=shutil.ignore_patterns("node_modules"))
    shutil.copytree(ROOT / "src/plot/explorer", copy / "src/plot/explorer")
    if subprocess.run([npm, "ci", "--no-audit", "--no-fund", "--silent"], cwd=copy / "web").returncode != 0:
        print("skipped: the packages in web/package-lock.json cannot be installed")
        sys.exit(77)
    sys.exit(subprocess.run([npm, "run", "--silent", "check"], cwd=copy / "web").returncode)
