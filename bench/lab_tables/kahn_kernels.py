"""The single kernels of the thesis on Kahn's algorithm: its tables 1 to 4, 6 and 8.  Times are Nsight Compute's, from files whose name ends in @tri10 ...
@tri40 (acyclic, 10,000 to 40,000 vertices), @cyc20, @cyc40.  Rates are by the thesis's own formulas, which its numbers give away: 4 n^2 bytes for a dense
in-degree, 4 m for the counted one, 8 n for the difference; 8 n to flag, scan and compact (12 n to compact in its table 8)."""

from .markdown import Table, number, runs
from .run import kernels_ms, mean

WORDS = {
    "tri10": "10,000 acyclic",
    "tri20": "20,000 acyclic",
    "cyc20": "20,000 cyclic",
    "tri30": "30,000 acyclic",
    "cyc40": "40,000 cyclic",
    "tri40": "40,000 acyclic",
}
DENSE, SPARSE = ("tri10", "tri20", "cyc20"), tuple(WORDS)
NO_PROFILE = "no profile of this kernel on this graph was given"
NO_ROUND = "0 (no round)"
STEPS = {"flag": (("flag_free", 1),), "scan": (("scan_blocks", 2), ("add_block_sums", 1)), "compact": (("compact_flagged", 1),)}


def vertices(graph):
    return 1000 * int(graph[3:])


def kernel_ms(run, graph, *kernels):
    """The sum of the means of these kernels, milliseconds, and of how many launches; None if one is missing."""
    values = [run.metric(graph, k) for k in kernels]
    return (sum(mean(v) for v in values) / 1000, min(len(v) for v in values)) if all(values) else (None, 0)


def in_degree(run, said, table_words, graphs, rows, title):
    table = Table(title, ["graph", "kernel", "thesis: ms", "GB/s / GE/s", "here: ms", "GB/s / GE/s"], "One launch is timed, or as many as are named.")
    for graph in graphs:
        for key, words, kernels, bytes_and_elements in rows:
            ms, launches = kernel_ms(run, graph, *kernels)
            size, elements = bytes_and_elements(run, graph)
            if ms is None:
                ours = (table.missing(NO_PROFILE),) * 2
            else:
                rate = (
                    f"{number(size / ms / 1e6)} / {number(elements / ms / 1e6)}"
                    if size
                    else table.missing("the number of arcs is not known: no JSON of this graph")
                )
                ours = (number(ms) + (f" ({launches})" if launches > 1 else ""), rate)
            said_rates = (said("kahn", f"{table_words}: {unit}", key, graph) for unit in ("GB/s", "GE/s"))
            table.row(WORDS[graph], words, said("kahn", f"{table_words}: ms", key, graph), " / ".join(said_rates), *ours)
    table.end()


def of_matrix(_, graph):
    return 4 * vertices(graph) ** 2, vertices(graph) ** 2


def of_arcs(run, graph):
    m = run.vertices("kahn", graph)[1]
    return (4 * m, m) if m else (None, None)


def of_vertices(_, graph):
    return 8 * vertices(graph), vertices(graph)


def rounds(run, graph):
    """Rounds that removed something, from the byte model of gpu-dense or gpu-csr-cpu; None if neither ran."""
    n, m = run.vertices("kahn", graph)
    row, _ = run.row("kahn", "gpu-csr-cpu", graph)
    if graph.startswith("cyc"):
        return 0 if n else None
    if row:
        return round((row["model_bytes"] - 20 * n - 12 * m) / (40 * n))
    row, _ = run.row("kahn", "gpu-dense", graph)
    return round((row["model_bytes"] - 16 * n * n) / (32 * n)) if row else None


def cpu_removal_ms(run, graph, rung):
    """A round of `rung` less a round of gpu-dense, plus that one's removal: both flag, scan and compact alike.  None without both."""
    row, base = run.row("kahn", rung, graph)[0], run.row("kahn", "gpu-dense", graph)[0]
    removal_ms, _ = kernel_ms(run, graph, "dense_remove_pairs")
    return (kernels_ms(row) - kernels_ms(base)) / rounds(run, graph) + (removal_ms or 0) if row and base else None


def removal_on_cpu(run, table, graph, rung):
    if graph.startswith("cyc"):
        return NO_ROUND
    row, why = run.row("kahn", rung, graph)
    if not row:
        return table.missing(why)
    ms = cpu_removal_ms(run, graph, rung)
    if ms is None:
        return f"below {number(kernels_ms(row) / rounds(run, graph))} ‡{runs(row)}"
    return f"{number(ms)} †{runs(row)}"


