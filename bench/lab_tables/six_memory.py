"""The tables of *PageRank in six versions* that are about memory and blocks.  Counters are Nsight Compute's, from files named @er10000: the rungs on
10,000 vertices of degree 5, a few iterations, all sizes of blocks."""

from .markdown import Table, number
from .run import mean
from .six_sweep import GPU, ITERATIONS, SIZES, VERSIONS, measured, of_sizes

NO_PROFILE = "no profile of this kernel by Nsight Compute was given"
OF_NOTHING = "of a counter that shows 0 there is no multiple"
PASSES = "Hits above 100 %: hits and accesses were counted in different passes of the profiler."
KERNEL = {"gpu-naive": "scan_all", "gpu-transposed": "pull", "gpu-tile": "pull_tiled", "gpu-warp": "pull_by_warps"}


def bandwidth(run, said):
    table = Table("### 2.4 and 6.4: bandwidth", ["", "the document", "here"])
    ceilings = [gpu["read_gbs"] for b in run.books if (gpu := b["provenance"]["gpu"]) and gpu.get("read_gbs")]
    table.row(
        "peak, GB/s",
        f"{said('six', 'bandwidth', 'peak GB/s')}; {said('six', 'bandwidth', 'peak GB/s, an earlier page')}",
        f"{number(max(ceilings))} (read, measured)" if ceilings else table.missing("every run was --quick, which measures no ceiling"),
    )
    for n in (10000, 50000):
        row, why = run.row("pagerank", "gpu-warp", f"er{n}")
        row = row if row and row.get("effective_gbs") else None
        table.row(
            f"achieved at {n:,}, GB/s by the byte model",
            f"{said('six', 'bandwidth', 'achieved GB/s')}; {said('six', 'bandwidth', 'achieved GB/s, an earlier page')}",
            number(row["effective_gbs"]) if row else table.missing(why or "no byte model"),
        )
        table.row(
            f"of peak at {n:,}, %",
            said("six", "bandwidth", "efficiency %"),
            number(100 * row["effective_gbs"] / max(ceilings)) if row and ceilings else table.missing("needs both of the above"),
        )
    table.row(
        "its own sum at 10,000, GB/s (8 n bytes an iteration)",
        said("six", "bandwidth", "GB/s by its own sum, 10,000 vertices"),
        measured_sum(run, table),
    )
    n, m = run.vertices("pagerank", "er10000")
    table.row(
        "flops a byte",
        said("six", "bandwidth", "flops a byte"),
        f"{2 * m / (12 * m + 16 * n):.2f} (by the model: a division and a sum an arc)" if n else table.missing("no sweep"),
    )
    table.end()


def measured_sum(run, table):
    time, _, why = of_sizes(run, "gpu-warp", 10000)
    return number(8e-6 * 10000 * ITERATIONS / time) if time else table.missing(why)


def differences(run, said):
    table = Table(
        "### 7.1: largest difference of a rank",
        ["", "the document", "here, of all sizes"],
        "The document measures from its naive CPU version, we from the library in double.",
    )
    for v in VERSIONS[1:]:
        found = [row["max_difference"] for n in SIZES for row in [of_sizes(run, v, n)[1]] if row and row["max_difference"] is not None]
        table.row(f"`{v}`", said("six", "max difference", v), f"{max(found):.1e}" if found else table.missing("no verified run"))
    table.end()


def memory(run, said):
    """Nsight's counters of one launch, on 10,000 vertices of degree 5."""
    counters = (
        ("bandwidth %", "DRAM, % of peak", "dram__throughput.avg.pct_of_peak_sustained_elapsed"),
        ("cache hits %", "L1 hits, % of sectors", "l1tex__t_sector_hit_rate.pct"),
        (None, "L2 hits, % of sectors", "lts__t_sector_hit_rate.pct"),
        ("transactions", "sectors of global loads, a launch", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"),
        (None, "requests of global loads, a launch", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"),
        (None, "warps active, % of most", "sm__warps_active.avg.pct_of_peak_sustained_active"),
    )
    table = Table(
        "### 5.1: memory, 10,000 vertices (the document)",
        [""] + [f"`{v}`" for v in GPU] + ["times better, transposed than naive (document)"],
        "Counters: Nsight Compute, means of the launches with 256 threads. "
        "The document does not say of how many iterations its transactions are, nor of which cache its hits.",
    )
    for key, words, metric in counters:
        found = {v: mean(run.metric("er10000", KERNEL[v], metric, block=256)) for v in GPU}
        cells = [number(found[v]) if found[v] is not None else table.missing(NO_PROFILE) for v in GPU]
        cells = [table.beside(c, said("six", "memory", key, v)) if key and v in GPU[:2] else c for c, v in zip(cells, GPU)]
        worse, better = (found[GPU[0]], found[GPU[1]]) if "%" in words else (found[GPU[1]], found[GPU[0]])  # of shares more is better
        ratio = number(better / worse) if worse and better is not None else ""
        why = OF_NOTHING if worse == 0 and better is not None else NO_PROFILE
        table.row(words, *cells, table.beside(ratio or table.missing(why), said("six", "memory", key, "times")) if key else ratio)
        if "hits" in words and any(share is not None and share > 100 for share in found.values()) and PASSES not in table.note:
            table.note += " " + PASSES
    known = {v: of_sizes(run, v, 10000)[0] for v in GPU}
    cells = [measured(run, table, v, 10000) for v in GPU]
    table.row(
        "100 iterations, ms",
        *(table.beside(c, said("six", "memory", "time ms", v)) if v in GPU[:2] else c for c, v in zip(cells, GPU)),
        table.beside(
            number(known[GPU[0]] / known[GPU[1]]) if known[GPU[0]] and known[GPU[1]] else table.missing("one of the two has no time"),
            said("six", "memory", "time ms", "times"),
        ),
    )
    table.end()


def occupancy(run, said):
    table = Table(
        "### 5.4: threads in a block",
        ["threads", "document: blocks of an SM", "document: occupancy, %"] + [f"`{v}`: computed, %; achieved, %; ms" for v in GPU[1:]],
        "Computed for the kernel; achieved by Nsight Compute, 10,000 vertices, which cannot fill this GPU; milliseconds: the kernels of 100 iterations.",
    )
    for threads in (128, 256, 512, 1024):
        cells = []
        for v in GPU[1:]:
            rows = [
                r
                for (ladder, graph, rung), (_, r) in run.rows.items()
                if ladder == "pagerank" and rung == v and r["verified"] and r.get("blocks") and "n=10000," in graph
            ]
            block = next((b for r in rows for b in r["blocks"] if b["block_threads"] == threads), None)
            active = mean(run.metric("er10000", KERNEL[v], "sm__warps_active.avg.pct_of_peak_sustained_active", block=threads))
            cells.append(
                "; ".join(
                    (
                        number(100 * block["occupancy"]) if block else table.missing("no sweep over blocks on 10,000 vertices"),
                        number(active) if active is not None else table.missing(NO_PROFILE),
                        number(block["kernel_ms"]["median"]) if block else table.missing("no sweep over blocks on 10,000 vertices"),
                    )
                )
            )
        table.row(str(threads), said("six", "occupancy", "blocks of an SM", threads), said("six", "occupancy", "%", threads), *cells)
    table.end()


def tables(run, said):
    for one in (bandwidth, differences, memory, occupancy):
        one(run, said)
