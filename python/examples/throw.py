"""A throw that hits: the velocity of a ball for which the block that it hits stops on a mark.

The ball flies, hits a block, and the block slides until friction stops it. The gradient goes back
through all of that. L-BFGS-B finds the velocity from a throw that falls short.
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

STEPS = 120
"""Number of steps, after which the block rests."""

MARK = 1.3
"""Place where the centre of the block should stop (m)."""

SIZE = 0.2
"""Size of the block (m)."""

VELOCITY = "bodies.ball.velocity"


def scene() -> ipcsim.Scene:
    """A soft ball before a soft block on the ground."""
    scene = ipcsim.Scene(step=0.01, steps=STEPS)
    law = {"neo_hookean": {"young": 2e5, "poisson": 0.4}}
    scene.add_material("rubber", density=1000, law=law)
    ball = {"disk": {"radius": 0.1, "segments": 16}}
    scene.add_body("ball", ball, "rubber", position=[0, 0.3], velocity=[3.0, 0.0])
    block = {"square": {"side": SIZE, "segments": 3}}
    scene.add_body("block", block, "rubber", position=[0.8, 0.5 * SIZE + 0.001])
    scene.add_obstacle("ground", {"half_plane": {"normal": [0, 1], "origin": [0, 0]}})
    scene.set("contact.friction.default", 0.3)
    scene.set("contact.d_hat", 4e-3)
    scene.set("contact.kappa", 2e5)
    return scene


def aim(start: Floats) -> tuple[Floats, list[float]]:
    """Velocity for which the block stops on the mark, and distances after each gradient."""
    model = diff.Model(scene(), of=["block.x"])
    distances: list[float] = []

    def missed(velocity: Floats) -> tuple[float, Floats]:
        values, [(by, _)] = model.value_and_grad({VELOCITY: velocity})
        off = float(values[0]) - MARK
        distances.append(abs(off))
        return off * off, 2 * off * by[VELOCITY]

    bounds = [(0.5, 8.0), (-1.0, 3.0)]
    options: Any = {"maxfun": 20, "ftol": 1e-10}
    found = minimize(missed, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
    return found.x, distances


def draw(velocities: list[Floats], file: str) -> None:
    """Paths of the ball and the block, for each velocity."""
    import matplotlib.pyplot as plt

    model = diff.Model(scene(), of=["ball.x", "ball.y", "block.x", "block.y"])
    figure, axes = plt.subplots(figsize=(8, 3), layout="constrained")
    for velocity, style in zip(velocities, ["--", "-"], strict=True):
        out = model.rollout({VELOCITY: velocity})
        label = f"({velocity[0]:.2f}, {velocity[1]:.2f}) m/s"
        axes.plot(out["ball.x"], out["ball.y"], style, color="#0072b2", label=f"ball, {label}")
        axes.plot(out["block.x"], out["block.y"], style, color="#d55e00", label="block")
    axes.axvline(MARK, color="black", linewidth=1, label="mark")
    axes.set(xlabel="x (m)", ylabel="y (m)", aspect="equal")
    axes.legend(fontsize=8, ncols=3, loc="upper center", bbox_to_anchor=(0.5, 1.5))
    figure.savefig(file, dpi=120)


def main() -> None:
    """Aims, and draws the paths into the file that is given."""
    start = np.array([3.0, 0.0])
    found, distances = aim(start)
    share = min(distances) / SIZE
    print(f"velocity ({found[0]:.4f}, {found[1]:.4f}) m/s after {len(distances)} gradients")
    print(f"the block stops {1e3 * min(distances):.3f} mm off, {100 * share:.3f} % of its size")
    assert share < 0.01
    assert len(distances) <= 20
    if sys.argv[-1].endswith(".png"):
        draw([start, found], sys.argv[-1])


if __name__ == "__main__":
    main()
