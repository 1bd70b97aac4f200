"""The page README.md, the examples, and documentation of everything."""

from __future__ import annotations

import inspect
import os
import re
import runpy
import time
from pathlib import Path

import numpy as np
import pytest

import ipcsim
from conftest import ball_scene, run_program
from ipcsim import diff

HERE = Path(__file__).parents[1]


def test_the_code_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    page = (HERE / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL)
    assert len(blocks) == 2
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "README.md", "exec"), names)
    assert capsys.readouterr().out


def test_the_code_of_the_manual_runs(capsys: pytest.CaptureFixture[str]) -> None:
    clone = Path(os.environ.get("IPCSIM_CLONE", HERE.parent))
    page = (clone / "docs/howto/python.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL)
    exec(compile(block, "python.md", "exec"), {})
    assert capsys.readouterr().out


EXAMPLES = [
    "bounce",
    "cell",
    "crawler",
    "field",
    "gripper",
    "hook",
    "identify",
    "push_ball",
    "snap_fit",
    "throw",
    "walker",
]


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_takes_less_than_three_minutes_of_processor_time(name: str) -> None:
    for needed in ("scipy", "gymnasium"):
        pytest.importorskip(needed)
    start = time.process_time()
    runpy.run_path(str(HERE / "examples" / f"{name}.py"), run_name="__main__")
    assert time.process_time() - start < 180


@pytest.mark.skipif("IPCSIM_PYTHON_TOOLS" not in os.environ, reason="half a minute; in nightly")
def test_the_pattern_of_arches_gets_a_flat_stress() -> None:
    pytest.importorskip("scipy")
    runpy.run_path(str(HERE / "examples" / "pattern.py"), run_name="__main__")


def test_the_stress_of_the_pattern_changes_as_its_derivative_says() -> None:
    pytest.importorskip("scipy")
    pattern = runpy.run_path(str(HERE / "examples" / "pattern.py"))
    scene = pattern["scene"]()
    scene.set("time.steps", 6)
    model = diff.Model(scene, of=[pattern["STRESS"]])
    change = np.cos(np.arange(len(pattern["first"]())))
    sides = [pattern["parameters"](pattern["first"]() + by * change) for by in (-1e-4, 0, 1e-4)]
    tangent = {key: (sides[2][key] - own) / 2e-4 for key, own in sides[0].items()}
    found = model.jvp(sides[1], None, tangent)[pattern["STRESS"]]
    ends = [model.rollout(side)[pattern["STRESS"]] for side in (sides[0], sides[2])]
    assert found == pytest.approx((ends[1] - ends[0]) / 2e-4, rel=1e-4)


def test_everything_has_documentation() -> None:
    for name in ipcsim.__all__:
        thing = getattr(ipcsim, name)
        assert inspect.getdoc(thing), name
        if not inspect.isclass(thing):
            continue
        for key, member in inspect.getmembers(thing):
            public = not key.startswith("_") and (callable(member) or isinstance(member, property))
            own = "ipcsim" in (getattr(member, "__module__", None) or "ipcsim")
            if public and own:
                assert inspect.getdoc(member), f"{name}.{key}"


def test_a_run_shows_its_page(tmp_path: Path) -> None:
    scene = tmp_path / "ball.json"
    ball_scene().save(scene)
    assert (
        run_program(
            "run", str(scene), "--no-frames", "--steps", "3", "--out", str(tmp_path / "out")
        ).returncode
        == 0
    )
    page = ipcsim.Run(tmp_path / "out").view(show=False)
    assert "<canvas" in Path(page).read_text()
