"""The tables of times of *PageRank in six versions*, each beside what was measured.  Kernels are compared with the document's GPU times, because those are of
events around its launches."""

from . import six_memory
from .even import AHEAD, even_list
from .markdown import Table, number
from .run import kernels_ms, mean
from .six_sweep import GPU, SIZES, VERSIONS, measured, of_sizes


def times(run, said):
    table = Table(
        "### 6.2: times, milliseconds\n\nKernels, and on the GPU the whole run after a stroke; in brackets the document.",
        ["vertices"] + [f"`{v}`" for v in VERSIONS],
        "†N: from N iterations, whose time was scaled to 100.",
    )
    for n in SIZES:
        table.row(f"{n:,}", *(table.beside(measured(run, table, v, n, v in GPU), said("six", "time ms", v, n)) for v in VERSIONS))
    table.end()


def faster(run, rung, n):
    """How many times faster than the naive CPU version, or None and why."""
    base, _, why = of_sizes(run, "naive", n)
    time, _, why_not = of_sizes(run, rung, n)
    return (base / time, None) if base and time else (None, why if not base else why_not)


def speedups(run, said):
    table = Table(
        "### 6.2: times faster than the CPU's naive version (the document)\n\nKernels by kernels.", ["vertices"] + [f"`{v}`" for v in VERSIONS[1:]]
    )
    large = {v: [] for v in VERSIONS[1:]}
    for n in SIZES:
        cells = []
        for v in VERSIONS[1:]:
            times_faster, why = faster(run, v, n)
            if times_faster and n >= 1000:
                large[v].append(times_faster)
            cells.append(table.beside(number(times_faster) if times_faster else table.missing(why), said("six", "speed-up", v, n)))
        table.row(f"{n:,}", *cells)
    cells = []
    for v in VERSIONS[1:]:
        ours = number(mean(large[v])) + f" of {len(large[v])}" if large[v] else table.missing("no size of 1,000 or more has both times")
        cells.append(table.beside(ours, said("six", "speed-up", v, "mean from 1000 on")))
    table.row("mean from 1,000 on", *cells)
    table.note = "The mean is of as many sizes as are named; the document's of four."
    table.end()


def parts(run, said):
    table = Table("### 6.3: where the time goes, `gpu-warp`, milliseconds (the document)", ["", "7 vertices", "10,000 vertices"])
    names = (
        ("CPU, naive", "cpu"),
        ("GPU, whole run", "gpu"),
        ("allocate", "allocate"),
        ("copy in", "copy_in"),
        ("launch", "launch"),
        ("kernels", "computation"),
        ("copy out", "copy_out"),
        ("free", "free"),
    )
    for words, part in names:
        cells = []
        for n in (7, 10000):
            row, why = run.row("pagerank", "gpu-warp", f"er{n}")
            if part == "cpu":
                ours = measured(run, table, "naive", n)
            elif not row:
                ours = table.missing(why)
            elif part == "launch":
                ours = table.missing(
                    "launches are not apart from the kernels, whose time is from the first to the last; at 7 vertices that is launches and little else"
                )
            else:
                ours = number(row["run_ms"]["median"] if part == "gpu" else kernels_ms(row) if part == "computation" else row["part_ms"][part])
            cells.append(table.beside(ours, said("six", "part ms", part, n)))
        table.row(words, *cells)
    table.end()


def overhead(run, said):
    table = Table(
        "### 6.3: break-even: what of a run is not kernels (the document)",
        ["vertices", "overhead, %", "kernels, %", "document: worthwhile?", "`gpu-warp` against `naive`", "`gpu-warp` against the CPU's best here"],
    )
    for n in (7, 100, 1000, 10000):
        row, why = run.row("pagerank", "gpu-warp", f"er{n}")
        share = 100 * (1 - min(1, kernels_ms(row) / row["run_ms"]["median"])) if row else None
        ours = (number(share), number(100 - share)) if row else (table.missing(why),) * 2
        times_faster, why = faster(run, "gpu-warp", n)
        rivals = [
            r["run_ms"]["median"]
            for (ladder, graph, _), (_, r) in run.rows.items()
            if ladder == "pagerank" and graph == f"er{n}" and r["backend"] == "cpu" and r["verified"]
        ]
        best = number(min(rivals) / row["run_ms"]["median"]) if rivals and row else table.missing("no rung on the CPU was verified")
        table.row(
            f"{n:,}",
            *(table.beside(o, said("six", "overhead %", k, n)) for o, k in zip(ours, ("overhead", "computation"))),
            said("six", "overhead %", "worthwhile", n),
            number(times_faster) + " times" if times_faster else table.missing(why),
            best,
        )
    even = even_list(s for b in run.books for s in b["sweeps"] if s["ladder"] == "pagerank")
    table.note = (
        "Kernels here are from the first to the last, with 201 launches between, which the document counts as overhead. "
        f"Break-even, document, whose code brings the graph along: {said('six', 'break-even', 'vertices')} vertices. "
        "Here, best rung of the GPU against best of the CPU, whole runs, by sweep, "
        + (f"{AHEAD} {even}." if even else "it was not measured.")
    )
    table.end()


