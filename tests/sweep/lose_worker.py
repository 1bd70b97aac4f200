"""A sweep on a Dask cluster of two workers, of which one is killed on the way.

    python tests/sweep/lose_worker.py

The table has the bytes of a sweep in one process. Ends with 77 where ipcsim or Dask is not installed.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path

SCENE = Path(__file__).parents[2] / "scenes/book/08_two_squares_friction.json"
"""Scene of the sweep."""

RUNS = 400
"""Number of runs."""


def main() -> int:
    """Compares the tables."""
    try:
        from distributed import Client, LocalCluster

        import ipcsim
        import ipcsim.dask
    except ImportError as error:
        print(f"skipped: a sweep on Dask: {error} (pip install ./python 'distributed')")
        return 77

    plan = {
        "scene": SCENE.name,
        "set": {"time.steps": 50},
        "vary": [
            {
                "latin_hypercube": {
                    "runs": RUNS,
                    "seed": 3,
                    "over": [
                        {"key": "contact.friction.pairs.2.coefficient", "from": 0, "to": 0.5},
                        {"key": "materials.rubber.density", "from": 900, "to": 1100},
                    ],
                }
            }
        ],
    }
    with tempfile.TemporaryDirectory() as place:
        began = time.perf_counter()
        alone = ipcsim.Sweep(plan, folder=SCENE.parent).run(Path(place) / "alone")
        single = time.perf_counter() - began
        assert len(alone) == RUNS

        # One worker dies while its chunks are computed; Dask starts another one.
        with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
            with Client(cluster) as client:
                client.wait_for_workers(2)
                victim = next(iter(client.run(os.getpid).values()))
                killed = threading.Event()

                def kill() -> None:
                    journals = Path(place) / "dask/journals"
                    while not any(path.stat().st_size > 2000 for path in journals.glob("*")):
                        time.sleep(0.005)
                    os.kill(victim, signal.SIGKILL)
                    killed.set()

                threading.Thread(target=kill, daemon=True).start()
                began = time.perf_counter()
                table = ipcsim.dask.sweep(plan, Path(place) / "dask", client, chunk=5)
                clustered = time.perf_counter() - began
                assert killed.is_set(), "the sweep ended before the worker was killed"
        assert len(table) == RUNS

        texts = [(Path(place) / name / "results.csv").read_bytes() for name in ("alone", "dask")]
        assert texts[0] == texts[1], "the tables differ"
    print(f"{RUNS} runs: {single:.2f} s here, {clustered:.2f} s on Dask with a worker killed")
    print("the same table")
    return 0


if __name__ == "__main__":
    sys.exit(main())
