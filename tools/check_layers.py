#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks every #include against the layers. A folder of src/ may include itself and the folders that its CMakeLists.txt names
(USES), all of them above it in src/CMakeLists.txt. A public header includes public headers, Eigen's core and the standard
library, nothing else. Programs (apps/) and the bindings (python/) may include any folder; nothing may include a program,
and examples/ see public headers only. The functions that ARCHITECTURE.md names as file:`function` exist in that file."""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
problems = []
order = re.search(r"set\(folders ([^)]*)\)", (root / "src/CMakeLists.txt").read_text()).group(1).split()
uses = {}
for lists in sorted((root / "src").glob("*/CMakeLists.txt")):
    words = lists.read_text().replace("(", " ").replace(")", " ").split()
    named = words[words.index("USES") + 1 :] if "USES" in words else []
    uses[lists.parent.name] = set()
    for word in named:
        if word not in order:
            break
        uses[lists.parent.name].add(word)
for folder, used in uses.items():
    for other in used:
        if order.index(other) >= order.index(folder):
            problems.append(f"src/{folder}/CMakeLists.txt uses {other}, which is not above it in src/CMakeLists.txt")

PUBLIC_EXTERNAL = {"Eigen/Core", "Eigen/SparseCore"}


def includes(file):
    for number, line in enumerate(file.read_text().splitlines(), 1):
        match = re.match(r'\s*#include\s+(["<])([^">]+)[">]', line)
        if match:
            yield f"{file.relative_to(root)}:{number}", match.group(1) == '"', match.group(2)


def sources(base):
    return [f for f in sorted((root / base).rglob("*")) if f.suffix in (".h", ".cpp")]


programs = {folder.name for folder in (root / "apps").iterdir() if folder.is_dir()}
for base in ("include/foldout", "src"):
    for file in sources(base):
        folder = file.relative_to(root / base).parts[0]
        for place, quoted, name in includes(file):
            public = name.startswith("foldout/")
            target = name.removeprefix("foldout/").split("/")[0]
            if quoted and target in uses:
                if folder != "foldout.h" and target != folder and target not in uses[folder]:
                    problems.append(f"{place}: {folder} must not include {name}")
                if base == "include/foldout" and not public:
                    problems.append(f"{place}: a public header must not include the private {name}")
            elif base == "include/foldout" and ("/" in name or name.endswith((".h", ".hpp"))) and name not in PUBLIC_EXTERNAL:
                problems.append(f"{place}: a public header must not include <{name}>")
            if name.startswith("apps/"):
                problems.append(f"{place}: the library must not include {name}")
for file in sources("apps"):
    own = file.relative_to(root / "apps").parts[0]
    for place, quoted, name in includes(file):
        target = name.split("/")[0]
        if quoted and "/" in name and target != "foldout" and target not in uses and target != own:
            problems.append(f"{place}: {name} is in no folder of the library")
        if quoted and target in programs - {"foldout", own}:
            problems.append(f"{place}: one program must not include another's {name}")
for file in sources("python"):
    for place, quoted, name in includes(file):
        target = name.split("/")[0]
        if quoted and "/" in name and target != "foldout" and target not in uses:
            problems.append(f"{place}: {name} is in no folder of the library")
for file in sources("examples"):
    for place, quoted, name in includes(file):
        if quoted or (name.split("/")[0] in uses):
            problems.append(f"{place}: an example includes <foldout/foldout.h>, as users do, not {name}")

steps = re.findall(r"([\w/]+\.(?:cpp|h)):((?:`[^`]+`(?:, | → )?)+)", (root / "ARCHITECTURE.md").read_text())
for name, functions in steps:
    file = root / name if name.startswith("apps/") else root / "src" / name
    text = file.read_text() if file.exists() else ""
    for function in re.findall(r"`([\w:]+)", functions):
        if not re.search(rf"\b{re.escape(function)}\b", text):
            problems.append(f"ARCHITECTURE.md: there is no {function} in {name}")
if not steps:
    problems.append("ARCHITECTURE.md names no steps of the form file:`function`")

print("\n".join(problems) or "layers: all includes go upwards")
sys.exit(1 if problems else 0)
