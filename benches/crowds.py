"""Scenes of many bodies that pile up, and of few that squeeze, on standard output.

    python3 benches/crowds.py wall --hit > wall.json
    ipcsim bench wall.json --threads 1

Sizes are in metres; `d_hat` is the first gap, 1 mm, where bodies are rigid.
"""

import argparse
import json
from math import cos, pi, sin

GAP = 1e-3
BRICK = [0.4, 0.2]


def scene(steps, bodies, obstacles=(), step=0.01, friction=0.5, **contact):
    """A scene of those bodies."""
    law = {"neo_hookean": {"young": 1e5, "poisson": 0.4}}
    return {
        "time": {"step": step, "steps": steps},
        "materials": {"stone": {"density": 1000}, "iron": {"density": 5000}, "rubber": {"density": 1000, "law": law}},
        "bodies": bodies,
        "obstacles": list(obstacles),
        "contact": {"friction": {"default": friction}} | contact,
        "output": {"every": steps},
    }


def body(name, shape, position, kind="rigid", material="stone", **more):
    """Entry of a body."""
    at = [round(x, 9) for x in position]
    return {"name": name, "kind": kind, "material": material, "shape": shape, "position": at} | more


def plane(name, normal, origin):
    """Entry of a half-plane."""
    return {"name": name, "shape": {"half_plane": {"normal": normal, "origin": origin}}}


GROUND = plane("ground", [0, 1], [0, 0])


def wall(hit):
    """361 bricks in 19 rows, hit by a ball of 3.9 t at 5 m/s if asked for."""
    width, height = BRICK
    shape = {"rectangle": {"size": BRICK, "segments": [1, 1]}}
    bricks = []
    for row in range(19):
        for k in range(19):
            # By half a brick, the first one of the top row would have its middle 0.5 mm beyond its support, and fall.
            x = (width + GAP) * (k - 9 + 0.45 * (row % 2))
            bricks.append(body(f"brick {row}-{k}", shape, (x, GAP + height / 2 + row * (height + GAP))))
    ball = body("ball", {"disk": {"radius": 0.5, "segments": 32}}, (-5.5, 2.0), material="iron", velocity=[5, 0])
    return scene(400, bricks + [ball] * hit, [GROUND], d_hat=GAP)


def circles(count, is_round):
    """Rigid disks that fall into a box: polygons of 24 corners, or true circles."""
    shape = {"circle": {"radius": 0.1}} if is_round else {"disk": {"radius": 0.1, "segments": 24}}
    across = max(1, round((count / 2) ** 0.5))
    balls = []
    for k in range(count):
        row, column = divmod(k, across)
        x = 0.25 * (column - (across - 1) / 2) + 0.02 * sin(7.0 * k)
        balls.append(body(f"ball {k}", shape, (x, 0.3 + 0.25 * row)))
    half = 0.125 * across + 0.1
    walls = [GROUND, plane("left", [1, 0], [-half, 0]), plane("right", [-1, 0], [half, 0])]
    return scene(300, balls, walls, friction=0.3, d_hat=GAP)


def pyramid(rows):
    """Boxes in rows, each of one box less than the row below."""
    shape = {"rectangle": {"size": [0.5, 0.5], "segments": [1, 1]}}
    boxes = []
    for row in range(rows):
        for k in range(rows - row):
            x = (0.5 + 0.1) * (k - (rows - row - 1) / 2)
            boxes.append(body(f"box {row}-{k}", shape, (x, GAP + 0.25 + row * (0.5 + GAP))))
    return scene(200, boxes, [GROUND], d_hat=GAP)


def blocks(count):
    """Square blocks that fall into a box."""
    shape = {"rectangle": {"size": [0.5, 0.5], "segments": [1, 1]}}
    stones = []
    for k in range(count):
        row, column = divmod(k, 7)
        x = 0.75 * (column - 3) + 0.05 * sin(5.0 * k)
        stones.append(body(f"block {k}", shape, (x, 0.6 + 0.75 * row), rotation_deg=(37 * k) % 90))
    lines = [[-3, 12], [-3, 0], [3, 0], [3, 12]]
    box = {"name": "box", "shape": {"polyline": {"points": lines}}}
    return scene(300, stones, [box], d_hat=0.01)


def funnel(count):
    """Soft shapes that fall through a funnel onto the ground."""
    shapes = [
        {"disk": {"radius": 0.1, "segments": 12}},
        {"square": {"side": 0.16, "segments": 2}},
        {"rectangle": {"size": [0.24, 0.1], "segments": [3, 1]}},
        {"regular_polygon": {"radius": 0.11, "sides": 5, "segments": 2}},
    ]
    bodies = []
    for k in range(count):
        row, column = divmod(k, 12)
        at = (0.3 * (column - 5.5), 2.6 + 0.3 * row)
        turn = (53 * k) % 180
        bodies.append(body(f"shape {k}", shapes[k % 4], at, "deformable", "rubber", rotation_deg=turn))
    sides = [
        {"name": name, "shape": {"polyline": {"points": [[2.2 * s, 2.8], [0.5 * s, 1.2], [0.5 * s, 1.0]]}}}
        for name, s in (("left side", -1), ("right side", 1))
    ]
    return scene(300, bodies, [GROUND, *sides], friction=0.3)


def gears(speed):
    """Two gears of 20 teeth, one of which turns that often in a second (1/s)."""
    shape = {"gear": {"teeth": 20, "pitch_radius": 0.4, "addendum": 0.04}}
    left = body("left", shape, (0, 0), fixed=["x", "y"], spin_deg=360 * speed)
    right = body("right", shape, (0.81, 0), fixed=["x", "y"], rotation_deg=9)
    return scene(100, [left, right], friction=0.1)


def gap():
    """A soft ball that a plate presses through a gap."""
    ball = body("ball", {"disk": {"radius": 0.2, "segments": 32}}, (0, 0.3), "deformable", "rubber")
    shape = {"rectangle": {"size": [0.22, 0.05], "segments": [2, 1]}}
    press = {"keyframes": [{"time": 1.5, "position": [0, 0.1]}]}
    plate = {"name": "plate", "shape": shape, "position": [0, 0.6]} | press
    jaws = []
    for name, side in (("left jaw", -1), ("right jaw", 1)):
        arc = [[side * (0.23 - 0.1 * cos(a * pi / 12)), 0.1 * sin(a * pi / 12) - 0.1] for a in range(-6, 7)]
        jaws.append({"name": name, "shape": {"polyline": {"points": [[side * 0.6, -0.2], *arc, [side * 0.6, 0.0]]}}})
    return scene(150, [ball], [plate, *jaws, plane("ground", [0, 1], [0, -0.8])], friction=0.2)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    kinds = {
        "wall": lambda args: wall(args.hit),
        "circles": lambda args: circles(args.count or 200, args.round),
        "pyramid": lambda args: pyramid(args.count or 15),
        "blocks": lambda args: blocks(args.count or 100),
        "funnel": lambda args: funnel(args.count or 300),
        "gears": lambda args: gears(args.count or 100),
        "gap": lambda args: gap(),
    }
    parser.add_argument("kind", choices=kinds)
    parser.add_argument("count", type=int, nargs="?", help="of bodies, of rows of the pyramid, or of turns of a gear in a second")
    parser.add_argument("--hit", action="store_true", help="throw a ball at the wall")
    parser.add_argument("--round", action="store_true", help="true circles instead of polygons")
    args = parser.parse_args()
    print(json.dumps(kinds[args.kind](args)))
