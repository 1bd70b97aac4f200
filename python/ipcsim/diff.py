"""Gradients of runs through contact and friction, as pure functions of trees of arrays.

>>> params = {"contact.friction.default": 0.3, "bodies.block.velocity": [1.0, -0.5]}
>>> out = ipcsim.diff.rollout("slide.json", params, of=["block.x"])
>>> value, (by, _) = ipcsim.diff.value_and_grad("slide.json", params, of="block.x")
>>> by["bodies.block.velocity"]
array([0.079, 0.021])

A parameter is the path of a number of the scene, or of a list of numbers, as `Batch.expand` has it.
A control is the path of a number that becomes a table over time: its array has a value for the end
of each step, or fewer that are spread evenly over the run.

`jax_rollout` and `torch_rollout` make functions for JAX and PyTorch. These packages are imported
there, and need not be installed otherwise. All arrays are of float64.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _native
from .scene import Scene
from .simulation import Simulation

Floats = NDArray[np.float64]
Arrays = dict[str, Floats]
Tree = Mapping[str, ArrayLike]
Described = Scene | Mapping[str, Any] | str | os.PathLike[str]

RECENT = 4
"""Number of runs that are kept for their derivatives."""


class Model:
    """A scene as a function of parameters and controls, with its derivatives.

    `Model(scene, of=[...])` has the numbers of a run that `ipcsim gradient --of` names: `block.x`,
    the name of a measure, or a sum of these. `steps` is another number of steps, `memory` the
    memory for states (bytes).
    """

    def __init__(
        self,
        scene: Described,
        *,
        of: Sequence[str] = (),
        steps: int | None = None,
        memory: int | None = None,
    ) -> None:
        self.of = list(of)
        self._scene = Scene.of(scene)
        self._memory = memory
        start = Simulation(self._scene)
        self._step = start.time_step
        self.steps = start.scene_steps if steps is None else steps
        self.vertices = len(start.positions)
        self._recent: dict[tuple[Any, ...], _native.Rollout] = {}

    def _flat(self, params: Tree, controls: Tree) -> tuple[list[str], list[float], dict[str, Any]]:
        """Paths and values of all numbers, and the tables that controls make."""
        paths: list[str] = []
        values: list[float] = []
        tables: dict[str, Any] = {}
        for path, given in params.items():
            array = np.asarray(given, dtype=np.float64)
            for index in np.ndindex(array.shape):
                paths.append(".".join([path, *map(str, index)]))
                values.append(float(array[index]))
        for path, given in controls.items():
            array = np.asarray(given, dtype=np.float64)
            if array.ndim != 1 or array.size < 2:
                raise ValueError(f"the control {path} needs a list of at least two numbers")
            times = np.linspace(self.steps / array.size, self.steps, array.size) * self._step
            tables[path] = {"times": times.tolist(), "values": array.tolist()}
            paths.extend(f"{path}.values.{k}" for k in range(array.size))
            values.extend(array.tolist())
        return paths, values, tables

    def _run(self, params: Tree, controls: Tree) -> _native.Rollout:
        """The run with these values; recent ones are known."""
        paths, values, tables = self._flat(params, controls)
        key = (*paths, *values)
        if key not in self._recent:
            source = self._scene._source()
            written = [f"{path}={json.dumps(table)}" for path, table in tables.items()]
            source.overrides = [*source.overrides, *written]
            native = _native.Gradients(source, paths, self.of, self.steps, self._memory)
            while len(self._recent) >= RECENT:
                self._recent.pop(next(iter(self._recent)))
            self._recent[key] = native.run(values)
        return self._recent[key]

    def _named(self, arrays: tuple[Floats, Floats, Floats]) -> Arrays:
        """Arrays by their names."""
        positions, velocities, readings = arrays
        named = dict(zip(self.of, readings, strict=True))
        return {"positions": positions, "velocities": velocities, **named}

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Shapes of the arrays of a rollout."""
        states = (self.steps + 1, self.vertices, 2)
        readings: dict[str, tuple[int, ...]] = dict.fromkeys(self.of, (self.steps,))
        return {"positions": states, "velocities": states, **readings}

    def rollout(self, params: Tree, controls: Tree | None = None) -> Arrays:
        """Arrays of a run.

        `positions` and `velocities` of all vertices in all states, the start first, are
        `[steps + 1, vertices, 2]`, and each number of `of` at the end of each step is `[steps]`.
        """
        return self._named(self._run(params, controls or {}).arrays())

    def vjp(
        self, params: Tree, controls: Tree | None, cotangent: Mapping[str, ArrayLike]
    ) -> tuple[Arrays, Arrays]:
        """Derivatives by `params` and `controls` of a number.

        `cotangent` has its derivatives by the arrays of `rollout`; what it leaves out is zero.
        """
        shapes = self.shapes()
        unknown = set(cotangent) - set(shapes)
        if unknown:
            raise KeyError(f"a rollout has {', '.join(shapes)}, and not {', '.join(unknown)}")
        full = {
            name: np.broadcast_to(np.asarray(cotangent.get(name, 0.0), dtype=np.float64), shape)
            for name, shape in shapes.items()
        }
        readings = np.array([full[name] for name in self.of]).reshape(len(self.of), self.steps)
        states = [np.ascontiguousarray(full[name]) for name in ("positions", "velocities")]
        native = self._run(params, controls or {})
        by = native.vjp(states[0], states[1], np.ascontiguousarray(readings))
        return self._trees(params, controls or {}, by)

    def jvp(
        self,
        params: Tree,
        controls: Tree | None,
        tangent: Tree,
        control_tangent: Tree | None = None,
    ) -> Arrays:
        """Changes of the arrays of `rollout` by a change of `params` and `controls`.

        What the change leaves out stays.
        """
        direction: list[float] = []
        for given, change in ((params, tangent), (controls or {}, control_tangent or {})):
            for path, value in given.items():
                shape = np.shape(value)
                own = np.asarray(change.get(path, 0.0), dtype=np.float64)
                direction.extend(np.broadcast_to(own, shape).ravel().tolist())
        return self._named(self._run(params, controls or {}).jvp(direction))

    def value_and_grad(
        self, params: Tree, controls: Tree | None = None
    ) -> tuple[Floats, list[tuple[Arrays, Arrays]]]:
        """Values of all numbers of `of`, and their derivatives by `params` and `controls`.

        Each number is reduced over the steps as its text says.
        """
        native = self._run(params, controls or {})
        gradients = native.gradients()
        trees = [self._trees(params, controls or {}, by) for by in gradients]
        return np.array(native.values()), trees

    def _trees(self, params: Tree, controls: Tree, by: Sequence[float]) -> tuple[Arrays, Arrays]:
        """Derivatives in the shapes of parameters and controls."""
        numbers = np.array(by, dtype=np.float64)
        trees: list[Arrays] = []
        first = 0
        for given in (params, controls):
            tree: Arrays = {}
            for path, value in given.items():
                shape = np.shape(value)
                size = int(np.prod(shape))
                tree[path] = numbers[first : first + size].reshape(shape)
                first += size
            trees.append(tree)
        return trees[0], trees[1]


