#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds files that are too long: more than 500 lines, unless listed below with a reason."""
import pathlib
import sys

LIMIT = 500
REASONS = {"src/l1/simplex.cpp": "one class: every part changes the vertex"}  # path: why it is better in one piece

root = pathlib.Path(sys.argv[1])
problems = [f"{name} is listed in tools/check_sizes.py, but does not exist" for name in REASONS if not (root / name).exists()]
longest = 0
for folder in ("include", "src", "apps", "tests", "bench", "fuzz", "tools", "reproduce", "examples", "python"):
    for file in sorted((root / folder).rglob("*")):
        if file.suffix not in (".h", ".cpp", ".py"):
            continue
        lines = len(file.read_text().splitlines())
        longest = max(longest, lines)
        name = str(file.relative_to(root))
        if lines > LIMIT and name not in REASONS:
            problems.append(f"{name} has {lines} lines: split it, or give a reason in tools/check_sizes.py")
        if lines <= LIMIT and name in REASONS:
            problems.append(f"{name} has only {lines} lines: remove it from the list in tools/check_sizes.py")
print("\n".join(problems) or f"sizes: the longest file has {longest} lines")
sys.exit(1 if problems else 0)
