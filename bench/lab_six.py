"""The tables of *PageRank in six versions*, each beside what was measured.  Needs a sweep over its sizes (100 iterations, degree 5); a naive rung that
is too slow for that may have been run on `--generate er:n=N,degree=5,directed` with fewer iterations, which its byte model tells: its time is then scaled
to 100, and marked.  Kernels are compared with the document's GPU times, because those are of events around its launches."""
from lab_markdown import Table, number, runs
from lab_run import kernels_ms, mean

SIZES = (7, 100, 1000, 5000, 10000, 50000)
GPU = ("gpu-naive", "gpu-transposed", "gpu-tile", "gpu-warp")
VERSIONS = ("naive", "transposed") + GPU
ITERATIONS = 100
KERNEL = {"gpu-naive": "scan_all", "gpu-transposed": "pull", "gpu-tile": "pull_tiled", "gpu-warp": "pull_by_warps"}
NO_PROFILE = "no profile of this kernel by Nsight Compute was given"


def of_sizes(run, rung, n):
    """(milliseconds of the kernels for 100 iterations, row, mark) or (None, None, why not)."""
    row, why = run.row("pagerank", rung, f"er{n}")
    if row:
        return kernels_ms(row), row, ""
    plain = f"er:n={n},degree=5,directed"
    fewer, _ = run.row("pagerank", rung, plain)
    if not fewer or rung not in ("naive", "gpu-naive"):
        return None, None, why
    vertices, edges = run.vertices("pagerank", plain)
    done = round(fewer["model_bytes"] / (vertices * (8 * vertices + 4 * edges)))
    return kernels_ms(fewer) * ITERATIONS / done, fewer, "" if done == ITERATIONS else f"†{done}"


def measured(run, table, rung, n, whole=False):
    time, row, more = of_sizes(run, rung, n)
    if not row:
        return table.missing(more)
    text = number(time) + more
    return text + (f" / {number(row['run_ms']['median'])}" if whole and not more else "") + runs(row)


def times(run, said):
    table = Table("### 6.2: times, milliseconds\n\nKernels, and on the GPU the whole run after a stroke; in brackets the document.", ["vertices"] + [f"`{v}`" for v in VERSIONS],
                  "†N: from N iterations, whose time was scaled to 100.")
    for n in SIZES:
        table.row(f"{n:,}", *(table.beside(measured(run, table, v, n, v in GPU), said("six", "time ms", v, n)) for v in VERSIONS))
    table.end()


def faster(run, rung, n):
    """How many times faster than the naive CPU version, or None and why."""
    base, _, why = of_sizes(run, "naive", n)
    time, _, why_not = of_sizes(run, rung, n)
    return (base / time, None) if base and time else (None, why if not base else why_not)


def speedups(run, said):
    table = Table("### 6.2: times faster than the CPU's naive version (the document)\n\nKernels by kernels.", ["vertices"] + [f"`{v}`" for v in VERSIONS[1:]])
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
    names = (("CPU, naive", "cpu"), ("GPU, whole run", "gpu"), ("allocate", "allocate"), ("copy in", "copy_in"), ("launch", "launch"), ("kernels", "computation"), ("copy out", "copy_out"), ("free", "free"))
    for words, part in names:
        cells = []
        for n in (7, 10000):
            row, why = run.row("pagerank", "gpu-warp", f"er{n}")
            if part == "cpu":
                ours = measured(run, table, "naive", n)
            elif not row:
                ours = table.missing(why)
            elif part == "launch":
                ours = table.missing("launches are not apart from the kernels, whose time is from the first to the last; at 7 vertices it is all launches")
            else:
                ours = number(row["run_ms"]["median"] if part == "gpu" else kernels_ms(row) if part == "computation" else row["part_ms"][part])
            cells.append(table.beside(ours, said("six", "part ms", part, n)))
        table.row(words, *cells)
    table.end()


def overhead(run, said):
    table = Table("### 6.3: break-even: what of a run is not kernels (the document)", ["vertices", "overhead, %", "kernels, %", "document: worthwhile?", "`gpu-warp` against `naive`", "`gpu-warp` against the CPU's best here"])
    for n in (7, 100, 1000, 10000):
        row, why = run.row("pagerank", "gpu-warp", f"er{n}")
        share = 100 * (1 - min(1, kernels_ms(row) / row["run_ms"]["median"])) if row else None
        ours = (number(share), number(100 - share)) if row else (table.missing(why),) * 2
        times_faster, why = faster(run, "gpu-warp", n)
        rivals = [r["run_ms"]["median"] for (ladder, graph, _), (_, r) in run.rows.items() if ladder == "pagerank" and graph == f"er{n}" and r["device"] == "cpu" and r["verified"]]
        best = number(min(rivals) / row["run_ms"]["median"]) if rivals and row else table.missing("no rung on the CPU was verified")
        table.row(f"{n:,}", *(table.beside(o, said("six", "overhead %", k, n)) for o, k in zip(ours, ("overhead", "computation"))), said("six", "overhead %", "worthwhile", n),
                  number(times_faster) + " times" if times_faster else table.missing(why), best)
    even = [s["break_even_vertices"] for b in run.books for s in b["sweeps"] if s["ladder"] == "pagerank" and s["break_even_vertices"]]
    table.note = f"Break-even, document: {said('six', 'break-even', 'vertices')} vertices; here, best rung of the GPU against best of the CPU, whole runs: " + (
        " and ".join(f"{e:,.0f}" for e in even) + " (by sweep)." if even else "no sweep has one.")
    table.end()


