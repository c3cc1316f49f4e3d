"""Tables of what a run measured, with no document beside but the times that the lab itself knows."""

from .even import AHEAD, SIDES, even_cell, evens
from .markdown import number, runs
from .run import ENOUGH_RUNS, kernels_ms, mean


def said(row):
    return f" ({number(row['document_said_ms'])})" if row["document_said_ms"] else ""


def star(row):
    return "\\*" if row.get("out_of_patience") else ""


def about(row):
    return f"{number(kernels_ms(row))} / {number(row['run_ms']['median'])}{star(row)}{runs(row)}" if row["verified"] else row["status"]


def called(table):
    return table["input"].split("/")[-1]


def span(values, unit=""):
    low, high = min(values), max(values)
    return f"{number(low)}{unit}" if number(low) == number(high) else f"{number(low)} to {number(high)}{unit}"


def provenance(run):
    """One paragraph: when, what was built, on which machine, how busy it was."""
    heads = [b["provenance"] for b in run.books]
    if not heads:
        return
    dates = sorted(h["date"] for h in heads)
    words = f"Provenance: {dates[0].replace('T', ' ').rstrip('Z')} to {dates[-1].split('T')[-1].rstrip('Z')} UTC (starts of the runs)."
    for build in dict.fromkeys(h["build"] for h in heads):
        words += f" {build}."
    for gpu in dict.fromkeys(h["gpu"]["name"] if h["gpu"] else "no GPU" for h in heads):
        reads = [h["gpu"]["read_gbs"] for h in heads if h["gpu"] and h["gpu"]["name"] == gpu and h["gpu"].get("read_gbs")]
        words += f" {gpu}" + (f" (reads {span(reads, ' GB/s')}, measured)." if reads else ".")
    for cpu, threads in dict.fromkeys((h["cpu"], h["threads"]) for h in heads):
        reads = [h["read_gbs"] for h in heads if h["cpu"] == cpu and h.get("read_gbs")]
        words += f" {cpu}, {threads} threads" + (f" (reads {span(reads, ' GB/s')}, measured)." if reads else ".")
    loads = [h["load_average"] for h in heads if h.get("load_average") is not None]
    words += f" Load average before a run {span(loads)}." if loads else ""
    words += f" {len(heads)} files of the lab, {len(run.profiles)} of Nsight Compute."
    words += f" Each rung was verified in a warm-up, then run {span([h['repeat'] for h in heads])} times unless it says less."
    print(words + ("" if all(b["complete"] for b in run.books) else " INCOMPLETE."))


def share_of_ceiling(run, row):
    """By the run's own ceiling; a --quick run measures none and is held against the highest of the other files."""
    if row.get("ceiling_share") or not row.get("effective_gbs"):
        return row.get("ceiling_share")
    heads = [b["provenance"] for b in run.books]
    heads = [h["gpu"] or {} for h in heads] if row["backend"] == "cuda" else heads
    highest = max((h.get("read_gbs") or 0 for h in heads), default=0)
    return row["effective_gbs"] / highest if highest else None


def percent(share):
    return f"{100 * share:.0f} %" if share >= 0.01 else f"{100 * share:.1f} %" if share >= 0.001 else "<0.1 %"


def difference(row):
    if row.get("nan_apart"):
        return "NaN"
    if row.get("inf_apart"):
        return "overflow"
    return "" if row["max_difference"] is None else f"{row['max_difference']:.1e}"


def count(n, one, more):
    return f"{n:,} {one if n == 1 else more}"


