"""Grains in Python: packs, numbers with units, and fields around places."""

from __future__ import annotations

import numpy as np
import pytest

import ipcsim


def box_of_grains() -> ipcsim.Scene:
    """Grains in a box, which fall on its floor."""
    walls = [("floor", [0, 1], [0, 0]), ("left", [1, 0], [0, 0]), ("right", [-1, 0], [0.1, 0])]
    return ipcsim.Scene(
        {
            "time": {"step": 0.01, "steps": 40},
            "materials": {"glass": {"density": 2500}},
            "bodies": [
                {
                    "name": "grain",
                    "kind": "rigid",
                    "material": "glass",
                    "shape": {"circle": {"radius": 0.01}},
                    "pack": {"region": {"box": {"min": [0, 0], "max": [0.1, 0.1]}}, "count": 15},
                }
            ],
            "obstacles": [
                {"name": name, "shape": {"half_plane": {"normal": normal, "origin": origin}}}
                for name, normal, origin in walls
            ],
        }
    )


def test_packs_have_seeds_and_numbers_have_units() -> None:
    scene = box_of_grains()
    one = ipcsim.Simulation(scene)
    scene.set("bodies.grain.pack.seed", 2)
    other = ipcsim.Simulation(scene)
    assert len(one.positions) == len(other.positions)
    assert not np.array_equal(one.positions, other.positions)

    scene.set("bodies.grain.shape.circle.radius", "9 mm")
    scene.set("bodies.grain.pack.region.box.max", ["10 cm", "1 dm"])
    assert ipcsim.Simulation(scene).names[14] == "grain 15"
    scene.set("bodies.grain.shape.circle.radius", "9 Pa")
    with pytest.raises(ipcsim.SceneError, match="m is expected"):
        ipcsim.Simulation(scene)


def test_fields_are_those_of_the_bodies_around_places() -> None:
    simulation = ipcsim.Simulation(box_of_grains())
    simulation.step(40)
    grid = np.stack(np.meshgrid(np.linspace(0, 0.1, 5), np.linspace(0, 0.1, 4)), axis=-1)
    field = simulation.coarse(grid, 0.03)
    assert field.density.shape == (4, 5)
    assert field.velocity.shape == (4, 5, 2)
    assert field.stress.shape == (4, 5, 2, 2)
    np.testing.assert_allclose(field.density, 2500 * field.fraction, rtol=1e-12)
    assert field.pressure[1, 2] > 0
    assert simulation.coarse([0.05, 0.02], 0.03).density.shape == ()
    with pytest.raises(ValueError, match="must be positive"):
        simulation.coarse(grid, 0)