def amdahl(run, said):
    row, why = run.row("pagerank", "gpu-warp", "er10000")
    table = Table("### 6.4: Amdahl", ["", "the document", "`gpu-warp`, 10,000 vertices"])
    processors, share = int(said("six", "amdahl", "processors")), 1 - min(1, kernels_ms(row) / row["run_ms"]["median"]) if row else None
    gains = [g for g in (faster(run, "gpu-warp", n)[0] for n in SIZES if n >= 1000) if g]
    table.row("sequential fraction", said("six", "amdahl", "sequential fraction"), f"{share:.3f} (what is not kernels)" if row else table.missing(why))
    table.row(f"limit with {processors:,} processors", f"{said('six', 'amdahl', 'theoretical')} ({said('six', 'amdahl', 'theoretical, an earlier page')} in 2.3)",
              number(1 / (share + (1 - share) / processors)) if row else table.missing(why))
    table.row("reached, mean from 1,000 on", said("six", "amdahl", "actual"), number(mean(gains)) if gains else table.missing("the naive version has no time from 1,000 on"))
    table.note = "The law bounds the gain over the same work on one processor. The document's naive version does n·m steps where `gpu-warp` does m, so both gains may exceed it."
    table.end()


def bandwidth(run, said):
    table = Table("### 2.4 and 6.4: bandwidth", ["", "the document", "here"])
    ceilings = [b["provenance"]["gpu_read_gbs"] for b in run.books if b["provenance"].get("gpu_read_gbs")]
    table.row("peak, GB/s", f"{said('six', 'bandwidth', 'peak GB/s')}; {said('six', 'bandwidth', 'peak GB/s, an earlier page')}", f"{number(max(ceilings))} (read, measured)" if ceilings else table.missing("every run was --quick, which measures no ceiling"))
    for n in (10000, 50000):
        row, why = run.row("pagerank", "gpu-warp", f"er{n}")
        row = row if row and row.get("effective_gbs") else None
        table.row(f"achieved at {n:,}, GB/s by the byte model", f"{said('six', 'bandwidth', 'achieved GB/s')}; {said('six', 'bandwidth', 'achieved GB/s, an earlier page')}", number(row["effective_gbs"]) if row else table.missing(why or "no byte model"))
        table.row(f"of peak at {n:,}, %", said("six", "bandwidth", "efficiency %"), number(100 * row["effective_gbs"] / max(ceilings)) if row and ceilings else table.missing("needs both of the above"))
    table.row("its own sum at 10,000, GB/s (8 n bytes an iteration)", said("six", "bandwidth", "GB/s by its own sum, 10,000 vertices"), measured_sum(run, table))
    n, m = run.vertices("pagerank", "er10000")
    table.row("flops a byte", said("six", "bandwidth", "flops a byte"), f"{2 * m / (12 * m + 16 * n):.2f} (by the model: a division and a sum an arc)" if n else table.missing("no sweep"))
    table.end()


def measured_sum(run, table):
    time, _, why = of_sizes(run, "gpu-warp", 10000)
    return number(8e-6 * 10000 * ITERATIONS / time) if time else table.missing(why)


def differences(run, said):
    table = Table("### 7.1: largest difference of a rank", ["", "the document", "here, of all sizes"], "The document measures from its naive CPU version, we from the library in double.")
    for v in VERSIONS[1:]:
        found = [row["max_difference"] for n in SIZES for row in [of_sizes(run, v, n)[1]] if row and row["max_difference"] is not None]
        table.row(f"`{v}`", said("six", "max difference", v), f"{max(found):.1e}" if found else table.missing("no verified run"))
    table.end()


