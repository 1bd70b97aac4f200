"""Notebooks: every cell runs, and what it asserts holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

BOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))


def test_there_are_notebooks() -> None:
    assert len(BOOKS) == 5


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path) -> None:
    nbformat: Any = pytest.importorskip("nbformat")
    nbclient: Any = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    book = nbformat.read(path, as_version=4)
    stored = [cell for cell in book.cells if cell.cell_type == "code"]
    assert all(cell.execution_count for cell in stored), "stored with its output"
    nbclient.NotebookClient(book, timeout=120, kernel_name="python3").execute()
