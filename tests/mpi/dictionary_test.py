# SPDX-License-Identifier: Apache-2.0
"""foldout-mpi fit --dictionary: the bytes of the model are those of the single process, for any number of ranks and any cuts
of the shards."""
from runs import Case, cut, foldout, foldout_mpi, main, np, report_of

# Ranks, and where 15000 samples are cut: fewer shards than ranks, more, empty-handed ranks, cuts inside of parts.
RUNS = [(1, [4096]), (2, [100, 3000, 3001, 14999]), (3, []), (4, [6000, 9000])]


class Dictionary(Case):
    def check(self, samples, *spec, labels=None, runs=RUNS):
        single = self.folder / "single.model"
        np.save(self.folder / "all.npy", samples)
        one = list(spec)
        if labels is not None:
            (self.folder / "labels.txt").write_text("".join(f"{label}\n" for label in labels))
            one += ["--labels", self.folder / "labels.txt"]
        foldout("fit", self.folder / "all.npy", "-o", single, *one)
        for i, (n_ranks, cuts) in enumerate(runs):
            folder = self.folder / f"{len(list(self.folder.iterdir()))}"
            shards = cut(samples, folder, cuts, labels)
            given = list(spec) + (["--labels", folder / "labels-*.txt"] if labels is not None else [])
            shared = self.folder / f"shared-{i}.model"
            foldout_mpi(n_ranks, "fit", shards, "-o", shared, *given)
            self.assert_same_bytes(single, shared, f"{spec} on {n_ranks} ranks, cuts {cuts}")

    def test_lcdl(self):
        roll = self.data("swiss_roll", 15000, "--seed", 1)
        self.check(roll, "--method", "ltsa:n_neighbors=8", "--dictionary", "lcdl:n_atoms=150,max_iterations=6")

    def test_lcdl_with_given_codes_and_previous_atoms(self):
        roll = self.data("swiss_roll", 15000, "--seed", 2)
        self.check(roll, "--method", "lle", "--dictionary",
                   "lcdl:n_atoms=120,max_iterations=4,monotone=true,coding_tau=4,locality=0.1", runs=RUNS[1:3])

    def test_kmeans(self):
        roll = self.data("swiss_hole", 15000, "--seed", 3)
        self.check(roll, "--method", "isomap", "--dictionary", "kmeans:n_atoms=100,max_iterations=8,restarts=2")

    def test_clusters_that_become_empty(self):
        """Duplicates: most centres coincide and lose their samples."""
        samples = np.repeat(np.random.default_rng(0).normal(size=(300, 2)), 50, axis=0)
        np.random.default_rng(1).shuffle(samples)
        self.check(samples, "--method", "ltsa:n_neighbors=8", "--dictionary",
                   "kmeans:n_atoms=250,max_iterations=5", runs=RUNS[1:3])

    def test_random_with_another_extension_and_labels(self):
        roll = self.data("swiss_roll", 15000, "--seed", 4)
        labels = np.where(roll[:, 1] > 10, "high", "low")
        self.check(roll, "--method", "lda", "--dictionary", "random:n_atoms=80", "--extension", "rbf", labels=labels)

    def test_lcc(self):
        roll = self.data("swiss_roll", 15000, "--seed", 5)
        self.check(roll, "--method", "laplacian_eigenmaps", "--dictionary", "lcc:n_atoms=60,max_iterations=2",
                   runs=RUNS[1:3])

    def test_many_features_after_fixed_steps(self):
        samples = np.random.default_rng(2).normal(size=(15000, 60)) + 3
        self.check(samples, "--preprocess", "unit_norm", "--preprocess", "random_projection:n_components=20", "--method",
                   "pca", "--dictionary", "lcdl:n_atoms=64,max_iterations=3", runs=RUNS[1:3])

    def test_fewer_parts_than_ranks(self):
        roll = self.data("swiss_roll", 3500, "--seed", 6)
        self.check(roll, "--method", "ltsa:n_neighbors=8", "--dictionary", "lcdl:n_atoms=100,max_iterations=4",
                   runs=[(4, [700])])

    def test_coordinates_of_each_shard(self):
        roll = self.data("swiss_roll", 15000, "--seed", 7)
        spec = ("--method", "ltsa:n_neighbors=8", "--dictionary", "lcdl:n_atoms=100,max_iterations=3")
        foldout("fit", self.folder / "all.npy", "-o", self.folder / "m", "--embedding", self.folder / "y.npy", *spec)
        shards = cut(roll, self.folder / "shards", [4000, 4500])
        report = report_of(foldout_mpi(2, "fit", shards, "-o", self.folder / "n", "--embedding", self.folder / "out",
                                       "--json", *spec))
        self.assertEqual(report["n_samples"], 15000)
        parts = [np.load(self.folder / "out" / f"part-{i:02}.npy") for i in range(3)]
        self.assertEqual([len(part) for part in parts], [4000, 500, 10500])
        np.testing.assert_array_equal(np.concatenate(parts), np.load(self.folder / "y.npy"))