def rollout(
    scene: Described,
    params: Tree,
    controls: Tree | None = None,
    *,
    of: Sequence[str] = (),
    steps: int | None = None,
) -> Arrays:
    """Arrays of a run of a scene with these values; see `Model.rollout`."""
    return Model(scene, of=of, steps=steps).rollout(params, controls)


def value_and_grad(
    scene: Described,
    params: Tree,
    controls: Tree | None = None,
    *,
    of: str,
    steps: int | None = None,
) -> tuple[float, tuple[Arrays, Arrays]]:
    """Value of a number of a run, and its derivatives by `params` and `controls`."""
    values, trees = Model(scene, of=[of], steps=steps).value_and_grad(params, controls)
    return float(values[0]), trees[0]


def vjp(
    scene: Described,
    params: Tree,
    controls: Tree | None = None,
    *,
    of: Sequence[str] = (),
    steps: int | None = None,
) -> tuple[Arrays, Callable[[Mapping[str, ArrayLike]], tuple[Arrays, Arrays]]]:
    """Arrays of a run, and the function that pulls derivatives by them back."""
    model = Model(scene, of=of, steps=steps)
    out = model.rollout(params, controls)
    return out, lambda cotangent: model.vjp(params, controls, cotangent)


def jvp(
    scene: Described,
    params: Tree,
    tangent: Tree,
    controls: Tree | None = None,
    control_tangent: Tree | None = None,
    *,
    of: Sequence[str] = (),
    steps: int | None = None,
) -> tuple[Arrays, Arrays]:
    """Arrays of a run, and their changes by a change of `params` and `controls`."""
    model = Model(scene, of=of, steps=steps)
    return model.rollout(params, controls), model.jvp(params, controls, tangent, control_tangent)


