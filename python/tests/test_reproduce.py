# SPDX-License-Identifier: Apache-2.0
"""The engine of reproduce/: cells that are kept, verdicts, and data sets that no protocol has seen."""
import argparse
import json
import os
import pathlib
import tempfile
import unittest
import xml.dom.minidom

import numpy as np

import foldout
from reproduce import __main__ as command
from reproduce import data, engine, measure, report, sources, svg
from reproduce.statistics import Stat, ahead_everywhere, reached

calls = []


def square(x, seed):
    calls.append((x, seed))
    if x < 0:
        raise ValueError("x is negative")
    return {"value": x * x + seed, "curve": np.arange(3) * x}


def options(folder, **more):
    values = {"output": pathlib.Path(folder) / "out", "data": pathlib.Path(folder), "set": None, "quick": False, "jobs": 1,
              "again": False,
              "silent": True, "trace": False, **more}
    return argparse.Namespace(**values)


def new_run(folder, **more):
    return engine.Run({"name": "sparse_test", "title": "test", "paper": "sparse"}, options(folder, **more))


class TestCells(unittest.TestCase):
    def setUp(self):
        calls.clear()
        self.folder = self.enterContext(tempfile.TemporaryDirectory())

    def test_values_have_a_row_per_seed(self):
        cells = new_run(self.folder).cells(square, range(3), x=2)
        self.assertEqual(cells.values("value").tolist(), [4, 5, 6])
        self.assertEqual(cells.values("curve").shape, (3, 3))
        self.assertEqual(cells.stat("value"), Stat(5.0, 1.0, 3))

    def test_finished_cells_are_kept(self):
        new_run(self.folder).cells(square, range(3), x=2).results()
        self.assertEqual(len(calls), 3)
        again = new_run(self.folder).cells(square, range(4), x=2)
        self.assertEqual(again.values("value").tolist(), [4, 5, 6, 7])
        self.assertEqual(calls[3:], [(2, 3)])
        new_run(self.folder, again=True).cells(square, range(2), x=2).results()
        self.assertEqual(len(calls), 6)

    def test_a_cell_that_was_asked_for_twice_is_computed_once(self):
        run = new_run(self.folder)
        one, two = run.cells(square, [0], x=3), run.cells(square, [0], x=3)
        self.assertEqual(one.results(), two.results())
        self.assertEqual(len(calls), 1)

    def test_the_hash_depends_on_settings_and_data(self):
        np.save(f"{self.folder}/a_X.npy", np.eye(3))
        cell = lambda **settings: engine.Cell(square, settings, self.folder, False).hash
        self.assertEqual(cell(x=1, seed=0), cell(seed=0, x=1))
        self.assertNotEqual(cell(x=1, seed=0), cell(x=1, seed=1))
        before = cell(data="a", seed=0)
        np.save(f"{self.folder}/a_X.npy", 2 * np.eye(3))
        data.file_digest.cache_clear()
        self.assertNotEqual(before, cell(data="a", seed=0))

    def test_the_hash_depends_on_the_code_that_a_cell_uses(self):
        code = "".join(sources.source("reproduce.cea", "recognise"))
        for name in ("ROWS", "PARTITIONS"):
            self.assertEqual(f"'{name}'" in code, name == "ROWS")
        self.assertIn("name='recognition_by_dimension'", code)  # of another module
        self.assertNotIn("There is no random choice", code)  # a docstring

    def test_a_failed_cell_does_not_end_the_others(self):
        run = new_run(self.folder)
        bad, good = run.cells(square, [0], x=-1), run.cells(square, [0], x=1)
        self.assertEqual(good.values("value").tolist(), [1])
        self.assertEqual(bad.results(), [])
        self.assertIsNone(bad.stat("value"))
        self.assertIn("x is negative", run.errors[0])


