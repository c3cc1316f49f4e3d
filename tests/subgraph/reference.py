"""What weft subgraph must leave: see tests/conformance/compare.py."""
import os
from collections import Counter

import networkx as nx
import numpy as np

from expecting import expect, some_vertex


def conditions(case):
    """Some, at random: flags, and a function from a graph to what is left of it, in the order of the command."""
    g, rng, chosen = case.graph, case.rng, []
    if case.is_weighted() and rng.random() < 0.4:
        low = rng.choice([w for _, _, w in g.edges(data="weight")] or [1.0])
        text = repr(low) if case.doubles else str(np.float32(low))
        chosen.append((["--min-weight", text], lambda h: without_edges(h, lambda w: w < low)))
    if rng.random() < 0.3 and case.vertices:
        some = rng.sample(case.vertices, rng.randrange(1, len(case.vertices) + 1))
        chosen.append((some, lambda h: h.subgraph(some)))
    if rng.random() < 0.3 and case.vertices:
        centre, radius = some_vertex(case), rng.randrange(4)
        chosen.append((["--ego", str(centre), "--radius", str(radius)], lambda h: h.subgraph(
            nx.ego_graph(h, centre, radius) if centre in h else [])))
    if rng.random() < 0.3:
        least, most = rng.randrange(3), rng.randrange(3, 12)
        chosen.append((["--min-degree", str(least), "--max-degree", str(most)], lambda h: h.subgraph(
            [v for v in h if least <= total_degree(h, v) <= most])))
    if rng.random() < 0.3:
        k = rng.randrange(1, 4)
        chosen.append((["--core", str(k)], lambda h: h.subgraph(core(h, k))))
    if rng.random() < 0.2:
        t = rng.randrange(2, 5)
        chosen.append((["--truss", str(t)], lambda h: truss(h, t)))
    if rng.random() < 0.4:
        kind = rng.choice(["weak", "strong"])
        chosen.append((["--largest-component", kind], lambda h: h.subgraph(largest(h, kind))))
    return chosen


def without_edges(h, drop):
    h = h.copy()
    edges = h.edges(keys=True, data="weight") if h.is_multigraph() else h.edges(data="weight")
    h.remove_edges_from([e[:-1] for e in edges if drop(e[-1])])
    return h


def total_degree(h, v):
    """As weft degree: an undirected loop is one arc, which begins and ends there."""
    return h.degree(v) if h.is_directed() else h.degree(v) - h.number_of_edges(v, v)


def core(h, k):
    simple = nx.Graph((u, v) for u, v in h.edges() if u != v)
    simple.add_nodes_from(h)
    return [v for v, c in nx.core_number(simple).items() if c >= k]


def truss(h, k):
    """Edges whose pair is in NetworkX's k-truss, and their ends."""
    inside = nx.k_truss(nx.Graph((u, v) for u, v in h.edges() if u != v), k)
    h = h.copy()
    h.remove_edges_from([e for e in h.edges if not inside.has_edge(e[0], e[1])])
    return h.subgraph([v for v in h if h.degree(v)])


def largest(h, kind):
    if not h:
        return []
    if not h.is_directed():
        parts = nx.connected_components(h)
    else:
        parts = nx.strongly_connected_components(h) if kind == "strong" else nx.weakly_connected_components(h)
    return min(parts, key=lambda part: (-len(part), min(part)))


def edges_of(h):
    ends = (lambda u, v: (u, v)) if h.is_directed() else (lambda u, v: (min(u, v), max(u, v)))
    return Counter((*ends(u, v), w) for u, v, w in h.edges(data="weight"))


def check(case, run):
    flags, want = [], case.graph
    for given, left in conditions(case):
        if given and not isinstance(given[0], str):
            given = ["--ids", run.file("some.txt", "".join(f"{v}\n" for v in given))]
        flags += given
        want = left(want)
    path = os.path.join(run.folder, "part.weft")
    answer = run(*flags, "-o", path).document
    expect("vertices", answer["vertices"], want.number_of_nodes())
    expect("edges", answer["edges"], want.number_of_edges())
    expect("left out", (answer["left_out"]["vertices"], answer["left_out"]["edges"]),
           (len(case.vertices) - want.number_of_nodes(), case.graph.number_of_edges() - want.number_of_edges()))
    ids = [line.split("\t")[0] for line in run.other("degree", path, "-q", "-o", "-").splitlines()[1:]]
    expect("the vertices", ids, [str(v) for v in sorted(want)])
    got = Counter()
    for line in run.other("convert", path, "-", "--to", "edgelist", "--duplicates", "keep", "-q").splitlines():
        if not line.startswith("#"):
            u, v, *w = line.split()
            u, v = int(u), int(v)
            got[(u, v) if case.directed else (min(u, v), max(u, v)), float(w[0]) if w else 1.0] += 1
    as_read = float if case.doubles else (lambda w: float(str(np.float32(w))))
    expect("the edges", dict(got), dict(Counter({((u, v), as_read(w)): n for (u, v, w), n in edges_of(want).items()})))
