"""What sssp must answer: see tests/conformance/compare.py."""
from collections import defaultdict

import networkx as nx

from expecting import expect, hub, some_vertex


def tight_parents(case, source, distance):
    """docs/algo/sssp.md: the smallest tight predecessor that is nearer; where there is none, by hops."""
    tight = defaultdict(set)
    for u, v, w in case.arcs():
        if u in distance and distance[u] + w == distance[v]:
            tight[v].add(u)
    parent, hop = {source: source}, {source: 0}
    for v in distance:
        nearer = [u for u in tight[v] if distance[u] < distance[v]]
        if nearer and v != source:
            parent[v], hop[v] = min(nearer), 0
    hops = 0
    while len(hop) < len(distance):
        found = {v: [u for u in tight[v] if hop.get(u) == hops] for v in distance if v not in hop}
        for v, nearer in found.items():
            if nearer:
                parent[v], hop[v] = min(nearer), hops + 1
        hops += 1
    return parent


def check(case, run):
    if not case.vertices:
        expect("reached", run().result["reached"], 0)
        return
    for source, flags in [(hub(case), [])] + [(s, ["--source", str(s)]) for s in (some_vertex(case),)]:
        answer = run(*flags)
        # Lengths are doubles added from the source on: NetworkX's Dijkstra gives the same bits.
        distance = nx.single_source_dijkstra_path_length(case.graph, source)
        parent = tight_parents(case, source, distance)
        expect("distance", answer.column("distance"), {v: distance.get(v) for v in case.vertices})
        expect("parent", answer.column("parent"), {v: parent.get(v) for v in case.vertices})
        expect("scalars", answer.result, {"reached": len(distance), "max_distance": max(distance.values())})
    several = case.rng.choices(case.vertices, k=3)
    listed = ["--sources", run.file("sources.txt", "".join(f"{v}\n" for v in several))]
    distance = nx.multi_source_dijkstra_path_length(case.graph, set(several))
    expect("several", run(*listed).column("distance"), {v: distance.get(v) for v in case.vertices})
    target = some_vertex(case)
    far = distance.get(target, float("inf"))
    aimed = run(*listed, "--targets", run.file("targets.txt", f"{target}\n")).column("distance")
    expect("targets", aimed, {v: distance[v] if v in distance and distance[v] <= far else None for v in case.vertices})
