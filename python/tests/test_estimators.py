# SPDX-License-Identifier: Apache-2.0
"""The classes follow from the tables of the library, and do what they promise."""
import doctest
import inspect
import math
import unittest
import warnings

import numpy as np
from sklearn.datasets import load_digits

import foldout
from foldout import _core, _estimators

METHODS = {c["name"]: c for c in _core.components() if c["kind"] in ("embedding", "map")}
CLASSES = [getattr(foldout, name) for name in _estimators.__all__]


def fitted(cls, X, y, **parameters):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", foldout.FitWarning)
        return cls(**parameters).fit(X, y)


class Tables(unittest.TestCase):
    def test_every_method_has_a_class_with_its_keys_and_defaults(self):
        self.assertEqual({cls._method for cls in CLASSES}, set(METHODS))
        for cls in CLASSES:
            signature = inspect.signature(cls.__init__).parameters
            for key in METHODS[cls._method]["keys"]:
                if key["name"] == "seed":
                    continue
                with self.subTest(cls=cls.__name__, key=key["name"]):
                    parameter = signature[key["name"]]
                    self.assertEqual(parameter.kind, parameter.KEYWORD_ONLY)
                    value = parameter.default
                    written = str(value).lower() if isinstance(value, (bool, type(None))) else value
                    if isinstance(value, (int, float)) and not isinstance(value, bool):
                        self.assertEqual(value, float(key["default"]))
                    else:
                        self.assertEqual(written, key["default"])
                    self.assertIn(f"{key['name']} : {key['type']}", cls.__doc__)

    def test_the_names_of_the_interface_are_there(self):
        for name in ("LaplacianEigenmaps LLE HessianLLE LTSA Isomap LandmarkIsomap DiffusionMaps MDS KernelPCA PCA LDA LPP OLPP "
                     "NPE ONPP LSDA CEA NPPE SNPPE Extension LandmarkEmbedding").split():
            self.assertIn(name, foldout.__all__)

    def test_the_examples_of_the_docstrings_run(self):
        tried = failed = 0
        for module in (foldout, _estimators, foldout._external, foldout._landmarks, foldout._load):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", foldout.FitWarning)
                result = doctest.testmod(module)
            tried, failed = tried + result.attempted, failed + result.failed
        self.assertEqual(failed, 0)
        self.assertGreater(tried, 3 * len(CLASSES))

    def test_data_sets_and_metrics_of_the_library_are_functions(self):
        for component in _core.components():
            if component["kind"] == "data" and component["name"] != "faces":
                data = getattr(foldout.datasets, f"make_{component['name']}")(50)
                self.assertEqual(len(data.data), 50)
                self.assertEqual(data.truth.shape, (50, len(data.truth_names)))
        for metric in _core.metrics():
            self.assertTrue(callable(getattr(foldout.metrics, metric["name"])))
        X = foldout.datasets.make_swiss_roll(100).data
        self.assertAlmostEqual(foldout.metrics.trustworthiness(X, X, n_neighbors=7), 1)
        self.assertAlmostEqual(foldout.metrics.accuracy([1, 2, 3, 3], [1, 2, 3.0, 4]), 0.75)


class Promises(unittest.TestCase):
    X, y = load_digits(return_X_y=True)
    X = X[:300] + 0.01 * np.random.RandomState(0).uniform(size=(300, 64))
    y = y[:300]

    def test_a_row_of_transform_does_not_depend_on_the_others(self):
        new = np.ascontiguousarray(self.X[::-1][:65])
        for cls in CLASSES:
            with self.subTest(cls=cls.__name__):
                estimator = fitted(cls, self.X[:200], self.y[:200])
                together = estimator.transform(new)
                for i in (0, 17, 64):
                    np.testing.assert_array_equal(together[i], estimator.transform(new[i : i + 1])[0])

    def test_fit_transform_is_fit_and_transform(self):
        for cls in CLASSES:
            with self.subTest(cls=cls.__name__):
                estimator = fitted(cls, self.X, self.y)
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", foldout.FitWarning)
                    both = cls().fit_transform(self.X, self.y)
                scale = np.abs(both).max()
                np.testing.assert_allclose(both, estimator.transform(self.X), atol=1e-6 * scale, rtol=0)
                if estimator.promise_ == "exact":
                    np.testing.assert_array_equal(both, estimator.embedding_)

    def test_threads_and_repetition_do_not_change_a_bit(self):
        for cls in (foldout.LLE, foldout.LandmarkIsomap, foldout.LPP):
            first = fitted(cls, self.X, self.y, random_state=3)
            second = fitted(cls, self.X, self.y, random_state=3, n_jobs=-1)
            np.testing.assert_array_equal(first.embedding_, second.embedding_)
            np.testing.assert_array_equal(first.transform(self.X[:9]), second.transform(self.X[:9]))

    def test_random_state_is_the_seed(self):
        a, b, c = (fitted(foldout.LandmarkIsomap, self.X, None, random_state=seed, landmarks="random") for seed in (None, 0, 1))
        np.testing.assert_array_equal(a.embedding_, b.embedding_)
        self.assertGreater(np.abs(a.embedding_ - c.embedding_).max(), 0)
        fitted(foldout.LandmarkIsomap, self.X, None, random_state=np.random.RandomState(5))

    def test_confidence_recognises_samples_off_the_manifold(self):
        roll = foldout.datasets.make_swiss_roll(1000, random_state=0).data
        lle = foldout.LLE().fit(roll[:800])
        self.assertGreater(np.median(lle.confidence(roll[800:])), 0.9)
        self.assertLess(lle.confidence(roll[800:] + 50).max(), 0.1)
        self.assertGreater(lle.residuals(roll[800:] + 50).min(), lle.residuals(roll[800:]).max())

    def test_codes_are_the_weights_of_the_training_samples(self):
        roll = foldout.datasets.make_swiss_roll(500).data
        lle = foldout.LLE(n_neighbors=8).fit(roll[:400])
        codes = lle.codes(roll[400:])
        self.assertEqual((codes.format, codes.shape), ("csr", (100, 400)))
        np.testing.assert_allclose(np.asarray(codes.sum(axis=1)).ravel(), 1, atol=1e-12)
        np.testing.assert_allclose(codes @ lle.embedding_, lle.transform(roll[400:]), atol=1e-12)
        with self.assertRaisesRegex(ValueError, "codes|weights"):
            foldout.PCA().fit(roll).codes(roll)

    def test_the_report_has_what_was_done(self):
        roll = foldout.datasets.make_swiss_roll(500).data
        report = foldout.LLE().fit(roll).report_
        self.assertEqual(set(report), {"seconds", "figures", "facts", "notes"})
        self.assertTrue(all(math.isfinite(value) for value in report["figures"].values()))
        self.assertEqual(report["notes"], [])


if __name__ == "__main__":
    unittest.main()
