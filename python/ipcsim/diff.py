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
from ._jax import rollout_for
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
        self._recent: dict[tuple[str, ...], _native.Rollout] = {}
        self._last: dict[tuple[str, ...], _native.Rollout] = {}

    def _settings(self, params: Tree, controls: Tree) -> tuple[list[str], list[str]]:
        """Paths of all numbers, and the settings `path=value` that give them to the scene."""
        paths: list[str] = []
        settings: list[str] = []
        for path, given in params.items():
            array = np.asarray(given, dtype=np.float64)
            paths.extend(".".join([path, *map(str, index)]) for index in np.ndindex(array.shape))
            settings.append(f"{path}={json.dumps(array.tolist())}")
        for path, given in controls.items():
            array = np.asarray(given, dtype=np.float64)
            if array.ndim != 1 or array.size < 2:
                raise ValueError(f"the control {path} needs a list of at least two numbers")
            times = np.linspace(self.steps / array.size, self.steps, array.size) * self._step
            table = {"times": times.tolist(), "values": array.tolist()}
            paths.extend(f"{path}.values.{k}" for k in range(array.size))
            settings.append(f"{path}={json.dumps(table)}")
        return paths, settings

    def _problem(self, paths: list[str]) -> _native.Gradients:
        """Native part for the numbers at these paths."""
        return _native.Gradients(self._scene._source(), paths, self.of, self.steps, self._memory)

    def _run(self, params: Tree, controls: Tree) -> _native.Rollout:
        """The run with these values; recent ones are known."""
        paths, settings = self._settings(params, controls)
        key = tuple(settings)
        if key not in self._recent:
            found = self._problem(paths).run(settings)
            while len(self._recent) >= RECENT:
                self._recent.pop(next(iter(self._recent)))
            self._recent[key] = found
        return self._recent[key]

    def _run_all(self, rows: Sequence[tuple[Tree, Tree]]) -> list[_native.Rollout]:
        """The runs with these values; those of the last call, and recent ones, are known."""
        all_settings = [self._settings(params, controls) for params, controls in rows]
        paths = all_settings[0][0]
        keys = [tuple(settings) for _, settings in all_settings]
        known = {**self._recent, **self._last}
        missing = list(dict.fromkeys(key for key in keys if key not in known))
        if missing:
            found = self._problem(paths).run_all([list(key) for key in missing])
            known.update(zip(missing, found, strict=True))
        self._last = {key: known[key] for key in keys}
        return [self._last[key] for key in keys]

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
        full = self._full(cotangent)
        readings = np.array([full[name] for name in self.of]).reshape(len(self.of), self.steps)
        states = [np.ascontiguousarray(full[name]) for name in ("positions", "velocities")]
        native = self._run(params, controls or {})
        by = native.vjp(states[0], states[1], np.ascontiguousarray(readings))
        return self._trees(params, controls or {}, by)

    def rollout_batch(self, params: Tree, controls: Tree | None = None) -> Arrays:
        """Arrays of many runs, next to each other on all cores.

        Each array of `params` and `controls` has one more axis, the first, with an entry for each
        run, and so has each array that is returned. A run has the bits that it has alone.
        """
        runs = self._run_all(_rows(params, controls or {}))
        all_arrays = [self._named(run.arrays()) for run in runs]
        return {name: np.stack([own[name] for own in all_arrays]) for name in self.shapes()}

    def vjp_batch(
        self, params: Tree, controls: Tree | None, cotangent: Mapping[str, ArrayLike]
    ) -> tuple[Arrays, Arrays]:
        """`vjp` of many runs, next to each other on all cores, with one more axis everywhere."""
        rows = _rows(params, controls or {})
        full = self._full(cotangent, (len(rows),))
        readings = [full[name] for name in self.of]
        stacked = np.stack(readings, axis=1) if readings else np.zeros((len(rows), 0, self.steps))
        by = _native.vjp_all(
            self._run_all(rows),
            np.ascontiguousarray(full["positions"]),
            np.ascontiguousarray(full["velocities"]),
            np.ascontiguousarray(stacked),
        )
        trees = [self._trees(*row, own) for row, own in zip(rows, by, strict=True)]
        first, second = (
            {path: np.stack([own[k][path] for own in trees]) for path in trees[0][k]}
            for k in (0, 1)
        )
        return first, second

    def _full(self, cotangent: Mapping[str, ArrayLike], lead: tuple[int, ...] = ()) -> Arrays:
        """Derivatives by all arrays of a rollout; those that are left out are zero."""
        shapes = self.shapes()
        unknown = set(cotangent) - set(shapes)
        if unknown:
            raise KeyError(f"a rollout has {', '.join(shapes)}, and not {', '.join(unknown)}")
        return {
            name: np.broadcast_to(
                np.asarray(cotangent.get(name, 0.0), dtype=np.float64), (*lead, *shape)
            )
            for name, shape in shapes.items()
        }

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
        row = (params, controls or {})
        direction = _direction(row, (tangent, control_tangent or {}))
        (change,) = self._run(*row).jvp([direction])
        return self._named(change)

    def jvp_batch(
        self,
        params: Tree,
        controls: Tree | None,
        tangent: Tree,
        control_tangent: Tree | None = None,
    ) -> Arrays:
        """`jvp` of many runs, with one more axis everywhere.

        Runs go forwards next to each other on all cores, and their changes follow run by run. Rows
        with the same values share one run, and one pass of their changes through its steps.
        """
        rows = _rows(params, controls or {})
        runs = self._run_all(rows)
        directions: dict[int, list[tuple[int, list[float]]]] = {}
        for k, (row, run) in enumerate(zip(rows, runs, strict=True)):
            of_params = {path: np.asarray(own)[k] for path, own in tangent.items()}
            of_controls = {
                path: np.asarray(own)[k] for path, own in (control_tangent or {}).items()
            }
            direction = _direction(row, (of_params, of_controls))
            directions.setdefault(id(run), []).append((k, direction))

        changes: dict[int, Arrays] = {}
        for own in directions.values():
            first = own[0][0]
            pushed = runs[first].jvp([direction for _, direction in own])
            for (k, _), change in zip(own, pushed, strict=True):
                changes[k] = self._named(change)
        rows_of = [changes[k] for k in range(len(rows))]
        return {name: np.stack([own[name] for own in rows_of]) for name in self.shapes()}

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


