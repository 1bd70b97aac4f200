#!/usr/bin/env python3
"""Random scenes that mix all features, each run and then proved from its files.

A scene is a function of its number, on every machine. It is run with a bound of processor time,
some of them with segments, some killed and verified while their folder is unfinished, then resumed
and verified again. What may not happen:

- an exit code other than 0 (completed), 1 (a failure with a name) and 2 (refused by check);
- `verify` that contradicts a run, whether it completed, failed, was killed or was resumed;
- another state or another end after a run was killed and resumed than without that.

Usage: hostile.py [--program PATH] [--from N] [--count N] [--seconds S] [--family NAME]
                  [--keep DIR] [--print]

`--print` writes the scene of the first number and runs nothing; `--keep` keeps the scenes and runs that
went wrong. Exit code 1 if any did.
"""

import argparse
import concurrent.futures
import json
import math
import os
import pathlib
import random
import resource
import shutil
import subprocess
import sys
import tempfile

FAMILIES = ["mix", "joint", "scale", "soft", "rod", "static", "arc", "drive", "axis", "gas", "cell"]
LAWS = ["neo_hookean", "fixed_corotated", "st_venant_kirchhoff", "stable_neo_hookean", "mooney_rivlin", "yeoh", "j2"]
MOVING = ["implicit_euler", "implicit_euler", "bdf2", "trapezoid", "tr_bdf2"]


