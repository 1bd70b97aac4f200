"""Runs a scene of `benches/crowds.py` by pymunk, on one thread.

    pip install pymunk
    python3 benches/crowds.py wall > wall.json
    python3 benches/peers/rigid_pymunk.py wall.json [--steps N] [--sleep]

Two settings: its own, 10 iterations; and tuned, 30 iterations in each of 4 substeps with a slop of 1 mm. Bodies
stay awake unless `--sleep` is given.
"""

import argparse
import json
from math import cos, hypot, radians, sin
from time import perf_counter

import pymunk

LOOK = 5


def space_of(scene, iterations, slop, sleeps):
    """The scene in a new space, and its bodies."""
    space = pymunk.Space()
    space.gravity = (0, -9.81)
    space.iterations = iterations
    if slop is not None:
        space.collision_slop = slop
    if sleeps:
        space.sleep_time_threshold = 0.5
    friction = scene["contact"]["friction"]["default"] ** 0.5  # pymunk multiplies those of both bodies

    for obstacle in scene["obstacles"]:
        (nx, ny), (x, y) = (obstacle["shape"]["half_plane"][key] for key in ("normal", "origin"))
        thick = 5.0
        ends = [(x - thick * nx - s * ny, y - thick * ny + s * nx) for s in (-100, 100)]
        line = pymunk.Segment(space.static_body, *ends, thick)
        line.friction = friction
        space.add(line)

    bodies = []
    for entry in scene["bodies"]:
        body = pymunk.Body()
        body.position = entry["position"]
        body.angle = radians(entry.get("rotation_deg", 0))
        body.velocity = entry.get("velocity", (0, 0))
        disk = entry["shape"].get("disk") or entry["shape"].get("circle")
        if disk:
            shape = pymunk.Circle(body, disk["radius"])
        else:
            shape = pymunk.Poly.create_box(body, entry["shape"]["rectangle"]["size"])
        shape.density = scene["materials"][entry["material"]]["density"]
        shape.friction = friction
        space.add(body, shape)
        bodies.append((body, shape))
    return space, bodies


def axes_and_half(body, shape):
    """Directions of the sides of a box, and its half sizes (m)."""
    box = shape.get_vertices()
    half = [max(v.x for v in box), max(v.y for v in box)]
    c, s = cos(body.angle), sin(body.angle)
    return [(c, s), (-s, c)], half


def reach(body, shape, n):
    """Largest distance of a body from its centre along a unit vector (m)."""
    if isinstance(shape, pymunk.Circle):
        return shape.radius
    axes, half = axes_and_half(body, shape)
    return sum(h * abs(a[0] * n[0] + a[1] * n[1]) for a, h in zip(axes, half))


def depth(one, other):
    """Depth of one body in another (m), negative or 0 if they are apart."""
    (a, sa), (b, sb) = one, other
    way = b.position - a.position
    disks = [isinstance(shape, pymunk.Circle) for shape in (sa, sb)]
    if all(disks):
        return sa.radius + sb.radius - way.length
    if any(disks):
        (disk, round_shape), (box, box_shape) = (one, other) if disks[0] else (other, one)
        axes, half = axes_and_half(box, box_shape)
        out = [abs((disk.position - box.position).dot(a)) - h for a, h in zip(axes, half)]
        outside = hypot(*(max(o, 0) for o in out))
        return round_shape.radius - (outside if outside > 0 else max(out))
    normals = axes_and_half(*one)[0] + axes_and_half(*other)[0]
    return min(reach(*one, n) + reach(*other, n) - abs(way.dot(n)) for n in normals)


def deepest(scene, bodies):
    """Deepest overlap of all bodies with each other and with half-planes (m)."""
    worst = 0.0
    size = [hypot(*(reach(b, s, (c, 1 - c)) for c in (0, 1))) for b, s in bodies]
    planes = [obstacle["shape"]["half_plane"] for obstacle in scene["obstacles"]]
    for k, one in enumerate(bodies):
        for plane in planes:
            n = pymunk.Vec2d(*plane["normal"])
            worst = max(worst, reach(*one, n) - (one[0].position - pymunk.Vec2d(*plane["origin"])).dot(n))
        for j in range(k + 1, len(bodies)):
            if (one[0].position - bodies[j][0].position).length < size[k] + size[j]:
                worst = max(worst, depth(one, bodies[j]))
    return worst


def measure(name, scene, steps, sleeps, iterations, substeps, slop):
    """Runs the scene, and prints what `rigid` prints."""
    space, bodies = space_of(scene, iterations, slop, sleeps)
    h = scene["time"]["step"]
    top = max(range(len(bodies)), key=lambda k: (bodies[k][0].position.y, k))
    start = bodies[top][0].position.y
    times, overlap = [], 0.0
    for step in range(1, steps + 1):
        begin = perf_counter()
        for _ in range(substeps):
            space.step(h / substeps)
        times.append(1e3 * (perf_counter() - begin))
        if step % LOOK == 0:
            overlap = max(overlap, deepest(scene, bodies))
    late = times[steps // 2 :]
    sunk = start - bodies[top][0].position.y
    print(
        f"{name:14} {sum(times) / steps:8.4f} {sum(late) / len(late):8.4f} ms a step, "
        f"{1e3 * overlap:6.1f} mm deep, sunk by {1e3 * sunk:6.1f} mm"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("scene")
    parser.add_argument("--steps", type=int)
    parser.add_argument("--sleep", action="store_true", help="let bodies sleep")
    given = parser.parse_args()
    with open(given.scene, encoding="utf-8") as file:
        crowd = json.load(file)
    count = given.steps or crowd["time"]["steps"]
    measure("pymunk", crowd, count, given.sleep, 10, 1, None)
    measure("pymunk, tuned", crowd, count, given.sleep, 30, 4, 1e-3)
