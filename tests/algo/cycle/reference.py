"""What cycle must answer: see tests/conformance/compare.py."""
import networkx as nx

from expecting import expect, expect_cycle, refused


def check(case, run):
    if not case.directed:
        refused(case, run)
        return
    acyclic = nx.is_directed_acyclic_graph(case.graph)
    answer = run(codes=(0 if acyclic else 1,))
    expect("acyclic", answer.result["acyclic"], acyclic)
    expect("length", answer.result["length"], len(answer.result["cycle"]))
    if acyclic:
        expect("cycle", answer.result["cycle"], [])
    else:
        expect_cycle(case, answer.result["cycle"])
        loops = list(nx.nodes_with_selfloops(case.graph))
        if loops:
            expect("the smallest loop", answer.result["cycle"], [min(loops)])
