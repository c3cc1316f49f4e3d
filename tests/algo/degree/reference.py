"""What degree must answer: see tests/conformance/compare.py."""
from collections import Counter

from expecting import expect


def check(case, run):
    into, out = Counter(), Counter()
    for u, v, _ in case.arcs():
        out[u] += 1
        into[v] += 1
    if case.directed:  # of an undirected loop NetworkX counts both ends, weft one arc
        expect("NetworkX", {v: (into[v], out[v]) for v in case.vertices},
               {v: (case.graph.in_degree(v), case.graph.out_degree(v)) for v in case.vertices})
    total = {v: into[v] + out[v] if case.directed else out[v] for v in case.vertices}
    answer = run()
    for column, want in ("in", into), ("out", out), ("total", total):
        expect(column, answer.column(column), {v: want[v] for v in case.vertices})
    counts = sorted(Counter(total.values()).items())
    expect("distribution", [(row["degree"], row["count"]) for row in answer.table], counts)
    expect("max_degree", answer.result["max_degree"], max(total.values(), default=0))
