"""Gradients: against differences, each other, and in JAX and PyTorch if installed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import ArrayLike

import ipcsim
from ipcsim import diff

STEPS = 8

SCENE: dict[str, Any] = {
    "time": {"step": 0.01, "steps": STEPS},
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
    "contact": {"friction": {"default": 0.3}, "d_hat": 1e-3, "kappa": 2e4},
}

PARAMS: dict[str, ArrayLike] = {
    "contact.friction.default": 0.3,
    "bodies.block.velocity": [1.0, -0.5],
}

PUSHED: dict[str, Any] = {
    "time": {"step": 0.01, "steps": STEPS},
    "gravity": [0, 0],
    "materials": SCENE["materials"],
    "bodies": [
        {"name": "block", "shape": {"square": {"side": 0.1, "segments": 2}}, "material": "rubber"}
    ],
    "loads": [{"body": "block", "on": {"side": "top"}, "force": [0, 1]}],
}


def changed(name: str, index: int | None, by: float) -> dict[str, ArrayLike]:
    """Parameters with one of them changed."""
    params: dict[str, ArrayLike] = {key: np.array(own, dtype=float) for key, own in PARAMS.items()}
    own = np.array(PARAMS[name], dtype=float)
    if index is None:
        own = own + by
    else:
        own[index] += by
    params[name] = own
    return params


def test_a_rollout_has_arrays_by_name() -> None:
    out = diff.rollout(SCENE, PARAMS, of=["block.x"])
    assert out["positions"].shape == (STEPS + 1, 10, 2) or out["positions"].ndim == 3
    assert out["block.x"].shape == (STEPS,)
    assert out["block.x"][-1] > out["block.x"][0]


@pytest.mark.parametrize(
    ("name", "index"), [("contact.friction.default", None), ("bodies.block.velocity", 1)]
)
def test_gradients_agree_with_differences(name: str, index: int | None) -> None:
    value, (by, _) = diff.value_and_grad(SCENE, PARAMS, of="block.x")
    width = 1e-4
    sides = [
        diff.rollout(SCENE, changed(name, index, sign * width), of=["block.x"])["block.x"][-1]
        for sign in (1, -1)
    ]
    expected = (sides[0] - sides[1]) / (2 * width)
    found = by[name] if index is None else by[name][index]
    assert value == pytest.approx(sum(sides) / 2, rel=1e-4)
    assert float(found) == pytest.approx(expected, rel=1e-5)


def test_vjp_is_the_transposed_of_jvp() -> None:
    random = np.random.default_rng(3)
    model = diff.Model(SCENE, of=["block.x", "floor.reaction_y"])
    cotangent: dict[str, Any] = {
        name: random.normal(size=shape) for name, shape in model.shapes().items()
    }
    cotangent["velocities"] *= 0.01
    tangent: dict[str, ArrayLike] = {
        "contact.friction.default": 0.7,
        "bodies.block.velocity": [0.2, -0.4],
    }
    by, _ = model.vjp(PARAMS, None, cotangent)
    change = model.jvp(PARAMS, None, tangent)
    one = sum(float(np.sum(by[name] * np.array(own))) for name, own in tangent.items())
    other = sum(float(np.sum(change[name] * own)) for name, own in cotangent.items())
    assert one == pytest.approx(other, rel=1e-9)


def test_controls_are_tables_over_time() -> None:
    controls = {"loads.0.force.1": np.linspace(0.5, 1.5, STEPS)}
    model = diff.Model(PUSHED, of=["block.y"])
    values, [(_, by)] = model.value_and_grad({}, controls)
    # Implicit Euler: an earlier push has more time.
    mass = 1000 * 0.1**2
    expected = 1e-4 / mass * np.arange(STEPS, 0, -1)
    assert by["loads.0.force.1"] == pytest.approx(expected, rel=1e-9)
    assert values[0] == pytest.approx(float(expected @ controls["loads.0.force.1"]))


def test_errors_are_those_of_the_program() -> None:
    with pytest.raises(ValueError, match=r"block\.angle"):
        diff.rollout(SCENE, {}, of=["block.angle"])
    with pytest.raises(ipcsim.SceneError):
        diff.rollout(SCENE, {"materials.rubber.density": -1})
    with pytest.raises(KeyError, match="heat"):
        diff.Model(SCENE).vjp(PARAMS, None, {"heat": 1.0})


def test_jax_differentiates_a_rollout() -> None:
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    function = diff.jax_rollout(SCENE, of=["block.x"])

    def travel(friction: float) -> object:
        return function({"contact.friction.default": friction})["block.x"][-1]

    check_grads = pytest.importorskip("jax.test_util").check_grads

    check_grads(travel, (0.3,), order=1, modes=["rev"], atol=1e-6, rtol=1e-5, eps=1e-4)
    assert jax.jit(jax.grad(travel))(0.3) < 0


def test_torch_differentiates_a_rollout() -> None:
    torch = pytest.importorskip("torch")
    function = diff.torch_rollout(SCENE, of=["block.x"])

    def travel(friction: object, velocity: object) -> object:
        params = {"contact.friction.default": friction, "bodies.block.velocity": velocity}
        return function(params)["block.x"]

    inputs = (
        torch.tensor(0.3, dtype=torch.float64, requires_grad=True),
        torch.tensor([1.0, -0.5], dtype=torch.float64, requires_grad=True),
    )
    assert torch.autograd.gradcheck(travel, inputs, eps=1e-5, atol=1e-6, rtol=1e-4)
