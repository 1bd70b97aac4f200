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
    - `control(path)` gives an array of a parameter that can change between steps, to be written;
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
    measures: tuple[str, ...]
    """Names of the measures of the scene, the columns of the array `measures`."""
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
        batch.measures = tuple(batch.list_measures())
        batch._expanded = {}
        return batch

    def bind(self, name: str) -> NDArray[Any]:
        """The array of this name, which every step updates in place.

        Read-only: `positions` and `velocities`, `[n, vertices, 2]`; `coordinates` and
        `coordinate_velocities`, `[n, nodes, 2]`; `time` (s), `energy` (J), `steps` and `failed`,
        `[n]`; `measures`, `[n, measures]`, in the order of `measures`, NaN where one is undefined.

        Of bodies and obstacles: `centres` (m), `body_velocities` (m/s), `contact_forces` and
        `reactions` of supports (N), `[n, bodies, 2]`; `angles` (rad, from the start) and `spins`
        (rad/s), `[n, bodies]`, NaN where there is no angle. Of joints, on their second bodies:
        `joint_forces`, `[n, joints, 2]` (N), and `joint_moments`, `[n, joints]` (N m). `min_gap`,
        `[n]` (m), is infinite without contacts. What is not asked for is not computed.

        To be written: `force`, `[n, bodies, 2]` (N), which acts on bodies from the next step on;
        rows of obstacles stay zero.

        Raises KeyError if there is no array of this name.
        """
        return self.array(name)

    def pair(self, first: str, second: str) -> NDArray[Any]:
        """Contact force on the first of two bodies by the second, `[n, 2]` (N): a live array.

        Raises KeyError if nothing has one of the names.
        """
        self.vertices(first)
        self.vertices(second)
        return self.pair_array(first, second)

    def control(self, path: str) -> NDArray[Any]:
        """A parameter that can change between steps, `[n]` or `[n, k]`, to be written at any time.

        Each step begins with what its row then says. Paths have names, and end as the keys of an
        entry of `changes` do:

        - `gravity`, `[n, 2]` (m/s^2);
        - `joints.NAME.motor.KEY`, with the key that the scene gives the motor: `speed_deg`,
          `angle_deg`, `torque`, `speed`, `place`, `force`; `joints.NAME.brake`;
          `joints.NAME.spring.KEY`, with `rest_deg`, `rest` or `length`;
        - `loads.NAME.factor`, 1 at the start;
        - `targets.BODY.by`, `[n, 2]` (m), and `targets.BODY.turn_deg`, 0 at the start.

        The array begins with the numbers of the scene. NaN, where the scene has a table or a
        formula, leaves the parameter as it is.

        Raises KeyError if the path leads to no such parameter, and StateError if the scene has
        none.

        >>> speed = batch.control("joints.shaft.motor.speed_deg")
        >>> speed[:] = 30 * rng.standard_normal(len(batch))
        """
        template, pointer, start = _parameter(path, json.loads(self.scene_json))
        is_list = isinstance(start, list)
        numbers = [float(number) for number in (start if is_list else [start])]
        return self.control_array(path, json.dumps(template), pointer, numbers, is_list)

    def expand(self, path: str) -> NDArray[Any]:
        """A value of the scene for each simulation, `[n]`, or `[n, k]` for a list of `k` numbers.

        `path` is that of `--set`: keys, and names or numbers of entries, joined by dots, such as
        `contact.friction.default` or `bodies.ball.velocity`. The array begins with the value of the
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
            value = _entry(value, part) if isinstance(value, list) else value[part]
        except (KeyError, IndexError, ValueError, TypeError):
            return None
    return value


def _entry(entries: list[Any], part: str) -> Any:
    """Entry of a list by its number, or by its name, which entries with a kind have inside."""
    for entry in entries:
        named = [entry, *entry.values()] if isinstance(entry, dict) else []
        if any(isinstance(own, dict) and own.get("name") == part for own in named):
            return entry
    return entries[int(part)]


def _parameter(path: str, scene: dict[str, Any]) -> tuple[dict[str, Any], str, Any]:
    """An entry of `changes` for a path, the place of its number there, and its first value."""
    parts = path.split(".")
    what, keys = parts[0], parts[1:]
    if what == "gravity" and not keys:
        return {"gravity": [0.0, 0.0]}, "/gravity", scene.get("gravity", [0.0, -9.81])
    if what == "loads" and len(keys) == 2 and keys[1] == "factor":
        return {"load": {"name": keys[0], "factor": 1.0}}, "/load/factor", 1.0
    if what == "targets" and len(keys) == 2 and keys[1] in ("by", "turn_deg"):
        start: Any = [0.0, 0.0] if keys[1] == "by" else 0.0
        return {"target": {"body": keys[0], keys[1]: start}}, f"/target/{keys[1]}", start
    if what == "joints" and len(keys) in (2, 3):
        name, *inside = keys
        entry: dict[str, Any] = {"name": name}
        place = entry
        for key in inside[:-1]:
            place = place.setdefault(key, {})
        place[inside[-1]] = 0.0
        joint = _at(scene.get("joints", []), name)
        own = next(iter(joint.values())) if isinstance(joint, dict) else {}
        # The key of a spring between two points stands in the joint itself.
        of_joint = _at(own, ".".join(inside))
        value = own.get(inside[-1]) if of_joint is None else of_joint
        number = value if isinstance(value, (int, float)) else float("nan")
        return {"joint": entry}, "/joint/" + "/".join(inside), number
    raise KeyError(
        f"{path}: no parameter that changes between steps; there are gravity, loads.NAME.factor, "
        "targets.BODY.by, targets.BODY.turn_deg, joints.NAME.motor.KEY, joints.NAME.brake, "
        "joints.NAME.spring.KEY"
    )
