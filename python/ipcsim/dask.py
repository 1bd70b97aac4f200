"""Sweeps on a Dask cluster.

>>> from dask.distributed import Client, LocalCluster
>>> client = Client(LocalCluster(n_workers=2, threads_per_worker=1))
>>> table = ipcsim.dask.sweep("plan.json", "output/plan", client)

Workers get the texts of the plan and of the files that it names, so they need no shared folder, but
the same version of this package. They send rows back, and the process of the caller writes them: a
worker that is lost takes nothing with it, since Dask computes its chunks on another one.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any

from . import _native
from .sweeps import Sweep, Table

CHUNKS = 20
"""Number of chunks for each thread of the cluster: the last ones end at about the same time."""

LARGEST = 1000
"""Largest number of runs in a chunk: what a lost worker has to compute again."""


@cache
def study_of(sources: bytes) -> _native.Study:
    """The study of these texts; a worker makes it once."""
    return _native.study_of(sources)


def compute(runs: Sequence[int], sources: bytes) -> bytes:
    """Rows of some runs, on a worker."""
    return study_of(sources).compute(list(runs))


def sweep(
    plan: Sweep | Mapping[str, Any] | str | os.PathLike[str],
    out: str | os.PathLike[str],
    client: Any,
    *,
    chunk: int | None = None,
) -> Table:
    """Computes all runs that have no row in the folder `out` on a Dask cluster; returns the table.

    `client` is a `distributed.Client`, and `chunk` the number of runs in a task. Rows are stored as
    they come, and a call that was stopped continues; so does `ipcsim sweep`. Raises RunError if the
    folder cannot be used, and what Dask raises if it gives up.
    """
    distributed: Any = import_module("distributed")
    planned = plan if isinstance(plan, Sweep) else Sweep(plan)
    native = planned._native
    store = native.open(os.fspath(out))
    missing = native.missing(store)
    if chunk is None:
        threads = max(1, sum(client.nthreads().values()))
        chunk = min(LARGEST, max(1, len(missing) // (CHUNKS * threads)))

    sources = native.to_bytes()
    tasks = client.map(compute, list(chunks(missing, chunk)), sources=sources, pure=False)
    arriving = distributed.as_completed(tasks, with_results=True)
    # Rows that are stored need not be kept, nor computed again if their worker is lost.
    del tasks
    for task, frames in arriving:
        store.add(frames)
        task.release()
    native.write_table(store)
    return Table(out)


def chunks(runs: list[int], length: int) -> Iterator[list[int]]:
    """Consecutive parts of a list."""
    for start in range(0, len(runs), length):
        yield runs[start : start + length]
