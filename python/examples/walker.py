"""A walker that stops on a mark: the speed of its crank over time, by gradients.

Theo Jansen's linkage on six legs has one motor, and nothing but hinges, rods and friction between
that and the ground. Feet land and lift off all the time, and each landing acts through all hinges.
With a constant speed the walker goes past the mark and does not stop. Two adjoints have the
derivatives of its place and of its velocity at the end by all speeds, and a least-squares search
brings it to rest on the mark.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

import ipcsim
from ipcsim import diff

Floats = NDArray[np.float64]

HERE = Path(__file__).resolve().parent
CLONE = Path(os.environ.get("IPCSIM_CLONE", HERE.parent.parent))
WALKER = CLONE / "scenes/showcase/walker.json"

STEP, STEPS = 0.01, 150
"""Length (s) and number of steps."""

KNOTS = 10
"""Number of times at which the crank has a speed of its own."""

MARK = 0.3
"""Where the carriage should stop (m)."""

CONTACT = {
    "model": "book",
    "d_hat": 0.004,
    "kappa": 1e4,
    "friction": {"default": 0.8, "eps_v": 0.02},
}
"""Soft contact without a law of impacts, in which feet land within a few steps: the place at the
end is then a smooth function of the speeds."""

SPEED = "joints.0.hinge.motor.speed_deg"
NUMBERS = ["carriage.x", "carriage.vx"]
SIZES = np.array([0.01, 0.05])
"""What counts as one: 10 mm off the mark, and 50 mm/s."""


def scene() -> ipcsim.Scene:
    """The walker of the gallery, with the crank's speed as a table over time."""
    speeds = {"times": [0, 1], "values": [0, 0]}
    overrides = {
        "time": {"step": STEP, "steps": STEPS},
        "contact": CONTACT,
        SPEED: speeds,
    }
    given = [f"{key}={json.dumps(value)}" for key, value in overrides.items()]
    return ipcsim.Scene.from_file(WALKER, given)


def first() -> Floats:
    """Speeds of the crank to begin with (degrees/s): it starts gently, and goes on."""
    return -120.0 * np.minimum(1.0, np.arange(1, KNOTS + 1) / 4)


def search(start: Floats, gradients: int) -> tuple[Floats, list[Floats]]:
    """Speeds that stop on the mark, and place and velocity at the end of all runs."""
    model = diff.Model(scene(), of=NUMBERS)
    ends: list[Floats] = []
    slopes: dict[bytes, Floats] = {}

    def missing(speeds: Floats) -> Floats:
        values, trees = model.value_and_grad({}, {SPEED: speeds})
        ends.append(np.array(values))
        rows = np.stack([own[SPEED] for _, own in trees])
        slopes[speeds.tobytes()] = rows / SIZES[:, None]
        return np.asarray((ends[-1] - [MARK, 0.0]) / SIZES)

    def by(speeds: Floats) -> Floats:
        return slopes[speeds.tobytes()]

    found = least_squares(
        missing,
        start,
        jac=by,
        bounds=(-240.0, 240.0),
        x_scale=60.0,
        max_nfev=gradients,
        ftol=1e-4,
    )
    return found.x, ends


def draw(found: Floats, file: str) -> None:
    """Place of the carriage and speed of the crank over time, before and after."""
    import matplotlib.pyplot as plt

    model = diff.Model(scene(), of=NUMBERS)
    figure, axes = plt.subplots(1, 2, figsize=(8, 3.2), layout="constrained")
    times = STEP * np.arange(1, STEPS + 1)
    knots = STEP * STEPS * np.arange(1, KNOTS + 1) / KNOTS
    for title, speeds in (("first", first()), ("found", found)):
        axes[0].plot(times, model.rollout({}, {SPEED: speeds})["carriage.x"], label=title)
        axes[1].plot(knots, speeds, "o-", label=title)
    axes[0].axhline(MARK, color="grey", linestyle=":")
    axes[0].set(xlabel="time (s)", ylabel="x of the carriage (m)")
    axes[1].set(xlabel="time (s)", ylabel="speed of the crank (degrees/s)")
    axes[0].legend()
    figure.savefig(file, dpi=90)


def main() -> None:
    """Searches, and draws the way into the file that is given."""
    found, ends = search(first(), 15)
    last = min(ends, key=lambda end: float(np.linalg.norm((end - [MARK, 0.0]) / SIZES)))
    for name, (place, velocity) in (("at first", ends[0]), ("at the end", last)):
        print(f"{name}: {1e3 * (place - MARK):+.1f} mm from the mark, {1e3 * velocity:+.1f} mm/s")
    print(f"{KNOTS} speeds, {len(ends)} gradients")
    assert len(ends) < 50
    assert abs(last[0] - MARK) < 0.002
    assert abs(last[1]) < 0.02
    if sys.argv[-1].endswith(".png"):
        draw(found, sys.argv[-1])


if __name__ == "__main__":
    main()
