"""Pictures of a state with matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .simulation import Simulation


def draw(
    simulation: Simulation, ax: Axes | None, values: ArrayLike | None, keys: dict[str, Any]
) -> Axes:
    """Draws triangles, springs, outlines, circles and half-planes of the present state."""
    import matplotlib.pyplot as plt
    from matplotlib.collections import LineCollection, PatchCollection
    from matplotlib.patches import Circle

    if ax is None:
        ax = plt.gca()
    x = simulation.positions

    # Triangles in the colour of their body, or by values.
    if len(simulation.triangles):
        if values is None:
            number = np.zeros(len(x))
            for index, body in enumerate(simulation.bodies):
                number[body.vertices] = index % 10
            values = number[simulation.triangles[:, 0]]
            keys = {"cmap": "tab10", "vmin": 0, "vmax": 9, "alpha": 0.6, **keys}
        ax.tripcolor(x[:, 0], x[:, 1], simulation.triangles, facecolors=np.asarray(values), **keys)

    # Lines: springs, and edges that have a length.
    edges = simulation.edges[simulation.edges[:, 0] != simulation.edges[:, 1]]
    ax.add_collection(LineCollection(list(x[simulation.springs]), colors="0.5", linewidths=0.5))
    ax.add_collection(LineCollection(list(x[edges]), colors="0.2", linewidths=0.8))

    round_ones = np.flatnonzero(simulation.radii)
    circles = [Circle((x[i, 0], x[i, 1]), simulation.radii[i]) for i in round_ones]
    ax.add_collection(PatchCollection(circles, facecolors="0.8", edgecolors="0.2"))

    # Half-planes reach as far as the view.
    left, bottom, right, top = simulation.view
    reach = np.hypot(right - left, top - bottom)
    for obstacle in simulation.scene["obstacles"]:
        if "half_plane" not in obstacle["shape"]:
            continue
        body = simulation.body(obstacle["name"])
        angle = body.angle or 0.0
        normal = np.array(obstacle["shape"]["half_plane"]["normal"], dtype=float)
        normal /= np.linalg.norm(normal)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        along = turn @ np.array([normal[1], -normal[0]])
        ends = body.centre + reach * np.outer([-1.0, 1.0], along)
        ax.plot(ends[:, 0], ends[:, 1], color="0.2")

    ax.set_xlim(left, right)
    ax.set_ylim(bottom, top)
    ax.set_aspect("equal")
    ax.set_xlabel("x (m)")
    ax.set_ylabel("y (m)")
    ax.set_title(f"t = {simulation.time:.4g} s")
    return ax
