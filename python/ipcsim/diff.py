"""Gradients of runs through contact and friction.

`rollout(scene, params)` runs a scene in which the numbers at some paths have other values. Its result has
arrays of all states, and both derivatives: `vjp` backwards, for any number of parameters at once, and
`jvp` forwards along one direction.

>>> import numpy as np
>>> run = ipcsim.diff.rollout(scene, {"contact.friction.default": 0.3})
>>> seed = np.zeros_like(run.positions)
>>> seed[-1, :, 0] = 1 / seed.shape[1]
>>> gradient = run.vjp(positions=seed)["contact.friction.default"]

Paths are those of `Batch.expand`; a value may be a number or a list of numbers. What has no derivative is
a `ValueError` that names it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _native
from .scene import Scene

_Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Change:
    """Change of the states of a run to first order."""

    positions: _Floats
    """Of positions of vertices, `[steps + 1, vertices, 2]`."""
    coordinates: _Floats
    """Of coordinates of nodes, `[steps + 1, nodes, 2]`."""
    coordinate_velocities: _Floats
    """Of velocities of coordinates, `[steps + 1, nodes, 2]`."""


class Rollout:
    """A run of a scene with other values, and its derivatives.

    Forces balance to rounding at the end of each step, so states differ from those of a `Simulation` within
    its tolerance.
    """

    positions: _Floats
    """Positions of all vertices, `[steps + 1, vertices, 2]` (m)."""
    velocities: _Floats
    """Velocities of all vertices, `[steps + 1, vertices, 2]` (m/s)."""
    coordinates: _Floats
    """Coordinates of all nodes, `[steps + 1, nodes, 2]` (m; of angles rad)."""
    coordinate_velocities: _Floats
    """Velocities of the coordinates, `[steps + 1, nodes, 2]`."""

    def __init__(
        self,
        scene: Scene | Mapping[str, Any] | str | os.PathLike[str],
        params: Mapping[str, ArrayLike],
        *,
        steps: int | None = None,
    ) -> None:
        """Runs a scene; see `rollout`."""
        self._shapes = {path: np.shape(value) for path, value in params.items()}
        paths, values = _flat(params)
        self._native = _native.Rollout(Scene.of(scene)._source(), paths, values, steps)
        self.positions = self._native.array("positions")
        self.velocities = self._native.array("velocities")
        self.coordinates = self._native.array("coordinates")
        self.coordinate_velocities = self._native.array("coordinate_velocities")

    @property
    def adapted_steps(self) -> int:
        """Number of steps that changed the reach or stiffness of contacts, which derivatives hold."""
        return self._native.adapted_steps

    def vjp(
        self,
        *,
        positions: ArrayLike | None = None,
        coordinates: ArrayLike | None = None,
        coordinate_velocities: ArrayLike | None = None,
    ) -> dict[str, _Floats]:
        """Derivatives of a number by the parameters, from its derivatives by the states.

        Each argument has the shape of the array of the same name; those that are left out are zero.
        """
        given = (
            (positions, self.positions),
            (coordinates, self.coordinates),
            (coordinate_velocities, self.coordinate_velocities),
        )
        seeds = [None if seed is None else _like(seed, array) for seed, array in given]
        flat = np.array(self._native.pull_back(*seeds))
        found = {}
        for path, shape in self._shapes.items():
            count = int(np.prod(shape))
            found[path] = flat[:count].reshape(shape)
            flat = flat[count:]
        return found

    def jvp(self, direction: Mapping[str, ArrayLike]) -> Change:
        """Change of all states by a change of the parameters; those that are left out stay."""
        unknown = set(direction) - set(self._shapes)
        if unknown:
            raise ValueError(f"{sorted(unknown)} are no parameters of this run")
        full = {
            path: np.broadcast_to(np.asarray(direction.get(path, 0.0), float), shape)
            for path, shape in self._shapes.items()
        }
        _, values = _flat(full)
        return Change(*self._native.push_forward(values))


def rollout(
    scene: Scene | Mapping[str, Any] | str | os.PathLike[str],
    params: Mapping[str, ArrayLike],
    *,
    steps: int | None = None,
) -> Rollout:
    """Runs a scene in which the numbers at the paths of `params` have these values.

    A path leads to a number, or to a list of numbers, whose value is then an array. `steps` is the number of
    steps, the scene's if it is left out.
    """
    return Rollout(scene, params, steps=steps)


def _flat(params: Mapping[str, ArrayLike]) -> tuple[list[str], list[float]]:
    """Paths and values of all single numbers."""
    paths: list[str] = []
    values: list[float] = []
    for path, value in params.items():
        array = np.asarray(value, float)
        for index in np.ndindex(array.shape):
            paths.append(".".join([path, *map(str, index)]))
            values.append(float(array[index]))
    return paths, values


def _like(seed: ArrayLike, array: _Floats) -> _Floats:
    """A derivative by an array, with its shape."""
    return np.ascontiguousarray(np.broadcast_to(np.asarray(seed, float), array.shape))
