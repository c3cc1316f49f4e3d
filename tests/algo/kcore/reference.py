"""What kcore must answer: see tests/conformance/compare.py."""
import networkx as nx

from expecting import expect


def check(case, run):
    core = nx.core_number(case.simple)
    k = case.rng.randint(1, 4)
    answer = run("--k", str(k))
    expect("core", answer.column("core"), core)
    members = sorted(nx.k_core(case.simple, k, core)) if core else []
    expect("result", answer.result, {"degeneracy": max(core.values(), default=0), "members": members})
    if case.graph.is_directed():
        plain = nx.DiGraph(case.graph.edges())
        plain.add_nodes_from(case.graph)
        plain.remove_edges_from([(v, v) for v in plain])
        expect("core, all", run("--mode", "all").column("core"), nx.core_number(plain))
