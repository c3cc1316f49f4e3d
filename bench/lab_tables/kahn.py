"""The tables 1 to 10 of the thesis on Kahn's algorithm, each beside what was measured.  Whole runs are the lab's, single kernels those of kahn_kernels.py."""

from . import kahn_kernels
from .kahn_kernels import DENSE, NO_PROFILE, SPARSE, WORDS, cpu_removal_ms, kernel_ms, rounds, vertices
from .markdown import Table, number, published, runs
from .run import kernels_ms


def whole(run, table, rung, graph):
    row, why = run.row("kahn", rung, graph)
    if not row:
        return table.missing(why)
    time = row["run_ms"]
    return f"{number(kernels_ms(row))} / {number(time['median'])} ({number(time['min'])}–{number(time['max'])}){runs(row)}"


def median(run, table, rung, graph):
    row, why = run.row("kahn", rung, graph)
    return number(row["run_ms"]["median"]) + runs(row) if row else table.missing(why)


def counted(run, table, graph):
    count = rounds(run, graph)
    return table.missing("neither `gpu-csr-cpu` nor `gpu-dense` has a time") if count is None else f"{count:,}"


ROUNDS_NOTE = (
    "Rounds here are those that removed something; the thesis counts the one that finds nothing. "
    "Its graphs were other random ones of the same kind; at 20,000 acyclic it has two."
)


def table_5(run, said):
    table = Table(
        "### Table 5: final dense version (`gpu-dense`)",
        ["graph", "thesis: in-degree, ms", "rounds", "ms", "cyclic?", "here: in-degree, ms", "rounds", "kernels / whole run (fastest–slowest), ms"],
        ROUNDS_NOTE,
    )
    for graph in DENSE:
        degree, _ = kernel_ms(run, graph, "dense_degree")
        table.row(
            WORDS[graph],
            *(published(said("kahn", f"final dense: {q}", "gpu-dense", graph)) for q in ("in-degree ms", "rounds", "ms")),
            "yes" if graph.startswith("cyc") else "no",
            number(degree) if degree else table.missing(NO_PROFILE),
            counted(run, table, graph),
            whole(run, table, "gpu-dense", graph),
        )
    table.end()


def table_7(run, said):
    table = Table(
        "### Table 7: final CSR version (`gpu-csr-cpu`)",
        ["graph", "thesis: rounds", "ms", "cyclic?", "here: rounds", "kernels / whole run (fastest–slowest), ms"],
        ROUNDS_NOTE,
    )
    for graph in SPARSE:
        table.row(
            WORDS[graph],
            *(published(said("kahn", f"final CSR: {q}", "gpu-csr-cpu", graph)) for q in ("rounds", "ms")),
            "yes" if graph.startswith("cyc") else "no",
            counted(run, table, graph),
            whole(run, table, "gpu-csr-cpu", graph),
        )
    table.end()


def table_9(run, said):
    table = Table(
        "### Table 9: dense version against the host, whole runs, ms",
        [
            "graph",
            "thesis: GPU",
            "thesis: host",
            "here: `gpu-dense`",
            "here: the same host (`matrix-columns`, one thread)",
            "the host's best here (`csr-queue`)",
            "`engine` (16 threads)",
        ],
    )
    for graph in DENSE:
        table.row(
            WORDS[graph],
            published(said("kahn", "final dense: ms", "gpu-dense", graph)),
            published(said("kahn", "host: ms", "matrix-columns", graph)),
            *(median(run, table, rung, graph) for rung in ("gpu-dense", "matrix-columns", "csr-queue", "engine")),
        )
    table.end()


def table_10(run, said):
    table = Table(
        "### Table 10: dense against CSR, whole runs, ms",
        ["graph", "thesis: dense", "thesis: CSR", "here: dense", "here: CSR", "`gpu-csr-persistent`", "`engine-gpu`"],
        "The thesis has no dense run from 30,000 on: its GPU had 4 GB.",
    )
    for graph in SPARSE:
        dense = published(said("kahn", "final dense: ms", "gpu-dense", graph)) if graph in DENSE else "-"
        table.row(
            WORDS[graph],
            dense,
            published(said("kahn", "final CSR: ms", "gpu-csr-cpu", graph)),
            *(median(run, table, rung, graph) for rung in ("gpu-dense", "gpu-csr-cpu", "gpu-csr-persistent", "engine-gpu")),
        )
    table.end()


def claims(run, said):
    def ratios(of, by):
        pairs = [(run.row("kahn", of, g)[0], run.row("kahn", by, g)[0]) for g in DENSE]
        return [a["run_ms"]["median"] / b["run_ms"]["median"] for a, b in pairs if a and b]

    table = Table("### Its other numbers", ["", "section", "thesis", "here"])
    host = ratios("matrix-columns", "gpu-dense")
    degrees = [4 * vertices(g) ** 2 / ms / 1e6 for g in DENSE for ms, _ in [kernel_ms(run, g, "dense_degree")] if ms]
    removals = [ms for g in SPARSE if g.startswith("tri") for ms, _ in [kernel_ms(run, g, "remove_by_atomics")] if ms]
    slower = [
        a / b
        for g in ("tri10", "tri20")
        for a, b in [(cpu_removal_ms(run, g, "gpu-dense-cpu"), kernel_ms(run, g, "dense_remove_pairs")[0])]
        if a and b
    ]
    ours = {
        "dense against the host, times, at most": max(host, default=None),
        "removal on the CPU against the GPU, dense, times slower": max(slower, default=None),
        "in-degree, dense, GB/s, up to": max(degrees, default=None),
        "removal, CSR, ms a round, up to": max(removals, default=None),
    }
    for section, what, value in said.claims("kahn"):
        why = NO_PROFILE if "against" not in what else "one of the two has no time"
        table.row(what, section, value, number(ours[what]) if ours.get(what) else table.missing(why))
    table.end()


def tables(run, said):
    print("\n## The thesis on Kahn's algorithm (RTX 2050 laptop GPU, Core i7 of the 12th generation)")
    kahn_kernels.tables_1_to_4(run, said)
    table_5(run, said)
    kahn_kernels.steps(run, said, "### Table 6: the other kernels, dense, a round", "a round, dense", DENSE, 8)
    table_7(run, said)
    kahn_kernels.steps(run, said, "### Table 8: the other kernels, CSR, a round", "a round, CSR", SPARSE, 12)
    table_9(run, said)
    table_10(run, said)
    claims(run, said)