def _direction(row: tuple[Tree, Tree], changes: tuple[Tree, Tree]) -> list[float]:
    """Changes of all numbers of parameters and controls; those that are left out are zero."""
    direction: list[float] = []
    for given, change in zip(row, changes, strict=True):
        for path, value in given.items():
            own = np.asarray(change.get(path, 0.0), dtype=np.float64)
            direction.extend(np.broadcast_to(own, np.shape(value)).ravel().tolist())
    return direction


def _rows(params: Tree, controls: Tree) -> list[tuple[Tree, Tree]]:
    """Parameters and controls of each run, from arrays with an axis of runs."""
    trees = [
        {path: np.asarray(own, dtype=np.float64) for path, own in given.items()}
        for given in (params, controls)
    ]
    counts = {own.shape[0] if own.ndim else 0 for tree in trees for own in tree.values()}
    if len(counts) != 1 or 0 in counts:
        raise ValueError("each array of a batch needs a first axis with an entry for each run")
    first, second = trees
    return [
        (
            {path: own[k] for path, own in first.items()},
            {path: own[k] for path, own in second.items()},
        )
        for k in range(counts.pop())
    ]


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
    """A function of `params` and `controls` for JAX, with reverse and forward derivatives.

    It works under `jax.jit`, `jax.grad`, `jax.jvp` and `jax.vmap`, hence under `jax.jacrev` and
    `jax.jacfwd`: a batch is one call, whose runs go forwards and backwards next to each other on
    all cores. Derivatives are of first order. JAX must compute with 64 bits:
    `jax.config.update("jax_enable_x64", True)`.
    """
    jax: Any = import_module("jax")
    if not jax.config.jax_enable_x64:
        raise ValueError('write jax.config.update("jax_enable_x64", True) first: runs need 64 bits')
    function = rollout_for(Model(scene, of=of, steps=steps))

    def with_controls(params: Any, controls: Any = None) -> Any:
        return function(params, controls if controls is not None else {})

    return with_controls


