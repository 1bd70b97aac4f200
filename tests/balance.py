#!/usr/bin/env python3
"""Runs of shipped scenes under nine tiny changes of gravity, of which every step balances.

A change of 1e-12 m/s^2 chooses another branch of rounding. None may freeze a run, end it, or leave
forces that do not balance: each run completes as the shipped one does, no step ends at rounding, and
what is left of forces gives no body more than a hundredth of a metre a second in a step.

Usage: balance.py [--program PATH] [--changes N] [--seconds S] [SCENE ...]

Scenes whose shipped run takes longer than the bound of S seconds are named and left out. Exit code 1 if
a run goes wrong.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import sys
import tempfile
import subprocess

HERE = pathlib.Path(__file__).resolve().parent.parent
CHANGES = [1e-12, -1e-12, 2e-12, 3e-12, 1e-11, -1e-11, 1e-10, 1e-9, -1e-9]
LARGEST = 1e-2


def report(program, scene, change, seconds):
    """The report of a run whose gravity is changed along x (m/s^2); None if it takes too long."""
    gravity = json.loads(scene.read_text()).get("gravity", [0, -9.81])
    gravity = [gravity[0] + change, gravity[1]]
    with tempfile.TemporaryDirectory() as place:
        out = pathlib.Path(place) / "out"
        command = [program, "run", scene, "--out", out, "--no-frames", "--quiet", "--threads", "1"]
        command += ["--set", f"gravity={json.dumps(gravity)}"]
        try:
            subprocess.run(command, timeout=seconds, capture_output=True, check=False)
        except subprocess.TimeoutExpired:
            return None
        return json.loads((out / "run.json").read_text())


def wrong(found, shipped):
    """What is wrong with a run, in words, or nothing."""
    if found is None:
        return "takes more than three times as long as the shipped run"
    if found["status"] != shipped["status"]:
        return f"ends as {found['status']}: {found['reason']}"
    if found["steps_at_rounding"] > shipped["steps_at_rounding"]:
        return f"has {found['steps_at_rounding']} steps at rounding"
    if found["imbalance"] > max(LARGEST, 10 * shipped["imbalance"]):
        return f"leaves an imbalance of {found['imbalance']:.1e} m/s"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=HERE / "target/release/ipcsim")
    parser.add_argument("--changes", type=int, default=len(CHANGES))
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("scenes", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    scenes = options.scenes or sorted((HERE / "scenes/showcase").glob("*.json"))

    def one(scene):
        shipped = report(options.program, scene, 0.0, options.seconds)
        if shipped is None:
            return [f"{scene.stem}: left out, takes longer than {options.seconds:.0f} s"], False
        lines = []
        for change in CHANGES[: options.changes]:
            found = report(options.program, scene, change, 3 * options.seconds)
            what = wrong(found, shipped)
            if what:
                lines.append(f"{scene.stem} with {change:g} m/s^2 {what}")
        return lines or [f"{scene.stem}: every step of {options.changes} runs balances"], bool(lines)

    failed = False
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for lines, is_wrong in pool.map(one, scenes):
            print("\n".join(lines), flush=True)
            failed |= is_wrong
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
