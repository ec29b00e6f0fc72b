# SPDX-License-Identifier: Apache-2.0
"""--solve distributed: eigenvalues and coordinates agree with the single process, and the residual is small beside the gap."""
from runs import Case, cut, foldout, foldout_mpi, main, np, report_of, tensors


class Distributed(Case):
    def check(self, samples, method, solver, ranks=(1, 2, 3), of_gap=1e-7):
        np.save(self.folder / "all.npy", samples)
        foldout("fit", self.folder / "all.npy", "-o", self.folder / "single", "--method", method)
        expected = tensors(self.folder / "single")
        shards = cut(samples, self.folder / f"{len(list(self.folder.iterdir()))}", [100, len(samples) // 2])
        for n_ranks in ranks:
            report = report_of(foldout_mpi(n_ranks, "fit", shards, "-o", self.folder / "shared", "--method", method,
                                           "--solve", "distributed", "--json"))
            self.assertEqual(report["facts"]["solver"], solver)
            self.assertLess(report["figures"]["residual_of_gap"], of_gap)
            found = tensors(self.folder / "shared")
            values, Y = expected["eigenvalues"], expected["coordinates"]
            np.testing.assert_allclose(found["eigenvalues"], values, rtol=1e-9, atol=1e-14)
            np.testing.assert_allclose(found["coordinates"], Y, rtol=0, atol=of_gap * np.abs(Y).max())

    def test_graphs_of_a_surface(self):
        roll = self.data("swiss_roll", 6000, "--seed", 1)
        self.check(roll, "laplacian_eigenmaps:n_components=3", "slepc_jacobi_davidson")
        self.check(roll, "diffusion_maps:n_components=2", "slepc_jacobi_davidson", ranks=(2,))

    def test_alignment_matrices(self):
        """Their smallest eigenvalues are near 1e-9 of the largest: rounding alone leaves a residual of 1e-6 of the gap."""
        roll = self.data("swiss_roll", 4000, "--seed", 2)
        for method in ("lle:n_neighbors=12", "ltsa:n_neighbors=8", "hessian_lle:n_neighbors=8"):
            with self.subTest(method):
                self.check(roll, method, "slepc_shift_invert", ranks=(2,), of_gap=1e-5)

    def test_a_mixture_of_many_features(self):
        rng = np.random.default_rng(0)
        samples = 2 * rng.normal(size=(6, 30))[rng.integers(0, 6, 3000)] + rng.normal(size=(3000, 30))
        self.check(samples, "laplacian_eigenmaps:n_components=5,n_neighbors=15", "slepc_krylov_schur")

    def test_small_problems_are_solved_by_rank_0(self):
        roll = self.data("swiss_roll", 500)
        shards = cut(roll, self.folder / "shards", [100])
        foldout("fit", self.folder / "all.npy", "-o", self.folder / "a", "--method", "ltsa")
        foldout_mpi(2, "fit", shards, "-o", self.folder / "b", "--method", "ltsa", "--solve", "distributed")
        self.assert_same_bytes(self.folder / "a", self.folder / "b")


main()
