# SPDX-License-Identifier: Apache-2.0
"""Components as text: "name:key=value,key=value", the spelling of the command line and of the model file."""
from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Optional, Union

import numpy as np

from . import _core

Spec = Union[str, Mapping[str, Any]]
Steps = Union[Spec, Iterable[Spec]]
Given = tuple[str, list[tuple[str, str]]]


class FitWarning(UserWarning):
    """A repair or a fallback in a fit or in the placement of new samples, as the report lists it."""


def text_of(value: Any) -> str:
    """A value as the library reads it."""
    if value is None:
        return "none"
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    return str(value)


def given(spec: Optional[Spec]) -> Given:
    """A spec string, or a dict with the name and the keys, as _core takes it; ``None`` is no component."""
    if spec is None:
        return "", []
    if isinstance(spec, str):
        return spec, []
    keys = dict(spec)
    name = keys.pop("name", None)
    if not isinstance(name, str):
        raise ValueError(f'a component needs its name, such as {{"name": "rbf", "n_centers": 200}}; got {dict(spec)}')
    return name, [(key, text_of(value)) for key, value in keys.items()]


@lru_cache(maxsize=None)
def default_neighbors() -> dict[str, int]:
    """The default n_neighbors of every method that has a number there."""
    keys = ((c["name"], k) for c in _core.components() if c["kind"] in ("embedding", "map") for k in c["keys"])
    return {name: int(k["default"]) for name, k in keys if k["name"] == "n_neighbors" and k["default"].isdigit()}


def has_key(component: Given, name: str) -> bool:
    text, keys = component
    return f"{name}=" in text or any(key == name for key, _ in keys)


def with_fewer_neighbors(method: Given, n_samples: int) -> Given:
    """The method with all other samples as neighbours, if the default n_neighbors asks for more than there are."""
    text, keys = method
    name = text.partition(":")[0]
    most = n_samples - 1
    if has_key(method, "n_neighbors") or default_neighbors().get(name, 0) <= most:
        return method
    warnings.warn(f"neighbors_reduced: {name} uses n_neighbors = {most}, all other samples", FitWarning, stacklevel=4)
    return text, [*keys, ("n_neighbors", str(most))]


def given_steps(steps: Optional[Steps]) -> list[Given]:
    if steps is None:
        return []
    return [given(step) for step in ([steps] if isinstance(steps, (str, Mapping)) else steps)]


def parsed(text: str) -> tuple[str, dict[str, Any]]:
    """The name and the values of a spec that the library wrote."""
    name, _, rest = text.partition(":")
    pairs = (pair.partition("=") for pair in rest.split(",") if pair)
    return name, {key: literal(value) for key, _, value in pairs}


def literal(text: str) -> Any:
    words = {"true": True, "false": False, "none": None}
    if text in words:
        return words[text]
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return text
