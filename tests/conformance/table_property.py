"""Writes random tables and reads them back with weft:  table_property.py WEFT [--cases N] [--seed S] [--only CASE]

A table is drawn: words of the header, order of the columns, separator, quoting, kind of ids, weights, line ends,
encoding.  What it means is known from the drawing, and checked once more with Python's own csv reader before weft reads
it.  Only tables that have one meaning are drawn; which those are is said in docs/formats/edgelist.md."""
import argparse
import csv
import io
import multiprocessing.pool
import os
import random
import struct
import subprocess
import sys
import tempfile
from collections import Counter

SOURCES = ["source", "src", "from", "u", "start", "parent", "source_id", "src id", "from_node", "FromNodeId", "node_1"]
TARGETS = ["target", "dst", "to", "v", "end", "child", "target_id", "dst id", "to_node", "ToNodeId", "node_2"]
NEO4J = [(":START_ID", ":END_ID"), (":START_ID(Person)", ":END_ID(Person)")]
WEIGHTS = ["weight", "w", "strength", "cost", "weight:float"]
OTHERS = ["timestamp", "year", "label", "id", "date", "color", "comment", "month", "zip code", "t", "key:string"]

SEPARATORS = {",": "csv", ";": "csv", "\t": "tsv", "|": "csv", " ": "txt"}
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def f32(value):
    return struct.unpack("f", struct.pack("f", value))[0]


# --- what is drawn -----------------------------------------------------------------------------------


def any_case(rng, word):
    return rng.choice([word, word, word.upper(), word.lower(), word.capitalize(), word.title(),
                       "".join(rng.choice([c.upper(), c.lower()]) for c in word)])


def a_name(rng):
    return "".join(rng.choices(LETTERS, k=rng.randint(3, 9)))


def an_id(rng, kind, separator):
    if kind == "small":
        return str(rng.randrange(12))
    if kind == "sparse":
        return str(rng.choice([rng.randrange(10**4), rng.randrange(2**40), 2**63 - 1 - rng.randrange(100)]))
    if kind == "negative":
        return str(rng.randint(-500, 500))
    if kind == "names":
        return a_name(rng)
    if kind == "phrases":
        return rng.choice(["New York", "Zürich", "São Paulo", "Ōsaka 大阪", "O'Brien", "3M", "AT&T", "C++", "-x", "a.b@c.org",
                           "http://a.org/?q=1", "node (7)", a_name(rng), a_name(rng) + " " + a_name(rng)])
    if kind == "dois":
        return f"10.{rng.randint(1000, 1040)}/{a_name(rng)[:3]}.{rng.randrange(100)}"
    if kind == "hard":  # only between quotes
        return rng.choice(['say "hi"', '"', "two\nlines", f"a{separator}b", "a,b;c|d\te f", "x\n", "\ny", ",", a_name(rng)])
    if kind == "signs":  # a line that begins so is no comment: there are quotes before it
        return rng.choice(["#tag", "% 5", "# x y", a_name(rng)])
    raise ValueError(kind)


def a_weight(rng, kind):
    if kind == "whole":
        return str(rng.choice([0, 1, 2, 3, 70000, 4294967295, rng.randrange(1000)]))
    if kind == "exponent":
        return rng.choice(["1e-05", "2.5E3", "1e10", "-4e2", "7", "0.25"])
    text = rng.choice([f"{rng.uniform(-10, 10):.3f}", "0.5", "0.7", "1.0", str(rng.randrange(50))])
    return text.replace(".", ",") if kind == "comma" else text


class Column:
    def __init__(self, name, role, values):
        self.name, self.role, self.values = name, role, values


