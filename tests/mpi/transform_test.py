# SPDX-License-Identifier: Apache-2.0
"""foldout-mpi transform: every shard's output has the bits of the single process; bad input is an error of all ranks."""
import os
import time

from runs import Case, cut, foldout, foldout_mpi, main, np, report_of


class Transform(Case):
    def setUp(self):
        super().setUp()
        self.samples = self.data("swiss_roll", 3000, "--seed", 3)
        self.model = self.folder / "model"
        np.save(self.folder / "train.npy", self.samples[:300])
        foldout("fit", self.folder / "train.npy", "-o", self.model, "--method", "ltsa")
        foldout("transform", self.model, self.folder / "all.npy", "-o", self.folder / "placed.npy")
        self.placed = np.load(self.folder / "placed.npy")

    def outputs(self, out):
        return np.concatenate([np.load(path) for path in sorted(out.glob("*.npy"))])

    def test_same_bits_for_any_number_of_ranks_and_shards(self):
        for n_ranks, cuts in [(1, [100]), (2, [1, 1000, 1700, 2999]), (3, []), (4, [2000, 2100])]:
            out = self.folder / f"out-{n_ranks}"
            shards = cut(self.samples, self.folder / f"shards-{n_ranks}", cuts)
            report = report_of(foldout_mpi(n_ranks, "transform", self.model, shards, "-o", out, "--json"))
            self.assertEqual(report["n_samples"], 3000)
            self.assertEqual(report["n_shards"], len(cuts) + 1)
            np.testing.assert_array_equal(self.outputs(out), self.placed)

    def test_tables_and_arrays_may_be_mixed_and_ids_stay(self):
        folder = self.folder / "mixed"
        cut(self.samples, folder, [1500])
        (folder / "part-01.npy").unlink()
        lines = [f"s{i},{','.join(map(repr, row))}\n" for i, row in enumerate(self.samples[1500:].tolist())]
        (folder / "part-01.csv").write_text("id,x,y,z\n" + "".join(lines))
        out = self.folder / "out"
        foldout_mpi(2, "transform", self.model, folder / "part-*", "-o", out, "--format", "csv")
        self.assertEqual((out / "part-01.csv").read_text().splitlines()[1].split(",")[0], "s0")
        placed = [np.loadtxt(out / "part-00.csv", delimiter=",", skiprows=1),
                  np.loadtxt(out / "part-01.csv", delimiter=",", skiprows=1, usecols=(1, 2))]
        np.testing.assert_array_equal(np.concatenate(placed), self.placed)

    def test_finished_shards_are_kept(self):
        shards = cut(self.samples, self.folder / "shards", [1000, 2000])
        out = self.folder / "out"
        foldout_mpi(2, "transform", self.model, shards, "-o", out)
        (out / "part-01.npy").unlink()
        before = {name: os.stat(out / name).st_mtime_ns for name in ("part-00.npy", "part-02.npy")}
        report = report_of(foldout_mpi(3, "transform", self.model, shards, "-o", out, "--json"))
        self.assertEqual((report["n_shards_kept"], report["n_samples"]), (2, 1000))
        self.assertEqual(before, {name: os.stat(out / name).st_mtime_ns for name in before})
        np.testing.assert_array_equal(self.outputs(out), self.placed)
        # A shard that changed since is placed again.
        time.sleep(0.02)
        np.save(self.folder / "shards" / "part-00.npy", self.samples[:1000][::-1])
        report = report_of(foldout_mpi(2, "transform", self.model, shards, "-o", out, "--json"))
        self.assertEqual(report["n_shards_kept"], 2)
        np.testing.assert_array_equal(np.load(out / "part-00.npy"), self.placed[:1000][::-1])

    def test_coordinates_of_another_model_are_not_kept(self):
        shards = cut(self.samples, self.folder / "shards", [1000])
        foldout_mpi(2, "transform", self.model, shards, "-o", self.folder / "out")
        other = self.folder / "other"
        foldout("fit", self.folder / "train.npy", "-o", other, "--method", "lle")
        done = foldout_mpi(2, "transform", other, shards, "-o", self.folder / "out", check=False)
        self.assert_refused(done, "another model", "empty directory")

    def test_bad_input_of_one_rank_is_one_error_of_all(self):
        folder = self.folder / "shards"
        shards = cut(self.samples, folder, [500, 1000, 1500, 2000, 2500])
        good = np.load(folder / "part-04.npy")

        bad = good.copy()
        bad[17, 1] = np.nan
        np.save(folder / "part-04.npy", bad)
        start = time.monotonic()
        self.assert_refused(foldout_mpi(3, "transform", self.model, shards, "-o", self.folder / "a", check=False),
                            "part-04.npy", "17")
        self.assertLess(time.monotonic() - start, 10)
        self.assertFalse((self.folder / "a" / "part-04.npy").exists())

        np.save(folder / "part-04.npy", good[:, :2])
        self.assert_refused(foldout_mpi(3, "transform", self.model, shards, "-o", self.folder / "b", check=False),
                            "part-04.npy", "2", "3")

        (folder / "part-04.npy").write_bytes(b"\x93NUMPY damaged")
        self.assert_refused(foldout_mpi(3, "transform", self.model, shards, "-o", self.folder / "c", check=False),
                            "part-04.npy")

    def test_wrong_requests(self):
        shards = cut(self.samples, self.folder / "shards", [])
        self.assert_refused(foldout_mpi(2, "transform", self.model, self.folder / "none-*", "-o", self.folder / "o",
                                        check=False), "none-*", "no shard")
        self.assert_refused(foldout_mpi(2, "transform", self.folder / "nothing", shards, "-o", self.folder / "o",
                                        check=False), "nothing")
        self.assert_refused(foldout_mpi(2, "transform", self.model, shards, "-o", self.folder / "o", "--format", "mat",
                                        check=False), "--format", "npy")
        self.assert_refused(foldout_mpi(2, "transfrom", self.model, check=False), "transform")
        twin = self.folder / "twin"
        cut(self.samples, twin, [])
        self.assert_refused(foldout_mpi(2, "transform", self.model, shards, twin / "part-*.npy", "-o", self.folder / "o",
                                        check=False), "part-00.npy", "rename")


main()
