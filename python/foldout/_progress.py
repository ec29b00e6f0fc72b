# SPDX-License-Identifier: Apache-2.0
"""Progress of long calls: a bar of tqdm where it is installed, else a line on the standard error stream."""
from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Optional, Union

Callback = Callable[[str, float], Any]
Verbose = Union[bool, int, Callback]


class _Line:
    """One line of the standard error stream, overwritten at every step."""

    def __init__(self) -> None:
        self.used = False

    def __call__(self, phase: str, fraction: float) -> None:
        self.used = True
        sys.stderr.write(f"\r{phase:<30} {100 * fraction:3.0f} %")
        sys.stderr.flush()

    def close(self) -> None:
        if self.used:
            sys.stderr.write("\n")


class _Bar:
    def __init__(self, tqdm: Any) -> None:
        self.bar = tqdm(total=100, leave=False, bar_format="{desc} {percentage:3.0f}%|{bar}| {elapsed}")

    def __call__(self, phase: str, fraction: float) -> None:
        self.bar.set_description(phase, refresh=False)
        self.bar.n = round(100 * fraction)
        self.bar.refresh()

    def close(self) -> None:
        self.bar.close()


@contextmanager
def progress(verbose: Verbose) -> Iterator[Optional[Callback]]:
    """The callback for one call."""
    if callable(verbose) or not verbose:
        yield verbose if callable(verbose) else None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        shown: Union[_Bar, _Line] = _Line()
    else:
        shown = _Bar(tqdm)
    try:
        yield shown
    finally:
        shown.close()
