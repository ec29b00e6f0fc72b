#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds every #include to the layers: a folder may include itself and the folders that its CMakeLists.txt names
(USES), and a public header may include nothing but Eigen's core headers, the standard library and other public headers."""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
problems = []
uses = {}
for lists in sorted((root / "src").glob("*/CMakeLists.txt")):
    text = lists.read_text()
    match = re.search(r"USES\s+((?:[a-z]+\s*)+?)(?=[A-Z_]{3,}|\))", text)
    uses[lists.parent.name] = set(match.group(1).split()) if match else set()

order = re.search(r"set\(folders ([^)]*)\)", (root / "src/CMakeLists.txt").read_text()).group(1).split()
for folder, used in uses.items():
    for other in used:
        if order.index(other) >= order.index(folder):
            problems.append(f"src/{folder}/CMakeLists.txt uses {other}, which does not stand above it")

allowed_external = {"Eigen/Core", "Eigen/SparseCore"}
for base in ("include/foldout", "src"):
    for file in sorted((root / base).rglob("*")):
        if file.suffix not in (".h", ".cpp") or file.name == "foldout.h":
            continue
        folder = file.relative_to(root / base).parts[0]
        for number, line in enumerate(file.read_text().splitlines(), 1):
            include = re.match(r'\s*#include\s+["<]([^">]+)[">]', line)
            if not include:
                continue
            name = include.group(1)
            place = f"{file.relative_to(root)}:{number}"
            target = re.match(r"(?:foldout/)?([a-z_]+)/", name)
            if target and target.group(1) in uses:
                if target.group(1) != folder and target.group(1) not in uses[folder]:
                    problems.append(f"{place}: {folder} must not include {name}")
            elif base == "include/foldout" and ("/" in name or name.endswith((".h", ".hpp"))) and name not in allowed_external:
                problems.append(f"{place}: a public header must not include <{name}>")

print("\n".join(problems) or "layers: all includes go upwards")
sys.exit(1 if problems else 0)
