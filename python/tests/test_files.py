# SPDX-License-Identifier: Apache-2.0
"""Models in files, shared with the command line."""
import os
import pathlib
import subprocess
import tempfile
import unittest
import warnings

import numpy as np

import foldout
from foldout import _estimators, _load

TOOL = os.environ.get("FOLDOUT_TOOL")
ROLL = foldout.datasets.make_swiss_roll(400)
LABELS = np.where(ROLL.truth[:, 0] > 60, "outer", "inner")


def tool(*arguments):
    subprocess.run([TOOL, *map(str, arguments), "-q"], check=True, capture_output=True)


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        np.save(self.folder / "x.npy", ROLL.data)
        (self.folder / "y.txt").write_text("\n".join(LABELS) + "\n")

    @unittest.skipIf(TOOL is None, "the command line was not built")
    def test_the_command_line_writes_the_same_bytes(self):
        cases = [("lle:n_neighbors=12", foldout.LLE(n_neighbors=12), []),
                 ("lle", foldout.LLE(extension="sparse"), ["--extension", "sparse"]),
                 ("landmark_isomap", foldout.LandmarkIsomap(random_state=4), ["--seed", "4"]),
                 ("pca:n_components=0.9", foldout.PCA(n_components=0.9, preprocess=["center"]), ["--preprocess", "center"]),
                 ("lle", foldout.LandmarkEmbedding(dictionary="kmeans:n_atoms=60"), ["--dictionary", "kmeans:n_atoms=60"]),
                 ("lda", foldout.LDA(), ["--labels", self.folder / "y.txt"])]
        for method, estimator, options in cases:
            with self.subTest(method=method, options=options), warnings.catch_warnings():
                warnings.simplefilter("ignore", foldout.FitWarning)
                tool("fit", self.folder / "x.npy", "-o", self.folder / "tool.model", "--method", method, *options)
                estimator.fit(ROLL.data, LABELS).save(self.folder / "python.model")
                self.assertEqual((self.folder / "tool.model").read_bytes(), (self.folder / "python.model").read_bytes())

    @unittest.skipIf(TOOL is None, "the command line was not built")
    def test_models_are_exchanged_both_ways(self):
        lle = foldout.LLE().fit(ROLL.data)
        lle.save(self.folder / "python.model")
        tool("transform", self.folder / "python.model", self.folder / "x.npy", "-o", self.folder / "y.npy")
        np.testing.assert_array_equal(np.load(self.folder / "y.npy"), lle.transform(ROLL.data))
        tool("extend", self.folder / "x.npy", self.folder / "y.npy", "-o", self.folder / "tool.model", "--extension", "rbf")
        loaded = foldout.load(self.folder / "tool.model")
        self.assertIsInstance(loaded, foldout.Extension)
        expected = foldout.extend(ROLL.data, lle.transform(ROLL.data), "rbf")
        np.testing.assert_array_equal(loaded.transform(ROLL.data), expected.transform(ROLL.data))

    def test_load_returns_the_class_that_was_saved(self):
        path = self.folder / "a.model"
        for name in _estimators.__all__:
            with self.subTest(cls=name), warnings.catch_warnings():
                warnings.simplefilter("ignore", foldout.FitWarning)
                estimator = getattr(foldout, name)(n_components=1, random_state=7).fit(ROLL.data, LABELS)
                estimator.save(path)
                loaded = foldout.load(path)
                self.assertIs(type(loaded), type(estimator))
                self.assertEqual(loaded.n_components, 1)
                np.testing.assert_array_equal(loaded.transform(ROLL.data), estimator.transform(ROLL.data))
                loaded.fit(ROLL.data, LABELS)
                np.testing.assert_array_equal(loaded.embedding_, estimator.embedding_)
                if estimator._needs_labels:
                    np.testing.assert_array_equal(loaded.predict(ROLL.data), estimator.predict(ROLL.data))

    def test_load_returns_extensions_and_landmark_embeddings(self):
        path = self.folder / "a.model"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", foldout.FitWarning)
            for estimator in (foldout.extend(ROLL.data, ROLL.truth[:, :2], "rbf"),
                              foldout.LandmarkEmbedding(dictionary="kmeans:n_atoms=60", classifier="nn").fit(ROLL.data, LABELS)):
                estimator.save(path)
                loaded = foldout.load(path)
                self.assertIs(type(loaded), type(estimator))
                np.testing.assert_array_equal(loaded.transform(ROLL.data), estimator.transform(ROLL.data))
                again = loaded.fit(ROLL.data, ROLL.truth[:, :2] if isinstance(loaded, foldout.Extension) else LABELS)
                np.testing.assert_array_equal(again.transform(ROLL.data), estimator.transform(ROLL.data))

    def test_a_model_without_a_class_has_the_same_methods(self):
        path = self.folder / "a.model"
        lda = foldout.LDA().fit(ROLL.data, LABELS)
        lda.save(path)
        known = _load.CLASSES.pop("lda")  # as if the class did not exist
        try:
            model = foldout.load(path)
        finally:
            _load.CLASSES["lda"] = known
        self.assertIsInstance(model, foldout.Model)
        np.testing.assert_array_equal(model.transform(ROLL.data), lda.transform(ROLL.data))
        np.testing.assert_array_equal(model.confidence(ROLL.data), lda.confidence(ROLL.data))
        np.testing.assert_array_equal(model.predict(ROLL.data), lda.predict(ROLL.data))
        np.testing.assert_array_equal(model.embedding_, lda.embedding_)
        self.assertEqual(model.n_features_in_, 3)

    def test_missing_and_damaged_files_are_refused(self):
        with self.assertRaises(FileNotFoundError):
            foldout.load(self.folder / "missing.model")
        with self.assertRaises(FileNotFoundError):
            foldout.PCA().fit(ROLL.data).save(self.folder / "missing" / "a.model")
        (self.folder / "bad.model").write_bytes(b"not a model")
        with self.assertRaisesRegex(foldout.FileError, "bad.model"):
            foldout.load(self.folder / "bad.model")


if __name__ == "__main__":
    unittest.main()
