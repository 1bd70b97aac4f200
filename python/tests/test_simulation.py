"""Simulations: arrays, bits, states, forces, interruption, threads, forks."""

from __future__ import annotations

import copy
import gc
import json
import math
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ipcsim
from conftest import ROOT, RUBBER, ball_scene, run_program


def test_a_ball_falls_as_implicit_euler_does(ball: ipcsim.Simulation) -> None:
    ball.step(4)
    # h^2 g n (n + 1) / 2 after n steps.
    assert ball.body("ball").centre == pytest.approx([0, 0.15 - 9.81e-4 * 10], abs=1e-9)
    assert ball.body("ball").velocity == pytest.approx([0, -0.4 * 0.981], abs=1e-9)
    assert ball.steps == 4
    assert ball.time == pytest.approx(0.04)
    assert ball.report.step == 4


def test_a_ledger_says_what_a_fall_loses(ball: ipcsim.Simulation) -> None:
    assert ball.report.work is None
    scene = ball_scene()
    scene.set("output.ledger", True)
    kept = ipcsim.Simulation(scene)
    kept.step()
    # Implicit Euler loses 1/2 m (g h)^2 in a step, which is the kinetic energy after the first one.
    assert kept.report.work is not None
    assert kept.report.work["inertia"] == pytest.approx(-kept.energies["kinetic"], rel=1e-6)
    assert kept.report.work["friction"] == 0


def test_views_are_read_only_follow_the_steps_and_outlive_the_simulation(
    ball: ipcsim.Simulation,
) -> None:
    positions = ball.positions
    before = positions.copy()
    assert positions is ball.positions
    assert positions.shape == (len(ball.velocities), 2)
    for array in (positions, ball.velocities, ball.coordinates, ball.coordinate_velocities):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1.0
    with pytest.raises(ValueError, match="read-only"):
        ball.triangles[0, 0] = 1

    ball.step(3)
    assert (positions[:-1, 1] < before[:-1, 1]).all()
    last = positions.copy()
    del ball
    gc.collect()
    assert (positions == last).all()


def test_bodies_own_their_parts_of_the_arrays() -> None:
    scene = ball_scene()
    scene.add_material("steel", density=7800)
    scene.add_body(
        "block",
        {"square": {"side": 0.2, "segments": 1}},
        "steel",
        kind="rigid",
        position=[1, 0.5],
        rotation_deg=30,
        spin_deg=float(np.degrees(2.0)),
    )
    simulation = ipcsim.Simulation(scene)
    assert simulation.names == ("ball", "block", "ground")
    ball, block, ground = simulation.bodies
    assert [body.kind for body in simulation.bodies] == ["solid", "rigid", "half_plane"]
    assert len(ball.positions) + len(block.positions) + len(ground.positions) == len(
        simulation.positions
    )
    assert simulation.triangles.max() < len(ball.positions)
    assert block.mass == pytest.approx(7800 * 0.04)
    assert ground.mass == 0
    simulation.step()
    assert block.angle == pytest.approx(0.02)
    assert block.angular_velocity == pytest.approx(2)
    assert ball.angle is None
    with pytest.raises(KeyError, match='no body or obstacle is named "bell"'):
        simulation.body("bell")


def test_forces_at_rest_carry_the_weight() -> None:
    scene = ball_scene(position=[0, 0.1005])
    scene.set("bodies.0.shape", {"square": {"side": 0.2, "segments": 4}})
    scene.set("contact.d_hat", 1e-3)
    scene.set("time.step", 0.05)
    scene.set("solver.tolerance", 1e-9)
    simulation = ipcsim.Simulation(scene)
    simulation.step(100)
    weight = 9.81 * simulation.body("ball").mass
    contacts = simulation.contacts()
    assert contacts.on("ball") == pytest.approx([0, weight], rel=1e-6, abs=1e-6 * weight)
    assert contacts.on("ground") == pytest.approx(-contacts.on("ball"))
    assert contacts.normal_force.sum() == pytest.approx(weight, rel=1e-6)
    assert (contacts.gap > 0).all()
    assert len(contacts) == simulation.report.contacts
    reactions = simulation.reactions()
    assert reactions.kind == ("obstacle",)
    assert reactions.on("ground") == pytest.approx([0, weight], rel=1e-6, abs=1e-6 * weight)
    with pytest.raises(KeyError):
        contacts.on("bell")

    # Energies: gravity of the centre, and nothing moves.
    energies = simulation.energies
    height = simulation.body("ball").centre[1]
    assert energies["gravity"] == pytest.approx(weight * height)
    assert energies["kinetic"] < 1e-6
    stored = [value for name, value in energies.items() if name not in ("friction", "total")]
    assert energies["total"] == pytest.approx(sum(stored))
    assert simulation.stress().shape == (len(simulation.triangles),)
    assert (simulation.stress() > 0).all()
    assert (simulation.plastic_strain() == 0).all()


