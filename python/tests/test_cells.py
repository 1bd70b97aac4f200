"""Cells that repeat: their mean strain and stress in simulations, batches and runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ipcsim

SIDE = 0.1


def grains(**periodic: Any) -> ipcsim.Scene:
    """Two discs in a square cell. Each touches four images of the other."""
    radius = 0.034
    bodies = [
        {
            "name": name,
            "kind": "rigid",
            "material": "m",
            "shape": {"circle": {"radius": radius}},
            "position": [place, place],
        }
        for name, place in (("even", 0.25 * SIDE), ("odd", 0.75 * SIDE))
    ]
    return ipcsim.Scene(
        {
            "time": {"step": 1e-3, "steps": 400},
            "gravity": [0, 0],
            "periodic": {"x": SIDE, "y": SIDE, **periodic},
            "materials": {"m": {"density": 2500}},
            "bodies": bodies,
            "measure": [
                {"name": "stress", "value": "cell_stress_yy"},
                {"name": "strain", "value": "cell_strain_yy"},
            ],
        }
    )


def test_grains_come_to_rest_at_their_mean_stress() -> None:
    simulation = ipcsim.Simulation(grains(stress={"xx": -1e3, "yy": -1e3}))
    simulation.step(400)
    assert simulation.measures["stress"] == pytest.approx(-1e3, rel=1e-4)

    # f = s L^2 / (2 d), with the side along the contact as it is now.
    side = SIDE * (1 + simulation.measures["strain"])
    force = 1e3 * SIDE * side / (2 * side / np.sqrt(2))
    contacts = simulation.contacts()
    assert contacts.normal_force.max() == pytest.approx(force, rel=1e-4)


def test_a_batch_of_cells_varies_their_stress() -> None:
    scene = grains(stress={"xx": -1e3, "yy": -1e3})
    stresses = [-500.0, -1000.0]
    found = []
    for stress in stresses:
        scene.set("periodic.stress", {"xx": stress, "yy": stress})
        simulation = ipcsim.Simulation(scene)
        simulation.step(400)
        found.append(simulation.measures["stress"])
    assert found == pytest.approx(stresses, rel=1e-4)


def test_what_has_no_image_is_refused_by_name() -> None:
    scene = grains()
    scene.set("bodies.0.kind", {"polynomial": {"order": 1}})
    with pytest.raises(ipcsim.SceneError, match="images are not there yet"):
        ipcsim.Simulation(scene)
