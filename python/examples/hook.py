"""A hook of least stress, which hangs on a pin by sliding contact.

A hook is pulled down by its shank, which is guided. Its inside fits a rigid pin with play, and
where the two touch depends on the load and on the shape. The thickness along the hook is
changed, at the same area, until the L8 norm of von Mises' stress is least. The stress is a
function of places in NumPy; the adjoint has the derivatives of the places by the shape at rest,
through contact and friction.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

import ipcsim
from ipcsim import diff

Array = NDArray[Any]
Floats = NDArray[np.float64]

MM = 1e-3
PIN = 10.0
"""Radius of the pin (mm)."""

PLAY = 0.15
"""Gap between the pin and the hook at rest (mm)."""

THICK = 8.0
"""Thickness to begin with (mm)."""

ARC, SHANK = 18, 4
"""Columns of cells along the arc and the shank."""

LENGTH = 16.0
"""Length of the shank (mm)."""

STEPS = 3
PULL = 500.0
"""Force at the end of the shank (N)."""

YOUNG, POISSON = 2.6e9, 0.35
POWER = 8
VERTICES = "bodies.hook.shape.mesh.vertices"


def columns(thickness: Floats) -> Array:
    """Vertices of all columns, `[columns, 3, 2]` (mm): inside, middle, outside."""
    inner = PIN + PLAY
    share = np.array([0.0, 0.5, 1.0])
    angle = np.deg2rad(np.linspace(-20.0, 180.0, ARC + 1))[:, None]
    out = inner + share * thickness[: ARC + 1, None]
    arc = np.stack([out * np.cos(angle), out * np.sin(angle)], axis=-1)
    down = np.linspace(0, LENGTH, SHANK + 1)[1:, None]
    wide = inner + share * thickness[ARC + 1 :, None]
    shank = np.stack([-wide, -down + 0.0 * wide], axis=-1)
    return np.concatenate([arc, shank])


def places(thickness: Floats) -> Floats:
    """Vertices of the mesh (m), which are linear in the thickness."""
    return MM * columns(thickness).reshape(-1, 2)


def scene() -> ipcsim.Scene:
    """A hook on a pin, pulled down by its guided shank."""
    scene = ipcsim.Scene(step=1.0, steps=STEPS)
    scene.set("time.integrator", "static")
    scene.set("gravity", [0.0, 0.0])
    scene.set("thickness", 0.01)
    law = {"neo_hookean": {"young": YOUNG, "poisson": POISSON}}
    scene.add_material("acetal", density=1400, law=law)
    count = ARC + SHANK + 1
    triangles = []
    for k in range(count - 1):
        for j in (0, 1):
            a, b, c, d = 3 * k + j, 3 * k + j + 1, 3 * k + j + 4, 3 * k + j + 3
            triangles += [[a, b, c], [a, c, d]]
    vertices = places(np.full(count, THICK)).tolist()
    end = {"indices": [3 * count - 3, 3 * count - 2, 3 * count - 1]}
    scene.add_body(
        "hook",
        {"mesh": {"vertices": vertices, "triangles": triangles}},
        "acetal",
        elements="quadratic",
        prescribed=[{"vertices": end, "displacement": {"x": 0}}],
        selections={"end": end},
    )
    pull = {"times": [0, STEPS], "values": [0, -PULL]}
    scene.set("loads", [{"body": "hook", "on": "end", "force": [0, pull]}])
    scene.add_obstacle("pin", {"circle": {"radius": MM * PIN}})
    scene.set("contact", {"d_hat": 0.2 * MM, "kappa": 1e9, "friction": {"default": 0.1}})
    return scene


class Stress:
    """The L8 norm of von Mises' stress of quadratic triangles, with its derivatives."""

    def __init__(self, start: ipcsim.Simulation) -> None:
        facets = start.triangles.reshape(-1, 4, 3)
        # Corners 0, 1, 2 and middles 3, 4, 5 of the sides 01, 12, 20.
        self.nodes = np.stack(
            [facets[:, 0, 0], facets[:, 1, 1], facets[:, 2, 2], *facets[:, 3].T], axis=1
        )

        # Derivatives of the shape functions by two coordinates, in the middles of the sides.
        points = np.array([[0.5, 0.5, 0.0], [0.0, 0.5, 0.5], [0.5, 0.0, 0.5]])
        by = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
        corners = [(4 * points[:, k] - 1)[:, None] * by[k] for k in range(3)]
        sides = [
            4 * (points[:, a, None] * by[b] + points[:, b, None] * by[a])
            for a, b in ((0, 1), (1, 2), (2, 0))
        ]
        self.slopes = np.stack([*corners, *sides], axis=1)

    def of_elements(self, x: Array, rest: Array) -> tuple[Array, Array]:
        """Von Mises' stress (Pa) at three points of each element, and volumes at rest (m^2)."""
        spread = np.einsum("eni,pnj->epij", x, self.slopes)
        before = np.einsum("eni,pnj->epij", rest, self.slopes)
        f = spread @ inverse(before)
        j = determinant(f)
        shear = YOUNG / (2 * (1 + POISSON))
        lame = 2 * shear * POISSON / (1 - 2 * POISSON)
        b = f @ np.swapaxes(f, -1, -2)
        pressure = lame * np.log(j) / j
        xx, yy = ((shear * (b[..., k, k] - 1)) / j + pressure for k in (0, 1))
        xy = shear * b[..., 0, 1] / j
        zz = pressure
        square = 0.5 * ((xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2) + 3 * xy**2
        return np.sqrt(square), determinant(before) / 6

    def norm(self, x: Floats, rest: Floats) -> tuple[float, Floats, Floats]:
        """The norm (Pa) at places `x` (m), and its derivatives by these and by those at rest."""
        own, was = x[self.nodes], rest[self.nodes]
        stress, volume = self.of_elements(own, was)
        total = float(np.sum(volume))
        sum_of_powers = float(np.sum(volume * stress**POWER)) / total
        norm = sum_of_powers ** (1 / POWER)
        factor = norm / (POWER * sum_of_powers)

        # Complex steps give exact derivatives of each element and of its share of the volume.
        derivatives = []
        for which in (0, 1):
            by = np.zeros_like(x)
            for node in range(6):
                for axis in (0, 1):
                    both = [own.astype(complex), was.astype(complex)]
                    both[which][:, node, axis] += 1e-30j
                    changed, of = self.of_elements(*both)
                    slope = np.sum(of * changed**POWER, axis=1).imag / 1e-30 / total
                    slope = slope - sum_of_powers * np.sum(of, axis=1).imag / 1e-30 / total
                    np.add.at(by[:, axis], self.nodes[:, node], factor * slope)
            derivatives.append(by)
        return norm, derivatives[0], derivatives[1]


def determinant(m: Array) -> Array:
    """Determinants of matrices of 2 x 2."""
    return np.asarray(m[..., 0, 0] * m[..., 1, 1] - m[..., 0, 1] * m[..., 1, 0])


def inverse(m: Array) -> Array:
    """Inverses of matrices of 2 x 2."""
    rows = [[m[..., 1, 1], -m[..., 0, 1]], [-m[..., 1, 0], m[..., 0, 0]]]
    adjugate = np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)
    return np.asarray(adjugate / determinant(m)[..., None, None])