def test_a_metal_keeps_its_flow_and_a_state_has_it() -> None:
    scene = ball_scene(velocity=[0, -3])
    metal = {"young": 1e6, "poisson": 0.3, "yield_stress": 5e3, "hardening": 1e4}
    scene.add_material("rubber", density=1000, law={"j2": metal})
    simulation = ipcsim.Simulation(scene)
    before = simulation.state()
    simulation.step(10)
    strain = simulation.plastic_strain()
    assert strain.shape == (len(simulation.triangles),)
    assert 0.01 < strain.max() < 1

    # Another simulation has the flow from the state, and ends with the same bits.
    other = ipcsim.Simulation(scene)
    other.set_state(pickle.loads(pickle.dumps(simulation.state())))
    assert (other.plastic_strain() == strain).all()
    simulation.step(5)
    other.step(5)
    assert other.hash == simulation.hash
    other.set_state(before)
    assert other.plastic_strain().max() == 0


def test_joints_carry_what_hangs_on_them() -> None:
    simulation = ipcsim.Simulation(ROOT / "scenes/showcase/linkage.json")
    simulation.step(3)
    joints = simulation.joints()
    assert joints.force.shape == (len(joints), 2)
    total = sum(joints.on(name) for name in simulation.names)
    assert total == pytest.approx([0, 0], abs=1e-9 * np.abs(joints.force).max())


def test_measures_are_the_same_in_simulations_batches_and_stored_runs(tmp_path: Path) -> None:
    scene = ball_scene()
    measures = [
        {"name": "peak", "max": "von_mises", "of": "ball"},
        {"name": "height", "value": "y", "of": "ball"},
        {"name": "carried", "value": "force_y", "between": ["ball", "ground"]},
    ]
    scene.set("measure", measures)
    simulation = ipcsim.Simulation(scene)
    assert list(simulation.measures) == ["peak", "height", "carried"]
    assert simulation.measures["height"] == pytest.approx(0.15)
    assert np.isnan(simulation.measures["carried"])
    batch = ipcsim.Batch(scene, 3)
    assert batch.measures == ("peak", "height", "carried")
    values = batch.bind("measures")

    rows = [list(simulation.measures.values())]
    for _ in range(20):
        simulation.step()
        batch.step()
        rows.append(list(simulation.measures.values()))
        assert (values == rows[-1]).all()
    batch.reset()
    assert values[1, 1] == rows[0][1]

    path = tmp_path / "scene.json"
    path.write_text(scene.to_json(), encoding="utf-8")
    run_program("run", str(path), "--out", str(tmp_path / "run"), "--no-frames", "--steps", "20")
    run = ipcsim.Run(tmp_path / "run")
    stored = run.measures
    for k, name in enumerate(simulation.measures):
        assert np.array_equal(stored[name], [row[k] for row in rows], equal_nan=True)
    bodies = run.table("bodies.csv")
    assert bodies["body"][:2] == ["ball", "ground"]
    assert bodies["y"][-2] == rows[-1][1]
    with pytest.raises(ipcsim.RunError, match="joints.csv"):
        run.table("joints.csv")


def test_run_ends_where_the_scene_does_and_callbacks_can_end_it(ball: ipcsim.Simulation) -> None:
    seen: list[int] = []
    ball.run(10, callback=lambda simulation: seen.append(simulation.steps))
    assert seen == list(range(1, 11))
    ball.run(10, callback=lambda simulation: simulation.steps < 15)
    assert ball.steps == 15
    ball.run()
    assert ball.steps == 100
    ball.run()
    assert ball.steps == 100


