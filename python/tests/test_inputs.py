# SPDX-License-Identifier: Apache-2.0
"""What may be given as samples, and what is refused."""
import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import scipy.sparse
from sklearn.exceptions import NotFittedError

import foldout

try:
    import pandas as pd
except ImportError:
    pd = None

ROLL = foldout.datasets.make_swiss_roll(400).data


class Inputs(unittest.TestCase):
    lle = foldout.LLE().fit(ROLL[:300])
    new = ROLL[300:]

    def test_order_and_type_do_not_matter(self):
        expected = self.lle.transform(self.new)
        for X in (np.asfortranarray(self.new), self.new.tolist(), self.new[::-1][::-1]):
            np.testing.assert_array_equal(self.lle.transform(X), expected)
        rounded = self.new.astype(np.float32)
        np.testing.assert_array_equal(self.lle.transform(rounded), self.lle.transform(rounded.astype(np.float64)))
        whole = self.new.astype(np.int16)
        np.testing.assert_array_equal(self.lle.transform(whole), self.lle.transform(whole.astype(np.float64)))
        np.testing.assert_array_equal(foldout.LLE().fit(np.asfortranarray(ROLL)).embedding_, foldout.LLE().fit(ROLL).embedding_)

    def test_blocks_of_converted_samples_give_the_same_bits(self):
        from foldout import _validation

        expected = self.lle.transform(self.new), self.lle.confidence(self.new), self.lle.codes(self.new).toarray()
        before, _validation.BLOCK_BYTES = _validation.BLOCK_BYTES, 17 * 24
        try:
            X = np.asfortranarray(self.new)
            self.assertEqual(len(_validation.blocks(X)), 6)
            found = self.lle.transform(X), self.lle.confidence(X), self.lle.codes(X).toarray()
        finally:
            _validation.BLOCK_BYTES = before
        for one, other in zip(expected, found):
            np.testing.assert_array_equal(one, other)

    @unittest.skipIf("ASAN_OPTIONS" in os.environ, "the sanitizer has memory of its own")
    def test_transform_does_not_copy_samples_in_c_order(self):
        """transform of samples of 160 MB needs less than 60 MB beside them."""
        script = """
import resource, numpy as np, foldout
X = np.ones((100000, 200))
pca = foldout.PCA().fit(np.random.RandomState(0).uniform(size=(300, 200)))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
pca.transform(X)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)
"""
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        self.assertLess(float(done.stdout), 60)

    @unittest.skipIf("ASAN_OPTIONS" in os.environ, "the sanitizer has memory of its own")
    def test_a_file_larger_than_memory_is_placed_from_its_map(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "large.npy")
            rows, width = 1_000_000, 100  # 800 MB of zeros, which the file system does not store
            header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({rows}, {width}), }}".ljust(117) + "\n"
            with open(path, "wb") as file:
                file.write(b"\x93NUMPY\x01\x00" + (118).to_bytes(2, "little") + header.encode())
                file.truncate(128 + rows * width * 8)
            script = f"""
import resource, numpy as np, foldout
pca = foldout.PCA(n_components=1).fit(np.random.RandomState(0).uniform(size=(300, {width})))
X = np.load({path!r}, mmap_mode="r")
resource.setrlimit(resource.RLIMIT_DATA, (400 << 20, 400 << 20))
Y = pca.transform(X)
np.testing.assert_array_equal(Y[[0, -1]], pca.transform(np.zeros((2, {width}))))
print(len(Y))
"""
            done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
            self.assertEqual((done.stdout.strip(), done.stderr), (str(rows), ""))

    @unittest.skipIf(pd is None, "pandas is not installed")
    def test_names_and_index_of_a_frame_are_kept(self):
        frame = pd.DataFrame(ROLL, columns=["x", "y", "z"], index=[f"s{i}" for i in range(400)])
        isomap = foldout.Isomap().set_output(transform="pandas").fit(frame[:300])
        placed = isomap.transform(frame[300:])
        self.assertEqual(list(placed.index), list(frame.index[300:]))
        self.assertEqual(list(placed.columns), ["isomap0", "isomap1"])
        self.assertEqual(list(isomap.feature_names_in_), ["x", "y", "z"])
        with self.assertRaisesRegex(ValueError, "feature names"):
            isomap.transform(frame[["z", "y", "x"]])

    def test_bad_samples_are_refused_with_a_remedy(self):
        with self.assertRaisesRegex(TypeError, r"toarray\(\)"):
            self.lle.transform(scipy.sparse.csr_matrix(self.new))
        with self.assertRaisesRegex(TypeError, r"toarray\(\)"):
            foldout.LLE().fit(scipy.sparse.csr_matrix(ROLL))
        for bad in (np.nan, np.inf):
            X = ROLL.copy()
            X[3, 1] = bad
            with self.assertRaisesRegex(ValueError, "NaN|infinity"):
                foldout.LLE().fit(X)
        with self.assertRaisesRegex(ValueError, "2D"):
            self.lle.transform(self.new[0])
        with self.assertRaisesRegex(ValueError, "2 features"):
            self.lle.transform(self.new[:, :2])

    def test_errors_are_value_errors_with_the_message_of_the_library(self):
        with self.assertRaisesRegex(foldout.InvalidArgument, "n_neighbors = 500 must be in 1 … 399"):
            foldout.LLE(n_neighbors=500).fit(ROLL)
        with self.assertRaisesRegex(foldout.InvalidArgument, "rbf"):
            foldout.LLE(extension="rfb").fit(ROLL)
        with self.assertRaisesRegex(foldout.InvalidArgument, "n_centers"):
            foldout.LLE(extension={"name": "rbf", "n_centres": 3}).fit(ROLL)
        with self.assertRaisesRegex(ValueError, "'n_neighbors' parameter of LLE"):
            foldout.LLE(n_neighbors=0).fit(ROLL)
        for error in (foldout.InvalidArgument, foldout.MissingLabels, foldout.NumericalError, foldout.FileError):
            self.assertTrue(issubclass(error, ValueError))

    def test_use_before_fit_is_not_fitted(self):
        for use in ("transform", "confidence", "codes"):
            with self.assertRaises(NotFittedError):
                getattr(foldout.LLE(), use)(ROLL)
        with self.assertRaises(NotFittedError):
            foldout.LLE().save("never.model")
        self.assertFalse(hasattr(foldout.LLE(), "embedding_"))

    def test_a_spec_may_be_a_text_or_a_dict(self):
        one = foldout.LLE(extension="rbf:n_centers=50", preprocess="standardize").fit(ROLL)
        other = foldout.LLE(extension={"name": "rbf", "n_centers": 50}, preprocess=[{"name": "standardize"}]).fit(ROLL)
        np.testing.assert_array_equal(one.transform(self.new), other.transform(self.new))


if __name__ == "__main__":
    unittest.main()
