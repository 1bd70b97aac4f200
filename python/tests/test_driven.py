"""Motors, brakes and springs that are driven, single and in batches; observations of batches."""

from __future__ import annotations

import runpy
from typing import Any

import numpy as np
import pytest

import ipcsim
from test_page import HERE


def machine() -> ipcsim.Scene:
    """A wheel with a motor and a brake, a ball on a spring, and a box on the ground."""
    scene = ipcsim.Scene(step=0.01, steps=100)
    scene.add_material("stone", density=1000)
    disk = {"disk": {"radius": 0.1, "segments": 16}}
    square = {"square": {"side": 0.1, "segments": 1}}
    scene.add_body("wheel", disk, "stone", kind="rigid", position=[0, 1], group="m")
    scene.add_body("ball", disk, "stone", kind="rigid", position=[1, 1], group="m")
    scene.add_body("box", square, "stone", kind="rigid", position=[2, 0.051])
    scene.add_obstacle("axle", square, position=[0, 1], group="m")
    scene.add_obstacle("nail", square, position=[1, 2], group="m")
    scene.add_obstacle("ground", {"half_plane": {"normal": [0, 1], "origin": [0, 0]}})
    shaft = {"name": "shaft", "bodies": ["axle", "wheel"], "at": [0, 1], "brake": 0.5}
    motor = {"speed_deg": "90 * t", "torque": 100.0}
    cord = {"name": "cord", "bodies": ["nail", "ball"], "ends": [[1, 2], [1, 1]], "damping": 20.0}
    scene.set(
        "joints",
        [{"hinge": {**shaft, "motor": motor}}, {"spring": {**cord, "stiffness": 1000.0}}],
    )
    scene.set("loads", [{"name": "pull", "body": "box", "force": [10, 0]}])
    scene.set("contact.friction.default", 0.5)
    return scene


def test_controls_have_the_bits_of_a_single_simulation_and_its_journal() -> None:
    batch = ipcsim.Batch(machine(), 3)
    speed = batch.control("joints.shaft.motor.speed_deg")
    brake = batch.control("joints.shaft.brake")
    length = batch.control("joints.cord.spring.length")
    factor = batch.control("loads.pull.factor")
    gravity = batch.control("gravity")
    assert np.isnan(speed).all()
    assert (brake == 0.5).all() and (factor == 1).all()
    assert gravity.shape == (3, 2) and (gravity[:, 1] == -9.81).all()

    batch.step(5)
    speed[:] = [30, 60, 90]
    brake[1] = 20
    length[:] = 0.8
    factor[2] = 3
    gravity[0] = [0, -5]
    batch.step(10)
    alone = ipcsim.Simulation(machine())
    alone.step(5)
    alone.set_joint("shaft", speed_deg=60, brake=20)
    alone.set_joint("cord", length=0.8)
    alone.step(10)
    assert batch.state(1) == alone.state()

    again = ipcsim.Simulation(alone.recorded())
    again.run()
    assert again.state() == alone.state()
    joints = alone.joints()
    assert joints.label == ("shaft", "cord") and joints.kind == ("hinge", "spring")
    assert joints.index("cord") == 1 and not joints.broken.any()
    with pytest.raises(KeyError, match='names are "shaft", "cord"'):
        joints.index("chord")


def test_what_was_set_before_a_reset_does_not_come_back_later() -> None:
    batch = ipcsim.Batch(machine(), 1)
    speed = batch.control("joints.shaft.motor.speed_deg")
    spins = batch.bind("spins")
    speed[:] = 10
    batch.step(5)
    speed[:] = 50
    batch.step(5)
    batch.reset()
    speed[:] = 20
    batch.step(20)
    assert spins[0, 0] == pytest.approx(np.radians(20), rel=1e-9)


def test_observations_are_those_of_single_simulations() -> None:
    batch = ipcsim.Batch(machine(), 2)
    names = ["centres", "body_velocities", "angles", "spins", "contact_forces", "reactions"]
    names += ["joint_forces", "joint_moments", "min_gap"]
    arrays = {name: batch.bind(name) for name in names}
    pair = batch.pair("box", "ground")
    batch.step(30)
    alone = ipcsim.Simulation(machine())
    alone.step(30)
    box = batch.names.index("box")
    for index, body in enumerate(alone.bodies):
        assert (arrays["centres"][1, index] == body.centre).all()
        assert (arrays["body_velocities"][1, index] == body.velocity).all()
        if body.angle is not None:
            assert arrays["angles"][1, index] == body.angle
            assert arrays["spins"][1, index] == body.angular_velocity
    contacts, joints = alone.contacts(), alone.joints()
    assert arrays["contact_forces"][0, box] == pytest.approx(contacts.on("box"))
    assert pair[0] == pytest.approx(contacts.on("box"))
    assert arrays["min_gap"][0] == contacts.gap.min()
    assert (arrays["joint_forces"][0] == joints.force).all()
    assert (arrays["joint_moments"][0] == joints.moment).all()
    axle = batch.names.index("axle")
    assert arrays["reactions"][0, axle] == pytest.approx(alone.reactions().on("axle"))


def test_controls_that_do_not_exist_are_refused() -> None:
    batch = ipcsim.Batch(machine(), 1)
    for path, error, words in [
        ("joints.shaft", KeyError, "no parameter that changes"),
        ("bodies.box.position", KeyError, "no parameter that changes"),
        ("joints.shat.brake", ipcsim.StateError, 'did you mean "shaft"'),
        ("joints.cord.brake", ipcsim.StateError, "has no brake"),
        ("joints.shaft.motor.angle_deg", ipcsim.StateError, "the scene gives it `speed_deg`"),
        ("joints.shaft.motor.sped", Exception, "sped"),
        ("loads.push.factor", ipcsim.StateError, "pull"),
    ]:
        with pytest.raises(error, match=words):
            batch.control(path)
    with pytest.raises(KeyError, match="nothing|no body"):
        batch.pair("box", "moon")
    assert batch.expand("bodies.box.position").shape == (1, 2)


def test_numbers_out_of_range_fail_a_simulation_with_the_reason() -> None:
    batch = ipcsim.Batch(machine(), 2)
    brake = batch.control("joints.shaft.brake")
    brake[1] = -3
    batch.step(2)
    assert list(batch.failures) == [1]
    assert "brake" in str(batch.failures[1])


@pytest.fixture(scope="module")
def example() -> dict[str, Any]:
    """Names of the example, which is not run."""
    return runpy.run_path(str(HERE / "examples" / "balance_pole.py"))


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_the_environment_of_a_machine_passes_the_checker(example: dict[str, Any]) -> None:
    pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    check_env(example["BalancePole"](render_mode="rgb_array"), skip_render_check=False)


def test_a_controller_balances_the_poles_of_a_batch(example: dict[str, Any]) -> None:
    tilts, places = example["balance"](4)
    assert np.abs(tilts).max() < np.radians(2)
    assert np.abs(places).max() < 2
