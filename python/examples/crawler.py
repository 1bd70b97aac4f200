"""A crawler that learns to go: the lengths of its two cylinders over time, by gradients.

Three blocks stand on rough ground, with a cylinder between each two. All have the same weight
and friction, so that nothing prefers a direction: the crawler gets ahead only if one block
moves at a time, while the other two stick. It begins with a small swing that leads nowhere. One
adjoint has the derivatives of its place by all lengths, through all sticking and slipping, and
L-BFGS-B climbs.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

import ipcsim
from ipcsim import diff

Floats = NDArray[np.float64]

STEPS = 160
"""Number of steps of 10 ms."""

KNOTS = 16
"""Number of times at which a cylinder has a length of its own."""

SIDE = 0.1
"""Side of a block (m)."""

APART = 0.25
"""Distance of the middles of two blocks (m)."""

REACH = 0.05
"""Largest displacement of a cylinder (m)."""

BLOCKS = ("back", "middle", "front")
KEYS = [f"joints.{k}.cylinder.motor.place" for k in (0, 1)]
PLACES = [f"{name}.x" for name in BLOCKS]


def scene() -> ipcsim.Scene:
    """Three blocks in a row, with cylinders between them."""
    scene = ipcsim.Scene(step=0.01, steps=STEPS)
    scene.add_material("wood", density=500)
    shape = {"square": {"side": SIDE, "segments": 1}}
    for k, name in enumerate(BLOCKS):
        place = [APART * k, 0.5 * SIDE + 0.0005]
        scene.add_body(name, shape, "wood", kind="rigid", position=place)
    for k in (0, 1):
        cylinder = {
            "bodies": [BLOCKS[k], BLOCKS[k + 1]],
            "ends": [[APART * (k + j), 0.3 * SIDE] for j in (0, 1)],
            "motor": {"place": {"times": [0, 1], "values": [0, 0]}, "force": 500.0},
        }
        scene.add_joint(cylinder=cylinder)
    scene.add_obstacle("ground", {"half_plane": {"normal": [0, 1], "origin": [0, 0]}})

    # A wide range of speeds in which friction develops smooths the derivatives.
    friction = {"default": 0.5, "eps_v": 0.02}
    scene.set("contact", {"d_hat": 1e-3, "kappa": 5e4, "friction": friction})
    return scene


def swing() -> Floats:
    """Displacements of both cylinders to begin with, as shares of the largest one."""
    phase = 4 * np.pi * np.arange(1, KNOTS + 1) / KNOTS
    return 0.3 * np.concatenate([np.sin(phase), np.sin(phase - 1)])


def controls_of(shares: Floats) -> dict[str, Floats]:
    """Displacements of the cylinders over time (m)."""
    return dict(zip(KEYS, REACH * shares.reshape(2, -1), strict=True))


def climb(start: Floats, gradients: int) -> tuple[Floats, list[float]]:
    """Controls that get farthest, and how far each gradient's got (m).

    Controls whose run has no derivative, as one in which an impact acts through joints, count as
    bad.
    """
    model = diff.Model(scene(), of=PLACES)
    travels: list[float] = []
    tried: list[Floats] = []

    def back(shares: Floats) -> tuple[float, Floats]:
        tried.append(shares.copy())
        try:
            places, trees = model.value_and_grad({}, controls_of(shares))
        except (ValueError, ipcsim.StepError):
            travels.append(-np.inf)
            return 10.0, np.zeros_like(shares)
        travels.append(float(np.mean(places)) - APART)
        mean = [np.mean([by[key] for _, by in trees], axis=0) for key in KEYS]
        return -10 * travels[-1], -10 * REACH * np.concatenate(mean)

    bounds = [(-1.0, 1.0)] * len(start)
    options: Any = {"maxfun": gradients}
    minimize(back, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
    return tried[int(np.argmax(travels))], travels


def draw(found: Floats, file: str) -> None:
    """Places of the blocks over time, before and after."""
    import matplotlib.pyplot as plt

    model = diff.Model(scene(), of=PLACES)
    figure, axes = plt.subplots(1, 2, figsize=(8, 3.4), sharey=True, layout="constrained")
    times = 0.01 * np.arange(1, STEPS + 1)
    for ax, title, shares in zip(axes, ["first swing", "found"], [swing(), found], strict=True):
        out = model.rollout({}, controls_of(shares))
        for name, place in zip(BLOCKS, PLACES, strict=True):
            ax.plot(times, out[place], label=name)
        ax.set(title=title, xlabel="time (s)")
    axes[0].set_ylabel("x (m)")
    axes[0].legend()
    figure.savefig(file, dpi=90)


def main() -> None:
    """Climbs, and draws the paths into the file that is given."""
    found, travels = climb(swing(), 45)
    print(f"{2 * KNOTS} lengths, {len(travels)} gradients")
    print(f"travel {1e3 * travels[0]:.1f} mm at first, {1e3 * max(travels):.0f} mm at the end")
    assert len(travels) < 50
    assert max(travels) > 0.3
    if sys.argv[-1].endswith(".png"):
        draw(found, sys.argv[-1])


if __name__ == "__main__":
    main()
