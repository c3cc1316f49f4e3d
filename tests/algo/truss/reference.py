"""What truss must answer: see tests/conformance/compare.py.  NetworkX has the k-truss, which removes edges with fewer
than k - 2 triangles, of simple graphs."""
import networkx as nx

from expecting import expect


def check(case, run):
    simple = nx.Graph(case.simple)
    simple.remove_edges_from(list(nx.selfloop_edges(simple)))
    numbers, k = {}, 2
    while (part := nx.k_truss(simple, k)).number_of_edges():
        for u, v in part.edges:
            numbers[u, v] = numbers[v, u] = k
        k += 1
    edges = sorted((u, v) if case.directed else (min(u, v), max(u, v)) for u, v, *_ in case.graph.edges)
    want = [numbers.get(edge, 0) for edge in edges]
    answer = run()
    expect("edges", [(row["source"], row["target"]) for row in answer.rows], edges)
    expect("truss", [row["truss"] for row in answer.rows], want)
    most = max(want, default=0)
    expect("scalars", answer.result, {"max_truss": most, "edges": want.count(most) if most else 0})
    expect("k = 4", [row["truss"] for row in run("--k", "4").rows], [4 if number >= 4 else 0 for number in want])
