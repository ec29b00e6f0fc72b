#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy by the rules of .clang-tidy.

    tidy.py BUILD [--changed [--base REVISION]] [--jobs N]

BUILD contains compile_commands.json. Checks the sources of src/ and apps/ and the headers that they include. With --changed,
only those that differ from the base, and for a changed header one source that includes it. The base is REVISION; without
one, the merge base with origin's default branch; if HEAD is on that branch or there is no origin, the revision ten commits
ago. Without a history everything is checked.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMMITS_BACK = 10


def git(*arguments):
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else None


def default_base():
    head, merge_base = git("rev-parse", "HEAD"), git("merge-base", "HEAD", "origin/HEAD")
    if merge_base and merge_base != head:
        return merge_base
    return git("rev-parse", "--verify", "--quiet", f"HEAD~{COMMITS_BACK}")


def changed_since(base, sources):
    """The sources to check, or None for all of them."""
    names = git("diff", "--name-only", "--diff-filter=d", base, "--", "src", "apps", "include") if base else None
    if names is None:
        return None
    untracked = git("ls-files", "--others", "--exclude-standard", "--", "src", "apps", "include") or ""
    names = set(names.split("\n")) | set(untracked.split("\n"))
    chosen = names & set(sources)
    for header in sorted(name for name in names if name.endswith(".h")):
        included = header.removeprefix("include/").removeprefix("src/").removeprefix("apps/")
        line = re.compile(rf'#include "(?:{re.escape(included)}|{re.escape(pathlib.Path(included).name)})"')
        users = [source for source in sources if line.search((ROOT / source).read_text())]
        if users and not chosen & set(users):
            same_name = [source for source in users if pathlib.Path(source).stem == pathlib.Path(header).stem]
            chosen.add((same_name or users)[0])
    return sorted(chosen)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--changed", action="store_true")
    parser.add_argument("--base", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    commands = json.loads((arguments.build / "compile_commands.json").read_text())
    known = {str(pathlib.Path(entry["file"]).relative_to(ROOT)) for entry in commands
             if pathlib.Path(entry["file"]).is_relative_to(ROOT)}
    sources = sorted(name for name in known if name.startswith(("src/", "apps/")))
    if arguments.base and git("rev-parse", "--verify", "--quiet", arguments.base) is None:
        sys.exit(f"tidy: there is no revision {arguments.base}")
    if arguments.changed:
        base = arguments.base or default_base()
        chosen = changed_since(base, sources)
        print(f"tidy: {len(sources if chosen is None else chosen)} of {len(sources)} sources"
              + (f", changed since {git('rev-parse', '--short', base)}" if chosen is not None else ": no history"), flush=True)
        sources = sources if chosen is None else chosen

    def check(source):
        start = time.monotonic()
        done = subprocess.run(["clang-tidy", "--quiet", f"-p={arguments.build}", source], cwd=ROOT, capture_output=True,
                              text=True)
        noise = re.compile(r"^\d+ warnings?( and \d+ errors?)? generated\.$")
        errors = [line for line in done.stderr.splitlines() if not noise.match(line)]
        return source, done.returncode, done.stdout + "\n".join(errors if done.returncode else []), time.monotonic() - start

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for source, status, output, seconds in pool.map(check, sources):
            failed += status != 0
            print(f"{seconds:6.1f} s  {source}" + ("\n" + output if output.strip() else ""), flush=True)
    print(f"tidy: {len(sources)} sources checked, {failed} with findings")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
