#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles and runs the C++ that the documentation shows, against an installed foldout.

    check_cpp_guide.py PREFIX COMPILER [FLAG...]

The fenced blocks marked `cpp` of a page are one program, in their order: what they include goes to the top, the rest is the
body of main. A block with a main of its own is a program of its own. A line `<!-- check: EXPRESSION -->` between blocks is
not shown to readers; it must be true at that point (guide::throws<Error>(work) says whether work() throws). Programs run in an empty folder each. Errors name page and line.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PAGES = ("docs/cpp.md", "README.md")
REACHED = re.compile(r"^\S+\.md:\d+\n", flags=re.M)  # what a program writes before each block
HELPERS = """
#include <cstdio>
#include <exception>
namespace guide {
static const char* place = "";
static bool failed = false;
static void reach(const char* where) {
  place = where;
  std::fprintf(stderr, "%s\\n", where);
}
static void check(bool holds, const char* what) {
  if (!holds) std::fprintf(stderr, "%s: this does not hold: %s\\n", place, what);
  failed = failed || !holds;
}
template <class Error, class Work>
bool throws(const Work& work) {
  try {
    work();
  } catch (const Error&) {
    return true;
  }
  return false;
}
}  // namespace guide
"""


class Piece:
    """A block of a page, or a check between blocks."""

    def __init__(self, page, line, lines):
        self.page, self.line, self.lines = page, line, lines

    def is_program(self):
        return any(re.match(r"int main\(", line) for line in self.lines)


def pieces_of(page):
    found, block = [], None
    for number, line in enumerate((root / page).read_text().splitlines(), 1):
        check = re.fullmatch(r"<!-- check: (.*) -->", line)
        if block is not None and line.startswith("```"):
            found.append(block)
            block = None
        elif block is not None:
            block.lines.append(line)
        elif line.startswith("```cpp"):
            block = Piece(page, number + 1, [])
        elif check:
            text = check.group(1).replace("\\", "\\\\").replace('"', '\\"')
            found.append(Piece(page, number, [f'guide::check({check.group(1)}, "{text}");']))
    return found


def numbered(piece, chosen):
    return [text for i, line in enumerate(piece.lines) if chosen(line)
            for text in (f'#line {piece.line + i} "{piece.page}"', line)]


def one_program(pieces):
    def is_include(line):
        return line.startswith("#include")

    lines = [text for piece in pieces for text in numbered(piece, is_include)]
    lines += [HELPERS, "int main() {", "try {"]
    for piece in pieces:
        lines.append(f'guide::reach("{piece.page}:{piece.line}");')
        lines += numbered(piece, lambda line: not is_include(line))
    lines += ["} catch (const std::exception& error) {",
              'std::fprintf(stderr, "%s: this block ended with: %s\\n", guide::place, error.what());',
              "guide::failed = true;", "}", "return guide::failed ? 1 : 0;", "}"]
    return lines


def programs_of(page):
    """The place and the lines of each program of a page."""
    pieces = pieces_of(page)
    whole = [piece for piece in pieces if piece.is_program()]
    rest = [piece for piece in pieces if not piece.is_program()]
    programs = [(f"{page}:{piece.line}", numbered(piece, lambda _: True)) for piece in whole]
    return programs + ([(page, one_program(rest))] if rest else [])


def installed_flags(prefix):
    """What pkg-config says; the headers of others are not ours to warn about."""
    package = next(prefix.rglob("foldout.pc"))
    said = subprocess.run(["pkg-config", "--cflags", "--libs", "foldout"], capture_output=True, text=True, check=True,
                          env=dict(os.environ, PKG_CONFIG_PATH=str(package.parent))).stdout.split()
    flags = [flag if str(prefix) in flag else flag.replace("-I", "-isystem", 1) for flag in said]
    return flags + [f"-Wl,-rpath,{package.parent.parent}"]


def last_place(written):
    return next(reversed(REACHED.findall(written)), "").strip()


def main():
    prefix, compiler, extra = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3:]
    flags = [*extra, "-Werror", *installed_flags(prefix)]
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        programs = [program for page in PAGES for program in programs_of(page)]
        compiling = []
        for i, (place, lines) in enumerate(programs):
            home = pathlib.Path(folder, str(i))
            home.mkdir()
            (home / "program.cpp").write_text("\n".join(lines) + "\n")
            compiling.append(subprocess.Popen([compiler, "program.cpp", *flags, "-o", "program"], cwd=home, text=True,
                                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT))
        for i, ((place, _), compiler_run) in enumerate(zip(programs, compiling)):
            messages = compiler_run.communicate()[0]
            if compiler_run.returncode:
                failures.append(f"{place} does not compile:\n{messages}")
                continue
            done = subprocess.run(["./program"], cwd=pathlib.Path(folder, str(i)), capture_output=True, text=True)
            if done.returncode:
                failures.append(f"{last_place(done.stderr) or place} ended with status {done.returncode}:\n"
                                f"{done.stdout[-1000:]}{re.sub(REACHED, '', done.stderr)[-2000:]}")
    print("\n".join(failures) or f"{len(programs)} programs of the documentation compiled and ran")
    return 1 if failures or not programs else 0


root = pathlib.Path(__file__).resolve().parent.parent
sys.exit(main())
