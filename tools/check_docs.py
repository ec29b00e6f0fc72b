#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the foldout commands that the documentation shows, as typed there.

    check_docs.py PATH_TO_FOLDOUT

Every fenced block marked `sh` in README.md and docs/ that begins with `foldout` is one script; the scripts of a page run
in order in one empty folder. The targets of relative links must exist.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

tool = pathlib.Path(sys.argv[1]).resolve()
root = pathlib.Path(__file__).resolve().parent.parent
failures = []
count = 0
environment = dict(os.environ, PATH=f"{tool.parent}{os.pathsep}{os.environ['PATH']}")
pages = [root / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "examples/README.md")]
pages += sorted((root / "docs").rglob("*.md"))
for page in pages:
    text = page.read_text()
    for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        if not (page.parent / link).exists():
            failures.append(f"{page.relative_to(root)}: the target of the link {link} does not exist")
    with tempfile.TemporaryDirectory() as folder:
        for script in re.findall(r"```sh\n(.*?)```", text, flags=re.S):
            if not script.startswith("foldout"):
                continue
            count += 1
            done = subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=folder, env=environment,
                                  capture_output=True, text=True)
            if done.returncode:
                failures.append(f"{page.relative_to(root)}: {script}\n{done.stderr}")
print("\n".join(failures) or f"{count} scripts of the documentation ran as typed")
sys.exit(1 if failures else 0)
