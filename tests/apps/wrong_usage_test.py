#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What people type wrong. Each request is refused, its message names the thing and the remedy, no file is touched, and what
the message advises works.

usage: wrong_usage_test.py TOOL; the cases are in wrong_usages.py"""
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

from wrong_usages import CASES, COMMAND, WRITTEN

TOOL = pathlib.Path(sys.argv[1]).resolve()


def run(arguments):
    return subprocess.run([TOOL, *arguments], capture_output=True, text=True)


def make_inputs():
    for command in ["data gaussian -n 40 -o x.npy", "data gaussian -n 10 -o new.npy --seed 1",
                    "data faces:size=8,n_people=4 -n 40 -o wide.npy --labels who.txt",
                    "fit x.npy -o pca.model --method pca --embedding map.npy",
                    "fit x.npy -o ltsa.model --method ltsa:n_neighbors=8",
                    "fit x.npy -o linear.model --method lle --extension linear",
                    "fit wide.npy -o faces.model --method pca --labels who.txt"]:
        assert run(command.split()).returncode == 0, command
    for name, text in {"three.txt": "a\nb\nc\n", "three.csv": "1,2\n3,4\n5,7\n", "empty.csv": "", "header.csv": "a,b,c\n",
                       "nan.csv": "1,2\n3,nan\n5,6\n", "missing.csv": "1,2\n3,\n5,6\n", "ragged.csv": "1,2,3\n4,5\n6,7,8\n",
                       "words.csv": "a,b,c\n1,2,x\n4,five,y\n6,7,z\n", "comma.csv": "1,5;2,5\n3,5;4,5\n2,5;1,0\n",
                       "junk.model": "this is not a model", "table.xlsx": "PK\x03\x04"}.items():
        pathlib.Path(name).write_text(text)
    for name in ("pca.model", "x.npy"):
        pathlib.Path("cut" + pathlib.Path(name).suffix).write_bytes(pathlib.Path(name).read_bytes()[:-50])
    pathlib.Path("pictures").mkdir()
    for size in (8, 9):
        pathlib.Path(f"pictures/{size}.pgm").write_bytes(b"P5 %d %d 255\n" % (size, size) + bytes(size * size))
    for name in ("umap.npy", "tsne.npy", "trimap.npy", "autoencoder.npy"):  # as those programs would write them
        shutil.copy("map.npy", name)
    shutil.copy("x.npy", "my samples.npy")


def state(folder):
    return {str(file): hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else ""
            for file in sorted(folder.rglob("*"))}


def corrected(command, message, how):
    """The command as the message says it should be."""
    arguments = shlex.split(command)
    if how == COMMAND:
        return shlex.split(re.findall(r"foldout (.*)", message)[-1])
    if how != WRITTEN:
        return shlex.split(how)
    if found := re.search(r"write (--[a-z]+) (\S+)", message):  # a key given as an option
        unknown = re.search(r"no option (\S+?):", message)[1]
        at = next(i for i, word in enumerate(arguments) if word.split("=")[0] == unknown)
        del arguments[at:at + (1 if "=" in arguments[at] else 2)]
        arguments[arguments.index(found[1]) + 1] = found[2]
        return arguments
    if found := re.search(r"'(\S+)' lacks the colon after the name: write (\S+)", message):
        return [found[2] if word == found[1] else word for word in arguments]
    if found := re.search(r"no option (\S+): did you mean (\S+)\?", message):
        return [found[2] if word == found[1] else word for word in arguments]
    wrong, right = re.search(r"'([^']+)'[^']*did you mean '([^']+)'\?", message).groups()
    return [re.sub(rf"\b{re.escape(wrong)}\b", right, word) for word in arguments]


def problems_of(command, words, remedy):
    before = state(pathlib.Path("."))
    takes_json = command.split()[0] not in ("help", "completion", "--json")
    verb, *rest = shlex.split(command)
    refused = run([verb, *(["--json"] if takes_json else []), *rest])
    message = refused.stderr.removeprefix("foldout: ").rstrip("\n")
    if refused.returncode != 2:
        yield f"exit status {refused.returncode}"
    yield from (f"the message lacks: {word}" for word in words if word not in message)
    if state(pathlib.Path(".")) != before:
        yield "files were touched"
    if takes_json:
        error = json.loads(refused.stdout)["error"]
        if error["message"] != message or error["kind"] not in ("invalid_argument", "io"):
            yield f"with --json: {error}"
        if not error["remedy"] or not message.endswith(error["remedy"]):
            yield f"the remedy with --json is '{error['remedy']}'"
    if remedy:
        advised = corrected(command, message, remedy)
        with tempfile.TemporaryDirectory() as copy:  # results of a remedy must not help another case
            shutil.copytree(".", copy, dirs_exist_ok=True)
            done = subprocess.run([TOOL, *advised], cwd=copy, capture_output=True, text=True)
        if done.returncode != 0:
            yield f"the remedy fails: foldout {shlex.join(advised)}\n    {done.stderr}"
    if refused.stderr.count("foldout: ") != 1:
        yield "not one message"


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as folder:

        os.chdir(folder)
        make_inputs()
        for command, words, remedy in CASES:
            if found := list(problems_of(command, words, remedy)):
                failed += 1
                print(f"foldout {command}\n  {run(shlex.split(command)).stderr}  " + "\n  ".join(found))
        os.chdir("/")
    print(f"wrong usage: {len(CASES)} cases, {failed} failed")
    sys.exit(1 if failed else 0)


main()
