"""What bipartite must answer: see tests/conformance/compare.py."""
import networkx as nx
from expecting import Mismatch, expect


def check(case, run):
    seen = nx.Graph((u, v) for u, v, _ in case.arcs())
    seen.add_nodes_from(case.vertices)
    two = nx.is_bipartite(seen)
    answer = run(codes=(0 if two else 1,))
    expect("bipartite", answer.result["bipartite"], two)
    sides = {}
    for part in nx.connected_components(seen):
        whole, root = seen.subgraph(part), min(part)
        even = nx.is_bipartite(whole)
        levels = nx.single_source_shortest_path_length(whole, root)
        sides.update({v: levels[v] % 2 if even else None for v in part})
    expect("first", answer.result["first"], sum(side == 0 for side in sides.values()))
    expect("second", answer.result["second"], sum(side == 1 for side in sides.values()))
    if answer.rows:
        expect("side", {v: None if s in (-1, 4294967295) else s for v, s in answer.column("side").items()}, sides)
    cycle = answer.result["cycle"]
    if two:
        expect("cycle", cycle, [])
        return
    steps = list(zip(cycle, cycle[1:] + cycle[:1]))
    if len(cycle) % 2 == 0 or len(set(cycle)) < len(cycle) or not all(seen.has_edge(u, v) for u, v in steps):
        raise Mismatch(f"this is no odd cycle of the graph: {cycle}")
    expect("the first vertex of the cycle", cycle[0], min(cycle))
    odd = [v for v in sides if sides[v] is None]
    expect("the component of the cycle", cycle[0] in nx.node_connected_component(seen, min(odd)), True)