class Table:
    """Table number `index` of `seed`."""

    def __init__(self, seed, index):
        self.rng = rng = random.Random(f"weft table {seed} {index}")
        self.separator = rng.choice([",", ",", ",", ";", ";", "\t", "\t", "|", " ", " "])
        self.quoting = rng.choice(["never", "all", "minimal", "minimal", "nonnumeric"])
        plain = ["small", "sparse", "negative", "names", "dois"]
        quoted = ["phrases", "hard", "hard", "signs"] if self.quoting == "all" else ["phrases", "hard", "hard"]
        if self.quoting == "never":
            self.ids = rng.choice(plain + (["phrases"] if self.separator != " " else []))
        else:
            self.ids = rng.choice(plain + quoted)
        self.weights = rng.choice(["none", "none", "whole", "decimal", "exponent"] + ["comma"] * (self.separator == ";") * 3)
        self.newline = rng.choice(["\n", "\n", "\r\n"])
        self.header = rng.random() < 0.8
        self.row_names = self.header and self.separator in " ," and self.quoting in ("all", "nonnumeric") and rng.random() < 0.3
        self.direction = rng.choice([None, None, None, "Directed", "Undirected"]) if self.header else None
        self.edges = self.draw_edges(rng.randint(1, 25))
        self.columns = self.draw_columns()
        self.text = self.write()
        self.bytes = self.encode()

    def draw_edges(self, count):
        rng = self.rng
        if not self.header:
            count += 3
        pool = [an_id(rng, self.ids, self.separator) for _ in range(max(2, count))]
        pairs = [(rng.choice(pool), rng.choice(pool)) for _ in range(count)]
        if not self.header:
            pairs.append((rng.choice(pool), pairs[0][0]))  # its words occur again: the first line is data
            if self.ids in ("small", "sparse", "negative") and pairs[0][1] == str(len(pairs) - 1):
                pairs.append(pairs[0])  # not the number of the lines that follow
        weights = [a_weight(rng, self.weights) if self.weights != "none" else None for _ in pairs]
        if not self.header and self.weights != "none":
            weights[0] = "1"  # not all of them look like times
        return [(u, v, w) for (u, v), w in zip(pairs, weights)]

    def draw_columns(self):
        rng, count = self.rng, len(self.edges)
        source, target = any_case(rng, rng.choice(SOURCES)), any_case(rng, rng.choice(TARGETS))
        if rng.random() < 0.1:
            source, target = rng.choice(NEO4J)
        columns = [Column(source, "source", [u for u, _, _ in self.edges]),
                   Column(target, "target", [v for _, v, _ in self.edges])]
        if self.weights != "none":
            columns.append(Column(any_case(rng, rng.choice(WEIGHTS)), "weight", [w for _, _, w in self.edges]))
        if not self.header:
            return columns
        for name in rng.sample(OTHERS, rng.choice([0, 0, 1, 2, 3])):
            columns.append(Column(any_case(rng, name), "other", [self.draw_other(name) for _ in range(count)]))
        if self.direction:
            columns.append(Column(any_case(rng, "type"), "type", [self.direction] * count))
        elif rng.random() < 0.1:
            columns.append(Column("Type", "other", [rng.choice(["KNOWS", "LIKES"]) for _ in range(count)]))
        rng.shuffle(columns)
        if self.row_names:
            columns.insert(0, Column(None, "rows", [str(i + 1) for i in range(count)]))
        elif rng.random() < 0.2:
            columns.insert(0, Column("", "rows", [str(i) for i in range(count)]))
        return columns

    def draw_other(self, name):
        rng = self.rng
        if name in ("timestamp", "t"):
            return str(rng.randint(1000000000, 1700000000))
        if name in ("year", "id", "month", "zip code"):
            return str(rng.randrange(1, 2100))
        empty = [] if self.quoting == "never" and self.separator == " " else [""]
        hard = [] if self.quoting == "never" else ["a, b; c", "two\nlines", 'a "b"', "x | y\tz"]
        return rng.choice(["red", "green", "2001-02-03"] + empty + hard)

    # --- how it is written ---------------------------------------------------------------------------

    def field(self, text, is_number):
        risky = self.separator + '"\n\r'
        if self.separator == " ":
            risky += "\t"
        if not self.header:
            risky += ",;|\t"  # without a header nothing else tells the separator
        needs = any(c in text for c in risky) or (text == "" and self.separator == " ")
        if self.quoting == "all" or needs or (self.quoting == "nonnumeric" and not is_number):
            return '"' + text.replace('"', '""') + '"'
        return text

    def write(self):
        integers = self.ids in ("small", "sparse", "negative")
        lines = []
        if self.header:
            lines.append(self.separator.join(self.field(c.name, False) for c in self.columns if c.name is not None))
        for i in range(len(self.edges)):
            fields = []
            for c in self.columns:
                number = c.role == "weight" or (c.role in ("source", "target") and integers)
                fields.append(self.field(c.values[i], number))
            lines.append(self.separator.join(fields))
        text = self.newline.join(lines)
        return text + self.rng.choice([self.newline] * 4 + ["", self.newline * 2])

    def encode(self):
        how = self.rng.random()
        if how < 0.7:
            return self.text.encode()
        if how < 0.9:
            return b"\xef\xbb\xbf" + self.text.encode()
        return ("\ufeff" + self.text).encode("utf-16-le" if how < 0.95 else "utf-16-be")

    def extension(self):
        return self.rng.choice([SEPARATORS[self.separator], SEPARATORS[self.separator], "txt", "edges"])

    # --- what it means -------------------------------------------------------------------------------

    def is_whole(self):
        return all(w.isdigit() and int(w) < 2**32 for _, _, w in self.edges)

    def meaning(self):
        """Counter of (u, v, weight); an undirected edge has its smaller end first."""
        whole, got = self.weights != "none" and self.is_whole(), Counter()
        for u, v, w in self.edges:
            if w is not None:
                w = float(int(w)) if whole else f32(float(w.replace(",", ".")))
            if self.direction == "Undirected":
                u, v = sorted((u, v))
            got[u, v, w] += 1
        return got

    def reference(self):
        """The same by Python's csv module and the positions of the columns: is the file what was meant?"""
        rows = [row for row in csv.reader(io.StringIO(self.text, newline=""), delimiter=self.separator) if row]
        at = {c.role: i for i, c in enumerate(self.columns)}
        edges = [(row[at["source"]], row[at["target"]], row[at["weight"]] if "weight" in at else None)
                 for row in rows[self.header:]]
        return edges == self.edges

    def title(self):
        return (f"separator {self.separator!r}, quoting {self.quoting}, ids {self.ids}, weights {self.weights}, "
                f"{'header' if self.header else 'no header'}, {len(self.edges)} edges")


