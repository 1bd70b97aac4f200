"""Solids that deform, collide, slide and stack in 2D, without intersection or inversion.

>>> import ipcsim
>>> scene = ipcsim.Scene(step=0.01, steps=100)
>>> scene.add_material("rubber", density=1000, law={"neo_hookean": {"young": 1e5, "poisson": 0.4}})
>>> scene.add_body("ball", {"disk": {"radius": 0.1, "segments": 16}}, "rubber", position=[0, 0.5])
>>> scene.add_obstacle("ground", {"half_plane": {"normal": [0, 1], "origin": [0, 0]}})
>>> simulation = ipcsim.Simulation(scene)
>>> simulation.run()
>>> height = simulation.body("ball").centre[1]

Classes: `Scene` describes, `Simulation` steps, `Batch` steps thousands side by side, `Run` opens
the folder of a run that the program has stored, `Sweep` is a plan of many runs and `Table` their
results; `ipcsim.dask` computes sweeps on a cluster. Functions: `check`, `verify`, `validate`,
`ccd`, `live`, `schema`. Errors are `SceneError`, `StepError`, `StateError` and `RunError`.

All quantities are in SI units. Results are bit for bit those of the program `ipcsim`, on any
number of threads. A process may fork: simulations continue in the child, which starts threads of
its own.
"""

from importlib.metadata import PackageNotFoundError, version

from ._native import State
from .batch import Batch
from .errors import IpcsimError, Problem, RunError, SceneError, StateError, StepError
from .forces import Coarse, Contacts, Joints, Reactions
from .live import LivePage, live
from .scene import Scene
from .simulation import Body, Report, Simulation
from .stored import Run
from .sweeps import Sweep, Table
from .tools import Validation, ccd, check, schema, validate, verify

try:
    __version__ = version("ipcsim")
except PackageNotFoundError:
    # The package runs from a folder without being installed.
    __version__ = "unknown"

__all__ = [
    "Batch",
    "Body",
    "Coarse",
    "Contacts",
    "IpcsimError",
    "Joints",
    "LivePage",
    "Problem",
    "Reactions",
    "Report",
    "Run",
    "RunError",
    "Scene",
    "SceneError",
    "Simulation",
    "State",
    "StateError",
    "StepError",
    "Sweep",
    "Table",
    "Validation",
    "__version__",
    "ccd",
    "check",
    "live",
    "schema",
    "validate",
    "verify",
]
