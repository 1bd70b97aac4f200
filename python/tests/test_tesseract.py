"""The Tesseract of the examples, in process, if `tesseract-core` is installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

API = Path(__file__).resolve().parent.parent / "examples" / "tesseract" / "tesseract_api.py"

INPUTS: dict[str, Any] = {"young": 1e5, "friction": 0.3, "velocity": [1.0, -0.5]}


def test_a_tesseract_of_contact_has_derivatives() -> None:
    pytest.importorskip("tesseract_core.runtime")
    core = pytest.importorskip("tesseract_core")
    block = core.Tesseract.from_tesseract_api(str(API))
    positions = block.apply(INPUTS)["positions"]

    # The sum of all x at the end, by friction: adjoint, tangent and differences.
    cotangent = np.zeros_like(positions)
    cotangent[-1, :, 0] = 1.0
    by = block.vector_jacobian_product(
        INPUTS, ["friction", "velocity"], ["positions"], {"positions": cotangent}
    )
    change = block.jacobian_vector_product(INPUTS, ["friction"], ["positions"], {"friction": 1.0})
    along = float(np.sum(change["positions"] * cotangent))
    assert along == pytest.approx(float(by["friction"]), rel=1e-9)
    sides = [
        float(np.sum(block.apply({**INPUTS, "friction": at})["positions"] * cotangent))
        for at in (0.3001, 0.2999)
    ]
    assert (sides[0] - sides[1]) / 2e-4 == pytest.approx(along, rel=1e-5)
    assert np.shape(by["velocity"]) == (2,)

    shapes = {
        "young": {"shape": [], "dtype": "float64"},
        "friction": {"shape": [], "dtype": "float64"},
        "velocity": {"shape": [2], "dtype": "float64"},
    }
    found = block.abstract_eval(shapes)["positions"]
    assert tuple(found["shape"]) == positions.shape
