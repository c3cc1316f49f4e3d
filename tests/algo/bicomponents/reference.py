"""What bicomponents must answer: see tests/conformance/compare.py."""
from collections import Counter

import networkx as nx
from expecting import expect


def check(case, run):
    edges = [(u, v) for u, v, _ in case.arcs() if case.graph.is_directed() or u <= v]
    seen = nx.Graph((u, v) for u, v in edges if u != v)
    seen.add_nodes_from(case.vertices)
    many = Counter(frozenset(e) for e in edges)
    bridges = {frozenset(e) for e in nx.bridges(seen) if many[frozenset(e)] == 1}
    blocks = list(nx.biconnected_components(seen))
    counts = Counter(v for block in blocks for v in block)
    seen.remove_edges_from(tuple(e) for e in bridges)
    groups = {v: min(group) for group in nx.connected_components(seen) for v in group}
    answer = run()
    expect("components", answer.column("components"), {v: counts[v] for v in case.vertices})
    expect("group", answer.column("group"), groups)
    expect("components", answer.result["components"], len(blocks))
    expect("points", answer.result["points"], sum(n > 1 for n in counts.values()))
    expect("bridges", answer.result["bridges"], len(bridges))
    expect("groups", answer.result["groups"], len(set(groups.values())))
