"""Time of a step by Python and in batches, against that of the native loop.

    python python/benches/rates.py [SCENE]

The scene is chapter 8 of the book by default: 16 triangles, the smallest steps, so that overhead
shows most. All simulations take the same steps from the same start. Measurements take turns, and
the best of several rounds counts, since other work on the machine only adds. Wall time is what
counts on an idle machine; processor time, of all threads together, is comparable on a busy one.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import ipcsim

STEPS = 100
"""Number of steps of each measurement."""

ROUNDS = 3
"""Number of rounds; the best one counts."""

COUNTS = (16, 1000)
"""Numbers of simulations of batches: some fit into the caches of a processor, many do not."""


@dataclass
class Measurement:
    """Shortest times of something that is done again and again."""

    prepare: Callable[[], None]
    """What comes before, and is not measured."""
    run: Callable[[], None]
    """What is measured."""
    repeats: int = 1
    """Number of runs in a round."""
    wall: float = float("inf")
    """Shortest wall time (s)."""
    processor: float = float("inf")
    """Shortest processor time of all threads (s)."""

    def round(self) -> None:
        """Measures once more."""
        for _ in range(self.repeats):
            self.prepare()
            wall, processor = time.perf_counter(), time.process_time()
            self.run()
            self.wall = min(self.wall, time.perf_counter() - wall)
            self.processor = min(self.processor, time.process_time() - processor)


def main() -> None:
    """Measures and prints."""
    default = Path(__file__).parents[2] / "scenes/book/08_two_squares_friction.json"
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else default
    scene = ipcsim.Scene.from_file(path)
    cores = len(os.sched_getaffinity(0))

    simulation = ipcsim.Simulation(scene, threads=1)
    start = simulation.state()

    def back() -> None:
        simulation.set_state(start)

    def one_by_one() -> None:
        for _ in range(STEPS):
            simulation.step()

    # Single simulations, then batches on one thread and on all cores.
    native = Measurement(back, lambda: simulation.step(STEPS), 20)
    calls = Measurement(back, one_by_one, 20)
    batches = {}
    for count in COUNTS:
        for threads in sorted({1, cores}):
            batch = ipcsim.Batch(scene, count, threads=threads)
            whole = partial(batch.step, STEPS)
            steps = partial(batch.step, STEPS, lambda _: True)
            batches[count, threads, "in one call"] = Measurement(batch.reset, whole)
            batches[count, threads, "with a callback"] = Measurement(batch.reset, steps)
    for _ in range(ROUNDS):
        for one in (native, calls, *batches.values()):
            one.round()

    micro = 1e6 / STEPS
    print(f"{path.name}, microseconds a step: wall time, processor time")
    print(f"all steps in one call: {native.wall * micro:.2f}, {native.processor * micro:.2f}")
    print(f"a call for each step: {calls.wall * micro:.2f}, {calls.processor * micro:.2f}")
    for (count, threads, how), one in batches.items():
        wall = one.wall * threads / count
        processor = one.processor / count
        print(
            f"{count} simulations on {threads} threads, {how}: {wall * micro:.2f} of a thread, "
            f"{processor * micro:.2f} for each; {native.wall / wall:.1%} of {threads} times the "
            f"single rate by the clock, {native.processor / processor:.1%} by processor time"
        )


if __name__ == "__main__":
    main()
