#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the public interface with a list, so that it does not grow by accident.

    check_exports.py LIBRARY [--update]

Every symbol that the shared library exports belongs to foldout; its functions are those of tests/install/exports.txt
(--update writes them there); and foldout/foldout.h includes every installed header, directly or not.
"""
import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIST = ROOT / "tests" / "install" / "exports.txt"
INCLUDE = ROOT / "include"


def symbols(library):
    text = subprocess.run(["nm", "-DC", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    return [line.split(" ", 2)[1:] for line in text.splitlines()]


def short(name):
    """Without arguments and ABI tags: overloads are one line."""
    return re.sub(r"\(.*|\[abi:\w+\]", "", name)


def reached(header, seen):
    for included in re.findall(r'#include "(foldout/[^"]+)"', (INCLUDE / header).read_text()):
        if included not in seen:
            seen.add(included)
            reached(included, seen)
    return seen


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library")
    parser.add_argument("--update", action="store_true")
    arguments = parser.parse_args()
    exported = symbols(arguments.library)
    # GCC generates a resolver for target_clones: the function that selects a version.
    exported = [(kind, name) for kind, name in exported if not name.endswith("[clone .resolver]")]
    foreign = [name for _, name in exported if not re.match(r"((typeinfo( name)?|vtable) for )?foldout::", name)]
    names = sorted({short(name) for kind, name in exported if kind in "TDBR"})
    if arguments.update:
        LIST.write_text("\n".join(names) + "\n")
    listed = LIST.read_text().split("\n")[:-1]
    headers = {str(path.relative_to(INCLUDE)) for path in INCLUDE.rglob("*.h")}
    unreached = headers - reached("foldout/foldout.h", {"foldout/foldout.h"})
    problems = [f"{name} is exported, but does not belong to foldout" for name in foreign]
    problems += [f"{name} is exported, but not in {LIST.relative_to(ROOT)}: hide it, or run with --update"
                 for name in names if name not in listed]
    problems += [f"{name} is in {LIST.relative_to(ROOT)}, but no longer exported: run with --update"
                 for name in listed if name not in names]
    problems += [f"include/{name} would be installed, but foldout/foldout.h does not include it" for name in sorted(unreached)]
    print("\n".join(problems) or f"exports: {len(exported)} symbols, {len(names)} functions and objects, {len(headers)} headers")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