# --- what weft reads ---------------------------------------------------------------------------------


def split_fields(text):
    """The lines of weft's own edge lists (src/io/table/edgelist_write.c): tabs, names in quotes where they need it."""
    rows, row, at = [], [], 0
    while at < len(text):
        if text[at] == "#" and not row:
            end = text.index("\n", at)
            rows.append([text[at:end]])
            at = end + 1
            continue
        field = ""
        if text[at] == '"':
            at += 1
            while True:
                end = text.index('"', at)
                field += text[at:end]
                at = end + 1
                if text[at:at + 1] != '"':
                    break
                field += '"'
                at += 1
        else:
            end = min(i for i in (text.find("\t", at), text.find("\n", at), len(text)) if i >= 0)
            field, at = text[at:end], end
        row.append(field)
        if at < len(text) and text[at] == "\n":
            rows.append(row)
            row = []
        at += 1
    return rows


def edges_of(text):
    """(directed, Counter of edges, vertices without edges) of an edge list that weft wrote."""
    rows = split_fields(text)
    directed = rows and " undirected" not in rows[0][0]
    got, alone = Counter(), []
    for row in rows:
        if row[0].startswith("#v "):
            alone.append(row[0])
        if len(row) == 1:
            continue
        u, v = row[:2]
        if not directed:
            u, v = sorted((u, v))
        got[u, v, float(row[2]) if len(row) > 2 else None] += 1
    return directed, got, alone


def compare(weft, seed, index):
    """What is wrong with case `index`, or None."""
    table = Table(seed, index)
    with tempfile.TemporaryDirectory() as folder:
        path, out = os.path.join(folder, "table." + table.extension()), os.path.join(folder, "out.el")
        with open(path, "wb") as f:
            f.write(table.bytes)
        command = [weft, "convert", path, out, "--duplicates", "keep", "-t", str(1 + index % 2)]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        said = done.stderr.decode(errors="replace")
        text = ""
        if done.returncode == 0:
            with open(out, encoding="utf-8", newline="") as f:
                text = f.read()
    problem, got = None, Counter()
    want = table.meaning()
    if not table.reference():
        problem = "the test itself is wrong: Python's csv module does not read what was meant"
    elif done.returncode:
        problem = f"exit code {done.returncode}"
    else:
        try:
            directed, got, alone = edges_of(text)
        except ValueError as error:
            problem = f"weft's own edge list cannot be read: {error}"
        else:
            if not directed and table.direction == "Directed" or directed and table.direction == "Undirected":
                problem = "the direction is another one"
            elif alone:
                problem = f"vertices without edges: {alone}"
            elif {(u, v, w if w is None else f32(w)): n for (u, v, w), n in got.items()} != \
                    {(u, v, w if w is None else f32(w)): n for (u, v, w), n in want.items()}:
                problem = "the edges are others"
    if not problem:
        return None
    missing, extra = list((want - got).items())[:8], list((got - want).items())[:8]
    return (f"case {index}: {table.title()}\n{problem}\nin the file, not read: {missing}\nread, not in the file: {extra}\n"
            f"said: {said}command: {' '.join(command[1:])}\nthe file: {table.bytes[:1500]!r}\nwritten: {text[:600]!r}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("weft")
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", default="14")
    parser.add_argument("--only", type=int)
    options = parser.parse_args()
    indices = range(options.cases) if options.only is None else [options.only]
    failed = 0
    with multiprocessing.pool.ThreadPool(len(os.sched_getaffinity(0))) as pool:
        for problem in pool.imap(lambda index: compare(options.weft, options.seed, index), indices):
            if problem:
                failed += 1
                if failed <= 10:
                    print(f"FAILED  {problem}\n", flush=True)
    print(f"{len(indices) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
