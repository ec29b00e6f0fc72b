#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the examples as users do, against an installed foldout, and compares what they write with the tool's answers.

    examples.py PREFIX COMPILER
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

prefix, compiler = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
source = pathlib.Path(__file__).resolve().parent.parent.parent / "examples"
package = next(prefix.rglob("foldout.pc"))
environment = dict(os.environ, PKG_CONFIG_PATH=str(package.parent), LD_LIBRARY_PATH=str(package.parent.parent),
                   PATH=f"{prefix / 'bin'}{os.pathsep}{os.environ['PATH']}")


def run(*command, **more):
    return subprocess.run([str(word) for word in command], cwd=folder, env=environment, capture_output=True, text=True,
                          **more)


def succeed(*command, **more):
    done = run(*command, **more)
    assert done.returncode == 0, f"{command} ended with status {done.returncode}:\n{done.stdout}{done.stderr}"
    return done.stdout


def rows(text):
    return [line.split(",") for line in text.splitlines()]


def numbers(name):
    """Without the header, if there is one."""
    table = rows((folder / name).read_text())
    return [[float(cell) for cell in row] for row in table[table[0][0][0].isalpha() :]]


def build():
    """All by CMake, and one by the command in its first comment."""
    succeed("cmake", "-S", source, "-B", "by-cmake", f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_CXX_COMPILER={compiler}",
            "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror")
    succeed("cmake", "--build", "by-cmake", "--parallel", "2")
    text = (source / "map_my_data.cpp").read_text()
    command = re.search(r"^//   (c\+\+ .*)$", text, flags=re.M).group(1)
    (folder / "map_my_data.cpp").write_text(text)
    succeed("bash", "-c", command.replace("c++", shlex.quote(compiler), 1))
    for example in source.glob("*.cpp"):
        comment = example.read_text().split("#include")[0]
        assert f"c++ -O2 {example.name} $(pkg-config --cflags --libs foldout) -o {example.stem}\n" in comment, example.name
        assert f"//   ./{example.stem} " in comment, example.name


def map_my_data():
    said = succeed("./map_my_data", "train.csv", "map.csv", "my.model")
    assert said.startswith("800 samples of 3 features\n"), said
    trust = float(re.search(r"^trustworthiness (.*)$", said, flags=re.M).group(1))
    assert trust > 0.95, trust
    succeed("foldout", "fit", "train.csv", "-o", "tool.model", "--method", "isomap", "--embedding", "tool.csv", "--no-header", "-q")
    assert (folder / "map.csv").read_bytes() == (folder / "tool.csv").read_bytes(), "other coordinates than the tool's"
    assert (folder / "my.model").read_bytes() == (folder / "tool.model").read_bytes(), "another model than the tool's"


def place_in_a_loop():
    said = rows(succeed("by-cmake/place_in_a_loop", "my.model", stdin=(folder / "new.csv").open()))
    succeed("foldout", "transform", "my.model", "new.csv", "-o", "placed.csv", "--confidence", "confidence.csv", "-q")
    confidence = [float(row[0]) for row in rows((folder / "confidence.csv").read_text())[1:]]
    assert len(said) == 41, said
    assert [[float(cell) for cell in row[:2]] for row in said] == numbers("placed.csv"), "other coordinates than the tool's"
    assert [float(row[2]) for row in said] == confidence, "another confidence than the tool's"
    assert [row[3] for row in said] == ["unusual" if c < 0.5 else "usual" for c in confidence], said
    assert said[-1][3] == "unusual" and sum(row[3] == "usual" for row in said) > 30, said


def place_as_they_arrive():
    """A row is answered before the next one is there."""
    sample = (folder / "new.csv").read_text().splitlines()[1]  # after the header
    with subprocess.Popen(["by-cmake/place_in_a_loop", "my.model"], cwd=folder, env=environment, text=True,
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE) as loop:
        for _ in range(2):
            loop.stdin.write(sample + "\n")
            loop.stdin.flush()
            answer = loop.stdout.readline()
            assert [float(cell) for cell in answer.split(",")[:2]] == numbers("placed.csv")[0], answer
        loop.stdin.close()
        assert loop.wait() == 0


def coordinates_from_elsewhere():
    said = succeed("by-cmake/coordinates_from_elsewhere", "train.csv", "truth.csv", "new.csv", "among.csv")
    succeed("foldout", "extend", "train.csv", "truth.csv", "-o", "tool.model", "--extension", "auto", "-q")
    succeed("foldout", "transform", "tool.model", "new.csv", "-o", "tool.csv", "-q")
    assert numbers("among.csv") == numbers("tool.csv"), "other coordinates than the tool's"
    name = re.search(r"^placed by (\w+)$", said, flags=re.M).group(1)
    assert f"placed by {name}" in succeed("foldout", "info", "tool.model"), said
    assert re.search(r"^\d+ of 41 samples are unlike the known ones$", said, flags=re.M), said


def refuse():
    """What is wrong is said in one line, and nothing is written."""
    for example, arguments in (("map_my_data", ("no.csv", "no_map.csv", "no.model")), ("place_in_a_loop", ("train.csv",)),
                               ("coordinates_from_elsewhere", ("train.csv", "new.csv", "new.csv", "no.csv"))):
        done = run(f"by-cmake/{example}", *arguments, stdin=subprocess.DEVNULL)
        assert done.returncode == 1 and len(done.stderr.splitlines()) == 1, f"{example}: {done.stderr}"
        assert run(f"by-cmake/{example}").returncode == 2, example
    assert not list(folder.glob("no*")), "a refused request left files"


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    build()
    succeed("foldout", "data", "swiss_roll", "-n", "800", "-o", "train.csv", "--truth", "all_truth.csv")
    (folder / "truth.csv").write_text("".join(",".join(row[:2]) + "\n" for row in rows((folder / "all_truth.csv").read_text())))
    succeed("foldout", "data", "swiss_roll", "-n", "40", "-o", "new.csv", "--seed", "1")
    with (folder / "new.csv").open("a") as file:
        file.write("100,100,100\n")  # nothing like a sample of the roll
    map_my_data()
    place_in_a_loop()
    place_as_they_arrive()
    coordinates_from_elsewhere()
    refuse()
print("the examples agree with the tool")
