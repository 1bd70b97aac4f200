"""Scenes that tests share."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import ipcsim

ROOT = Path(os.environ.get("IPCSIM_CLONE", Path(__file__).parents[2]))
"""Top of the clone, with its scenes."""

RUBBER = {"neo_hookean": {"young": 1e5, "poisson": 0.4}}
"""Law of a soft material."""


def ball_scene(**keys: Any) -> ipcsim.Scene:
    """A soft ball above the ground, with more keys of the body."""
    scene = ipcsim.Scene(step=0.01, steps=100)
    scene.add_material("rubber", density=1000, law=RUBBER)
    shape = {"disk": {"radius": 0.1, "segments": 12}}
    scene.add_body("ball", shape, "rubber", **{"position": [0, 0.15], **keys})
    scene.add_obstacle("ground", {"half_plane": {"normal": [0, 1], "origin": [0, 0]}})
    scene.set("contact.friction.default", 0.3)
    return scene


def run_program(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the program: the one of IPCSIM, else the one in the package."""
    own = os.environ.get("IPCSIM")
    program = [own] if own else [sys.executable, "-m", "ipcsim"]
    return subprocess.run([*program, *arguments], capture_output=True, text=True, check=False)


@pytest.fixture
def ball() -> ipcsim.Simulation:
    """A simulation of the soft ball."""
    return ipcsim.Simulation(ball_scene())
