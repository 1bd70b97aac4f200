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


def test_changes_along_many_directions_of_one_run_are_those_along_each() -> None:
    model = diff.Model(SCENE, of=["block.x", "floor.reaction_y"])
    rows: dict[str, Any] = {name: [value] * 3 for name, value in PARAMS.items()}
    tangents: dict[str, Any] = {
        "contact.friction.default": [1.0, 0.0, 0.7],
        "bodies.block.velocity": [[0.0, 0.0], [1.0, 0.0], [0.2, -0.4]],
    }
    together = model.jvp_batch(rows, None, tangents)
    for k in range(3):
        alone = model.jvp(PARAMS, None, {name: own[k] for name, own in tangents.items()})
        for name, own in alone.items():
            assert np.array_equal(own, together[name][k]), name


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


def test_a_field_has_a_derivative_for_each_triangle() -> None:
    field = "bodies.block.relative_stiffness"
    scene = ipcsim.Scene(SCENE)
    factors = np.linspace(0.5, 1.5, 8)
    scene.set("bodies.0.relative_stiffness", factors.tolist())
    model = diff.Model(scene, of=["block.x", "floor.reaction_y"])
    _, [(by, _), _] = model.value_and_grad({field: factors})
    direction = np.cos(np.arange(8))
    change = model.jvp({field: factors}, None, {field: direction})
    assert change["block.x"][-1] == pytest.approx(float(by[field] @ direction), rel=1e-9)
    width = 1e-3
    sides = [
        model.rollout({field: factors + sign * width * direction})["block.x"][-1]
        for sign in (1, -1)
    ]
    assert (sides[0] - sides[1]) / (2 * width) == pytest.approx(by[field] @ direction, rel=1e-5)


def batch_of(rows: int) -> dict[str, Any]:
    """Parameters of several runs."""
    return {
        "contact.friction.default": np.linspace(0.1, 0.5, rows),
        "bodies.block.velocity": np.array([[1.0 - 0.1 * k, -0.5] for k in range(rows)]),
    }


def test_a_batch_has_the_bits_of_its_runs() -> None:
    model = diff.Model(SCENE, of=["block.x"])
    params = batch_of(3)
    out = model.rollout_batch(params)
    cotangent = {"block.x": np.ones((3, STEPS)), "positions": 0.1 * out["positions"]}
    by, _ = model.vjp_batch(params, None, cotangent)
    for k in range(3):
        own = {name: array[k] for name, array in params.items()}
        alone = model.rollout(own)
        assert all(np.array_equal(out[name][k], alone[name]) for name in alone)
        pulled, _ = model.vjp(own, None, {name: array[k] for name, array in cotangent.items()})
        assert all(np.array_equal(by[name][k], pulled[name]) for name in pulled)
    with pytest.raises(ValueError, match="first axis"):
        model.rollout_batch({"contact.friction.default": 0.3})


