"""The same bits as the program, stored runs, and its commands as functions."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ipcsim
from conftest import ROOT, run_program

SCENES = [
    "two_squares",
    "book/08_two_squares_friction",
    "book/09_reduced",
    "showcase/all_kinds",
    "showcase/linkage",
]


@pytest.mark.parametrize("name", SCENES)
def test_positions_have_the_bytes_of_the_trajectory_of_the_program(
    name: str, tmp_path: Path
) -> None:
    scene = ROOT / "scenes" / f"{name}.json"
    steps = 40
    out = str(tmp_path / "run")
    ended = run_program(
        "run", str(scene), "--steps", str(steps), "--no-frames", "--quiet", "--out", out,
        "--set", "output.every=1",
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr

    simulation = ipcsim.Simulation(ipcsim.Scene.from_file(scene, [f"time.steps={steps}"]))
    states = [simulation.positions.copy()]
    energies = [simulation.energies]
    for _ in range(steps):
        simulation.step()
        states.append(simulation.positions.copy())
        energies.append(simulation.energies)

    run = ipcsim.Run(out)
    assert np.stack(states).tobytes() == run.positions.tobytes()
    assert run.report["hash"] == simulation.hash
    for name, column in run.energies.items():
        if name in energies[0]:
            assert [row[name] for row in energies] == column.tolist()


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certified run of two squares."""
    out = tmp_path_factory.mktemp("stored") / "run"
    ended = run_program(
        "run", str(ROOT / "scenes/two_squares.json"), "--steps", "30", "--no-frames",
        "--quiet", "--certify", "--set", "output.contacts=npy", "--out", str(out),
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    return out


def test_a_stored_run_is_opened_and_repeated(stored: Path) -> None:
    run = ipcsim.Run(stored)
    assert run.positions.shape[0] == len(run.times) == len(run.steps)
    assert run.steps[-1] == 30
    assert run.report["status"] == "completed"
    assert run.body("ground").shape[1] == 1
    with pytest.raises(KeyError, match="no body or obstacle"):
        run.body("bell")

    simulation = ipcsim.Simulation(run.scene)
    assert simulation.names == run.names
    assert (simulation.triangles == run.triangles).all()
    simulation.step(30)
    assert simulation.positions.tobytes() == run.positions[-1].tobytes()

    # Rows of contacts of the last state are those that the simulation has.
    assert run.contacts is not None
    rows = run.contacts[run.contacts["step"] == 30]
    contacts = simulation.contacts()
    assert rows["gap"].tolist() == contacts.gap.tolist()
    assert rows["normal_force"].tolist() == contacts.normal_force.tolist()
    assert rows["friction_x"].tolist() == contacts.friction_force[:, 0].tolist()
    assert rows["first"].tolist() == contacts.bodies[:, 0].tolist()


def test_a_run_is_verified_and_a_violation_raises(stored: Path, tmp_path: Path) -> None:
    lines = ipcsim.verify(stored)
    ended = run_program("verify", str(stored))
    assert ended.stdout.splitlines() == [f"{stored}: {lines[0]}"] + [
        f"  {line}" for line in lines[1:]
    ]
    assert lines == ipcsim.Run(stored).verify()

    # A state in which a vertex is far away, with and without a checksum that fits.
    broken = tmp_path / "broken"
    broken.mkdir()
    for file in stored.iterdir():
        if file.is_file():
            (broken / file.name).write_bytes(file.read_bytes())
    trajectory = np.load(broken / "trajectory.npy")
    trajectory[7, 0] = -trajectory[7, 0] - 10
    np.save(broken / "trajectory.npy", trajectory)
    with pytest.raises(ipcsim.RunError, match="trajectory.npy: is damaged or was changed"):
        ipcsim.verify(broken)
    report = json.loads((broken / "run.json").read_text())
    del report["checksums"]["trajectory.npy"], report["format"], report["checksum"]
    (broken / "run.json").write_text(json.dumps(report))
    with pytest.raises(ipcsim.RunError, match="step 7: "):
        ipcsim.verify(broken)
    with pytest.raises(ipcsim.RunError):
        ipcsim.Run(tmp_path / "nothing")


def test_a_case_of_the_validation_passes() -> None:
    (case,) = ipcsim.validate("rest_gap", threads=1)
    assert case.name == "rest_gap"
    assert case.verdict == "pass"
    assert case.quantities
    with pytest.raises(ipcsim.RunError, match='did you mean "rest_gap"'):
        ipcsim.validate("rest_gapp")


def test_times_of_impact_are_those_of_paths() -> None:
    rng = np.random.default_rng(1)
    edge = np.array([[-1.0, 0.0], [1.0, 0.0]])
    height = rng.uniform(0.5, 2, 500)
    depth = rng.uniform(-2, 2, 500)
    place = rng.uniform(-0.9, 0.9, 500)
    start = np.empty((500, 3, 2))
    start[:, 1:] = edge
    end = start.copy()
    start[:, 0] = np.column_stack([place, height])
    end[:, 0] = np.column_stack([place, depth])

    expected = np.where(depth <= 0, height / (height - depth), np.nan)
    for method in ("exact", "additive", "inclusion"):
        found = ipcsim.ccd(start, end, method=method)
        assert (np.isnan(found) <= np.isnan(expected)).all()
        both = ~np.isnan(found) & ~np.isnan(expected)
        assert (found[both] <= expected[both]).all()
    found = ipcsim.ccd(start, end)
    assert (np.isnan(found) == np.isnan(expected)).all()
    assert found[depth <= 0] == pytest.approx(expected[depth <= 0], rel=1e-3)
    near = ipcsim.ccd(start, end, min_separation=0.1)
    assert np.nansum(near) < np.nansum(found) or np.isnan(found).sum() > np.isnan(near).sum()
    with pytest.raises(ValueError, match="must be \\[queries, 3, 2\\]"):
        ipcsim.ccd(start[0], end[0])
    with pytest.raises(ValueError, match="must be exact, additive or inclusion"):
        ipcsim.ccd(start, end, method="guess")


def test_the_program_is_in_the_package() -> None:
    command = [sys.executable, "-m", "ipcsim", "--version"]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ended.stdout.startswith("ipcsim ")
    command = [sys.executable, "-m", "ipcsim", "run", "nothing.json"]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 2