class Maker:
    """A random scene of one family."""

    def __init__(self, number, family):
        self.random = random.Random(f"ipcsim {number}")
        # Gas and cells came last, so that scenes without them stay as they were.
        drawn = self.random.choice(FAMILIES[:-2])
        if random.Random(f"gas {number}").random() < 0.1:
            drawn = "gas"
        if random.Random(f"cell {number}").random() < 0.1:
            drawn = "cell"
        self.family = family or drawn
        self.size = 1.0
        self.materials = {}
        self.compressible = set()
        self.bodies = []
        self.obstacles = []
        self.joints = []
        self.loads = []
        self.chambers = []
        self.ambient = None
        self.pipes = []
        self.periodic = None
        self.changes = []
        self.steps = self.pick(30, 60, 120)
        self.plane = "stress" if self.chance(0.15) else "strain"
        self.sleeps = False
        self.moves = self.family not in ("static", "arc")
        if self.family == "axis":
            self.plane = "axisymmetric"

    # Draws.

    def chance(self, share):
        return self.random.random() < share

    def between(self, least, most):
        return self.random.uniform(least, most)

    def power(self, least, most):
        """A number whose logarithm is uniform between those of 10^least and 10^most."""
        return 10.0 ** self.random.uniform(least, most)

    def pick(self, *values):
        return self.random.choice(values)

    # Parts.

    def law(self, young):
        name = self.random.choice(LAWS)
        poisson = self.pick(0.0, 0.3, 0.45, 0.49)
        if name == "mooney_rivlin":
            return {name: {"c10": young / 8, "c01": young / 16, "bulk": 2 * young}}
        if name == "yeoh":
            return {name: {"c1": young / 6, "c3": young / 100, "bulk": 3 * young}}
        if name == "j2":
            own = {"young": young, "poisson": min(poisson, 0.45), "yield_stress": young * self.power(-3, -1)}
            if self.chance(0.7):
                own["hardening"] = young * self.power(-3, -1)
            return {name: own}
        return {name: {"young": young, "poisson": poisson}}

    def material(self, soft):
        """The name of a new material."""
        name = f"m{len(self.materials)}"
        wide = self.family == "scale"
        own = {"density": self.power(1, 5) if wide else self.power(2, 4)}
        if soft:
            # Stiff enough to carry a few of its bodies.
            load = own["density"] * 9.81 * self.size
            own["law"] = self.law(load * (self.power(1, 6) if wide else self.power(1.3, 4)))
            if not {"st_venant_kirchhoff", "j2"} & set(own["law"]):
                self.compressible.add(name)
            if self.chance(0.3):
                own["expansion"] = self.power(-5, -3)
            if self.chance(0.3) and self.moves:
                kinds = ("mass",) if self.family == "axis" else ("mass", "stiffness")
                own["damping"] = {self.pick(*kinds): self.power(-4, -1)}
        self.materials[name] = own
        return name

    def shape(self, radius, soft):
        segments = self.random.randint(1, 3)
        side = 1.3 * radius
        if soft:
            return self.pick(
                {"square": {"side": side, "segments": segments}},
                {"rectangle": {"size": [1.8 * radius, 0.7 * radius], "segments": [segments + 1, segments]}},
                {"disk": {"radius": radius, "segments": 6 + 2 * segments}},
                {"regular_polygon": {"radius": radius, "sides": 4 + segments, "segments": segments}},
            )
        return self.pick(
            {"square": {"side": side, "segments": 1}},
            {"rectangle": {"size": [1.9 * radius, self.power(-2, -0.3) * radius], "segments": [1, 1]}},
            {"circle": {"radius": radius}},
            {"ring": {"radius": radius, "inner_radius": 0.8 * radius, "segments": 12}},
            {"outline": {"points": [[-radius, 0], [0, -0.4 * radius], [radius, 0], [0, 0.9 * radius]]}},
        )

    def body(self, at, radius, soft=None):
        """A body within a circle; returns its name."""
        name = f"b{len(self.bodies)}"
        soft = self.chance({"soft": 0.9, "static": 0.8, "joint": 0.2}.get(self.family, 0.4)) if soft is None else soft
        own = {"name": name, "position": at, "rotation_deg": self.between(0, 360), "material": self.material(soft)}
        own["shape"] = self.shape(radius, soft)
        if not soft:
            own["kind"] = "rigid"
            if self.chance(0.1):
                own["mass"] = self.power(0, 3)
            if self.chance(0.15) and self.moves:
                own["damping"] = {"linear": self.power(-3, 0), "angular": self.power(-3, 0)}
        elif self.chance(0.2):
            own["kind"] = self.pick({"affine": {}}, {"polynomial": {"order": 1}}, {"modal": {"modes": 4}})
        elif self.chance(0.3):
            own["elements"] = "quadratic"
        elif self.plane == "strain" and self.chance(0.4) and own["material"] in self.compressible:
            own["dilatation"] = "mean"
        plain = soft and not {"kind", "dilatation"} & set(own)
        if plain and "expansion" in self.materials[own["material"]] and self.chance(0.7):
            own["temperature"] = 50 if self.sleeps else self.pick(50, "100*t", "20*sin(30*t)*x")
        if self.moves:
            speed = math.sqrt(9.81 * self.size)
            if self.chance(0.5):
                fast = self.pick(0.5, 2.0, 10.0) * speed
                own["velocity"] = [self.between(-fast, fast), self.between(-fast, fast)]
            if self.chance(0.4) and "modal" not in own.get("kind", ()):
                own["spin_deg"] = math.degrees(self.between(-5, 5) * speed / self.size)
        if "circle" in own["shape"]:
            del own["rotation_deg"]
        self.bodies.append(own)
        return name

    def floor(self, width):
        low = -0.7 * self.size
        kind = self.pick("plane", "tiles", "line", "bowl", "box")
        material = {"material": self.material(False)} if self.chance(0.3) else {}
        if kind == "plane":
            shape = {"half_plane": {"normal": [self.between(-0.3, 0.3), 1.0], "origin": [0, low - 0.2 * width]}}
            self.obstacles.append({"name": "floor", "shape": shape, **material})
        elif kind == "tiles":
            for k in range(4):
                shape = {"rectangle": {"size": [width, 0.2 * self.size], "segments": [1, 1]}}
                at = [(k - 1.5) * width, low - 0.1 * self.size]
                self.obstacles.append({"name": f"tile{k}", "shape": shape, "position": at, **material})
        elif kind == "line":
            points = [[(k - 4) * width / 2, low - self.pick(0, 0.1) * self.size] for k in range(9)]
            self.obstacles.append({"name": "floor", "shape": {"polyline": {"points": points}}, **material})
        else:
            deep = low - (0.3 * width if kind == "bowl" else 0.0)
            points = [[-width, low + 3 * width], [-width, low], [0, deep], [width, low], [width, low + 3 * width]]
            self.obstacles.append({"name": "floor", "shape": {"polyline": {"points": points}}, **material})

    def joint(self, one, other, at, ends):
        """A joint between two bodies that are `ends` apart."""
        kind = self.pick("hinge", "hinge", "rod", "rope", "spring", "cylinder", "weld", "slider", "slot", "wheel")
        own = {"bodies": [one, other]}
        if any("kind" not in body or "affine" not in body["kind"] and body["kind"] != "rigid" for body in self.bodies[-2:]):
            # A place within the second body, by its first vertex.
            at = ends[1]
            kind = "attach" if kind not in ("rod", "rope", "spring") else kind
        if kind == "attach":
            # The soft body of the two comes first.
            soft = [body for body in self.bodies if body["name"] in own["bodies"] and "kind" not in body]
            if not soft:
                return
            own["bodies"].sort(key=lambda name: name != soft[0]["name"])
            own["on"] = {"side": "left"}
        unit = self.materials[self.bodies[-1]["material"]]["density"] * self.size**2 * 9.81
        if kind in ("rod", "rope", "spring", "cylinder"):
            own["ends"] = ends
        elif kind != "attach":
            own["at"] = at
        if kind in ("slider", "slot", "wheel"):
            own["axis"] = [math.cos(1.0), math.sin(1.0)]
        if kind == "spring":
            own.update(stiffness=unit / self.size * self.power(0, 3), damping=self.pick(0, unit / 50))
        if kind == "wheel":
            own["spring"] = {"stiffness": unit / self.size * self.power(0, 3)}
        if kind == "hinge":
            option = self.pick("plain", "plain", "limits", "motor", "brake", "spring", "servo")
            moment = unit * self.size
            if option == "limits":
                own["limits_deg"] = [-self.between(1, 90), self.between(1, 90)]
                if self.chance(0.4):
                    own["limit_restitution"] = self.between(0, 1)
            elif option == "motor":
                own["motor"] = {"speed_deg": self.pick(200, "300*sin(9*t)"), "torque": moment * self.power(-1, 2)}
            elif option == "servo":
                own["motor"] = {"angle_deg": 40, "torque": 10 * moment, "stiffness": 5 * moment, "damping": moment / 10}
            elif option == "brake":
                own["brake"] = moment * self.power(-2, 0)
            elif option == "spring":
                own["spring"] = {"stiffness": moment, "damping": self.pick(0, moment / 50)}
        if kind == "cylinder" or kind in ("slider", "slot") and self.chance(0.4):
            own["limits"] = [-0.2 * self.size, 0.3 * self.size]
        if self.chance(0.3):
            own["break_force"] = unit * self.power(-1, 2)
        if self.chance(0.6):
            own["collide"] = False
        self.joints.append({kind: own})

    def rod(self, at):
        """A rod, held at one end or loose."""
        name = f"b{len(self.bodies)}"
        length = 2.5 * self.size
        ends = [[at[0], at[1]], [at[0] + length, at[1] + self.between(-0.5, 0.5) * self.size]]
        stiff = 1000 * 9.81 * self.size**2
        kind = {
            "axial_stiffness": stiff * self.power(2, 4),
            "bending_stiffness": self.pick(0.0, 1.0) * stiff * self.size**2 * self.power(-2, 1),
            "mass_per_length": 1000 * self.size * self.power(-2, 0),
        }
        if self.chance(0.6):
            kind["radius"] = 0.02 * self.size
        shape = {"polyline": {"points": ends, "segments": self.random.randint(4, 12)}}
        own = {"name": name, "kind": {"rod": kind}, "shape": shape, "material": self.material(False)}
        if self.chance(0.7):
            own["prescribed"] = [{"vertices": {"indices": [0]}}]
        self.bodies.append(own)
        return name

    # Scenes.

    def pile(self):
        """Bodies in a grid above a floor, neighbours joined now and then."""
        columns = self.random.randint(1, 5)
        rows = self.random.randint(1, 4)
        step = 1.05 * self.size
        self.floor(1.2 * step * (columns + 1))
        for row in range(rows):
            last = None
            for column in range(columns):
                at = [(column - (columns - 1) / 2) * step, row * step]
                radius = self.between(0.25, 0.47) * self.size
                name = self.body(at, radius)
                share = 0.8 if self.family == "joint" else 0.15
                if last and self.chance(share):
                    middle = [at[0] - step / 2, at[1]]
                    self.joint(last, name, middle, [[at[0] - step, at[1]], at])
                last = name

    def balloons(self):
        """Closed rods and soft rings with gas above a floor, some with pipes, and bodies among them."""
        size = self.size
        self.floor(6 * size)
        weight = 1000 * 9.81 * size
        gamma = self.pick(1, 1, 1.4, 4)
        for k in range(self.random.randint(1, 3)):
            name, radius = f"b{len(self.bodies)}", self.between(0.25, 0.45) * size
            at = [1.1 * k * size, 0.6 * size]
            sides = self.random.randint(5, 20)
            angles = [2 * math.pi * side / sides for side in range(sides)]
            corners = [[radius * math.cos(angle), radius * math.sin(angle)] for angle in angles]
            own = {"name": name, "position": at, "material": self.material(False)}
            if self.chance(0.6):
                stiff = weight * size * self.power(1, 4)
                bending = stiff * size**2 * self.power(-5, -2)
                kind = {"axial_stiffness": stiff, "bending_stiffness": bending, "mass_per_length": 1000 * size * 0.05}
                own.update(kind={"rod": kind}, shape={"polyline": {"points": corners, "closed": True}})
            else:
                own["material"] = self.material(True)
                inner = [[self.between(0.6, 0.8) * x, 0.7 * y] for x, y in corners]
                holes = [{"path": {"points": inner}}]
                own["shape"] = {"area": {"outline": {"path": {"points": corners}}, "holes": holes, "mesh": {"size": 0.3 * radius}}}
                if self.chance(0.3):
                    own["elements"] = "quadratic"
            self.bodies.append(own)
            gas = {"name": f"gas {k}", "walls": [{"body": name}], "gamma": gamma}
            if self.chance(0.4):
                gas["pressure"] = self.pick({"gauge": weight * self.power(-1, 1)}, {"absolute": weight * self.power(-1, 2)})
            volume = math.pi * radius**2
            if self.chance(0.4):
                gas["fill"] = {"amount": {"times": [0, self.between(0.05, 0.3)], "values": [0, self.between(-1.2, 2) * volume]}}
            elif k == 0 and self.chance(0.4):
                gas["fill"] = {"gauge": self.between(-1, 3) * weight, "until": self.between(0.02, 0.2)}
            self.chambers.append(gas)
            if k and self.chance(0.6):
                pipe = {"between": [f"gas {k - 1}", f"gas {k}"]}
                if self.chance(0.5):
                    pipe["from"] = self.between(0.01, 0.1)
                self.pipes.append(pipe)
        self.ambient = self.pick(None, 0.0, weight, 101325.0)
        for _ in range(self.random.randint(0, 2)):
            self.body([self.between(0, 2) * size, self.between(1.6, 2.2) * size], 0.3 * size)

    def rings(self):
        """Bodies of revolution above a floor or in a cone: some on the axis, some around it."""
        size = self.size
        for row in range(self.random.randint(1, 4)):
            name = f"b{len(self.bodies)}"
            soft = self.chance(0.7)
            width, height = self.between(0.2, 0.6) * size, self.between(0.2, 0.5) * size
            inner = 0.0 if self.chance(0.6) else self.power(-3, 0) * size
            segments = self.random.randint(1, 4)
            own = {"name": name, "material": self.material(soft)}
            own["shape"] = {"rectangle": {"size": [width, height], "segments": [segments + 1, segments]}}
            own["position"] = [inner + width / 2, 0.7 * row * size]
            if not soft:
                own.update(kind="rigid", fixed=["x", "angle"])
            elif self.chance(0.4):
                own["elements"] = "quadratic"
            plain = soft and "damping" not in self.materials[own["material"]]
            if plain and own["material"] in self.compressible and self.chance(0.3):
                own["dilatation"] = "mean"
            elif soft and "expansion" in self.materials[own["material"]] and self.chance(0.7):
                own["temperature"] = self.pick(50, "100*t", "20*sin(30*t)*x")
            if self.moves and self.chance(0.5):
                own["velocity"] = [0, self.between(-5, 1) * math.sqrt(9.81 * size)]
            if soft and self.chance(0.2):
                own["stretch"] = [self.between(0.8, 1.1), self.between(0.9, 1.1)] if inner == 0.0 else [1.0, 0.9]
            self.bodies.append(own)
            if soft and self.chance(0.4):
                density = self.materials[own["material"]]["density"]
                pressure = density * 9.81 * size * self.power(-1, 2)
                place = {"side": self.pick("top", "right", "left")} if self.chance(0.7) else "boundary"
                self.loads.append({"name": f"p{row}", "body": name, "on": place, "pressure": pressure})
        slope = self.pick(0.0, 0.0, -0.3, 0.3)
        shape = {"half_plane": {"normal": [slope, 1.0], "origin": [0, -0.8 * size]}}
        self.obstacles.append({"name": "floor", "shape": shape})
        if self.chance(0.4):
            shape = {"rectangle": {"size": [0.3 * size, 0.2 * size], "segments": [1, 1]}}
            own = {"name": "punch", "shape": shape, "position": [0.15 * size, 4 * size]}
            own.update(velocity=[0, -self.power(-1, 0.5) * math.sqrt(9.81 * size)], travel=3.5 * size)
            self.obstacles.append(own)

    def cell(self):
        """A cell that repeats: grains of all kinds, rods and rings with gas, under mean strain or stress."""
        size = self.size
        columns, rows = self.random.randint(1, 3), self.random.randint(1, 3)
        step = 1.05 * size
        for row in range(rows):
            for column in range(columns):
                at = [(column + self.between(0.4, 0.6)) * step, (row + self.between(0.4, 0.6)) * step]
                self.body(at, self.between(0.25, 0.38) * size)
                own = self.bodies[-1]
                if not isinstance(own.get("kind"), str) and {"polynomial", "modal"} & set(own.get("kind", ())):
                    own["kind"] = {"affine": {}}
                if column > 0 and self.chance(0.3):
                    before = self.bodies[-2]
                    middle = [(a + b) / 2 for a, b in zip(before["position"], at)]
                    self.joint(before["name"], own["name"], middle, [before["position"], at])
        # A cell in which nothing moves has energies of rounding only.
        self.bodies[0].setdefault("velocity", [self.between(-1, 1) * math.sqrt(9.81 * size), 0])
        height = rows * step
        self.periodic = {"x": columns * step, "y": height}
        if self.chance(0.3):
            # A strut that goes on across the period.
            count = self.random.randint(8, 24)
            line = [[columns * step * k / count, 0.02 * size * math.sin(2 * math.pi * k / count)] for k in range(count + 1)]
            stiff = 1000 * 9.81 * size**2 * self.power(2, 5)
            kind = {"axial_stiffness": stiff, "bending_stiffness": stiff * size**2 * self.power(-5, -3)}
            kind.update(mass_per_length=50 * size, radius=0.01 * size)
            own = {"name": "strut", "material": self.material(False), "kind": {"rod": kind}}
            self.bodies.append({**own, "position": [0, -0.03 * size], "shape": {"polyline": {"points": line}}})
            self.periodic["y"] += 0.12 * size
        if self.chance(0.3):
            # Soft rings with gas.
            for k in range(columns):
                name = f"ring {k}"
                own = {"name": name, "material": self.material(True), "position": [(k + 0.5) * step, height + 0.5 * size]}
                sides = [2 * math.pi * side / 12 for side in range(12)]
                outer, inner = ([[r * size * math.cos(a), r * size * math.sin(a)] for a in sides] for r in (0.35, 0.25))
                holes = [{"path": {"points": inner}}]
                own["shape"] = {"area": {"outline": {"path": {"points": outer}}, "holes": holes, "mesh": {"size": 0.1 * size}}}
                self.bodies.append(own)
                gas = {"name": f"gas {k}", "walls": [{"body": name}]}
                gas["pressure"] = {"gauge": 1000 * 9.81 * size * self.power(-1, 0.5)}
                self.chambers.append(gas)
            self.periodic["y"] += 1.1 * size
            if columns > 1 and self.chance(0.5):
                self.pipes.append({"between": ["gas 0", "gas 1"], "resistance": self.power(3, 6) / size**2})
        period = math.sqrt(size / 9.81)
        strain, stress = {}, {}
        for axis in ("xx", "yy"):
            if self.chance(0.4):
                stress[axis] = f"{-1000 * 9.81 * size * self.power(-1, 1)!r} * min(1, t / {period!r})"
            else:
                strain[axis] = f"{-self.between(0, 0.4) / (self.steps * 0.1 * period)!r} * t"
        if self.chance(0.4):
            strain["xy"] = f"{self.between(-0.3, 0.3)!r} * sin(t / {period!r})"
        self.periodic.update(strain=strain, stress=stress)
        if stress:
            # Stops of joints neither.
            self.joints = [own for own in self.joints if not has_stop(own)]

    def paddle(self):
        """A scripted obstacle that goes through the place of the bodies' neighbours."""
        size = self.size
        shape = {"rectangle": {"size": [2 * size, 0.2 * size], "segments": [1, 1]}}
        own = {"name": "paddle", "shape": shape, "position": [0, 4.5 * size]}
        speed = math.sqrt(9.81 * size)
        if self.chance(0.5):
            own["spin_deg"] = math.degrees(self.power(-1, 1.5) * speed / size)
            own["position"] = [4.5 * size, size]
        else:
            own["velocity"] = [0, -self.power(-1, 0.5) * speed]
            own["travel"] = 3.2 * size
        self.obstacles.append(own)

    def strip(self):
        """A clamped soft strip under a load, for statics and paths of equilibria."""
        size = self.size
        shape = {"rectangle": {"size": [4 * size, 0.3 * size], "segments": [8, 2]}}
        own = {"name": "b0", "shape": shape, "material": self.material(True)}
        own["prescribed"] = [{"vertices": {"side": "left"}}]
        if self.chance(0.4):
            own["elements"] = "quadratic"
        self.bodies.append(own)
        material = self.materials[own["material"]]
        young = material["density"] * 9.81 * size * self.power(2, 4)
        material["law"] = {self.pick("neo_hookean", "st_venant_kirchhoff"): {"young": young, "poisson": 0.3}}
        force = young * size * self.power(-5, -3)
        if self.chance(0.5):
            self.loads.append({"name": "pull", "body": "b0", "on": {"side": "right"}, "force": [-force * 20, force]})
        else:
            self.loads.append({"name": "blow", "body": "b0", "on": {"side": "top"}, "pressure": force / size})
        if self.chance(0.5):
            shape = {"half_plane": {"normal": [0, 1], "origin": [0, -self.between(0.3, 2) * size]}}
            self.obstacles.append({"name": "floor", "shape": shape})

    def hanging(self):
        """A chain of rigid bars from a fixed one, under weight."""
        size = self.size
        shape = {"rectangle": {"size": [size, 0.1 * size], "segments": [1, 1]}}
        count = self.random.randint(2, 6)
        material = self.material(False)
        for k in range(count):
            own = {"name": f"b{k}", "kind": "rigid", "shape": shape, "position": [k * size, 6 * size]}
            own["material"] = self.material(False) if self.chance(0.3) else material
            if k == 0:
                own["fixed"] = ["x", "y", "angle"]
            self.bodies.append(own)
        for k in range(count - 1):
            hinge = {"bodies": [f"b{k}", f"b{k + 1}"], "at": [(k + 0.5) * size, 6 * size], "collide": False}
            if self.chance(0.3):
                hinge["break_force"] = 1000 * 9.81 * size**2 * self.power(-2, 1)
            if self.chance(0.3):
                hinge["limits_deg"] = [-self.between(5, 90), self.between(5, 90)]
            self.joints.append({"hinge": hinge})
        post = {"name": "post", "shape": {"circle": {"radius": 0.1 * size}}}
        post["position"] = [self.between(0.5, 2) * size, self.between(3, 5) * size]
        self.obstacles.append(post)

    def driven(self):
        """Other numbers of a motor, brake or spring in a joint; None without one."""
        for number, joint in enumerate(self.joints):
            kind, own = next(iter(joint.items()))
            name = own.setdefault("name", f"joint {number}")
            motor = own.get("motor", {})
            if "speed_deg" in motor:
                return {"name": name, "motor": {"speed_deg": self.between(-400, 400), "torque": motor["torque"]}}
            if "angle_deg" in motor:
                return {"name": name, "motor": {"angle_deg": self.between(-90, 90)}}
            if "brake" in own:
                return {"name": name, "brake": self.pick(0, 10 * own["brake"])}
            if "spring" in own and kind in ("hinge", "wheel"):
                rest = "rest_deg" if kind == "hinge" else "rest"
                return {"name": name, "spring": {rest: self.between(-0.1, 0.1) * self.size}}
            if kind == "spring":
                return {"name": name, "spring": {"length": self.between(0, 3) * self.size}}
        return None

    def change(self):
        """A change between two steps."""
        kind = self.pick("gravity", "gravity", "force", "friction", "load", "target")
        if self.driven() and self.chance(0.6):
            kind = "joint"
        after = self.random.randint(1, self.steps - 1)
        body = self.random.choice(self.bodies)
        pull = 1000 * 9.81 * self.size**2
        if kind == "gravity":
            value = self.pick([0, 0], [0, -3], [5, 5], [2, -9.81])
        elif kind == "force" and body.get("kind") == "rigid":
            value = {"body": body["name"], "force": [self.between(-1, 1) * pull, 0.3 * pull]}
        elif kind == "joint":
            value = self.driven()
        elif kind == "load" and self.loads:
            value = {"name": self.loads[0]["name"], "factor": self.between(0, 2)}
        elif kind == "target" and any("paddle" == own["name"] for own in self.obstacles):
            value = {"body": "paddle", "by": [0.1 * self.size, 0]}
        elif self.obstacles:
            kind = "friction"
            value = {"between": [body["name"], self.obstacles[0]["name"]], "coefficient": self.between(0, 1)}
        else:
            return
        self.changes.append({"after": after, "set": {kind: value}})

    def hand(self):
        """A hand that pulls a body by its middle somewhere, moves, and lets go."""
        whole = ("square", "rectangle", "disk", "circle")
        held = [own for own in self.bodies if "position" in own and "copies" not in own and next(iter(own["shape"])) in whole]
        if not held or not self.chance(0.4):
            return
        body = self.random.choice(held)
        pull = 1000 * 9.81 * self.size**2
        for after in sorted(self.random.randint(0, self.steps - 1) for _ in range(3)):
            to = [part + self.between(-1, 1) * self.size for part in body["position"]]
            own = {"body": body["name"], "at": body["position"], "to": to, "stiffness": pull * 10 ** self.between(0, 4)}
            if self.chance(0.3):
                own["force"] = pull
            self.changes.append({"after": after, "set": {"hand": own}})
        self.changes.append({"after": self.steps - 1, "set": {"hand": {}}})

    def contact(self):
        own = {}
        if self.family != "arc" and self.chance(0.6):
            own["friction"] = {"default": self.pick(0.1, 0.3, 0.6, 1.0)}
            if self.chance(0.2):
                own["friction"]["kinetic"] = 0.05
            if self.chance(0.2):
                own["friction"]["stick"] = "anchors"
            rigid = [body["name"] for body in self.bodies if body.get("kind") == "rigid"]
            if len(rigid) == len(self.bodies) and self.family != "axis" and self.chance(0.3):
                own["friction"]["rolling"] = 0.01 * self.size
            floors = [own["name"] for own in self.obstacles]
            pairs = [[a, b] for k, a in enumerate(rigid) for b in rigid[k + 1 :] + floors]
            if pairs and self.moves and self.chance(0.5):
                chosen = self.random.sample(pairs, min(4, len(pairs)))
                own["restitution"] = {
                    "pairs": [{"between": pair, "coefficient": self.between(0, 1)} for pair in chosen]
                }
        if self.chance(0.2):
            own["model"] = self.pick("vertices", "edges", "mixed")
        if self.chance(0.2):
            own["narrow_phase"] = self.pick("exact", "additive", "inclusion")
        if self.chance(0.1):
            own["broad_phase"] = self.pick("brute", "grid", "sweep", "hierarchy")
        if self.chance(0.1):
            own["d_hat"] = 0.02 * self.size
        return own

    def time(self):
        period = math.sqrt(self.size / 9.81)
        own = {"step": period * self.pick(0.02, 0.06, 0.2), "steps": self.steps}
        own["integrator"] = self.random.choice(MOVING)
        if self.family in ("static", "arc"):
            own["integrator"] = "static"
            own["steps"] = self.steps = 12
        if self.family == "arc":
            own["arc_length"] = {"length": self.size * self.power(-2, -0.5)}
        elif self.family != "static":
            if self.chance(0.2):
                own["adaptive"] = {"tolerance": self.size * self.power(-4, -2), "smallest": own["step"] / 64}
                own["steps"] = self.steps = 15
            elif own["integrator"] == "implicit_euler":
                self.sleeps = self.chance(0.3)
            elif own["integrator"] == "bdf2" and self.family in ("soft", "mix") and self.chance(0.2):
                own["energy"] = "kept"
        return own

    def scene(self):
        """The whole scene."""
        if self.family == "scale":
            self.size = self.power(-6, 6)
        time = self.time()
        if self.family == "axis":
            self.rings()
        elif self.family == "gas":
            self.balloons()
        elif self.family == "cell":
            self.cell()
        elif self.family == "arc" or self.family == "static" and self.chance(0.6):
            self.strip()
        elif self.family == "joint" and self.chance(0.4):
            self.hanging()
        else:
            self.pile()
        if self.family == "rod":
            for k in range(self.random.randint(1, 2)):
                self.rod([-1.2 * self.size, (4 + 2 * k) * self.size])
        if self.family == "drive" or self.family in ("mix", "joint") and self.chance(0.3):
            self.paddle()
        if self.moves and self.chance(0.3) and self.family not in ("axis", "cell"):
            for _ in range(self.random.randint(1, 3)):
                self.change()
        output = {"ledger": self.chance(0.7) and self.moves}
        if self.chance(0.2):
            output.update(contacts="both", velocities=True)
        if self.chance(0.1):
            output["vtu"] = True
        if self.chance(0.2):
            output["every"] = self.random.randint(2, 5)
        solver = {"max_iterations": 400}
        if self.sleeps:
            solver["sleep"] = {"steps": 3}
        scene = {"time": time, "materials": self.materials, "bodies": self.bodies}
        if self.chance(0.2) and self.family != "arc":
            across = 0 if self.family == "axis" else self.between(-5, 5)
            scene["gravity"] = [across, self.between(-12, 3)]
        if self.plane != "strain":
            scene["plane"] = self.plane
        # Last, so that scenes without a hand stay as they were.
        if self.periodic:
            # Nothing carries a weight along a period; options that do not know images.
            scene.update(periodic=self.periodic, gravity=[0, 0])
            scene["time"] = {key: value for key, value in time.items() if key != "energy"}
            solver.pop("sleep", None)
        elif self.moves:
            self.hand()
        parts = {"obstacles": self.obstacles, "joints": self.joints, "loads": self.loads, "changes": self.changes}
        if self.chambers:
            parts.update(chambers=self.chambers, pipes=self.pipes)
        scene.update({key: value for key, value in parts.items() if value})
        if self.ambient is not None:
            scene["ambient_pressure"] = self.ambient
        contact = self.contact()
        if self.periodic and self.periodic["stress"]:
            # An impulse would change the velocity of a free period, too.
            contact.pop("restitution", None)
        return {**scene, "contact": contact, "solver": solver, "output": output}


