"""What weft path must answer: see tests/conformance/compare.py."""
from itertools import islice

import networkx as nx

from expecting import Mismatch, expect, some_vertex


def lightest(case):
    """Of parallel edges only the lightest matters."""
    g = nx.DiGraph() if case.directed else nx.Graph()
    g.add_nodes_from(case.vertices)
    for u, v, w in case.graph.edges(data="weight"):
        g.add_edge(u, v, weight=min(w, g[u][v]["weight"]) if g.has_edge(u, v) else w)
    return g


def lengths(g, u, v, weight, count):
    """Of the `count` shortest paths without a vertex twice, or of all there are."""
    if u == v:
        return [0]
    try:
        return [nx.path_weight(g, path, weight) if weight else len(path) - 1
                for path in islice(nx.shortest_simple_paths(g, u, v, weight=weight), count)]
    except nx.NetworkXNoPath:
        return []


def check(case, run):
    if not case.vertices:
        return
    g, u, v = lightest(case), some_vertex(case), some_vertex(case)
    weight = "weight" if case.is_weighted() and case.rng.random() < 0.6 else None
    count = case.rng.choice([1, 1, 4]) if len(case.vertices) < 200 else 1
    avoid = [w for w in case.rng.sample(case.vertices, len(case.vertices) // 5) if w not in (u, v)]
    flags = (case.rng.choice([[], ["--weights"]]) if weight else ["--hops"]) + ["--k", str(count)]
    if avoid:
        flags += ["--avoid", run.file("avoid.txt", "".join(f"{w}\n" for w in avoid))]
        g.remove_nodes_from(avoid)
    run.start = run.start[:3] + [str(u), str(v)] + run.start[3:]
    want = lengths(g, u, v, weight, count)
    answer = run(*flags, codes=(0,) if want else (1,)).document
    paths = [p["vertices"] for p in answer["paths"]]
    for path, told in zip(paths, answer["paths"]):
        if (path[0], path[-1]) != (u, v) or len(set(path)) != len(path) or not all(map(g.has_edge, path, path[1:])):
            raise Mismatch(f"{path} is no path from {u} to {v} in the graph")
        expect("length of a path", told["length"], nx.path_weight(g, path, "weight") if weight else len(path) - 1)
    expect("paths, each once", len(set(map(tuple, paths))), len(paths))
    got = [p["length"] for p in answer["paths"]]
    if len(got) != len(want) or any(abs(a - b) > 1e-9 * max(1, b) for a, b in zip(got, want)):
        raise Mismatch(f"lengths: weft {got}, expected {want}")
