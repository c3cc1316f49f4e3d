"""What the references of algorithms (tests/algo/<x>/reference.py) share: expectations, and helpers of more than one."""
import math
from collections import Counter
from fractions import Fraction

import networkx as nx
import numpy as np

class Mismatch(Exception):
    pass


def expect(what, got, want):
    if got == want:
        return
    if isinstance(got, dict) and isinstance(want, dict):
        keys = [k for k in want if got.get(k) != want[k]] + [k for k in got if k not in want]
        lines = [f"  {k}: weft {got.get(k)}, expected {want.get(k)}" for k in keys[:20]]
        raise Mismatch(f"{what}: {len(keys)} differ\n" + "\n".join(lines))
    raise Mismatch(f"{what}: weft {got}, expected {want}")


def expect_near(what, got, want, bound):
    expect(f"{what}, the vertices", sorted(got), sorted(want))
    off = math.fsum(abs(got[v] - want[v]) for v in want)
    if not off <= bound:
        raise Mismatch(f"{what}: off by {off:.3g} in all, at most {bound:.3g} can be explained\n"
                       + "\n".join(f"  {v}: weft {got[v]!r}, expected {want[v]!r}" for v in list(want)[:20]))


def hub(case):
    """Where a search starts that is not told: most outgoing arcs, of equals the smallest."""
    out = Counter(u for u, _, _ in case.arcs())
    return min(case.vertices, key=lambda v: (-out[v], v))


def some_vertex(case):
    return case.rng.choice(case.vertices)


def refused(case, run):
    """An undirected graph has no order: said in words, with the exit code of wrong input."""
    answer = run(codes=(2, 3))
    if "undirected" not in answer.said:
        raise Mismatch(f"an undirected graph is refused with: {answer.said}")


def matrix_of(case, weighted):
    """Sums of weights, or numbers of arcs: rows are where arcs come from."""
    row = {v: i for i, v in enumerate(case.vertices)}
    matrix = np.zeros((len(row), len(row)))
    for u, v, w in case.arcs():
        matrix[row[u], row[v]] += w if weighted else 1
    return matrix


def largest_eigenvalue(matrix):
    """Of each strong component by itself: rounding would make some of a matrix that has none."""
    arcs = nx.from_numpy_array(matrix != 0, create_using=nx.DiGraph)
    parts = [sorted(part) for part in nx.strongly_connected_components(arcs)]
    return max((float(abs(np.linalg.eigvals(matrix[np.ix_(part, part)])).max()) for part in parts), default=0.0)


def on_a_cycle(g):
    loops = {v for v in g if g.has_edge(v, v)}
    return loops.union(*(part for part in nx.strongly_connected_components(g) if len(part) > 1))


def expect_cycle(case, cycle):
    steps = list(zip(cycle, cycle[1:] + cycle[:1]))
    if not cycle or len(set(cycle)) < len(cycle) or not all(case.graph.has_edge(u, v) for u, v in steps):
        raise Mismatch(f"this is no cycle of the graph: {cycle}")
    expect("the first vertex of the cycle", cycle[0], min(cycle))


def check_communities(case, run):
    """Of leiden and louvain: names are smallest members, the quality is NetworkX's of the same communities, and the best
    of three seeds at least 0.95 of the best (or 0.01 below it), less an edge, that its louvain_communities finds with three, in undirected graphs (those with directions:
    tests/python/cases/test_communities.py)."""
    for flags, weight in [([], None)] + [(["--weights"], "weight")] * case.is_weighted():
        resolution = case.rng.choice([1, 1, 0.5, 2])
        answer = run("--resolution", str(resolution), *flags)
        groups = {}
        for v, c in answer.column("community").items():
            groups.setdefault(c, set()).add(v)
        expect("names", {c: min(group) for c, group in groups.items()}, {c: c for c in groups})
        expect("vertices", sorted(v for group in groups.values() for v in group), sorted(case.vertices))
        expect("count", answer.result["count"], len(groups))
        expect("largest", answer.result["largest"], max(map(len, groups.values()), default=0))
        if case.graph.size(weight=weight) == 0:
            expect("without weight: communities", len(groups), len(case.vertices))
            expect("without weight: modularity", answer.result["modularity"], 0)
            continue
        g = case.graph if weight else unit_weights(case.graph)
        quality = lambda parts, gamma=resolution: nx.community.modularity(g, parts, weight="weight", resolution=gamma)
        for name, gamma in (("modularity", 1), ("quality", resolution)):
            want, got = quality(list(groups.values()), gamma), answer.result[name]
            if abs(got - want) > 1e-12 * max(1, gamma):
                raise Mismatch(f"{name}: weft {got!r}, NetworkX {want!r} of the same communities")
        if case.directed or len(case.vertices) > 500:
            continue  # there louvain_communities makes floats of fractions (as_fractions); and they are slow
        exact = as_fractions(g)
        best = max(quality(nx.community.louvain_communities(exact, weight="weight", resolution=Fraction(resolution), seed=seed))
                   for seed in range(3))
        enough = best - 0.05 * max(abs(best), 0.2) - 1 / g.number_of_edges()  # of a few vertices one may be elsewhere
        for seed in ["1", "2"]:
            if got < enough:
                got = max(got, run("--resolution", str(resolution), "--seed", seed, *flags).result["quality"])
        if got < enough:
            raise Mismatch(f"quality: weft {got!r}, louvain_communities finds {best!r}")


def as_fractions(graph):
    """With rounded gains NetworkX's louvain may move vertices in a circle for ever."""
    g = graph.__class__(graph)
    for _, _, data in g.edges(data=True):
        data["weight"] = Fraction(data["weight"])
    return g


def unit_weights(graph):
    g = graph.__class__(graph)
    nx.set_edge_attributes(g, 1, "weight")
    return g
