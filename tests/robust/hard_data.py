# SPDX-License-Identifier: Apache-2.0
"""Small data sets on which numerical code tends to fail: repeated, collinear and equidistant samples, constant features,
clusters far apart, fewer samples than features, values near the ends of the floating-point range."""
import numpy as np


def _roll(rng, n):
    t = 1.5 * np.pi * (1 + 2 * rng.random(n))
    return np.column_stack([t * np.cos(t), 21 * rng.random(n), t * np.sin(t)])


def _clusters(rng, n, distance):
    centres = np.eye(4, 5) * distance
    return centres[np.arange(n) % 4] + rng.normal(size=(n, 5))


def _grid(n):
    side = int(np.sqrt(n))
    return np.stack(np.meshgrid(np.arange(side), np.arange(side)), -1).reshape(-1, 2).astype(float)


def _circle(n):
    angle = 2 * np.pi * np.arange(n) / n
    return np.column_stack([np.cos(angle), np.sin(angle)])


def _with_constants(rng, n):
    samples = rng.normal(size=(n, 6))
    samples[:, [1, 4]] = [3.5, 0]
    return samples


def _repeated(rng, n):
    return rng.normal(size=(max(2, n // 5), 4))[np.arange(n) % max(2, n // 5)]


def _nearly_repeated(rng, n):
    return _repeated(rng, n) + 1e-13 * rng.normal(size=(n, 4))


def _one_outlier(rng, n):
    samples = rng.normal(size=(n, 3))
    samples[0] = 1e6
    return samples


def _mixed_scales(rng, n):
    return rng.normal(size=(n, 5)) * [1e-8, 1e-3, 1, 1e4, 1e9]


# name -> function of a generator and a number of samples
SAMPLES = {
    "roll": _roll,
    "roll_off_centre": lambda rng, n: _roll(rng, n) + 1e7,
    "roll_tiny": lambda rng, n: _roll(rng, n) * 1e-100,
    "roll_below_range": lambda rng, n: _roll(rng, n) * 1e-160,
    "roll_huge": lambda rng, n: _roll(rng, n) * 1e120,
    "roll_above_range": lambda rng, n: _roll(rng, n) * 1e160,
    "line": lambda rng, n: np.outer(np.arange(n, dtype=float), [1, 2, -1]),
    "one_feature": lambda rng, n: rng.normal(size=(n, 1)),
    "grid": lambda rng, n: _grid(n),
    "circle": lambda rng, n: _circle(n),
    "equidistant": lambda rng, n: np.eye(n),
    "one_hot": lambda rng, n: np.eye(7)[rng.integers(0, 7, n)],
    "clusters": lambda rng, n: _clusters(rng, n, 10),
    "clusters_far_apart": lambda rng, n: _clusters(rng, n, 1e9),
    "repeated": _repeated,
    "nearly_repeated": _nearly_repeated,
    "all_equal": lambda rng, n: np.full((n, 3), 2.5),
    "zeros": lambda rng, n: np.zeros((n, 3)),
    "constant_features": _with_constants,
    "one_outlier": _one_outlier,
    "mixed_scales": _mixed_scales,
    "wide": lambda rng, n: rng.normal(size=(n, 3 * n)),
    "low_rank": lambda rng, n: rng.normal(size=(n, 2)) @ rng.normal(size=(2, 9)),
    "integers": lambda rng, n: rng.integers(0, 3, size=(n, 4)).astype(float),
    "images": lambda rng, n: np.clip(128 + 60 * rng.normal(size=(n, 16)), 0, 255).round(),
    "cube_corners": lambda rng, n: np.array(np.unravel_index(np.arange(n) % 32, (2,) * 5)).T.astype(float),
}

SIZES = (1, 3, 6, 12, 12, 30, 30, 60, 60, 120)


def samples(name, n, seed):
    return SAMPLES[name](np.random.default_rng(seed), n)


def labels(n, rng):
    """Class names of n samples: two or three classes, one class, a class of one sample, or a class per sample."""
    kind = rng.integers(0, 5)
    classes = [np.arange(n) % 2, np.arange(n) % 3, np.zeros(n, int), np.minimum(np.arange(n), 1), np.arange(n)][kind]
    return ["class " + "abcdefghij"[c % 10] + str(c) for c in classes]


def new_samples(training, rng):
    """Training samples, samples between and beside them, far outside, and zero."""
    n, d = training.shape
    i, j = rng.integers(0, n, (2, 4))
    spread = np.abs(training - training.mean(axis=0)).max()
    return np.vstack([training[i], (training[i] + training[j]) / 2, training[i] + spread * rng.normal(size=(4, d)),
                      training[:1] + 1000 * spread, np.zeros((1, d))])
