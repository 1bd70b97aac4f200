"""A pattern that protects from shocks: arches of rubber on floors, above each other without end.

One cell repeats along both axes and is pressed by its mean strain. Each arch carries the floor of
the cell above it, through a contact across the period that moves outwards as its top buckles. The
stress of round arches grows tenfold. Thickness and place of their columns are changed until it is
flat, by the method of Gauss and Newton: the changes of all stresses along all numbers of the design
share one pass through a run.
"""

from __future__ import annotations

import sys

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import OptimizeResult, least_squares

import ipcsim
from ipcsim import diff

Floats = NDArray[np.float64]

MM = 1e-3
RADIUS, THICK, FLOOR = 20.0, 3.0, 10.0
"""Radius of the middle line of an arch, its thickness to begin with, and that of a floor (mm)."""

COLUMNS = 10
"""Columns of cells along half of an arch."""

GAP, REACH = 0.3, 0.1
"""Gap between an arch and the floor above it, and reach of contact (mm). Within a body contact
reaches at most as far as half of its gaps at rest, which must not change with the design."""

WIDTH, HEIGHT = 2 * (RADIUS + 3 * THICK), FLOOR + RADIUS + 0.5 * THICK + GAP
"""Periods of the pattern (mm)."""

STEPS = 20
"""Increments until an arch has half of its height."""

FLAT = slice(4, STEPS)
"""Increments in which the stress should be flat: from a tenth of the height on."""

NEAR = 0.04
"""Largest relative distance of the stress from the middle of its range with which a search ends."""

STRESS = "stress"
VERTICES = "bodies.pattern.shape.mesh.vertices"


def columns(design: Floats) -> Floats:
    """Vertices at the inside and the outside of the columns of an arch (m), `[columns, 2, 2]`.

    The design has the thickness of each column of half an arch, and by how much it is farther out
    than the circle; the other half is its mirror image. The feet stay, and are left out.
    """
    both = design.reshape(2, -1)
    thickness, offset = np.concatenate([both, both[:, -2::-1]], axis=1)
    angle = np.linspace(np.pi, 0.0, 2 * COLUMNS + 1)[1:-1, None]
    out = RADIUS + offset[:, None] + thickness[:, None] * np.array([-0.5, 0.5])
    return np.asarray(MM * np.stack([out * np.cos(angle), out * np.sin(angle)], axis=-1))


def first() -> Floats:
    """Round arches of equal thickness."""
    return np.concatenate([np.full(COLUMNS, THICK), np.zeros(COLUMNS)])


def bounds() -> list[tuple[float, float]]:
    """Bounds of the design: nothing is higher than at first, and no triangle inverts."""
    height = np.sin(np.linspace(0.0, 0.5 * np.pi, COLUMNS + 1))[1:]
    room = (RADIUS + 0.5 * THICK) / height - RADIUS
    offset = np.clip(room - THICK, 0.0, 4.0)
    thickness = np.minimum(2 * THICK, 2 * (room - offset))
    return [(1.2, float(most)) for most in thickness] + [(-4.0, float(most)) for most in offset]


def mesh() -> tuple[list[list[float]], list[list[int]]]:
    """Vertices and triangles of a cell: the columns of the arch, then its feet and the floor."""
    arch = columns(first()).reshape(-1, 2)
    count = len(arch) // 2
    inside = RADIUS - 0.5 * THICK
    along = [inside * share for share in (0.0, 0.25, 0.5, 0.75, 1.0)]
    along += [RADIUS + 0.5 * THICK, 0.5 * WIDTH]
    along = [-x for x in along[:0:-1]] + along
    levels = [[MM * x, MM * y] for y in (-FLOOR, -0.5 * FLOOR, 0.0) for x in along]
    vertices = [list(map(float, place)) for place in arch] + levels
    grid = len(arch) + np.arange(3 * len(along)).reshape(3, -1)

    # The feet are vertices of the floor: inside and outside, left and right.
    left, right = [int(grid[2, 2]), int(grid[2, 1])], [int(grid[2, -3]), int(grid[2, -2])]
    rings = [left] + [[2 * k, 2 * k + 1] for k in range(count)] + [right]
    quads = [[a[0], b[0], b[1], a[1]] for a, b in zip(rings[:-1], rings[1:], strict=True)]
    for low, high in zip(grid[:-1].tolist(), grid[1:].tolist(), strict=True):
        quads += [[low[k], low[k + 1], high[k + 1], high[k]] for k in range(len(low) - 1)]
    return vertices, [own for a, b, c, d in quads for own in ([a, b, c], [a, c, d])]


