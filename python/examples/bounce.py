"""A ball of hundreds of moduli that bounces as high as it can.

A soft disk is thrown at the ground. How high it comes back depends on how much of its energy is
left in vibrations when it leaves the ground, and so on the field of its moduli: every triangle
has one of its own, within a factor of 3 of the uniform one. One adjoint has the derivatives of
the height by all of them, through the contact, and L-BFGS-B climbs.
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
"""Number of steps of 1 ms: the ball leaves the ground after about 70."""

RADIUS = 0.1
SPEED = 2.0
GRAVITY = 9.81
FIELD = "bodies.ball.relative_stiffness"

SEGMENTS = 48
"""Segments around the ball."""

SPREAD = 3.0
"""Bound of the moduli and of their reciprocals, relative to the uniform one."""


def scene() -> ipcsim.Scene:
    """A disk that is thrown at the ground, by an integrator that loses hardly any energy."""
    scene = ipcsim.Scene(step=1e-3, steps=STEPS)
    scene.set("time.integrator", "bdf2")
    scene.set("gravity", [0.0, -GRAVITY])
    law = {"neo_hookean": {"young": 1e5, "poisson": 0.3}}
    scene.add_material("rubber", density=1000, law=law)
    disk = {"disk": {"radius": RADIUS, "segments": SEGMENTS}}
    place = [0.0, RADIUS + 0.004]
    scene.add_body("ball", disk, "rubber", position=place, velocity=[0.0, -SPEED])
    scene.add_obstacle("ground", {"half_plane": {"normal": [0, 1], "origin": [0, 0]}})
    scene.set("contact", {"d_hat": 2e-3, "kappa": 1e5})

    # A factor for each triangle.
    count = len(ipcsim.Simulation(scene).triangles)
    scene.set("bodies.0.relative_stiffness", [1.0] * count)
    return scene


def climb(own: ipcsim.Scene, count: int) -> tuple[Floats, list[float]]:
    """Moduli of the ball that bounces highest, and the height of each gradient (m).

    The height is that of the centre at the top of its flight, `y + v^2 / 2 g`.
    """
    model = diff.Model(own, of=["ball.y", "ball.vy"])
    heights: list[float] = []

    def lost(logs: Floats) -> tuple[float, Floats]:
        params = {FIELD: np.exp(logs)}
        out = model.rollout(params)
        y, v = out["ball.y"][-1], out["ball.vy"][-1]
        heights.append(float(y + v * abs(v) / (2 * GRAVITY)))
        at_end = np.zeros(STEPS)
        at_end[-1] = 1.0
        cotangent = {"ball.y": at_end, "ball.vy": at_end * abs(v) / GRAVITY}
        by, _ = model.vjp(params, None, cotangent)
        return -heights[-1], -by[FIELD] * np.exp(logs)

    bounds = [(-np.log(SPREAD), np.log(SPREAD))] * count
    start = np.zeros(count)
    options: Any = {"maxiter": 12, "maxfun": 15}
    found = minimize(lost, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
    return np.exp(found.x), heights


def draw(own: ipcsim.Scene, field: Floats, file: str) -> None:
    """The moduli, and the heights of both balls over time."""
    import matplotlib.pyplot as plt

    start = ipcsim.Simulation(own)
    model = diff.Model(own, of=["ball.y"])
    figure, axes = plt.subplots(1, 2, figsize=(8, 3.2), layout="constrained")
    x, y = start.positions.T
    drawn = axes[0].tripcolor(x, y, start.triangles, facecolors=field)
    axes[0].set(aspect="equal", xticks=[], yticks=[])
    figure.colorbar(drawn, ax=axes[0], label="E / E0")
    times = np.arange(1, STEPS + 1)
    for label, own_field in [("uniform", np.ones(len(field))), ("found", field)]:
        height = model.rollout({FIELD: own_field})["ball.y"]
        axes[1].plot(times, 1e3 * height, label=label)
    axes[1].set(xlabel="time (ms)", ylabel="height of the centre (mm)")
    axes[1].legend()
    figure.savefig(file, dpi=100)


def main() -> None:
    """Climbs, and draws the ball into the file that is given."""
    own = scene()
    count = len(ipcsim.Simulation(own).triangles)
    field, heights = climb(own, count)
    most = RADIUS + 0.004 + SPEED**2 / (2 * GRAVITY)
    print(f"{count} moduli, {len(heights)} gradients")
    print(f"height {1e3 * heights[0]:.1f} mm at first, {1e3 * max(heights):.1f} mm at the end")
    print(f"without any loss it were {1e3 * most:.1f} mm")
    lost = [most - heights[0], most - max(heights)]
    assert lost[1] < 0.5 * lost[0]
    if sys.argv[-1].endswith(".png"):
        draw(own, field, sys.argv[-1])


if __name__ == "__main__":
    main()
