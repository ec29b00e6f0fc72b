# SPDX-License-Identifier: Apache-2.0
"""Debian's chromium, headless and with software rendering, for the tests of pages. Where it or selenium is missing, the
tests say so and are skipped (exit status 77)."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)


try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
except ImportError:
    skip("python3-selenium is not installed")
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
if not CHROMIUM or not DRIVER:
    skip("chromium and chromium-driver are not installed")


class Browser:
    """A browser window of the given width, in light or dark colours."""

    def __init__(self, width=1280, height=900, dark=False):
        self.profile = tempfile.TemporaryDirectory()
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--use-angle=swiftshader",
                         "--enable-unsafe-swiftshader", "--hide-scrollbars", f"--user-data-dir={self.profile.name}",
                         f"--window-size={width},{height}"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(DRIVER))
        self.driver.set_script_timeout(60)
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.command("Emulation.setEmulatedMedia",
                     features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def command(self, name, **arguments):
        return self.driver.execute_cdp_cmd(name, arguments)

    def open(self, page):
        self.driver.get(pathlib.Path(page).resolve().as_uri())

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def settle(self):
        """Waits until the map rests and everything is drawn."""
        self.driver.execute_async_script(
            "const done = arguments[0]; const scene = window.foldoutExplorer.scene; let last = -1;"
            "const look = () => { if (scene.frames === last) return done(); last = scene.frames; setTimeout(look, 400); };"
            "setTimeout(look, 400);")

    def mouse(self, kind, x, y, **more):
        self.command("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def drag(self, path):
        self.mouse("mousePressed", *path[0], button="left", clickCount=1)
        for x, y in path[1:]:
            self.mouse("mouseMoved", x, y, button="left", buttons=1)
        self.mouse("mouseReleased", *path[-1], button="left", clickCount=1)

    def press(self, key):
        code = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Enter": 13, "Escape": 27}[key]
        for kind in ("keyDown", "keyUp"):
            self.command("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code)

    def console(self):
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]

    def requests(self):
        """Addresses that the page asked for, itself and data in it excepted."""
        found = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                found.append(message["params"]["request"]["url"])
        return [url for url in found if not url.startswith(("file:", "data:", "blob:", "chrome:"))]

    def close(self):
        self.driver.quit()
        self.profile.cleanup()


class Tool:
    """Runs the command-line tool in a folder of its own."""

    def __init__(self, path):
        self.path = path
        self.directory = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.directory.name)

    def __call__(self, *arguments):
        done = subprocess.run([self.path, *map(str, arguments), "-q"], cwd=self.folder, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"foldout {' '.join(map(str, arguments))}: {done.stderr}")
        return done.stdout
