"""Stored runs: folders that the program `ipcsim run` has written."""

from __future__ import annotations

import json
import os
import sys
import webbrowser
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _native
from .errors import RunError
from .forces import Floats, Ints
from .scene import Scene


class Run:
    """The folder of a completed or stopped run.

    Files are compared with each other and with their checksums when they are opened. Positions stay
    on the disk and are read where they are used.

    Raises RunError if a file is missing or damaged, or if the run is still going on.

    >>> run = ipcsim.Run("output/two_squares")
    >>> run.positions.shape
    (201, 50, 2)
    """

    directory: Path
    """Folder of the run."""
    positions: Floats
    """Positions of all vertices, `[entries, vertices, 2]` (m), mapped from the disk."""
    energies: dict[str, Floats]
    """Columns of `energies.csv` by name, `[entries]` each; NaN where a field is empty."""
    triangles: Ints
    """Vertices of all elastic triangles, `[triangles, 3]`."""
    springs: Ints
    """Vertices of all springs, `[springs, 2]`."""
    edges: Ints
    """Vertices of all edges that collide, `[edges, 2]`."""
    mesh: dict[str, Any]
    """Contents of `mesh.json`: bodies with their names and vertices, half-planes, circles."""
    report: dict[str, Any]
    """Contents of `run.json`: status, reason of a failure, parameters, hash of the last state."""

    def __init__(self, directory: str | os.PathLike[str]) -> None:
        self.directory = Path(directory)
        names, columns, mesh = _native.open_run(os.fspath(directory))
        self.energies = dict(zip(names, columns, strict=True))
        self.triangles, self.springs, self.edges = mesh
        self.positions = np.load(self.directory / "trajectory.npy", mmap_mode="r")
        self.mesh = json.loads((self.directory / "mesh.json").read_text(encoding="utf-8"))
        self.report = json.loads((self.directory / "run.json").read_text(encoding="utf-8"))

    @property
    def steps(self) -> Ints:
        """Step of each entry, `[entries]`."""
        return self.energies["step"].astype(np.int64)

    @property
    def times(self) -> Floats:
        """Time of each entry, `[entries]` (s)."""
        return self.energies["time"]

    def table(self, name: str) -> dict[str, Any]:
        """Columns of a table such as `joints.csv` by name: arrays of numbers, lists of texts.

        Numbers are NaN where a field is empty. Raises RunError if the run has no such table.
        """
        numbers, texts = _native.read_table(os.fspath(self.directory), name)
        return {**texts, **numbers}

    @property
    def measures(self) -> dict[str, Floats]:
        """Columns of `measures.csv` by name, `[steps + 1]` each; empty without measures."""
        return self.table("measures.csv") if self.report.get("measures") else {}

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the bodies, then of the obstacles."""
        return tuple(body["name"] for body in self.mesh["bodies"])

    def body(self, name: str) -> Floats:
        """Positions of the vertices of a body, `[entries, vertices, 2]` (m).

        Raises KeyError with the names that exist.
        """
        for body in self.mesh["bodies"]:
            if body["name"] == name:
                first = body["first_vertex"]
                return self.positions[:, first : first + body["vertex_count"]]
        known = ", ".join(f'"{known}"' for known in self.names[:20])
        raise KeyError(f'no body or obstacle is named "{name}"; the names are {known}')

    @property
    def scene(self) -> Scene:
        """The effective scene, with which a `Simulation` repeats the run.

        Raises RunError if the file is damaged.
        """
        _native.compare_file(os.fspath(self.directory), "scene.json")
        return Scene.from_file(self.directory / "scene.json")

    @property
    def contacts(self) -> NDArray[np.void] | None:
        """Contacts of all written states with named columns; None without `contacts.npy`.

        Raises RunError if the file is damaged.
        """
        path = self.directory / "contacts.npy"
        if not path.exists():
            return None
        _native.compare_file(os.fspath(self.directory), path.name)
        rows: NDArray[np.void] = np.load(path, mmap_mode="r")
        return rows

    def verify(self) -> list[str]:
        """Proves the stored states and motion, as `ipcsim.verify`."""
        from .tools import verify

        return verify(self.directory)

    def view(self, *, show: bool = True, height: int = 640) -> Any:
        """Writes the page that plays the run, as `ipcsim view`, and shows it.

        In a notebook the page appears in the output, `height` pixels high; elsewhere the browser
        opens. Returns the frame of the notebook, or the path of the page.

        Raises RunError if the page cannot be written.
        """
        page = self.directory / "view.html"
        done = _native.main(
            ["view", os.fspath(self.directory), "--no-open", "--out", os.fspath(page)]
        )
        if done != 0:
            raise RunError(f"the page of {self.directory} was not written; the program said why")
        if _in_notebook():
            from IPython.display import IFrame

            return IFrame(os.path.relpath(page), width="100%", height=height)
        if show:
            webbrowser.open(page.resolve().as_uri())
        return page

    def __repr__(self) -> str:
        return f"<Run of {len(self.times)} entries in {self.directory}>"


def _in_notebook() -> bool:
    """True in a notebook, whose shell has a kernel."""
    shell = sys.modules.get("IPython")
    own = shell.get_ipython() if shell is not None else None
    return own is not None and hasattr(own, "kernel")
