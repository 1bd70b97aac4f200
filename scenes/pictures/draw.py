#!/usr/bin/env python3
"""Draws the pictures of the gallery again, all by one program at one size.

    cargo build --release
    scenes/pictures/draw.py                      # all of them, a quarter of an hour
    scenes/pictures/draw.py walker bracket       # some

Each picture is one state of a shipped scene, at the step and with the options that the table below gives.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SIZE = "640x360"
STRESS = ["--color-by", "stress", "--smooth"]

# Step of each picture, and options of `render`.
BOOK = {
    "01_mass_spring": (25, []),
    "02_dirichlet": (20, []),
    "03_contact": (60, []),
    "04_friction": (120, []),
    "05_moving_dirichlet": (150, []),
    "06_inversion_free": (200, []),
    "07_two_squares": (110, []),
    "08_two_squares_friction": (125, []),
    "09_reduced": (54, []),
    "09_reduced_modal": (54, []),
}
SHOWCASE = {
    "air_crawler": (90, STRESS),
    "air_gripper": (220, STRESS),
    "all_kinds": (440, []),
    "arches": (84, []),
    "bolted_joint": (100, STRESS),
    "bracket": (100, STRESS),
    "bridge": (140, [*STRESS, "--diagram"]),
    "bullet_through_paper": (3, ["--view=-0.55,-0.62:0.61,0.03"]),
    "car": (600, ["--diagram"]),
    "catapult": (440, []),
    "chain": (265, []),
    "clock": (240, []),
    "compliant_gripper": (100, STRESS),
    "crash_box": (64, STRESS),
    "dominoes": (444, []),
    "excavator": (340, ["--diagram"]),
    "gears": (364, []),
    "gripper": (220, STRESS),
    "hollow_seal": (90, STRESS),
    "hourglass": (232, []),
    "house_of_cards": (284, []),
    "lift": (300, ["--diagram"]),
    "linkage": (100, []),
    "mangle": (440, STRESS),
    "mixer": (330, []),
    "o_ring": (160, STRESS),
    "planetary": (200, []),
    "plate_with_hole": (100, [*STRESS, "--view=-0.04,-0.0225:0.04,0.0225"]),
    "pneumatic_gripper": (220, STRESS),
    "rolling": (200, []),
    "snap_fit": (52, STRESS),
    "suspension_bridge": (195, ["--diagram"]),
    "tensegrity": (170, ["--diagram"]),
    "tyre": (960, ["--diagram"]),
    "walker": (704, []),
}


def draw(program, scene, step, options, picture):
    """Runs a scene up to a step, and draws this state."""
    with tempfile.TemporaryDirectory() as place:
        folder = f"{place}/run"
        common = ["--quiet", "--out", folder]
        # Only the last state is kept; scenes with a condition may end before.
        run = [program, "run", scene, "--steps", str(step), "--no-frames", "--set", f"output.every={step}"]
        subprocess.run([*run, *common], check=True, cwd=ROOT)
        render = [program, "render", folder, "--size", SIZE, "--animation", "none", "--quiet", *options]
        subprocess.run([*render, "--out", f"{place}/out"], check=True, cwd=ROOT)
        last = max(Path(f"{place}/out/frames").glob("*.png"))
        shutil.copy(last, picture)


def main():
    """Draws the pictures that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="pictures by their names [default: all]")
    parser.add_argument("--program", default=str(ROOT / "target/release/ipcsim"))
    given = parser.parse_args()

    pictures = {name: ("book", *rest) for name, rest in BOOK.items()}
    pictures |= {name: ("showcase", *rest) for name, rest in SHOWCASE.items()}
    for name in given.names or pictures:
        folder, step, options = pictures[name]
        print(name, file=sys.stderr)
        draw(given.program, f"scenes/{folder}/{name}.json", step, options, ROOT / f"scenes/pictures/{name}.png")


if __name__ == "__main__":
    main()
