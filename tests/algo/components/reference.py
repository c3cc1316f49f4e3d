"""What components must answer: see tests/conformance/compare.py."""
import networkx as nx

from expecting import expect


def check(case, run):
    g = case.graph
    weak = list(nx.weakly_connected_components(g) if case.directed else nx.connected_components(g))
    strong = list(nx.strongly_connected_components(g)) if case.directed else weak
    for parts, flags in (weak, []), (strong, ["--strong"]):
        answer = run(*flags)
        expect("component", answer.column("component"), {v: min(part) for part in parts for v in part})
        expect("scalars", answer.result, {"count": len(parts), "largest": max(map(len, parts), default=0)})
    order = run("--strong", "--order").result["order"]
    place = {v: order.index(min(part)) for part in strong for v in part}
    expect("components listed", len(order), len(strong))
    expect("arcs to later components", [(u, v) for u, v in g.edges() if case.directed and place[u] < place[v]], [])
