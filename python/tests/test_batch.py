"""Batches: bits of single runs, parameters, forces, failures."""

from __future__ import annotations

import multiprocessing
import os

import numpy as np
import pytest

import ipcsim
from conftest import ball_scene

COUNT = 12
"""Number of simulations of most batches."""


def single(young: float, velocity: list[float], steps: int) -> ipcsim.Simulation:
    """A single simulation with the parameters of one of a batch."""
    scene = ball_scene(velocity=velocity)
    scene.set("materials.rubber.law.neo_hookean.young", young)
    simulation = ipcsim.Simulation(scene)
    simulation.step(steps)
    return simulation


@pytest.mark.parametrize("threads", [None, 1, 3])
def test_every_simulation_has_the_bits_of_a_single_one(threads: int | None) -> None:
    batch = ipcsim.Batch(ball_scene(), COUNT, threads=threads)
    assert len(batch) == COUNT
    young = batch.expand("materials.rubber.law.neo_hookean.young")
    velocity = batch.expand("bodies.0.velocity")
    assert young.shape == (COUNT,)
    assert (young == 1e5).all()
    assert velocity.shape == (COUNT, 2)
    rng = np.random.default_rng(3)
    young[:] = rng.uniform(2e4, 1e6, COUNT)
    velocity[:] = rng.uniform(-1, 1, (COUNT, 2))
    batch.reset()

    positions = batch.bind("positions")
    energy = batch.bind("energy")
    batch.step(30)
    assert positions.shape == (COUNT, len(single(1e5, [0, 0], 0).positions), 2)
    assert (batch.bind("steps") == 30).all()
    for index in range(COUNT):
        alone = single(young[index], velocity[index].tolist(), 30)
        assert positions[index].tobytes() == alone.positions.tobytes()
        assert batch.bind("velocities")[index].tobytes() == alone.velocities.tobytes()
        assert energy[index] == alone.energies["total"]
        assert batch.bind("time")[index] == alone.time
        assert batch.state(index) == alone.state()
        assert (batch.contacts(index).gap == alone.contacts().gap).all()


def test_reset_goes_back_to_the_start_of_those_that_are_chosen() -> None:
    batch = ipcsim.Batch(ball_scene(), 4)
    positions = batch.bind("positions")
    start = positions.copy()
    batch.step(20)
    once = positions.copy()
    batch.reset([1, 3])
    assert (positions[[1, 3]] == start[[1, 3]]).all()
    assert (positions[[0, 2]] == once[[0, 2]]).all()
    batch.reset(np.array([True, True, False, False]))
    assert batch.bind("steps").tolist() == [0, 0, 20, 0]
    batch.reset()
    batch.step(20)
    assert positions.tobytes() == once.tobytes()


def test_forces_act_on_the_simulation_in_whose_row_they_are() -> None:
    scene = ball_scene()
    scene.set("gravity", [0, 0])
    batch = ipcsim.Batch(scene, 3)
    force = batch.bind("force")
    force[:, 0] = [[0, 0], [1, 0], [0, 2]]
    batch.step(10)
    mass = ipcsim.Simulation(scene).body("ball").mass
    part = batch.vertices("ball")
    mean = batch.bind("velocities")[:, part].mean(axis=1)
    assert mean * mass == pytest.approx(np.array([[0, 0], [0.1, 0], [0, 0.2]]), abs=1e-9)

    # The same bits as a single simulation with this force, set and taken back.
    alone = ipcsim.Simulation(scene)
    alone.set_force("ball", (0.0, 2.0))
    alone.step(10)
    alone.set_force("ball", (0.0, 0.0))
    alone.step(5)
    force[:] = 0
    batch.step(5)
    assert batch.bind("positions")[2].tobytes() == alone.positions.tobytes()


def test_callbacks_see_every_step_and_can_end_the_call() -> None:
    batch = ipcsim.Batch(ball_scene(), 3)
    seen: list[int] = []
    batch.step(5, lambda batch: seen.append(int(batch.bind("steps")[0])))
    assert seen == [1, 2, 3, 4, 5]
    batch.step(50, lambda batch: False)
    assert (batch.bind("steps") == 6).all()


def test_one_that_fails_is_reported_and_the_others_go_on() -> None:
    scene = ball_scene()
    press = {"half_plane": {"normal": [0, -1], "origin": [0, 0.3]}}
    scene.add_obstacle("press", press, velocity=[0, 0])
    batch = ipcsim.Batch(scene, 4)
    speed = batch.expand("obstacles.1.velocity")
    speed[2] = [0, -1]
    batch.reset()
    batch.step(60)
    assert list(batch.failures) == [2]
    failure = batch.failures[2]
    assert isinstance(failure, ipcsim.StepError)
    steps = batch.bind("steps")
    assert batch.bind("failed").tolist() == [False, False, True, False]
    assert steps.tolist() == [60, 60, failure.step - 1, 60]

    # Its exception is that of the single simulation, and a reset takes it back.
    alone = ball_scene()
    alone.add_obstacle("press", press, velocity=[0, -1])
    with pytest.raises(ipcsim.StepError) as raised:
        ipcsim.Simulation(alone).step(60)
    assert failure.args == raised.value.args
    batch.reset()
    assert not batch.failures
    assert (steps == 0).all()


def test_states_move_between_simulations_to_the_last_bit() -> None:
    batch = ipcsim.Batch(ball_scene(), 3)
    batch.step(15)
    state = batch.state(0)
    batch.step(10)
    expected = batch.bind("positions")[0].copy()
    batch.set_state(1, state)
    assert batch.bind("steps").tolist() == [25, 15, 25]
    batch.step(10)
    assert batch.bind("positions")[1].tobytes() == expected.tobytes()
    with pytest.raises(IndexError, match="there is no simulation 3"):
        batch.state(3)


def test_parameters_that_cannot_be_are_refused_and_change_nothing() -> None:
    batch = ipcsim.Batch(ball_scene(), 3)
    batch.step(4)
    density = batch.expand("materials.rubber.density")
    density[1] = -5
    with pytest.raises(ipcsim.SceneError) as raised:
        batch.reset()
    assert raised.value.path == "materials.rubber.density"
    assert (batch.bind("steps") == 4).all()
    density[1] = 500
    batch.reset()
    assert (batch.bind("steps") == 0).all()

    with pytest.raises(KeyError, match="leads to no value"):
        batch.expand("materials.ruber.density")
    with pytest.raises(KeyError, match='unknown key "densty"; did you mean "density"'):
        batch.expand("materials.rubber.densty")
    with pytest.raises(TypeError, match="is no number"):
        batch.expand("bodies.0.name")
    with pytest.raises(KeyError, match="no array is named"):
        batch.bind("position")
    with pytest.raises(ValueError, match="read-only"):
        batch.bind("positions")[0, 0, 0] = 1
    with pytest.raises(ValueError, match="at least one"):
        ipcsim.Batch(ball_scene(), 0)


def last_place(batch: ipcsim.Batch, queue: multiprocessing.Queue[bytes]) -> None:
    """Steps a batch in a child."""
    batch.step(5)
    queue.put(batch.bind("positions").tobytes())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_fork_continues_with_the_same_bits() -> None:
    batch = ipcsim.Batch(ball_scene(), 6)
    batch.step(3)
    fork = multiprocessing.get_context("fork")
    queue: multiprocessing.Queue[bytes] = fork.Queue()
    child = fork.Process(target=last_place, args=(batch, queue))
    child.start()
    found = queue.get(timeout=60)
    child.join(60)
    batch.step(5)
    assert found == batch.bind("positions").tobytes()
