#!/usr/bin/env python3
"""Time to an answer from a NetworkX graph: NetworkX itself, weft, and the other backends that are installed (parallel, graphblas, cugraph).

    python bench/nx_backends.py [--sizes karate,10000,1000000,10000000] [--rounds 5] [--only pagerank,triangles] [--ways networkx,cached] [--seconds 20]
        [--limit 60] [--jobs 16] [--markdown]

Columns, all in ms, the least of the rounds:
  networkx  no backend is preferred
  empty     a backend is preferred that has every function and wants none: what asking costs
  auto      weft is preferred, as by WEFT_AUTOCONFIG=1; nothing is converted yet, and should_run() decides
  cold      backend="weft": the graph is converted whatever it costs
  cached    as auto, after a first call that converted the graph
  others    NAME-cold and NAME: backend=NAME, and the same after a first call, where the backend keeps what it converted; "-" if it lacks the function
A round measures each once, so that noise meets all.  A call that took longer than --seconds is not repeated.  One of another backend that has not ended
after --limit seconds is stopped, as far as it runs Python, and its column says so ("> 60 s"), as does that after a first call that was stopped.
After the table: where auto is slower than NetworkX by more than the empty backend and 5 %, and the least speed-up of cached at the largest size.  The garbage
collector does not look at the graphs themselves (gc.freeze), which would take longer than some calls.
"""
import argparse
import gc
import os
import random
import signal
import sys
import time
import types
import warnings
from importlib.metadata import EntryPoint

import networkx as nx

OTHERS = [name for name in ("parallel", "graphblas", "cugraph") if name in nx.utils.backends.backends]

WAYS = ["networkx", "empty", "auto", "cold", "cached", *(way for name in OTHERS for way in (f"{name}-cold", name))]


class TooLong(BaseException):
    """What a backend does takes longer than --limit."""


def source(G):
    return next(iter(G))


# name: (which graph, the call)
FUNCTIONS = {
    "pagerank": ("directed", lambda G, **b: nx.pagerank(G, weight=None, **b)),
    "number_strongly_connected_components": ("directed", lambda G, **b: nx.number_strongly_connected_components(G, **b)),
    "descendants": ("directed", lambda G, **b: nx.descendants(G, source(G), **b)),
    "topological_sort": ("acyclic", lambda G, **b: list(nx.topological_sort(G, **b))),
    "is_directed_acyclic_graph": ("acyclic", lambda G, **b: nx.is_directed_acyclic_graph(G, **b)),
    "number_connected_components": ("undirected", lambda G, **b: nx.number_connected_components(G, **b)),
    "core_number": ("undirected", lambda G, **b: nx.core_number(G, **b)),
    "triangles": ("undirected", lambda G, **b: nx.triangles(G, **b)),
    "average_clustering": ("undirected", lambda G, **b: nx.average_clustering(G, **b)),
    "bfs_edges": ("undirected", lambda G, **b: list(nx.bfs_edges(G, source(G), **b))),
    "single_source_shortest_path_length": ("undirected", lambda G, **b: nx.single_source_shortest_path_length(G, source(G), **b)),
    "single_source_dijkstra_path_length": ("undirected", lambda G, **b: nx.single_source_dijkstra_path_length(G, source(G), **b)),
}