def jax_rollout(
    scene: Described, *, of: Sequence[str] = (), steps: int | None = None
) -> Callable[..., Any]:
    """A function of `params` and `controls` for JAX, with reverse derivatives (`jax.custom_vjp`).

    It works under `jax.jit`, `jax.grad` and `jax.vmap`, which runs one after the other. JAX must
    compute with 64 bits: `jax.config.update("jax_enable_x64", True)`.
    """
    jax: Any = import_module("jax")
    if not jax.config.jax_enable_x64:
        raise ValueError('write jax.config.update("jax_enable_x64", True) first: runs need 64 bits')
    model = Model(scene, of=of, steps=steps)
    shapes = {
        name: jax.ShapeDtypeStruct(shape, np.float64) for name, shape in model.shapes().items()
    }

    def like(tree: Any) -> Any:
        return {name: jax.ShapeDtypeStruct(np.shape(own), np.float64) for name, own in tree.items()}

    def forward(params: Any, controls: Any) -> Any:
        return jax.pure_callback(model.rollout, shapes, params, controls, vmap_method="sequential")

    function = jax.custom_vjp(forward)

    def kept(params: Any, controls: Any) -> Any:
        return forward(params, controls), (params, controls)

    def backward(residuals: Any, cotangent: Any) -> Any:
        params, controls = residuals
        return jax.pure_callback(
            model.vjp,
            (like(params), like(controls)),
            params,
            controls,
            cotangent,
            vmap_method="sequential",
        )

    function.defvjp(kept, backward)

    def with_controls(params: Any, controls: Any = None) -> Any:
        return function(params, controls if controls is not None else {})

    return with_controls


def torch_rollout(
    scene: Described, *, of: Sequence[str] = (), steps: int | None = None
) -> Callable[..., Any]:
    """A function of `params` and `controls` for PyTorch, with reverse derivatives.

    Parameters are tensors of float64. It is a `torch.autograd.Function`, and works under
    `torch.func.vmap`, which runs one after the other.
    """
    torch: Any = import_module("torch")
    model = Model(scene, of=of, steps=steps)
    outputs = list(model.shapes())

    def trees(names: tuple[list[str], list[str]], tensors: Sequence[Any]) -> tuple[Any, Any]:
        arrays = [tensor.detach().cpu().numpy() for tensor in tensors]
        params, controls = names
        count = len(params)
        return (
            dict(zip(params, arrays[:count], strict=True)),
            dict(zip(controls, arrays[count:], strict=True)),
        )

    class Rolled(torch.autograd.Function):  # type: ignore[misc]
        """The run of a scene."""

        @staticmethod
        def forward(names: Any, *tensors: Any) -> Any:
            out = model.rollout(*trees(names, tensors))
            return tuple(torch.from_numpy(np.array(out[name])) for name in outputs)

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            ctx.names = inputs[0]
            ctx.save_for_backward(*inputs[1:])

        @staticmethod
        def backward(ctx: Any, *given: Any) -> Any:
            params, controls = trees(ctx.names, ctx.saved_tensors)
            cotangent = {
                name: own.detach().cpu().numpy()
                for name, own in zip(outputs, given, strict=True)
                if own is not None
            }
            found = model.vjp(params, controls, cotangent)
            arrays = [*found[0].values(), *found[1].values()]
            return (None, *(torch.from_numpy(np.array(own)) for own in arrays))

        @staticmethod
        def vmap(info: Any, in_dims: Any, names: Any, *tensors: Any) -> Any:
            rows = []
            for k in range(info.batch_size):
                own = [
                    tensor if axis is None else tensor.select(axis, k)
                    for tensor, axis in zip(tensors, in_dims[1:], strict=True)
                ]
                rows.append(Rolled.apply(names, *own))
            stacked = tuple(torch.stack(parts) for parts in zip(*rows, strict=True))
            return stacked, (0,) * len(outputs)

    def function(params: Mapping[str, Any], controls: Mapping[str, Any] | None = None) -> Any:
        controls = controls or {}
        names = (list(params), list(controls))
        found = Rolled.apply(names, *params.values(), *controls.values())
        return dict(zip(outputs, found, strict=True))

    return function