def with_middles(nodes: Array, corners: Floats, count: int) -> Floats:
    """Nodes of quadratic triangles at rest, from those of the mesh: middles of sides follow."""
    rest = np.zeros((count, 2))
    rest[: len(corners)] = corners
    for middle, a, b in ((3, 0, 1), (4, 1, 2), (5, 2, 0)):
        rest[nodes[:, middle]] = 0.5 * (corners[nodes[:, a]] + corners[nodes[:, b]])
    return rest


def to_corners(nodes: Array, by: Floats, count: int) -> Floats:
    """Derivatives by the vertices of the mesh, from those by all nodes at rest."""
    ends = {
        int(own[middle]): (own[a], own[b])
        for own in nodes
        for middle, a, b in ((3, 0, 1), (4, 1, 2), (5, 2, 0))
    }
    out = by[:count].copy()
    for middle, (a, b) in ends.items():
        out[a] += 0.5 * by[middle]
        out[b] += 0.5 * by[middle]
    return out


def area(thickness: Floats) -> float:
    """Area of the hook (mm^2), which is exact for its straight cells."""
    inside, _, outside = columns(thickness).swapaxes(0, 1)
    u = outside[1:] - inside[:-1]
    v = outside[:-1] - inside[1:]
    return float(np.sum(np.abs(u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]))) / 2


