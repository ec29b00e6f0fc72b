# SPDX-License-Identifier: Apache-2.0
"""LandmarkEmbedding, and Extension for coordinates from elsewhere."""
import copy
import gc
import os
import unittest
import warnings

import numpy as np
from sklearn.manifold import LocallyLinearEmbedding

import foldout

ROLL = foldout.datasets.make_swiss_roll(3000)


class Landmarks(unittest.TestCase):
    def setUp(self):
        kept = warnings.catch_warnings()
        kept.__enter__()
        self.addCleanup(kept.__exit__, None, None, None)
        warnings.simplefilter("ignore", foldout.FitWarning)  # few atoms: the report says that more may be better

    def test_batches_give_the_model_of_the_whole_stream(self):
        dictionary = "lcdl:n_atoms=100,batch_size=500"
        whole = foldout.LandmarkEmbedding(dictionary=dictionary).fit(ROLL.data)
        parts = foldout.LandmarkEmbedding(dictionary=dictionary)
        for start in range(0, 3000, 700):
            parts.partial_fit(ROLL.data[start : start + 700])
        np.testing.assert_array_equal(parts.transform(ROLL.data[:50]), whole.transform(ROLL.data[:50]))
        self.assertEqual((parts.n_atoms_, parts.model_.n_samples), (100, 3000))

    def test_further_batches_are_added(self):
        landmarks = foldout.LandmarkEmbedding(dictionary={"name": "lcdl", "n_atoms": 60}, classifier="nn")
        outer = ROLL.truth[:, 0] > 60
        landmarks.partial_fit(ROLL.data[:1000], outer[:1000])
        self.assertEqual(landmarks.transform(ROLL.data[:2]).shape, (2, 2))
        landmarks.partial_fit(ROLL.data[1000:], outer[1000:])
        self.assertEqual(landmarks.report_["figures"]["n_samples_streamed"], 3000)
        self.assertGreater(landmarks.score(ROLL.data, outer), 0.75)
        with self.assertRaisesRegex(ValueError, "2 features"):
            landmarks.partial_fit(ROLL.data[:, :2])

    def test_batches_are_deleted_with_the_estimator_and_not_copied(self):
        landmarks = foldout.LandmarkEmbedding(dictionary="lcdl:n_atoms=60").partial_fit(ROLL.data[:1500])
        path = landmarks._spool.path
        same = copy.deepcopy(landmarks)
        self.assertNotIn("_spool", vars(same))
        np.testing.assert_array_equal(same.transform(ROLL.data[:5]), landmarks.transform(ROLL.data[:5]))
        self.assertTrue(os.path.exists(path))
        del landmarks
        gc.collect()
        self.assertFalse(os.path.exists(path))

    def test_coordinates_of_another_program_get_a_map(self):
        train, new = ROLL.data[:800], ROLL.data[800:1000]
        other = LocallyLinearEmbedding(n_neighbors=10, eigen_solver="dense").fit(train)
        for extension in ("auto", "rbf"):
            mine = foldout.extend(train, other.embedding_, extension)
            self.assertLess(foldout.metrics.procrustes(mine.transform(new), other.transform(new)), 0.02)
        with self.assertRaisesRegex(foldout.InvalidArgument, "nystrom"):
            foldout.extend(train, other.embedding_, "nystrom")


if __name__ == "__main__":
    unittest.main()
