#!/usr/bin/env python3
"""Compares the last state of each scene that has a baseline with its recorded hash, bit for bit.

    python3 tests/hashes.py                     compare target/release/ipcsim with tests/hashes.txt
    python3 tests/hashes.py --program PROGRAM   compare another program
    python3 tests/hashes.py --write             write tests/hashes.txt with that program

A hash holds on one kind of processor and one libc, which the head of the file names. On another
machine the file is made anew first, by the program of the commit in its head:

    git worktree add /tmp/reference COMMIT
    (cd /tmp/reference && cargo build --release)
    python3 tests/hashes.py --program /tmp/reference/target/release/ipcsim --write

Exit codes: 0 if all agree, 1 if some differ, 2 if the file is of another machine.
"""

import argparse
import json
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

PROJECT = pathlib.Path(__file__).resolve().parent.parent
FILE = PROJECT / "tests/hashes.txt"
COMMIT = "6399409"


def machine() -> str:
    """The processor and the libc, on which sines and fused products depend."""
    cpuinfo = pathlib.Path("/proc/cpuinfo").read_text()
    model = re.search(r"model name\s*: (.*)", cpuinfo)
    flags = re.search(r"flags\s*: (.*)", cpuinfo)
    words = flags.group(1).split() if flags else []
    vectors = next((name for name in ("avx512f", "avx2") if name in words), "neither avx2 nor avx512f")
    name = model.group(1) if model else platform.machine()
    return f"{name}, {vectors}, {' '.join(platform.libc_ver())}"


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


def final_hash(program: str, scene: pathlib.Path, steps: int) -> str:
    """Hash of the state after `steps` steps of `scene`."""
    with tempfile.TemporaryDirectory() as place:
        out = f"{place}/run"
        options = ["--no-frames", "--quiet", "--steps", str(steps), "--out", out]
        subprocess.run([program, "run", str(scene), *options], cwd=PROJECT, check=True)
        return json.loads(pathlib.Path(out, "run.json").read_text())["hash"]


def write(program: str) -> None:
    lines = [f"# commit {COMMIT}", f"# machine {machine()}", "# scene, steps, hash of the last state"]
    for scene, steps in baselines():
        lines.append(f"{scene} {steps} {final_hash(program, scene, steps)}")
        print(lines[-1], flush=True)
    FILE.write_text("\n".join(lines) + "\n")


def compare(program: str) -> int:
    lines = FILE.read_text().splitlines()
    if f"# machine {machine()}" not in lines:
        print(f"{FILE} is of another machine than {machine()}; see --help", file=sys.stderr)
        return 2
    different = 0
    for line in lines:
        if line.startswith("#"):
            continue
        scene, steps, expected = line.split()
        found = final_hash(program, pathlib.Path(scene), int(steps))
        if found != expected:
            different += 1
            print(f"{scene}: {found} instead of {expected} after {steps} steps", flush=True)
    print(f"{len(lines) - 3 - different} scenes have the recorded hash, {different} another")
    return 1 if different else 0


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    target = os.environ.get("CARGO_TARGET_DIR", PROJECT / "target")
    parser.add_argument("--program", default=f"{target}/release/ipcsim")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    if arguments.write:
        write(arguments.program)
        return 0
    return compare(arguments.program)


if __name__ == "__main__":
    sys.exit(main())
