"""A cell that protects from shocks: its force is the same from a tenth to a half of its height.

An arch of rubber stands on the ground, and a plate comes down on it; half of it is enough, by
symmetry. The force of a round arch grows more than tenfold. Thickness and place of its columns are
changed until the force is flat, through the contact with the plate, which moves outwards as the top
buckles.
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
RADIUS, THICK = 20.0, 3.0
"""Radius of the middle line of the arch and its thickness to begin with (mm)."""

COLUMNS = 16
"""Columns of cells along half of the arch."""

STEPS = 25
"""Increments until the plate has come down by half of the height."""

FLAT = slice(4, STEPS)
"""Increments in which the force should be flat: from a tenth of the height on."""

NEAR = 0.04
"""Largest relative distance of the force from the middle of its range with which a search ends."""

FORCE = "plate.reaction_y"
VERTICES = "bodies.arch.shape.mesh.vertices"


def columns(design: Floats) -> Floats:
    """Vertices at the inside and the outside of all columns (m), linear in the design.

    The design has the thickness of each column, and by how much it is farther out than the circle.
    """
    thickness, offset = design.reshape(2, -1)
    angle = np.deg2rad(np.linspace(0.0, 90.0, COLUMNS + 1))[:, None]
    out = RADIUS + offset[:, None] + np.array([-0.5, 0.5]) * thickness[:, None]
    arc = np.stack([out * np.cos(angle), out * np.sin(angle)], axis=-1)
    return np.asarray(MM * arc.reshape(-1, 2))


def first() -> Floats:
    """A round arch of equal thickness."""
    return np.concatenate([np.full(COLUMNS + 1, THICK), np.zeros(COLUMNS + 1)])


def bounds() -> list[tuple[float, float]]:
    """Bounds of the design: nothing is higher than at first, and no triangle inverts."""
    height = np.sin(np.deg2rad(np.linspace(0.0, 90.0, COLUMNS + 1)))
    room = (RADIUS + 0.5 * THICK) / np.maximum(height, 0.1) - RADIUS
    offset = np.clip(room - THICK, 0.0, 4.0)
    offset[0] = 0.0
    thickness = np.minimum(2 * THICK, 2 * (room - offset))
    return [(1.2, float(most)) for most in thickness] + [(-4.0, float(most)) for most in offset]


def scene() -> ipcsim.Scene:
    """Half of an arch on the ground, under a plate."""
    scene = ipcsim.Scene(step=1.0, steps=STEPS)
    scene.set("time.integrator", "static")
    scene.set("gravity", [0.0, 0.0])
    scene.set("thickness", 0.02)
    law = {"neo_hookean": {"young": 1e7, "poisson": 0.4}}
    scene.add_material("rubber", density=1000, law=law)
    starts = [2 * k for k in range(COLUMNS)]
    triangles = [own for a in starts for own in ([a, a + 1, a + 3], [a, a + 3, a + 2])]
    mesh = {"vertices": columns(first()).tolist(), "triangles": triangles}
    last = 2 * COLUMNS
    held = [
        {"vertices": {"indices": [0, 1]}},
        {"vertices": {"indices": [last, last + 1]}, "displacement": {"x": 0}},
    ]
    shape = {"mesh": mesh}
    scene.add_body("arch", shape, "rubber", elements="quadratic", prescribed=held)
    height = MM * (RADIUS + 0.5 * THICK)
    gap = 0.1 * MM
    plate = {"half_plane": {"normal": [0, -1], "origin": [0, height + gap]}}
    scene.add_obstacle("plate", plate, velocity=[0, -(0.5 * height + gap) / STEPS])
    ground = {"half_plane": {"normal": [0, 1], "origin": [0, -2 * gap]}}
    scene.add_obstacle("ground", ground)
    scene.set("contact", {"d_hat": gap, "kappa": 1e7, "friction": {"default": 0.2}})
    return scene


def apart(forces: Floats) -> float:
    """Largest relative distance of forces from the middle of their range."""
    flat = forces[FLAT]
    middle = 0.5 * (flat.max() + flat.min())
    return float(flat.max() / middle - 1)


def flattened() -> tuple[Floats, list[Floats]]:
    """The design with a flat force, and the forces of each gradient (N)."""
    model = diff.Model(scene(), of=[FORCE])
    zero = columns(0 * first())
    slopes = np.stack([columns(unit) - zero for unit in np.eye(len(first()))])
    forces: list[Floats] = []

    def uneven(design: Floats) -> tuple[float, Floats]:
        params = {f"{VERTICES}.{k}": own for k, own in enumerate(columns(design))}
        forces.append(-model.rollout(params)[FORCE])
        flat = forces[-1][FLAT]
        mean = flat.mean()
        off = flat / mean - 1

        # Of the sum of squares of `off`; the plate's reaction is the negative force.
        by_forces = np.zeros(STEPS)
        by_forces[FLAT] = 2 * off / mean - 2 * (off @ flat) / (mean**2 * len(flat))
        by, _ = model.vjp(params, None, {FORCE: -by_forces})
        of_vertices = np.stack(list(by.values()))
        return float(off @ off), np.einsum("tni,ni->t", slopes, of_vertices)

    def is_flat(_design: Any) -> None:
        if apart(forces[-1]) < NEAR:
            raise StopIteration

    stop: Any = is_flat
    options: Any = {"maxfun": 60}
    found = minimize(
        uneven,
        first(),
        jac=True,
        method="L-BFGS-B",
        bounds=bounds(),
        callback=stop,
        options=options,
    )
    return found.x, forces


def draw(design: Floats, forces: list[Floats], file: str) -> None:
    """Both arches at rest, the one that was found at the end, and their forces."""
    import matplotlib.pyplot as plt

    model = diff.Model(scene())
    triangles = ipcsim.Simulation(scene()).triangles
    figure, axes = plt.subplots(1, 4, figsize=(11, 2.6), layout="constrained")
    params = {f"{VERTICES}.{k}": own for k, own in enumerate(columns(design))}
    states = model.rollout(params)["positions"]
    round_one = model.rollout({})["positions"][0]
    drawn = [("round", round_one), ("found", states[0]), ("found, at the end", states[-1])]
    for ax, (title, places) in zip(axes, drawn, strict=False):
        for sign in (1, -1):
            x, y = 1e3 * places.T
            ax.tripcolor(sign * x, y, triangles, facecolors=np.full(len(triangles), 0.6), vmin=0)
        ax.set(title=title, aspect="equal", xticks=[], yticks=[], ylim=(-1, 23))
    share = 50 * np.arange(1, STEPS + 1) / STEPS
    axes[3].plot(share, forces[0], label="round")
    axes[3].plot(share, forces[-1], label="found")
    axes[3].set(xlabel="compression (%)", ylabel="force (N)")
    axes[3].legend()
    figure.savefig(file, dpi=80)


def main() -> None:
    """Flattens the force, and draws it into the file that is given."""
    design, forces = flattened()
    print(f"{len(design)} numbers, {len(forces)} gradients")
    for label, own in [("round", forces[0]), ("found", forces[-1])]:
        flat = own[FLAT]
        print(f"{label}: {flat.min():.2f} to {flat.max():.2f} N, +-{100 * apart(own):.1f} %")
    assert apart(forces[-1]) < 0.05
    if sys.argv[-1].endswith(".png"):
        draw(design, forces, sys.argv[-1])


if __name__ == "__main__":
    main()
