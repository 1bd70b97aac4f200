"""Friction and Young's modulus of a block from its trajectory, by least squares.

A soft block is thrown onto the ground and slides until it stops. Its vertices are observed with an
error. How far it slides tells the friction, how it is squeezed tells the stiffness. Gauss and
Newton's method needs the derivatives of the trajectory: `ipcsim.diff` has them through contact and
friction.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

import ipcsim
from ipcsim import diff

Floats = NDArray[np.float64]

STEPS = 60
"""Number of steps that are observed."""

EVERY = 5
"""Number of steps from one observed state to the next."""

YOUNG = "materials.rubber.law.neo_hookean.young"
FRICTION = "contact.friction.default"


def block() -> ipcsim.Scene:
    """A block of rubber that is thrown onto the ground."""
    scene = ipcsim.Scene(step=0.01, steps=STEPS)
    law = {"neo_hookean": {"young": 1e5, "poisson": 0.4}}
    scene.add_material("rubber", density=1000, law=law)
    shape = {"rectangle": {"size": [0.2, 0.1], "segments": [6, 3]}}
    scene.add_body("block", shape, "rubber", position=[0, 0.08], velocity=[1.0, -0.5])
    scene.add_obstacle("ground", {"half_plane": {"normal": [0, 1], "origin": [0, 0]}})
    scene.set("contact.friction.default", 0.5)

    # Numbers that would follow from the stiffness are fixed: all trajectories share them.
    scene.set("contact.d_hat", 2e-3)
    scene.set("contact.kappa", 1e5)
    return scene


class Model:
    """Observed states of the block as a function of `log(E)` and `mu`."""

    def __init__(self) -> None:
        self.model = diff.Model(block())
        self.gradients = 0

    def params(self, at: Floats) -> dict[str, float]:
        """Numbers of the scene."""
        return {YOUNG: float(np.exp(at[0])), FRICTION: float(at[1])}

    def states(self, at: Floats) -> Floats:
        """Every fifth state, `[states, vertices, 2]` (m)."""
        out = self.model.rollout(self.params(at))
        return out["positions"][EVERY::EVERY]

    def derivatives(self, at: Floats) -> Floats:
        """Derivatives of these states, `[2, states, vertices, 2]`."""
        self.gradients += 1
        params = self.params(at)
        directions = [{YOUNG: params[YOUNG]}, {FRICTION: 1.0}]
        changes = [self.model.jvp(params, None, own) for own in directions]
        return np.stack([change["positions"][EVERY::EVERY] for change in changes])


def identify(observed: Floats, start: Floats, error: float) -> tuple[Floats, Floats, int]:
    """Parameters `log(E)` and `mu` of an observed trajectory, and the number of gradients.

    Between them are the standard deviations, for an `error` of the observations (m).
    """
    model = Model()

    def residuals(at: Floats) -> Floats:
        difference: Floats = (model.states(at) - observed) / error
        return difference.ravel()

    def derivatives(at: Floats) -> Floats:
        changes = model.derivatives(at) / error
        return changes.reshape(2, -1).T

    bounds = ([np.log(1e3), 0.0], [np.log(1e8), 2.0])
    found = least_squares(residuals, start, derivatives, bounds=bounds, x_scale=[1.0, 0.1])
    gradients = model.gradients
    jacobian = derivatives(found.x)
    deviations = np.sqrt(np.diag(np.linalg.inv(jacobian.T @ jacobian)))
    return found.x, deviations, gradients


def main() -> None:
    """Observes a block with known parameters, and finds them again."""
    young, friction = 8e4, 0.35
    truth = np.array([np.log(young), friction])
    exact = Model().states(truth)
    start = np.array([np.log(3e5), 0.1])

    # Clean observations, and such with an error of 1 % of the travel.
    travel = float(np.ptp(exact[:, :, 0].mean(axis=1)))
    for error in [0.0, 0.01 * travel]:
        noise = np.random.default_rng(1).normal(0, 1, exact.shape)
        observed = exact + error * noise
        found, deviations, gradients = identify(observed, start, error or 1e-6)
        off = np.abs([np.exp(found[0] - truth[0]) - 1, found[1] / friction - 1])
        print(f"error of observations {1e3 * error:.2f} mm, {gradients} gradients:")
        print(
            f"  E  = {np.exp(found[0]):9.1f} Pa +- {100 * deviations[0]:.4f} %, off by {off[0]:.1e}"
        )
        print(f"  mu = {found[1]:9.6f}    +- {deviations[1]:.6f}, off by {off[1]:.1e}")

        # Clean: to 1e-4 in at most 10 gradients. With noise: 5 %.
        assert off.max() < (0.05 if error else 1e-4)
        assert error or gradients <= 10


if __name__ == "__main__":
    main()
