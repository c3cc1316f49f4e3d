"""What toposort must answer: see tests/conformance/compare.py."""
import networkx as nx

from expecting import expect, expect_cycle, on_a_cycle, refused


def check(case, run):
    if not case.directed:
        refused(case, run)
        return
    cyclic = on_a_cycle(case.graph)
    behind = cyclic.union(*(nx.descendants(case.graph, v) for v in cyclic))
    rest = case.graph.subgraph(set(case.vertices) - behind)
    generations = [sorted(generation) for generation in nx.topological_generations(rest)]
    order = [v for generation in generations for v in generation]
    level = {v: i for i, generation in enumerate(generations) for v in generation}
    place = {v: i for i, v in enumerate(order)}
    answer = run(codes=(1 if cyclic else 0,))
    expect("level", answer.column("level"), {v: level.get(v) for v in case.vertices})
    expect("position", answer.column("position"), {v: place.get(v) for v in case.vertices})
    expect("acyclic", answer.result["acyclic"], not cyclic)
    expect("levels", answer.result["levels"], len(generations))
    if cyclic:
        expect_cycle(case, answer.result["cycle"])
