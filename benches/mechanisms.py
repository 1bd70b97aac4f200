"""Scenes of many hinged bars, on standard output.

    python3 benches/mechanisms.py chain 100000 --steps 20 > chain.json
    python3 benches/mechanisms.py chain 1000 --contact --steps 100 > landing.json
    python3 benches/mechanisms.py lattice 70 --held top --steps 50 > lattice.json

A chain of bars of 0.08 m is held at its left end. A lattice has that number of nodes along each side,
with a bar of 0.1 m between neighbours, and is held at all nodes of its top row, at the two ends of
that, or at the left one. A node of k bars has k - 1 hinges. Nothing collides, but with --contact all bars
of a chain do that have no hinge with each other, and it lands on rough ground 0.05 m below it.
"""

import argparse
import json

WIDTH = 0.02  # of bars (m)


def body(name, size, position):
    """Entry of a rigid bar, or of a support if it has no material."""
    shape = {"rectangle": {"size": size, "segments": [1, 1]}}
    return {"name": name, "shape": shape, "position": [round(x, 9) for x in position], "group": "all"}


def bar(number, begin, end):
    """A bar along an axis from one point to another (m)."""
    size = [max(abs(b - a), WIDTH) for a, b in zip(begin, end)]
    middle = [(a + b) / 2 for a, b in zip(begin, end)]
    return body(f"bar {number}", size, middle) | {"kind": "rigid", "material": "wood"}


def scene(edges, held, place, steps):
    """The scene of bars along `edges` between nodes, some of them `held`."""
    bars, at_node = [], {}
    for number, (a, b) in enumerate(edges):
        bars.append(bar(number, place(a), place(b)))
        for node in (a, b):
            at_node.setdefault(node, []).append(f"bar {number}")

    supports, joints = [], []
    for node, names in at_node.items():
        if node in held:
            supports.append(body(f"support {len(supports)}", [WIDTH, WIDTH], place(node)))
            names = [supports[-1]["name"], *names]
        at = [round(x, 9) for x in place(node)]
        joints += [{"hinge": {"bodies": [names[0], name], "at": at}} for name in names[1:]]
    return {
        "time": {"step": 0.01, "steps": steps},
        "materials": {"wood": {"density": 600}},
        "bodies": bars,
        "obstacles": supports,
        "joints": joints,
        "output": {"every": steps, "force_rows": 0},
    }


def chain(count, steps, contact):
    """A chain of that many bars, from the left end to the right."""
    edges = [((i, 0), (i + 1, 0)) for i in range(count)]
    made = scene(edges, {(0, 0)}, lambda node: (0.08 * node[0], 0.0), steps)
    return landing(made) if contact else made


def landing(made):
    """The scene with collisions, above rough ground."""
    for one in made["bodies"] + made["obstacles"]:
        del one["group"]
    plane = {"half_plane": {"normal": [0, 1], "origin": [0, -WIDTH / 2 - 0.05]}}
    made["obstacles"].append({"name": "ground", "shape": plane})
    made["contact"] = {"friction": {"default": 0.3}}
    return made


def lattice(count, held, steps):
    """A lattice of that many nodes along each side."""
    nodes = [(i, j) for j in range(count) for i in range(count)]
    along = [((i, j), (i + 1, j)) for i, j in nodes if i + 1 < count]
    down = [((i, j), (i, j + 1)) for i, j in nodes if j + 1 < count]
    last = count - 1
    columns = {"top": range(count), "two": (0, last), "one": (0,)}[held]
    place = lambda node: (0.1 * node[0], -0.1 * node[1])
    return scene(along + down, {(i, 0) for i in columns}, place, steps)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("kind", choices=["chain", "lattice"])
    parser.add_argument("count", type=int, help="bars of the chain, or nodes along a side of the lattice")
    parser.add_argument("--held", choices=["top", "two", "one"], default="top")
    parser.add_argument("--contact", action="store_true", help="bars of a chain collide, and it lands on ground")
    parser.add_argument("--steps", type=int, default=50)
    args = parser.parse_args()
    if args.kind == "chain":
        made = chain(args.count, args.steps, args.contact)
    else:
        made = lattice(args.count, args.held, args.steps)
    print(json.dumps(made))
