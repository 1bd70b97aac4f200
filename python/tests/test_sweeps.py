"""Sweeps: points, tables, rows from other processes, and other forms of the table."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ipcsim
from conftest import ball_scene
from ipcsim import _native, dask


@pytest.fixture
def plan(tmp_path: Path) -> dict[str, Any]:
    """A plan of six falling balls in a folder with its scene."""
    (tmp_path / "ball.json").write_text(ball_scene().to_json())
    young = "materials.rubber.law.neo_hookean.young"
    return {
        "scene": "ball.json",
        "set": {"time.steps": 8},
        "bodies": ["ball"],
        "vary": [
            {"list": {"key": "gravity", "values": [[0, 0], [0, -9.81], [1, 0]]}},
            {"range": {"key": young, "name": "young", "from": 1e4, "to": 1e6, "count": 2}},
        ],
    }


def test_rows_are_those_of_single_simulations(plan: dict[str, Any], tmp_path: Path) -> None:
    sweep = ipcsim.Sweep(plan, folder=tmp_path)
    assert len(sweep) == 6
    assert sweep.names == ["gravity", "young"]
    assert sweep.values(3) == {"gravity": [0, -9.81], "young": 1_000_000}

    table = sweep.run(tmp_path / "out")
    assert len(table) == 6
    assert (table["status"] == "completed").all()
    for run in range(6):
        simulation = ipcsim.Simulation(sweep.scene(run))
        simulation.step(8)
        assert table["hash"][run] == simulation.hash
        assert table["total"][run] == simulation.energies["total"]
        assert table["ball.y"][run] == simulation.body("ball").centre[1]
    assert np.isnan(table["ball.angle"]).all()


def test_progress_is_told_and_may_stop_a_sweep(
    plan: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sweep = ipcsim.Sweep(plan, folder=tmp_path)
    heard: list[tuple[int, int, int]] = []

    def enough(done: int, runs: int, failed: int) -> None:
        heard.append((done, runs, failed))
        if done >= 2:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        sweep.run(tmp_path / "out", threads=1, progress=enough)
    assert heard[-1][0] >= 2 and {runs for _, runs, _ in heard} == {6}

    # The rest is computed by the next call.
    table = sweep.run(tmp_path / "out", threads=1, progress=True)
    assert len(table) == 6
    assert "run 6/6" in capsys.readouterr().err
    other = ipcsim.Sweep({**plan, "set": {}}, folder=tmp_path)
    with pytest.raises(ipcsim.RunError, match="other"):
        other.run(tmp_path / "out")


def test_rows_of_other_processes_make_the_same_table(plan: dict[str, Any], tmp_path: Path) -> None:
    sweep = ipcsim.Sweep(plan, folder=tmp_path)
    sweep.run(tmp_path / "here")

    native = sweep._native
    store = native.open(str(tmp_path / "there"))
    sources = native.to_bytes()
    for runs in ([4, 5], [0, 1], [1, 2]):
        assert store.add(dask.compute(runs, sources)) == 2
    assert native.missing(store) == [3]
    native.write_table(store)
    assert len(ipcsim.Table(tmp_path / "there")) == 5

    # The program computes what is missing.
    sweep.run(tmp_path / "there")
    assert (tmp_path / "here/results.csv").read_bytes() == (
        tmp_path / "there/results.csv"
    ).read_bytes()


def test_failures_have_reasons(plan: dict[str, Any], tmp_path: Path) -> None:
    plan["vary"] = [{"list": {"key": "solver.max_iterations", "values": [1, 100]}}]
    plan["set"]["bodies.0.position"] = [0, 0.101]
    table = ipcsim.Sweep(plan, folder=tmp_path).run(tmp_path / "out")
    assert list(table["status"]) == ["failed", "completed"]
    assert list(table["reason"]) == ["iterations", ""]
    assert "raise solver.max_iterations" in table["message"][0]


def test_wrong_plans_are_refused(plan: dict[str, Any], tmp_path: Path) -> None:
    plan["vary"][0]["list"]["key"] = "gravtiy"
    with pytest.raises(ipcsim.RunError, match='did you mean "gravity"'):
        ipcsim.Sweep(plan, folder=tmp_path)
    with pytest.raises(ipcsim.RunError, match="cannot read"):
        ipcsim.Sweep(tmp_path / "nothing.json")


def test_numbers_that_no_run_has_are_refused(plan: dict[str, Any], tmp_path: Path) -> None:
    sweep = ipcsim.Sweep(plan, folder=tmp_path)
    with pytest.raises(IndexError, match="there is no run 6; the sweep has 6"):
        sweep.values(6)
    with pytest.raises(ValueError, match="no sweep"):
        _native.study_of(pickle.dumps(plan))


def test_tables_become_parquet_and_zarr(plan: dict[str, Any], tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    zarr = pytest.importorskip("zarr")
    table = ipcsim.Sweep(plan, folder=tmp_path).run(tmp_path / "out")
    table.to_parquet(tmp_path / "table.parquet")
    read = parquet.read_table(tmp_path / "table.parquet")
    assert read.column_names == list(table.columns)
    assert read["total"].to_pylist() == list(table["total"])

    table.to_zarr(tmp_path / "table.zarr")
    group = zarr.open_group(tmp_path / "table.zarr", mode="r")
    assert (group["total"][:] == table["total"]).all()
    assert list(group["status"][:]) == list(table["status"])


def test_the_program_of_the_package_sweeps(plan: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_text(json.dumps(plan))
    words = [sys.executable, "-m", "ipcsim", "sweep", str(tmp_path / "plan.json"), "--list"]
    listed = subprocess.run(words, capture_output=True, text=True, check=True)
    assert listed.stdout.startswith("6 runs\n")
