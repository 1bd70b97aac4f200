"""Friction and Young's modulus of a block from its trajectory, by least squares.

A soft block is thrown onto the ground and slides until it stops. Its vertices are observed with an
error. How far it slides tells the friction, how it is squeezed tells the stiffness. Gauss and
Newton's method needs the derivatives of the trajectory: a batch computes the trajectory with three
sets of parameters at once.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

import ipcsim

Floats = NDArray[np.float64]

STEPS = 60
"""Number of steps that are observed."""

ERROR = 1e-4
"""Standard deviation of an observed coordinate (m)."""

CHANGE = 1e-3
"""Change of a parameter for a difference quotient (1)."""


def block(young: float, friction: float) -> ipcsim.Scene:
    """A block of rubber that is thrown onto the ground, with a Young's modulus (Pa)."""
    scene = ipcsim.Scene(step=0.01, steps=STEPS)
    law = {"neo_hookean": {"young": young, "poisson": 0.4}}
    scene.add_material("rubber", density=1000, law=law)
    shape = {"rectangle": {"size": [0.2, 0.1], "segments": [6, 3]}}
    scene.add_body("block", shape, "rubber", position=[0, 0.08], velocity=[1.0, -0.5])
    scene.add_obstacle("ground", {"half_plane": {"normal": [0, 1], "origin": [0, 0]}})
    scene.set("contact.friction.default", friction)

    # Numbers that would follow from the stiffness are fixed: all trajectories share them.
    scene.set("contact.d_hat", 2e-3)
    scene.set("contact.kappa", 1e5)
    return scene


class Model:
    """Trajectories of the block as a function of `log(E)` and `mu`."""

    def __init__(self) -> None:
        self.batch = ipcsim.Batch(block(1e5, 0.5), 3)
        self.young = self.batch.expand("materials.rubber.law.neo_hookean.young")
        self.friction = self.batch.expand("contact.friction.default")
        self.positions = self.batch.bind("positions")

    def trajectories(self, parameters: Floats) -> Floats:
        """Every fifth state, `[3, states, vertices, 2]` (m): at the parameters, and beside them."""
        rows = parameters + CHANGE * np.array([[0, 0], [1, 0], [0, 1]])
        self.young[:] = np.exp(rows[:, 0])
        self.friction[:] = rows[:, 1]
        self.batch.reset()
        states = []
        for _ in range(STEPS // 5):
            self.batch.step(5)
            states.append(self.positions.copy())
        return np.stack(states, axis=1)


def identify(observed: Floats, start: Floats) -> tuple[Floats, Floats]:
    """Parameters `log(E)` and `mu` of an observed trajectory, and their standard deviations."""
    model = Model()

    def residuals(parameters: Floats) -> Floats:
        difference: Floats = (model.trajectories(parameters)[0] - observed) / ERROR
        return difference.ravel()

    def derivatives(parameters: Floats) -> Floats:
        at, *beside = model.trajectories(parameters) / ERROR
        return np.stack([(other - at).ravel() / CHANGE for other in beside], axis=1)

    bounds = ([np.log(1e3), 0.0], [np.log(1e8), 2.0])
    found = least_squares(residuals, start, derivatives, bounds=bounds, x_scale=[1.0, 0.1])
    jacobian = derivatives(found.x)
    deviations = np.sqrt(np.diag(np.linalg.inv(jacobian.T @ jacobian)))
    return found.x, deviations


def main() -> None:
    """Observes a block with known parameters, and finds them again."""
    young, friction = 8e4, 0.35
    simulation = ipcsim.Simulation(block(young, friction))
    states: list[Floats] = []
    for _ in range(STEPS // 5):
        simulation.step(5)
        states.append(simulation.positions.copy())
    exact = np.stack(states)
    observed = exact + np.random.default_rng(1).normal(0, ERROR, exact.shape)

    (log_young, found), deviations = identify(observed, np.array([np.log(3e5), 0.1]))
    print(f"E  = {np.exp(log_young):9.0f} Pa +- {100 * deviations[0]:.3f} %   true: {young:.0f} Pa")
    print(f"mu = {found:9.5f}    +- {deviations[1]:.5f}   true: {friction}")

    # Within five standard deviations of the truth, and these are small.
    assert abs(log_young - np.log(young)) < 5 * deviations[0] < 0.05
    assert abs(found - friction) < 5 * deviations[1] < 0.01


if __name__ == "__main__":
    main()
