# SPDX-License-Identifier: Apache-2.0
"""What the tests of foldout-mpi share: runs of both programs, and data cut into shards."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy as np
except ImportError:
    print("skipped: numpy is missing")
    sys.exit(77)

TOOL, MPI = sys.argv[1:3] if len(sys.argv) > 2 else (None, None)


def foldout(*arguments, check=True):
    done = subprocess.run([TOOL, *map(str, arguments)], capture_output=True, text=True, timeout=300)
    if check and done.returncode != 0:
        raise AssertionError(f"foldout {arguments}: {done.stderr}")
    return done


def foldout_mpi(n_ranks, *arguments, check=True, timeout=120):
    done = subprocess.run(["mpirun", "-n", str(n_ranks), MPI, *map(str, arguments)], capture_output=True, text=True,
                          timeout=timeout)
    if check and done.returncode != 0:
        raise AssertionError(f"foldout-mpi {arguments} on {n_ranks} ranks: {done.stderr}")
    return done


def report_of(done):
    return json.loads(done.stdout)


def tensors(model):
    """The arrays of a model file, which is a safetensors file."""
    data = pathlib.Path(model).read_bytes()
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8:8 + size])
    types = {"F64": "<f8", "I64": "<i8", "I32": "<i4", "U8": "u1", "F32": "<f4"}
    arrays = {}
    for name, entry in header.items():
        if name != "__metadata__":
            begin, end = (8 + size + offset for offset in entry["data_offsets"])
            arrays[name] = np.frombuffer(data[begin:end], types[entry["dtype"]]).reshape(entry["shape"])
    return arrays


def cut(samples, folder, cuts, labels=None):
    """Writes samples[…:cuts[0]], samples[cuts[0]:cuts[1]], … as shards; returns the pattern of their names."""
    folder.mkdir(parents=True)
    edges = [0, *cuts, len(samples)]
    for i, (begin, end) in enumerate(zip(edges, edges[1:])):
        np.save(folder / f"part-{i:02}.npy", samples[begin:end])
        if labels is not None:
            (folder / f"labels-{i:02}.txt").write_text("".join(f"{label}\n" for label in labels[begin:end]))
    return str(folder / "part-*.npy")


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def data(self, name, n, *options):
        path = self.folder / "all.npy"
        foldout("data", name, "-n", n, "-o", path, *options)
        return np.load(path)

    def assert_same_bytes(self, a, b, message=None):
        self.assertEqual(pathlib.Path(a).read_bytes(), pathlib.Path(b).read_bytes(), message)

    def assert_refused(self, done, *words):
        """One message, exit status 2."""
        self.assertEqual(done.returncode, 2, done.stderr)
        lines = [line for line in done.stderr.splitlines() if line.startswith("foldout")]
        self.assertEqual(len(lines), 1, done.stderr)
        for word in words:
            self.assertIn(word, lines[0])


def main():
    unittest.main(argv=sys.argv[:1])