def test_a_step_that_fails_is_named_and_leaves_the_state() -> None:
    # A wall crushes a ball against another.
    scene = ball_scene()
    scene.add_obstacle(
        "press", {"half_plane": {"normal": [0, -1], "origin": [0, 0.3]}}, velocity=[0, -1]
    )
    simulation = ipcsim.Simulation(scene)
    with pytest.raises(ipcsim.StepError) as raised:
        simulation.step(100)
    error = raised.value
    assert error.step == simulation.steps + 1
    assert error.name in {"blocked", "iterations", "no_progress", "not_finite"}
    assert str(error) == f"step {error.step}: {error.reason}"
    assert pickle.loads(pickle.dumps(error)).args == error.args
    assert np.isfinite(simulation.positions).all()
    assert simulation.report.step == simulation.steps


def test_states_restore_every_bit_and_pickle() -> None:
    for integrator in ("implicit_euler", "bdf2"):
        scene = ball_scene(velocity=[1, -2], spin_deg=300.0)
        scene.set("time.integrator", integrator)
        first = ipcsim.Simulation(scene)
        first.step(20)
        state = first.state()
        first.step(20)
        expected = first.positions.copy()

        for copied in (state, pickle.loads(pickle.dumps(state)), copy.deepcopy(state)):
            assert copied == state
            second = ipcsim.Simulation(scene)
            second.set_state(copied)
            assert (second.coordinates == state.coordinates).all()
            assert second.steps == state.step == 20
            second.step(20)
            assert second.positions.tobytes() == expected.tobytes()
            assert second.hash == first.hash

    with pytest.raises(ipcsim.StateError, match="no state, or are damaged"):
        ipcsim.State.from_bytes(b"\xff\xff")
    with pytest.raises(ipcsim.StateError, match="of another scene"):
        ipcsim.Simulation(ROOT / "scenes/showcase/linkage.json").set_state(state)


def test_whole_simulations_are_copied_and_pickled() -> None:
    first = ipcsim.Simulation(ball_scene(velocity=[1, -2]), threads=1)
    first.set_force("ball", (5.0, 0.0))
    first.step(10)
    # What is set, but has not acted yet, is part of the copy, and so is the journal.
    first.gravity = (0.5, -5.0)
    first.set_force("ball", (0.0, 3.0))
    copies = [copy.deepcopy(first), pickle.loads(pickle.dumps(first))]
    assert [other.hash for other in copies] == [first.hash] * 2
    assert copies[0].gravity == first.gravity
    first.step(10)
    for other in copies:
        assert (other.steps, other.time) == (10, pytest.approx(0.1))
        other.step(10)
        assert other.hash == first.hash
        assert other.changes == first.changes
        assert other.is_serial

    # Without a journal, too.
    first.set_state(coordinates=first.coordinates + [0.0, 0.01])
    first.gravity = (0.0, -1.0)
    again = pickle.loads(pickle.dumps(first))
    first.step(5)
    again.step(5)
    assert again.hash == first.hash
    with pytest.raises(ipcsim.StateError, match="no journal"):
        again.recorded()
    with pytest.raises(ipcsim.StateError, match="no simulation, or are damaged"):
        again.load(b"\xff\xff")


def test_arrays_are_handed_over_by_dlpack(ball: ipcsim.Simulation) -> None:
    shared = np.from_dlpack(ball.positions)
    ball.step()
    assert shared.ctypes.data == ball.positions.ctypes.data
    assert (shared == ball.positions).all()

    torch = pytest.importorskip("torch")
    shared = torch.from_dlpack(ball.positions)
    ball.step()
    assert shared.data_ptr() == ball.positions.ctypes.data
    assert (shared.numpy() == ball.positions).all()


def test_negative_numbers_of_steps_are_refused(ball: ipcsim.Simulation) -> None:
    with pytest.raises(ValueError, match="count is -1, but must not be negative"):
        ball.step(-1)
    assert ball.steps == 0


def test_places_and_velocities_are_set_or_refused(ball: ipcsim.Simulation) -> None:
    ball.step(2)
    up = ball.coordinates.copy()
    nodes = ball.body("ball").nodes
    up[nodes] += [0.5, 0.25]
    ball.set_state(coordinates=up)
    assert ball.body("ball").centre[0] == pytest.approx(0.5)
    still = np.zeros_like(ball.coordinates)
    ball.set_state(velocities=still)
    assert ball.energies["kinetic"] == 0
    assert ball.steps == 2

    before = ball.hash
    down = up.copy()
    down[nodes, 1] -= 0.4
    with pytest.raises(ipcsim.StateError, match='is on or behind "ground"'):
        ball.set_state(coordinates=down)
    with pytest.raises(ipcsim.StateError, match="not a finite number"):
        ball.set_state(velocities=still + np.nan)
    with pytest.raises(ipcsim.StateError, match="coordinates, but the scene has"):
        ball.set_state(coordinates=up[:3])
    with pytest.raises(ValueError, match="must be \\[nodes, 2\\]"):
        ball.set_state(coordinates=up.ravel())
    with pytest.raises(TypeError):
        ball.set_state()
    assert ball.hash == before


