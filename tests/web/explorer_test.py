# SPDX-License-Identifier: Apache-2.0
"""The explorer page in a real browser: explorer_test.py TOOL"""
import base64
import hashlib
import re
import sys
import unittest
import xml.dom.minidom

from browser import ROOT, Browser, Tool

import numpy as np
import scipy.sparse

tool = Tool(sys.argv.pop())
N_TRAIN, N_NEW = 150, 40
AXE = ROOT / "web/node_modules/axe-core/axe.min.js"


def setUpModule():
    tool("data", "faces:n_people=6,size=20", "-n", N_TRAIN + N_NEW, "-o", "all.npy", "--labels", "all.txt")
    images = np.load(tool.folder / "all.npy").reshape(-1, 20, 20)
    np.save(tool.folder / "train.npy", images[:N_TRAIN])
    np.save(tool.folder / "new.npy", images[N_TRAIN:])
    labels = (tool.folder / "all.txt").read_text().split()
    (tool.folder / "who.txt").write_text("\n".join(labels[:N_TRAIN]) + "\n")
    tool("fit", "train.npy", "-o", "faces.model", "--method", "laplacian_eigenmaps:graph=full,n_components=5",
         "--extension", "sparse", "--labels", "who.txt")
    tool("plot", "faces.model", "--new", "new.npy", "-o", "map.html")
    tool("transform", "faces.model", "new.npy", "-o", "placed.npy", "--codes", "codes.npz")


class OnAPage(unittest.TestCase):
    width, dark = 1280, False

    @classmethod
    def setUpClass(cls):
        cls.browser = Browser(cls.width, 900, cls.dark)
        cls.browser.open(tool.folder / "map.html")
        cls.browser.settle()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    def run_script(self, script, *arguments):
        return self.browser.run("const E = window.foldoutExplorer; " + script, *arguments)

    def setUp(self):
        self.run_script("E.state.select(null); E.state.setFocus(-1); E.scene.reset(); document.querySelector('.stage').scrollIntoView();")
        self.browser.settle()

    def place(self, i):
        """Where sample i is in the window."""
        return self.run_script(
            "const p = E.scene.positions(), b = E.scene.canvas.getBoundingClientRect();"
            "return [b.left + p[2 * arguments[0]], b.top + p[2 * arguments[0] + 1]];", i)

    def lonely_sample(self):
        """The sample farthest from its neighbours on the screen: pointing at it is unambiguous."""
        p = np.array(self.run_script("return Array.from(E.scene.positions())")).reshape(-1, 2)
        d = np.linalg.norm(p[:, None] - p[None], axis=2) + 1e9 * np.eye(len(p))
        return int(d.min(1).argmax())

    def choose(self, name, value):
        self.run_script("const s = document.querySelector(`select[name='${arguments[0]}']`); s.value = arguments[1];"
                        "s.dispatchEvent(new Event('change'));", name, value)


