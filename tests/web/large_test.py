# SPDX-License-Identifier: Apache-2.0
"""Large maps: size of the page, time to the first picture, and time per frame while the view moves: large_test.py TOOL"""
import sys
import time
import unittest

from browser import Browser, Tool

import numpy as np

tool = Tool(sys.argv.pop())
LIMIT = 15e6  # bytes


def median_frame(browser, frames=15):
    """Milliseconds from one picture to the next while the map is dragged."""
    return browser.driver.execute_async_script("""
      const [frames, done] = arguments, scene = foldoutExplorer.scene, gl = scene.canvas.getContext('webgl2');
      const times = []; let last = performance.now(), k = 0;
      const step = () => {
        gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));  // waits for the picture
        const now = performance.now(); times.push(now - last); last = now;
        if (++k > frames) return done(times.slice(1).sort((a, b) => a - b)[Math.floor(frames / 2)]);
        scene.zoomBy(k % 2 ? 1.02 : 1 / 1.02); requestAnimationFrame(() => requestAnimationFrame(step));
      };
      requestAnimationFrame(step);""", frames)


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
        frame = median_frame(self.browser)
        print(f"100 000 points: {size / 1e6:.1f} MB, first picture after {seconds:.2f} s, {frame:.0f} ms per frame")
        self.assertLess(size, LIMIT)
        self.assertLess(seconds, 3)
        self.assertLess(frame, 200)
        self.assertEqual(self.browser.run("return foldoutExplorer.data.n"), 100000)

    def test_a_million_points_stay_usable(self):
        self.write_points(1000000)
        size = self.plot("y.npy", "--labels", "y.txt")
        seconds = self.first_picture()
        frame = median_frame(self.browser)
        print(f"1 000 000 points: {size / 1e6:.1f} MB, first picture after {seconds:.2f} s, {frame:.0f} ms per frame")
        self.browser.settle()
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
