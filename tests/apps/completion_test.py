#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The completion scripts: every verb and option is in them, and bash completes as its users expect.

usage: completion_test.py TOOL"""
import re
import shutil
import subprocess
import sys

TOOL = sys.argv[1]
problems = []


def output(*arguments):
    return subprocess.run([TOOL, *arguments], capture_output=True, text=True, check=True).stdout


def expect(condition, problem):
    if not condition:
        problems.append(problem)


def options_of(verb):
    lines = [line for line in output("help", verb).splitlines() if re.match(r"  -", line)]
    return {flag for line in lines for flag in re.findall(r"(?<=[ ,])--?[a-zA-Z][a-z-]*", line[:34])}


def complete(*words):
    """What bash offers for the last of the words."""
    script = 'source <("$0" completion bash); COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _foldout; echo "${COMPREPLY[@]}"'
    return set(subprocess.run(["bash", "-c", script, TOOL, *words], capture_output=True, text=True, check=True).stdout.split())


verbs = re.findall(r"^  ([a-z]+) ", output("help").split("Subcommands:")[1], re.M)
expect({"fit", "transform", "score", "help", "completion"} <= set(verbs), f"verbs in help: {verbs}")
scripts = {shell: output("completion", shell) for shell in ("bash", "zsh", "fish")}
for verb in verbs:
    flags = options_of(verb)
    expect("--help" in flags, f"{verb}: options in help: {flags}")
    expect(complete("foldout", verb, "-") == flags, f"bash: {verb} -: {complete('foldout', verb, '-') ^ flags}")
    zsh = re.findall(rf"^ *{verb}\) compadd -- (-.*); return", scripts["zsh"], re.M)
    expect(zsh and set(zsh[0].split()) == flags, f"zsh: options of {verb}: {zsh}")
    expect(f"-a {verb} -d" in scripts["fish"], f"fish: no {verb}")
    fish = [line for line in scripts["fish"].splitlines() if f"_from {verb}'" in line]
    for flag in flags:
        spelling = f" -l {flag[2:]} " if flag.startswith("--") else f" -s {flag[1:]} "
        expect(any(spelling in line for line in fish), f"fish: no {verb} {flag}")
expect(" -l json -d" in scripts["fish"], "fish: --json takes no value")
expect(" -l output -r -F" in scripts["fish"], "fish: --output takes a file")

for words, offered in [(("foldout", "tr"), {"transform"}),
                       (("foldout", "fit", "x.npy", "--method", "la"), {"laplacian_eigenmaps", "landmark_isomap"}),
                       (("foldout", "fit", "x.npy", "--method", "=", "lap"), {"laplacian_eigenmaps"}),
                       (("foldout", "extend", "x", "y", "--extension", "nys"), {"nystrom"}),
                       (("foldout", "fit", "x", "--dictionary", "ks"), {"ksvd"}),
                       (("foldout", "fit", "x", "--preprocess", "stand"), {"standardize"}),
                       (("foldout", "classify", "m", "x", "--classifier", "s"), {"svm", "sparse"}),
                       (("foldout", "score", "tr"), {"trustworthiness"}),
                       (("foldout", "data", "swiss"), {"swiss_roll", "swiss_hole"}),
                       (("foldout", "methods", "isom"), {"isomap"}),
                       (("foldout", "help", "comp"), {"compare", "completion"}),
                       (("foldout", "completion", "z"), {"zsh"}),
                       (("foldout", "fit", "--labels", "x"), set()),
                       (("foldout", "fit", "x"), set())]:
    expect(complete(*words) == offered, f"bash: {' '.join(words)}: {complete(*words)}, expected {offered}")

for shell in ("zsh", "fish"):  # the scripts are at least valid where the shell is installed
    if shutil.which(shell):
        checked = subprocess.run([shell, "-n"], input=scripts[shell], capture_output=True, text=True)
        expect(checked.returncode == 0, f"{shell}: {checked.stderr}")

print("\n".join(problems) or f"completion: {len(verbs)} verbs in 3 shells")
sys.exit(1 if problems else 0)
