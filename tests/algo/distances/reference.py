"""What distances must answer: see tests/conformance/compare.py."""
from collections import Counter

import networkx as nx

from expecting import Mismatch, expect

FLAGS = {"out": [], "in": ["--direction", "in"], "both": ["--direction", "both"]}


def answers(g, once):
    """Eccentricities, figures and pairs by distance of a graph by plain searches."""
    lengths = dict(nx.all_pairs_shortest_path_length(g))
    ecc = {v: max(to.values()) for v, to in lengths.items()}
    pairs = Counter(d for u, to in lengths.items() for v, d in to.items() if u != v and (not once or u < v))
    reaching = [ecc[v] for v, to in lengths.items() if len(to) == len(g)]
    radius = min(reaching, default=None) if len(g) else 0
    figures = {"diameter": max(ecc.values(), default=0), "radius": radius, "vertices": len(g)}
    missing = len(g) * (len(g) - 1) - sum(len(to) - 1 for to in lengths.values())
    return ecc, figures, pairs, missing


def compare(case, run, g, direction):
    ecc, figures, pairs, missing = answers(g, direction == "both")
    flags = FLAGS[direction]
    answer = run(*flags, "--verify", "--table") if case.index % 2 else run(*flags, "--verify")
    want = {**figures, "open": 0, "unreachable_pairs": missing}
    expect(f"figures, {direction}", {k: answer.result[k] for k in want}, want)
    expect("distribution", dict(zip(answer.result["distance"], answer.result["pairs"])), dict(pairs))
    if pairs:
        mean = sum(d * c for d, c in pairs.items()) / sum(pairs.values())
        if abs(answer.result["mean_distance"] - mean) > 1e-9 * mean:
            raise Mismatch(f"mean_distance: weft {answer.result['mean_distance']}, expected {mean}")
    if answer.rows:
        expect("eccentricity", answer.column("eccentricity"), {v: ecc.get(v) for v in case.vertices})
    bounded = run(*flags, "--all-pairs", "0", "--searches", "100000", "--verify")
    want = {**figures, "diameter_at_most": figures["diameter"], "radius_at_least": figures["radius"]}
    expect(f"figures by bounds, {direction}", {k: bounded.result[k] for k in want}, want)
    low, high = bounded.column("eccentricity"), bounded.column("at_most")
    for v in g:
        if not low[v] <= ecc[v] <= high[v]:
            raise Mismatch(f"eccentricity of {v}: {ecc[v]} is not from {low[v]} to {high[v]}")
    expect("open", bounded.result["open"], sum(low[v] != high[v] for v in g))


def compare_lengths(case, run, g, direction):
    """By weights; g has those of the graph, of parallel arcs the smallest."""
    if case.index % 3 and len(g) > 60:
        return
    flags = ["--weights", "--verify", *FLAGS[direction]]
    lengths = dict(nx.all_pairs_dijkstra_path_length(g))
    ecc = {v: max(to.values()) for v, to in lengths.items()}
    answer = run(*flags)
    close("weighted_eccentricity", answer.column("weighted_eccentricity"), {v: ecc.get(v) for v in case.vertices})
    reaching = [ecc[v] for v, to in lengths.items() if len(to) == len(g)]
    pairs = [d for u, to in lengths.items() for v, d in to.items() if u != v and (direction != "both" or u < v)]
    want = {"weighted_diameter": max(ecc.values(), default=0), "weighted_radius": min(reaching, default=None) if len(g) else 0,
            "mean_distance": sum(pairs) / len(pairs) if pairs else 0}
    close("figures by weights", {k: answer.result[k] for k in want}, want)
    expect("pairs", sum(answer.result["pairs"]), len(pairs))


def close(what, got, want):
    expect(f"{what}, which", {k for k in got if got[k] is None}, {k for k in want if want[k] is None})
    for k in want:
        if want[k] is not None and abs(got[k] - want[k]) > 1e-9 * want[k]:
            raise Mismatch(f"{what} of {k}: weft {got[k]!r}, expected {want[k]!r}")


def weighted(case, part, directed):
    g = nx.DiGraph() if directed else nx.Graph()
    g.add_nodes_from(v for v in case.vertices if v in part)
    for u, v, w in case.arcs():
        if u in part and (not g.has_edge(u, v) or w < g[u][v]["weight"]):
            g.add_edge(u, v, weight=w)
    return g


def check(case, run):
    parts = list(nx.connected_components(case.simple)) if case.vertices else []
    part = min(parts, key=lambda p: (-len(p), min(p))) if parts else []
    compare(case, run, case.simple.subgraph(part), "both")
    if case.directed:
        along = nx.DiGraph()
        along.add_nodes_from(case.vertices)
        along.add_edges_from(case.graph.edges())
        compare(case, run, along.subgraph(part), "out")
        compare(case, run, along.subgraph(part).reverse(), "in")
    if case.is_weighted():
        part = set(part)
        compare_lengths(case, run, weighted(case, part, False), "both")
        if case.directed:
            along = weighted(case, part, True)
            compare_lengths(case, run, along, "out")
            compare_lengths(case, run, along.reverse(), "in")
