"""A simulation: a scene that is stepped, with its arrays."""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _native
from .drawing import draw
from .forces import Coarse, Contacts, Floats, Ints, Joints, Reactions, coarse_of, contacts_of
from .live import LivePage, live
from .scene import Scene

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Report:
    """Account of a step, with the words of `energies.csv` and `run.json`."""

    step: int
    """Number of the step."""
    time: float
    """Time at its end (s)."""
    newton_iterations: int
    """Number of Newton directions."""
    contacts: int
    """Number of contacts at the end."""
    residual: float
    """Speed of the last Newton direction (m/s)."""
    imbalance: float
    """Speed that the forces left over would give a body in a step (m/s)."""
    asleep: int | None
    """Number of bodies that the step left where they were; None without `solver.sleep`."""
    min_gap: float | None
    """Smallest gap of a contact (m); None without contacts."""
    min_area_ratio: float | None
    """Smallest ratio of a triangle's area to that at rest; None without triangles."""
    momentum: tuple[float, float]
    """Linear momentum (kg m/s)."""
    stiffening: float
    """Energy that barriers gain by becoming stiffer for the next step (J)."""
    work: dict[str, float] | None
    """Work of the step (J) by sources, negative for losses; None without `output.ledger`."""
    late_contacts: int
    """Number of contacts whose friction exceeds the coefficient times the normal force."""
    recovered: bool
    """True if the usual method failed and a fallback solved the step."""
    over: bool
    """True if the condition `time.until` of the scene holds."""


class Body:
    """A body or obstacle of a simulation, with its part of the arrays. It follows the steps."""

    def __init__(
        self,
        simulation: Simulation,
        index: int,
        entry: tuple[str, str, tuple[int, int], tuple[int, int]],
    ) -> None:
        self._simulation = simulation
        self._index = index
        name, kind, vertices, nodes = entry
        self.name: str = name
        """Name in the scene; copies have a number, `disk 1`."""
        self.kind: str = kind
        """`solid`, `springs`, `reduced`, `rigid`, `affine`, `half_plane` or `obstacle`."""
        self.vertices: slice = slice(*vertices)
        """Its vertices in `Simulation.positions`."""
        self.nodes: slice = slice(*nodes)
        """Its nodes in `Simulation.coordinates`."""

    @property
    def positions(self) -> Floats:
        """Positions of its vertices, `[vertices, 2]` (m): a read-only view."""
        return self._simulation.positions[self.vertices]

    @property
    def velocities(self) -> Floats:
        """Velocities of its vertices, `[vertices, 2]` (m/s): a read-only view."""
        return self._simulation.velocities[self.vertices]

    @property
    def coordinates(self) -> Floats:
        """Its coordinates, `[nodes, 2]` (m; of angles rad): a read-only view."""
        return self._simulation.coordinates[self.nodes]

    @property
    def mass(self) -> float:
        """Mass (kg); 0 for obstacles."""
        return self._simulation.body_motion(self._index)[0]

    @property
    def centre(self) -> Floats:
        """Centre of mass, `[2]` (m); of an obstacle the origin of its shape."""
        return np.array(self._simulation.body_motion(self._index)[1])

    @property
    def velocity(self) -> Floats:
        """Velocity of the centre of mass, `[2]` (m/s)."""
        return np.array(self._simulation.body_motion(self._index)[2])

    @property
    def angle(self) -> float | None:
        """Angle of a rigid body or obstacle (rad), over full turns; None for others."""
        return self._simulation.body_motion(self._index)[3]

    @property
    def angular_velocity(self) -> float | None:
        """Angular velocity of a rigid body or obstacle (rad/s); None for others."""
        return self._simulation.body_motion(self._index)[4]

    def __repr__(self) -> str:
        return f'<Body "{self.name}", {self.kind}>'


