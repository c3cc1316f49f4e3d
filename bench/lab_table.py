#!/usr/bin/env python3
"""Markdown tables from what `weft lab LADDER ... --json FILE` wrote, beside what the documents said.
    bench/lab_table.py [--documents | --measured] FILE.json... [FILE.csv...] > table.md
--documents: the documents' own tables, all of them, with what they published (lab_tables/said.tsv has each value with its section).  What this run
did not measure is a dash with the reason below the table.  --measured: the tables of this run.  Without either: both.
Sizes of a sweep become columns; each other input has a table of its own, and several inputs of one ladder have one of their whole runs.  Times are
milliseconds: kernels by the GPU's events (on the CPU by the clock), and the whole run, medians; what a document said is in brackets.  A rung that was
skipped says so; one that was not verified has no time; fewer than ten runs are told, with a star where --patience is the reason.
A FILE.csv is what `ncu --csv --metrics ... weft lab ...` printed, named NAME@GRAPH.csv (lab_tables/run.py): a table of its kernels."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # python3 -I leaves it out
sys.dont_write_bytecode = True
from lab_tables import kahn, others, six
from lab_tables.markdown import number, runs
from lab_tables.run import Run, Said, give_up, kernels_ms, mean


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
    for gpu in dict.fromkeys(h["gpu"] or "no GPU" for h in heads):
        reads = [h["gpu_read_gbs"] for h in heads if h["gpu"] == gpu and h.get("gpu_read_gbs")]
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
    key = "gpu_read_gbs" if row["device"] == "cuda" else "read_gbs"
    highest = max((b["provenance"].get(key) or 0 for b in run.books), default=0)
    return row["effective_gbs"] / highest if highest else None


def percent(share):
    return f"{100 * share:.0f} %" if share >= 0.01 else f"{100 * share:.1f} %"


def input_table(run, table):
    print(f"\n{table['ladder']} on {called(table)}: {table['vertices']:,} vertices, {table['edges']:,} edges\n")
    print("| rung | kernels | whole (fastest–slowest) | allocate | copy in | copy out | free | GB/s | of ceiling | Gedge/s | difference | said |")
    print("|---|" + "--:|" * 11)
    for row in table["rows"]:
        name = f"{row['number']} `{row['rung']}`"
        if not row["verified"]:
            print(f"| {name} | {row['status']}: {row['message']} |" + " |" * 10)
            continue
        time, part = row["run_ms"], row["part_ms"]
        gbs, share, far = row.get("effective_gbs"), share_of_ceiling(run, row), row["max_difference"]
        cells = [number(kernels_ms(row)), f"{number(time['median'])}{star(row)} ({number(time['min'])}–{number(time['max'])}){runs(row)}"]
        cells += [number(part[p]) for p in ("allocate", "copy_in", "copy_out", "free")]
        cells += [number(gbs) if gbs else "", percent(share) if share else "", f"{row['edges_per_second'] / 1e9:.3g}"]
        cells += ["" if far is None else f"{far:.1e}", said(row).strip(" ()")]
        print(f"| {name} | " + " | ".join(cells) + " |")
    swept = [row for row in table["rows"] if row.get("blocks")]
    if swept:
        threads = [b["threads"] for b in swept[0]["blocks"]]
        print("\nKernels by threads in a block, with the computed occupancy:\n\n| rung | " + " | ".join(map(str, threads)) + " |")
        print("|---|" + "--:|" * len(threads))
    for row in swept:
        cells = [f"{number(b['kernels_ms'])} ({100 * b['occupancy']:.0f} %)" for b in row["blocks"]]
        print(f"| {row['number']} `{row['rung']}` | " + " | ".join(cells) + " |")


def size_table(ladder, tables, sweep):
    print(f"\n{ladder}: kernels / whole run (the document said), by vertices\n")
    print("| rung | " + " | ".join(f"{t['vertices']:,}" for t in tables) + " |")
    print("|---|" + "--:|" * len(tables))
    for i, first in enumerate(tables[0]["rows"]):
        print(f"| {first['number']} `{first['rung']}` | " + " | ".join(about(row) + said(row) for row in (t["rows"][i] for t in tables)) + " |")
    even = sweep["break_even_vertices"] if sweep else None
    if even:
        print(f"\nBreak-even: from about {even:,.0f} vertices on the best rung on the GPU is faster than the best on the CPU.")
    if not sweep or not sweep["points"]:
        return
    print("\n| vertices | CPU | GPU | speed-up | kernels alone | limit by Amdahl |\n|--:|---|---|--:|--:|--:|")
    for p in sweep["points"]:
        limit = f"{p['limit']:.3g}" if p["limit"] else "none"
        print(f"| {p['vertices']:,} | `{p['cpu_rung']}` | `{p['gpu_rung']}` | {p['speedup']:.3g} | {p['kernels_speedup']:.3g} | {limit} |")


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


def measured(run, profiles):
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


def documents(run):
    published = Said()
    six.tables(run, published)
    others.contributions(run, published)
    kahn.tables(run, published)
    others.blog(run, published)


def main(words):
    parts = [w for w in words if w.startswith("--")]
    paths = [w for w in words if not w.startswith("--")]
    if not paths or len(parts) > 1 or any(p not in ("--documents", "--measured") for p in parts):
        give_up("which files? bench/lab_table.py [--documents | --measured] FILE.json... [FILE.csv...]")
    sys.stdout.reconfigure(encoding="utf-8")
    run, profiles = Run(), []
    for path in paths:
        if path.endswith(".csv"):
            profiles.append(run.add_csv(path))
        else:
            run.add_json(path)
    provenance(run)
    if parts != ["--measured"]:
        documents(run)
    if parts != ["--documents"]:
        measured(run, profiles)


main(sys.argv[1:])
