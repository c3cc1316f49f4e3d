"""What labelprop must answer: see tests/conformance/compare.py."""
from collections import Counter, defaultdict

from expecting import expect


def check(case, run):
    """LDBC's CDLP: synchronous, arcs in and out both count, ties to the smallest label."""
    near = defaultdict(list)
    for u, v, _ in case.arcs():
        near[u].append(v)
        if case.directed:
            near[v].append(u)
    limit = case.rng.choice([1, 2, 3, 10, 25])
    history = [{v: v for v in case.vertices}]
    first_repeat = None
    for step in range(1, limit + 1):
        now = history[-1]
        counts = {v: Counter(now[u] for u in near[v]) for v in case.vertices}
        history.append({v: min(c, key=lambda l: (-c[l], l)) if c else now[v] for v, c in counts.items()})
        if first_repeat is None and history[-1] in history[-3:-1]:
            first_repeat = step
    answer = run("--max-iterations", str(limit))
    expect("label", answer.column("label"), history[-1])
    expect("scalars", answer.result, {"communities": len(set(history[-1].values())),
                                      "iterations": first_repeat or limit})