class TestVerdicts(unittest.TestCase):
    def test_better_in_every_case(self):
        better = {"a": ([2.0, 2.1, 2.2], [1.0, 1.0, 1.3]), "b": ([3.0, 3.0, 3.1], [2.0, 2.2, 2.0])}
        self.assertTrue(ahead_everywhere(better)[0])
        worse = {**better, "c": ([1.0, 1.1, 1.0], [2.0, 2.1, 2.1])}
        holds, why = ahead_everywhere(worse)
        self.assertFalse(holds)
        self.assertIn("not: c", why)
        self.assertFalse(ahead_everywhere(better, lower_is_better=True)[0])

    def test_a_difference_within_two_standard_errors_does_not_contradict(self):
        cases = {"a": ([2.0, 2.1, 2.2], [1.0, 1.0, 1.3]), "tie": ([1.0, 1.2, 0.8], [1.1, 0.9, 1.1])}
        self.assertTrue(ahead_everywhere(cases)[0])
        holds, why = ahead_everywhere({"tie": ([1.1, 1.2, 0.9], [1.1, 0.9, 1.1])})
        self.assertFalse(holds)
        self.assertIn("a tie", why)
        self.assertEqual(ahead_everywhere({})[0], None)

    def test_a_figure_is_reached_within_two_standard_errors(self):
        self.assertTrue(reached(Stat(97.0, 1.0, 4), 97.9)[0])
        self.assertFalse(reached(Stat(96.0, 1.0, 4), 97.5)[0])
        self.assertTrue(reached(Stat(0.1, 0.01, 4), 0.105, 3, lower_is_better=True)[0])

    def test_rendered_faces_cannot_prove_a_claim(self):
        with tempfile.TemporaryDirectory() as folder:
            run = new_run(folder)
            self.assertEqual(run.sets("orl", "yale"), ["rendered_20x10_24"])
            run.claim("sparse is better", True, "by 3 points")
        self.assertEqual(run.claims[0]["verdict"], "cannot be tested")
        self.assertIn("on rendered faces it holds: by 3 points", run.claims[0]["why"])


class TestMeasures(unittest.TestCase):
    def setUp(self):
        self.random = np.random.RandomState(0)

    def test_recognition_by_dimension_is_that_of_the_first_coordinates(self):
        Z, Y, a, b = self.random.randn(40, 6), self.random.randn(30,
                                                                 6), self.random.randint(0, 3,
                                                                                         40), self.random.randint(0, 3, 30)
        for cosine in (False, True):
            prepared = data.unit if cosine else (lambda A: A)
            slow = [measure.recognition(prepared(Z[:, :d]), a, prepared(Y[:, :d]), b) for d in (2, 5, 6)]
            self.assertEqual(measure.recognition_by_dimension(Z, a, Y, b, (2, 5, 6), cosine), slow)

    def test_procrustes_of_wide_coordinates(self):
        A, B = self.random.randn(12, 50), self.random.randn(12, 50)
        self.assertAlmostEqual(measure.procrustes(A, B), foldout.metrics.procrustes(A, B), places=10)

    def test_intrinsic_dimension_of_a_plane(self):
        X = self.random.rand(1500, 2) @ self.random.randn(2, 8)
        for estimator in ("mle", "two_nn"):
            self.assertAlmostEqual(measure.intrinsic_dimension(X, estimator), 2, delta=0.2)

    def test_splits_keep_a_sample_of_every_class_on_both_sides(self):
        y = np.array(["a"] * 2 + ["b"] * 9 + ["c"] * 30)
        for part in (0.3, 0.5, 0.7):
            train, new = data.split(y, part, 0)
            self.assertEqual(set(y[train]), set(y))
            self.assertEqual(set(y[new]), set(y))
            self.assertEqual(len(train) + len(new), len(y))


class TestPages(unittest.TestCase):
    def setUp(self):
        self.results = {"sparse_test": {"tables": [{"key": "t", "columns": ["sparse"], "digits": 1, "rows": [
            {"name": "ORL 70%", "cells": [{"mean": 91.08, "sd": 2.0, "n": 4, "paper": 88.75}]}]}]}}
        self.tables = report.tables_by_key(self.results)

    def test_a_block_is_filled_and_checked(self):
        page = "x\n<!-- measured: t -->\nold\n<!-- end -->\n"
        self.assertEqual(len(report.misquoted(page, self.tables)), 1)
        filled = report.filled(page, self.tables)
        self.assertIn("| ORL 70% | 91.1 ± 1.0 (88.8) |", filled)
        self.assertEqual(report.misquoted(filled, self.tables), [])
        self.assertEqual(len(report.misquoted(page.replace(": t", ": u"), self.tables)), 1)
        self.assertNotIn("91.1", report.filled(page.replace(": t", ": t Yale"), self.tables))

    def test_a_quoted_number_is_checked_to_its_last_digit(self):
        quote = "it recognises {} %<!-- = t/ORL 70%/sparse --> of them"
        self.assertEqual(report.misquoted(quote.format("91.1"), self.tables), [])
        self.assertEqual(report.misquoted(quote.format("91"), self.tables), [])
        self.assertEqual(len(report.misquoted(quote.format("91.2"), self.tables)), 1)
        self.assertEqual(report.filled(quote.format("91.2"), self.tables), quote.format("91.1"))
        self.assertEqual(len(report.misquoted(quote.format("91.1").replace("ORL", "Yale"), self.tables)), 1)

    def test_figures_are_well_formed(self):
        random = np.random.RandomState(0)
        curves = svg.curves_panel("a < b", {"one": ([1, 10], [0.1, 1.0]), "one (paper)": ([1, 10], [0.2, 2.0])}, "x", "y",
                                  log_y=True)
        points = svg.map_panel("map", random.randn(5, 2), np.linspace(0, 1, 5), random.randn(2, 2),
                               [(0, random.rand(12), False)], (4, 3))
        xml.dom.minidom.parseString(svg.figure([curves, points]))


