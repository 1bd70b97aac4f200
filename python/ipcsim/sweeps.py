"""Sweeps: many runs of one scene, each with other values, and the table of their results."""

from __future__ import annotations

import csv
import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _native
from .errors import RunError
from .scene import Scene

COMPUTED = ("=", "+", "-", "@", "\t", "\r", "\n")
"""First characters of texts that a spreadsheet computes."""

TEXTS = ("status", "reason", "hash", "message")
"""Columns of the table that are text, besides varied quantities that are no numbers."""


class Sweep:
    """A plan of many runs, as `ipcsim sweep` reads it.

    `Sweep(plan)` takes the path of a plan or a dictionary. Files that a dictionary names are
    relative to `folder`, by default the present one.

    Raises RunError if the plan, its scene or a table is wrong.

    >>> sweep = ipcsim.Sweep("plan.json")
    >>> table = sweep.run("output/plan")
    >>> table["total"][table["status"] == "completed"].mean()
    """

    def __init__(
        self,
        plan: Mapping[str, Any] | str | os.PathLike[str],
        *,
        folder: str | os.PathLike[str] | None = None,
    ) -> None:
        if isinstance(plan, Mapping):
            self._folder = Path(folder or ".")
            self._text = json.dumps(plan)
        else:
            path = Path(plan)
            self._folder = Path(folder) if folder is not None else path.parent
            try:
                self._text = path.read_text(encoding="utf-8")
            except OSError as error:
                raise RunError(f"cannot read {path}: {error}") from error
        self._native = _native.Study(self._text, os.fspath(self._folder))

    @property
    def names(self) -> list[str]:
        """Names of the varied quantities: columns of the table."""
        return self._native.names

    def __len__(self) -> int:
        return self._native.count

    def values(self, run: int) -> dict[str, Any]:
        """Values of a run by name. Raises IndexError if there is no such run."""
        return dict(zip(self.names, json.loads(self._native.values_json(run)), strict=True))

    def scene(self, run: int) -> Scene:
        """Scene of a run. Raises ValueError if a value does not fit its key."""
        return Scene(json.loads(self._native.scene_json(run)))

    def run(
        self,
        out: str | os.PathLike[str],
        *,
        threads: int | None = None,
        only: bool = True,
        progress: bool | Callable[[int, int, int], object] = False,
    ) -> Table:
        """Computes all runs that have no row in the folder `out`, and returns the table.

        It is the program `ipcsim sweep`: with one thread a core unless `threads` is given, and
        with a folder for each run if `only` is False. A call that was stopped continues.

        `progress(done, runs, failed)` is called up to twenty times a second, whenever runs have
        ended; an exception that it raises stops the sweep. True prints a line that counts them.

        Raises RunError if the folder cannot be used, KeyboardInterrupt after a signal.
        """
        listener = _print_progress if progress is True else progress or None
        self._native.run(os.fspath(out), threads, only, listener)
        if progress is True:
            print(file=sys.stderr)
        return Table(out)

    def __repr__(self) -> str:
        return f"<Sweep of {len(self)} runs over {', '.join(self.names) or 'nothing'}>"


def _print_progress(done: int, runs: int, failed: int) -> None:
    """Writes how many runs are done over the line before."""
    failures = f", {failed} failed" if failed else ""
    print(f"\rrun {done}/{runs}{failures}", end="", file=sys.stderr, flush=True)


class Table:
    """The table of a sweep, column by column.

    `Table(folder)` reads `results.csv`. `table["total"]` is a column: numbers as floats, NaN where
    a field is empty, and text as strings. Rows are in the order of the runs.

    Raises RunError if the file cannot be read.
    """

    columns: dict[str, NDArray[Any]]
    """Columns by name, `[rows]` each."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        path = Path(folder) / "results.csv"
        try:
            with path.open(newline="", encoding="utf-8") as file:
                names, *rows = list(csv.reader(file))
        except (OSError, ValueError) as error:
            raise RunError(f"cannot read {path}: {error}") from error
        # A name that a spreadsheet would compute stands behind an apostrophe.
        names = [plain(name) for name in names]
        fields = zip(*rows, strict=True) if rows else [()] * len(names)
        self.columns = {
            name: column(name, texts) for name, texts in zip(names, fields, strict=True)
        }

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name not in self.columns:
            raise KeyError(f'no column is named "{name}"; there are {", ".join(self.columns)}')
        return self.columns[name]

    def __len__(self) -> int:
        return len(self.columns["run"])

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Writes the table as a Parquet file. Raises ImportError without pyarrow."""
        pyarrow: Any = import_module("pyarrow")
        parquet: Any = import_module("pyarrow.parquet")
        parquet.write_table(pyarrow.table(self.columns), os.fspath(path))

    def to_zarr(self, path: str | os.PathLike[str]) -> None:
        """Writes the table as a Zarr group, an array for each column.

        Raises ImportError without zarr.
        """
        zarr: Any = import_module("zarr")
        group = zarr.open_group(os.fspath(path), mode="w")
        for name, values in self.columns.items():
            kind = "string" if values.dtype.kind == "U" else values.dtype
            array = group.create_array(name.replace("/", "_"), shape=values.shape, dtype=kind)
            array[:] = values

    def __repr__(self) -> str:
        return f"<Table of {len(self)} runs, {len(self.columns)} columns>"


def plain(field: str) -> str:
    """A field of a table without the apostrophe that keeps spreadsheets from computing it."""
    return field[1:] if field.startswith("'") and field.lstrip("'")[:1] in COMPUTED else field


def column(name: str, fields: Iterable[str]) -> NDArray[Any]:
    """A column of the table: whole numbers, floats, or text if a field is no number."""
    texts = [plain(field) for field in fields]
    if name in TEXTS:
        return np.array(texts, dtype=np.str_)
    try:
        if name in ("run", "step", "newton_iterations") and all(texts):
            return np.array(texts, dtype=np.int64)
        return np.array([float(text) if text else np.nan for text in texts])
    except ValueError:
        return np.array(texts, dtype=np.str_)
