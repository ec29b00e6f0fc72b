# SPDX-License-Identifier: Apache-2.0
"""Progress, and how long calls are stopped."""
import os
import signal
import subprocess
import sys
import threading
import time
import unittest

import foldout

ROLL = foldout.datasets.make_swiss_roll(1500).data


class Interrupt(unittest.TestCase):
    def test_a_callback_sees_the_phases(self):
        seen = []
        foldout.Isomap(verbose=lambda phase, fraction: seen.append((phase, fraction))).fit(ROLL)
        self.assertGreaterEqual(len({phase for phase, _ in seen}), 2)
        self.assertTrue(all(0 <= fraction <= 1 for _, fraction in seen))

    def test_what_a_callback_raises_stops_the_fit(self):
        def stop(phase, fraction):
            raise LookupError(phase)

        isomap = foldout.Isomap(verbose=stop)
        with self.assertRaises(LookupError):
            isomap.fit(ROLL)
        self.assertFalse(hasattr(isomap, "embedding_"))
        isomap.set_params(verbose=False).fit(ROLL)

    def test_verbose_writes_progress(self):
        script = "import foldout; foldout.LLE(verbose=True).fit(foldout.datasets.make_swiss_roll(1500).data)"
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        self.assertIn("%", done.stderr)
        self.assertEqual(done.stdout, "")

    def test_ctrl_c_stops_a_long_fit_within_a_second_and_leaves_no_damage(self):
        X = foldout.datasets.make_swiss_roll(30000).data
        isomap = foldout.Isomap(n_neighbors=10).fit(ROLL)
        pressed = []

        def press():
            pressed.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)

        timer = threading.Timer(0.5, press)
        before = isomap.transform(ROLL[:5])
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            foldout.LandmarkIsomap(n_landmarks=20000).fit(X)
        self.assertLess(time.monotonic() - pressed[0], 1)
        self.assertTrue((isomap.transform(ROLL[:5]) == before).all())

    def test_other_threads_run_during_a_fit(self):
        count = [0]
        done = threading.Event()

        def work():
            while not done.is_set():
                count[0] += 1
                time.sleep(0.001)

        thread = threading.Thread(target=work)
        thread.start()
        start = time.monotonic()
        while time.monotonic() - start < 0.5:
            foldout.Isomap().fit(ROLL[:1000])
        done.set()
        thread.join()
        self.assertGreater(count[0], 50)


if __name__ == "__main__":
    unittest.main()
