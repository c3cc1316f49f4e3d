"""What degree must answer: see tests/conformance/compare.py."""
import math
from collections import Counter

from expecting import Mismatch, expect


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
    side, want = case.rng.choice([("in", into), ("out", out)])
    alone = run("--mode", side)
    expect(f"{side} alone", [{k: v for k, v in row.items() if k != "id"} for row in alone.rows], [{side: want[v]} for v in case.vertices])
    expect(f"distribution of {side}", [(row["degree"], row["count"]) for row in alone.table],
           sorted(Counter(want[v] for v in case.vertices).items()))
    strengths(case, run("--strength", "--verify"))


def strengths(case, answer):
    """Weights as they are read: rounded to f32, unless they are whole or the case has doubles."""
    sums = {name: {v: [] for v in case.vertices} for name in ("in_strength", "out_strength")}
    for u, v, w in case.arcs():
        w = w if case.is_weighted() else 1
        sums["out_strength"][u].append(w)
        sums["in_strength"][v].append(w)
    sums["strength"] = {v: sums["out_strength"][v] + (sums["in_strength"][v] if case.directed else []) for v in case.vertices}
    for name, lists in sums.items():
        got = answer.column(name)
        for v, weights in lists.items():
            want, slack = math.fsum(weights), 1e-6 * math.fsum(map(abs, weights))
            if abs(got[v] - want) > slack:
                raise Mismatch(f"{name} of {v}: weft {got[v]}, expected {want}")
    if case.directed and case.is_weighted():  # of an undirected loop NetworkX counts both ends
        theirs = dict(case.graph.in_degree(weight="weight"))
        expect("NetworkX", all(math.isclose(theirs[v], math.fsum(sums["in_strength"][v]), rel_tol=1e-6, abs_tol=1e-9) for v in theirs), True)
