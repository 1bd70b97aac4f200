"""A batch: thousands of simulations of one scene, side by side."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _native
from .errors import IpcsimError
from .forces import Contacts, contacts_of
from .scene import Scene


class Batch(_native.Batch):
    """Many simulations of one scene with the same vertices, each with its own parameters.

    `Batch(scene, count, threads=None)` builds `count` equal simulations, on one thread a core or on
    `threads`. Each simulation runs on one thread; they run side by side, and have the bits of
    a single `Simulation`.

    - `bind(name)` gives an array with a row for each simulation, live from step to step;
    - `expand(path)` gives an array of a value of the scene for each simulation, to be written;
    - `reset()` goes back to the start, with what was written;
    - `step()` steps all of them.

    A simulation whose step fails stays as it is and is listed in `failures`; the others go on.

    >>> batch = ipcsim.Batch(scene, 100)
    >>> young = batch.expand("materials.rubber.law.neo_hookean.young")
    >>> young[:] = np.geomspace(1e4, 1e6, 100)
    >>> batch.reset()
    >>> positions = batch.bind("positions")
    >>> batch.step(50)
    >>> lowest = positions[:, :, 1].min(axis=1)
    """

    names: tuple[str, ...]
    """Names of the bodies in the order of the scene, then obstacles."""
    _written: dict[str, Any]
    _expanded: dict[str, tuple[NDArray[Any], NDArray[Any]]]

    def __new__(
        cls,
        scene: Scene | Mapping[str, Any] | str | os.PathLike[str],
        count: int,
        *,
        threads: int | None = None,
    ) -> Batch:
        """Builds `count` equal simulations of a scene; see the class."""
        source = Scene.of(scene)._source()
        batch = super().__new__(cls, source, count, threads)
        batch._written = {} if source.overrides else json.loads(source.text)
        batch.names = tuple(batch.list_names())
        batch._expanded = {}
        return batch

    def bind(self, name: str) -> NDArray[Any]:
        """The array of this name, which every step updates in place.

        Read-only: `positions` and `velocities`, `[n, vertices, 2]`; `coordinates` and
        `coordinate_velocities`, `[n, nodes, 2]`; `time` (s), `energy` (J), `steps` and `failed`,
        `[n]`. To be written: `force`, `[n, bodies, 2]` (N), which acts on bodies from the next step
        on; rows of obstacles stay zero.

        Raises KeyError if there is no array of this name.
        """
        return self.array(name)

    def expand(self, path: str) -> NDArray[Any]:
        """A value of the scene for each simulation, `[n]`, or `[n, k]` for a list of `k` numbers.

        `path` is that of `--set`: keys and numbers of entries, joined by dots, such as
        `contact.friction.default` or `bodies.0.velocity`. The array begins with the value of the
        scene, which may be a default. What is written takes effect with the next `reset`.

        Raises KeyError if the path leads nowhere, with the nearest key, and TypeError if the value
        is not a number.
        """
        if path not in self._expanded:
            # The scene as written comes first: in the effective one copies have numbers.
            value = _at(self._written, path)
            if value is None:
                value = _at(json.loads(self.scene_json), path)
            if value is None:
                _native.check_path(path)
                raise KeyError(f"{path}: leads to no value of the scene")
            one = np.asarray(value)
            if not np.issubdtype(one.dtype, np.number):
                raise TypeError(f"{path}: {value!r} is no number and no list of numbers")
            rows = np.repeat(one.astype(float)[None], len(self), axis=0)
            self._expanded[path] = (rows, rows.copy())
        return self._expanded[path][0]

    def reset(self, which: ArrayLike | None = None) -> None:
        """Puts all simulations back to their start, or those that `which` selects.

        `which` is a mask, `[n]`, or a list of numbers. Simulations whose expanded values have
        changed are built anew with them.

        Raises SceneError if a simulation cannot be built with its values, with a note that names
        it; then nothing has changed.
        """
        chosen = np.zeros(len(self), dtype=bool)
        chosen[... if which is None else np.asarray(which)] = True
        changed = np.zeros(len(self), dtype=bool)
        for rows, built in self._expanded.values():
            different = rows.view(np.int64) != built.view(np.int64)
            changed |= different.reshape(len(self), -1).any(axis=1)

        # New worlds where values have changed, the old start elsewhere.
        anew = np.flatnonzero(chosen & changed)
        if len(anew):
            self.rebuild(anew.tolist(), [self._overrides(int(index)) for index in anew])
            for rows, built in self._expanded.values():
                built[anew] = rows[anew]
        self.restart(np.flatnonzero(chosen & ~changed).tolist())

    def _overrides(self, index: int) -> list[str]:
        """Overrides of the scene for a simulation."""
        return [
            f"{path}={json.dumps(rows[index].tolist())}"
            for path, (rows, _) in self._expanded.items()
        ]

    def step(self, count: int = 1, callback: Callable[[Batch], object] | None = None) -> None:
        """Computes `count` steps of all simulations that have not failed.

        `callback(batch)` is called after each step, and may write forces for the next one. If it
        returns False, the call ends there. Python's lock is released during steps. Ctrl-C
        ends the call after a step, without a callback after a few of them; all simulations that
        have not failed have then taken as many.
        """
        if callback is None:
            self.advance(count)
            return
        for _ in range(count):
            self.advance(1)
            if callback(self) is False:
                return

    @property
    def failures(self) -> dict[int, IpcsimError]:
        """Simulations that have failed, by number, with the StepError of each."""
        return dict(self.list_failures())

    def state(self, index: int) -> _native.State:
        """Everything that the next step of a simulation reads, copied."""
        return self.snapshot(index)

    def set_state(self, index: int, state: _native.State) -> None:
        """Puts a state into a simulation, to the last bit. It has not failed afterwards.

        Raises StateError if the state is of another scene, or cannot be.
        """
        self.restore(index, state)

    def contacts(self, index: int) -> Contacts:
        """Forces of contact and friction of a simulation at the end of its last step."""
        return contacts_of(self.contact_columns(index), self.names)

    def vertices(self, name: str) -> slice:
        """Vertices of a body in the arrays. Raises KeyError if nothing has this name."""
        if name not in self.names:
            raise KeyError(f'no body or obstacle is named "{name}"')
        return slice(*self.list_ranges()[self.names.index(name)])

    def __repr__(self) -> str:
        return f"<Batch of {len(self)} simulations>"


def _at(value: Any, path: str) -> Any:
    """Value at a path of keys and numbers of entries; None if there is none."""
    for part in path.split("."):
        try:
            value = value[int(part)] if isinstance(value, list) else value[part]
        except (KeyError, IndexError, ValueError, TypeError):
            return None
    return value
