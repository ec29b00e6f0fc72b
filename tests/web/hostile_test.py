# SPDX-License-Identifier: Apache-2.0
"""Labels, ids and names that try to be markup or script, and maps without extent: hostile_test.py TOOL"""
import sys
import unittest

from browser import Browser, Tool

import numpy as np

tool = Tool(sys.argv.pop())
NASTY = ["</script><script>window.hit=1</script>", "<img src=x onerror=window.hit=1>", "\"'`><svg/onload=window.hit=1>",
         "\u202eevil\u202c right to left", "עברית and English", "a" * 3000, "{{constructor.constructor('window.hit=1')()}}",
         "<!-- ", "]]>", "&lt;b&gt;", "=HYPERLINK(1)", "javascript:window.hit=1"]


def write_csv(name, header, rows):
    quote = lambda cell: '"' + str(cell).replace('"', '""') + '"'
    lines = [",".join(map(quote, row)) for row in [header, *rows]]
    (tool.folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


class TestHostile(unittest.TestCase):
    def setUp(self):
        self.browser = Browser(900, 900)

    def tearDown(self):
        self.browser.close()

    def open(self, page):
        self.browser.open(tool.folder / page)
        self.browser.settle()
        self.assertEqual(self.browser.console(), [])
        self.assertEqual(self.browser.requests(), [])

    def boxes_overlap(self):
        return self.browser.run(
            "const n = foldoutExplorer.overlay.names; let k = 0; for (const a of n) for (const b of n) if (a !== b && a.x < b.x + b.w"
            "&& b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h) k++; return [n.length, k];")

    def test_nothing_executes(self):
        rng = np.random.default_rng(0)
        rows = [(NASTY[i % 12] + str(i), NASTY[i % 12], *rng.normal(i % 12, 0.1, 4)) for i in range(240)]
        write_csv("nasty.csv", ["id", "label", *NASTY[:4]], rows)
        tool("fit", "nasty.csv", "-o", "<b>.model", "--method", "pca", "--label-column", "label", "--id-column", "id")
        tool("plot", "<b>.model", "--data", "nasty.csv", "--new", "nasty.csv", "-o", "nasty.html", "--title", NASTY[0])
        self.open("nasty.html")
        self.browser.run("for (let i = 0; i < 24; i++) foldoutExplorer.state.setFocus(i * 11);"
                         "for (const d of document.querySelectorAll('details')) d.open = true;"
                         "foldoutExplorer.state.setColoring('x0');"
                         "foldoutExplorer.state.setColoring('label'); foldoutExplorer.search('<img');")
        self.browser.settle()
        self.assertIsNone(self.browser.run("return window.hit ?? null"))
        self.assertEqual(self.browser.run("return document.querySelectorAll('img, iframe, object, embed').length"), 0)
        names = self.browser.run("return foldoutExplorer.data.labelNames")
        self.assertEqual(set(names), set(NASTY))  # shown as they came
        self.assertEqual(self.boxes_overlap()[1], 0)
        self.assertLessEqual(self.browser.run("return document.documentElement.scrollWidth"), 900)

    def test_ten_thousand_classes(self):
        np.save(tool.folder / "many.npy", np.random.default_rng(1).normal(size=(20000, 3)))
        (tool.folder / "many.txt").write_text("\n".join(f"class {i % 10000}" for i in range(20000)) + "\n")
        tool("plot", "many.npy", "--labels", "many.txt", "-o", "many.html")
        self.open("many.html")
        shown, overlapping = self.boxes_overlap()
        self.assertGreater(shown, 10)
        self.assertEqual(overlapping, 0)
        self.assertEqual(self.browser.run("return foldoutExplorer.data.labelNames[2]"), "class 2")
        self.assertIn("9940 more", self.browser.run("return document.querySelector('.legend').textContent"))

    def test_constant_coordinates(self):
        for columns in (1, 3):
            np.save(tool.folder / "same.npy", np.full((50, columns), 7.0))
            tool("plot", "same.npy", "-o", "same.html")
            self.open("same.html")
            places = np.array(self.browser.run("return Array.from(foldoutExplorer.scene.positions())"))
            width, height = self.browser.run("return foldoutExplorer.scene.size")
            np.testing.assert_allclose(places.reshape(-1, 2), [[width / 2, height / 2]] * 50, atol=1)


if __name__ == "__main__":
    unittest.main(verbosity=2)
