#!/usr/bin/env python3
"""How long a NetworkX graph takes to become another library's: weftgraph beside SciPy, networkit, igraph, rustworkx and python-graphblas,
as far as they are installed.  A round measures each once, so that noise meets all; the table has the least and the median of the rounds.

    python bench/nx_conversion.py [--arcs 1000000] [--nodes 100000] [--rounds 7] [--only weftgraph,scipy] [--undirected | --generated]
"""
import argparse
import gc
import importlib.util
import random
import statistics
import time

import networkx as nx

LABELS = {
    "0 … n-1": lambda i: i,
    "integers": lambda i: 3 * i + 7,
    "strings": lambda i: f"node{i}",
    "tuples": lambda i: (i // 300, i % 300),
}


def weft(weight):
    from weftgraph import _weft

    return lambda G: _weft.nx_convert(G._node, G._adj, G.is_directed(), False, "weight" if weight else None, 1)


def scipy(weight):
    return lambda G: nx.to_scipy_sparse_array(G, weight="weight" if weight else None)


def networkit(weight):
    import networkit as nk

    return lambda G: nk.nxadapter.nx2nk(G, weightAttr="weight" if weight else None)


def igraph(weight):
    import igraph as ig

    return lambda G: ig.Graph.from_networkx(G)


def rustworkx(weight):
    import rustworkx as rx

    return lambda G: rx.networkx_converter(G)


def graphblas(weight):
    from graphblas import io

    return lambda G: io.from_networkx(G, weight="weight" if weight else None)


LIBRARIES = {
    "weftgraph": weft, "scipy": scipy, "networkit": networkit, "igraph": igraph, "rustworkx": rustworkx, "graphblas": graphblas,
}


def make(nodes, arcs, label, cls):
    """Each arc has label objects of its own, as a reader makes them."""
    r = random.Random(1)
    G = cls()
    G.add_nodes_from(map(label, range(nodes)))
    while G.number_of_edges() < arcs:
        G.add_weighted_edges_from((label(r.randrange(nodes)), label(r.randrange(nodes)), r.random()) for _ in range(arcs - G.number_of_edges()))
    return G


def generated(nodes, edges, label):
    """As generators make them: edges mostly in the order of rows, and both ends the graph's own nodes."""
    r = random.Random(1)
    names = [label(i) for i in range(nodes)]
    G = nx.Graph()
    G.add_nodes_from(names)
    G.add_weighted_edges_from((names[u], names[v], r.random()) for u, v in nx.gnm_random_graph(nodes, edges, seed=1).edges)
    return G


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--arcs", type=int, default=1_000_000)
    parser.add_argument("--nodes", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", default=",".join(LIBRARIES), help="libraries, between commas")
    parser.add_argument("--undirected", action="store_true", help="as many arcs, of half as many edges")
    parser.add_argument("--generated", action="store_true", help="the same as NetworkX's own generators make it")
    given = parser.parse_args()
    there = {name: LIBRARIES[name] for name in given.only.split(",") if importlib.util.find_spec(name)}
    edges, cls = (given.arcs // 2, nx.Graph) if given.undirected or given.generated else (given.arcs, nx.DiGraph)
    print(f"{given.arcs} arcs, {given.nodes} nodes, NetworkX {nx.__version__}; ms, least / median of {given.rounds}")
    for title, label in LABELS.items():
        G = generated(given.nodes, edges, label) if given.generated else make(given.nodes, edges, label, cls)
        for weight in (False, True):
            convert = {name: f(weight) for name, f in there.items()}
            times = {name: [] for name in convert}
            for _ in range(given.rounds):
                for name, f in convert.items():
                    gc.collect()
                    begun = time.perf_counter()
                    f(G)
                    times[name].append(1e3 * (time.perf_counter() - begun))
            row = "   ".join(f"{name} {min(t):.0f} / {statistics.median(t):.0f}" for name, t in times.items())
            print(f"{title:10} {'weights' if weight else '':8} {row}", flush=True)


main()
