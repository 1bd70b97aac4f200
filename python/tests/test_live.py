"""The live page of a simulation as it lies, and of a scene with a fault."""

from __future__ import annotations

from urllib.request import urlopen

import pytest

import ipcsim


def falling() -> ipcsim.Scene:
    scene = ipcsim.Scene(step=0.01, steps=100)
    scene.add_material("steel", density=7800)
    scene.add_body("ball", {"circle": {"radius": 0.1}}, "steel", kind="rigid")
    return scene


def test_a_scene_from_here_has_the_bits_of_the_next_steps() -> None:
    simulation = ipcsim.Simulation(falling())
    simulation.step(10)
    later = ipcsim.Simulation(simulation.scene_from_here())
    simulation.step(10)
    later.step(10)
    assert (later.body("ball").centre == simulation.body("ball").centre).all()
    assert later.steps == simulation.steps == 20


def test_a_live_page_is_served_until_it_is_closed() -> None:
    simulation = ipcsim.Simulation(falling())
    simulation.step(5)
    with simulation.live(show=False, height=300) as page:
        with urlopen(page.url) as answer:
            assert b"ipcsim live" in answer.read()
        frame = page._repr_html_()
        assert page.url in frame and "300px" in frame
    assert page.process.returncode is not None


def test_a_scene_with_a_fault_opens_no_page() -> None:
    scene = falling()
    scene.set("time.step", -1)
    with pytest.raises(ipcsim.SceneError):
        ipcsim.live(scene, show=False)
