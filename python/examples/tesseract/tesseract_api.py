"""Contact as a Tesseract: a soft block that is thrown onto the ground and slides.

The inputs are the block's modulus, the friction and the velocity of the throw, the output its
vertices over time. `apply` runs the scene; `vector_jacobian_product` and `jacobian_vector_product`
are the adjoint and the tangent of `ipcsim.diff`, through contact and friction.

It works in process, without a container:

>>> from tesseract_core import Tesseract
>>> block = Tesseract.from_tesseract_api("python/examples/tesseract/tesseract_api.py")
>>> inputs = {"young": 1e5, "friction": 0.3, "velocity": [1.0, -0.5]}
>>> block.apply(inputs)["positions"].shape
(31, 29, 2)
"""

from __future__ import annotations

from typing import Any

import numpy as np
from pydantic import BaseModel, Field
from tesseract_core.runtime import Array, Differentiable, Float64, ShapeDType

import ipcsim
from ipcsim import diff

STEPS = 30
"""Number of steps."""

SEGMENTS = [6, 3]
"""Cells along and across the block."""

PATHS = {
    "young": "materials.rubber.law.neo_hookean.young",
    "friction": "contact.friction.default",
    "velocity": "bodies.block.velocity",
}
"""Numbers of the scene that the inputs are."""


def scene() -> ipcsim.Scene:
    """A block of rubber that is thrown onto the ground."""
    scene = ipcsim.Scene(step=0.01, steps=STEPS)
    law = {"neo_hookean": {"young": 1e5, "poisson": 0.4}}
    scene.add_material("rubber", density=1000, law=law)
    shape = {"rectangle": {"size": [0.2, 0.1], "segments": SEGMENTS}}
    scene.add_body("block", shape, "rubber", position=[0, 0.055], velocity=[1.0, -0.5])
    scene.add_obstacle("ground", {"half_plane": {"normal": [0, 1], "origin": [0, 0]}})

    # Reach and stiffness of contact would follow from the modulus; all runs share these.
    scene.set("contact", {"d_hat": 2e-3, "kappa": 1e5, "friction": {"default": 0.3}})
    return scene


MODEL = diff.Model(scene())


PLACES = MODEL.shapes()["positions"]
"""States, vertices of the block and one of the ground, and axes."""


class InputSchema(BaseModel):
    """Numbers of the scene."""

    young: Differentiable[Float64] = Field(description="Young's modulus (Pa)")
    friction: Differentiable[Float64] = Field(description="Coefficient of friction")
    velocity: Differentiable[Array[(2,), Float64]] = Field(
        description="Velocity of the throw (m/s)"
    )


class OutputSchema(BaseModel):
    """Motion of the block."""

    positions: Differentiable[Array[PLACES, Float64]] = Field(
        description="Places of all vertices at the start and after each step (m)"
    )


def named(inputs: InputSchema) -> dict[str, Any]:
    """Values of the inputs by their paths in the scene."""
    return {path: np.asarray(getattr(inputs, name)) for name, path in PATHS.items()}


def apply(inputs: InputSchema) -> OutputSchema:
    """Runs the scene."""
    return OutputSchema(positions=MODEL.rollout(named(inputs))["positions"])


def vector_jacobian_product(
    inputs: InputSchema,
    vjp_inputs: set[str],
    vjp_outputs: set[str],
    cotangent_vector: dict[str, Any],
) -> dict[str, Any]:
    """Derivatives by the inputs of a number, from those by the outputs."""
    by, _ = MODEL.vjp(named(inputs), None, {name: cotangent_vector[name] for name in vjp_outputs})
    return {name: by[PATHS[name]] for name in vjp_inputs}


def jacobian_vector_product(
    inputs: InputSchema,
    jvp_inputs: set[str],
    jvp_outputs: set[str],
    tangent_vector: dict[str, Any],
) -> dict[str, Any]:
    """Changes of the outputs by a change of the inputs."""
    tangent = {PATHS[name]: tangent_vector[name] for name in jvp_inputs}
    change = MODEL.jvp(named(inputs), None, tangent)
    return {name: change[name] for name in jvp_outputs}


def abstract_eval(abstract_inputs: Any) -> dict[str, ShapeDType]:
    """Shapes of the outputs, without a run."""
    return {"positions": ShapeDType(shape=PLACES, dtype="float64")}
