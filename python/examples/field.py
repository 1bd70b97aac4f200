"""A field of more than a thousand moduli of a bar, from its deflection on two supports.

A bar lies on two rough rollers, and a load goes along its upper side in eight increments. The
places of its vertices are observed in each of them. Every triangle has a modulus of its own,
which `relative_stiffness` multiplies. One adjoint has the derivatives by all of them, through
contact and friction at the rollers, and L-BFGS-B finds the field from a uniform one.
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

CELLS = (64, 8)
"""Cells along and across the bar, of two triangles each: 1,024 moduli."""

SIZE = (0.8, 0.1)
"""Length and height of the bar (m)."""

PLACES = 8
"""Number of places of the load, one for each increment."""

LOAD = 60.0
"""The load (N)."""

FIELD = "bodies.bar.relative_stiffness"


def scene() -> ipcsim.Scene:
    """A bar on two rollers, and loads one after the other along its upper side."""
    scene = ipcsim.Scene(step=1.0, steps=PLACES)
    scene.set("time.integrator", "static")
    scene.set("gravity", [0.0, 0.0])
    law = {"neo_hookean": {"young": 1e6, "poisson": 0.3}}
    scene.add_material("rubber", density=1000, law=law)
    length, height = SIZE
    wide = length / PLACES
    loaded = {
        f"place {k}": {
            "box": {
                "min": [-0.5 * length + k * wide, 0.49 * height],
                "max": [-0.5 * length + (k + 1) * wide, 0.51 * height],
            }
        }
        for k in range(PLACES)
    }
    shape = {"rectangle": {"size": list(SIZE), "segments": list(CELLS)}}
    factors = [1.0] * (2 * CELLS[0] * CELLS[1])
    scene.add_body("bar", shape, "rubber", relative_stiffness=factors, selections=loaded)
    for k, x in enumerate([-0.385, 0.385]):
        roller = {"circle": {"radius": 0.03}}
        scene.add_obstacle(f"roller {k}", roller, position=[x, -0.5 * height - 0.0305])
    times = list(range(PLACES + 1))
    loads = [
        {
            "body": "bar",
            "on": f"place {k}",
            "force": [0.0, {"times": times, "values": [-LOAD * (j == k + 1) for j in times]}],
        }
        for k in range(PLACES)
    ]
    scene.set("loads", loads)
    scene.set("contact", {"d_hat": 1e-3, "kappa": 1e6, "friction": {"default": 0.5}})
    return scene


def truth(middles: Floats) -> Floats:
    """The field to be found: waves along the bar, and a soft spot."""
    x, y = middles.T
    waves = 1 + 0.4 * np.sin(2 * np.pi * x / 0.4) * np.cos(np.pi * y / SIZE[1])
    spot = np.exp(-((x - 0.1) ** 2 + (y + 0.01) ** 2) / 0.03**2)
    return np.asarray(waves * (1 - 0.6 * spot))


def identify(model: diff.Model, observed: Floats, count: int) -> tuple[Floats, list[float]]:
    """The field for which states are as observed, and the misfit of each gradient.

    The misfit is the root of the mean square distance (m).
    """
    misfits: list[float] = []

    def missed(logs: Floats) -> tuple[float, Floats]:
        params = {FIELD: np.exp(logs)}
        off = model.rollout(params)["positions"][1:] - observed
        misfits.append(float(np.sqrt(np.mean(np.sum(off**2, axis=-1)))))
        cotangent = np.zeros((PLACES + 1, *off.shape[1:]))
        cotangent[1:] = 2 * SCALE * off
        by, _ = model.vjp(params, None, {"positions": cotangent})
        return SCALE * float(np.sum(off**2)), by[FIELD] * np.exp(logs)

    bounds = [(np.log(0.1), np.log(10.0))] * count
    options: Any = {"maxiter": 60, "maxfun": 70, "ftol": 1e-15, "gtol": 1e-12, "maxcor": 30}
    found = minimize(
        missed, np.zeros(count), jac=True, method="L-BFGS-B", bounds=bounds, options=options
    )
    return np.exp(found.x), misfits


SCALE = 1e8
"""Factor of the squared distances (1/m^2), for which the objective is about 1 at the end."""


def draw(start: ipcsim.Simulation, fields: list[tuple[str, Floats]], file: str) -> None:
    """Fields of moduli, one above the other."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(len(fields), figsize=(8, 1.9 * len(fields)), layout="constrained")
    for ax, (title, field) in zip(axes, fields, strict=True):
        x, y = start.positions.T
        drawn = ax.tripcolor(x, y, start.triangles, facecolors=field, vmin=0.4, vmax=1.4)
        ax.set(title=title, aspect="equal", xticks=[], yticks=[])
        figure.colorbar(drawn, ax=ax, label="E / E0")
    figure.savefig(file, dpi=110)


def main() -> None:
    """Observes a bar, finds its moduli, and draws both into the file that is given."""
    start = ipcsim.Simulation(scene())
    triangles = start.triangles
    middles = start.positions[triangles].mean(axis=1)
    exact = truth(middles)
    model = diff.Model(scene())
    observed = model.rollout({FIELD: exact})["positions"][1:]
    found, misfits = identify(model, observed, len(exact))
    errors = np.abs(found / exact - 1)
    deflection = float(np.abs(observed - start.positions).max())
    print(f"{len(exact)} moduli, {len(misfits)} gradients")
    print(
        f"misfit of places {1e6 * misfits[0]:.1f} um at first, {1e6 * misfits[-1]:.3f} at the end"
    )
    print(f"largest deflection {1e3 * deflection:.1f} mm")
    print(
        f"error of moduli: median {100 * np.median(errors):.2f} %, "
        f"95 of 100 below {100 * np.quantile(errors, 0.95):.1f} %"
    )
    assert len(misfits) <= 70
    if sys.argv[-1].endswith(".png"):
        draw(start, [("true", exact), ("found", found)], sys.argv[-1])


if __name__ == "__main__":
    main()
