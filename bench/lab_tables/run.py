"""What a run of the lab left: the JSON of `weft lab ... --json`, the CSV of Nsight Compute, and what the documents published (said.tsv).
Needs nothing but Python.  A row of the lab is found by ladder, rung and graph; where several files have it, the verified one of most runs counts, and
of those the last.  A CSV's name says what was profiled: NAME@GRAPH.csv, or NAME@GRAPH+SKIPPED.csv where the first launches were skipped."""

import csv
import json
import os
import sys

from .shape import book_lacks

HERE = os.path.dirname(os.path.abspath(__file__))
ENOUGH_RUNS = 10
UNITS = {"ns": 1e-3, "nsecond": 1e-3, "us": 1, "usecond": 1, "ms": 1e3, "msecond": 1e3}  # to microseconds


def give_up(message):
    sys.exit(f"lab_table: {message}")


def read_json(path):
    try:
        with open(path, encoding="utf-8") as file:
            book = json.load(file)
    except (OSError, ValueError) as wrong:
        give_up(f"{path}: {wrong}")
    wrong = book_lacks(book)
    if wrong:
        give_up(f"{path} is not what weft lab LADDER --json writes: {wrong}")
    return book


def read_ncu(path):
    """{(kernel, threads in a block): {metric: [a value for each launch]}}; times in microseconds.  ncu's own lines come before the header."""
    found = {}
    try:
        with open(path, encoding="utf-8", newline="") as file:
            lines = [line for line in file.read().splitlines() if not line.startswith("==")]
        begin = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
        if begin is None:
            give_up(f"{path} is not what ncu --csv prints: no header line")
        for line in csv.DictReader(lines[begin:]):
            metric, text = line["Metric Name"], line["Metric Value"]
            if not text or not text[0].isdigit():
                continue  # "n/a", or the last line of a run that was cut
            value = float(text.replace(",", ""))
            if metric == "gpu__time_duration.sum":
                value *= UNITS[line["Metric Unit"]]
            name = line["Kernel Name"].replace("(anonymous namespace)::", "").split("(")[0].split("<")[0].split()[-1]
            block = 1
            for side in (line.get("Block Size") or "(0)").strip("()").split(","):
                block *= int(side)
            found.setdefault((name, block), {}).setdefault(metric, []).append(value)
    except (OSError, IndexError, KeyError, TypeError, ValueError) as wrong:
        give_up(f"{path} is not what ncu --csv prints: {type(wrong).__name__} {wrong}")
    if not found:
        give_up(f"{path}: no launch of a kernel is in it")
    return found


class Said:
    """The published values; each has a document, its section, and a table with a row and a column."""

    def __init__(self, path=os.path.join(HERE, "said.tsv")):
        with open(path, encoding="utf-8", newline="") as file:
            self.lines = list(csv.DictReader(file, delimiter="\t"))
        self.values = {(l["document"], l["table"], l["of"], l["at"]): l["said"] for l in self.lines}

    def __call__(self, document, table, of, at=""):
        return self.values[document, table, of, str(at)]

    def claims(self, document):
        return [(l["section"], l["of"], l["said"]) for l in self.lines if l["document"] == document and l["table"] == "claim"]


def kahn_graph(table):
    """tri10 ... tri40, cyc20, cyc40: the thesis's graphs by their vertices and density (1/4 of n^2: upper triangle, 1/2: cyclic)."""
    n, share = table["vertices"], table["edges"] / max(1, table["vertices"]) ** 2
    kind = "tri" if 0.23 < share < 0.27 else "cyc" if 0.46 < share < 0.54 else None
    return f"{kind}{n // 1000}" if kind and n >= 10000 and n % 10000 == 0 else None


class Run:
    """All files of one run."""

    def __init__(self):
        self.books, self.rows, self.tables, self.profiles = [], {}, {}, []

    def add_json(self, path):
        book = read_json(path)
        self.books.append(book)
        for table in book["tables"]:
            self.tables[table["ladder"], self.graph_of(table)] = table
            for row in table["rows"]:
                self.keep((table["ladder"], self.graph_of(table), row["rung"]), row)
        return book

    def keep(self, key, row):
        worth = (row["verified"], row.get("runs", 0) if row["verified"] else 0)
        if key not in self.rows or worth >= self.rows[key][0]:
            self.rows[key] = (worth, row)

    @staticmethod
    def graph_of(table):
        """A name that does not depend on where the file lay."""
        if table["ladder"] == "kahn" and kahn_graph(table):
            return kahn_graph(table)
        if (table["vertices"], table["edges"]) in ((4039, 88234), (12591, 49743)):
            return "ego-Facebook" if table["vertices"] == 4039 else "cit-DBLP"
        words = table["input"].split("/")[-1]
        return f"er{table['vertices']}" if words.startswith("er:") and table["sized"] else words

    def add_csv(self, path):
        name = os.path.basename(path)[:-4]
        rung, _, rest = name.partition("@")
        graph, _, skipped = rest.partition("+")
        self.profiles.append((rung, graph, int(skipped) if skipped.isdigit() else 0, read_ncu(path)))
        return name, self.profiles[-1][3]

    def row(self, ladder, rung, graph):
        """(row, None) if it was verified, else (None, why not)."""
        found = self.rows.get((ladder, graph, rung))
        if not found:
            return None, "not asked for in this run"
        row = found[1]
        return (row, None) if row["verified"] else (None, f"`{rung}` was {row['status']}: {row['message']}")

    def vertices(self, ladder, graph):
        table = self.tables.get((ladder, graph))
        return (table["vertices"], table["edges"]) if table else (None, None)

    def metric(self, graph, kernel, metric="gpu__time_duration.sum", block=None, skipped=None):
        """Values of a launch each, or []; the profile with most skipped launches is nearest to the mean of a run."""
        best = []
        for _, where, skip, kernels in sorted(self.profiles, key=lambda p: p[2]):
            if where != graph or (skipped is not None and skip != skipped):
                continue
            values = [v for (name, threads), m in kernels.items() if name == kernel and block in (None, threads) for v in m.get(metric, [])]
            best = values or best
        return best

    def skipped(self, graph, kernel):
        """How many launches came before those of metric()."""
        return max((skip for _, where, skip, kernels in self.profiles if where == graph and any(k[0] == kernel for k in kernels)), default=0)


def kernels_ms(row):
    """By the GPU's events where there are any; on the CPU by the clock."""
    return row.get("kernel_event_ms", row["part_ms"]["kernel"])


def mean(values):
    return sum(values) / len(values) if values else None