class TestExplorer(OnAPage):
    def test_loads_without_errors_and_without_network(self):
        self.assertEqual(self.browser.console(), [])
        self.assertEqual(self.browser.requests(), [])

    def test_all_points_are_there(self):
        self.assertEqual(self.run_script("return [E.data.n, E.data.nNew]"), [N_TRAIN + N_NEW, N_NEW])
        drawn = self.run_script("E.state.showImages = E.state.showNames = false; E.overlay.draw(true); const c = E.scene.canvas,"
                                "g = c.getContext('webgl2'), p = new Uint8Array(4 * c.width * c.height);"
                                "g.readPixels(0, 0, c.width, c.height, g.RGBA, g.UNSIGNED_BYTE, p);"
                                "E.state.showImages = E.state.showNames = true; let k = 0;"
                                "for (let i = 3; i < p.length; i += 4) k += p[i] > 0; return k;")
        self.assertGreater(drawn, 20 * (N_TRAIN + N_NEW) / 2)  # pixels with ink

    def test_coordinates_are_those_of_transform(self):
        placed = np.load(tool.folder / "placed.npy")
        shown = np.array(self.run_script("return E.data.coordinates.map(c => Array.from(c))"))
        np.testing.assert_allclose(shown[:, N_TRAIN:].T, placed, rtol=1e-5, atol=1e-7)

    def test_hover_shows_the_image_of_the_sample(self):
        i = self.lonely_sample()
        self.browser.mouse("mouseMoved", *self.place(i))
        shown = self.run_script(
            "const t = document.querySelector('.tip'), c = t.querySelector('canvas');"
            "return [Number(t.dataset.sample), t.hidden, c.width, Array.from(c.getContext('2d').getImageData(0, 0, 20, 20).data)]")
        self.assertEqual(shown[:3], [i, False, 20])
        images = np.concatenate([np.load(tool.folder / "train.npy"), np.load(tool.folder / "new.npy")])
        pixels = np.array(shown[3]).reshape(20, 20, 4)[:, :, 0]
        self.assertLessEqual(np.abs(pixels - images[i]).max(), 1.5)

    def test_lasso_selects_what_it_surrounds(self):
        i = self.lonely_sample()
        x, y = self.place(i)
        self.run_script("[...document.querySelectorAll('button')].find(b => b.textContent === 'Lasso').click()")
        self.browser.drag([(x - 5, y - 5), (x + 5, y - 5), (x + 5, y + 5), (x - 5, y + 5), (x - 5, y - 4)])
        self.run_script("[...document.querySelectorAll('button')].find(b => b.textContent === 'Move').click()")
        self.assertEqual(self.run_script("return [...E.state.selection]"), [i])
        self.assertIn("1 samples selected", self.run_script("return document.querySelector('[role=status]').textContent"))

    def test_box_selects_all_samples(self):
        box = self.run_script("const b = E.scene.canvas.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]")
        self.run_script("[...document.querySelectorAll('button')].find(b => b.textContent === 'Box').click()")
        self.browser.drag([(box[0] + 9, box[1] + 9), (box[0] + 90, box[1] + 90), (box[2] - 9, box[3] - 9)])
        self.run_script("[...document.querySelectorAll('button')].find(b => b.textContent === 'Move').click()")
        self.assertEqual(self.run_script("return E.state.selection.size"), N_TRAIN + N_NEW)

    def test_search_finds_ids_and_labels(self):
        label = (tool.folder / "who.txt").read_text().split()[0]
        self.run_script("const s = document.querySelector('input[name=Search]'); s.value = arguments[0];"
                        "s.dispatchEvent(new Event('change'));", label)
        count = self.run_script("return [...E.state.selection].filter(i => E.data.labelNames[E.data.anyLabel(i)]"
                                ".includes(arguments[0]) || E.data.id(i).includes(arguments[0])).length", label)
        self.assertEqual(count, self.run_script("return E.state.selection.size"))
        self.assertGreaterEqual(count, N_TRAIN // 6)
        self.assertEqual(self.run_script("return E.search('new 7')"), [N_TRAIN + 6])

    def test_colours_switch(self):
        before = self.run_script("return Array.from(E.state.colors.slice(0, 400))")
        self.choose("Colour", "y1")
        after = self.run_script("return Array.from(E.state.colors.slice(0, 400))")
        self.choose("Colour", "label")
        self.assertNotEqual(before, after)
        self.assertEqual(before, self.run_script("return Array.from(E.state.colors.slice(0, 400))"))

    def test_three_coordinates_rotate(self):
        self.choose("Depth", "2")
        self.browser.settle()
        before = self.run_script("return Array.from(E.scene.positions())")
        self.run_script("E.scene.spin(true)")
        self.browser.driver.execute_async_script("setTimeout(arguments[0], 800)")
        self.run_script("E.scene.spin(false)")
        self.assertNotEqual(before, self.run_script("return Array.from(E.scene.positions())"))
        self.choose("Depth", "")

    def test_keys_move_the_focus(self):
        self.run_script("document.querySelector('.stage').focus({preventScroll: true})")
        self.browser.press("ArrowRight")
        self.assertGreaterEqual(self.run_script("return E.state.focus"), 0)
        first = self.run_script("const p = E.scene.positions(); let k = 0;"
                                "for (let i = 0; i < E.data.n; i++) if (p[2 * i] < p[2 * k]) k = i; E.state.setFocus(k); return k")
        self.browser.press("ArrowRight")
        second = self.run_script("return E.state.focus")
        self.assertNotEqual(first, second)
        self.assertGreater(self.place(second)[0], self.place(first)[0])
        self.assertIn("Sample", self.run_script("return document.querySelector('[role=status]').textContent"))
        self.browser.press("Escape")
        self.assertEqual(self.run_script("return E.state.focus"), -1)

    def test_reasons_are_the_codes_of_transform(self):
        codes = scipy.sparse.load_npz(tool.folder / "codes.npz").toarray()
        for k in (0, 17, N_NEW - 1):
            self.run_script("E.state.setFocus(arguments[0])", N_TRAIN + k)
            shown = self.run_script("return [...document.querySelectorAll('.reasons button')].map(b =>"
                                    "[Number(b.dataset.anchor), Number(b.dataset.weight)])")
            expected = np.argsort(-codes[k], kind="stable")[: min(16, (codes[k] > 0).sum())]
            self.assertEqual(len(shown), len(expected))
            np.testing.assert_allclose([w for _, w in shown], codes[k][expected], rtol=1e-5)
            for anchor, weight in shown:
                self.assertAlmostEqual(codes[k][anchor], weight, places=5)
            self.assertEqual(self.run_script("return document.querySelectorAll('.error-image').length"), 1)

    def test_table_lists_the_samples(self):
        self.run_script("document.querySelector('.samples').open = true")
        self.browser.settle()
        self.assertEqual(self.run_script("return document.querySelectorAll('.samples tbody tr').length"), 100)
        self.run_script("document.querySelector('.samples').open = false")

    def test_csv_has_the_selection(self):
        self.run_script("E.state.select([3, 1])")
        lines = self.run_script("return E.csv()").split("\r\n")
        self.assertEqual(len(lines), 4)  # header, two samples, the end
        self.assertTrue(lines[1].startswith("2,training,"))

    def test_pictures_can_be_saved(self):
        self.run_script("E.state.showImages = false; E.state.notify('view');")
        self.browser.settle()
        svg = xml.dom.minidom.parseString(self.run_script("return E.svg()"))
        self.assertEqual(len(svg.getElementsByTagName("path")), N_TRAIN + N_NEW)
        self.assertGreater(len(svg.getElementsByTagName("text")), 0)
        self.run_script("E.state.showImages = true; E.state.notify('view');")
        self.browser.settle()
        png = base64.b64decode(self.run_script("return E.png()").split(",")[1])
        self.assertEqual(png[1:4], b"PNG")
        self.assertEqual(int.from_bytes(png[16:20], "big"), self.run_script("return E.scene.canvas.width"))

    def test_a_tap_shows_the_details(self):
        i = self.lonely_sample()
        x, y = self.place(i)
        self.browser.command("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self.browser.command("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        self.assertEqual(self.run_script("return E.state.focus"), i)
        name = self.run_script("return E.data.id(arguments[0])", i)
        self.assertEqual(self.run_script("return document.querySelector('.side h2').textContent"), f"Sample {name}")

    def test_dragging_moves_the_map(self):
        before = self.place(0)
        box = self.run_script("const b = E.scene.canvas.getBoundingClientRect(); return [b.left, b.top, b.width, b.height]")
        x, y = box[0] + box[2] / 2, box[1] + box[3] / 2
        self.browser.drag([(x, y), (x + 10, y), (x + 40, y + 20)])
        self.browser.settle()
        after = self.place(0)
        self.assertAlmostEqual(after[0] - before[0], 40, delta=2)
        self.assertAlmostEqual(after[1] - before[1], 20, delta=2)

    def test_accessibility(self):
        if not AXE.exists():
            self.skipTest("axe-core is not installed: npm ci in web/")
        self.run_script("E.state.setFocus(arguments[0])", N_TRAIN)
        self.run_script("for (const d of document.querySelectorAll('details')) d.open = true;")
        self.browser.run(AXE.read_text())
        found = self.browser.driver.execute_async_script(
            "axe.run().then(r => arguments[0](r.violations.filter(v => v.impact === 'serious' || v.impact === 'critical')"
            ".map(v => v.id + ': ' + v.nodes.map(n => n.target + ' ' + n.failureSummary).join('; '))));")
        self.run_script("for (const d of document.querySelectorAll('details')) d.open = false;")
        self.assertEqual(found, [])

    def test_nothing_is_wider_than_the_window(self):
        self.assertLessEqual(self.run_script("return document.documentElement.scrollWidth"), self.width)


class TestOnATelephone(TestExplorer):
    width = 390


class TestInTheDark(TestExplorer):
    dark = True


class TestPolicy(unittest.TestCase):
    def test_only_the_script_with_the_hash_may_run(self):
        text = (tool.folder / "map.html").read_text()
        policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text).group(1)
        script = re.findall(r"<script>(.*?)</script>", text, re.S)
        self.assertEqual(len(script), 1)
        digest = base64.b64encode(hashlib.sha256(script[0].encode()).digest()).decode()
        self.assertIn(f"script-src 'sha256-{digest}'", policy)
        self.assertTrue(policy.startswith("default-src 'none';"))
        self.assertNotIn("unsafe-eval", policy)
        data = re.search(r'id="map-data">(.*?)</script>', text, re.S).group(1)
        self.assertNotIn("<", data)


if __name__ == "__main__":
    unittest.main(verbosity=2)
