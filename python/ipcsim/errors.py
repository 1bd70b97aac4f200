"""Exceptions of the package.

An exception prints what the program would print, and has the parts of its message as attributes.
All of them can be pickled, so that they reach a parent process.
"""

from __future__ import annotations

from typing import NamedTuple

Row = tuple[str, str, str, int | None, int | None, list[tuple[float, float]]]


class Problem(NamedTuple):
    """An error or a warning of a scene.

    As text it is `line 3, column 9 (bodies[0].shape): reason`, or `bodies[0].shape: reason` where
    the scene has no lines.
    """

    severity: str
    """`"error"` if the scene cannot be simulated, `"warning"` if it may not be what was meant."""
    path: str
    """Path of the value in the scene, such as `bodies[0].shape.disk.radius`."""
    reason: str
    """What is wrong: the value, its limit, and what to do."""
    line: int | None
    """Line of the value in the file, from 1; `None` without a file."""
    column: int | None
    """Column of the value in characters, from 1; `None` without a file."""
    places: list[tuple[float, float]]
    """Positions in the world that show the problem (m)."""

    def __str__(self) -> str:
        if self.line is None:
            return f"{self.path}: {self.reason}"
        return f"line {self.line}, column {self.column} ({self.path}): {self.reason}"


class IpcsimError(Exception):
    """Any error of this package beside wrong arguments."""


class SceneError(IpcsimError, ValueError):
    """A scene that cannot be read, or that describes nothing that can be simulated.

    Attributes:
        path: path in the scene of the first problem, such as `materials.rubber.density`.
        reason: what is wrong there, and what to do.
        problems: all problems, errors first, then warnings.
        file: path of the scene's file, or None.
    """

    def __init__(self, message: str, rows: list[Row], file: str | None) -> None:
        super().__init__(message, rows, file)
        self.problems = [Problem(*row) for row in rows]
        self.path = self.problems[0].path if self.problems else ""
        self.reason = self.problems[0].reason if self.problems else message
        self.file = file

    def __str__(self) -> str:
        return str(self.args[0])


class StepError(IpcsimError, RuntimeError):
    """A step that fails even after all fallbacks. The state is that before the step.

    Attributes:
        name: short name of the failure: `touching`, `not_finite`, `spinning`, `indefinite`,
            `no_progress`, `iterations`, `open`, `cuts_through`, `blocked` or `out_of_memory`.
        step: number of the step that failed, from 1.
        reason: sentence that names the pair, energy or vertex at fault.
        vertices: numbers of the vertices at fault, in the order of `Simulation.positions`.
    """

    def __init__(
        self, message: str, name: str, step: int, reason: str, vertices: list[int]
    ) -> None:
        super().__init__(message, name, step, reason, vertices)
        self.name = name
        self.step = step
        self.reason = reason
        self.vertices = vertices

    def __str__(self) -> str:
        return str(self.args[0])


class StateError(IpcsimError, ValueError):
    """A state, force or gravity that cannot be set: nothing has changed."""


class RunError(IpcsimError, RuntimeError):
    """The folder of a run, a case or a picture that a function cannot use."""
