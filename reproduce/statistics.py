# SPDX-License-Identifier: Apache-2.0
"""Means with their spread, and comparisons of two methods over the same seeds."""
from typing import NamedTuple, Optional

import numpy as np


class Stat(NamedTuple):
    """Mean and standard deviation over n runs."""

    mean: float
    sd: Optional[float]
    n: int

    @staticmethod
    def of(values):
        """None without values."""
        values = np.asarray(values, dtype=float).ravel()
        if not len(values):
            return None
        return Stat(float(values.mean()), float(values.std(ddof=1)) if len(values) > 1 else None, len(values))

    @staticmethod
    def median(values):
        """The same with the median in place of the mean."""
        values = np.asarray(values, dtype=float).ravel()
        return None if not len(values) else Stat.of(values)._replace(mean=float(np.median(values)))

    @property
    def error(self):
        return self.sd / np.sqrt(self.n) if self.sd is not None else 0.0


def with_error(stat, digits):
    return f"{stat.mean:.{digits}f}" + (f" ± {stat.error:.{digits}f}" if stat.n > 1 else "")


def gap(a, b):
    """The differences a − b of paired runs, as a Stat."""
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    n = min(len(a), len(b))
    return Stat.of(a[:n] - b[:n])


def ahead_everywhere(cases, unit="", digits=1, lower_is_better=False):
    """Is a better than b in every case? cases: name -> (runs of a, runs of b), paired. Returns holds, and the evidence.

    A case contradicts if b is better by more than two standard errors of the paired difference. The claim holds if no case
    contradicts and a is better on average, by more than two standard errors of that average.
    """
    gaps = {name: gap(b, a) if lower_is_better else gap(a, b) for name, (a, b) in cases.items()}
    gaps = {name: found for name, found in gaps.items() if found is not None}
    if not gaps:
        return None, "no results"
    better = [name for name, g in gaps.items() if g.mean > 0]
    against = {name: g for name, g in gaps.items() if g.mean < 0 and (g.n == 1 or -g.mean > 2 * g.error)}
    average = np.mean([g.mean for g in gaps.values()])
    noise = 2 * np.sqrt(sum(g.error ** 2 for g in gaps.values())) / len(gaps)
    least, most = min(g.mean for g in gaps.values()), max(g.mean for g in gaps.values())
    if len(gaps) == 1:
        g = next(iter(gaps.values()))
        why = f"by {with_error(g, digits)}{unit}"
    else:
        why = f"in {len(better)} of {len(gaps)} cases, by {least:.{digits}f} to {most:.{digits}f}{unit}"
    if against and len(gaps) > 1:
        listed = [f"{name} {with_error(g, digits)}" for name, g in against.items()]
        why += "; not: " + ", ".join(listed[:6]) + (f" and {len(listed) - 6} more" if len(listed) > 6 else "")
    if not against and abs(average) <= noise:
        why += ", a tie"
    return not against and average > noise, why


def reached(ours, theirs, digits=1, lower_is_better=False):
    """Is the paper's figure reached, within two standard errors? Returns holds, and the evidence."""
    if ours is None:
        return None, "no results"
    short = (ours.mean - theirs) if lower_is_better else (theirs - ours.mean)
    why = f"{with_error(ours, digits)}; the paper has {theirs:.{digits}f}"
    return short <= 2 * ours.error, why