def hostile(folder):
    """Images of 11 × 9 pixels, classes of 2 to 16 samples in mixed order, labels of text."""
    random = np.random.RandomState(1)
    sizes = {"Ann": 14, "Bo": 2, "Émile": 16, "d e": 9, "x": 11}
    y = random.permutation(np.repeat(list(sizes), list(sizes.values())))
    faces = {name: 40 + 200 * random.rand(11, 9) for name in sizes}
    X = np.stack([faces[name] * random.uniform(0.7, 1) + 12 * random.randn(11, 9) for name in y])
    np.save(f"{folder}/hostile_X.npy", np.clip(X, 0, 255).astype(np.uint8))
    np.save(f"{folder}/hostile_y.npy", y)
    return np.clip(X, 0, 255).astype(np.uint8), y


RECOGNITION = ("sparse_table1", "sparse_table2", "sparse_table3", "sparse_figure9", "sparse_figure11", "sparse_figure12",
               "sparse_section44", "sparse_damage",
               "cea_table2", "cea_figure4", "cea_table1", "cea_gain", "lcdl_figure2a", "lcdl_figure2b", "lcdl_figure2c",
               "lcdl_table1")


class TestOtherSets(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())

    def test_a_set_never_seen_goes_through_every_recognition_protocol(self):
        hostile(self.folder)
        given = [*RECOGNITION, "--quick", "--set", "hostile", "--data", self.folder, "-o", f"{self.folder}/out", "--jobs", "1",
                 "-q"]
        self.assertEqual(command.main(given), 0)
        for name in RECOGNITION:
            result = json.loads(pathlib.Path(f"{self.folder}/out/{name}.json").read_text())
            self.assertEqual(result["errors"], [], name)
            self.assertEqual(result["sets"], ["hostile"], name)
            self.assertTrue(result["claims"], name)
            self.assertTrue(pathlib.Path(f"{self.folder}/out/{name}.md").read_text())

    def test_a_folder_of_images(self):
        if not os.environ.get("FOLDOUT_TOOL"):
            self.skipTest("needs the tool")
        X, y = hostile(self.folder)
        for i, (image, name) in enumerate(zip(X, y)):
            file = pathlib.Path(self.folder) / "people" / str(name) / f"{i:03}.pgm"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(b"P5 9 11 255\n" + image.tobytes())
        data.FOLDER = self.folder
        samples = data.load("people")
        self.assertEqual(sorted(samples.y), sorted(y))
        for name in set(y):
            own = sorted(map(tuple, X[y == name].reshape(-1, 99).astype(float)))
            self.assertEqual(sorted(map(tuple, samples.X[samples.y == name])), own)

    def test_a_set_without_labels_is_refused_where_they_are_needed(self):
        np.save(f"{self.folder}/bare_X.npy", np.random.RandomState(0).rand(30, 12))
        self.assertEqual(new_run(self.folder, set="bare").sets("frey", labels=False), ["bare"])
        with self.assertRaisesRegex(ValueError, "bare_y.npy"):
            new_run(self.folder, set="bare").sets("orl")

    def test_a_missing_set_is_named(self):
        with self.assertRaisesRegex(SystemExit, "neither nowhere_X.npy nor a folder"):
            command.main(["cea_gain", "--set", "nowhere", "--data", self.folder])

    def test_an_unknown_experiment_is_answered_with_the_nearest(self):
        with self.assertRaisesRegex(SystemExit, "did you mean cea_table2"):
            engine.selected(["cea_tabel2"])
