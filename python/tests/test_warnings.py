# SPDX-License-Identifier: Apache-2.0
"""Repairs and fallbacks are warnings; clean data have none."""
import unittest
import warnings

import numpy as np

import foldout
from foldout import _estimators

CLASSES = [getattr(foldout, name) for name in _estimators.__all__]
ROLL = foldout.datasets.make_swiss_roll(500)
OUTER = ROLL.truth[:, 0] > 60


def warned(call):
    """What a call returns, and the texts of its warnings, all of which are FitWarnings raised in this file."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = call()
    assert all(w.category is foldout.FitWarning and w.filename == __file__ for w in caught), [str(w) for w in caught]
    return result, [str(w.message) for w in caught]


class Warnings(unittest.TestCase):
    def test_every_note_of_the_report_is_a_warning(self):
        parts = np.concatenate([ROLL.data[:150], ROLL.data[:150], ROLL.data[150:300] + 500])  # duplicates, two components
        labels = np.arange(450) % 2
        repaired = set()
        for cls in CLASSES:
            with self.subTest(cls=cls.__name__):
                estimator, texts = warned(lambda cls=cls: cls().fit(parts, labels))
                self.assertEqual(texts, [f"{code}: {text}" for code, text in estimator.report_["notes"]])
                repaired |= {code for code, _ in estimator.report_["notes"]}
        self.assertLessEqual({"components_joined", "duplicates_merged"}, repaired)
        landmarks, texts = warned(lambda: foldout.LandmarkEmbedding(dictionary="kmeans:n_atoms=40").fit(parts))
        self.assertEqual(texts, [f"{code}: {text}" for code, text in landmarks.report_["notes"]])
        self.assertTrue(texts)

    def test_a_fallback_of_the_extension_is_a_warning(self):
        estimator, texts = warned(lambda: foldout.LaplacianEigenmaps(graph="mutual").fit(ROLL.data))
        self.assertRegex("".join(texts), "nystrom_fallback")
        self.assertEqual(estimator.placed_by_, "lle")

    def test_fewer_samples_than_neighbours_are_a_warning(self):
        self.assertRegex(warned(lambda: foldout.LLE().fit(ROLL.data[:9]))[1][0], "neighbors_reduced")

    def test_fallbacks_for_new_samples_are_warnings(self):
        isomap, none = warned(lambda: foldout.Isomap(graph="ball").fit(ROLL.data))
        self.assertEqual(none, [])
        far = np.concatenate([ROLL.data[:3], ROLL.data[:2] + 1000])
        self.assertRegex(warned(lambda: isomap.transform(far))[1][0], "outside_every_ball: 2 samples")
        svm = foldout.PCA(classifier="svm").fit(ROLL.data, OUTER)
        self.assertRegex(warned(lambda: svm.predict(far))[1][0], "svm_far")

    def test_clean_data_have_no_warning(self):
        for cls in CLASSES:
            with self.subTest(cls=cls.__name__):
                estimator, texts = warned(lambda cls=cls: cls().fit(ROLL.data[:400], OUTER[:400]))
                self.assertEqual(texts + warned(lambda: estimator.transform(ROLL.data[400:]))[1], [])  # noqa: B023
        extension, texts = warned(lambda: foldout.extend(ROLL.data, ROLL.truth[:, :2]))
        self.assertEqual(texts + warned(lambda: extension.transform(ROLL.data))[1], [])


if __name__ == "__main__":
    unittest.main()