def calls_of(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the functions of a model that are called from now on, in their order."""
    calls: list[str] = []

    def watched(name: str) -> None:
        function = getattr(diff.Model, name)

        def noted(self: diff.Model, *given: Any) -> Any:
            calls.append(name)
            return function(self, *given)

        monkeypatch.setattr(diff.Model, name, noted)

    for name in ("rollout", "rollout_batch", "vjp", "vjp_batch", "jvp", "jvp_batch"):
        watched(name)
    return calls


def test_jax_differentiates_a_rollout() -> None:
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    function = diff.jax_rollout(SCENE, of=["block.x"])

    def travel(friction: float) -> object:
        return function({"contact.friction.default": friction})["block.x"][-1]

    check_grads = pytest.importorskip("jax.test_util").check_grads

    check_grads(travel, (0.3,), order=1, modes=["fwd", "rev"], atol=1e-6, rtol=1e-5, eps=1e-4)
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


def test_jax_maps_a_batch_to_one_call(monkeypatch: pytest.MonkeyPatch) -> None:
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    calls = calls_of(monkeypatch)
    function = diff.jax_rollout(SCENE, of=["block.x"])

    def travel(friction: Any, velocity: Any) -> Any:
        params = {"contact.friction.default": friction, "bodies.block.velocity": velocity}
        return function(params)["block.x"][-1]

    params = batch_of(4)
    friction, velocity = params.values()
    found = jax.vmap(jax.value_and_grad(travel, argnums=(0, 1)))(friction, velocity)
    values, by = jax.block_until_ready(found)
    assert calls == ["rollout_batch", "vjp_batch"]
    for k in range(4):
        value, alone = jax.value_and_grad(travel, argnums=(0, 1))(friction[k], velocity[k])
        assert values[k] == value
        assert by[0][k] == alone[0]
        assert np.array_equal(by[1][k], alone[1])

    # Over one argument, over both axes of a grid, and compiled.
    grid = jax.vmap(jax.vmap(travel, (0, None)), (None, 0))
    assert jax.jit(grid)(friction, velocity).shape == (4, 4)
    assert grid(friction, velocity)[2, 2] == values[2]

    # Rows of a Jacobian are a batch of the backward pass alone.
    del calls[:]

    def path(velocity: Any) -> Any:
        return function({"bodies.block.velocity": velocity})["block.x"]

    rows = jax.block_until_ready(jax.jacrev(path)(velocity[0]))
    assert calls == ["rollout", "vjp_batch"]
    assert rows.shape == (STEPS, 2)


def test_jax_has_tangents(monkeypatch: pytest.MonkeyPatch) -> None:
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    calls = calls_of(monkeypatch)
    function = diff.jax_rollout(SCENE, of=["block.x"])

    def path(velocity: Any, friction: Any = 0.3) -> Any:
        params = {"contact.friction.default": friction, "bodies.block.velocity": velocity}
        return function(params)["block.x"]

    # One direction is a tangent of the run, to the bit.
    velocity = np.array([1.0, -0.5])
    along = np.array([0.5, 2.0])
    values, change = jax.jit(lambda v: jax.jvp(path, (v,), (along,)))(velocity)
    model = diff.Model(SCENE, of=["block.x"])
    alone = model.jvp(PARAMS, None, {"bodies.block.velocity": along})
    assert np.array_equal(change, alone["block.x"])
    assert np.array_equal(values, model.rollout(PARAMS)["block.x"])

    # Columns of a Jacobian are a batch of directions of one run, and those of the adjoint.
    del calls[:]
    columns = jax.block_until_ready(jax.jacfwd(path)(velocity))
    assert calls == ["rollout", "jvp_batch"]
    np.testing.assert_allclose(columns, jax.jacrev(path)(velocity), rtol=1e-8, atol=1e-14)

    # A batch of runs, each with its own direction.
    all_velocities = np.stack([velocity, 2 * velocity])
    both = jax.vmap(lambda v, f: jax.jvp(path, (v, f), (along, 1.0))[1])
    changes = both(all_velocities, np.array([0.3, 0.2]))
    again = jax.jvp(path, (2 * velocity, 0.2), (along, 1.0))[1]
    assert np.array_equal(changes[1], again)

    # The adjoint of a batch is that of its sum.
    total = jax.grad(lambda v: jax.vmap(path)(v).sum())(all_velocities)
    first = jax.grad(lambda v: path(v).sum())(velocity)
    assert np.array_equal(total[0], first)


def test_torch_has_tangents(monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    calls = calls_of(monkeypatch)
    function = diff.torch_rollout(SCENE, of=["block.x"])

    def path(velocity: Any) -> Any:
        return function({"bodies.block.velocity": velocity})["block.x"]

    velocity = torch.tensor([1.0, -0.5], dtype=torch.float64)
    along = torch.tensor([0.5, 2.0], dtype=torch.float64)
    _, change = torch.func.jvp(path, (velocity,), (along,))
    alone = diff.Model(SCENE, of=["block.x"]).jvp(
        {"bodies.block.velocity": velocity.numpy()}, None, {"bodies.block.velocity": along.numpy()}
    )
    assert np.array_equal(change.numpy(), alone["block.x"])

    # A batch of runs, each with its own direction, is one call.
    del calls[:]
    both = torch.func.vmap(lambda v, d: torch.func.jvp(path, (v,), (d,))[1])
    changes = both(torch.stack([velocity, 2 * velocity]), torch.stack([along, along]))
    assert calls == ["rollout_batch", "jvp_batch"]
    assert torch.equal(changes[0], change)


def test_torch_maps_a_batch_to_one_call(monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    calls = calls_of(monkeypatch)
    function = diff.torch_rollout(SCENE, of=["block.x"])

    def travel(friction: Any, velocity: Any) -> Any:
        params = {"contact.friction.default": friction, "bodies.block.velocity": velocity}
        return function(params)["block.x"][-1]

    friction, velocity = (torch.from_numpy(own) for own in batch_of(4).values())
    both = torch.func.grad_and_value(travel, argnums=(0, 1))
    by, values = torch.func.vmap(both)(friction, velocity)
    assert calls == ["rollout_batch", "vjp_batch"]
    for k in range(4):
        alone, value = both(friction[k], velocity[k])
        assert values[k] == value
        assert by[0][k] == alone[0]
        assert torch.equal(by[1][k], alone[1])
    mapped = torch.func.vmap(travel, in_dims=(0, None))(friction, velocity[0])
    assert mapped.shape == (4,)

    # Rows of a Jacobian are a batch of the backward pass alone.
    def path(velocity: Any) -> Any:
        return function({"bodies.block.velocity": velocity})["block.x"]

    del calls[:]
    rows = torch.func.jacrev(path)(velocity[0])
    assert calls == ["rollout", "vjp_batch"]
    assert rows.shape == (STEPS, 2)


STATIC: dict[str, Any] = {
    "time": {"step": 1, "steps": 3, "integrator": "static"},
    "gravity": [0, 0],
    "materials": SCENE["materials"],
    "bodies": [
        {
            "name": "block",
            "shape": {"square": {"side": 0.1, "segments": 3}},
            "material": "rubber",
            "position": [0, 0.0505],
        }
    ],
    "obstacles": SCENE["obstacles"],
    "contact": {"d_hat": 1e-3, "kappa": 2e4, "friction": {"default": 0.5}},
    "loads": [{"body": "block", "on": {"side": "top"}, "force": [4.0, -20.0]}],
}

RIGID: dict[str, Any] = {
    **SCENE,
    "materials": {"steel": {"density": 7800}},
    "bodies": [
        {
            "name": "block",
            "kind": "rigid",
            "shape": {"rectangle": {"size": [0.1, 0.08], "segments": [1, 1]}},
            "material": "steel",
            "position": [0, 0.0402],
            "velocity": [1.0, -0.2],
        }
    ],
}

CHECKED: list[tuple[dict[str, Any], dict[str, Any]]] = [
    (SCENE, PARAMS),
    (RIGID, PARAMS),
    (STATIC, {"loads.0.force": [4.0, -20.0], "contact.friction.default": 0.5}),
    (STATIC, {"loads.0.force": [1.0, -20.0], "bodies.block.position": [0.0, 0.0505]}),
]
"""Scenes with contact and friction, with the numbers by which they are differentiated."""


@pytest.mark.parametrize("case", range(len(CHECKED)))
def test_check_grads_passes_on_scenes_with_contact(case: int) -> None:
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    check_grads = pytest.importorskip("jax.test_util").check_grads
    scene, params = CHECKED[case]
    function = diff.jax_rollout(scene, of=["block.x", "floor.reaction_y"])

    def numbers(*given: Any) -> Any:
        out = function(dict(zip(params, given, strict=True)))
        return out["positions"][-1], out["block.x"], 1e-3 * out["floor.reaction_y"]

    given = tuple(np.array(own, dtype=float) for own in params.values())
    check_grads(numbers, given, order=1, modes=["fwd", "rev"], atol=1e-6, rtol=1e-5, eps=1e-5)


@pytest.mark.parametrize("case", range(len(CHECKED)))
def test_gradcheck_passes_on_scenes_with_contact(case: int) -> None:
    torch = pytest.importorskip("torch")
    scene, params = CHECKED[case]
    function = diff.torch_rollout(scene, of=["block.x", "floor.reaction_y"])

    def numbers(*given: Any) -> Any:
        out = function(dict(zip(params, given, strict=True)))
        return out["positions"][-1], out["block.x"], 1e-3 * out["floor.reaction_y"]

    given = [torch.tensor(own, dtype=torch.float64, requires_grad=True) for own in params.values()]
    assert torch.autograd.gradcheck(
        numbers,
        given,
        eps=1e-6,
        atol=1e-6,
        rtol=1e-5,
        check_forward_ad=True,
    )
