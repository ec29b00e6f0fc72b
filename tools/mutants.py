#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mutation testing: does a test fail when one line of the library is wrong?

    mutants.py [--count 40] [--seed 1] [--build build-mutants] [--only TEXT] [--list]

Changes one token of src/**/*.cpp at a time: a sign, a comparison, an index or a constant, as many of each kind. Builds the
tests of that folder and the contract suite of the maps, runs them, and lists the mutants that no test detects. Exit status 1
if more than --allow survive.

The draw depends only on the seed and the source lines, never on the tests: every possible mutant has a rank, a hash of the
seed, its file, its line and the change, and the first of each kind are taken. Editing other lines therefore keeps the draw.
A mutant that does not compile is replaced by the next. A test that runs too long counts as failed.

Survivors that no test can distinguish from the original are listed in tools/mutants_equivalent.txt, each with the reason.
"""
import argparse
import collections
import hashlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
KINDS = ("sign", "comparison", "index", "constant")
TOKEN = re.compile(
    r"""(?P<skip>//[^\n]*|/\*.*?\*/|R"(?P<delimiter>[^()\s\\]*)\(.*?\)(?P=delimiter)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'
        |^[ \t]*\#(?:\\\n|[^\n])*|\s+)
      |(?P<number>0[xX][0-9a-fA-F']+|(?:\d[\d']*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[uUlLzZfF]*
      |(?P<name>[A-Za-z_]\w*)
      |(?P<operator>->|\+\+|--|\+=|-=|<=>|<=|>=|==|!=|&&|\|\||<<=?|::|.)""",
    re.X | re.S | re.M)
SIGNS = {"+": ["-"], "-": ["+"], "+=": ["-="], "-=": ["+="]}
COMPARISONS = {"<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"], "==": ["!="], "!=": ["=="]}
BEFORE_A_VALUE = {"return", "case", "else", "in", "co_return", "delete", "throw"}


class Mutant:
    """One change: text[begin:end] of the file becomes `new`."""

    def __init__(self, file, text, kind, begin, end, new):
        self.file, self.kind, self.begin, self.end, self.new = file, kind, begin, end, new
        start, stop = text.rfind("\n", 0, begin) + 1, text.find("\n", end)
        self.line = text.count("\n", 0, begin) + 1
        self.old_line = text[start:stop].strip()
        self.new_line = (text[start:begin] + new + text[end:stop]).strip()
        self.key = (file, self.old_line, self.new_line)
        self.place = str(begin - start)

    def rank(self, seed, repetition):
        """If a line repeats in its file, the repetition distinguishes its mutants."""
        words = [str(seed), *self.key, self.place] + [str(repetition)] * (repetition > 0)
        return hashlib.sha256("\0".join(words).encode()).hexdigest()

    def __str__(self):
        return f"{self.file}:{self.line} ({self.kind})\n  - {self.old_line}\n  + {self.new_line}"


def closing(tokens, at):
    """Position of the bracket that closes tokens[at]."""
    pairs = {"(": ")", "[": "]"}
    opening, close, depth = tokens[at][1], pairs[tokens[at][1]], 0
    for i in range(at, len(tokens)):
        depth += (tokens[i][1] == opening) - (tokens[i][1] == close)
        if depth == 0:
            return i
    return at


def mutants_of(file, text):
    tokens = [(m.lastgroup if m.lastgroup != "delimiter" else "skip", m.group(), m.start(), m.end())
              for m in TOKEN.finditer(text)]
    tokens = [t for t in tokens if t[0] != "skip"]
    found = []

    def add(kind, begin, end, new):
        if "\n" not in text[begin:end]:
            found.append(Mutant(file, text, kind, begin, end, new))

    for i, (group, word, begin, end) in enumerate(tokens):
        before, after = tokens[i - 1] if i > 0 else None, tokens[i + 1] if i + 1 < len(tokens) else None
        if group == "number":
            suffix = text[begin:end]
            if re.fullmatch(r"\d+", suffix):
                for value in {int(word) + 1, int(word) - 1} - {-1}:
                    add("constant", begin, end, str(value))
            else:
                add("constant", begin, end, f"({word} + 1)")
        elif word in SIGNS and before and before[1] != "operator":
            for new in SIGNS[word]:
                add("sign", begin, end, new)
        elif word in COMPARISONS and text[begin - 1] == " " and text[end] in " \n":
            for new in COMPARISONS[word]:
                add("comparison", begin, end, new)
        elif word == "[" and before and after[1] not in ("]", "[", "&", "="):
            declares = i > 1 and (tokens[i - 2][0] == "name" and tokens[i - 2][1] not in BEFORE_A_VALUE
                                  or tokens[i - 2][1] in (">", "auto"))
            if (before[0] == "name" and before[1] != "auto" and not declares) or before[1] in (")", "]"):
                last = tokens[closing(tokens, i)][2]
                for shift in ("+ 1", "- 1"):
                    add("index", end, last, f"{text[end:last]} {shift}")
        elif word in ("row", "col") and before and before[1] in (".", "->") and after and after[1] == "(":
            first, last = after[3], tokens[closing(tokens, i + 1)][2]
            for shift in ("+ 1", "- 1"):
                add("index", first, last, f"{text[first:last]} {shift}")
        elif word in ("rows", "cols") and before and before[1] in (".", "->") and after and after[1] == "(":
            add("index", begin, end, "cols" if word == "rows" else "rows")
        elif word == "(" and before and before[0] == "name" and i + 4 < len(tokens):
            a, comma, b, close = tokens[i + 1 : i + 5]
            if (a[0], comma[1], b[0], close[1]) == ("name", ",", "name", ")") and max(len(a[1]), len(b[1])) <= 2:
                add("index", a[2], b[3], f"{b[1]}, {a[1]}")
    return found


def draw(seed, sources):
    """All possible mutants by kind, in the order of their rank."""
    ranked = {kind: [] for kind in KINDS}
    for file in sources:
        seen = collections.Counter()
        for mutant in mutants_of(file, (ROOT / file).read_text()):
            same = (mutant.key, mutant.place)
            ranked[mutant.kind].append((mutant.rank(seed, seen[same]), mutant))
            seen[same] += 1
    return {kind: [mutant for _, mutant in sorted(found, key=lambda pair: pair[0])] for kind, found in ranked.items()}


def equivalent():
    """{(file, old line, new line): reason} of tools/mutants_equivalent.txt."""
    known = {}
    for block in re.split(r"\n\s*\n", (ROOT / "tools/mutants_equivalent.txt").read_text()):
        lines = [line for line in block.splitlines() if not line.startswith("#")]
        if not lines:
            continue
        known[lines[0].strip(), lines[1].removeprefix("- "), lines[2].removeprefix("+ ")] = " ".join(
            line.strip() for line in lines[3:])
    return known


class Workshop:
    """A copy of the tracked files with its own build directory."""

    def __init__(self, folder, jobs):
        self.source, self.build, self.jobs = folder / "source", folder / "build", jobs
        self.times = {}
        listed = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True)
        kept = {name for name in listed.stdout.split("\n") if name and (ROOT / name).is_file()}
        if self.source.exists():
            for file in self.source.rglob("*"):
                if file.is_file() and str(file.relative_to(self.source)) not in kept:
                    file.unlink()
        for name in kept:
            target = self.source / name
            if not target.exists() or target.read_bytes() != (ROOT / name).read_bytes():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, target)
        # Subscripts are checked, as in the build with sanitizers: an index out of range is detected.
        launcher = [f"-DCMAKE_CXX_COMPILER_LAUNCHER={shutil.which('ccache')}"] if shutil.which("ccache") else []
        subprocess.run(["cmake", "-S", self.source, "-B", self.build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                        "-DCMAKE_CXX_FLAGS_RELEASE=-O2 -D_GLIBCXX_ASSERTIONS", "-DFOLDOUT_BUILD_TESTS=ON", *launcher],
                       check=True, stdout=subprocess.DEVNULL)

    def make(self, *targets):
        return subprocess.run(["ninja", "-C", self.build, f"-j{self.jobs}", *targets], capture_output=True, text=True)

    def passes(self, test):
        """Runs a test program, with a time limit of three times that of the original plus a minute."""
        limit = 3 * self.times[test] + 60 if test in self.times else 3600
        start = time.monotonic()
        process = subprocess.Popen([self.build / "bin" / test, "--gtest_brief=1", "--gtest_fail_fast"], cwd=self.source,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                                   start_new_session=True)
        try:
            output = process.communicate(timeout=limit)[0]
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return False, f"longer than {limit:.0f} s"
        if process.returncode == 0 and test not in self.times:
            self.times[test] = time.monotonic() - start
        failed = re.search(r"\[  FAILED  \] (\S+?),? ", output + " ")
        return process.returncode == 0, failed.group(1) if failed else f"exit code {process.returncode}"

    def baseline(self, tests):
        for test in tests:
            built = self.make(test)
            if built.returncode:
                sys.exit(built.stdout)
            passed, why = self.passes(test)
            if not passed:
                sys.exit(f"{test} fails without any mutant: {why}")

    def judge(self, mutant):
        """The outcome: "no code" (does not compile), "killed" or "survived", and the cause."""
        file, folder = self.source / mutant.file, mutant.file.split("/")[1]
        text = file.read_text()
        file.write_text(text[: mutant.begin] + mutant.new + text[mutant.end :])
        try:
            if self.make(f"foldout_{folder}").returncode:
                return "no code", ""
            for test in tests_of(folder):
                built = self.make(test)
                if built.returncode:
                    sys.exit(built.stdout)
                passed, why = self.passes(test)
                if not passed:
                    return "killed", why
            return "survived", ""
        finally:
            file.write_text(text)


def tests_of(folder):
    """Components and landmarks are tested through the models that they are parts of."""
    own = folder if (ROOT / "tests" / folder).is_dir() else "model"
    return [f"test_{own}", "test_map_contract"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build-mutants")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--allow", type=int, default=4, help="survivors that are not an error")
    parser.add_argument("--only", default="", help="judge only the drawn mutants of files whose path contains this")
    parser.add_argument("--list", action="store_true", help="print the first mutants of the draw, build nothing")
    arguments = parser.parse_args()
    sources = sorted(str(f.relative_to(ROOT)) for f in (ROOT / "src").rglob("*.cpp"))
    drawn = draw(arguments.seed, sources)
    each = {kind: arguments.count // len(KINDS) + (i < arguments.count % len(KINDS)) for i, kind in enumerate(KINDS)}
    if arguments.list:
        for kind in KINDS:
            print(f"{len(drawn[kind])} possible mutants of kind {kind}")
            for mutant in drawn[kind][: each[kind]]:
                print(mutant)
        return 0
    workshop, known = Workshop(arguments.build.resolve(), arguments.jobs), equivalent()
    survivors, counts = [], {"killed": 0, "survived": 0, "equivalent": 0, "no code": 0}
    for kind in KINDS:
        taken = 0
        for mutant in drawn[kind]:
            if taken == each[kind]:
                break
            if arguments.only not in mutant.file:
                taken += 1
                continue
            if mutant.key in known:
                counts["equivalent"] += 1
                taken += 1
                print(f"equivalent  {mutant}\n  {known[mutant.key]}", flush=True)
                continue
            workshop.baseline([t for t in tests_of(mutant.file.split("/")[1]) if t not in workshop.times])
            outcome, why = workshop.judge(mutant)
            counts[outcome] += 1
            if outcome == "no code":
                continue
            taken += 1
            if outcome == "survived":
                survivors.append(mutant)
            print(f"{outcome:<11} {mutant}" + (f"\n  {why}" if why else ""), flush=True)
    judged = counts["killed"] + counts["equivalent"] + len(survivors)
    print(f"\nseed {arguments.seed}: {judged} mutants ({counts['no code']} more did not compile), "
          f"{counts['killed']} killed, {counts['equivalent']} equivalent, {len(survivors)} survived")
    for mutant in survivors:
        print(mutant)
    return 1 if len(survivors) > arguments.allow else 0


if __name__ == "__main__":
    sys.exit(main())
