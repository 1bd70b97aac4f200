"""A soft ball is pushed to a goal: an environment of gymnasium, and a policy that learns it.

A rigid box on a slope is driven by a force and pushes a soft ball uphill. The ball should come to
a goal soon and be held there: without the box it rolls back. `PushBall` is one environment,
`PushBallVector` many of them in a batch. The cross-entropy method finds a linear policy: it draws
policies from a normal distribution, keeps the best, and fits the distribution to them.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

import ipcsim

Floats = NDArray[np.float64]

RADIUS = 0.1
"""Radius of the ball (m)."""

SLOPE = np.radians(8)
"""Angle of the slope (rad). The axis x points uphill."""

FORCE = 120.0
"""Largest force on the box (N)."""

SKIP = 2
"""Number of steps for each action."""

LENGTH = 60
"""Number of actions of an episode."""

NEAR = 0.05
"""Distance from the goal that counts as reached (m)."""

OBSERVATION = Box(-100.0, 100.0, (4,), np.float64)
"""Way from the ball to the goal (m), velocity of the ball (m/s), way from the box to the ball (m),
velocity of the box (m/s)."""

ACTION = Box(-1.0, 1.0, (1,), np.float32)
"""Share of the largest force."""


def scene() -> ipcsim.Scene:
    """The box and the ball on the slope."""
    scene = ipcsim.Scene(step=0.02, steps=SKIP * LENGTH)
    scene.set("gravity", [-9.81 * np.sin(SLOPE), -9.81 * np.cos(SLOPE)])
    law = {"neo_hookean": {"young": 3e4, "poisson": 0.3}}
    scene.add_material("foam", density=200, law=law)
    scene.add_material("wood", density=500)
    disk = {"disk": {"radius": RADIUS, "segments": 12}}
    scene.add_body("ball", disk, "foam", position=[0, RADIUS + 0.002])
    square = {"square": {"side": 0.15, "segments": 1}}
    scene.add_body("box", square, "wood", kind="rigid", position=[-0.25, 0.077], fixed=["angle"])
    scene.add_obstacle("ground", {"half_plane": {"normal": [0, 1], "origin": [0, 0]}})
    scene.set("contact.friction.default", 0.3)
    scene.set("contact.d_hat", 2e-3)
    return scene


def observed(positions: Floats, velocities: Floats, ball: slice, goal: Any) -> Floats:
    """Observations `[..., 4]` from positions and velocities `[..., vertices, 2]`."""
    box = slice(ball.stop, ball.stop + 4)
    x = positions[..., 0]
    v = velocities[..., 0]
    at = x[..., ball].mean(axis=-1)
    way = at - x[..., box].mean(axis=-1)
    parts = [goal - at, v[..., ball].mean(axis=-1), way, v[..., box].mean(axis=-1)]
    return np.stack(parts, axis=-1)


def reward(observation: Floats) -> Any:
    """Reward of a state: less the distance from the goal, and one at the goal."""
    distance = np.abs(observation[..., 0])
    return (distance < NEAR) - distance


def draw(rng: np.random.Generator) -> tuple[float, float]:
    """Goal of an episode (m), and the place of the box at its start (m)."""
    return rng.uniform(0.4, 1.0), rng.uniform(-0.35, -0.2)


class PushBall(gymnasium.Env[Floats, Any]):
    """One episode after another, on one simulation."""

    metadata = {"render_modes": ["rgb_array"], "render_fps": 25}
    observation_space = OBSERVATION
    action_space = ACTION

    def __init__(self, render_mode: str | None = None) -> None:
        self.render_mode = render_mode
        self.simulation = ipcsim.Simulation(scene())
        self.start = self.simulation.state()
        self.goal = 0.0
        self.count = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Floats, dict[str, Any]]:
        """Draws a goal and a place of the box."""
        super().reset(seed=seed)
        self.goal, place = draw(self.np_random)
        self.simulation.set_state(self.start)
        coordinates = self.simulation.coordinates.copy()
        coordinates[self.simulation.body("box").nodes.start, 0] = place
        self.simulation.set_state(coordinates=coordinates)
        self.count = 0
        return self.observe(), {}

    def observe(self) -> Floats:
        """Observation of the present state."""
        ball = self.simulation.body("ball").vertices
        return observed(self.simulation.positions, self.simulation.velocities, ball, self.goal)

    def step(self, action: Any) -> tuple[Floats, float, bool, bool, dict[str, Any]]:
        """Pushes the box for some steps."""
        push = float(np.clip(action[0], -1, 1)) * FORCE
        self.simulation.set_force("box", (push, 0.0))
        self.simulation.step(SKIP)
        self.count += 1
        observation = self.observe()
        return observation, float(reward(observation)), False, self.count >= LENGTH, {}

    def render(self) -> Any:
        """Picture of the present state."""
        return self.simulation.render((640, 240), view=(-0.5, -0.1, 1.4, 0.5))


class PushBallVector(VectorEnv[Floats, Any, Any]):
    """Many environments on a batch. One whose episode has ended begins anew with the next step."""

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(self, num_envs: int) -> None:
        self.num_envs = num_envs
        self.single_observation_space = OBSERVATION
        self.single_action_space = ACTION
        self.observation_space = batch_space(OBSERVATION, num_envs)
        self.action_space = batch_space(ACTION, num_envs)

        # Arrays of the batch: some to read, some to write.
        self.batch = ipcsim.Batch(scene(), num_envs)
        self.place = self.batch.expand("bodies.1.position")
        self.force = self.batch.bind("force")
        self.positions = self.batch.bind("positions")
        self.velocities = self.batch.bind("velocities")
        self.failed = self.batch.bind("failed")
        self.ball = self.batch.vertices("ball")
        self.box = self.batch.names.index("box")

        # Episodes.
        self.generators = [np.random.default_rng() for _ in range(num_envs)]
        self.goals = np.zeros(num_envs)
        self.counts = np.zeros(num_envs, dtype=int)
        self.ended = np.zeros(num_envs, dtype=bool)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Floats, dict[str, Any]]:
        """Begins all episodes. With a seed, environment `i` draws as `PushBall` by `seed + i`."""
        if isinstance(seed, int):
            seed = [seed + index for index in range(self.num_envs)]
        if seed is not None:
            self.generators = [np.random.Generator(np.random.PCG64(one)) for one in seed]
        self.begin(np.ones(self.num_envs, dtype=bool))
        return self.observe(), {}

    def begin(self, which: NDArray[np.bool_]) -> None:
        """Begins the episodes of some environments."""
        for index in np.flatnonzero(which):
            self.goals[index], self.place[index, 0] = draw(self.generators[index])
        self.force[which] = 0
        self.batch.reset(which)
        self.counts[which] = 0
        self.ended[which] = False

    def observe(self) -> Floats:
        """Observations of all environments."""
        return observed(self.positions, self.velocities, self.ball, self.goals)

    def step(self, actions: Any) -> tuple[Floats, Any, Any, Any, dict[str, Any]]:
        """Pushes all boxes for some steps. A simulation that fails ends its episode."""
        again = self.ended.copy()
        self.force[:, self.box, 0] = np.clip(actions[:, 0], -1, 1) * FORCE
        self.batch.step(SKIP)
        self.counts += 1
        if again.any():
            self.begin(again)

        observations = self.observe()
        rewards = np.where(again, 0.0, reward(observations))
        failed = self.failed.copy()
        over = (self.counts >= LENGTH) & ~failed
        self.ended = failed | over
        return observations, rewards, failed, over, {}


def act(policies: Floats, observations: Floats) -> Floats:
    """Actions `[n, 1]` of linear policies `[n, 5]`, or `[5]` for one."""
    pushes = (policies[..., :4] * observations).sum(axis=-1) + policies[..., 4]
    actions: Floats = np.tanh(pushes)[..., None]
    return actions


def play(envs: PushBallVector, policies: Floats, seed: int) -> tuple[Floats, Floats]:
    """Sums of rewards, and distances from the goal at the end (m), `[n]`."""
    observations, _ = envs.reset(seed=seed)
    total = np.zeros(envs.num_envs)
    for _ in range(LENGTH):
        observations, rewards, *_ = envs.step(act(policies, observations))
        total += rewards
    return total, np.abs(observations[:, 0])


def learn(envs: PushBallVector, rounds: int) -> Floats:
    """A linear policy by the cross-entropy method."""
    rng = np.random.default_rng(0)
    mean = np.zeros(5)
    spread = np.array([5.0, 3.0, 3.0, 3.0, 1.0])
    episodes = 4
    count = envs.num_envs // episodes
    for number in range(rounds):
        # Each policy plays several episodes; all policies play the same ones.
        policies = rng.normal(mean, spread, (count, 5))
        total, _ = play(envs, np.repeat(policies, episodes, axis=0), 1000 * number)
        scores = total.reshape(count, episodes).mean(axis=1)
        best = policies[np.argsort(scores)[-count // 6 :]]
        mean = best.mean(axis=0)
        spread = best.std(axis=0) + 0.3 * 0.8**number
        print(f"round {number + 1}: best {scores.max():.1f}, mean {scores.mean():.1f}")
    return mean


def main() -> None:
    """Learns, and plays episodes that were not seen before."""
    envs = PushBallVector(96)
    _, before = play(envs, np.zeros(5), 10**6)
    policy = learn(envs, 8)
    _, after = play(envs, policy, 10**6)
    reached = (after < NEAR).mean()
    print(f"goals reached: {(before < NEAR).mean():.0%} before, {reached:.0%} after learning")
    assert reached > 0.8

    # The single environment plays the same episode.
    env = PushBall()
    observation, _ = env.reset(seed=10**6)
    for _ in range(LENGTH):
        observation, *_ = env.step(act(policy, observation))
    assert abs(observation[0]) < NEAR


if __name__ == "__main__":
    main()
