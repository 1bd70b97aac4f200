"""IPC Toolkit's broad phases on the crowds of `crates/contact/src/broad/disks.rs`, then ours, both on one thread.

Needs `pip install ipctk==1.6.1 numpy` and cargo. Times are of building (boxes included) and finding candidates. Ours
include the two vertices of every edge; IPC Toolkit leaves them out.
"""

import json
import pathlib
import statistics
import subprocess
import time

import ipctk
import numpy as np

SIDES = 100
COUNTS = (10_000, 100_000, 1_000_000)
ROOT = pathlib.Path(__file__).parents[2]
CRITERION = ROOT / "target/criterion"


def uniform(k):
    """A number in [0, 1) for every `k`, the same as `uniform` in Rust."""
    z = (k + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return ((z ^ (z >> np.uint64(31))) >> np.uint64(11)).astype(float) / 2.0**53


def crowd(count):
    """Vertices at the start and the end of a step, and edges."""
    v = np.arange(count)
    radius = SIDES / (2 * np.pi)
    pitch, columns = 2 * radius + 0.8, max(1, int((count // SIDES) ** 0.5))
    angle = (v % SIDES) * (2 * np.pi / SIDES)
    disk = v // SIDES
    x = np.stack([disk % columns * pitch + radius * np.cos(angle), disk // columns * pitch + radius * np.sin(angle)], 1)
    k = np.uint64(2) * v.astype(np.uint64)
    direction, length = 2 * np.pi * uniform(k), 2 * uniform(k + np.uint64(1))
    y = x + length[:, None] * np.stack([np.cos(direction), np.sin(direction)], 1)
    edges = np.stack([v, np.where(v % SIDES == SIDES - 1, v + 1 - SIDES, v + 1)], 1).astype(np.int32)
    return [np.asfortranarray(a) for a in (x, y, edges)]


def report(name, count, seconds):
    median, best = statistics.median(seconds) * 1e3, min(seconds) * 1e3
    print(f"{name:16} {count:8} edges: median {median:8.2f} ms, best {best:8.2f} ms")


def theirs(method, runs, crowd):
    """Seconds of each run, and the number of candidates."""
    no_faces = np.zeros((0, 3), np.int32, order="F")
    seconds = []
    for _ in range(runs):
        begin = time.perf_counter()
        phase = method()
        phase.build(*crowd, no_faces, 0.0)
        candidates = len(phase.detect_edge_vertex_candidates())
        seconds.append(time.perf_counter() - begin)
    return seconds, candidates


def ours(count, method):
    """Seconds of each sample that criterion took."""
    sample = json.loads((CRITERION / f"crowd_{count}" / method / "1/new/sample.json").read_text())
    return [total * 1e-9 / runs for total, runs in zip(sample["times"], sample["iters"])]


def main():
    ipctk.set_num_threads(1)
    for count in COUNTS:
        for method in (ipctk.LBVH, ipctk.HashGrid):
            seconds, candidates = theirs(method, 10, crowd(count))
            report(method.__name__, count, seconds)
            print(f"{candidates:>20} candidates")
    command = ["cargo", "bench", "--bench", "broad", "--", "^crowd/.*/1$"]
    subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.DEVNULL)
    for count in COUNTS:
        for method in ("Grid", "Hierarchy", "Sweep"):
            report(method, count, ours(count, method))


if __name__ == "__main__":
    main()
