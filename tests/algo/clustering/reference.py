"""What clustering must answer: see tests/conformance/compare.py."""
import math
from collections import defaultdict

import networkx as nx

from expecting import expect, expect_near


def ldbc_coefficients(case):
    """Arcs among the neighbours (joined by an arc in or out), of all that could be: LDBC Graphalytics' LCC."""
    arcs = {(u, v) for u, v, _ in case.arcs() if u != v}
    near = defaultdict(set)
    for u, v in arcs:
        near[u].add(v)
        near[v].add(u)
    want = {}
    for v in case.vertices:
        possible = len(near[v]) * (len(near[v]) - 1)
        found = sum((a, b) in arcs for a in near[v] for b in near[v])
        want[v] = found / possible if possible else 0
    return want


def check(case, run):
    ldbc = ldbc_coefficients(case)
    if case.directed:
        fagiolo = nx.clustering(nx.DiGraph(case.graph))
        modes = [([], ldbc), (["--directed-mode", "fagiolo"], fagiolo)]
    else:
        expect("the two definitions", nx.clustering(case.simple), ldbc)
        modes = [([], ldbc)]
    for flags, want in modes:
        answer = run(*flags)  # one division of whole numbers: equal to the last bit
        expect(f"coefficient {flags}", answer.column("coefficient"), want)
        average = math.fsum(want.values()) / len(want) if want else 0
        expect_near("average", {"": answer.result["average"]}, {"": average}, 4e-16)
        expect_near("transitivity", {"": answer.result["transitivity"]}, {"": nx.transitivity(case.simple)}, 4e-16)
    if case.is_weighted() and all(w >= 0 for _, _, w in case.arcs()):
        check_weighted(case, run)


def check_weighted(case, run):
    """Onnela's, as NetworkX has it; parallel arcs are one, with the sum of their weights."""
    graph = nx.DiGraph() if case.directed else nx.Graph()
    graph.add_nodes_from(case.vertices)
    for u, v, w in case.graph.edges(data="weight"):
        graph.add_edge(u, v, weight=w + graph.get_edge_data(u, v, {"weight": 0})["weight"])
    if not any(w > 0 for _, _, w in case.arcs()):
        return
    answer = run("--weights", *(["--directed-mode", "fagiolo"] if case.directed else []))
    expect_near("weighted coefficient", answer.column("coefficient"), nx.clustering(graph, weight="weight"), 1e-13)
