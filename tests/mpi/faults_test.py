# SPDX-License-Identifier: Apache-2.0
"""A rank that dies ends the run, with a message that names it, and leaves nothing that looks finished."""
import os
import pathlib
import signal
import subprocess
import time

from runs import MPI, Case, cut, foldout, foldout_mpi, main, np


def ranks_of(mpirun):
    """Process ids of the ranks, by rank: children of mpirun."""
    found = {}
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if int((process / "stat").read_text().rsplit(")", 1)[1].split()[1]) != mpirun.pid:
                continue
            environment = (process / "environ").read_bytes().split(b"\0")
            for entry in environment:
                if entry.startswith(b"OMPI_COMM_WORLD_RANK="):
                    found[int(entry.split(b"=")[1])] = int(process.name)
        except (OSError, IndexError):
            continue
    return found


class Faults(Case):
    def start(self, n_ranks, *arguments):
        process = subprocess.Popen(["mpirun", "-n", str(n_ranks), MPI, *map(str, arguments)], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(lambda: process.poll() is None and process.kill())
        deadline = time.monotonic() + 30
        while len(ranks_of(process)) < n_ranks and time.monotonic() < deadline:
            time.sleep(0.05)
        return process

    def kill(self, process, rank):
        os.kill(ranks_of(process)[rank], signal.SIGKILL)
        start = time.monotonic()
        _, errors = process.communicate(timeout=60)
        self.assertLess(time.monotonic() - start, 5)
        self.assertNotEqual(process.returncode, 0)
        self.assertIn(f"rank {rank}", errors)

    def test_a_killed_rank_ends_a_fit(self):
        samples = np.random.default_rng(0).normal(size=(60000, 40))
        shards = cut(samples, self.folder / "shards", [20000, 40000])
        before = set(self.folder.rglob("*"))
        process = self.start(3, "fit", shards, "-o", self.folder / "model", "--method", "ltsa", "--dictionary",
                             "lcdl:n_atoms=800,max_iterations=200,coding_tau=4,locality=0.1")
        time.sleep(3)
        self.assertIsNone(process.poll(), "the fit should take longer")
        self.kill(process, 1)
        time.sleep(1.5)
        self.assertEqual(set(self.folder.rglob("*")), before)

    def test_a_killed_rank_ends_a_transform_and_a_second_run_completes_it(self):
        samples = np.random.default_rng(0).normal(size=(40000, 30))
        shards = cut(samples, self.folder / "shards", list(range(500, 40000, 500)))
        model, out = self.folder / "model", self.folder / "out"
        foldout_mpi(2, "fit", shards, "-o", model, "--method", "pca", "--dictionary",
                    "random:n_atoms=2000", "--extension", "sparse")
        process = self.start(3, "transform", model, shards, "-o", out)
        deadline = time.monotonic() + 60
        while len(list(out.glob("part-*.npy"))) < 4 and time.monotonic() < deadline:
            time.sleep(0.02)
        self.kill(process, 2)
        time.sleep(1.5)
        finished = sorted(out.glob("*.npy"))
        self.assertGreaterEqual(len(finished), 4)
        for path in finished:
            self.assertEqual(np.load(path).shape, (500, 2))

    def test_a_fit_goes_on_from_its_checkpoint(self):
        """The same bytes as without an interruption, and without the iterations before it."""
        samples = np.random.default_rng(0).normal(size=(20000, 20))
        shards = cut(samples, self.folder / "shards", [7000, 14000])
        spec = ("--method", "ltsa", "--dictionary", "lcdl:n_atoms=400,max_iterations=60,coding_tau=4,locality=0.1")
        np.save(self.folder / "all.npy", samples)
        foldout("fit", self.folder / "all.npy", "-o", self.folder / "single", *spec)
        kept, model = self.folder / "kept", self.folder / "model"
        process = self.start(3, "fit", shards, "-o", model, "--checkpoint", kept, *spec)
        deadline = time.monotonic() + 60
        while not (kept / "atoms.npy").exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        self.kill(process, 2)
        self.assertFalse(model.exists())
        done = int(np.load(kept / "atoms.npy")[0, 0] - 2) // 2  # two numbers for each iteration, after two others
        self.assertGreater(done, 0)
        self.assertLess(done, 60)
        foldout_mpi(2, "fit", shards, "-o", model, "--checkpoint", kept, *spec)
        self.assert_same_bytes(self.folder / "single", model)
        self.assertEqual(np.load(kept / "atoms.npy")[0, 0], 2 + 2 * 60)
        # What is kept is used: other atoms lead to another model.
        state = np.load(kept / "atoms.npy")
        state[0, 3] += 0.01
        state[0, 0] -= 2
        np.save(kept / "atoms.npy", np.delete(state, [121, 122], axis=1))
        foldout_mpi(2, "fit", shards, "-o", self.folder / "other", "--checkpoint", kept, *spec)
        self.assertNotEqual(model.read_bytes(), (self.folder / "other").read_bytes())

    def test_neighbors_are_kept(self):
        roll = self.data("swiss_roll", 3000)
        shards = cut(roll, self.folder / "shards", [1000])
        foldout("fit", self.folder / "all.npy", "-o", self.folder / "single", "--method", "ltsa")
        kept = self.folder / "kept"
        for n_ranks in (3, 1, 2):
            foldout_mpi(n_ranks, "fit", shards, "-o", self.folder / "model", "--method", "ltsa", "--checkpoint", kept)
            self.assert_same_bytes(self.folder / "single", self.folder / "model")
        table = max(kept.glob("neighbors-*"), key=lambda path: path.stat().st_size)  # the other is that of confidence
        good = table.read_bytes()
        table.write_bytes(good[: 3000 * 4] + bytes(4) + good[3000 * 4 + 4:])  # another neighbour, if it is used
        foldout_mpi(2, "fit", shards, "-o", self.folder / "other", "--method", "ltsa", "--checkpoint", kept)
        self.assertNotEqual((self.folder / "other").read_bytes(), (self.folder / "single").read_bytes())
        table.write_bytes(good[:-8])  # cut off: searched again
        foldout_mpi(2, "fit", shards, "-o", self.folder / "model", "--method", "ltsa", "--checkpoint", kept)
        self.assert_same_bytes(self.folder / "single", self.folder / "model")

    def test_the_checkpoint_of_another_fit_is_refused(self):
        roll = self.data("swiss_roll", 3000)
        shards = cut(roll, self.folder / "shards", [1000])
        kept = self.folder / "kept"
        foldout_mpi(2, "fit", shards, "-o", self.folder / "m", "--method", "ltsa", "--checkpoint", kept)
        refused = foldout_mpi(2, "fit", shards, "-o", self.folder / "m", "--method", "lle", "--checkpoint", kept,
                              check=False)
        self.assert_refused(refused, "--checkpoint", "belongs to another")
        np.save(self.folder / "shards" / "part-00.npy", roll[:999])
        refused = foldout_mpi(2, "fit", shards, "-o", self.folder / "m", "--method", "ltsa", "--checkpoint", kept,
                              check=False)
        self.assert_refused(refused, "--checkpoint", "other data")
        refused = foldout_mpi(2, "fit", shards, "-o", self.folder / "m", "--method", "ltsa", "--dictionary",
                              "kmeans:n_atoms=20", "--checkpoint", self.folder / "k", check=False)
        self.assert_refused(refused, "--checkpoint", "kmeans")


main()