def memory(run, said):
    """Nsight's counters of one launch, on 10,000 vertices of degree 5."""
    counters = (("bandwidth %", "DRAM, % of peak", "dram__throughput.avg.pct_of_peak_sustained_elapsed"), ("cache hits %", "L1 hits, % of sectors", "l1tex__t_sector_hit_rate.pct"),
                (None, "L2 hits, % of sectors", "lts__t_sector_hit_rate.pct"), ("transactions", "sectors of global loads, a launch", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"),
                (None, "requests of global loads, a launch", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"), (None, "warps active, % of most", "sm__warps_active.avg.pct_of_peak_sustained_active"))
    table = Table("### 5.1: memory, 10,000 vertices (the document)", [""] + [f"`{v}`" for v in GPU] + ["naive by transposed (document)"],
                  "Counters: Nsight Compute, means of the launches with 256 threads. The document does not say of how many iterations its transactions are, nor of which cache its hits.")
    for key, words, metric in counters:
        found = {v: mean(run.metric("er10000", KERNEL[v], metric, block=256)) for v in GPU}
        cells = [number(found[v]) if found[v] is not None else table.missing(NO_PROFILE) for v in GPU]
        cells = [table.beside(c, said("six", "memory", key, v)) if key and v in GPU[:2] else c for c, v in zip(cells, GPU)]
        ratio = number(found[GPU[0]] / found[GPU[1]]) if found[GPU[0]] is not None and found[GPU[1]] else ""
        table.row(words, *cells, table.beside(ratio or table.missing(NO_PROFILE), said("six", "memory", key, "times")) if key else ratio)
    known = {v: of_sizes(run, v, 10000)[0] for v in GPU}
    cells = [measured(run, table, v, 10000) for v in GPU]
    table.row("100 iterations, ms", *(table.beside(c, said("six", "memory", "time ms", v)) if v in GPU[:2] else c for c, v in zip(cells, GPU)),
              table.beside(number(known[GPU[0]] / known[GPU[1]]) if known[GPU[0]] and known[GPU[1]] else table.missing("one of the two has no time"), said("six", "memory", "time ms", "times")))
    table.end()


def occupancy(run, said):
    table = Table("### 5.4: threads in a block", ["threads", "document: blocks of an SM", "document: occupancy, %"] + [f"`{v}`: computed, %; achieved, %; ms" for v in GPU[1:]],
                  "Computed for the kernel; achieved by Nsight Compute, 10,000 vertices, which cannot fill this GPU; milliseconds of the kernels on the graph that was swept.")
    for threads in (128, 256, 512, 1024):
        cells = []
        for v in GPU[1:]:
            rows = [r for (ladder, graph, rung), (_, r) in run.rows.items() if ladder == "pagerank" and rung == v and r["verified"] and r.get("blocks") and "n=10000," in graph]
            block = next((b for r in rows for b in r["blocks"] if b["threads"] == threads), None)
            active = mean(run.metric("er10000", KERNEL[v], "sm__warps_active.avg.pct_of_peak_sustained_active", block=threads))
            cells.append("; ".join((number(100 * block["occupancy"]) if block else table.missing("no sweep over blocks on 10,000 vertices"), number(active) if active is not None else table.missing(NO_PROFILE),
                                    number(block["kernels_ms"]) if block else table.missing("no sweep over blocks on 10,000 vertices"))))
        table.row(str(threads), said("six", "occupancy", "blocks of an SM", threads), said("six", "occupancy", "%", threads), *cells)
    table.end()


def colab(run, said):
    table = Table("### 8.2: expected on Colab", ["vertices", "K80", "T4", "P100", "`gpu-warp` here"], "Milliseconds, and how many times faster than the naive CPU version. The first three are the document's expectations, not measurements.")
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
    ours = {"most times faster than naive": max(gains) if gains else None, "coalesced against GPU naive, times": ratio("gpu-naive", "gpu-transposed"),
            "tile against coalesced, % faster": 100 * (tile - 1) if tile else None, "warp against tile, % faster": 100 * (warp - 1) if warp else None, "tile, by its model, times": tile,
            "early stop saves, %": less("gpu-shuffle", "gpu-early-stop", "er10000"), "half precision saves, %": less("gpu-shuffle", "gpu-f16", rmat)}
    table = Table("### Its other numbers", ["", "section", "the document", "here"], "Here: 10,000 vertices, kernels; early stop against `gpu-shuffle`; half precision against `gpu-shuffle` on R-MAT 18.")
    for section, what, value in said.claims("six"):
        why = "a count of steps for one row, not a time: the lab has no graph of that one row" if "row of 100" in what else "one of the two rungs has no time"
        table.row(what, section, value, number(ours[what]) if ours.get(what) is not None else table.missing(why))
    table.end()


def tables(run, said):
    print("\n## PageRank in six versions (RTX 3080 or Tesla T4; 100 iterations, degree 5)")
    for one in (times, speedups, parts, overhead, amdahl, bandwidth, differences, memory, occupancy, colab, claims):
        one(run, said)
