"""What triangles must answer: see tests/conformance/compare.py."""
import networkx as nx

from expecting import expect


def check(case, run):
    answer, want = run(), nx.triangles(case.simple)
    expect("triangles", answer.column("triangles"), want)
    expect("total", answer.result, {"triangles": sum(want.values()) // 3})

    rows = run("--edges").rows
    edges = sorted((u, v) if case.directed else (min(u, v), max(u, v)) for u, v, *_ in case.graph.edges)
    expect("edges", [(row["source"], row["target"]) for row in rows], edges)
    near = {v: set(case.simple[v]) for v in case.simple}
    expect("support", [row["support"] for row in rows], [len(near[u] & near[v]) if u != v else 0 for u, v in edges])