class Formats(Case):
    def test_tables_with_labels(self):
        roll = self.data("swiss_roll", 5000, "--seed", 1)
        lines = [f"{x!r},{y!r},{z!r},{'ab'[i % 2]}\n" for i, (x, y, z) in enumerate(roll.tolist())]
        header = "x,y,z,class\n"
        (self.folder / "all.csv").write_text(header + "".join(lines))
        (self.folder / "shards").mkdir()
        for i, (begin, end) in enumerate([(0, 1700), (1700, 5000)]):
            (self.folder / "shards" / f"{i}.csv").write_text(header + "".join(lines[begin:end]))
        spec = ("--method", "ltsa:n_neighbors=8", "--dictionary", "lcdl:n_atoms=80,max_iterations=3")
        foldout("fit", self.folder / "all.csv", "-o", self.folder / "a", *spec)
        foldout_mpi(3, "fit", self.folder / "shards" / "*.csv", "-o", self.folder / "b", *spec)
        self.assert_same_bytes(self.folder / "a", self.folder / "b")

    def test_idx_and_arrays_of_images(self):
        images = np.random.default_rng(0).integers(0, 256, size=(600, 6, 5), dtype=np.uint8)
        np.save(self.folder / "all.npy", images)
        (self.folder / "shards").mkdir()
        np.save(self.folder / "shards" / "a.npy", images[:250])
        header = bytes([0, 0, 8, 3]) + b"".join(n.to_bytes(4, "big") for n in (350, 6, 5))
        (self.folder / "shards" / "b-idx3-ubyte").write_bytes(header + images[250:].tobytes())
        spec = ("--method", "pca", "--dictionary", "kmeans:n_atoms=30,max_iterations=3")
        foldout("fit", self.folder / "all.npy", "-o", self.folder / "a", *spec)
        foldout_mpi(2, "fit", self.folder / "shards" / "*", "-o", self.folder / "b", *spec)
        self.assert_same_bytes(self.folder / "a", self.folder / "b")

    def test_folders_of_images(self):
        rng = np.random.default_rng(0)
        for shard, count in (("s1", 40), ("s2", 25)):
            for i in range(count):
                folder = self.folder / "shards" / shard / f"person{i % 3}"
                folder.mkdir(parents=True, exist_ok=True)
                pixels = rng.integers(0, 256, size=(4, 5), dtype=np.uint8)
                (folder / f"{i:02}.pgm").write_bytes(b"P5 5 4 255\n" + pixels.tobytes())
        foldout_mpi(2, "fit", self.folder / "shards" / "*", "-o", self.folder / "m", "--method", "lda",
                    "--dictionary", "random:n_atoms=40")
        placed = self.folder / "y.npy"
        foldout("transform", self.folder / "m", self.folder / "shards" / "s2", "-o", placed)
        self.assertEqual(np.load(placed).shape[0], 25)


class Refusals(Case):
    SPEC = ("--method", "ltsa:n_neighbors=8", "--dictionary", "lcdl:n_atoms=50,max_iterations=3")

    def setUp(self):
        super().setUp()
        self.roll = self.data("swiss_roll", 3000)
        self.shards = cut(self.roll, self.folder / "shards", [400, 800, 1200, 1600, 2000, 2500])

    def fit(self, *spec, n_ranks=3, shards=None):
        done = foldout_mpi(n_ranks, "fit", shards or self.shards, "-o", self.folder / "model", *spec, check=False)
        self.assertFalse((self.folder / "model").exists())
        return done

    def test_bad_shards(self):
        shard = self.folder / "shards" / "part-06.npy"
        good = np.load(shard)
        bad = good.copy()
        bad[3, 2] = np.inf
        np.save(shard, bad)
        self.assert_refused(self.fit(*self.SPEC), "part-06.npy", "3")
        np.save(shard, good[:, 1:])
        self.assert_refused(self.fit(*self.SPEC), "part-06.npy", "2 features")
        huge = good.copy()
        huge[3, 2] = 1e200  # finite, but not its square
        np.save(shard, huge)
        self.assert_refused(self.fit(*self.SPEC), "magnitudes", "1e+200")
        shard.write_bytes(b"nothing")
        self.assert_refused(self.fit(*self.SPEC), "part-06.npy")

    def test_labels(self):
        for i in range(6):
            (self.folder / f"l{i}.txt").write_text("a\n")
        self.assert_refused(self.fit(*self.SPEC, "--labels", self.folder / "l*.txt"), "6 files", "7 shards")
        (self.folder / "l6.txt").write_text("a\n")
        self.assert_refused(self.fit(*self.SPEC, "--labels", self.folder / "l*.txt"), "1 labels", "400 samples")

    def test_components_that_need_all_samples_at_once(self):
        learn = "max_iterations=2,n_atoms=20"
        for spec, word in [(("--dictionary", f"ksvd:{learn}"), "ksvd"), (("--dictionary", f"llc:{learn}"), "llc"),
                           (("--dictionary", f"lcdl:{learn},outliers=5"), "outliers"),
                           (("--dictionary", f"lcdl:{learn},batch_size=100"), "batch_size"),
                           (("--dictionary", f"lcdl:{learn},atom_coordinates=samples"), "atom_coordinates"),
                           (("--dictionary", f"lcdl:{learn}", "--preprocess", "center"), "center")]:
            self.assert_refused(self.fit("--method", "ltsa:n_neighbors=8", *spec, n_ranks=2), word)

    def test_too_many_atoms(self):
        self.assert_refused(self.fit("--method", "ltsa", "--dictionary", "lcdl:n_atoms=4000"), "4000", "3000")


main()
