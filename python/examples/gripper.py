"""A compliant gripper of 2,048 densities, whose jaw presses on a pin by contact.

Half of a gripper, by symmetry about the x axis. Its lower left corner is pulled by a given
stroke, and its jaw should press as hard as it can onto a rigid pin in its mouth. Each pair of
triangles has a density; it is filtered, and its cube is the stiffness (SIMP). Only contact
transmits the force on the pin, and one adjoint has its derivatives by all densities.
Optimality criteria move them, with a bound on the material.
"""

from __future__ import annotations

import sys

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix, csr_matrix

import ipcsim
from ipcsim import diff

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Cell = tuple[int, int]

CELLS = (68, 32)
"""Cells along and across."""

MOUTH = (16, 8)
"""Cells of the mouth at the lower right, which are left out: 2,048 remain."""

JAW = 2
"""Rows of cells above the mouth that stay full."""

SIDE = 1e-3
"""Side of a cell (m)."""

GAP = 0.25
"""Gap between the jaw and the pin, in cells."""

STROKE = 1e-3
"""Displacement of the lower left corner (m)."""

SHARE = 0.3
"""Share of the cells that the material fills."""

LEAST = 1e-3
"""Stiffness of an empty cell, relative to that of a full one."""

RADIUS = 2.5
"""Radius of the filter, in cells."""

MOVE = 0.1
"""Largest change of a density from one gradient to the next."""

GRADIENTS = 30
FIELD = "bodies.gripper.relative_stiffness"
FORCE = "pin.reaction_y"


def cells() -> list[Cell]:
    """Cells of the body by column and row."""
    wide, high = CELLS
    all_cells = [(i, j) for j in range(high) for i in range(wide)]
    return [(i, j) for i, j in all_cells if i < wide - MOUTH[0] or j >= MOUTH[1]]


def mesh() -> dict[str, object]:
    """Vertices and triangles, two for each cell."""
    numbers: dict[Cell, int] = {}
    triangles: list[list[int]] = []
    for i, j in cells():
        corners = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)]
        a, b, c, d = (numbers.setdefault(corner, len(numbers)) for corner in corners)
        # Diagonals alternate.
        triangles += [[a, b, c], [a, c, d]] if (i + j) % 2 == 0 else [[a, b, d], [b, c, d]]
    vertices = [[SIDE * i, SIDE * j] for i, j in numbers]
    return {"vertices": vertices, "triangles": triangles}


def box(right: float, bottom: float, top: float) -> dict[str, object]:
    """Vertices from the left side to a column, between two rows."""
    tiny = 0.1 * SIDE
    low = [-tiny, SIDE * bottom - tiny]
    return {"box": {"min": low, "max": [SIDE * right + tiny, SIDE * top + tiny]}}


def scene() -> ipcsim.Scene:
    """The upper half of the gripper, held at the upper left, with a pin in its mouth."""
    wide, high = CELLS
    scene = ipcsim.Scene(step=1.0, steps=2)
    scene.set("time.integrator", "static")
    scene.set("gravity", [0.0, 0.0])
    scene.set("thickness", 0.01)
    law = {"neo_hookean": {"young": 1e6, "poisson": 0.3}}
    scene.add_material("rubber", density=1000, law=law)
    stroke = {"times": [0, 2], "values": [0, -STROKE]}
    scene.add_body(
        "gripper",
        {"mesh": mesh()},
        "rubber",
        relative_stiffness=[1.0] * (2 * len(cells())),
        prescribed=[
            {"vertices": box(0, high - 6, high)},
            {"vertices": box(wide - MOUTH[0], 0, 0), "displacement": {"y": 0}},
            {"vertices": box(0, 0, 2), "displacement": {"x": stroke}},
        ],
    )
    size = [6 * SIDE, 2 * (MOUTH[1] - GAP) * SIDE]
    pin = {"rectangle": {"size": size, "segments": [1, 1]}}
    scene.add_obstacle("pin", pin, position=[SIDE * (wide - 4), 0.0])
    scene.set("contact", {"d_hat": 0.2 * SIDE, "kappa": 1e6})
    return scene


