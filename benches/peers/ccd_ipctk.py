#!/usr/bin/env python3
"""Point-edge CCD of the IPC Toolkit (`pip install ipctk numpy`) on the queries of `cargo bench --bench ccd`.

Prints microseconds per query, less the time of a call from Python (measured on two far points that stand still), and
errors on tests/data/ccd_queries.jsonl. Every cell runs in a process of its own with a limit of time and memory, since
tight inclusion needs gigabytes for some grazing queries. Set it against the numbers of `cargo bench --bench ccd` and
`ipcsim ccd tests/data/ccd_queries.jsonl --method ...` on the same machine.

    python3 benches/peers/ccd_ipctk.py [--queries 1000] [--seconds 20] [--gigabytes 2]
"""

import argparse
import json
import math
import multiprocessing
import pathlib
import resource
import time

import ipctk
import numpy as np

METHODS = {"additive": ipctk.AdditiveCCD, "tight inclusion": ipctk.TightInclusionCCD}
REFERENCE = pathlib.Path(__file__).parents[2] / "tests/data/ccd_queries.jsonl"


class Even:
    """The generator of benches/ccd.rs: multiples of an irrational number."""

    def __init__(self):
        self.state = 0.1

    def next(self):
        self.state = (self.state + 0.7548776662466927) % 1.0
        return 2.0 * self.state - 1.0

    def vector(self):
        x = self.next()
        return np.array([x, math.sin(self.next() + 3.7 * x)])

    def random(self):
        return tuple(self.vector() for _ in range(6))

    def slide(self, gap):
        along = self.vector()
        lift = np.array([-along[1], along[0]]) * gap
        start, end = along * self.next() + lift, along * self.next() + lift
        return start, -along, along, end, -along, along

    def approach(self, gap):
        along = self.vector()
        across = np.array([-along[1], along[0]])
        start = along * self.next() * 0.9 + across * gap
        end = along * self.next() * 0.9 - across * 0.01
        return start, -along, along, end, -along, along


FAMILIES = {
    "random": Even.random,
    "impacts from 1e-6": lambda even: even.approach(1e-6),
    "slides at 1e-3": lambda even: even.slide(1e-3),
    "slides at 1e-6": lambda even: even.slide(1e-6),
    "slides at 1e-9": lambda even: even.slide(1e-9),
}


def still():
    """A query that every method answers at once."""
    far, edge = np.array([9.0, 9.0]), (np.array([-1.0, 0.0]), np.array([1.0, 0.0]))
    return far, *edge, far, *edge


def microseconds(ccd, queries):
    start = time.perf_counter()
    for query in queries:
        ccd.point_edge_ccd(*query)
    return (time.perf_counter() - start) / len(queries) * 1e6


def timed(method, family, count):
    ccd, even = METHODS[method](), Even()
    queries = [FAMILIES[family](even) for _ in range(count)]
    call = microseconds(ccd, [still()] * count)
    return f"{max(microseconds(ccd, queries) - call, 0.0):.2f} us"


def checked(method, conservative_rescaling):
    ccd = METHODS[method](conservative_rescaling=conservative_rescaling)
    keys = ["p0", "e00", "e10", "p1", "e01", "e11"]
    negatives = positives = late = 0
    ratios = []
    for line in REFERENCE.read_text().splitlines():
        query = json.loads(line)
        hit, toi = ccd.point_edge_ccd(*(np.array(query[key], float) for key in keys))
        negatives += query["hits"] and not hit
        positives += hit and not query["hits"]
        if hit and query["hits"]:
            exact = float(query["toi_exact"])
            late += toi > exact
            if exact > 0.0:
                ratios.append(toi / exact)
    mean = sum(ratios) / len(ratios)
    return f"{negatives} false negatives, {positives} false positives, {late} late, mean toi/exact {mean:.4f}"


def send(pipe, gigabytes, function, arguments):
    limit = int(gigabytes * 2**30)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    try:
        pipe.send(function(*arguments))
    except MemoryError:
        pipe.send(f"more than {gigabytes} GB")


def limited(options, function, *arguments):
    """The function's answer, or which limit it met."""
    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=send, args=(sender, options.gigabytes, function, arguments))
    process.start()
    sender.close()
    try:
        return receiver.recv() if receiver.poll(options.seconds) else f"more than {options.seconds:g} s"
    except EOFError:
        return f"ended, as with more than {options.gigabytes} GB"
    finally:
        process.kill()
        process.join()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--queries", type=int, default=1000, help="queries per family")
    parser.add_argument("--seconds", type=float, default=20.0, help="limit of each cell")
    parser.add_argument("--gigabytes", type=float, default=2.0, help="limit of each cell")
    options = parser.parse_args()
    ipctk.set_logger_level(ipctk.LoggerLevel.off)
    width = max(map(len, FAMILIES)) + 2
    print(" " * width + "".join(f"{method:>40}" for method in METHODS))
    for family in FAMILIES:
        cells = [limited(options, timed, method, family, options.queries) for method in METHODS]
        print(f"{family:{width}}" + "".join(f"{cell:>40}" for cell in cells))
    for method in METHODS:
        print(f"{method}, reference queries: {limited(options, checked, method, 0.9)}")


if __name__ == "__main__":
    main()