def test_forces_and_gravity_accelerate_as_newton_says(ball: ipcsim.Simulation) -> None:
    mass = ball.body("ball").mass
    ball.gravity = (0.0, 0.0)
    ball.set_force("ball", (2 * mass, mass))
    ball.step(5)
    assert ball.body("ball").velocity == pytest.approx([0.1, 0.05], abs=1e-9)
    ball.set_force("ball", (0.0, 0.0))
    ball.step(5)
    assert ball.body("ball").velocity == pytest.approx([0.1, 0.05], abs=1e-9)
    with pytest.raises(ipcsim.StateError, match="is an obstacle"):
        ball.set_force("ground", (1.0, 0.0))
    with pytest.raises(KeyError):
        ball.set_force("bell", (1.0, 0.0))


def test_what_was_set_makes_a_scene_whose_run_has_the_same_bits(tmp_path: Path) -> None:
    scene = ball_scene()
    data = scene.data
    data["loads"] = [{"name": "wind", "body": "ball", "force": [1.0, 0.0]}]
    driven = ipcsim.Simulation(data)
    driven.step(4)
    driven.set_load("wind", 0.5)
    driven.set_friction("ball", "ground", 0.4, kinetic=0.3)
    driven.set_force("ball", (0.1, 0.2))
    driven.step(3)
    driven.gravity = (0.5, -9.0)
    assert driven.gravity == (0.5, -9.0)
    driven.set_target("ground", (0.0, -0.01))
    driven.step(13)
    assert [change["after"] for change in driven.changes] == [4, 4, 4, 7, 7]

    again = ipcsim.Simulation(driven.recorded())
    again.run()
    assert (again.steps, again.hash) == (20, driven.hash)

    # The program runs it too, resumes it, and verifies the folder.
    driven.recorded().save(tmp_path / "driven.json")
    run = [sys.executable, "-m", "ipcsim", "run", str(tmp_path / "driven.json"), "--no-frames"]
    subprocess.run([*run, "--out", str(tmp_path / "out")], check=True, capture_output=True)
    report = json.loads((tmp_path / "out" / "run.json").read_text())
    assert report["hash"] == driven.hash
    assert len(ipcsim.verify(tmp_path / "out")) > 0


def test_what_cannot_be_set_is_refused(ball: ipcsim.Simulation) -> None:
    with pytest.raises(ipcsim.StateError, match='did you mean "ground"'):
        ball.set_friction("ball", "grond", 0.5)
    with pytest.raises(ipcsim.StateError, match="must not be negative"):
        ball.set_friction("ball", "ground", -0.5)
    with pytest.raises(ipcsim.StateError, match="no load"):
        ball.set_load("wind", 1.0)
    with pytest.raises(ipcsim.StateError, match='nothing prescribes "ball"'):
        ball.set_target("ball", (0.0, 0.1))
    assert ball.changes == []
    ball.set_state(ball.state())
    with pytest.raises(ipcsim.StateError, match="there is no journal from step 0 on"):
        ball.recorded()


def test_threads_change_no_bit() -> None:
    scene = ball_scene()
    scene.set("bodies.0.shape.disk.segments", 160)
    hashes = set()
    for threads in (None, 1, 2, 5):
        simulation = ipcsim.Simulation(scene, threads=threads)
        assert simulation.is_serial == (threads == 1)
        simulation.step(8)
        hashes.add(simulation.hash)
    assert len(hashes) == 1
    with pytest.raises(ValueError, match="must be from 1 to 1024"):
        ipcsim.Simulation(scene, threads=0)


