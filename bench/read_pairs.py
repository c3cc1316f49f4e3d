#!/usr/bin/env python3
"""Reading speed of two builds, interleaved: the same files by A, then by B, then by A, ...

    bench/read_pairs.py OLD/weft NEW/weft [--pairs 15] [--scale 20] [--threads 1,2] [--data FOLDER] [--json FILE]

Each row is one kind of edge list.  The time is load_ms of `weft info --json` (from open to graph), the ratio of a pair is
old / new: above 1 the new build is faster.  Shown are the median of the ratios and the interval that holds the median with
95 % (order statistics, no assumption on the distribution).  Before a time counts, both builds must have read the same
vertices, edges and weights.  JSON lines and quoted csv have five columns, two of which the rows with --keep keep; Parquet
is measured where pyarrow is installed, or where FOLDER has the file.  --only takes words of the names."""
import argparse
import importlib.util
import json
import math
import os
import random
import shutil
import statistics
import subprocess
import sys


def info(weft, path, flags):
    done = subprocess.run([weft, "info", "--json", "-q", path] + flags, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{weft} info {path}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def facts(answer):
    return [answer.get(key) for key in ("vertices", "records", "edges", "arcs", "weight_type", "max_weight", "isolated")]


def interval(values):
    """The order statistics between which the median lies with 95 %."""
    values, n = sorted(values), len(values)
    k = 0
    while k < n // 2 and sum(math.comb(n, i) for i in range(k + 1)) / 2**n <= 0.025:
        k += 1
    k = max(k - 1, 0)
    return values[k], values[n - 1 - k]


def make_files(weft, folder, scale):
    """The lists that are measured: name, path, flags."""
    os.makedirs(folder, exist_ok=True)
    plain = os.path.join(folder, f"rmat{scale}.txt")
    if not os.path.exists(plain):
        subprocess.run([weft, "generate", "rmat", "--scale", str(scale), "--degree", "16", "--undirected", "-o",
                        plain + ".el", "-q"], check=True)
        with open(plain + ".el") as edges, open(plain + ".part", "w") as out:
            out.writelines(line for line in edges if not line.startswith("#"))
        os.rename(plain + ".part", plain)
        os.remove(plain + ".el")
    paths = {kind: os.path.join(folder, f"rmat{scale}.{kind}") for kind in
             ("shuffled.txt", "decimal.txt", "csv", "weighted.txt", "decimal.csv", "names.txt", "quoted.csv", "jsonl", "txt.gz")}
    if shutil.which("zstd"):
        paths["txt.zst"] = os.path.join(folder, f"rmat{scale}.txt.zst")
    if not all(os.path.exists(path) for path in paths.values()):
        with open(plain) as file:
            lines = file.read().splitlines()
        dice = random.Random(1)
        mixed = lines[:]
        dice.shuffle(mixed)

        def write(kind, rows, head=""):
            with open(paths[kind], "w") as out:
                out.write(head)
                out.writelines(rows)

        write("shuffled.txt", (line + "\n" for line in mixed))
        write("csv", (line.replace("\t", ",") + "\n" for line in lines), "source,target\n")
        write("weighted.txt", (f"{line}\t{1 + i % 63}\n" for i, line in enumerate(lines)))
        write("decimal.txt", (f"{line}\t{i % 997 / 8}\n" for i, line in enumerate(lines)))
        write("decimal.csv", (f"{line}\t{i % 997 / 8}\n".replace("\t", ",") for i, line in enumerate(lines)), "source,target,weight\n")
        write("names.txt", ("n{} n{}\n".format(*line.split("\t")) for line in lines[: len(lines) // 4]))
        write("quoted.csv", ('{},"a label, of {}",{},{},"{}"\n'.format(i, u, u, v, "red" if i % 3 else "dark blue")
                             for i, (u, v) in enumerate(line.split("\t") for line in lines)),
              '"id","label","source","target","colour"\n')
        write("jsonl", ('{{"id": {}, "label": "a label, of {}", "source": {}, "target": {}, "colour": "{}"}}\n'.format(
            i, u, u, v, "red" if i % 3 else "dark blue") for i, (u, v) in enumerate(line.split("\t") for line in lines)))
        for kind, tool in (("txt.gz", ["gzip", "-kc", "-4"]), ("txt.zst", ["zstd", "-qkc"])):
            if kind not in paths:
                continue
            with open(paths[kind], "wb") as out:
                subprocess.run(tool + [plain], stdout=out, check=True)
    undirected, keep = ["--undirected"], ["--undirected", "--keep", "label,colour"]
    rows = [("two columns", plain, undirected), ("two columns, --vertices", plain, undirected + ["--vertices", str(2**scale)]),
            ("shuffled", paths["shuffled.txt"], undirected), ("csv with a header", paths["csv"], undirected),
            ("decimal weights", paths["decimal.txt"], undirected), ("whole weights", paths["weighted.txt"], undirected), ("csv, decimal weights", paths["decimal.csv"], undirected),
            ("names", paths["names.txt"], []), (".gz", paths["txt.gz"], undirected),
            ("quoted csv", paths["quoted.csv"], undirected), ("quoted csv, --keep", paths["quoted.csv"], keep),
            ("JSON lines", paths["jsonl"], undirected), ("JSON lines, --keep", paths["jsonl"], keep)]
    if "txt.zst" in paths:
        rows.append((".zst", paths["txt.zst"], undirected))
    parquet = os.path.join(folder, f"rmat{scale}.parquet")
    if not os.path.exists(parquet) and importlib.util.find_spec("pyarrow"):
        write_parquet(plain, parquet)
    if os.path.exists(parquet):
        rows += [("Parquet", parquet, undirected), ("Parquet, --keep", parquet, ["--undirected", "--keep", "time"])]
    return rows


def write_parquet(plain, path):
    """The edges of `plain` with a column of times."""
    import pyarrow
    import pyarrow.csv
    import pyarrow.parquet

    options = pyarrow.csv.ReadOptions(column_names=["source", "target"])
    table = pyarrow.csv.read_csv(plain, read_options=options, parse_options=pyarrow.csv.ParseOptions(delimiter="\t"))
    times = pyarrow.array([1_600_000_000 + i // 7 for i in range(table.num_rows)])
    pyarrow.parquet.write_table(table.append_column("time", times), path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--pairs", type=int, default=15)
    parser.add_argument("--scale", type=int, default=20)
    parser.add_argument("--threads", default="1,0", help="numbers of threads, 0 = all")
    parser.add_argument("--data", default="build/bench-data")
    parser.add_argument("--only", default="", help="words with commas; a row is measured if its name contains one")
    args = parser.parse_args()
    rows = [row for row in make_files(args.new, args.data, args.scale)
            if any(word in row[0] for word in args.only.split(","))]
    print(f"| list, R-MAT {args.scale} | threads | old ms | new ms | old / new | 95 % |\n|---|--:|--:|--:|--:|--:|")
    for threads in args.threads.split(","):
        for name, path, flags in rows:
            flags = flags + ["-t", threads]
            a, b = info(args.old, path, flags), info(args.new, path, flags)
            if facts(a) != facts(b):
                sys.exit(f"{name}: the builds read other graphs: {facts(a)} and {facts(b)}")
            times = []
            for pair in range(args.pairs):
                first, second = (args.old, args.new) if pair % 2 == 0 else (args.new, args.old)
                x, y = info(first, path, flags)["load_ms"], info(second, path, flags)["load_ms"]
                times.append((x, y) if pair % 2 == 0 else (y, x))
            ratios = [x / y for x, y in times]
            low, high = interval(ratios)
            print(f"| {name} | {threads} | {statistics.median(x for x, _ in times):.1f} |"
                  f" {statistics.median(y for _, y in times):.1f} | {statistics.median(ratios):.3f} | {low:.3f} to {high:.3f} |",
                  flush=True)


if __name__ == "__main__":
    main()
