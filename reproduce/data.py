# SPDX-License-Identifier: Apache-2.0
"""Data sets by name, and how they are split.

A set NAME in the data folder is NAME_X.npy, samples as rows (or images N×H×W), with NAME_y.npy where it has labels, integers
or text; or a folder NAME of images, one sub-folder per class, which the tool reads. rendered_PxN[_SIZE] are N rendered faces
of each of P people, which need no folder.
"""
import functools
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
from typing import Any, NamedTuple, Optional

import numpy as np

import foldout

FOLDER = None  # of the running cell
RENDERED = re.compile(r"rendered_(\d+)x(\d+)(?:_(\d+))?$")


class Samples(NamedTuple):
    X: Any
    y: Optional[Any]


def exists(name, folder):
    folder = pathlib.Path(folder)
    return bool(RENDERED.match(name)) or (folder / f"{name}_X.npy").exists() or (folder / name).is_dir()


def has_labels(name, folder):
    folder = pathlib.Path(folder)
    return bool(RENDERED.match(name)) or (folder / f"{name}_y.npy").exists() or (folder / name).is_dir()


def n_samples(name, folder):
    """Without reading them; a folder of images counts as small."""
    file = pathlib.Path(folder) / f"{name}_X.npy"
    return len(np.load(file, mmap_mode="r")) if file.exists() else 0


def fingerprint(name, folder):
    """Changes with the content of the files of a set."""
    if RENDERED.match(name):
        return name
    return file_digest(name, str(folder))


@functools.lru_cache(maxsize=None)
def file_digest(name, folder):
    folder, digest = pathlib.Path(folder), hashlib.sha256()
    files = [folder / f"{name}_{part}.npy" for part in "Xyt"]
    if (folder / name).is_dir():
        files += sorted((folder / name).rglob("*"))
    for file in files:
        if file.is_file():
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def load(name):
    """Samples as float64 rows, and labels or None."""
    return read(name, str(FOLDER))


@functools.lru_cache(maxsize=4)
def read(name, folder):
    match = RENDERED.match(name)
    if match:
        people, images, size = (int(part or 32) for part in match.groups())
        faces = foldout.datasets.make_faces(people * images, n_people=people, size=size)
        return Samples(faces.data, faces.target)
    file = pathlib.Path(folder) / f"{name}_X.npy"
    if not file.exists():
        return image_folder(pathlib.Path(folder) / name)
    X = np.load(file)
    X = np.ascontiguousarray(X.reshape(len(X), -1), dtype=float)
    labels = file.with_name(f"{name}_y.npy")
    return Samples(X, np.load(labels).ravel() if labels.exists() else None)


def truth(name):
    """Generating coordinates, NAME_t.npy."""
    return np.load(pathlib.Path(FOLDER) / f"{name}_t.npy")


def tool():
    """The command-line tool: $FOLDOUT_TOOL, that of the build tree, or that of the path."""
    root = pathlib.Path(__file__).resolve().parent.parent
    places = [os.environ.get("FOLDOUT_TOOL"), root / "build/bin/foldout", root / "build-bench/bin/foldout",
              shutil.which("foldout")]
    found = next((str(place) for place in places if place and pathlib.Path(place).exists()), None)
    if not found:
        raise FileNotFoundError("the tool foldout is needed: make build, or set FOLDOUT_TOOL")
    return found


def image_folder(folder):
    """The images of a folder as the tool reads them: it fits a model that keeps its samples, in a documented format."""
    with tempfile.TemporaryDirectory() as work:
        model = pathlib.Path(work) / "model"
        done = subprocess.run([tool(), "fit", str(folder), "-o", str(model), "--method", "pca:n_components=1", "--extension",
                               "lvm",
                               "-q"], capture_output=True, text=True)
        if done.returncode:
            raise ValueError(done.stderr.strip())
        content = model.read_bytes()
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8:8 + length])
    widest = max((t for key, t in header.items() if key != "__metadata__" and len(t["shape"]) == 2),
                 key=lambda t: t["shape"][1])
    begin, end = widest["data_offsets"]
    X = np.frombuffer(content[8 + length + begin:8 + length + end], dtype="<f8").reshape(widest["shape"])
    images = sorted((p for p in folder.rglob("*") if p.is_file()), key=lambda p: os.fsencode(p))
    y = np.array([p.parent.name for p in images])
    if len(y) != len(X):
        raise ValueError(f"{folder} has {len(y)} files, of which {len(X)} are images")
    return Samples(X.copy(), y)


def first_classes(samples, n, last=False):
    """The samples of the first (last) n classes."""
    classes = np.unique(samples.y)
    kept = np.isin(samples.y, classes[-n:] if last else classes[:n])
    return Samples(samples.X[kept], samples.y[kept])


def split(y, part, seed):
    """A random part of each class for training, at least one sample, and all but one at most."""
    random = np.random.RandomState(seed)
    train = []
    for label in np.unique(y):
        members = np.where(y == label)[0]
        random.shuffle(members)
        train.extend(members[:max(1, min(len(members) - 1, int(round(part * len(members)))))])
    train = np.sort(train)
    return train, np.setdiff1d(np.arange(len(y)), train)


def halves(n, part, seed):
    """A random part of all samples, whatever their class."""
    order = np.random.RandomState(seed).permutation(n)
    m = int(part * n)
    return np.sort(order[:m]), np.sort(order[m:])


def image_shape(n_pixels):
    """Height and width: the pair of factors nearest to a square, higher than wide."""
    width = next(w for w in range(int(np.sqrt(n_pixels)), 0, -1) if n_pixels % w == 0)
    return n_pixels // width, width


def grey(X):
    """Pixels from 0 to 1: grey levels of 8 bits are divided by 255."""
    return X / (255 if 1 < X.max() <= 255 else max(X.max(), 1e-12))


def unit(X):
    lengths = np.linalg.norm(X, axis=1, keepdims=True)
    return X / np.where(lengths > 0, lengths, 1)
