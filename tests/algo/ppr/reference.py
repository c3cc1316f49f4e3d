"""What ppr must answer: see tests/conformance/compare.py."""
import networkx as nx

from expecting import Mismatch, expect, hub


def compare(case, rows, seeds, most, damping, weight, close, error):
    """NetworkX's ranks of each seed, whose dangling rank goes back to it."""
    n = len(case.vertices)
    expect("seeds, in order", list(dict.fromkeys(row["seed"] for row in rows)), list(dict.fromkeys(seeds)))
    for seed in seeds:
        ranks = nx.pagerank(case.graph, alpha=damping, personalization={seed: 1}, tol=close / n, max_iter=10000,
                            weight=weight)
        slack = error + 2 * close * damping / (1 - damping) + 1e-13
        mine, rows = [], list(rows)
        while rows and rows[0]["seed"] == seed and len(mine) < most:
            mine.append(rows.pop(0))
        for row in mine:
            v, rank = row["vertex"], row["rank"]
            if abs(rank - ranks[v]) > slack:
                raise Mismatch(f"rank of {v} from {seed}: weft {rank!r}, expected {ranks[v]!r}")
        expect("order", mine, sorted(mine, key=lambda row: (-row["rank"], row["vertex"])))
        last = mine[-1]["rank"] if len(mine) == most else 0
        left = max((ranks[v] for v in case.vertices if v not in {row["vertex"] for row in mine}), default=0)
        if left > last + slack:
            raise Mismatch(f"a vertex with rank {left!r} from {seed} has no row; the last has {last!r}")
    expect("rows that are left", rows, [])


def check(case, run):
    n, rng = len(case.vertices), case.rng
    if not n:
        expect("rows", run().rows, [])
        return
    answer = run("--verify")
    compare(case, answer.rows, [hub(case)], 10, 0.85, None, 1e-12, answer.result["error"])

    close, most, damping = 1e-12, rng.randint(1, n), rng.choice([0.3, 0.5, 0.95])
    seeds = [rng.choice(case.vertices) for _ in range(rng.randint(1, 20))]
    seeds = [v for i, v in enumerate(seeds) if not i or v != seeds[i - 1]]
    exactly = ["--tolerance", str(close), "--max-iterations", "10000", "--damping", str(damping)]
    given = [*exactly, "--seeds", ",".join(map(str, seeds)), "--per-seed", str(most), "--verify"]
    answer = run(*given)
    expect("seeds", answer.result["seeds"], len(seeds))
    compare(case, answer.rows, seeds, most, damping, None, close, answer.result["error"])
    if case.is_weighted():
        answer = run(*given, "--weights")
        compare(case, answer.rows, seeds, most, damping, "weight", close, answer.result["error"])
