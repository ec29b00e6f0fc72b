# SPDX-License-Identifier: Apache-2.0
"""The command line: python3 -m reproduce [NAME …]."""
import os

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):  # before numpy is loaded: cells share the cores
    os.environ[variable] = "1"

import argparse  # noqa: E402
import pathlib  # noqa: E402
import sys  # noqa: E402

try:
    from . import data, engine, report  # noqa: E402
except ImportError as error:
    print(f"reproduce: {error}; it needs numpy, scipy, scikit-learn and the package foldout (make build, PYTHONPATH=build/python)",
          file=sys.stderr)
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parent.parent


def arguments(given):
    parser = argparse.ArgumentParser(prog="python3 -m reproduce", description="Tables, figures and claims of the papers.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="an experiment, or the first part of its name; none: all")
    parser.add_argument("--list", action="store_true", help="list the experiments and what each needs")
    parser.add_argument("--quick", action="store_true", help="fewer seeds and smaller data: at most 30 s each")
    parser.add_argument("-o", "--output", type=pathlib.Path, default=pathlib.Path("reproduction"), metavar="DIR",
                        help="results and finished cells (default: reproduction)")
    parser.add_argument("--data", type=pathlib.Path, default=engine.default_data(), metavar="DIR",
                        help="data sets, NAME_X.npy with NAME_y.npy, or folders of images (default: $FOLDOUT_DATA)")
    parser.add_argument("--set", metavar="NAME", help="use this data set in place of those of the paper")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="processes (default: all cores)")
    parser.add_argument("--again", action="store_true", help="compute finished cells again")
    parser.add_argument("--docs", action="store_true",
                        help="write docs/reproduction.md from the results in DIR, and run nothing")
    parser.add_argument("--check", action="store_true", help="compare the figures quoted in docs/ with docs/reproduction.json")
    parser.add_argument("-q", "--silent", action="store_true", help="no progress")
    parser.add_argument("--trace", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args(given)


def show_list():
    for entry in engine.load_all().values():
        print(f"{entry['name']:<26} {entry['title']}" + (f"  [{entry['needs']}]" if entry["needs"] else ""))


def run_all(options):
    """Runs the experiments; the number of those with failed cells."""
    failed = 0
    for entry in engine.selected(options.names):
        result = engine.run_experiment(entry, options)
        report.save(result, options.output)
        verdicts = [claim["verdict"] for claim in result["claims"]]
        print(f"{entry['name']}: {verdicts.count('holds')} hold, {verdicts.count('does not hold')} do not hold, "
              f"{verdicts.count('cannot be tested')} cannot be tested; {result['seconds']:.0f} s; {options.output / entry['name']}.md",
              flush=True)
        for error in result["errors"]:
            print(f"  failed: {error}", file=sys.stderr)
        failed += bool(result["errors"])
    return failed


def main(given=None):
    options = arguments(given)
    options.data = options.data.resolve()
    if options.list:
        show_list()
        return 0
    if options.check:
        engine.load_all()
        wrong = report.check_docs(ROOT)
        print("\n".join(wrong) or "docs: the quoted figures are those of docs/reproduction.json")
        return 1 if wrong else 0
    if options.docs:
        engine.load_all()
        report.write_docs(report.stored(options.output), ROOT)
        return 0
    if options.set and not data.exists(options.set, options.data):
        raise SystemExit(f"reproduce: {options.data} has neither {options.set}_X.npy nor a folder {options.set}")
    return 1 if run_all(options) else 0


if __name__ == "__main__":
    sys.exit(main())