class Hook:
    """The stress of the hook as a function of its thickness."""

    def __init__(self) -> None:
        self.count = ARC + SHANK + 1
        self.start = ipcsim.Simulation(scene())
        self.stress = Stress(self.start)
        self.model = diff.Model(scene())
        self.norms: list[float] = []
        zero = np.zeros(self.count)
        units = np.eye(self.count)
        self.slopes = np.stack([places(unit) - places(zero) for unit in units])

    def rolled(self, thickness: Floats) -> tuple[dict[str, Floats], Floats, Floats]:
        """Vertices that move with the thickness, all nodes at rest, and their places over time."""
        vertices = places(thickness)
        params = {f"{VERTICES}.{k}": own for k, own in enumerate(vertices) if k % 3}
        positions = self.model.rollout(params)["positions"]
        rest = with_middles(self.stress.nodes, vertices, positions.shape[1])
        return params, rest, positions

    def value_and_grad(self, thickness: Floats) -> tuple[float, Floats]:
        """The norm relative to that of the first thickness, and its derivatives."""
        params, rest, positions = self.rolled(thickness)
        norm, by_places, direct = self.stress.norm(positions[-1], rest)
        self.norms.append(norm)

        # Through the places, and of the shape at rest in the stress itself.
        cotangent = np.zeros_like(positions)
        cotangent[-1] = by_places
        by, _ = self.model.vjp(params, None, {"positions": cotangent})
        total = to_corners(self.stress.nodes, direct, 3 * self.count)
        for path, own in by.items():
            total[int(path.rsplit(".", 1)[1])] += own
        return norm / self.norms[0], np.einsum("tni,ni->t", self.slopes, total) / self.norms[0]


def improve(hook: Hook) -> Floats:
    """Thickness of the hook of least stress, of the same area.

    Bounds keep all columns apart from each other and thicker than 3 mm: no triangle inverts.
    """
    first = np.full(hook.count, THICK)
    whole = area(first)

    def spare(thickness: Floats) -> float:
        return (whole - area(thickness)) / whole

    options: Any = {"maxiter": 20, "ftol": 1e-3}
    found = minimize(
        hook.value_and_grad,
        first,
        jac=True,
        method="SLSQP",
        bounds=[(3.0, 16.0)] * hook.count,
        constraints=[{"type": "ineq", "fun": spare}],
        options=options,
    )
    return np.asarray(found.x)


def draw(hook: Hook, shapes: list[tuple[str, Floats]], file: str) -> None:
    """Von Mises' stress of both hooks, under load."""
    import matplotlib.pyplot as plt
    from matplotlib.patches import Circle

    figure, axes = plt.subplots(1, 2, figsize=(8, 4), layout="constrained")
    for ax, (title, thickness) in zip(axes, shapes, strict=True):
        _, rest, positions = hook.rolled(thickness)
        stress, _ = hook.stress.of_elements(*(x[hook.stress.nodes] for x in (positions[-1], rest)))
        colours = np.repeat(1e-6 * stress.max(axis=1), 4)
        x, y = 1e3 * positions[-1].T
        drawn = ax.tripcolor(x, y, hook.start.triangles, facecolors=colours, vmin=0, vmax=80)
        ax.add_patch(Circle((0, 0), PIN, color="0.8"))
        ax.set(title=title, aspect="equal", xticks=[], yticks=[])
    figure.colorbar(drawn, ax=axes, label="von Mises (MPa)")
    figure.savefig(file, dpi=90)


def main() -> None:
    """Improves the hook, and draws it into the file that is given."""
    hook = Hook()
    found = improve(hook)
    first = np.full(hook.count, THICK)
    _, rest, positions = hook.rolled(found)
    last, _, _ = hook.stress.norm(positions[-1], rest)
    print(f"{hook.count} thicknesses, {len(hook.norms)} gradients")
    print(f"L8 norm of the stress {1e-6 * hook.norms[0]:.1f} MPa, {1e-6 * last:.1f} MPa at the end")
    print(f"area {area(first):.1f} and {area(found):.1f} mm^2")
    assert last < 0.7 * hook.norms[0]
    assert area(found) < 1.001 * area(first)
    if sys.argv[-1].endswith(".png"):
        draw(hook, [("equal thickness", first), ("found", found)], sys.argv[-1])


if __name__ == "__main__":
    main()