def test_other_threads_run_while_a_step_does_and_calls_of_them_are_refused() -> None:
    scene = ball_scene()
    scene.set("bodies.0.shape.disk.segments", 120)
    simulation = ipcsim.Simulation(scene)
    refused: list[Exception] = []
    count = 0
    worker = threading.Thread(target=simulation.step, args=(20,))
    worker.start()
    while worker.is_alive():
        count += 1
        try:
            simulation.step()
        except RuntimeError as error:
            refused.append(error)
        time.sleep(0.001)
    worker.join()
    assert count > 3
    assert refused


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Ctrl-C raises an exception, also in a process that was started in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_ends_a_batch_with_as_many_steps_of_all() -> None:
    batch = ipcsim.Batch(ball_scene(), 5)
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        batch.step(10**6)
    steps = batch.bind("steps")
    assert steps[0] > 0
    assert (steps == steps[0]).all()


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_ends_within_a_step(threads: int) -> None:
    scene = ipcsim.Scene(step=0.05, steps=10)
    scene.add_material("rubber", density=1000, law=RUBBER)
    shape = {"square": {"side": 1, "segments": 80}}
    scene.add_body("block", shape, "rubber", position=[0, 0.62], velocity=[3, -20])
    ground = {"half_plane": {"normal": [0.1, 1], "origin": [0, 0]}}
    scene.add_obstacle("ground", ground)
    whole = ipcsim.Simulation(scene, threads=threads)
    start = time.monotonic()
    whole.step()
    duration = time.monotonic() - start

    stopped = ipcsim.Simulation(scene, threads=threads)
    threading.Timer(duration / 4, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        stopped.step()
    assert stopped.steps == 0
    stopped.step()
    assert stopped.hash == whole.hash


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_ends_after_a_step() -> None:
    simulation = ipcsim.Simulation(ball_scene())
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        simulation.step(10**6)
    assert simulation.steps > 0
    assert simulation.report.step == simulation.steps
    steps = simulation.steps
    simulation.step()
    assert simulation.steps == steps + 1


def hash_after(simulation: ipcsim.Simulation, queue: multiprocessing.Queue[str]) -> None:
    """Steps a simulation in a child, and reads all that may need threads."""
    simulation.step(5)
    assert len(simulation.contacts()) == simulation.report.contacts
    assert len(simulation.reactions()) == 1
    assert (simulation.stress() >= 0).all()
    assert simulation.render((64, 36)).shape == (36, 64, 3)
    simulation.set_state(simulation.state())
    assert ipcsim.Simulation(ball_scene()).steps == 0
    queue.put(simulation.hash)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("segments", [12, 160])
def test_a_fork_continues_with_the_same_bits(segments: int) -> None:
    scene = ball_scene()
    scene.set("bodies.0.shape.disk.segments", segments)
    simulation = ipcsim.Simulation(scene)
    simulation.step(2)

    fork = multiprocessing.get_context("fork")
    queue: multiprocessing.Queue[str] = fork.Queue()
    child = fork.Process(target=hash_after, args=(simulation, queue))
    child.start()
    found = queue.get(timeout=60)
    child.join(60)
    assert child.exitcode == 0
    simulation.step(5)
    assert found == simulation.hash


def test_pictures_and_plots(ball: ipcsim.Simulation) -> None:
    image = ball.render()
    settings = ball.scene["output"]
    assert image.shape == (settings["height"], settings["width"], 3)
    assert image.dtype == np.uint8
    assert len(np.unique(image.reshape(-1, 3), axis=0)) > 10
    ball.step(15)
    for color in ("body", "stress", "speed", "pressure"):
        other = ball.render((320, 180), color=color)
        assert other.shape == (180, 320, 3)
    near = ball.render((320, 180), view=(-0.1, 0.0, 0.1, 0.1))
    assert (near != other).any()
    with pytest.raises(ValueError, match="invalid value 'heat' for '--color-by"):
        ball.render(color="heat")
    with pytest.raises(ValueError, match="each side must be from 16 to 16384"):
        ball.render((0, 10))
    path: Any = "end.png"
    with pytest.raises(ValueError, match="two numbers of pixels"):
        ball.render(path)


def test_pictures_have_the_options_of_the_program(ball: ipcsim.Simulation) -> None:
    ball.step(30)
    size = (320, 180)
    usual = ball.render(size, color="stress")
    for changed in (
        ball.render(size, color="stress", smooth=True),
        ball.render(size, color="stress", range=(0.0, 1e6)),
        ball.render(size, color="stress", log=True),
        ball.render(size, color="stress", palette="cividis"),
        ball.render(size, color="stress", labels=False),
        ball.render(size, color="stress", forces="arrows"),
        ball.render(size, color="stress", forces="arrows", arrow_scale=3.0),
        ball.render(size, color="stress", forces="network"),
        ball.render(size, color="stress", follow="ball"),
        ball.render(size, body_colors={"ball": "#d55e00"}),
    ):
        assert changed.shape == usual.shape
        assert (changed != usual).any()
    assert (ball.render(size, diagram=True) == ball.render(size)).all()
    with pytest.raises(ipcsim.RunError, match='no body or obstacle is named "bal"'):
        ball.render(follow="bal")
    with pytest.raises(ValueError, match="two ascending numbers"):
        ball.render(range=(2.0, 1.0))


def test_plots(ball: ipcsim.Simulation) -> None:
    ball.step(15)

    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    ax = ball.plot(values=ball.stress())
    assert ax.get_title() == f"t = {ball.time:.4g} s"
    plt.close("all")


def test_pictures_show_where_bodies_are_now() -> None:
    scene = ball_scene(velocity=[30.0, 0.0])
    simulation = ipcsim.Simulation(scene)
    start = simulation.view
    simulation.step(20)
    left, bottom, right, top = simulation.view
    ball = simulation.body("ball").positions
    assert left <= start[0] and right > start[2]
    assert (ball[:, 0] < right).all() and (ball[:, 1] < top).all() and bottom <= start[1]
    colours = simulation.render((320, 180)).std(axis=2)
    assert (colours > 12).sum() > 20
    assert simulation._repr_png_().startswith(b"\x89PNG")
    assert ipcsim.__version__


def test_a_key_that_scenes_do_not_have_is_refused_as_it_is_set() -> None:
    scene = ball_scene()
    with pytest.raises(KeyError, match="friction"):
        scene.set("contact.fricton.default", 0.3)
    scene.set("contact.friction.default", 0.3)


def test_bodies_of_revolution_have_a_stress_around_their_axis() -> None:
    held = [{"vertices": {"side": side}, "axis": "y"} for side in ("bottom", "top")]
    pipe = {
        "name": "pipe",
        "material": "steel",
        "position": [1.5, 0.25],
        "shape": {"rectangle": {"size": [1, 0.5], "segments": [8, 4]}},
        "prescribed": held,
    }
    law = {"neo_hookean": {"young": 1e9, "poisson": 0.3}}
    scene = ipcsim.Scene(
        {
            "plane": "axisymmetric",
            "time": {"step": 1, "steps": 1, "integrator": "static"},
            "gravity": [0, 0],
            "materials": {"steel": {"density": 7800, "law": law}},
            "bodies": [pipe],
            "loads": [{"name": "p", "body": "pipe", "on": {"side": "left"}, "pressure": 100}],
        }
    )
    simulation = ipcsim.Simulation(scene)
    simulation.step()
    # Lame: p (a^2 + b^2) / (b^2 - a^2) at the bore, p 2 a^2 / (b^2 - a^2) outside.
    stress = simulation.hoop_stress()
    assert 140 < stress.max() < 167
    assert 66 < stress.min() < 73


def test_pressures_and_volumes_of_chambers_are_read_by_name() -> None:
    angles = [0.25 * math.pi * k for k in range(8)]
    corners = [[0.1 * math.cos(angle), 0.1 * math.sin(angle)] for angle in angles]
    scene = {
        "time": {"step": 0.01, "steps": 5},
        "materials": {"skin": {"density": 1000}},
        "bodies": [
            {
                "name": "bag",
                "material": "skin",
                "kind": {"rod": {"young": 1e7, "thickness": 0.002}},
                "shape": {"polyline": {"points": corners, "closed": True}},
            }
        ],
        "chambers": [{"name": "air", "walls": [{"body": "bag"}], "pressure": {"gauge": 1000}}],
    }
    simulation = ipcsim.Simulation(scene)
    gas = simulation.chambers()["air"]
    area = 4 * 0.1**2 * math.sin(0.25 * math.pi)
    assert gas["volume"] == pytest.approx(area) and gas["gauge"] == pytest.approx(1000)
    simulation.run(5)
    after = simulation.chambers()["air"]
    assert after["amount"] == gas["amount"] and after["volume"] > gas["volume"]
    assert after["pressure"] == pytest.approx(101325 * after["amount"] / after["volume"])