def input_table(run, table):
    print(f"\n{table['ladder']} on {called(table)}: {count(table['vertices'], 'vertex', 'vertices')}, {count(table['edges'], 'edge', 'edges')}\n")
    rows = [row for row in table["rows"] if row["verified"]]
    far = any(row["max_difference"] or row.get("nan_apart") or row.get("inf_apart") for row in rows)  # columns that are there only if needed
    told = any(row["document_said_ms"] for row in rows)
    heads = ["kernels", "whole (fastest–slowest)", "allocate", "copy in", "copy out", "free", "GB/s", "of ceiling", "Gedge/s"]
    heads += ["difference"] * far + ["said"] * told
    print("| rung | " + " | ".join(heads) + " |\n|---|" + "--:|" * len(heads))
    for row in table["rows"]:
        name = f"{row['number']} `{row['rung']}`"
        if not row["verified"]:
            print(f"| {name} | {row['status']}: {row['message']} |" + " |" * (len(heads) - 1))
            continue
        time, part = row["run_ms"], row["part_ms"]
        gbs, share = row.get("effective_gbs"), share_of_ceiling(run, row)
        cells = [number(kernels_ms(row)), f"{number(time['median'])}{star(row)} ({number(time['min'])}–{number(time['max'])}){runs(row)}"]
        cells += [number(part[p]) if part[p] == 0 or part[p] >= 0.001 else "<0.001" for p in ("allocate", "copy_in", "copy_out", "free")]
        cells += [number(gbs) if gbs else "", percent(share) if share else "", f"{row['edges_per_second'] / 1e9:.3g}"]
        cells += [difference(row)] * far + [said(row).strip(" ()")] * told
        print(f"| {name} | " + " | ".join(cells) + " |")
    swept = [row for row in table["rows"] if row.get("blocks")]
    if swept:
        threads = [b["block_threads"] for b in swept[0]["blocks"]]
        print("\nKernels by threads in a block, with the computed occupancy:\n\n| rung | " + " | ".join(map(str, threads)) + " |")
        print("|---|" + "--:|" * len(threads))
    for row in swept:
        cells = [f"{number(b['kernel_ms']['median'])} ({100 * b['occupancy']:.0f} %)" for b in row["blocks"]]
        print(f"| {row['number']} `{row['rung']}` | " + " | ".join(cells) + " |")


def break_evens(sweep):
    for graph, words in evens(sweep):
        print(f"\nBreak-even, {graph}: {words}.")


def size_table(ladder, tables, sweep):
    print(f"\n{ladder}: kernels / whole run (the document said), by vertices\n")
    print("| rung | " + " | ".join(f"{t['vertices']:,}" for t in tables) + " |")
    print("|---|" + "--:|" * len(tables))
    for i, first in enumerate(tables[0]["rows"]):
        print(f"| {first['number']} `{first['rung']}` | " + " | ".join(about(row) + said(row) for row in (t["rows"][i] for t in tables)) + " |")
    break_evens(sweep or {})
    if not sweep or not sweep["points"]:
        return
    print("\n| vertices | CPU | GPU | speed-up | kernels alone | limit by Amdahl |\n|--:|---|---|--:|--:|--:|")
    for p in sweep["points"]:
        limit = f"{p['limit']:.3g}" if p["limit"] else "none"
        print(f"| {p['vertices']:,} | `{p['cpu_rung']}` | `{p['gpu_rung']}` | {p['speedup']:.3g} | {p['kernel_speedup']:.3g} | {limit} |")


def inputs_table(ladder, tables):
    """A column for each input; the files need not have the same rungs, and what was run twice stands as in the last file."""
    names = list(dict.fromkeys(called(t) for t in tables))
    rows = {(called(t), row["number"]): row for t in tables for row in t["rows"]}
    print(f"\n{ladder}: kernels / whole run (the document said), by input\n")
    print("| rung | " + " | ".join(names) + " |\n|---|" + "--:|" * len(names))
    for at in sorted({n for _, n in rows}):
        found = [rows.get((name, at)) for name in names]
        rung = next(row["rung"] for row in found if row)
        print(f"| {at} `{rung}` | " + " | ".join(about(row) + said(row) if row else "" for row in found) + " |")


def kernel_table(name, kernels):
    print(f"\nKernels of {name} by Nsight Compute, in microseconds\n\n| kernel | launches | mean | fastest | slowest |\n|---|--:|--:|--:|--:|")
    for kernel in dict.fromkeys(k for k, _ in kernels):
        us = [v for (k, _), metrics in kernels.items() if k == kernel for v in metrics.get("gpu__time_duration.sum", [])]
        if us:
            print(f"| `{kernel}` | {len(us)} | {number(mean(us))} | {number(min(us))} | {number(max(us))} |")


def whole_lab(run, ladder):
    """The file that has the ladder's sizes and most of its rungs: that of `make lab`, if it was given."""

    def rungs(book):
        return sum(len(t["rows"]) for t in book["tables"] if t["ladder"] == ladder and t["sized"])

    books = [b for b in run.books if rungs(b)]
    return max(books, key=rungs) if books else None


def rungs_table(run, ladder):
    """Every rung of the ladder, kernels / whole run, on the graph and the sizes of one file."""
    book = whole_lab(run, ladder)
    if not book:
        print("\nNot measured in this run.")
        return
    tables = [t for t in book["tables"] if t["ladder"] == ladder]
    heads = [f"{t['vertices']:,}" if t["sized"] else called(t) for t in tables]
    print("\n| rung | " + " | ".join(heads) + " |\n|---|" + "--:|" * len(heads))
    for rows in zip(*(t["rows"] for t in tables)):
        print(f"| {rows[0]['number']} `{rows[0]['rung']}` | " + " | ".join(about(row) for row in rows) + " |")


