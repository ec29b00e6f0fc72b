# SPDX-License-Identifier: Apache-2.0
"""Methods and classifiers that use labels."""
import unittest

import numpy as np
from sklearn.datasets import load_iris

import foldout

X, Y = load_iris(return_X_y=True)
X = X + 1e-3 * np.random.RandomState(0).uniform(size=X.shape)  # iris has duplicates
NAMES = np.array(["setosa", "versicolor", "virginica"])[Y]


class Labels(unittest.TestCase):
    def test_labels_come_back_as_they_were_given(self):
        for labels in (Y, Y.astype(float), NAMES, NAMES.astype(object), Y > 0):
            lda = foldout.LDA().fit(X, labels)
            np.testing.assert_array_equal(lda.classes_, np.unique(labels))
            predicted = lda.predict(X)
            self.assertEqual(predicted.dtype, np.unique(labels).dtype)
            np.testing.assert_array_equal(predicted, labels)  # every sample is its own nearest neighbour
            self.assertEqual(lda.score(X, labels), 1)

    def test_predict_exists_where_there_are_labels_and_a_classifier(self):
        self.assertFalse(hasattr(foldout.LLE(), "predict"))
        self.assertFalse(hasattr(foldout.LLE(), "score"))
        self.assertTrue(hasattr(foldout.LLE(classifier="nn"), "predict"))
        self.assertTrue(hasattr(foldout.LPP(supervised=True), "score"))
        half = np.arange(len(X)) % 2 == 0
        # In two coordinates angles and sparse codes tell fewer of the classes apart.
        for classifier, least in (("nn", 0.85), ("affinity", 0.5), ("svm", 0.85), ("sparse", 0.5)):
            pca = foldout.PCA(classifier=classifier, preprocess="standardize").fit(X[half], NAMES[half])
            self.assertGreater(pca.score(X[~half], NAMES[~half]), least)

    def test_missing_or_continuous_labels_are_refused(self):
        with self.assertRaisesRegex(ValueError, "requires y to be passed"):
            foldout.LDA().fit(X)
        with self.assertRaisesRegex(foldout.MissingLabels, "needs labels"):
            foldout.PCA(classifier="nn").fit(X)
        with self.assertRaisesRegex(ValueError, "[Uu]nknown label type"):
            foldout.LDA().fit(X, X[:, 0])

    def test_targets_are_ignored_by_methods_that_use_none(self):
        np.testing.assert_array_equal(foldout.PCA().fit(X, X[:, 0]).embedding_, foldout.PCA().fit(X).embedding_)


if __name__ == "__main__":
    unittest.main()
