"""Scenes: from a dictionary, a file, or by calls."""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from . import _native
from .errors import Problem


class _Source:
    """A scene as the native module takes it: attributes that it reads."""

    def __init__(
        self,
        text: str,
        overrides: list[str],
        name: str | None,
        file: str | None,
        has_lines: bool,
    ) -> None:
        self.text = text
        self.overrides = overrides
        self.name = name
        self.file = file
        self.has_lines = has_lines


def _plain(value: object) -> object:
    """Numbers and lists of Python in place of those of NumPy, for JSON."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(f"a scene cannot hold a {type(value).__name__}: {value!r}")


class Scene:
    """A scene: bodies, obstacles, materials, contact, and the time to simulate.

    The keys are those of scene files; `ipcsim schema --markdown` and `scenes/README.md` list
    them with units and defaults. A scene is checked when it is used, by `check`, `Simulation` or
    `Batch`, with the messages of the program.

    It can be pickled and compared.

    >>> import ipcsim
    >>> scene = ipcsim.Scene({
    ...     "time": {"step": 0.01, "steps": 100},
    ...     "materials": {"steel": {"density": 7800}},
    ...     "bodies": [{"name": "ball", "kind": "rigid", "material": "steel",
    ...                 "shape": {"circle": {"radius": 0.1}}}],
    ... })
    >>> scene.check()
    []
    """

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        step: float | None = None,
        steps: int | None = None,
    ) -> None:
        """A scene from a dictionary, or an empty one with a time step (s) and a number of steps.

        `step` and `steps` replace the values of the dictionary.
        """
        self._text: str | None = None
        self._file: str | None = None
        self._overrides: list[str] = []
        self._data: dict[str, Any] = copy.deepcopy(dict(data)) if data is not None else {}
        if step is not None or steps is not None:
            time = dict(self._data.get("time", {}))
            if step is not None:
                time["step"] = step
            if steps is not None:
                time["steps"] = steps
            self._data["time"] = time

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], overrides: Sequence[str] = ()) -> Scene:
        """The scene in a JSON file, with overrides such as `"time.step=0.005"`.

        Messages have the line and column of each problem, as those of the program have.
        Raises OSError if the file cannot be read.
        """
        return cls.from_json(
            Path(path).read_text(encoding="utf-8"), overrides, file=os.fspath(path)
        )

    @classmethod
    def from_json(
        cls, text: str, overrides: Sequence[str] = (), *, file: str | None = None
    ) -> Scene:
        """The scene in a JSON text. `file` is its path for messages."""
        scene = cls()
        scene._text = text
        scene._file = file
        scene._overrides = list(overrides)
        return scene

    @classmethod
    def of(cls, scene: Scene | Mapping[str, Any] | str | os.PathLike[str]) -> Scene:
        """The scene itself, or that of a dictionary or of the file with this path."""
        if isinstance(scene, Scene):
            return scene
        if isinstance(scene, (str, os.PathLike)):
            return cls.from_file(scene)
        return cls(scene)

    def add_material(self, name: str, **keys: Any) -> None:
        """Adds a material, such as `density=1000, law={"neo_hookean": {...}}`."""
        self._own().setdefault("materials", {})[name] = copy.deepcopy(keys)

    def add_body(self, name: str, shape: Mapping[str, Any], material: str, **keys: Any) -> None:
        """Adds a body, with more keys such as `kind="rigid"`, `position=[0, 1]`."""
        body = {"name": name, "shape": shape, "material": material, **keys}
        self._own().setdefault("bodies", []).append(copy.deepcopy(body))

    def add_obstacle(self, name: str, shape: Mapping[str, Any], **keys: Any) -> None:
        """Adds an obstacle, with more keys such as `velocity=[1, 0]`."""
        obstacle = {"name": name, "shape": shape, **keys}
        self._own().setdefault("obstacles", []).append(copy.deepcopy(obstacle))

    def add_joint(self, **keys: Any) -> None:
        """Adds a joint, such as `hinge={...}`."""
        self._own().setdefault("joints", []).append(copy.deepcopy(keys))

    def set(self, path: str, value: Any) -> None:
        """Sets the value at a path such as `"contact.friction.default"` or `"bodies.0.position"`.

        Keys on the way that are missing are added. Raises KeyError at once if scenes have no such
        key, with the one that was probably meant, or if the path leads through something without
        keys.
        """
        _native.check_path(path)
        place: Any = self._own()
        *way, last = path.split(".")
        for part in way:
            place = (
                place[_key(place, part, path)]
                if isinstance(place, list)
                else _below(place, part, path)
            )
        place[_key(place, last, path)] = copy.deepcopy(value)

    @property
    def data(self) -> dict[str, Any]:
        """The scene as a dictionary, a copy.

        Raises ValueError if the text of the scene is not JSON, or if it has overrides; the
        effective scene of a `Simulation` has them filled in.
        """
        return copy.deepcopy(self._own(copied=False))

    def to_json(self) -> str:
        """The scene as JSON text, as it was written; overrides are not part of it."""
        if self._text is not None:
            return self._text
        return json.dumps(self._data, default=_plain)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the scene to a file that the program reads; overrides are not part of it."""
        Path(path).write_text(self.to_json() + "\n", encoding="utf-8")

    def check(self) -> list[Problem]:
        """All problems that can be found before the first step, errors first, then warnings.

        Unknown keys and values of a wrong type are among them. Raises SceneError if the text is no
        JSON, or if an override does not fit.
        """
        return [Problem(*row) for row in _native.check(self._source())]

    def _source(self) -> _Source:
        """The scene as the native module takes it."""
        name = Path(self._file).stem if self._file is not None else None
        return _Source(self.to_json(), self._overrides, name, self._file, self._text is not None)

    def _own(self, copied: bool = True) -> dict[str, Any]:
        """The dictionary of the scene. A scene from a text becomes one of its own if it changes."""
        if self._text is None:
            return self._data
        if self._overrides:
            raise ValueError("a scene with overrides cannot be changed; give them by Scene.set")
        data: dict[str, Any] = json.loads(self._text)
        if copied:
            self._data, self._text, self._file = data, None, None
        return data

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scene) and vars(self._source()) == vars(other._source())

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        if self._file is not None:
            return f"<Scene of {self._file}>"
        bodies = len(self._data.get("bodies", []))
        return f"<Scene with {bodies} bodies>" if self._text is None else "<Scene of a JSON text>"


def _key(place: Any, part: str, path: str) -> Any:
    """Key or number of an entry of `place`."""
    if isinstance(place, dict):
        return part
    if isinstance(place, list) and part.isdigit() and int(part) < len(place):
        return int(part)
    if isinstance(place, list):
        # Entries have names, as bodies and obstacles do.
        named = [
            k
            for k, entry in enumerate(place)
            if isinstance(entry, dict) and entry.get("name") == part
        ]
        if named:
            return named[0]
    raise KeyError(f'{path}: "{part}" leads nowhere')


def _below(place: Any, part: str, path: str) -> Any:
    """Entry of a dictionary, which is added if it is missing."""
    if not isinstance(place, dict):
        raise KeyError(f'{path}: "{part}" is below a value that has no keys')
    return place.setdefault(part, {})
