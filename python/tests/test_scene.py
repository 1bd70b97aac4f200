"""Scenes: from dictionaries, files and calls, with the messages of the program."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import numpy as np
import pytest

import ipcsim
from conftest import ROOT, RUBBER, ball_scene, run_program

BROKEN = sorted((ROOT / "scenes" / "broken").glob("*.json"))


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_a_broken_scene_raises_the_message_that_the_program_prints(path: Path) -> None:
    with pytest.raises(ipcsim.SceneError) as raised:
        ipcsim.Simulation(path)
    ended = run_program("check", str(path))
    assert ended.returncode == 2
    assert ended.stderr == f"error: {raised.value}\n"
    assert raised.value.file == str(path)


def test_there_are_broken_scenes() -> None:
    assert len(BROKEN) > 10


def test_a_problem_of_a_dictionary_has_its_path_and_reason() -> None:
    scene = ball_scene()
    scene.set("materials.rubber.density", -1)
    with pytest.raises(ipcsim.SceneError) as raised:
        ipcsim.Simulation(scene)
    error = raised.value
    assert error.path == "materials.rubber.density"
    assert "must be positive" in error.reason
    assert str(error) == f"{error.path}: {error.reason}"
    assert [problem.severity for problem in error.problems] == ["error"]
    assert error.problems[0].line is None
    assert isinstance(error, ValueError)

    # check() lists the same problem instead of raising it.
    assert scene.check() == error.problems


def test_an_unknown_key_is_named_with_the_nearest_one() -> None:
    scene = ball_scene(velocty=[1, 0])
    (problem,) = [problem for problem in scene.check() if problem.severity == "error"]
    assert problem.path == "bodies[0].velocty"
    assert problem.line is None
    with pytest.raises(ipcsim.SceneError) as raised:
        ipcsim.Simulation(scene)
    assert raised.value.path == "bodies[0].velocty"
    assert raised.value.reason == 'unknown key "velocty"; did you mean "velocity"?'
    assert "line" not in str(raised.value)


def test_overlaps_have_their_places() -> None:
    scene = ball_scene(position=[0, 0.05])
    (problem,) = [problem for problem in scene.check() if problem.severity == "error"]
    assert problem.path == "bodies[0]"
    assert "behind" in problem.reason
    ((_, y),) = problem.places
    assert y < 0


def test_a_scene_of_calls_is_that_of_a_dictionary_and_of_a_text(tmp_path: Path) -> None:
    scene = ball_scene()
    again = ipcsim.Scene(scene.data)
    text = ipcsim.Scene.from_json(scene.to_json())
    file = tmp_path / "ball.json"
    file.write_text(scene.to_json())
    hashes = set()
    for one in (scene, again, text, file, str(file), scene.data):
        simulation = ipcsim.Simulation(one)
        simulation.step(20)
        hashes.add(simulation.hash)
    assert len(hashes) == 1
    assert scene == again


def test_overrides_and_set_change_the_same_value(tmp_path: Path) -> None:
    file = tmp_path / "ball.json"
    file.write_text(ball_scene().to_json())
    given = ipcsim.Scene.from_file(file, ["time.step=0.005", "bodies.0.position=[0,1]"])
    simulation = ipcsim.Simulation(given)
    assert simulation.time_step == 0.005
    assert simulation.scene["name"] == "ball"
    assert simulation.positions[:-1, 1].min() > 0.85

    own = ipcsim.Scene.from_file(file)
    own.set("bodies.0.position", np.array([0.0, 1.0]))
    assert ipcsim.Simulation(own).positions[:-1, 1].min() > 0.85
    with pytest.raises(KeyError, match="leads nowhere"):
        own.set("bodies.7.position", [0, 1])
    with pytest.raises(ValueError, match="overrides"):
        given.set("time.step", 1)


def test_a_scene_shares_nothing_with_what_it_was_made_of() -> None:
    position = [0.0, 0.15]
    scene = ball_scene(position=position)
    data = scene.data
    position[1] = 7
    data["bodies"][0]["position"][1] = 8
    scene.set("materials.rubber.law.neo_hookean.young", 1.0)
    assert scene.data["bodies"][0]["position"] == [0, 0.15]
    assert RUBBER["neo_hookean"]["young"] == 1e5


def test_scenes_pickle_and_compare() -> None:
    for scene in (ball_scene(), ipcsim.Scene.from_file(ROOT / "scenes/two_squares.json")):
        again = pickle.loads(pickle.dumps(scene))
        assert again == scene
        assert ipcsim.Simulation(again).hash == ipcsim.Simulation(scene).hash
    assert ball_scene() != ball_scene(velocity=[1, 0])


def test_a_scene_that_cannot_be_json_is_refused() -> None:
    with pytest.raises(TypeError, match="a scene cannot hold a set"):
        ball_scene(position={0, 1}).check()


def test_the_schema_is_that_of_the_repository() -> None:
    stored = json.loads((ROOT / "scenes" / "scene.schema.json").read_text())
    assert ipcsim.schema() == stored
