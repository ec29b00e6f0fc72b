#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a module of tests, under `python -W error`; exit status 77 if a package that foldout needs is missing."""
import sys
import unittest

for needed in ("numpy", "scipy", "sklearn"):
    try:
        __import__(needed)
    except ImportError:
        print(f"skipped: {needed} is not installed")
        sys.exit(77)
import foldout  # noqa: E402,F401  (a failing import must not look like a missing test)

unittest.main(module=sys.argv[1], argv=sys.argv[:1] + sys.argv[2:], warnings="error")
