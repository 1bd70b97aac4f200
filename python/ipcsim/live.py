"""The live page of a scene, from Python and in notebooks."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import webbrowser
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from .errors import Row, RunError, SceneError
from .scene import Scene
from .stored import _in_notebook


class LivePage:
    """A live page that a process of its own serves on this machine, until it is closed.

    A notebook shows it where it is the last value of a cell. `close()` ends it earlier.
    """

    def __init__(self, process: subprocess.Popen[str], url: str, width: str, height: int) -> None:
        self.process = process
        self.url = url
        self.width = width
        self.height = height

    def close(self) -> None:
        """Ends the page."""
        self.process.terminate()
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()

    def __enter__(self) -> LivePage:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _repr_html_(self) -> str:
        return (
            f'<iframe src="{self.url}" style="border: 0; width: {self.width}; '
            f'height: {self.height}px" allow="clipboard-write"></iframe>'
        )

    def __repr__(self) -> str:
        return f"<LivePage at {self.url}>"


def live(
    scene: Scene | Mapping[str, Any] | str | os.PathLike[str],
    *,
    show: bool = True,
    width: str = "100%",
    height: int = 640,
) -> LivePage:
    """Opens the live page with a scene, or the scene in a file.

    In a notebook the page appears in the output, `height` pixels high; elsewhere the browser opens
    if `show`. The page is for a browser on this machine.

    Raises SceneError if the scene cannot be used, and RunError if the page cannot be served.
    """
    own = Scene.of(scene)
    problems = own.check()
    faults = [problem for problem in problems if problem.severity == "error"]
    if faults:
        rows: list[Row] = [*problems]
        raise SceneError(str(faults[0]), rows, None)
    with tempfile.TemporaryDirectory() as folder:
        if isinstance(scene, (str, os.PathLike)):
            path = Path(scene)
        else:
            path = Path(folder) / "scene.json"
            own.save(path)
        process = subprocess.Popen(
            [sys.executable, "-m", "ipcsim", "live", "--no-open", os.fspath(path)],
            stdout=subprocess.PIPE,
            text=True,
        )
        # The first line has the address; the scene has been read by then.
        line = process.stdout.readline() if process.stdout is not None else ""
    if not line.startswith("live: "):
        process.wait()
        raise RunError("the live page was not opened; the program said why")
    page = LivePage(process, line.removeprefix("live: ").strip(), width, height)
    if show and not _in_notebook():
        webbrowser.open(page.url)
    return page