def filter_of() -> csr_matrix:
    """Weights of all cells in the filtered density of each, which fall to 0 at the radius."""
    places = {cell: k for k, cell in enumerate(cells())}
    reach = range(-int(RADIUS), int(RADIUS) + 1)
    near = [(di, dj) for di in reach for dj in reach if np.hypot(di, dj) < RADIUS]
    entries = [
        (RADIUS - float(np.hypot(di, dj)), k, places[i + di, j + dj])
        for (i, j), k in places.items()
        for di, dj in near
        if (i + di, j + dj) in places
    ]
    weights, rows, columns = (np.array(own) for own in zip(*entries, strict=True))
    matrix = coo_matrix((weights, (rows, columns))).tocsr()
    return csr_matrix(matrix.multiply(1 / matrix.sum(axis=1)))


def updated(design: Floats, slope: Floats, free: Bools) -> Floats:
    """Densities by optimality criteria, with the share of the material.

    A density grows by a power of what the force gains from it, over a multiplier. Bisection finds
    the multiplier for which the material suffices.
    """
    gain = np.maximum(slope / slope.max(), 1e-9)
    low, high = 1e-9, 1e9
    while high / low > 1 + 1e-9:
        middle = np.sqrt(low * high)
        wanted = np.clip(design * (gain / middle) ** 0.3, design - MOVE, design + MOVE)
        moved = np.where(free, np.clip(wanted, 0.0, 1.0), design)
        if moved.mean() > SHARE:
            low = middle
        else:
            high = middle
    return np.asarray(moved)


def improve() -> tuple[Floats, list[float], Floats]:
    """Densities of the best gripper, the force of each gradient (N), and its last places (m)."""
    model = diff.Model(scene(), of=[FORCE])
    weights = filter_of()
    wide = CELLS[0] - MOUTH[0]
    is_jaw = np.array([i >= wide and j < MOUTH[1] + JAW for i, j in cells()])
    design = np.full(len(is_jaw), SHARE)
    design[is_jaw] = 1.0
    forces: list[float] = []
    for _ in range(GRADIENTS):
        density = np.where(is_jaw, 1.0, weights @ design)
        params = {FIELD: np.repeat(LEAST + (1 - LEAST) * density**3, 2)}
        out = model.rollout(params)
        forces.append(float(out[FORCE][-1]))

        # Both triangles of a cell, its cube, and the filter.
        by, _ = model.vjp(params, None, {FORCE: [0.0, 1.0]})
        of_cells = by[FIELD].reshape(-1, 2).sum(axis=1)
        slope = of_cells * 3 * (1 - LEAST) * density**2
        design = updated(design, weights.T @ np.where(is_jaw, 0.0, slope), ~is_jaw)
    return density, forces, out["positions"][-1]


def draw(density: Floats, places: Floats, file: str) -> None:
    """The gripper and its mirror image, at the end of the stroke."""
    import matplotlib.pyplot as plt

    triangles = ipcsim.Simulation(scene()).triangles
    figure, ax = plt.subplots(figsize=(8, 6.4), layout="constrained")
    for sign in (1, -1):
        x, y = 1e3 * places.T
        colours = np.repeat(density, 2)
        ax.tripcolor(x, sign * y, triangles, facecolors=colours, cmap="Greys", vmin=0, vmax=1)
    half = 1e3 * SIDE * (MOUTH[1] - GAP)
    middle = CELLS[0] - 4
    ax.fill([middle - 3, middle + 3, middle + 3, middle - 3], [-half, -half, half, half], "#d55e00")
    ax.set(xlabel="x (mm)", ylabel="y (mm)", aspect="equal")
    figure.savefig(file, dpi=90)


def main() -> None:
    """Improves the gripper, and draws it into the file that is given."""
    density, forces, places = improve()
    print(
        f"{len(density)} densities, {len(forces)} gradients, {density.mean():.3f} of the material"
    )
    print(
        f"force on the pin {1e3 * forces[0]:.2f} mN at first, {1e3 * forces[-1]:.1f} mN at the end"
    )
    assert len(density) == 2048
    assert density.mean() < 1.05 * SHARE
    assert forces[-1] > 50 * forces[0]
    if sys.argv[-1].endswith(".png"):
        draw(density, places, sys.argv[-1])


if __name__ == "__main__":
    main()
