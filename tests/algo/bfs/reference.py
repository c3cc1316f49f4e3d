"""What bfs must answer: see tests/conformance/compare.py."""
from collections import defaultdict

import networkx as nx

from expecting import expect, hub, some_vertex


def check(case, run):
    if not case.vertices:
        nothing = {"source": [], "source_reached": [], "source_depth": [], "source_distances": []}
        expect("reached", run().result, {"reached": 0, "depth": 0, **nothing})
        return
    before = defaultdict(set)
    for u, v, _ in case.arcs():
        before[v].add(u)

    def compare(source, depth, flags, sources=()):
        answer = run(*flags)
        level = dict(nx.single_source_shortest_path_length(case.graph, source, cutoff=depth))
        expect("level", answer.column("level"), {v: level.get(v) for v in case.vertices})
        # Of the legal parents the smallest; the source is its own.
        parent = {v: min((u for u in before[v] if level.get(u) == level[v] - 1), default=v) for v in level}
        expect("parent", answer.column("parent"), {v: parent.get(v) for v in case.vertices})
        levels = [nx.single_source_shortest_path_length(case.graph, s, cutoff=depth).values() for s in sources]
        table = {
            "source": list(sources),
            "source_reached": [len(of) for of in levels],
            "source_depth": [max(of) for of in levels],
            "source_distances": [sum(of) for of in levels],
        }
        expect("scalars and table", answer.result, {"reached": len(level), "depth": max(level.values()), **table})

    source = some_vertex(case)
    compare(source, None, ["--source", str(source)])
    compare(hub(case), None, [])
    depth = case.rng.randint(1, 4)
    compare(source, depth, ["--source", str(source), "--max-depth", str(depth)])
    several = case.rng.choices(case.vertices, k=3)
    listed = ["--sources", run.file("sources.txt", "".join(f"{v}\n" for v in several))]
    compare(several[-1], None, [*listed, "--each"], several)
    compare(several[-1], depth, [*listed, "--each", "--max-depth", str(depth)], several)
    nearest = {}
    for s in several:
        for v, far in nx.single_source_shortest_path_length(case.graph, s).items():
            nearest[v] = min(far, nearest.get(v, far))
    expect("several sources", run(*listed).column("level"), {v: nearest.get(v) for v in case.vertices})
    target = some_vertex(case)
    aimed = run("--source", str(source), "--targets", run.file("targets.txt", f"{target}\n")).column("level")
    level = dict(nx.single_source_shortest_path_length(case.graph, source))
    far = level.get(target, len(case.vertices))
    expect("targets", aimed, {v: level[v] if v in level and level[v] <= far else None for v in case.vertices})
