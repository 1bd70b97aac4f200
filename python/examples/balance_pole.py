"""A cart balances a pole: an environment of gymnasium whose action is the speed of a motor.

A motor in a slider drives the cart along a rail, and the pole turns on a hinge with a damper. The
action sets the speed of the motor for some steps, by `Simulation.set_joint`, or by an array of
`Batch.control` in the vector form. A controller with four gains keeps the pole upright after any
small push; without it the pole falls onto its stop.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box
from numpy.typing import NDArray

import ipcsim

Floats = NDArray[np.float64]

LENGTH = 1.0
"""Length of the pole (m)."""

SPEED = 3.0
"""Largest speed of the cart (m/s)."""

SKIP = 2
"""Number of steps for each action."""

COUNT = 150
"""Number of actions of an episode."""

OBSERVATION = Box(-100.0, 100.0, (4,), np.float64)
"""Place (m) and speed (m/s) of the cart, tilt (rad) and angular velocity (rad/s) of the pole."""

ACTION = Box(-1.0, 1.0, (1,), np.float32)
"""Share of the largest speed."""


def scene() -> ipcsim.Scene:
    """The cart on its rail, with the pole upright."""
    scene = ipcsim.Scene(step=0.01, steps=SKIP * COUNT)
    scene.set("time.integrator", "bdf2")
    scene.add_material("wood", density=500)
    cart = {"rectangle": {"size": [0.3, 0.1], "segments": [1, 1]}}
    scene.add_body("cart", cart, "wood", kind="rigid", group="machine")
    pole = {"rectangle": {"size": [0.04, LENGTH], "segments": [1, 1]}}
    place = {"position": [0, 0.5 * LENGTH], "velocity": [0, 0], "spin_deg": 0, "group": "machine"}
    scene.add_body("pole", pole, "wood", kind="rigid", **place)
    rail = {"rectangle": {"size": [8.0, 0.02], "segments": [1, 1]}}
    scene.add_obstacle("rail", rail, group="machine")
    motor = {"speed": 0.0, "force": 500.0}
    slider = {"name": "drive", "bodies": ["rail", "cart"], "at": [0, 0], "axis": [1, 0]}
    hinge = {"name": "pivot", "bodies": ["cart", "pole"], "at": [0, 0], "limits_deg": [-80, 80]}
    scene.set("joints", [{"slider": {**slider, "motor": motor}}, {"hinge": hinge}])
    return scene


def act(observation: Floats) -> Floats:
    """Actions `[..., 1]` of the controller: the cart runs after the pole, and back to the middle.

    For an acceleration `a` of the cart a thin pole obeys `tilt'' = 3/(2 L) (g tilt + a)`. The gains
    place all four poles of this system at -3/s, and an action lasts 0.02 s.
    """
    place, speed, tilt, turning = np.moveaxis(observation, -1, 0)
    wanted = speed + 0.02 * (5.5 * place + 7.4 * speed - 49.5 * tilt - 12.9 * turning)
    action: Floats = np.clip(wanted / SPEED, -1.0, 1.0)[..., None]
    return action


class BalancePole(gymnasium.Env[Floats, Any]):
    """One episode after another, on one simulation."""

    metadata = {"render_modes": ["rgb_array"], "render_fps": 50}
    observation_space = OBSERVATION
    action_space = ACTION

    def __init__(self, render_mode: str | None = None) -> None:
        self.render_mode = render_mode
        self.simulation = ipcsim.Simulation(scene())
        self.start = self.simulation.state()
        self.count = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Floats, dict[str, Any]]:
        """Draws a push of the pole."""
        super().reset(seed=seed)
        self.simulation.set_joint("drive", speed=0.0)
        self.simulation.set_state(self.start)
        velocities = self.simulation.coordinate_velocities.copy()
        nodes = self.simulation.body("pole").nodes
        push = self.np_random.uniform(-0.4, 0.4)
        velocities[nodes.start, 0] = -0.5 * LENGTH * push
        velocities[nodes.start + 1, 0] = push
        self.simulation.set_state(velocities=velocities)
        self.count = 0
        return self.observe(), {}

    def observe(self) -> Floats:
        """Observation of the present state."""
        cart, pole = (self.simulation.body(name) for name in ("cart", "pole"))
        numbers = [cart.centre[0], cart.velocity[0], pole.angle, pole.angular_velocity]
        return np.array(numbers, dtype=float)

    def step(self, action: Any) -> tuple[Floats, float, bool, bool, dict[str, Any]]:
        """Drives the cart for some steps."""
        speed = float(np.clip(action[0], -1, 1)) * SPEED
        self.simulation.set_joint("drive", speed=speed)
        self.simulation.step(SKIP)
        self.count += 1
        observation = self.observe()
        fallen = bool(abs(observation[2]) > 1.0)
        return observation, float(not fallen), fallen, self.count >= COUNT, {}

    def render(self) -> Any:
        """Picture of the present state."""
        return self.simulation.render((640, 320), view=(-2.0, -0.4, 2.0, 1.6))


def balance(count: int, control: bool = True) -> tuple[Floats, Floats]:
    """Tilts (rad) and places of the cart (m) of a batch of poles at the end of an episode."""
    batch = ipcsim.Batch(scene(), count)
    spin = batch.expand("bodies.pole.spin_deg")
    velocity = batch.expand("bodies.pole.velocity")
    spin[:] = np.linspace(-40.0, 40.0, count)
    velocity[:, 0] = -0.5 * LENGTH * np.radians(spin)
    batch.reset()

    # What is read and what is written, live from step to step.
    speed = batch.control("joints.drive.motor.speed")
    centres, velocities = batch.bind("centres"), batch.bind("body_velocities")
    angles, spins = batch.bind("angles"), batch.bind("spins")
    cart, pole = (batch.names.index(name) for name in ("cart", "pole"))
    for _ in range(COUNT):
        parts = [centres[:, cart, 0], velocities[:, cart, 0], angles[:, pole], spins[:, pole]]
        if control:
            speed[:] = SPEED * act(np.stack(parts, axis=-1))[:, 0]
        batch.step(SKIP)
    assert not batch.failures
    return angles[:, pole].copy(), centres[:, cart, 0].copy()


def main() -> None:
    """Balances a batch of poles, and one in the environment."""
    tilts, places = balance(64)
    fallen, _ = balance(64, control=False)
    print(f"largest tilt after 3 s: {np.degrees(np.abs(tilts).max()):.2f} degrees with control,")
    print(f"{np.degrees(np.abs(fallen).max()):.0f} degrees without")
    assert np.abs(tilts).max() < np.radians(2) and np.abs(places).max() < 2
    assert np.median(np.abs(fallen)) > 1

    env = BalancePole()
    observation, _ = env.reset(seed=3)
    total = 0.0
    for _ in range(COUNT):
        observation, reward, *_ = env.step(act(observation))
        total += reward
    assert total == COUNT, total


if __name__ == "__main__":
    main()