def amdahl(run, said):
    row, why = run.row("pagerank", "gpu-warp", "er10000")
    table = Table("### 6.4: Amdahl", ["", "the document", "`gpu-warp`, 10,000 vertices"])
    processors, share = int(said("six", "amdahl", "processors")), 1 - min(1, kernels_ms(row) / row["run_ms"]["median"]) if row else None
    gains = [g for g in (faster(run, "gpu-warp", n)[0] for n in SIZES if n >= 1000) if g]
    table.row(
        "sequential fraction", said("six", "amdahl", "sequential fraction"), f"{share:.3f} (what is not kernels)" if row else table.missing(why)
    )
    table.row(
        f"limit with {processors:,} processors",
        f"{said('six', 'amdahl', 'theoretical')} ({said('six', 'amdahl', 'theoretical, an earlier page')} in 2.3)",
        number(1 / (share + (1 - share) / processors)) if row else table.missing(why),
    )
    table.row(
        "reached, mean from 1,000 on",
        said("six", "amdahl", "actual"),
        number(mean(gains)) if gains else table.missing("the naive version has no time from 1,000 on"),
    )
    table.note = (
        "The law bounds the gain over the same work on one processor. "
        "The document's naive version does n·m steps where `gpu-warp` does m, so both gains may exceed it."
    )
    table.end()


def colab(run, said):
    table = Table(
        "### 8.2: expected on Colab",
        ["vertices", "K80", "T4", "P100", "`gpu-warp` here"],
        "Milliseconds, and how many times faster than the naive CPU version. The first three are the document's expectations, not measurements.",
    )
    for n in (1000, 10000):
        gain, why = faster(run, "gpu-warp", n)
        ours = f"{measured(run, table, 'gpu-warp', n)}; " + (f"{number(gain)} times" if gain else table.missing(why))
        table.row(f"{n:,}", *(f"{published_time(said, g, n)}; {said('six', 'colab speed-up', g, n)} times" for g in ("K80", "T4", "P100")), ours)
    table.end()


def published_time(said, gpu, n):
    return f"{float(said('six', 'colab ms', gpu, n)):,.0f}"


def claims(run, said):
    """Sentences with a number, in the order of the document."""

    def ratio(a, b, n=10000):
        first, second = of_sizes(run, a, n)[0], of_sizes(run, b, n)[0]
        return first / second if first and second else None

    def less(a, b, graph):
        first, second = run.row("pagerank", a, graph)[0], run.row("pagerank", b, graph)[0]
        return 100 * (1 - kernels_ms(second) / kernels_ms(first)) if first and second else None

    gains = [g for g in (faster(run, "gpu-warp", n)[0] for n in SIZES) if g]
    tile, warp = ratio("gpu-transposed", "gpu-tile"), ratio("gpu-tile", "gpu-warp")
    rmat = "rmat:scale=18,degree=16,directed"
    ours = {
        "most times faster than naive": max(gains) if gains else None,
        "coalesced against GPU naive, times": ratio("gpu-naive", "gpu-transposed"),
        "tile against coalesced, % faster": 100 * (tile - 1) if tile else None,
        "warp against tile, % faster": 100 * (warp - 1) if warp else None,
        "tile, by its model, times": tile,
        "early stop saves, %": less("gpu-shuffle", "gpu-early-stop", "er10000"),
        "half precision saves, %": less("gpu-shuffle", "gpu-f16", rmat),
    }
    table = Table(
        "### Its other numbers",
        ["", "section", "the document", "here"],
        "Here: 10,000 vertices, kernels; early stop against `gpu-shuffle`; half precision against `gpu-shuffle` on R-MAT 18.",
    )
    for section, what, value in said.claims("six"):
        why = (
            "a count of steps for one row, not a time: the lab has no graph of that one row"
            if "row of 100" in what
            else "one of the two rungs has no time"
        )
        table.row(what, section, value, number(ours[what]) if ours.get(what) is not None else table.missing(why))
    table.end()


def tables(run, said):
    print("\n## PageRank in six versions (RTX 3080 or Tesla T4; 100 iterations, degree 5)")
    for one in (times, speedups, parts, overhead, amdahl):
        one(run, said)
    six_memory.tables(run, said)
    colab(run, said)
    claims(run, said)
