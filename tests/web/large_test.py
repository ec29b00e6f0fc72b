# SPDX-License-Identifier: Apache-2.0
"""Large maps: size of the page, time to the first picture, and time per frame while the view moves: large_test.py TOOL"""
import sys
import time
import unittest

from browser import Browser, Tool

import numpy as np

tool = Tool(sys.argv.pop())
LIMIT = 15e6  # bytes


def pan(browser, steps=25):
    """Drags the map with the mouse. Milliseconds between pictures meanwhile: the median and the longest."""
    browser.run("""
      const scene = foldoutExplorer.scene, gl = scene.canvas.getContext('webgl2');
      window.times = []; window.panning = true; let last = performance.now(), drawn = scene.frames;
      const step = () => {
        if (scene.frames !== drawn) {
          gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));  // waits for the picture
          window.times.push(performance.now() - last); drawn = scene.frames;
          last = performance.now();
        }
        if (window.panning) requestAnimationFrame(step);
      };
      requestAnimationFrame(step);""")
    x, y = browser.run("const b = foldoutExplorer.scene.canvas.getBoundingClientRect();"
                       "return [b.left + b.width / 2, b.top + b.height / 2]")
    browser.drag([(x + 4 * k, y + 2 * k) for k in range(steps)])
    times = browser.run("window.panning = false; return window.times")[1:]  # the first waited for the mouse
    return float(np.median(times)), max(times), len(times)


class TestLargeMaps(unittest.TestCase):
    def setUp(self):
        self.browser = Browser(1280, 900)
        self.browser.driver.set_script_timeout(200)

    def tearDown(self):
        self.browser.close()

    def plot(self, *arguments):
        tool("plot", *arguments, "-o", "map.html")
        return (tool.folder / "map.html").stat().st_size

    def write_points(self, n):
        rng = np.random.default_rng(0)
        label = rng.integers(0, 10, n)
        np.save(tool.folder / "y.npy", rng.normal(size=(n, 3)) + 4 * np.eye(10)[label][:, :3])
        (tool.folder / "y.txt").write_text("\n".join(map(str, label)) + "\n")

    def first_picture(self):
        start = time.time()
        self.browser.open(tool.folder / "map.html")
        while not self.browser.run("return window.foldoutExplorer && window.foldoutExplorer.scene.firstFrame > 0"):
            time.sleep(0.05)
        return time.time() - start

    def test_hundred_thousand_points(self):
        self.write_points(100000)
        size = self.plot("y.npy", "--labels", "y.txt")
        seconds = self.first_picture()
        self.browser.settle()
        # Other programs may take the processor for a moment: the best of a few drags.
        frame, longest, count = min((pan(self.browser) for _ in range(5)), key=lambda times: times[1])
        print(f"100 000 points: {size / 1e6:.1f} MB, first picture after {seconds:.2f} s; panning: {frame:.0f} ms per frame, "
              f"the longest of {count} {longest:.0f} ms")
        self.assertLess(size, LIMIT)
        self.assertLess(seconds, 3)
        self.assertGreater(count, 5)
        self.assertLess(longest, 200)
        self.assertEqual(self.browser.run("return foldoutExplorer.data.n"), 100000)

    def test_a_million_points_stay_usable(self):
        self.write_points(1000000)
        size = self.plot("y.npy", "--labels", "y.txt")
        seconds = self.first_picture()
        self.browser.settle()
        frame, longest, count = pan(self.browser)
        print(f"1 000 000 points: {size / 1e6:.1f} MB, first picture after {seconds:.2f} s; panning: {frame:.0f} ms per frame, "
              f"the longest of {count} {longest:.0f} ms")
        self.assertLess(frame, 500)
        shown = self.browser.run("const E = foldoutExplorer; E.state.setFocus(999999); return [E.data.n, E.data.id(999999)]")
        self.assertEqual(shown, [1000000, "1000000"])
        self.assertEqual(self.browser.console(), [])

    def test_five_thousand_images(self):
        tool("data", "faces:n_people=10,size=32", "-n", 5000, "-o", "faces.npy")
        images = np.load(tool.folder / "faces.npy").reshape(-1, 32, 32)
        np.save(tool.folder / "faces.npy", images)
        np.save(tool.folder / "z.npy", np.random.default_rng(0).normal(size=(5000, 2)))
        size = self.plot("z.npy", "--data", "faces.npy")
        print(f"5000 images of 32×32: {size / 1e6:.1f} MB")
        self.assertLess(size, LIMIT)
        self.first_picture()
        self.browser.settle()
        self.assertEqual(self.browser.run("return foldoutExplorer.data.images.about.width"), 32)
        self.assertGreater(self.browser.run("return foldoutExplorer.overlay.thumbnails.length"), 50)


if __name__ == "__main__":
    unittest.main(verbosity=2)
