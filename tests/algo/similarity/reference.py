"""What similarity must answer: see tests/conformance/compare.py.  Jaccard, Adamic-Adar, resource allocation and
preferential attachment are NetworkX's; the others the definition.  All are of the undirected simple graph."""
import math

import networkx as nx

from expecting import Mismatch, expect


def common_of(graph, u, v):
    return len(set(graph[u]) & set(graph[v]))


def over(x, y):
    return x / y if y else 0


MEASURES = {
    "jaccard": lambda g, pairs: [x for _, _, x in nx.jaccard_coefficient(g, pairs)],
    "adamic-adar": lambda g, pairs: [x for _, _, x in nx.adamic_adar_index(g, pairs)],
    "resource-allocation": lambda g, pairs: [x for _, _, x in nx.resource_allocation_index(g, pairs)],
    "preferential-attachment": lambda g, pairs: [x for _, _, x in nx.preferential_attachment(g, pairs)],
    "common": lambda g, pairs: [common_of(g, u, v) for u, v in pairs],
    "overlap": lambda g, pairs: [over(common_of(g, u, v), min(len(g[u]), len(g[v]))) for u, v in pairs],
    "cosine": lambda g, pairs: [over(common_of(g, u, v), math.sqrt(len(g[u]) * len(g[v]))) for u, v in pairs],
    "sorensen": lambda g, pairs: [over(2 * common_of(g, u, v), len(g[u]) + len(g[v])) for u, v in pairs],
}


def without_hubs(graph, most):
    """Jaccard by the neighbours that have no more than so many themselves."""
    near = {v: {w for w in graph[v] if len(graph[w]) <= most} for v in graph}
    return lambda g, pairs: [over(len(near[u] & near[v]), len(near[u] | near[v])) for u, v in pairs]


def alike(what, got, want):
    if len(got) != len(want) or any(abs(x - y) > 1e-9 * max(y, 1e-3) for x, y in zip(got, want)):
        raise Mismatch(f"{what}: weft {got!r}, expected {want!r}")


def compare_best(graph, rows, of, value, most, unjoined, near):
    """Those that share a neighbour, the most similar first; of equals the smallest."""
    at = 0
    for u in of:
        others = {v for w in near(u) for v in graph[w]} - {u} - (set(graph[u]) if unjoined else set())
        values = dict(zip(others, value(graph, [(u, v) for v in others])))
        mine = rows[at:at + min(most, len(others))]
        at += len(mine)
        expect("source", [row["source"] for row in mine], [u] * min(most, len(others)))
        alike(f"similarities of {u}", [row["similarity"] for row in mine], sorted(values.values(), reverse=True)[:len(mine)])
        alike(f"similarity to {u}", [row["similarity"] for row in mine], [values[row["target"]] for row in mine])
        expect("order", mine, sorted(mine, key=lambda row: (-row["similarity"], row["target"])))
        expect("each once", len({row["target"] for row in mine}), len(mine))
    expect("rows", len(rows), at)


def check(case, run):
    rng, graph = case.rng, nx.Graph()
    graph.add_nodes_from(case.vertices)
    graph.add_edges_from((u, v) for u, v, _ in case.arcs() if u != v)
    answer = run("--verify")
    compare_best(graph, answer.rows, case.vertices, MEASURES["jaccard"], 10, False, lambda u: graph[u])
    wedges = sum(d * (d - 1) for _, d in graph.degree())
    expect("wedges", answer.result["wedges"], wedges)
    name = rng.choice(list(MEASURES))
    answer = run("--edges", "--measure", name, "--verify")
    edges = sorted((u, v) for u, v, _ in case.arcs() if case.directed or u <= v)
    values = iter(MEASURES[name](graph, [(u, v) for u, v in edges if u != v]))
    expect("edges", [(row["source"], row["target"]) for row in answer.rows], edges)
    alike("similarity of edges", [row["similarity"] for row in answer.rows], [0 if u == v else next(values) for u, v in edges])
    if len(case.vertices) < 2:
        return
    name, most = rng.choice(list(MEASURES)), rng.randint(1, 5)
    of = [rng.choice(case.vertices) for _ in range(3)]
    answer = run("--of", ",".join(map(str, of)), "--measure", name, "--per-vertex", str(most), "--unjoined", "--verify")
    compare_best(graph, answer.rows, of, MEASURES[name], most, True, lambda u: graph[u])

    degree = rng.randint(1, 6)
    answer = run("--most-degree", str(degree), "--per-vertex", str(most), "--verify")
    near = lambda u: [w for w in graph[u] if len(graph[w]) <= degree]
    compare_best(graph, answer.rows, case.vertices, without_hubs(graph, degree), most, False, near)
    expect("hubs", answer.result["hubs"], sum(d > degree for _, d in graph.degree()))
    expect("all wedges", answer.result["wedges"] + answer.result["left_out"], wedges)

    pairs = [tuple(rng.sample(case.vertices, 2)) for _ in range(rng.randint(1, 20))]
    file, name = run.file("pairs.txt", "".join(f"{u}\t{v}\n" for u, v in pairs)), rng.choice(list(MEASURES))
    answer = run("--pairs", file, "--measure", name, "--verify")
    expect("pairs", [(row["source"], row["target"]) for row in answer.rows], pairs)
    alike("similarity of pairs", [row["similarity"] for row in answer.rows], MEASURES[name](graph, pairs))
    answer = run("--pairs", file, "--most-degree", str(degree), "--verify")
    alike("pairs without hubs", [row["similarity"] for row in answer.rows], without_hubs(graph, degree)(graph, pairs))
