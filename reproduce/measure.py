# SPDX-License-Identifier: Apache-2.0
"""Measures that several protocols share. Samples are rows."""
import time

import numpy as np

import foldout


def squared_distances(A, B):
    return np.maximum((A ** 2).sum(1)[:, None] + (B ** 2).sum(1)[None] - 2 * A @ B.T, 0)


def nearest_label(train, labels, new):
    """The label of the nearest training sample."""
    gaps = (train ** 2).sum(1)[None] - 2 * new @ train.T
    return np.asarray(labels)[gaps.argmin(1)]


def recognition(train, labels, new, truth):
    """Per cent of new samples whose nearest training sample has their label."""
    return 100 * np.mean(nearest_label(train, labels, new) == truth)


def recognition_by_dimension(train, labels, new, truth, dims, cosine=False):
    """The same in the first d coordinates, for every d of dims (ascending)."""
    products = np.zeros((len(new), len(train)))
    lengths, done, rates = np.zeros(len(train)), 0, []
    for d in dims:
        A, B = new[:, done:d], train[:, done:d]
        products += A @ B.T
        lengths += (B ** 2).sum(1)
        score = products / np.sqrt(np.maximum(lengths, 1e-300)) if cosine else 2 * products - lengths
        rates.append(100 * np.mean(np.asarray(labels)[score.argmax(1)] == truth))
        done = d
    return rates


def narrow(A):
    """A after a rotation into as few columns as it has rows: distances and products of rows do not change."""
    return np.linalg.qr(A.T, mode="r").T if A.shape[1] > len(A) else A


def procrustes(A, B):
    """foldout's procrustes of coordinates with more columns than rows in the time of square ones."""
    d = min(A.shape[1], B.shape[1])
    return foldout.metrics.procrustes(narrow(A[:, :d]), narrow(B[:, :d]))


def standardised(T):
    return (T - T.mean(0)) / T.std(0)


def cpu_seconds(call, repeats=1):
    """CPU seconds of a call: the smallest of the repeats; and its result."""
    best = np.inf
    for _ in range(repeats):
        began = time.process_time()
        result = call()
        best = min(best, time.process_time() - began)
    return best, result


def spherical_kmeans(X, k, seed, starts=10, steps=100):
    """Labels of the clusters of unit vectors by cosine; a centre is the mean of its points at unit length."""
    X = X / np.maximum(np.linalg.norm(X, axis=1, keepdims=True), 1e-300)
    random, best, labels = np.random.RandomState(seed), -np.inf, None
    for _ in range(starts):
        centres = X[random.permutation(len(X))[:k]]
        for _ in range(steps):
            cosines = X @ centres.T
            found = cosines.argmax(1)
            sums = np.stack([X[found == c].sum(0) if (found == c).any() else X[random.randint(len(X))] for c in range(k)])
            moved = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-300)
            if np.allclose(moved, centres):
                break
            centres = moved
        total = cosines.max(1).sum()
        if total > best:
            best, labels = total, found
    return labels


def intrinsic_dimension(X, estimator, k=10):
    """Levina and Bickel (2004), with the mean of MacKay and Ghahramani over k − 1 neighbours ("mle"), or the two nearest
    neighbours of Facco et al. (2017) ("two_nn"). To be replaced by foldout.metrics.intrinsic_dimension."""
    X = np.unique(X, axis=0)
    near = np.sqrt(np.sort(squared_distances(X, X), axis=1)[:, 1:max(k, 2) + 1])
    near = near[near[:, 0] > 0]
    if estimator == "two_nn":
        ratios = np.sort(np.log(near[:, 1] / near[:, 0]))
        kept = int(0.9 * len(ratios))
        tail = -np.log(1 - np.arange(1, kept + 1) / len(ratios))
        return float((tail @ ratios[:kept]) / (ratios[:kept] @ ratios[:kept]))
    return float(1 / np.log(near[:, -1:] / near[:, :-1]).mean())
