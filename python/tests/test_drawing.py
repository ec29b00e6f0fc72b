# SPDX-License-Identifier: Apache-2.0
"""Pictures of maps in notebooks and with matplotlib."""
import unittest
import warnings
import xml.etree.ElementTree

import numpy as np

import foldout

try:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import matplotlib

        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
except ImportError:
    plt = None

ROLL = foldout.datasets.make_swiss_roll(5000)
OUTER = np.where(ROLL.truth[:, 0] > 60, "outer", "inner")


class Drawing(unittest.TestCase):
    def test_a_fitted_estimator_shows_its_map_in_a_notebook(self):
        lda = foldout.LDA(n_components=1)
        self.assertNotIn("<svg", lda._repr_html_())
        self.assertNotIn("<svg", lda.fit(ROLL.data, OUTER)._repr_html_())  # one coordinate is not a map
        shown = foldout.PCA(classifier="nn").fit(ROLL.data, OUTER)._repr_mimebundle_()["text/html"]
        self.assertEqual(xml.etree.ElementTree.fromstring(shown).tag.split("}")[-1], "svg")
        for word in ("PCA, 5000 samples", "outer", "inner"):
            self.assertIn(word, shown)
        self.assertLess(len(shown), 400_000)

    @unittest.skipIf(plt is None, "matplotlib is not installed")
    def test_plot_draws_samples_labels_and_new_samples(self):
        pca = foldout.PCA().fit(ROLL.data[:500])
        axes = plt.figure().add_subplot()
        self.assertIs(foldout.plot(pca, OUTER[:500], new=ROLL.data[500:520], ax=axes), axes)
        self.assertEqual(sum(len(part.get_offsets()) for part in axes.collections), 520)
        self.assertEqual([text.get_text() for text in axes.get_legend().get_texts()], ["inner", "outer"])
        other = foldout.plot(pca.embedding_, ROLL.truth[:500, 0], ax=plt.figure().add_subplot())
        np.testing.assert_array_equal(other.collections[0].get_offsets(), pca.embedding_)
        plt.close("all")


if __name__ == "__main__":
    unittest.main()
