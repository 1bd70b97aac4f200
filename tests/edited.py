#!/usr/bin/env python3
"""Random edits of shipped scenes: numbers, keys and parts of other scenes where they do not belong.

Most edits make a scene wrong. `check` has to say so in words, within bounds of time and memory. What it
lets pass is run for a few steps and proved from its files. What may not happen:

- a panic, an exit code other than 0, 1 and 2, or a check that takes longer than its bound;
- `verify` that contradicts the run, or cannot read it.

A scene is a function of its number and of the shipped scenes.

Usage: edited.py [--program PATH] [--from N] [--count N] [--keep DIR]

`--keep` keeps the scenes that went wrong. Exit code 1 if any did.
"""

import argparse
import copy
import json
import pathlib
import random
import shutil
import sys
import tempfile

from hostile import Wrong, command, proves

ROOT = pathlib.Path(__file__).resolve().parents[1]
FOLDERS = ["scenes/book", "scenes/showcase", "scenes/failing", "scenes/doubtful", "src/live/scenes"]
# Bytes of a scene that is edited; processor time of a check, a run and a proof (s); memory (bytes).
LARGEST = 60_000
CHECK_SECONDS = 20
RUN_SECONDS = 20
PROOF_SECONDS = 60
MEMORY = 4 << 30

NUMBERS = [0, -0.0, -1, 0.1, 3, 7, 1e-300, 1e300, -1e18, 1e18, 2**53, 1e-9, 1e9, 1e5]
OTHERS = [None, "", [], {}, True, "x" * 50, "1e999", "20 mm", [1, 2], [[0, 0], [1, 1]]]


def places(value, path=()):
    """All places in JSON, each with its value; of long lists the first ones."""
    yield path, value
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from places(inner, (*path, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value[:40]):
            yield from places(inner, (*path, number))


class Editor:
    """Shipped scenes, and what stands below each key of all of them."""

    def __init__(self):
        files = sorted(file for folder in FOLDERS for file in (ROOT / folder).glob("*.json"))
        self.scenes = [json.loads(file.read_text()) for file in files if file.stat().st_size < LARGEST]
        self.values = {}
        for scene in self.scenes:
            for path, value in places(scene):
                if path and isinstance(path[-1], str):
                    self.values.setdefault(path[-1], []).append(value)
        self.keys = sorted(self.values)

    def edited(self, number):
        """The scene of a number."""
        draw = random.Random(f"edited {number}")
        scene = copy.deepcopy(draw.choice(self.scenes))
        for _ in range(draw.choice([1, 1, 1, 2, 3])):
            self.edit(scene, draw)
        return scene

    def edit(self, scene, draw):
        """One edit at a random place."""
        path, value = draw.choice([place for place in places(scene) if place[0]])
        owner = scene
        for key in path[:-1]:
            owner = owner[key]
        key = path[-1]

        kind = draw.random()
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if kind < 0.4 and is_number:
            factor = draw.choice([1e3, 1e-3, -1, 1e6])
            owner[key] = draw.choice(NUMBERS) if draw.random() < 0.7 else value * factor
        elif kind < 0.5:
            del owner[key]
        elif kind < 0.7:
            owner[key] = self.part(draw.choice(self.keys), draw)
        elif kind < 0.9:
            name = draw.choice(self.keys)
            (value if isinstance(value, dict) else scene)[name] = self.part(name, draw)
        else:
            owner[key] = copy.deepcopy(draw.choice(OTHERS))

    def part(self, key, draw):
        """A value that stands below a key somewhere."""
        return copy.deepcopy(draw.choice(self.values[key]))


def attempt(program, scene, place):
    """Checks a scene, and runs and proves what passes."""
    file, out = place / "scene.json", place / "out"
    file.write_text(json.dumps(scene))
    code, text = command(program, "check", str(file), seconds=CHECK_SECONDS, memory=MEMORY)
    if code not in (0, 2) or "panicked" in text:
        raise Wrong(f"check exits with {code}: {text.strip()[-300:]}")
    if code == 2:
        return

    # Spent time is no fault of a run.
    shutil.rmtree(out, ignore_errors=True)
    run = ["run", str(file), "--steps", "4", "--no-frames", "--out", str(out)]
    code, text = command(program, *run, seconds=RUN_SECONDS, memory=MEMORY)
    if code not in (0, 1, 2, None) or "panicked" in text:
        raise Wrong(f"the run exits with {code}: {text.strip()[-300:]}")
    if code in (0, 1):
        proves(program, str(out), "ended", seconds=PROOF_SECONDS)


def main():
    """Edits scenes, and tells what went wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / "target/release/ipcsim"))
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--keep")
    given = parser.parse_args()

    editor = Editor()
    wrong = 0
    with tempfile.TemporaryDirectory() as place:
        for number in range(given.first, given.first + given.count):
            scene = editor.edited(number)
            try:
                attempt(given.program, scene, pathlib.Path(place))
            except Wrong as fault:
                wrong += 1
                print(f"{number}: {fault}", flush=True)
                if given.keep:
                    pathlib.Path(given.keep).mkdir(parents=True, exist_ok=True)
                    pathlib.Path(f"{given.keep}/{number}.json").write_text(json.dumps(scene))
    print(f"{given.count} edited scenes, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