class Simulation(_native.Simulation):
    """A scene that is stepped.

    `Simulation(scene, threads=None)` builds the world of a scene at time 0. The scene is a `Scene`,
    a dictionary, or the path of a file. Without `threads` a large scene takes one thread a core and
    a small one the calling thread; results have the same bits on any number.

    Raises SceneError with all problems of the scene, overlaps at the start included.

    Arrays (read-only, updated by every step, and alive as long as you hold them):

    - `positions`, `velocities`: `[vertices, 2]`;
    - `coordinates`, `coordinate_velocities`: `[nodes, 2]`;
    - `triangles`, `springs`, `edges`, `radii`: what does not change.

    Between steps: `energies`, `report`, `contacts()`, `reactions()`, `joints()`, `stress()` read,
    `set_state` changes the state, `set_force`, `set_load`, `set_friction`, `set_target`,
    `set_joint` and `gravity` change parameters, and `recorded()` makes a scene of all that;
    `render()` and `plot()` draw. A simulation can be copied and pickled: steps of the copy have the
    same bits, and it has forces again after its next step.

    While a step runs in one thread, other threads of Python run too, but a call of the same
    simulation raises RuntimeError.

    >>> import ipcsim
    >>> scene = ipcsim.Scene(step=0.01, steps=10)
    >>> scene.add_material("steel", density=7800)
    >>> scene.add_body("ball", {"circle": {"radius": 0.1}}, "steel", kind="rigid")
    >>> simulation = ipcsim.Simulation(scene)
    >>> simulation.step(10)
    >>> round(float(simulation.body("ball").centre[1]), 6)
    -0.053955
    """

    triangles: Ints
    """Vertices of all elastic triangles, counter-clockwise, `[triangles, 3]`."""
    springs: Ints
    """Vertices of all springs, `[springs, 2]`."""
    edges: Ints
    """Vertices of all edges that collide, `[edges, 2]`; twice the same for points and circles."""
    radii: Floats
    """Radius of the circle around each vertex (m), `[vertices]`; 0 where there is none."""
    bodies: tuple[Body, ...]
    """Bodies in the order of the scene, then obstacles."""
    names: tuple[str, ...]
    """Names of the bodies."""
    _scene: Scene
    _threads: int | None

    def __new__(
        cls,
        scene: Scene | Mapping[str, Any] | str | os.PathLike[str],
        *,
        threads: int | None = None,
    ) -> Simulation:
        """Builds the world of a scene at time 0; see the class."""
        # A copy, which later changes of the scene leave as it is.
        origin = copy.deepcopy(Scene.of(scene))
        simulation = super().__new__(cls, origin._source(), threads)
        simulation._scene = origin
        simulation._threads = threads
        simulation.triangles = simulation.list_triangles()
        simulation.springs = simulation.list_springs()
        simulation.edges = simulation.list_edges()
        simulation.radii = simulation.list_radii()
        entries = enumerate(simulation.list_bodies())
        simulation.bodies = tuple(Body(simulation, index, entry) for index, entry in entries)
        simulation.names = tuple(body.name for body in simulation.bodies)
        return simulation

    def run(
        self,
        steps: int | None = None,
        callback: Callable[[Simulation], object] | None = None,
    ) -> None:
        """Computes `steps` steps; without a number, up to the end that the scene gives.

        That end is the last step, or the condition `time.until` of the scene.

        `callback(simulation)` is called after each step. If it returns False, the run ends there.

        Raises StepError if a step fails, KeyboardInterrupt after the step in which Ctrl-C was
        pressed, and whatever the callback raises. The state is that of the last completed step.
        """
        left = self.scene_steps - self.steps if steps is None else steps
        ends = steps is None and "until" in self.scene["time"]
        if callback is None and not ends:
            self.step(max(left, 0))
            return
        for _ in range(left):
            self.step()
            if callback is not None and callback(self) is False:
                return
            if ends and self.report.over:
                return

    def body(self, name: str) -> Body:
        """The body or obstacle of this name. Raises KeyError with the names that exist."""
        if name not in self.names:
            known = ", ".join(f'"{known}"' for known in self.names[:20])
            raise KeyError(f'no body or obstacle is named "{name}"; the names are {known}')
        return self.bodies[self.names.index(name)]

    @property
    def scene(self) -> dict[str, Any]:
        """The scene with all derived values filled in, and a body for each copy."""
        scene: dict[str, Any] = json.loads(self.scene_json)
        return scene

    @property
    def report(self) -> Report:
        """Account of the last step; before the first one, of the start."""
        return Report(**self.last_report())

    @property
    def measures(self) -> dict[str, float]:
        """Values of the measures at the end of the last step, by name; NaN where undefined."""
        return dict(self.measured())

    def contacts(self) -> Contacts:
        """Forces of contact and friction at the end of the last step, as arrays."""
        return contacts_of(self.contact_columns(), self.names)

    def coarse(self, at: ArrayLike, within: float) -> Coarse:
        """Density, velocity and stress around places `at`, `[..., 2]` (m), by means over the bodies
        within a radius (m): a few diameters give a field. Arrays have the first axes of `at`.
        """
        places = np.asarray(at, dtype=np.float64)
        return coarse_of(self.coarse_columns(places.reshape(-1, 2), within), places.shape[:-1])

    def reactions(self) -> Reactions:
        """Forces and moments of all supports at the end of the last step; none before the first."""
        columns = self.reaction_columns()
        return Reactions(**{**columns, "kind": tuple(columns["kind"])}, names=self.names)

    def joints(self) -> Joints:
        """Forces of all joints at the end of the last step; zero before the first."""
        columns = self.joint_columns()
        kind, label = (tuple(columns.pop(key)) for key in ("kind", "label"))
        return Joints(**columns, kind=kind, label=label, names=self.names)

    def chambers(self) -> dict[str, dict[str, float]]:
        """Gas in each chamber, by its name: `pressure` (absolute) and `gauge` (over the ambient
        pressure; Pa), `volume` and `amount` (at 101325 Pa; m^3).
        """
        columns = self.chamber_columns()
        names = columns.pop("name")
        return {
            name: {key: float(column[k]) for key, column in columns.items()}
            for k, name in enumerate(names)
        }

    def stress(self) -> Floats:
        """Von Mises stress of each triangle, `[triangles]` (Pa), that across the plane included."""
        return self.von_mises()

    def hoop_stress(self) -> Floats:
        """Stress of each triangle around the axis of bodies of revolution, `[triangles]` (Pa)."""
        return self.around()

    def plastic_strain(self) -> Floats:
        """Equivalent plastic strain of each triangle, `[triangles]`; 0 where nothing may flow."""
        return self.flowed()

    def state(self) -> _native.State:
        """Everything that the next step reads, copied: `set_state` puts it back."""
        return self.snapshot()

    def set_state(
        self,
        state: _native.State | None = None,
        *,
        coordinates: ArrayLike | None = None,
        velocities: ArrayLike | None = None,
    ) -> None:
        """Puts back a state, or sets coordinates or their velocities, `[nodes, 2]` each.

        A `State` of a simulation of the same scene restores every bit: steps continue as they did
        after it. Arrays make a new start: integrators of several steps forget their history, and
        with new coordinates forces of joints, stiffness of barriers and anchors of friction begin
        anew. Step and time stay, and so do parameters that were set. `recorded()` is refused from
        then on, since no change of a parameter leads to the state.

        Raises StateError if the state is of another scene, not finite, or intersects, inverts or
        touches; then nothing has changed.
        """
        if state is not None:
            if coordinates is not None or velocities is not None:
                raise TypeError("set_state takes a state or arrays, not both")
            self.restore(state)
        elif coordinates is not None or velocities is not None:
            self.place(coordinates, velocities)
        else:
            raise TypeError("set_state needs a state, coordinates or velocities")

    def set_load(self, name: str, factor: float) -> None:
        """Multiplies a load of the scene from the next step on: 0 switches it off.

        `name` is that of the load; one without a name has its kind and number, `traction 0`.
        Raises StateError if there is no such load, or if the factor is not finite.
        """
        self._set("load", {"name": name, "factor": float(factor)})

    def set_friction(
        self,
        first: str,
        second: str,
        coefficient: float,
        *,
        kinetic: float | None = None,
        rolling: float = 0.0,
    ) -> None:
        """Sets the friction of a pair of bodies or obstacles from the next step on.

        `coefficient` is that of static friction, `kinetic` that of kinetic friction, by default the
        same, `rolling` the rolling resistance (m). Raises StateError if a name does not exist or a
        number is out of range.
        """
        pair: dict[str, Any] = {"between": [first, second], "coefficient": float(coefficient)}
        if kinetic is not None:
            pair["kinetic"] = float(kinetic)
        self._set("friction", {**pair, "rolling": float(rolling)})

    def set_target(self, body: str, by: ArrayLike = (0.0, 0.0), *, turn_deg: float = 0.0) -> None:
        """Moves what a script or the scene prescribes of a body or obstacle, beside the script.

        From the next step on it is displaced by `by` (m) and turned by `turn_deg` (degrees) about
        the origin of its script, in place of what was set before. The step covers the way in one
        go: set small steps for a smooth motion. Raises StateError if nothing prescribes the body
        from the start.
        """
        shift = [float(part) for part in np.asarray(by, dtype=float)]
        self._set("target", {"body": body, "by": shift, "turn_deg": float(turn_deg)})

    def set_joint(
        self,
        name: str,
        *,
        speed_deg: float | None = None,
        angle_deg: float | None = None,
        torque: float | None = None,
        speed: float | None = None,
        place: float | None = None,
        force: float | None = None,
        brake: float | None = None,
        rest_deg: float | None = None,
        rest: float | None = None,
        length: float | None = None,
    ) -> None:
        """Sets numbers of a joint from the next step on; others stay as they were last set.

        Of a motor or servo: `speed_deg` (degrees/s), `angle_deg` (degrees) and its largest `torque`
        (N m), or along a line `speed` (m/s), `place` (m) and its largest `force` (N). Of a brake:
        its largest torque or force; 0 releases it. Of a spring: `rest_deg`, `rest` or `length`, in
        which it has no force. The scene must give the joint what is set, with the same key.
        Raises StateError if it does not, or if a number is out of range.

        >>> simulation.set_joint("shaft", speed_deg=90.0, torque=2.0)
        """
        motor = {
            "speed_deg": speed_deg,
            "angle_deg": angle_deg,
            "torque": torque,
            "speed": speed,
            "place": place,
            "force": force,
        }
        spring = {"rest_deg": rest_deg, "rest": rest, "length": length}
        given: dict[str, Any] = {"name": name}
        for part, keys in (("motor", motor), ("spring", spring)):
            numbers = {key: float(value) for key, value in keys.items() if value is not None}
            if numbers:
                given[part] = numbers
        if brake is not None:
            given["brake"] = float(brake)
        self._set("joint", given)

    def _set(self, what: str, value: Mapping[str, Any]) -> None:
        """Sets a parameter, as an entry of `changes` in a scene says it."""
        self.set_parameter(json.dumps({what: value}))

    @property
    def changes(self) -> list[dict[str, Any]]:
        """Journal of all parameters that changed between steps: entries of a scene's `changes`."""
        changes: list[dict[str, Any]] = json.loads(self.recorded_json()).get("changes", [])
        return changes

    def recorded(self) -> Scene:
        """The scene with all that was set as its `changes`, up to the present step.

        A run of it ends in this state, to the bit: in Python, or by the program, which writes the
        files of a run, resumes and verifies it.

        Raises StateError after a state was set, to which no change of a parameter leads.

        >>> simulation.recorded().save("driven.json")
        """
        return Scene(json.loads(self.recorded_json()))

    def scene_from_here(self) -> Scene:
        """A scene that goes on from the present state, as `start.state` has it.

        Its steps have the bits of this simulation's next ones.

        >>> simulation.scene_from_here().save("later.json")
        """
        return Scene(json.loads(self.scene_from_here_json()))

    def live(self, *, show: bool = True, width: str = "100%", height: int = 640) -> LivePage:
        """Opens the live page with this simulation as it lies; it stays as it is here.

        In a notebook the page appears in the output; elsewhere the browser opens. The page drags,
        draws and presses in a simulation of its own, which ends with it.
        """
        return live(self.scene_from_here(), show=show, width=width, height=height)

    def render(
        self,
        size: tuple[int, int] | None = None,
        *,
        color: str = "body",
        view: tuple[float, float, float, float] | None = None,
        follow: str | None = None,
        range: tuple[float, float] | str | None = None,
        log: bool = False,
        smooth: bool = False,
        palette: str | None = None,
        body_colors: Mapping[str, str] | None = None,
        forces: str | None = None,
        arrow_scale: float | None = None,
        diagram: bool = False,
        labels: bool = True,
    ) -> NDArray[np.uint8]:
        """Picture of the present state as the program draws it, `[height, width, 3]`.

        The options are those of `ipcsim render`.

        - `size`: width and height (pixels), by default those of the scene.
        - `color`: `body`, `stress`, `speed` or `pressure`.
        - `view`: left, bottom, right and top (m); by default the scene's view, or a box around the
          start, the present state and every place that prescribed motion leads to.
        - `follow`: name of a body that stays in the middle.
        - `range`: least and largest value of the colours, or `usual`; by default all values.
        - `log`, `smooth`, `palette`: colours by logarithms, averaged to vertices, of another scale.
        - `body_colors`: colours of bodies by name, `{"ball": "#d55e00"}`.
        - `forces`: `arrows` at contacts and supports, or their `network`; `arrow_scale` is a factor
          of lengths and widths.
        - `diagram`: symbols of loads, supports and joints.
        - `labels`: time, title, scale bar and colour bar.

        Raises ValueError if an option is wrong, RunError if a picture of this size cannot be made
        or no body has the name to follow.

        >>> image = simulation.render((640, 360), color="stress", smooth=True, forces="arrows")
        """
        words = ["--color-by", color]
        if size is not None:
            if isinstance(size, str):
                raise ValueError(
                    f"size is {size!r}, but must be two numbers of pixels, such as (640, 360); the "
                    "picture is an array, which matplotlib.image.imsave(path, array) writes"
                )
            words += ["--size", "x".join(str(side) for side in size)]
        if view is not None:
            left, bottom, right, top = view
            words += ["--view", f"{left},{bottom}:{right},{top}"]
        if range is not None:
            ends = range if isinstance(range, str) else f"{range[0]}:{range[1]}"
            words += ["--range", ends]
        named = {"follow": follow, "palette": palette, "forces": forces, "arrow-scale": arrow_scale}
        for name, value in named.items():
            words += [f"--{name}", str(value)] if value is not None else []
        for body, tone in (body_colors or {}).items():
            words += ["--body-color", f"{body}={tone}"]
        flags = {"log": log, "smooth": smooth, "diagram": diagram, "no-labels": not labels}
        words += [f"--{name}" for name, is_set in flags.items() if is_set]
        return self.picture(words)

    def plot(self, ax: Axes | None = None, *, values: ArrayLike | None = None, **keys: Any) -> Axes:
        """Draws the present state with matplotlib, and returns the axes.

        `values`, `[triangles]`, colours the triangles, for example by `simulation.stress()`.
        Further keys go to `Axes.tripcolor`. Raises ImportError without matplotlib.
        """
        return draw(self, ax, values, keys)

    def __reduce__(self) -> tuple[Any, ...]:
        """Parts for pickle and copy: the scene, and all that it does not say."""
        return _loaded, (type(self), self._scene, self._threads, self.save())

    def __repr__(self) -> str:
        vertices = len(self.positions)
        return f"<Simulation of {len(self.bodies)} bodies, {vertices} vertices, step {self.steps}>"


def _loaded(cls: type[Simulation], scene: Scene, threads: int | None, saved: bytes) -> Simulation:
    """The simulation of a scene that `Simulation.save` has stored."""
    simulation = cls(scene, threads=threads)
    simulation.load(saved)
    return simulation
