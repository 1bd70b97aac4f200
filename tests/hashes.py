#!/usr/bin/env python3
"""Compares the last state of each scene that has a baseline with its recorded hash, bit for bit.

    python3 tests/hashes.py                     compare target/release/ipcsim with tests/hashes.txt
    python3 tests/hashes.py --quick             leave out the scenes that take longest
    python3 tests/hashes.py --program PROGRAM   compare another program, perhaps with the emulator that runs it
    python3 tests/hashes.py --write             write tests/hashes.txt with that program

Hashes are the same on every machine. An emulator is slow, so it runs first steps only, as many as another
program takes in a time, whose hashes are made on the spot:

    python3 tests/hashes.py --program "qemu-aarch64 PROGRAM" --native target/release/ipcsim --seconds 0.2

A program that cannot run a scene, such as one without files, ends with exit code 77; the scene is then named.
Exit codes: 0 if all agree, 1 if some differ.
"""

import argparse
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

PROJECT = pathlib.Path(__file__).resolve().parent.parent
FILE = PROJECT / "tests/hashes.txt"
CANNOT = 77

# Scenes that take most of the time, with vector instructions or without.
SLOW = {
    "scenes/showcase/air_crawler.json",
    "scenes/showcase/crash_box.json",
    "scenes/showcase/mangle.json",
    "scenes/showcase/o_ring.json",
    "scenes/showcase/plate_with_hole.json",
    "scenes/showcase/snap_fit.json",
    "scenes/stress/disks_500.json",
    "scenes/stress/rubber_band.json",
    "scenes/stress/two_squares_1m.json",
    "scenes/stress/two_squares_200k.json",
    "scenes/stress/two_squares_20k.json",
}


class Cannot(Exception):
    """The program cannot run the scene."""


def baselines() -> list[tuple[pathlib.Path, int]]:
    """Each scene that has a baseline, and the step at which the baseline ends."""
    found = []
    for file in sorted((PROJECT / "tests/baselines").glob("*.json")):
        folder, name = file.stem.split("_", 1)
        scene = pathlib.Path("scenes" if folder == "scenes" else f"scenes/{folder}") / f"{name}.json"
        if not (PROJECT / scene).exists():
            sys.exit(f"{file} is of no scene: {scene} does not exist")
        found.append((scene, json.loads(file.read_text())["states"][-1]["step"]))
    return found


def report(program: str, scene: pathlib.Path, steps: int) -> dict:
    """`run.json` after `steps` steps of `scene`."""
    with tempfile.TemporaryDirectory() as place:
        out = f"{place}/run"
        command = [*shlex.split(program), "run", str(scene), "--no-frames", "--quiet"]
        done = subprocess.run([*command, "--steps", str(steps), "--out", out], cwd=PROJECT)
        if done.returncode == CANNOT:
            raise Cannot
        done.check_returncode()
        return json.loads(pathlib.Path(out, "run.json").read_text())


def recorded() -> list[tuple[pathlib.Path, int, str]]:
    """Scenes, steps and hashes of the table."""
    lines = [line.split() for line in FILE.read_text().splitlines() if not line.startswith("#")]
    return [(pathlib.Path(scene), int(steps), expected) for scene, steps, expected in lines]


def first(native: str, seconds: float) -> list[tuple[pathlib.Path, int, str]]:
    """Scenes, steps that the program `native` takes in this time, and their hashes."""
    table = []
    for scene, steps, _ in recorded():
        if steps == 0:
            continue
        spent = sum(report(native, scene, steps)["timings"].values())
        steps = max(1, min(steps, int(seconds / spent * steps)))
        table.append((scene, steps, report(native, scene, steps)["hash"]))
    return table


def write(program: str) -> None:
    lines = ["# scene, steps, hash of the last state, on every machine"]
    for scene, steps in baselines():
        lines.append(f"{scene} {steps} {report(program, scene, steps)['hash']}")
        print(lines[-1], flush=True)
    FILE.write_text("\n".join(lines) + "\n")


def compare(program: str, table: list[tuple[pathlib.Path, int, str]]) -> int:
    different, cannot = [], []
    for scene, steps, expected in table:
        try:
            found = report(program, scene, steps)["hash"]
        except Cannot:
            cannot.append(str(scene))
            continue
        if found != expected:
            different.append(scene)
            print(f"{scene}: {found} instead of {expected} after {steps} steps", flush=True)
    if cannot:
        print(f"not run by this program: {', '.join(cannot)}")
    same = len(table) - len(different) - len(cannot)
    print(f"{same} scenes have the recorded hash, {len(different)} another")
    return 1 if different or not same else 0


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    target = os.environ.get("CARGO_TARGET_DIR", PROJECT / "target")
    parser.add_argument("--program", default=f"{target}/release/ipcsim")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--native")
    parser.add_argument("--seconds", type=float, default=0.2)
    arguments = parser.parse_args()
    if arguments.write:
        write(arguments.program)
        return 0
    table = first(arguments.native, arguments.seconds) if arguments.native else recorded()
    if arguments.quick:
        table = [entry for entry in table if str(entry[0]) not in SLOW]
    return compare(arguments.program, table)


if __name__ == "__main__":
    sys.exit(main())