def scene() -> ipcsim.Scene:
    """A cell of the pattern that is pressed along y."""
    vertices, triangles = mesh()
    scene = ipcsim.Scene(step=1.0, steps=STEPS)
    scene.set("time.integrator", "static")
    scene.set("gravity", [0.0, 0.0])
    pressed = -(0.5 * (RADIUS + 0.5 * THICK) + GAP) / HEIGHT
    strain = {"xx": 0, "xy": 0, "yy": {"times": [0, STEPS], "values": [0, pressed]}}
    scene.set("periodic", {"x": MM * WIDTH, "y": MM * HEIGHT, "strain": strain})
    scene.add_material("rubber", density=1000, law={"neo_hookean": {"young": 1e7, "poisson": 0.4}})
    shape = {"mesh": {"vertices": vertices, "triangles": triangles}}
    scene.add_body("pattern", shape, "rubber", elements="quadratic")
    scene.set("contact", {"d_hat": REACH * MM, "kappa": 1e7})
    scene.set("measure", [{"name": STRESS, "value": "cell_stress_yy"}])
    return scene


def apart(stresses: Floats) -> float:
    """Largest relative distance of stresses from the middle of their range."""
    flat = stresses[FLAT]
    middle = 0.5 * (flat.max() + flat.min())
    return float(flat.max() / middle - 1)


def parameters(design: Floats) -> dict[str, Floats]:
    """Places of the vertices of an arch, as numbers of the scene."""
    places = columns(design).reshape(-1, 2)
    return {f"{VERTICES}.{k}": own for k, own in enumerate(places)}


def flattened() -> tuple[Floats, list[Floats]]:
    """The design with a flat stress, and the stresses of each design that was tried (Pa)."""
    model = diff.Model(scene(), of=[STRESS])
    start = parameters(first())
    slopes = np.stack([columns(unit) - columns(0 * first()) for unit in np.eye(len(first()))])
    slopes = slopes.reshape(len(first()), -1, 2)
    changes = {key: slopes[:, k] for k, key in enumerate(start)}
    stresses: list[Floats] = []

    def off(design: Floats) -> Floats:
        stresses.append(-model.rollout(parameters(design))[STRESS])
        flat = stresses[-1][FLAT]
        return np.asarray(flat / flat.mean() - 1)

    def slope(design: Floats) -> Floats:
        rows = {key: np.tile(own, (len(design), 1)) for key, own in parameters(design).items()}
        by = -model.jvp_batch(rows, None, changes)[STRESS][:, FLAT]
        flat = -model.rollout(parameters(design))[STRESS][FLAT]
        mean = flat.mean()
        return np.asarray((by / mean - flat * by.mean(axis=1)[:, None] / mean**2).T)

    def is_flat(intermediate_result: OptimizeResult) -> None:
        if apart(-model.rollout(parameters(intermediate_result.x))[STRESS]) < NEAR:
            raise StopIteration

    least, most = np.transpose(bounds())
    found = least_squares(
        off, first(), jac=slope, bounds=(least, most), max_nfev=60, callback=is_flat
    )
    return found.x, stresses


def draw(design: Floats, stresses: list[Floats], file: str) -> None:
    """Four cells of both patterns at rest, those that were found at the end, and their stresses."""
    import matplotlib.pyplot as plt

    model = diff.Model(scene())
    triangles = ipcsim.Simulation(scene()).triangles
    figure, axes = plt.subplots(1, 4, figsize=(12, 3), layout="constrained")
    states = model.rollout(parameters(design))["positions"]
    round_one = model.rollout({})["positions"][0]
    pressed = HEIGHT - (0.5 * (RADIUS + 0.5 * THICK) + GAP)
    drawn = [("round", round_one, HEIGHT), ("found", states[0], HEIGHT)]
    drawn.append(("found, at the end", states[-1], pressed))
    for ax, (title, places, height) in zip(axes, drawn, strict=False):
        for cell in range(4):
            x, y = 1e3 * places.T
            x, y = x + WIDTH * (cell % 2), y + height * (cell // 2)
            ax.tripcolor(x, y, triangles, facecolors=np.full(len(triangles), 0.6), vmin=0, vmax=1)
        ax.set(title=title, aspect="equal", xticks=[], yticks=[], xlim=(-31, 89), ylim=(-12, 58))
    share = 50 * np.arange(1, STEPS + 1) / STEPS
    axes[3].plot(share, 1e-3 * stresses[0], label="round")
    axes[3].plot(share, 1e-3 * stresses[-1], label="found")
    axes[3].set(xlabel="compression (%)", ylabel="mean stress (kPa)", ylim=(0, 40))
    axes[3].legend()
    figure.savefig(file, dpi=80)


def main() -> None:
    """Flattens the stress, and draws it into the file that is given."""
    design, stresses = flattened()
    print(f"{len(design)} numbers, {len(stresses)} designs")
    for label, own in [("round", stresses[0]), ("found", stresses[-1])]:
        flat = 1e-3 * own[FLAT]
        print(f"{label}: {flat.min():.2f} to {flat.max():.2f} kPa, +-{100 * apart(own):.1f} %")
    assert apart(stresses[-1]) < 0.05
    if sys.argv[-1].endswith(".png"):
        draw(design, stresses, sys.argv[-1])


if __name__ == "__main__":
    main()
