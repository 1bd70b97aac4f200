"""Functions for scenes and stored runs: check, verify, validate, collision detection."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _native
from .errors import Problem, RunError
from .forces import Floats
from .scene import Scene


def check(scene: Scene | Mapping[str, Any] | str | os.PathLike[str]) -> list[Problem]:
    """All problems of a scene that can be found before its first step, errors first.

    Raises SceneError if the scene cannot be read: an unknown key, or a value of a wrong type.
    """
    return Scene.of(scene).check()


def verify(directory: str | os.PathLike[str]) -> list[str]:
    """Proves that no stored state of a run intersects or inverts, from its files alone.

    A run that the program has made with `--certify` is also proved between its states. Returns
    sentences that say what is proved, by which means, and on which assumptions.

    Raises RunError at the first violation, with its step, pair and coordinates, or if a file
    cannot be read.
    """
    is_proved, lines = _native.verify(os.fspath(directory))
    if not is_proved:
        raise RunError(f"{os.fspath(directory)}: {lines[0]}")
    return lines


@dataclass(frozen=True)
class Validation:
    """Result of one case of the validation."""

    name: str
    """Name of the case."""
    verdict: str
    """Judgement of the whole case: `pass`, `mended`, `known_miss` or `fail`."""
    quantities: list[dict[str, Any]]
    """Expected and measured values with their tolerances and the sources of formulas."""
    report: dict[str, Any]
    """Everything that the case reports, with its plot."""


def validate(*names: str, quick: bool = False, threads: int | None = None) -> list[Validation]:
    """Compares the simulator with formulas and with independent computations.

    `names` are those of cases, beginnings of names such as `friction`, or patterns with `*`; all
    cases without a name, which takes about a minute. `quick` leaves out cases that take longer than
    a second. `ipcsim validate --list` prints the names.

    Raises RunError if no case has a name.
    """
    reports = json.loads(_native.validate(list(names), quick, threads))
    return [
        Validation(
            name=report["name"],
            verdict=report["verdict"],
            quantities=report.get("quantities") or [],
            report=report,
        )
        for report in reports
    ]


def ccd(
    start: ArrayLike,
    end: ArrayLike,
    *,
    min_separation: float = 0.0,
    method: str = "exact",
) -> Floats:
    """Times in `[0, 1]` at which moving points meet moving edges, `[queries]`; NaN if they do not.

    `start` and `end` are `[queries, 3, 2]` (m): the point and both ends of the edge at `t = 0` and
    at `t = 1`, on straight paths between. A meeting is a distance of `min_separation`. A time is
    never later than the first meeting. `method` is `exact`, which reports no near miss, `additive`
    or `inclusion`.

    >>> falling = [[[0, 3], [-1, 0], [1, 0]]], [[[0, -1], [-1, 0], [1, 0]]]
    >>> bool(0.999 * 0.75 <= ipcsim.ccd(*falling)[0] <= 0.75)
    True
    """
    first = np.ascontiguousarray(start, dtype=np.float64)
    last = np.ascontiguousarray(end, dtype=np.float64)
    return _native.ccd(first, last, min_separation, method)


def schema() -> dict[str, Any]:
    """JSON Schema of scenes, by which editors and other programs check them."""
    text: dict[str, Any] = json.loads(_native.schema())
    return text
