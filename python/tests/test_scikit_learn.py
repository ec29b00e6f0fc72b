# SPDX-License-Identifier: Apache-2.0
"""The estimators keep the rules of scikit-learn."""
import runpy
import types
import unittest
import unittest.mock
import warnings

import numpy as np
from sklearn.utils import estimator_checks

import foldout
from foldout import _estimators, _validation

CLASSES = [getattr(foldout, name) for name in (*_estimators.__all__, "Extension", "LandmarkEmbedding")]
# Checks that a class cannot pass, with the reason and the message that gives it.
INHERENT = {
    # The check rounds its samples to integers, which makes one of them zero; cea refuses it.
    ("CEA", "check_estimators_dtypes"): "has length 0 and therefore no angle to others",
}


def run(check, estimator):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # samples of the checks are duplicated, few or in blobs
        check(estimator)


class ScikitLearn(unittest.TestCase):
    def test_check_estimator_passes_for_every_class(self):
        failed = set()
        for cls in CLASSES:
            for estimator, check in estimator_checks.check_estimator(cls(), generate_only=True):
                name = (cls.__name__, check.func.__name__)
                with self.subTest(check=name):
                    try:
                        run(check, estimator)
                    except ValueError as error:
                        if name not in INHERENT:
                            raise
                        self.assertIn(INHERENT[name], str(error))
                        failed.add(name)
        self.assertEqual(failed, set(INHERENT), "a check that passes is not an exception")

    def test_further_checks_pass_for_every_class(self):
        names = ("check_set_output_transform", "check_set_output_transform_pandas",
                 "check_dataframe_column_names_consistency", "check_transformer_get_feature_names_out",
                 "check_transformer_get_feature_names_out_pandas", "check_n_features_in_after_fitting",
                 "check_param_validation", "check_estimator_get_tags_default_keys")
        for cls in CLASSES:
            for name in names:
                with self.subTest(cls=cls.__name__, check=name):
                    check = getattr(estimator_checks, name)
                    run(lambda estimator, check=check, cls=cls: check(cls.__name__, estimator), cls())

    def test_tags_of_scikit_learn_1_6_are_set(self):
        """With a stand-in for the tags of 1.6, written from its documentation."""

        class StandIn:
            def __sklearn_tags__(self):
                parts = [types.SimpleNamespace() for _ in range(3)]
                return types.SimpleNamespace(target_tags=parts[0], input_tags=parts[1], transformer_tags=parts[2])

        for cls, required in ((foldout.LDA, True), (foldout.Isomap, False), (foldout.Extension, True)):
            tags = type("Tagged", (cls, StandIn), {"__init__": cls.__init__})().__sklearn_tags__()
            self.assertEqual(tags.target_tags.required, required)
            self.assertFalse(tags.input_tags.pairwise)
            self.assertEqual(tags.transformer_tags.preserves_dtype, ["float64"])

    def test_samples_are_checked_by_the_function_of_scikit_learn_1_6(self):
        """With a stand-in for validate_data of 1.6, with the signature of its documentation."""
        reset_by = []

        def validate_data(_estimator, /, X="no_validation", y="no_validation", reset=True, validate_separately=False,
                          skip_check_array=False, **check_params):
            reset_by.append(reset)
            return _estimator._validate_data(X, y, reset=reset, **check_params)

        X = foldout.datasets.make_swiss_roll(60).data
        with unittest.mock.patch("sklearn.utils.validation.validate_data", validate_data, create=True):
            newer = runpy.run_path(_validation.__file__)["samples"]
            pca = foldout.PCA()
            np.testing.assert_array_equal(newer(pca, X.astype(np.float32), reset=True), X.astype(np.float32))
            checked, y = newer(pca, X, y=np.arange(60), reset=False)
        self.assertIs(checked, X)
        self.assertEqual((reset_by, y[7]), ([True, False], 7))

    def test_a_precomputed_metric_is_declared(self):
        X = foldout.datasets.make_swiss_roll(120).data
        distances = np.linalg.norm(X[:, None] - X[None], axis=2)
        isomap = foldout.Isomap(metric="precomputed")
        self.assertTrue(isomap._get_tags()["pairwise"])
        self.assertLess(foldout.metrics.procrustes(isomap.fit(distances).embedding_, foldout.Isomap().fit(X).embedding_), 1e-12)


if __name__ == "__main__":
    unittest.main()
