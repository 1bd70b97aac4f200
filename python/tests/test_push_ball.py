"""The environment of the example keeps the rules of gymnasium, single and in vector form."""

from __future__ import annotations

import runpy
from typing import Any

import numpy as np
import pytest

from test_page import HERE

gymnasium = pytest.importorskip("gymnasium")


@pytest.fixture(scope="module")
def example() -> dict[str, Any]:
    """Names of the example, which is not run."""
    return runpy.run_path(str(HERE / "examples" / "push_ball.py"))


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_the_single_environment_passes_the_checker(example: dict[str, Any]) -> None:
    from gymnasium.utils.env_checker import check_env

    check_env(example["PushBall"](render_mode="rgb_array"), skip_render_check=False)


def test_a_seed_decides_an_episode(example: dict[str, Any]) -> None:
    env = example["PushBall"]()
    episodes = []
    for _ in range(2):
        observations = [env.reset(seed=5)[0]]
        observations += [env.step(np.array([0.8]))[0] for _ in range(20)]
        episodes.append(np.array(observations))
    assert episodes[0].tobytes() == episodes[1].tobytes()
    assert (episodes[0] != env.reset(seed=6)[0]).any()


def test_the_vector_form_plays_the_episodes_of_the_single_one(example: dict[str, Any]) -> None:
    count = 4
    envs = example["PushBallVector"](count)
    many, _ = envs.reset(seed=11)
    singles = [example["PushBall"]() for _ in range(count)]
    one = np.array([env.reset(seed=11 + index)[0] for index, env in enumerate(singles)])
    assert many == pytest.approx(one, abs=1e-12)

    # The box starts with other rounding, so that bits differ.
    actions = np.array([[1.0], [0.5], [-1.0], [0.9]])
    for _ in range(15):
        many, rewards, *_ = envs.step(actions)
        steps = [env.step(action) for env, action in zip(singles, actions, strict=True)]
        assert many == pytest.approx(np.array([step[0] for step in steps]), abs=1e-6)
        assert rewards == pytest.approx([step[1] for step in steps], abs=1e-6)


def test_an_episode_that_ends_begins_anew_with_the_next_step(example: dict[str, Any]) -> None:
    envs = example["PushBallVector"](2)
    envs.reset(seed=1)
    actions = np.zeros((2, 1))
    for number in range(1, example["LENGTH"] + 1):
        *_, failed, over, _ = envs.step(actions)
        assert not failed.any()
        assert over.all() == (number == example["LENGTH"])
    observations, rewards, _, over, _ = envs.step(actions)
    assert (rewards == 0).all()
    assert not over.any()
    assert (observations[:, 1] == 0).all()
    assert (envs.batch.bind("steps") == 0).all()
