# SPDX-License-Identifier: Apache-2.0
"""foldout-mpi fit without a dictionary: neighbours are searched by all ranks, the rest is done by rank 0, and the bytes of
the model are those of the single process."""
from runs import Case, cut, foldout, foldout_mpi, main, np


class Graph(Case):
    def check(self, samples, *spec, ranks=(2, 3, 4)):
        np.save(self.folder / "all.npy", samples)
        foldout("fit", self.folder / "all.npy", "-o", self.folder / "single", *spec)
        for n_ranks in ranks:
            folder = self.folder / f"{len(list(self.folder.iterdir()))}"
            shards = cut(samples, folder, [len(samples) // 3, len(samples) - 10])
            foldout_mpi(n_ranks, "fit", shards, "-o", self.folder / "shared", *spec)
            self.assert_same_bytes(self.folder / "single", self.folder / "shared", f"{spec} on {n_ranks} ranks")

    def test_methods_on_a_surface(self):
        roll = self.data("swiss_roll", 3000, "--seed", 1)
        for method in ("laplacian_eigenmaps", "diffusion_maps", "lle:n_neighbors=12", "ltsa:n_neighbors=8",
                       "hessian_lle:n_neighbors=8"):
            with self.subTest(method):
                self.check(roll, "--method", method, ranks=(1, 3))
        self.check(roll, "--method", "laplacian_eigenmaps:graph=mutual,n_neighbors=8", ranks=(2, 4))

    def test_methods_that_share_only_the_neighbors(self):
        roll = self.data("swiss_roll", 2500, "--seed", 2)
        for method in ("isomap", "lpp", "npe", "snppe"):
            with self.subTest(method):
                self.check(roll, "--method", method, ranks=(2,))

    def test_many_features_in_a_ring(self):
        rng = np.random.default_rng(0)
        samples = rng.normal(size=(4, 30))[rng.integers(0, 4, 2600)] + 0.3 * rng.normal(size=(2600, 30))
        self.check(samples, "--method", "laplacian_eigenmaps:n_neighbors=15")
        self.check(samples, "--method", "laplacian_eigenmaps:n_neighbors=15,metric=cosine", ranks=(3,))
        self.check(samples[:, :6], "--method", "laplacian_eigenmaps:metric=manhattan", ranks=(3,))

    def test_ties_on_a_grid(self):
        """Equal distances, and distances whose squares differ in the last bit."""
        axis = np.arange(60) * 0.1
        grid = np.array([(x, y, 0.3) for x in axis for y in axis])
        np.random.default_rng(0).shuffle(grid)
        self.check(grid, "--method", "laplacian_eigenmaps:n_neighbors=9")
        wide = np.hstack([grid, np.zeros((len(grid), 9))])
        self.check(wide, "--method", "laplacian_eigenmaps:n_neighbors=9")

    def test_duplicates_and_separate_clusters(self):
        rng = np.random.default_rng(0)
        samples = np.concatenate([rng.normal(size=(1500, 3)), rng.normal(size=(1500, 3)) + 50])
        samples = np.concatenate([samples, samples[:400]])
        rng.shuffle(samples)
        self.check(samples, "--method", "lle:n_neighbors=10")
        self.check(samples, "--method", "laplacian_eigenmaps:components=largest", ranks=(2,))

    def test_one_far_sample_and_a_line(self):
        """Boxes of bisection without samples: all but two coordinates are equal."""
        samples = np.zeros((2100, 2))
        samples[:, 0] = np.arange(2100) % 3 + 1e-9 * np.arange(2100)
        samples[0] = 1e6
        self.check(samples, "--method", "laplacian_eigenmaps:n_neighbors=5,weights=binary", ranks=(4,))

    def test_classifier_and_labels(self):
        roll = self.data("swiss_roll", 2200, "--seed", 3)
        np.save(self.folder / "all.npy", roll)
        labels = ["a" if y > 10 else "b" for y in roll[:, 1]]
        spec = ("--method", "ltsa", "--classifier", "svm")
        (self.folder / "y.txt").write_text("".join(f"{label}\n" for label in labels))
        foldout("fit", self.folder / "all.npy", "-o", self.folder / "a", "--labels", self.folder / "y.txt", *spec)
        shards = cut(roll, self.folder / "shards", [1000], labels)
        foldout_mpi(2, "fit", shards, "-o", self.folder / "b", "--labels", self.folder / "shards" / "labels-*", *spec)
        self.assert_same_bytes(self.folder / "a", self.folder / "b")

    def test_errors_of_rank_0_end_all(self):
        roll = self.data("swiss_roll", 2200)
        shards = cut(roll, self.folder / "shards", [1000])
        for spec, words in [(("--method", "lda"), ("labels",)), (("--method", "lle:n_neighbors=2300"), ("2300",)),
                            (("--method", "lle", "--solve", "leaf"), ("--solve", "distributed")),
                            (("--method", "pca", "--solve", "distributed"), ("--solve", "ltsa"))]:
            done = foldout_mpi(3, "fit", shards, "-o", self.folder / "m", *spec, check=False)
            self.assert_refused(done, *words)
            self.assertFalse((self.folder / "m").exists())

    def test_a_sample_without_direction_is_named_by_its_row(self):
        roll = self.data("swiss_roll", 2200)
        roll[1700] = 0
        np.save(self.folder / "all.npy", roll)
        spec = ("--method", "lle:metric=cosine")
        single = foldout("fit", self.folder / "all.npy", "-o", self.folder / "m", *spec, check=False)
        shards = cut(roll, self.folder / "shards", [1000])
        self.assert_refused(foldout_mpi(3, "fit", shards, "-o", self.folder / "m", *spec, check=False), "1700",
                            single.stderr.splitlines()[0])


main()
