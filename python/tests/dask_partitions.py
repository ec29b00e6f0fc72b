#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A model on the partitions of a dask array, by worker processes: the bits of transform on all samples. Exit status 77 without
dask or distributed. On its own, because dask itself warns."""
import sys

try:
    import dask.array
    import distributed
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

import foldout


def main():
    roll = foldout.datasets.make_swiss_roll(2000)
    model = foldout.LTSA().fit(roll.data[:500])
    model.save("dask.model")
    loaded = foldout.load("dask.model")
    expected = loaded.transform(roll.data)
    with distributed.Client(n_workers=2, threads_per_worker=1, dashboard_address=None) as client:
        for rows in (2000, 700, 64):
            samples = dask.array.from_array(roll.data, chunks=(rows, -1))
            placed = samples.map_blocks(loaded.transform, dtype=float, chunks=(samples.chunks[0], (2,)))
            assert placed.shape == (2000, 2), placed.shape
            np.testing.assert_array_equal(placed.compute(), expected)
        assert len(client.scheduler_info()["workers"]) == 2
    # In the threads of this process, too.
    np.testing.assert_array_equal(placed.compute(scheduler="threads"), expected)
    print("placed on every partition with the same bits")


if __name__ == "__main__":
    main()
