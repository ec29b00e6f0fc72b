#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every test that docs/promises.md names exists, and every promise has one.

usage: check_promises.py SOURCE_FOLDER"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
sources = "\n".join(path.read_text() for path in [*root.glob("tests/**/*.cpp"), *root.glob("tests/**/*.h")])
tests = {f"{suite}.{name}" for suite, name in re.findall(r"\bTEST(?:_P|_F)?\(\s*(\w+),\s*(\w+)\)", sources)}
lists = "\n".join(path.read_text() for path in [*root.glob("tests/**/CMakeLists.txt"), *root.glob("python/**/CMakeLists.txt")])
tests |= set(re.findall(r"(?:foldout_python_test\(|add_test\(NAME )([\w.]+)", lists))
tests |= {f"make {target}" for target in re.findall(r"^([\w-]+)(?: [\w-]+)*:", (root / "Makefile").read_text(), re.MULTILINE)}

wrong, promises = [], 0
for number, line in enumerate((root / "docs/promises.md").read_text().splitlines(), 1):
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    if not line.startswith("|") or cells[0] in ("promise", "---"):
        continue
    promises += 1
    named = re.findall(r"`([^`]+)`", cells[1])
    wrong += [f"docs/promises.md:{number}: there is no test {name}" for name in named if name not in tests]
    if not named:
        wrong.append(f"docs/promises.md:{number}: no test holds this promise")
print("\n".join(wrong))
print(f"promises: {promises}, {len(wrong)} without a test")
sys.exit(1 if wrong or promises == 0 else 0)
