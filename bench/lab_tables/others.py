"""The numbers of the thesis on contributions (*GPU Programming*) and of the blog (*Graph algorithms on GPU*), each beside what was measured.  Needs ego-Facebook
and cit-DBLP with 1000 iterations, and for the blog what `make lab` writes."""

from .markdown import Table, number, runs
from .run import kernels_ms

GRAPHS = ("ego-Facebook", "cit-DBLP")


def contributions(run, said):
    print("\n## GPU Programming, the thesis on contributions (RTX 2080 Ti; 1000 iterations, from start to finish)")
    table = Table("### Table 6.1: graphs", ["graph", "thesis: vertices", "edges", "here: vertices", "edges"])
    for graph in GRAPHS:
        n, m = run.vertices("pagerank", graph)
        ours = (f"{n:,}", f"{m:,}") if n else (table.missing("not asked for in this run"),) * 2
        table.row(graph, *(f"{int(said('contributions', q, graph)):,}" for q in ("vertices", "edges")), *ours)
    table.end()
    table = Table(
        "### Table 6.2: times, ms",
        ["rung"] + [f"{g}: {q}" for g in GRAPHS for q in ("kernels", "whole run (fastest–slowest)", "thesis", "times faster than serial", "thesis")],
        "The thesis divides nothing itself; its last column is its serial time by this one. Its third implementation has no time: it was not done.",
    )
    for rung in ("transposed", "engine", "gpu-interleaved", "gpu-contributions", "gpu-dynamic", "gpu-shuffle", "gpu-f64", "engine-gpu"):
        cells = []
        for graph in GRAPHS:
            row, why = run.row("pagerank", rung, graph)
            serial, _ = run.row("pagerank", "transposed", graph)
            has = rung in ("transposed", "gpu-interleaved", "gpu-contributions")
            theirs = float(said("contributions", "time ms", rung, graph)) if has else None
            if row:
                time = row["run_ms"]
                cells += [number(kernels_ms(row)), f"{number(time['median'])} ({number(time['min'])}–{number(time['max'])}){runs(row)}"]
            else:
                cells += [table.missing(why)] * 2
            cells += [f"{theirs:.0f}" if has else "", number(serial["run_ms"]["median"] / row["run_ms"]["median"]) if row and serial else ""]
            cells += [number(float(said("contributions", "time ms", "transposed", graph)) / theirs) if has else ""]
        table.row(f"`{rung}`", *cells)
    table.end()


def best_ratio(run, ladder, slow, fast, whole=False):
    """The largest over all graphs of time(slow) / time(fast), and the graph."""
    found = []
    for (of, graph, rung), (_, row) in run.rows.items():
        other, _ = run.row(ladder, fast, graph)
        if of == ladder and rung == slow and row["verified"] and other:
            found.append((row["run_ms"]["median"] / other["run_ms"]["median"] if whole else kernels_ms(row) / kernels_ms(other), graph))
    return max(found, default=None)


def blog(run, said):
    print("\n## Graph algorithms on GPU, a blog (its machine is not named)")
    table = Table(
        "### Its numbers",
        ["", "part", "the blog", "here"],
        "Of several graphs the one that is best for the blog's number; kernels by kernels, and whole runs where it says so.",
    )

    def times(ladder, slow, fast):
        kernels, whole = best_ratio(run, ladder, slow, fast), best_ratio(run, ladder, slow, fast, True)
        return (
            f"{number(kernels[0])} on {kernels[1]}; whole runs {number(whole[0])} on {whole[1]}"
            if kernels
            else table.missing(f"`{slow}` and `{fast}` have no time on one graph")
        )

    def two(ladder, slow, fast):
        return f"`{fast}` against `{slow}`: {times(ladder, slow, fast)}; the library: {times(ladder, 'engine', 'engine-gpu')}"

    rates = [
        (row["effective_gbs"], row.get("ceiling_share"), rung, graph)
        for (ladder, graph, rung), (_, row) in run.rows.items()
        if ladder == "triangles" and rung in ("gpu-linear", "gpu-binary") and row["verified"] and row.get("effective_gbs")
    ]
    rate = max((r for r in rates if r[1]), default=max(rates, default=None, key=lambda r: r[0]), key=lambda r: r[0])
    savings = [
        (100 * (1 - (t["vertices"] + 1 + t["arcs"]) / t["vertices"] ** 2), graph)
        for (ladder, graph), t in run.tables.items()
        if ladder == "degree" and t["vertices"] >= 4096
    ]
    steps = [
        (round(row["model_bytes"] / (8 * t["arcs"] + 36 * t["vertices"])), graph)
        for (ladder, graph), t in run.tables.items()
        if ladder == "pagerank"
        for row in [run.row("pagerank", "gpu-early-stop", graph)[0]]
        if row
    ]
    skipped = run.rows.get(("degree", "er1000000", "gpu-matrix"))
    ours = {
        "matrix of 1,000,000 vertices, TB": (
            f"4 with cells of 4 bytes: {skipped[1]['message']}" if skipped else "4 with cells of 4 bytes, 1 with a byte, 0.125 with a bit (computed)"
        ),
        "CSR against matrix, path of 4, % less": "31 (16 numbers and 11: counted)",
        "CSR against matrix, large sparse graphs, % less": (
            f"{min(savings)[0]:.2f} ({min(savings)[1]}) to {max(savings)[0]:.4f} ({max(savings)[1]}), numbers counted"
            if savings
            else table.missing("no graph of the degree ladder")
        ),
        "density of Facebook, %": table.missing("a fact about another graph; that of ego-Facebook is 1.08 %"),
        "matrix where edges exceed, of n^2": table.missing(
            "advice without a measurement; Kahn's table 10 has both forms at a quarter and a half of n^2"
        ),
        "matrix where vertices are fewer than": table.missing(
            "advice without a measurement; the degree ladder has both forms up to 100,000 vertices"
        ),
        "triangles, a thread a node: GB/s": (
            f"{number(rate[0])} by the byte model (`{rate[2]}` on {rate[3]})"
            if rate
            else table.missing("neither `gpu-linear` nor `gpu-binary` has a time")
        ),
        "triangles: times slower than optimal": (
            f"{number(1 / rate[1])} (reading ceiling by that)" if rate and rate[1] else table.missing("no ceiling was measured")
        ),
        "comparisons of degree 100 against degree 2, times": table.missing("a count of comparisons, not a time"),
        "binary against linear search, degree 1000, times": times("triangles", "gpu-linear", "gpu-binary"),
        "breadth-first search, GPU against CPU, times": two("bfs", "queue", "gpu-queue"),
        "PageRank, GPU against CPU, times": two("pagerank", "transposed", "gpu-transposed"),
        "PageRank converges in, iterations": (
            f"{min(steps)[0]} to {max(steps)[0]} (`gpu-early-stop`, {len(steps)} graphs)" if steps else table.missing("`gpu-early-stop` has no time")
        ),
    }
    for section, what, value in said.claims("blog"):
        table.row(what, section, value, ours[what])
    table.end()
