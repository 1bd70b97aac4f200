"""Times ipcsim on chapter 8's two squares against PolyFEM's own times.

usage: python benches/peers/polyfem.py

PolyFEM's milliseconds a step are from a machine on which faer (`Par::Seq`) factorises the n = 158 two-squares matrix in 77 ms; they
are scaled by what `ipcsim bench --calibrate` measures here. Both sides run on one thread with a step of .01 s and a tolerance of
1e-2 m/s; ours is processor time where the system tells it, the best of three.
"""

import json
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "target" / "release" / "ipcsim"
SCENE = ROOT / "scenes" / "book" / "08_two_squares_friction.json"

# Segments a side: steps, PolyFEM's ms and Newton iterations a step, how many times faster we want to be.
CASES = {7: (50, 43, 2.6, 50), 22: (50, 126, 3.4, 50), 71: (50, 2190, 5.7, 50), 158: (36, 8894, 3.9, 20)}


def bench(*arguments):
    command = [PROGRAM, "bench", "--json", *arguments]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def main():
    scale = min(bench("--calibrate")["calibration"]["scale"] for _ in range(3))
    print(f"faer takes {77 * scale:.1f} ms here")
    print("  n  triangles  PolyFEM ms  iterations  ipcsim ms  iterations   ratio  scaled  wanted")
    for n, (steps, theirs, iterations, wanted) in CASES.items():
        segments = [part for body in range(2) for part in ("--set", f"bodies.{body}.shape.square.segments={n}")]
        runs = [bench(SCENE, "--steps", str(steps), "--threads", "1", *segments)["scenes"][0] for _ in range(3)]
        run = min(runs, key=lambda run: run["processor"] or run["wall"])
        ours = (run["processor"] or run["wall"]) / steps * 1e3
        print(f"{n:3} {run['triangles']:10} {theirs:11} {iterations:11} {ours:10.2f} {run['newton_iterations'] / steps:11.1f} "
              f"{theirs / ours:7.1f} {theirs * scale / ours:7.1f} {wanted:7}")


if __name__ == "__main__":
    main()