def has_stop(joint):
    """True if an impulse may stop the bodies of a joint: it has limits, or is a rope."""
    ((kind, own),) = joint.items()
    return kind == "rope" or "limits" in own or "limits_deg" in own


def scene_of(number, family=None):
    """The scene of a number, of the given family or of one that the number decides."""
    maker = Maker(number, family)
    return maker.family, maker.scene()


class Wrong(Exception):
    """Something that may not happen."""


def command(program, *arguments, seconds=None, kill=None, memory=None):
    """Runs the program; returns its exit code, or None if it was ended, and its output.

    It is ended by its bound of processor time (s), or killed after a part `kill` of a second. It may take
    that much `memory` (bytes).
    """

    def bound():
        if seconds:
            resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds), math.ceil(seconds)))
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    process = subprocess.Popen(
        [program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, preexec_fn=bound
    )
    try:
        text, _ = process.communicate(timeout=kill)
    except subprocess.TimeoutExpired:
        process.kill()
        text, _ = process.communicate()
        return None, text
    ended = process.returncode < 0 and -process.returncode in (9, 24)
    return (None if ended else process.returncode), text


def proves(program, folder, what, seconds=None):
    """Verifies a run, whose folder may have no state yet if it is unfinished, in this processor time (s)."""
    code, text = command(program, "verify", folder, seconds=seconds)
    if code != 0 and not (code == 2 and ("has stored no state yet" in text or "holds no run" in text)):
        raise Wrong(f"verify of the {what} run exits with {code}: {text.strip()[-600:]}")


def end_of(folder):
    """How a run ended, in a word, after how many steps, and the hash of its last state."""
    report = json.loads((folder / "run.json").read_text())
    reason = report.get("reason")
    return reason["kind"] if reason else report["status"], report["steps"], report["hash"]


def attempt(number, options, place):
    """Runs and verifies one scene; returns how it ended, in a word."""
    family, scene = scene_of(number, options.family)
    path, out = place / "scene.json", place / "out"
    path.write_text(json.dumps(scene, indent=1))
    draws = random.Random(number)
    common = ["--no-frames", "--quiet", "--threads", "1"] + (["--certify"] if draws.random() < 0.4 else [])
    fresh = ["run", str(path), "--out", str(out), *common]
    run, is_resumed = fresh, False

    if draws.random() < 0.25:
        killed, text = command(options.program, *run, kill=draws.uniform(0.02, 0.4), seconds=options.seconds)
        if killed is None and out.exists():
            proves(options.program, out, "killed")
            is_resumed = (out / "run.json").exists()
            run = ["run", "--resume", str(out), "--quiet"] if is_resumed else [*fresh, "--force"]
        elif killed == 2:
            return f"{family} refused"
    code, text = command(options.program, *run, seconds=options.seconds)
    if code == 2 and "nothing to resume" not in text and "has completed" not in text:
        return f"{family} refused: {text.strip()[-300:]}" if options.loud else f"{family} refused"
    if code not in (0, 1, 2, None):
        raise Wrong(f"the run exits with {code}: {text[-600:]}")
    proves(options.program, out, "timed out" if code is None else "ended")
    if code is None:
        return f"{family} stopped by its bound"
    end = end_of(out)
    if is_resumed and code in (0, 1):
        whole = place / "whole"
        fresh[3] = str(whole)
        code, _ = command(options.program, *fresh, seconds=options.seconds)
        if code is not None and end_of(whole) != end:
            raise Wrong(f"resumed it ends as {end}, as a whole as {end_of(whole)}")
    return f"{family} {end[0]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="target/release/ipcsim")
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=6)
    parser.add_argument("--family", choices=FAMILIES)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--print", action="store_true")
    parser.add_argument("--loud", action="store_true")
    options = parser.parse_args()
    if options.print:
        print(json.dumps(scene_of(options.first, options.family)[1], indent=1))
        return 0

    ends, wrong = {}, []

    def one(number):
        place = pathlib.Path(tempfile.mkdtemp(prefix="hostile"))
        try:
            return number, attempt(number, options, place), None
        except Wrong as error:
            if options.keep:
                shutil.copytree(place, options.keep / str(number), dirs_exist_ok=True)
            return number, "wrong", str(error)
        finally:
            shutil.rmtree(place, ignore_errors=True)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for number, end, error in pool.map(one, range(options.first, options.first + options.count)):
            ends[end] = ends.get(end, 0) + 1
            if options.loud:
                print(number, end, flush=True)
            if error:
                wrong.append(number)
                print(f"scene {number}: {error}", flush=True)
    for end in sorted(ends):
        print(f"{ends[end]:5} {end}")
    print(f"{options.count} scenes, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
