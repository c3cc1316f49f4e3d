"""What labelprop must answer: see tests/conformance/compare.py."""
from collections import defaultdict

from expecting import expect


def check(case, run):
    """LDBC's CDLP: synchronous, arcs in and out both count, ties to the smallest label; with weights, these are added up."""
    compare(case, run, [], lambda weight: 1)
    if case.is_weighted() and all(float(w).is_integer() for _, _, w in case.arcs()):  # whole numbers: exact sums
        compare(case, run, ["--weights"], lambda weight: weight)


def compare(case, run, flags, vote):
    near = defaultdict(list)
    for u, v, w in case.arcs():
        near[u].append((v, vote(w)))
        if case.directed:
            near[v].append((u, vote(w)))
    limit = case.rng.choice([1, 2, 3, 10, 25])
    history = [{v: v for v in case.vertices}]
    first_repeat = None
    for step in range(1, limit + 1):
        now = history[-1]
        counts = {v: defaultdict(int) for v in case.vertices}
        for v in case.vertices:
            for u, votes in near[v]:
                if votes:
                    counts[v][now[u]] += votes
        history.append({v: min(c, key=lambda l: (-c[l], l)) if c else now[v] for v, c in counts.items()})
        if first_repeat is None and history[-1] in history[-3:-1]:
            first_repeat = step
    answer = run("--max-iterations", str(limit), *flags)
    expect("label", answer.column("label"), history[-1])
    expect("scalars", answer.result, {"communities": len(set(history[-1].values())),
                                      "iterations": first_repeat or limit})
