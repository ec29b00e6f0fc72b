# SPDX-License-Identifier: Apache-2.0
"""Random requests for `foldout fit`, from the list of components that the tool prints: a new component or key takes part
without a change here."""
import json
import re
import subprocess

INTEGERS = (0, 1, 2, 3, 5, 8, 12, 20, 59, 1000)
NUMBERS = (0, 1e-14, 1e-9, 1e-3, 0.1, 0.5, 0.9, 1, 2, 10, 1e6, 1e300)


def bounds(text):
    """The least and the greatest value of a range such as "≥ 1", "> 0 … 1e+300" or "2 … 1000"."""
    numbers = [float(number) for number in re.findall(r"-?[\d.]+(?:e[+-]?\d+)?", text)]
    low = numbers[0] if numbers else -1e300
    high = numbers[1] if len(numbers) > 1 and "…" in text else 1e300
    return (low * 1.0000001 + 1e-300 if text.startswith(">") else low), high


class Components:
    def __init__(self, tool):
        listed = subprocess.run([tool, "methods", "--json"], capture_output=True, text=True, check=True).stdout
        self.by_kind = {}
        for component in json.loads(listed)["components"]:
            self.by_kind.setdefault(component["kind"], []).append(component)

    def _value(self, key, n, rng):
        words = [word for word in ("auto", "none", "all") if word in key["type"]]
        if words and rng.random() < 0.3:
            return words[0]
        if key["type"] == "choice" or key["choices"]:
            return rng.choice(key["choices"])
        if key["type"] == "boolean":
            return rng.choice(["true", "false"])
        if key["type"] == "text":
            return None
        low, high = bounds(key["range"])
        integer = key["type"].startswith("integer")
        pool = INTEGERS if integer else NUMBERS
        allowed = [value for value in pool if low <= value <= (min(high, n - 1) if integer else high)] or [low]
        value = rng.choice(pool if rng.random() < 0.05 else allowed)  # now and then one that is refused
        return f"{value:g}"

    def spec(self, component, n, rng):
        keys = [key for key in component["keys"] if key["name"] not in ("seed", "metric") or rng.random() < 0.3]
        chosen = rng.sample(keys, min(len(keys), rng.choice((0, 0, 1, 1, 2, 3))))
        values = [(key["name"], self._value(key, n, rng)) for key in chosen]
        text = ",".join(f"{name}={value}" for name, value in values if value not in (None, "precomputed"))
        return component["name"] + (":" + text if text else "")

    def _any(self, kind, n, rng):
        return self.spec(rng.choice(self.by_kind[kind]), n, rng)

    def request(self, n, rng):
        """Options of a fit to n samples: a method, often an extension, sometimes preprocessing, a dictionary, a classifier."""
        kind = rng.choice(("embedding", "map"))
        options = ["--method", self._any(kind, n, rng)]
        for _ in range(rng.choice((0, 0, 0, 1, 2))):
            options += ["--preprocess", self._any("preprocess", n, rng)]
        if rng.random() < (0.7 if kind == "embedding" else 0.1):
            options += ["--extension", self._any("extension", n, rng)]
        if rng.random() < 0.2:
            options += ["--dictionary", self._any("dictionary", n, rng)]
        if rng.random() < 0.15:
            options += ["--classifier", self._any("classifier", n, rng)]
        return options
