"""What pagerank must answer: see tests/conformance/compare.py."""
import math
from collections import Counter, defaultdict

import networkx as nx

from expecting import Mismatch, expect, expect_near


def power_steps(case, steps, damping, weighted, drop, restart):
    """The definition of docs/algo/pagerank.md, step by step."""
    n = len(case.vertices)
    arcs = [(u, v, w if weighted else 1.0) for u, v, w in case.arcs()]
    total = Counter()
    for u, _, w in arcs:
        total[u] += w
    rank = {v: 1 / n for v in case.vertices}
    for _ in range(steps):
        into = defaultdict(list)
        for u, v, w in arcs:
            if total[u] > 0:
                into[v].append(rank[u] * w / total[u])
        dangling = 0.0 if drop else math.fsum(rank[v] for v in case.vertices if not total[v] > 0)
        rank = {v: (1 - damping) * restart[v] + damping * (math.fsum(into[v]) + dangling * restart[v]) for v in rank}
    return rank


def check(case, run):
    n, rng = len(case.vertices), case.rng
    if not n:
        expect("rank", run().column("rank"), {})
        return
    # Two Jacobi iterations that stop at a change of t are each within t d / (1 - d) of the solution (L1).
    close = 1e-12
    f64 = ["--precision", "f64", "--max-iterations", "10000", "--tolerance", str(close)]
    uniform = {v: 1 / n for v in case.vertices}

    def networkx(damping, **more):
        return nx.pagerank(case.graph, alpha=damping, tol=close / n, max_iter=10000, **{"weight": None, **more})

    def bound(damping):
        return 2 * close * damping / (1 - damping) + 1e-14

    answer = run(*f64)
    expect_near("rank", answer.column("rank"), networkx(0.85), bound(0.85))
    if abs(answer.result["sum"] - 1) > 1e-12:
        raise Mismatch(f"the sum of the ranks is {answer.result['sum']!r}")
    damping = rng.choice([0.3, 0.5, 0.95])
    if case.is_weighted():
        ranks = run(*f64, "--weights", "--damping", str(damping)).column("rank")
        expect_near("rank by weight", ranks, networkx(damping, weight="weight"), bound(damping))

    chosen = {v: rng.choice([1, 2, 0.5]) for v in rng.sample(case.vertices, rng.randint(1, min(n, 5)))}
    listed = run.file("restart.txt", "".join(f"{v} {w}\n" for v, w in chosen.items()))
    ranks = run(*f64, "--damping", str(damping), "--personalize", listed).column("rank")
    expect_near("rank, personalised", ranks, networkx(damping, personalization=chosen), bound(damping))

    aimed = run(*f64, "--damping", str(damping), "--dangling-to", listed, "--nstart", listed).column("rank")
    expect_near("rank, dangling sent", aimed, networkx(damping, dangling=chosen, nstart=chosen), bound(damping))

    # An exact number of steps, without the dangling rank: rounding is all that is left.
    steps = rng.randint(1, 20)
    want = power_steps(case, steps, 0.85, False, True, uniform)
    fixed = ["--iterations", str(steps), "--dangling", "drop"]
    answer = run(*fixed, "--precision", "f64")
    expect_near("rank, dangling dropped", answer.column("rank"), want, 1e-14 * steps)
    expect("iterations", answer.result["iterations"], steps)
    # In f32 a step rounds a share, a rank and the sum: positive terms, so relative errors only add up.
    expect_near("rank in f32", run(*fixed).column("rank"), want, 4 * steps * 2.0**-24)