def torch_rollout(
    scene: Described, *, of: Sequence[str] = (), steps: int | None = None
) -> Callable[..., Any]:
    """A function of `params` and `controls` for PyTorch, with reverse and forward derivatives.

    Parameters are tensors of float64. It is a `torch.autograd.Function`. Under `torch.func.vmap`,
    also of `torch.func.grad`, a batch is one call, whose runs go forwards and backwards next to
    each other on all cores.
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

    def tensors_of(arrays: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(torch.from_numpy(np.array(own, dtype=np.float64)) for own in arrays)

    def with_axis(info: Any, tensors: Sequence[Any], dims: Sequence[int | None]) -> list[Any]:
        """Tensors whose first axis is that of the batch."""
        size = info.batch_size
        return [
            own.expand(size, *own.shape) if axis is None else own.movedim(axis, 0)
            for own, axis in zip(tensors, dims, strict=True)
        ]

    def rolled(names: Any, is_batch: bool, tensors: Sequence[Any]) -> tuple[Any, ...]:
        run = model.rollout_batch if is_batch else model.rollout
        out = run(*trees(names, tensors))
        return tensors_of([out[name] for name in outputs])

    def pulled(names: Any, is_batch: bool, tensors: Sequence[Any]) -> tuple[Any, ...]:
        count = len(names[0]) + len(names[1])
        given = (own.detach().cpu().numpy() for own in tensors[count:])
        cotangent = dict(zip(outputs, given, strict=True))
        pull = model.vjp_batch if is_batch else model.vjp
        found = pull(*trees(names, tensors[:count]), cotangent)
        return tensors_of([*found[0].values(), *found[1].values()])

    class Pulled(torch.autograd.Function):  # type: ignore[misc]
        """Derivatives by the numbers of a scene, which have none themselves."""

        @staticmethod
        def forward(names: Any, is_batch: bool, *tensors: Any) -> Any:
            return pulled(names, is_batch, tensors)

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            pass

        @staticmethod
        def backward(ctx: Any, *given: Any) -> Any:
            raise NotImplementedError("a rollout has first derivatives only")

        @staticmethod
        def vmap(info: Any, in_dims: Any, names: Any, is_batch: bool, *tensors: Any) -> Any:
            if is_batch:
                raise NotImplementedError("a batch of batches: write one vmap over both axes")
            found = Pulled.apply(names, True, *with_axis(info, tensors, in_dims[2:]))
            return found, (0,) * len(found)

    def pushed(names: Any, is_batch: bool, tensors: Sequence[Any]) -> tuple[Any, ...]:
        count = len(names[0]) + len(names[1])
        push = model.jvp_batch if is_batch else model.jvp
        found = push(*trees(names, tensors[:count]), *trees(names, tensors[count:]))
        return tensors_of([found[name] for name in outputs])

    class Pushed(torch.autograd.Function):  # type: ignore[misc]
        """Changes by changes of the numbers of a scene, which have no derivatives themselves."""

        @staticmethod
        def forward(names: Any, is_batch: bool, *tensors: Any) -> Any:
            return pushed(names, is_batch, tensors)

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            pass

        @staticmethod
        def backward(ctx: Any, *given: Any) -> Any:
            raise NotImplementedError("a rollout has first derivatives only")

        @staticmethod
        def vmap(info: Any, in_dims: Any, names: Any, is_batch: bool, *tensors: Any) -> Any:
            if is_batch:
                raise NotImplementedError("a batch of batches: write one vmap over both axes")
            found = Pushed.apply(names, True, *with_axis(info, tensors, in_dims[2:]))
            return found, (0,) * len(found)

    class Rolled(torch.autograd.Function):  # type: ignore[misc]
        """The run of a scene."""

        @staticmethod
        def forward(names: Any, is_batch: bool, *tensors: Any) -> Any:
            return rolled(names, is_batch, tensors)

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            ctx.names, ctx.is_batch = inputs[:2]
            ctx.save_for_backward(*inputs[2:])
            ctx.save_for_forward(*inputs[2:])

        @staticmethod
        def backward(ctx: Any, *given: Any) -> Any:
            found = Pulled.apply(ctx.names, ctx.is_batch, *ctx.saved_tensors, *given)
            return (None, None, *found)

        @staticmethod
        def jvp(ctx: Any, _names: Any, _is_batch: Any, *tangents: Any) -> Any:
            changes = [
                torch.zeros_like(own) if change is None else change
                for own, change in zip(ctx.saved_tensors, tangents, strict=True)
            ]
            return Pushed.apply(ctx.names, ctx.is_batch, *ctx.saved_tensors, *changes)

        @staticmethod
        def vmap(info: Any, in_dims: Any, names: Any, is_batch: bool, *tensors: Any) -> Any:
            if is_batch:
                raise NotImplementedError("a batch of batches: write one vmap over both axes")
            found = Rolled.apply(names, True, *with_axis(info, tensors, in_dims[2:]))
            return found, (0,) * len(found)

    def function(params: Mapping[str, Any], controls: Mapping[str, Any] | None = None) -> Any:
        controls = controls or {}
        names = (list(params), list(controls))
        found = Rolled.apply(names, False, *params.values(), *controls.values())
        return dict(zip(outputs, found, strict=True))

    return function
