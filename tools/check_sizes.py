#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files that grow beyond what one reads in a sitting: headers over 150 lines, sources and tests over 300 are listed;
500 is an error unless the file stands below with a reason."""
import pathlib
import sys

root = pathlib.Path(sys.argv[1])
reasons = {}
problems = []
for folder in ("include", "src", "apps", "tests", "bench", "fuzz"):
    for file in sorted((root / folder).rglob("*")):
        if file.suffix not in (".h", ".cpp", ".py"):
            continue
        lines = len(file.read_text().splitlines())
        name = str(file.relative_to(root))
        if lines > (150 if file.suffix == ".h" else 300):
            print(f"{lines:5} {name}")
        if lines > 500 and name not in reasons:
            problems.append(f"{name} has {lines} lines: split it, or give a reason in tools/check_sizes.py")
print("\n".join(problems))
sys.exit(1 if problems else 0)