def removal(run, said, table_words, graphs, rows, cpu_rung, title):
    table = Table(
        title,
        ["graph", "kernel", "thesis: ms", "here: ms", "launches", "from round"],
        f"† from whole runs: a round of `{cpu_rung}` less one of `gpu-dense`, plus the removal of the latter where it was profiled; "
        "copying the degrees there and back is in it. ‡ a whole round, with flag, scan and compact: `gpu-dense` was not run here. "
        "Rows are longest in the first rounds and half as long in the middle, which is their mean.",
    )
    for graph in graphs:
        for key, words, kernels in rows:
            launches = first = ""
            if not kernels:
                ours = removal_on_cpu(run, table, graph, cpu_rung)
            elif graph.startswith("cyc"):
                ours = NO_ROUND
            else:
                ms, count = kernel_ms(run, graph, *kernels)
                ours = number(ms) if ms is not None else table.missing(NO_PROFILE)
                launches, first = (str(count), f"{run.skipped(graph, kernels[0]) // len(kernels) + 1:,}") if ms is not None else ("", "")
            table.row(WORDS[graph], words, said("kahn", f"{table_words}: ms", key, graph), ours, launches, first)
    table.end()


def steps(run, said, title, table_words, graphs, bytes_of_compact):
    table = Table(
        title,
        ["kernel", "thesis: ms", "GB/s", "GOps/s", "here: ms", "GB/s", "GOps/s", "rounds"],
        "Both have the shortest to the longest mean over the graphs, and the best rate. Scan: its three launches together. Rounds: as many were profiled. "
        "The kernels of both tables are the same here.",
    )
    for step, kernels in STEPS.items():
        size, found, profiled = bytes_of_compact if step == "compact" else 8, [], 0
        for graph in graphs:
            values = [(mean(run.metric(graph, k)), count) for k, count in kernels]
            if all(v is not None for v, _ in values):
                found.append((sum(v * count for v, count in values) / 1000, vertices(graph)))
                profiled += len(run.metric(graph, kernels[0][0])) // kernels[0][1]
        if found:
            low, high, best = min(found)[0], max(found)[0], max(n / ms for ms, n in found)
            ours = (
                f"{number(low)} to {number(high)}" if high > low else number(low),
                f"up to {number(size * best / 1e6)}",
                f"up to {number(best / 1e6)}",
                str(profiled),
            )
        else:
            ours = (table.missing("no profile of these kernels was given"),) * 3 + ("0",)
        table.row(
            step,
            said("kahn", f"{table_words}: ms", step).replace("-", " to "),
            *(f"up to {said('kahn', f'{table_words}: {q}', step)}" for q in ("GB/s", "GOps/s")),
            *ours,
        )
    table.end()


def tables_1_to_4(run, said):
    in_degree(
        run,
        said,
        "in-degree, dense",
        DENSE,
        (
            ("global", "global memory (`gpu-dense`)", ("dense_degree",), of_matrix),
            ("shared", "shared memory, two kernels (`gpu-dense-partial`)", ("add_column", "add_partials"), of_matrix),
        ),
        "### Table 1: in-degree, dense",
    )
    removal(
        run,
        said,
        "removal, dense",
        DENSE,
        (
            ("global", "GPU, global (`gpu-dense`)", ("dense_remove_pairs",)),
            ("shared", "GPU, shared (`gpu-dense-shared`)", ("remove_by_tiles",)),
            ("cpu", "CPU (`gpu-dense-cpu`)", ()),
        ),
        "gpu-dense-cpu",
        "### Table 2: removal, dense, a round",
    )
    in_degree(
        run,
        said,
        "in-degree, CSR",
        SPARSE,
        (("atomic", "csr_atomic (`gpu-csr-count`)", ("count_targets",), of_arcs), ("csc", "csc (`gpu-csr`)", ("difference",), of_vertices)),
        "### Table 3: in-degree, CSR",
    )
    removal(
        run,
        said,
        "removal, CSR",
        SPARSE,
        (
            ("cpu", "CPU (`gpu-csr-cpu`)", ()),
            ("atomics", "csr, a thread a vertex (`gpu-csr`)", ("remove_by_atomics",)),
            ("two-phase", "no_atomic, three kernels (`gpu-csr-two-phase`)", ("reduce", "apply", "mark")),
        ),
        "gpu-csr-cpu",
        "### Table 4: removal, CSR, a round",
    )
