"""What weft run must show side by side: see tests/conformance/compare.py."""
from collections import Counter

import networkx as nx

from expecting import expect, some_vertex


def named(parts):
    return {v: min(part) for part in parts for v in part}


def components(case):
    g = case.graph
    return "components", {"component": named(nx.weakly_connected_components(g) if case.directed else nx.connected_components(g))}


def strong(case):
    if not case.directed:
        return components(case)
    return "components:strong", {"component": named(nx.strongly_connected_components(case.graph))}


def kcore(case):
    return "kcore", {"core": nx.core_number(case.simple)}


def triangles(case):
    return "triangles", {"triangles": nx.triangles(case.simple)}


def degree(case):
    into, out = Counter(v for _, v, _ in case.arcs()), Counter(u for u, _, _ in case.arcs())
    total = {v: into[v] + out[v] if case.directed else out[v] for v in case.vertices}
    return "degree", {"in": into, "out": out, "total": total}


def bfs(case):
    source = some_vertex(case)
    return f"bfs:source={source}:no-parents", {"level": nx.single_source_shortest_path_length(case.graph, source)}


def check(case, run):
    """Some algorithms, also twice: each column under its name, which carries the algorithm's where another has it as well."""
    if not case.vertices:
        return
    asked = [make(case) for make in case.rng.choices([components, strong, kcore, triangles, degree, bfs], k=case.rng.randrange(1, 5))]
    run.start = run.start[:3] + [word for word, _ in asked] + run.start[3:]
    answer = run("--verify")
    shared = Counter(name for _, columns in asked for name in columns)
    seen, want = Counter(), {}
    for word, columns in asked:
        algorithm = word.split(":")[0]
        seen[algorithm] += 1
        owner = algorithm + (str(seen[algorithm]) if seen[algorithm] > 1 else "")
        for name, values in columns.items():
            want[f"{owner}.{name}" if shared[name] > 1 else name] = values
    expect("columns", sorted(answer.rows[0]), sorted(["id", *want]))
    for name, values in want.items():
        missing = None if name.endswith("level") else 0
        expect(name, answer.column(name), {v: values.get(v, missing) for v in case.vertices})
    expect("runs", [r["algorithm"].split(":")[0] for r in answer.document["runs"]], [word.split(":")[0] for word, _ in asked])
