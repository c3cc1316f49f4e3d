#!/usr/bin/env python3
"""Markdown tables from what `weft lab LADDER ... --json FILE` wrote, beside what the documents said.
    bench/lab_table.py FILE.json... [FILE.csv...] > table.md
Sizes of a sweep become columns; each other input has a table of its own, and several inputs of one ladder have one of their whole runs.  Times are
milliseconds: kernels by the GPU's events (on the CPU by the clock), and the whole run, medians; what a document said is in brackets.  A rung that was
skipped says so; one that was not verified has no time; one that ran fewer times than it should, because of --patience, has a star.
A FILE.csv is what `ncu --csv --metrics gpu__time_duration.sum weft lab ...` printed: a table of its kernels."""
import csv
import json
import os
import sys


def ms(x):
    return f"{x:.3g}" if x < 999.5 else f"{x:,.0f}"


def kernels(row):
    return row.get("kernels_event_ms", row["part_ms"]["kernels"])


def said(row):
    return f" ({ms(row['document_said_ms'])})" if row["document_said_ms"] else ""


def star(row):
    return "\\*" if row.get("out_of_patience") else ""


def about(row):
    return f"{ms(kernels(row))} / {ms(row['run_ms']['median'])}{star(row)}" if row["verified"] else row["status"]


def called(table):
    return table["input"].split("/")[-1]


def input_table(table):
    print(f"\n{table['ladder']} on {called(table)}: {table['vertices']:,} vertices, {table['edges']:,} edges\n")
    print("| rung | kernels | whole (fastest–slowest) | allocate | copy in | copy out | free | GB/s | of ceiling | Gedge/s | difference | said |")
    print("|---|" + "--:|" * 11)
    for row in table["rows"]:
        name = f"{row['number']} `{row['rung']}`"
        if not row["verified"]:
            print(f"| {name} | {row['status']}: {row['message']} |" + " |" * 10)
            continue
        run, part = row["run_ms"], row["part_ms"]
        gbs, share, far = row.get("effective_gbs"), row.get("ceiling_share"), row["max_difference"]
        cells = [ms(kernels(row)), f"{ms(run['median'])}{star(row)} ({ms(run['min'])}–{ms(run['max'])})"]
        cells += [ms(part[p]) for p in ("allocate", "copy_in", "copy_out", "free")]
        cells += [ms(gbs) if gbs else "", f"{100 * share:.0f} %" if share else "", f"{row['edges_per_second'] / 1e9:.3g}"]
        cells += ["" if far is None else f"{far:.1e}", said(row).strip(" ()")]
        print(f"| {name} | " + " | ".join(cells) + " |")
    swept = [row for row in table["rows"] if row.get("blocks")]
    if swept:
        threads = [b["threads"] for b in swept[0]["blocks"]]
        print("\nKernels by threads in a block, with the computed occupancy:\n\n| rung | " + " | ".join(map(str, threads)) + " |")
        print("|---|" + "--:|" * len(threads))
    for row in swept:
        cells = [f"{ms(b['kernels_ms'])} ({100 * b['occupancy']:.0f} %)" for b in row["blocks"]]
        print(f"| {row['number']} `{row['rung']}` | " + " | ".join(cells) + " |")


def size_table(ladder, tables, sweep):
    print(f"\n{ladder}: kernels / whole run (the document said), by vertices\n")
    print("| rung | " + " | ".join(f"{t['vertices']:,}" for t in tables) + " |")
    print("|---|" + "--:|" * len(tables))
    for i, first in enumerate(tables[0]["rows"]):
        cells = []
        for row in (t["rows"][i] for t in tables):
            cells.append(about(row) + said(row))
        print(f"| {first['number']} `{first['rung']}` | " + " | ".join(cells) + " |")
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
    for number in sorted({n for _, n in rows}):
        found = [rows.get((name, number)) for name in names]
        rung = next(row["rung"] for row in found if row)
        print(f"| {number} `{rung}` | " + " | ".join(about(row) + said(row) if row else "" for row in found) + " |")


def kernel_table(path):
    """ncu's own lines come before the header, and a line for each launch after it."""
    times = {}
    try:
        with open(path, encoding="utf-8", newline="") as file:
            lines = file.read().splitlines()
        begin = next(i for i, line in enumerate(lines) if line.startswith('"ID"'))
        for launch in csv.DictReader(lines[begin:]):
            unit = {"ns": 1e-3, "nsecond": 1e-3, "us": 1, "usecond": 1, "ms": 1e3, "msecond": 1e3}[launch["Metric Unit"]]
            times.setdefault(launch["Kernel Name"].split("(")[0], []).append(float(launch["Metric Value"].replace(",", "")) * unit)
    except (OSError, StopIteration, KeyError, TypeError, ValueError) as wrong:
        sys.exit(f"lab_table: {path} is not what ncu --csv prints: {type(wrong).__name__} {wrong}")
    print(f"\nKernels of {os.path.basename(path)[:-4]} by Nsight Compute, in microseconds\n\n| kernel | launches | mean | fastest | slowest |\n|---|--:|--:|--:|--:|")
    for name, all_us in times.items():
        print(f"| `{name}` | {len(all_us)} | {sum(all_us) / len(all_us):.3g} | {min(all_us):.3g} | {max(all_us):.3g} |")


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            book = json.load(file)
    except (OSError, ValueError) as wrong:
        sys.exit(f"lab_table: {path}: {wrong}")
    if not isinstance(book, dict) or "tables" not in book or "provenance" not in book:
        sys.exit(f"lab_table: {path} is not what weft lab LADDER --json writes")
    return book


def main(paths):
    shown, inputs, fewer = set(), {}, False
    if not paths:
        sys.exit("lab_table: which files? bench/lab_table.py FILE.json...")
    for path in paths:
        if path.endswith(".csv"):
            kernel_table(path)
            continue
        book = read(path)
        where = book["provenance"]
        words = f"{where['date'][:10]}, {where['build']}. {where['cpu']}, {where['threads']} threads; {where['gpu'] or 'no GPU'}."
        if words not in shown:
            print("\n" + words)
        shown.add(words)
        print(f"{where['repeat']} runs of each rung after a verified warm-up." + ("" if book["complete"] else " INCOMPLETE."))
        for table in book["tables"]:
            fewer = fewer or any(row["verified"] and star(row) for row in table["rows"])
            if not table["sized"]:
                input_table(table)
                inputs.setdefault(table["ladder"], []).append(table)
        for ladder in dict.fromkeys(t["ladder"] for t in book["tables"] if t["sized"]):
            sweep = next((s for s in book["sweeps"] if s["ladder"] == ladder), None)
            size_table(ladder, [t for t in book["tables"] if t["sized"] and t["ladder"] == ladder], sweep)
    for ladder, tables in inputs.items():
        if len({called(t) for t in tables}) > 1:
            inputs_table(ladder, tables)
    if fewer:
        print("\n\\* fewer runs: one took longer than --patience allows.")


main(sys.argv[1:])