def best_of_ten(run, ladder, graph, like):
    """The fastest rung on the device of `like`, with the graph there or brought along as in it, that has ten runs in any of the files."""

    def side(row):
        return row["backend"], row.get("graph_already_there", False)

    rows = [row for (of, at, _), (_, row) in run.rows.items() if (of, at) == (ladder, graph) and row["verified"] and side(row) == side(like)]
    rows = [row for row in rows if row["runs"] >= ENOUGH_RUNS and not row.get("other_work")]
    return min(rows, key=lambda r: r["run_ms"]["median"], default=None)


def gains(run, book, ladder, point):
    """Speed-up of whole runs and of kernels at one size: the sweep's own; if one of its two rungs had fewer than ten runs, that of other files."""
    table = next(t for t in book["tables"] if t["sized"] and t["ladder"] == ladder and t["vertices"] == point["vertices"])
    rows = [next(r for r in table["rows"] if r["rung"] == point[rung]) for rung in ("cpu_rung", "gpu_rung")]
    few = runs(min(rows, key=lambda r: r["runs"]))
    pair = [best_of_ten(run, ladder, run.graph_of(table), row) for row in rows]
    if not few or not all(pair):
        return f"{number(point['speedup'])}{few}", f"{number(point['kernel_speedup'])}{few}"
    return tuple(f"{number(of(pair[0]) / of(pair[1]))}‡" for of in (lambda r: r["run_ms"]["median"], kernels_ms))


def even_table(run):
    """The break-evens of every ladder that was swept; speed-ups are with the graph already there."""
    asked = [graph for _, _, graph in SIDES]
    heads = [f"{graph}: {AHEAD}" for graph in asked] + ["speed-up at the smallest and the largest", "its kernels alone", "limit by Amdahl there"]
    print("\n| ladder | sizes | " + " | ".join(heads) + " |\n|---|---|" + "--:|" * len(heads))
    for ladder in dict.fromkeys(s["ladder"] for b in run.books for s in b["sweeps"]):
        book = whole_lab(run, ladder)
        sweep = next((s for s in book["sweeps"] if s["ladder"] == ladder), None) if book else None
        if not sweep or not sweep["points"]:
            continue
        ends = (sweep["points"][0], sweep["points"][-1])
        whole, kernels = zip(*(gains(run, book, ladder, p) for p in ends))
        cells = [f"`{ladder}`", f"{ends[0]['vertices']:,} to {ends[1]['vertices']:,}"] + [even_cell(sweep, graph) for graph in asked]
        cells += [" and ".join(whole), " and ".join(kernels), " and ".join(number(p["limit"]) if p["limit"] else "none" for p in ends)]
        print("| " + " | ".join(cells) + " |")
    print(
        "\n‡: one of the sweep's two rungs had fewer than ten runs; this is the best of the CPU by the best of the GPU among those with ten, from other files."
    )


def one_input(run, ladder, graph):
    """The last table of a ladder on a graph, by the name it was called or is known by."""
    found = [t for b in run.books for t in b["tables"] if t["ladder"] == ladder and not t["sized"] and graph in (called(t), run.graph_of(t))]
    if found:
        input_table(run, found[-1])
    else:
        print("\nNot measured in this run.")


def one_sweep(run, ladder):
    """The last sweep of a ladder over sizes."""
    for book in reversed(run.books):
        tables = [t for t in book["tables"] if t["sized"] and t["ladder"] == ladder]
        if tables:
            return size_table(ladder, tables, next((s for s in book["sweeps"] if s["ladder"] == ladder), None))
    print("\nNot measured in this run.")


def everything(run, profiles):
    inputs = {}
    for book in run.books:
        for table in book["tables"]:
            if not table["sized"]:
                input_table(run, table)
                inputs.setdefault(table["ladder"], []).append(table)
        for ladder in dict.fromkeys(t["ladder"] for t in book["tables"] if t["sized"]):
            sweep = next((s for s in book["sweeps"] if s["ladder"] == ladder), None)
            size_table(ladder, [t for t in book["tables"] if t["sized"] and t["ladder"] == ladder], sweep)
    for ladder, tables in inputs.items():
        if len({called(t) for t in tables}) > 1:
            inputs_table(ladder, tables)
    for name, kernels in profiles:
        kernel_table(name, kernels)
    if any(star(row) for b in run.books for t in b["tables"] for row in t["rows"] if row["verified"]):
        print("\n\\* fewer runs: one took longer than --patience allows.")
