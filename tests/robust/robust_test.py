#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hard data, random requests: no signal, no hang, no value that is not finite, no unreadable model, no broken promise, no
refusal without a remedy. `make robust` runs it for an hour, the tests run a sample.

usage: robust_test.py TOOL [--cases N] [--first SEED] [--seconds S] [--jobs J] [--verbose]
A case is repeated by its seed: --first SEED --cases 1 --verbose."""
import argparse
import collections
import concurrent.futures
import pathlib
import tempfile
import time

try:
    from case import Case
except ImportError:
    print("skipped: needs numpy (python3-numpy)")
    raise SystemExit(77)
from specs import Components


def judged(tool, components, seed):
    with tempfile.TemporaryDirectory() as folder:
        case = Case(tool, components, seed, folder)
        began = time.monotonic()
        outcome = case.check()
        return seed, str(case), outcome, case.problems, time.monotonic() - began


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    tool = pathlib.Path(arguments.tool).resolve()
    components = Components(tool)
    began, outcomes, failed = time.monotonic(), collections.Counter(), 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        seeds = iter(range(arguments.first, arguments.first + arguments.cases))
        waiting = set()
        while True:
            while len(waiting) < 2 * arguments.jobs and time.monotonic() - began < arguments.seconds:
                if (seed := next(seeds, None)) is None:
                    break
                waiting.add(pool.submit(judged, tool, components, seed))
            if not waiting:
                break
            done, waiting = concurrent.futures.wait(waiting, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                seed, text, outcome, problems, seconds = future.result()
                outcomes[outcome] += 1
                failed += bool(problems)
                if problems or arguments.verbose:
                    print(f"{seed} ({seconds:.1f} s) {text}\n  " + "\n  ".join([outcome, *problems]), flush=True)
    print(f"robust: {sum(outcomes.values())} cases ({outcomes['fitted']} fitted, {outcomes['refused']} refused), "
          f"{failed} failed")
    raise SystemExit(1 if failed else 0)


main()
