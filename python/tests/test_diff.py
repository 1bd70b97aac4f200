"""Gradients through contact and friction: against differences, and both directions against each other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ipcsim
import ipcsim.diff

SCENE: dict[str, Any] = {
    "time": {"step": 0.01, "steps": 8},
    "materials": {
        "rubber": {"density": 1000, "law": {"neo_hookean": {"young": 1e5, "poisson": 0.3}}}
    },
    "bodies": [
        {
            "name": "block",
            "shape": {"square": {"side": 0.1, "segments": 2}},
            "material": "rubber",
            "position": [0, 0.0505],
            "velocity": [1.0, -0.5],
        }
    ],
    "obstacles": [{"name": "floor", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}],
    "contact": {"friction": {"default": 0.3}},
}
FRICTION = "contact.friction.default"
VELOCITY = "bodies.block.velocity"
PARAMS = {FRICTION: 0.3, VELOCITY: [1.0, -0.5]}


def test_a_gradient_of_any_function_of_states_agrees_with_differences() -> None:
    """The mean square of all positions, by a coefficient and by a vector."""

    def value(params: dict[str, Any]) -> float:
        return float(np.mean(ipcsim.diff.rollout(SCENE, params).positions ** 2))

    run = ipcsim.diff.rollout(SCENE, PARAMS)
    found = run.vjp(positions=2 * run.positions / run.positions.size)
    assert found[VELOCITY].shape == (2,)
    step = 1e-4
    there, back = (value({**PARAMS, FRICTION: 0.3 + side * step}) for side in (1, -1))
    assert found[FRICTION] == pytest.approx((there - back) / (2 * step), rel=1e-6)
    there, back = (value({**PARAMS, VELOCITY: [1.0 + side * step, -0.5]}) for side in (1, -1))
    assert found[VELOCITY][0] == pytest.approx((there - back) / (2 * step), rel=1e-6)


def test_vjp_and_jvp_are_transposed() -> None:
    """Products of a random derivative with the change along a random direction."""
    run = ipcsim.diff.rollout(SCENE, PARAMS)
    numbers = np.random.default_rng(1)
    by_q = numbers.normal(size=run.coordinates.shape)
    by_v = numbers.normal(size=run.coordinates.shape)
    change = run.jvp({FRICTION: 0.4, VELOCITY: [0.3, -0.7]})
    forwards = np.sum(by_q * change.coordinates) + np.sum(by_v * change.coordinate_velocities)
    found = run.vjp(coordinates=by_q, coordinate_velocities=by_v)
    backwards = 0.4 * found[FRICTION] + found[VELOCITY] @ [0.3, -0.7]
    assert backwards == pytest.approx(forwards, rel=1e-9)


def test_what_has_no_derivative_is_named() -> None:
    """Sleep, and paths that lead nowhere."""
    with pytest.raises(ValueError, match="solver.sleep"):
        ipcsim.diff.rollout({**SCENE, "solver": {"sleep": {}}}, PARAMS)
    with pytest.raises(ValueError, match="no parameters"):
        ipcsim.diff.rollout(SCENE, PARAMS).jvp({"gravity": [0, 1]})
