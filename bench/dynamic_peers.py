#!/usr/bin/env python3
"""How fast a graph in memory takes new arcs: weftgraph.Dynamic beside NetworkX, networkit, igraph, rustworkx, python-graphblas and SciPy, as far as
they are installed.  All have the same directed R-MAT graph and get the same batches, of which most arcs are new and some are there already; after the
batches of a size all must have the same number of arcs.  Arrays of integers go in, as a program has them; what a library needs made of them is its own time.  Those that
keep parallel arcs unless told otherwise are told so.

    python bench/dynamic_peers.py [--scale 18] [--batches 1,1000,100000] [--rounds 5] [--only weftgraph,networkit]
"""
import argparse
import importlib.util
import statistics
import time

import numpy as np

import weftgraph as wg


class Weftgraph:
    package = "weftgraph"

    def __init__(self, n, u, v):
        self.d = wg.Dynamic(wg.from_edges(u, v, vertices=n), durable="never")

    def add(self, u, v):
        self.d.apply(u, v)

    def arcs(self):
        return self.d.info()["edges"]


class Networkx:
    package = "networkx"

    def __init__(self, n, u, v):
        import networkx as nx
        self.g = nx.DiGraph()
        self.g.add_nodes_from(range(n))
        self.add(u, v)

    def add(self, u, v):
        self.g.add_edges_from(zip(u.tolist(), v.tolist()))

    def arcs(self):
        return self.g.number_of_edges()


class Networkit:
    package = "networkit"

    def __init__(self, n, u, v):
        import networkit as nk
        self.g = nk.Graph(n, directed=True)
        self.g.addEdges((u.astype(np.uint64), v.astype(np.uint64)))

    def add(self, u, v):
        self.g.addEdges((u.astype(np.uint64), v.astype(np.uint64)), checkMultiEdge=True)

    def arcs(self):
        return self.g.numberOfEdges()


class Rustworkx:
    package = "rustworkx"

    def __init__(self, n, u, v):
        import rustworkx as rx
        self.g = rx.PyDiGraph(multigraph=False)
        self.g.add_nodes_from(range(n))
        self.add(u, v)

    def add(self, u, v):
        self.g.add_edges_from_no_data(list(zip(u.tolist(), v.tolist())))

    def arcs(self):
        return self.g.num_edges()


class Igraph:
    """It has parallel arcs: simplify() after each batch is what takes them out."""
    package = "igraph"

    def __init__(self, n, u, v):
        import igraph
        self.g = igraph.Graph(n=n, edges=np.column_stack((u, v)), directed=True)

    def add(self, u, v):
        self.g.add_edges(np.column_stack((u, v)))
        self.g.simplify(loops=False)

    def arcs(self):
        return self.g.ecount()


class Graphblas:
    package = "graphblas"

    def __init__(self, n, u, v):
        import graphblas as gb
        self.gb, self.n = gb, n
        self.a = gb.Matrix.from_coo(u, v, True, nrows=n, ncols=n)

    def add(self, u, v):
        more = self.gb.Matrix.from_coo(u, v, True, nrows=self.n, ncols=self.n)
        self.a(accum=self.gb.binary.lor) << more
        self.a.wait()

    def arcs(self):
        return self.a.nvals


class Scipy:
    package = "scipy"

    def __init__(self, n, u, v):
        import scipy.sparse
        self.sparse, self.n = scipy.sparse, n
        self.a = self._matrix(u, v)

    def _matrix(self, u, v):
        return self.sparse.csr_array((np.ones(len(u), dtype=bool), (u, v)), shape=(self.n, self.n))

    def add(self, u, v):
        self.a = self.a + self._matrix(u, v)

    def arcs(self):
        return self.a.nnz


LIBRARIES = (Weftgraph, Networkx, Networkit, Rustworkx, Igraph, Graphblas, Scipy)
MOST_SECONDS = 4  # a library is timed no longer with batches of a size


def base(scale):
    g = wg.generate.rmat(scale, seed=1)
    offsets, targets, _ = g.csr()
    u = np.repeat(np.arange(g.vertices, dtype=np.int64), np.diff(np.asarray(offsets).astype(np.int64)))
    return g.vertices, u, np.asarray(targets).astype(np.int64)


def batch(random, n, u, v, size):
    """Every tenth arc is there already."""
    new = random.integers(0, n, (2, size))
    old = random.integers(0, len(u), size)
    there = random.random(size) < 0.1
    return np.where(there, u[old], new[0]), np.where(there, v[old], new[1])


def measure(given, n, u, v, size, libraries):
    """Seconds a batch of each library."""
    random = np.random.default_rng(size)
    seconds = {name: [] for name in libraries}
    owed = {name: [] for name in libraries}  # batches that a slow one gets together in the end, without the clock
    for _ in range(given.rounds * max(1, min(20, 1000 // size))):
        now = batch(random, n, u, v, size)
        for name, library in libraries.items():
            if sum(seconds[name]) > MOST_SECONDS:
                owed[name].append(now)
                continue
            begun = time.perf_counter()
            library.add(*now)
            seconds[name].append(time.perf_counter() - begun)
    for name, batches in owed.items():
        if batches:
            libraries[name].add(*(np.concatenate(side) for side in zip(*batches)))
    counts = {name: library.arcs() for name, library in libraries.items()}
    if len(set(counts.values())) > 1:
        raise SystemExit(f"batches of {size}: different numbers of arcs: {counts}")
    return seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scale", type=int, default=18)
    parser.add_argument("--batches", default="1,1000,100000")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default=",".join(kind.package for kind in LIBRARIES), help="packages, between commas")
    given = parser.parse_args()
    n, u, v = base(given.scale)
    print(f"R-MAT {given.scale}: {n:,} vertices, {len(u):,} arcs; arcs/s, median batch")
    there = {kind.package: kind(n, u, v) for kind in LIBRARIES
             if kind.package in given.only.split(",") and importlib.util.find_spec(kind.package)}
    print("| batch | " + " | ".join(there) + " |\n|" + "--:|" * (len(there) + 1))
    for size in map(int, given.batches.split(",")):
        seconds = measure(given, n, u, v, size, there)
        print(f"| {size:,} | " + " | ".join(f"{size / statistics.median(s):,.0f}" for s in seconds.values()) + " |", flush=True)


main()
