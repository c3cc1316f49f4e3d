#!/usr/bin/env python3
"""How long a shortest path between two random vertices takes, once the graph is open:

    PYTHONPATH=build/python bench/path_pairs.py GRAPH [--pairs 1000] [--weights] [--seed 1] [--unverified]

Prints the median, the middle nine tenths and the slowest time.  Unless --unverified says otherwise every path is checked: its steps are arcs, and
its length is what a whole search (bfs, sssp) finds."""
import argparse
import random
import statistics
import sys
import time

import weftgraph as wg


def arcs_of(g):
    """The targets of a vertex, by ids' places."""
    offsets, targets, _ = g.csr()
    offsets, targets = memoryview(offsets), memoryview(targets)
    return lambda u: set(targets[offsets[u]:offsets[u + 1]])


def check(g, arcs, place, u, v, found, weights):
    search = g.sssp(u) if weights else g.bfs(u)
    far = search["distance" if weights else "level"][place[v]]
    if not found:
        return far is None or far == float("inf")
    path, length = found[0]
    steps = all(place[b] in arcs(place[a]) for a, b in zip(path, path[1:]))
    return steps and (path[0], path[-1], length) == (u, v, far)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graph")
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--weights", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--unverified", action="store_true")
    args = parser.parse_args()
    g = wg.read(args.graph)
    ids = g.ids.tolist()
    draw = random.Random(args.seed)
    pairs = [(draw.choice(ids), draw.choice(ids)) for _ in range(args.pairs)]
    g.path(*pairs[0], weights=args.weights)
    times, answers = [], []
    for u, v in pairs:
        began = time.perf_counter()
        answers.append(g.path(u, v, weights=args.weights))
        times.append(1e3 * (time.perf_counter() - began))
    if not args.unverified:
        arcs, place = arcs_of(g), {x: i for i, x in enumerate(ids)}
        wrong = [pair for pair, found in zip(pairs, answers) if not check(g, arcs, place, *pair, found, args.weights)]
        if wrong:
            sys.exit(f"wrong: {len(wrong)} of {len(pairs)} paths, the first from {wrong[0][0]} to {wrong[0][1]}")
    times.sort()
    low, high = times[len(times) // 20], times[-1 - len(times) // 20]
    print(f"{len(pairs)} paths: median {statistics.median(times):.2f} ms, 5 to 95 % {low:.2f} to {high:.2f}, slowest {times[-1]:.2f}; "
          + ("not verified" if args.unverified else "each verified"))


main()
