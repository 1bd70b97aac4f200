"""A snap-fit whose force of insertion keeps to a corridor.

A cantilever with a nose is pushed under a lip until just before it snaps in. A straight ramp
needs a force that grows all the way. The heights of the ramp at some places are changed until
the force of insertion lies within a corridor, at the same height of the nose. The gradient goes
through sliding contact with friction and through the shape at rest: a step of the heights is
bounded so that the mesh never inverts.
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

MM = 1e-3
LENGTH, THICK = 30.0, 1.6
"""Length and thickness of the beam (mm)."""

FOOT, TIP = 22.0, 30.0
"""Where the ramp is highest, and where it ends (mm)."""

TALL, LOW = 2.6, 0.5
"""Height of the nose over the beam there (mm)."""

RAMP = 14
"""Cells of the ramp; heights between its ends are free."""

LIP = 1.0
"""Radius of the lip (mm)."""

STEPS = 36
TRAVEL = 7.2
"""Travel of the base (mm)."""

CORRIDOR = (1.2, 1.5)
"""Bounds of the force (N)."""

NEAR = 0.01
"""Largest force outside of the corridor with which the search ends (N)."""

INSIDE = slice(11, STEPS)
"""Increments in which they hold."""

FORCE = "hook.reaction_x"


def straight() -> Floats:
    """Heights of a straight ramp between its ends (mm)."""
    return np.linspace(TALL, LOW, RAMP + 1)[1:-1]


def mesh(heights: Floats) -> tuple[dict[str, list[Any]], list[int]]:
    """Vertices and triangles for these heights, and the numbers of the vertices that have them."""
    beam = np.concatenate([np.linspace(0, FOOT - 1, 12), np.linspace(FOOT, TIP, RAMP + 1)])
    rows = [[[x, y] for x in beam] for y in (0.0, THICK)]
    tops = np.concatenate([[TALL], heights, [LOW]])
    ramp = np.linspace(FOOT, TIP, RAMP + 1)
    rows.append([[x, THICK + y] for x, y in zip(ramp, tops, strict=True)])
    count = len(beam)
    first = count - RAMP - 1
    cells = [(k, k + 1, count + k + 1, count + k) for k in range(count - 1)]
    upper = 2 * count
    cells += [
        (count + first + k, count + first + k + 1, upper + k + 1, upper + k) for k in range(RAMP)
    ]
    triangles = [own for a, b, c, d in cells for own in ([a, b, c], [a, c, d])]
    vertices = (MM * np.concatenate([np.array(row) for row in rows])).tolist()
    free = [upper + k for k in range(1, RAMP)]
    return {"vertices": vertices, "triangles": triangles}, free


def scene(heights: Floats) -> ipcsim.Scene:
    """A hook whose base is pushed to the right, under a lip."""
    scene = ipcsim.Scene(step=1.0, steps=STEPS)
    scene.set("time.integrator", "static")
    scene.set("gravity", [0.0, 0.0])
    scene.set("thickness", 0.008)
    law = {"neo_hookean": {"young": 2.6e9, "poisson": 0.35}}
    scene.add_material("acetal", density=1400, law=law)
    shape, _ = mesh(heights)
    pushed = {"times": [0, STEPS], "values": [0, MM * TRAVEL]}
    base = {"vertices": {"side": "left"}, "displacement": {"x": pushed, "y": 0}}
    scene.add_body("hook", {"mesh": shape}, "acetal", elements="quadratic", prescribed=[base])
    lip = {"circle": {"radius": MM * LIP}}
    scene.add_obstacle("lip", lip, position=[MM * (TIP + LIP), MM * (THICK + LOW + LIP - 0.4)])
    scene.set("contact", {"d_hat": 0.03 * MM, "kappa": 1e9, "friction": {"default": 0.2}})
    return scene


def outside(forces: Floats) -> Floats:
    """How far forces are outside of the corridor (N)."""
    low, high = CORRIDOR
    return np.maximum(forces - high, 0.0) - np.maximum(low - forces, 0.0)


def farthest(forces: Floats) -> float:
    """Largest force outside of the corridor, where it holds (N)."""
    return float(np.abs(outside(forces[INSIDE])).max())


def shaped() -> tuple[Floats, list[Floats]]:
    """Heights of the ramp (mm), and the forces of each gradient (N).

    Heights stay within 0.6 mm of the straight ramp, and so above the beam: no triangle inverts.
    """
    start = straight()
    shape, free = mesh(start)
    places = np.array(shape["vertices"])
    model = diff.Model(scene(start), of=[FORCE])
    forces: list[Floats] = []

    def missed(heights: Floats) -> tuple[float, Floats]:
        params = {
            f"bodies.hook.shape.mesh.vertices.{k}": np.array([places[k, 0], MM * (THICK + y)])
            for k, y in zip(free, heights, strict=True)
        }
        forces.append(model.rollout(params)[FORCE])
        off = np.zeros(STEPS)
        off[INSIDE] = outside(forces[-1][INSIDE])
        by, _ = model.vjp(params, None, {FORCE: 2 * off})
        return float(off @ off), np.array([MM * own[1] for own in by.values()])

    def is_inside(_heights: Any) -> None:
        if farthest(forces[-1]) < NEAR:
            raise StopIteration

    options: Any = {"maxfun": 50}
    stop: Any = is_inside
    bounds = [(y - 0.6, y + 0.6) for y in start]
    found = minimize(
        missed,
        start,
        jac=True,
        method="L-BFGS-B",
        bounds=bounds,
        callback=stop,
        options=options,
    )
    return found.x, forces


def draw(heights: Floats, forces: list[Floats], file: str) -> None:
    """Both ramps, and their forces over the travel."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(2, figsize=(8, 5), layout="constrained")
    ramp = np.linspace(FOOT, TIP, RAMP + 1)
    travel = np.linspace(0, TRAVEL, STEPS + 1)[1:]
    both = [("straight", straight(), forces[0]), ("found", heights, forces[-1])]
    for label, own, force in both:
        axes[0].plot(ramp, np.concatenate([[TALL], own, [LOW]]), label=label)
        axes[1].plot(travel, force, label=label)
    axes[0].set(xlabel="x (mm)", ylabel="height of the ramp (mm)", aspect="equal")
    axes[1].fill_between(travel[INSIDE], *CORRIDOR, color="0.85", label="corridor")
    axes[1].set(xlabel="travel (mm)", ylabel="force (N)")
    for ax in axes:
        ax.legend()
    figure.savefig(file, dpi=90)


def main() -> None:
    """Shapes the ramp, and draws it into the file that is given."""
    heights, forces = shaped()
    print(f"{len(heights)} heights, {len(forces)} gradients")
    for label, own in [("straight", forces[0]), ("found", forces[-1])]:
        part = own[INSIDE]
        print(f"{label}: {part.min():.3f} to {part.max():.3f} N")
    print(f"corridor: {CORRIDOR[0]} to {CORRIDOR[1]} N")
    assert farthest(forces[-1]) < NEAR < farthest(forces[0])
    if sys.argv[-1].endswith(".png"):
        draw(heights, forces, sys.argv[-1])


if __name__ == "__main__":
    main()