def make(size, kind):
    """A graph of about so many arcs, a tenth as many nodes, edges anywhere; weights of 0 to 1."""
    if size == "karate":
        G = nx.karate_club_graph()
        return {"undirected": G, "directed": G.to_directed(), "acyclic": nx.DiGraph((u, v) for u, v in G.edges)}[kind]
    r, arcs = random.Random(1), int(size)
    nodes = max(arcs // 10, 4)
    G = nx.Graph() if kind == "undirected" else nx.DiGraph()
    G.add_nodes_from(range(nodes))
    for _ in range(arcs // 2 if kind == "undirected" else arcs):
        u, v = r.randrange(nodes), r.randrange(nodes)
        if kind == "acyclic" and u > v:
            u, v = v, u
        if u != v:
            G.add_edge(u, v, weight=r.random())
    return G


def register_empty():
    """A backend that has every function, can run all of them, and never wants to."""
    empty = types.ModuleType("weft_bench_empty")
    empty.can_run = lambda name, args, kwargs: True
    empty.should_run = lambda name, args, kwargs: False
    for name in nx.utils.backends._registered_algorithms:  # functions call each other
        setattr(empty, name, None)
    sys.modules[empty.__name__] = empty
    nx.utils.backends.backends["empty"] = EntryPoint("empty", empty.__name__, "networkx.backends")
    nx.utils.backends.backend_info["empty"] = {}
    nx.config.backends = nx.utils.Config(**dict(nx.config.backends), empty=nx.utils.Config())


def forget(G):
    G.__networkx_cache__.clear()


def converted(G, call, backend):
    if backend not in G.__networkx_cache__.get("backends", {}):
        call(G, backend=backend)


def ways(call, G):
    """name: (settings, what comes before the clock, what is timed)"""
    prefer = {"algos": ["weft"], "generators": ["weft"], "classes": []}
    nobody = {"algos": [], "generators": [], "classes": []}
    clean, kept = lambda: forget(G), lambda name: lambda: converted(G, call, name)
    all_ways = {
        "networkx": (nobody, clean, lambda: call(G)),
        "empty": ({**nobody, "algos": ["empty"]}, clean, lambda: call(G)),
        "auto": (prefer, clean, lambda: call(G)),
        "cold": (nobody, clean, lambda: call(G, backend="weft")),
        "cached": (prefer, kept("weft"), lambda: call(G)),
    }
    for name in OTHERS:
        all_ways[f"{name}-cold"] = (nobody, clean, lambda name=name: call(G, backend=name))
        all_ways[name] = (nobody, kept(name), lambda name=name: call(G, backend=name))
    return all_ways


def timed(before, work):
    before()
    begun = time.perf_counter()
    work()
    return 1e3 * (time.perf_counter() - begun)


def too_long(number, frame):
    raise TooLong


def measure(call, G, rounds, seconds, limit, wanted):
    """Least ms of each way; infinite where it was stopped, None where it failed."""
    table, found, stopped = ways(call, G), {}, set()
    small = G.number_of_edges() < 1000
    for _ in range(rounds):
        for name in (name for name in wanted if name not in stopped):
            priority, before, work = table[name]
            try:
                signal.setitimer(signal.ITIMER_REAL, limit if name.removesuffix("-cold") in OTHERS else 0)
                with nx.config(backend_priority=priority, fallback_to_nx=True):
                    before()
                    gc.collect()
                    took = min(timed(before, work) for _ in range(30 if small else 1))
            except TooLong:
                took = float("inf")
                if name.endswith("-cold"):  # what the backend would keep is not there
                    stopped.add(name.removesuffix("-cold"))
                    found[name.removesuffix("-cold")] = took
            except Exception as error:  # a backend that cannot
                stopped.add(name)
                found.setdefault(name, None)
                print(f"{name}: {type(error).__name__}: {str(error)[:100]}", file=sys.stderr)
                continue
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
            found[name] = min(took, found.get(name, took))
            if took > 1e3 * seconds:
                stopped.add(name)
    forget(G)
    return found


def shown(ms, limit=0):
    return "-" if ms is None else f"> {limit:g} s" if ms == float("inf") else f"{ms:.3f}" if ms < 10 else f"{ms:.0f}"


def wake(backends, jobs):
    """Their start, which takes up to a second, is nobody's time to an answer."""
    if "parallel" in backends:
        nx.config.backends.parallel.active = True
        nx.config.backends.parallel.n_jobs = jobs
    for name in backends:
        nx.triangles(nx.karate_club_graph(), backend=name)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="karate,10000,1000000,10000000")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--limit", type=float, default=60, help="seconds that a call of another backend may take")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="processes of nx-parallel; the cores that may be used")
    parser.add_argument("--only", default=",".join(FUNCTIONS))
    parser.add_argument("--ways", default=",".join(WAYS), help="columns, between commas")
    parser.add_argument("--markdown", action="store_true")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    nx.config.warnings_to_ignore = {"cache"}
    register_empty()
    columns = given.ways.split(",")
    signal.signal(signal.SIGALRM, too_long)
    wake(["weft", *(name for name in OTHERS if name in columns or f"{name}-cold" in columns)], given.jobs)
    line = (lambda cells: "| " + " | ".join(cells) + " |") if given.markdown else (
        lambda cells: f"{cells[0]:9} {cells[1]:36} " + " ".join(f"{c:>14}" for c in cells[2:]))
    print(line(["arcs", "function", *columns, "speed-up"]), flush=True)
    if given.markdown:
        print("|" + "---|" * (len(columns) + 3))
    slower, least = [], None
    for size in given.sizes.split(","):
        graphs, least = {}, None
        for name in given.only.split(","):
            kind, call = FUNCTIONS[name]
            if kind not in graphs:
                gc.unfreeze()
                graphs.clear()  # one at a time: 10 M arcs are some 5 GB
                gc.disable()
                graphs[kind] = make(size, kind)
                gc.enable()
                gc.freeze()
            ms = measure(call, graphs[kind], given.rounds, given.seconds, given.limit, columns)
            base, best = ms.get("networkx"), ms.get("cached")
            speedup = base / best if base and best else None
            print(line([size, name, *(shown(ms.get(c), given.limit) for c in columns), "-" if speedup is None else f"{speedup:.1f}"]), flush=True)
            if base is None:
                continue
            allowed = base + max(0, (ms.get("empty") or base) - base) + 0.05 * base
            slower += [f"{name} at {size}, {way}: {shown(ms[way])} ms; {shown(allowed)} allowed" for way in ("auto", "cached") if (ms.get(way) or 0) > allowed]
            if speedup is not None:
                least = speedup if least is None else min(least, speedup)
    print("slower than NetworkX, the empty backend and 5 %:", "nowhere" if not slower else "")
    for entry in slower:
        print("  " + entry)
    print(f"least speed-up of cached at {size}: {'-' if least is None else f'{least:.1f}'}")


if __name__ == "__main__":
    main()
