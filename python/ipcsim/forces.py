"""Forces at the end of a step, as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Contacts:
    """Forces of all contacts at the end of a step: one row for each pair of surfaces.

    Forces act on the first body; the second feels the opposite. A negative normal force takes off
    what two edges count at the vertex that they share: sums are right, single rows are no pressure.
    """

    bodies: Ints
    """Numbers of the first and second body, `[contacts, 2]`, in the order of `names`."""
    vertices: Ints
    """Vertex of the first body, then the ends of an edge of the second, `[contacts, 4]`; with
    contact along edges an edge of each. Places that are not used are -1."""
    point: Floats
    """Nearest point of the second body's surface, `[contacts, 2]` (m)."""
    normal: Floats
    """Unit normal there, towards the first body, `[contacts, 2]`."""
    gap: Floats
    """Distance of the surfaces, `[contacts]` (m)."""
    normal_force: Floats
    """Force along the normal, `[contacts]` (N)."""
    friction_force: Floats
    """Friction on the first body, `[contacts, 2]` (N)."""
    slip: Floats
    """Way of the first surface along `(n_y, -n_x)` in the last step, `[contacts]` (m)."""
    rolling_moment: Floats
    """Moment of rolling resistance on the first body, `[contacts]` (N m)."""
    sticks: NDArray[np.bool_]
    """True where the slip is below `eps_v h`, `[contacts]`."""
    names: tuple[str, ...]
    """Names of all bodies and obstacles."""

    def __len__(self) -> int:
        return len(self.gap)

    @property
    def force(self) -> Floats:
        """Normal and friction force on the first bodies, `[contacts, 2]` (N)."""
        return self.normal * self.normal_force[:, None] + self.friction_force

    def on(self, body: str) -> Floats:
        """Sum of the forces on a body, `[2]` (N). Raises KeyError if nothing has this name."""
        return _sum_on(self.names, body, self.bodies, self.force)


@dataclass(frozen=True)
class Reactions:
    """Forces and moments of all supports on what they hold, at the end of a step."""

    body: Ints
    """Number of the body, `[supports]`, in the order of `names`."""
    kind: tuple[str, ...]
    """What is held: `obstacle`, `script`, `fixed`, or `prescribed 0` for selected vertices."""
    force: Floats
    """Force of the support, `[supports, 2]` (N)."""
    moment: Floats
    """Moment of the support, counter-clockwise about `about`, `[supports]` (N m)."""
    about: Floats
    """Point about which the moment counts, `[supports, 2]` (m)."""
    names: tuple[str, ...]
    """Names of all bodies and obstacles."""

    def __len__(self) -> int:
        return len(self.moment)

    def on(self, body: str) -> Floats:
        """Sum of the forces on a body, `[2]` (N). Raises KeyError if nothing has this name."""
        total: Floats = self.force[self.body == _number(self.names, body)].sum(axis=0)
        return total


@dataclass(frozen=True)
class Joints:
    """Forces of all joints at the end of a step, in the order of the scene."""

    bodies: Ints
    """Numbers of the first and second body, `[joints, 2]`, in the order of `names`."""
    force: Floats
    """Force on the second body, `[joints, 2]` (N); the first feels the opposite."""
    moment: Floats
    """Moment on the second body about the joint, counter-clockwise, `[joints]` (N m)."""
    broken: NDArray[np.bool_]
    """True for joints that have broken, `[joints]`."""
    kind: tuple[str, ...]
    """Kind of each joint, as the scene has it: `hinge`, `rod`, ..."""
    label: tuple[str | None, ...]
    """Name of each joint; None where the scene gives none."""
    names: tuple[str, ...]
    """Names of all bodies and obstacles."""

    def __len__(self) -> int:
        return len(self.force)

    def on(self, body: str) -> Floats:
        """Sum of the forces on a body, `[2]` (N). Raises KeyError if nothing has this name."""
        return _sum_on(self.names, body, self.bodies, -self.force)

    def index(self, name: str) -> int:
        """Number of the joint of this name. Raises KeyError with the names that exist."""
        if name not in self.label:
            known = ", ".join(f'"{label}"' for label in self.label if label is not None)
            raise KeyError(f'no joint is named "{name}"; the names are {known or "none"}')
        return self.label.index(name)


def contacts_of(columns: dict[str, Any], names: tuple[str, ...]) -> Contacts:
    """Contacts from the columns of the native module."""
    return Contacts(**columns, names=names)


def _number(names: tuple[str, ...], body: str) -> int:
    """Number of a body."""
    if body not in names:
        known = ", ".join(f'"{name}"' for name in names[:20])
        raise KeyError(f'no body or obstacle is named "{body}"; the names are {known}')
    return names.index(body)


def _sum_on(names: tuple[str, ...], body: str, bodies: Ints, force: Floats) -> Floats:
    """Sum on a body of forces that act on the first of two bodies, and oppositely on the second."""
    number = _number(names, body)
    sign = (bodies[:, 0] == number).astype(float) - (bodies[:, 1] == number)
    total: Floats = (sign[:, None] * force).sum(axis=0)
    return total


@dataclass(frozen=True)
class Coarse:
    """Continuous fields of bodies at places: means over the bodies around (Goldhirsch 2010)."""

    density: Floats
    """Mass for each volume, `[...]` (kg/m^3)."""
    fraction: Floats
    """Share of the area that bodies fill, `[...]`."""
    velocity: Floats
    """Velocity by mass, `[..., 2]` (m/s)."""
    stress: Floats
    """Stress by contacts, tension positive, `[..., 2, 2]` (Pa)."""
    kinetic: Floats
    """Stress by velocities beyond the mean, `[..., 2, 2]` (Pa)."""

    @property
    def pressure(self) -> Floats:
        """Pressure by contacts, `[...]` (Pa)."""
        return -0.5 * (self.stress[..., 0, 0] + self.stress[..., 1, 1])


def coarse_of(columns: dict[str, Any], shape: tuple[int, ...]) -> Coarse:
    """Fields at places in an array of this shape, from their columns."""
    endings = {"velocity": (2,), "stress": (2, 2), "kinetic": (2, 2)}
    return Coarse(
        **{key: own.reshape(shape + endings.get(key, ())) for key, own in columns.items()}
    )
