"""Draws random tables of edges, and compares columns, merges and conditions with plain Python's answer:
edge_columns.py WEFT [--cases N] [--seed S] [--only CASE]

A table is drawn with columns of whole numbers, reals, truth values, texts and times, some values missing, and parallel
edges.  weft reads it with --keep, --merge and --edges-where, straight or by way of .weft or JSON lines, and writes csv;
Python filters, groups and merges rows of its own."""
import argparse
import csv
import datetime
import io
import json
import os
import random
import subprocess
import sys
import tempfile

TEXTS = ["red", "green", "a, b", 'say "x"', "naïve", "-", "x y"]
RULES = {"whole": ["sum", "count", "min", "max", "mean", "first", "last"], "real": ["sum", "count", "min", "max", "mean", "first", "last"],
         "truth": ["count", "min", "max", "first", "last"], "text": ["count", "min", "max", "first", "last"],
         "time": ["count", "min", "max", "first", "last"]}


def draw_value(rng, kind):
    if kind == "whole":
        return rng.randint(-50, 50)
    if kind == "real":
        return rng.randint(-400, 400) / 8  # sums are exact, in any order
    if kind == "truth":
        return rng.random() < 0.5
    if kind == "text":
        return rng.choice(TEXTS)
    return datetime.date(2024, 1, 1) + datetime.timedelta(days=rng.randrange(90))


def write_value(value):
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if isinstance(value, datetime.date) else str(value)


class Case:
    def __init__(self, seed, index):
        self.rng = rng = random.Random(f"weft edge columns {seed} {index}")
        self.kinds = {kind: kind for kind in RULES}
        self.vertices = rng.choice([3, 8, 30])
        self.names = rng.random() < 0.3
        self.directed = rng.random() < 0.6
        self.rows = []
        for _ in range(rng.randint(5, 120)):
            u, v = rng.randrange(self.vertices), rng.randrange(self.vertices)
            values = {k: None if rng.random() < 0.15 else draw_value(rng, k) for k in RULES}
            self.rows.append((u, v, values))
        for k in RULES:  # a column of nothing is one of texts; each has its type from a first value
            self.rows[0][2][k] = {"real": 0.125}.get(k, draw_value(rng, k))
        self.keep = rng.sample(list(RULES), rng.randint(1, len(RULES)))
        self.rules = {k: rng.choice(RULES[k]) for k in self.keep} if rng.random() < 0.8 else {}
        self.condition = self.draw_condition(2) if rng.random() < 0.8 else None
        self.by = rng.choice(["csv", "csv", "weft", "jsonl", "filter .weft"])
        if self.by in ("jsonl", "filter .weft") and not self.directed:  # written by rows: edges of both directions are out of order
            self.rules = {k: r if r not in ("first", "last") else "max" for k, r in self.rules.items()}
        self.threads = rng.choice([1, 2, 3, 7])

    def name(self, v):
        return f"v{v:02}" if self.names else v

    # a condition as text, and as a function of a row's values
    def draw_condition(self, depth):
        rng = self.rng
        how = rng.choice(["test", "test", "and", "or", "not"]) if depth else "test"
        if how == "not":
            text, test = self.draw_condition(depth - 1)
            return f"not ({text})", lambda row: not test(row)
        if how in ("and", "or"):
            (a, f), (b, g) = self.draw_condition(depth - 1), self.draw_condition(depth - 1)
            if how == "and":
                return f"({a}) and ({b})", lambda row: f(row) and g(row)
            return f"({a}) or ({b})", lambda row: f(row) or g(row)
        kind = rng.choice(list(RULES))
        sign = rng.choice(["<", "<=", ">", ">=", "=", "!="])
        want = draw_value(rng, kind)
        literal = write_value(want)
        if kind == "text":
            literal = "'" + literal.replace("'", "''") + "'"

        def test(row):
            have, limit = row[kind], want
            if have is None:
                return False
            if kind == "text":
                have, limit = have.encode(), limit.encode()
            return {"<": have < limit, "<=": have <= limit, ">": have > limit, ">=": have >= limit, "=": have == limit,
                    "!=": have != limit}[sign]

        if rng.random() < 0.3:
            turned = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(sign, sign)
            return f"{literal} {turned} {kind}", test
        return f"{kind} {sign} {literal}", test

    def text(self):
        out = io.StringIO()
        w = csv.writer(out, lineterminator="\n")
        order = ["source", "target"] + list(RULES)
        self.rng.shuffle(order)
        w.writerow(order)
        for u, v, values in self.rows:
            cells = {"source": self.name(u), "target": self.name(v), **{k: write_value(x) for k, x in values.items()}}
            w.writerow([cells[c] for c in order])
        return out.getvalue()

    def groups(self):
        rows = [r for r in self.rows if not self.condition or self.condition[1](r[2])]
        if not self.rules:
            return [((u, v) if self.directed or u <= v else (v, u), [values]) for u, v, values in rows]
        found = {}
        for u, v, values in rows:
            found.setdefault((u, v) if self.directed or u <= v else (v, u), []).append(values)
        return list(found.items())

    def merged(self, k, values):
        there = [x[k] for x in values if x[k] is not None]
        rule = self.rules.get(k, "first")
        if rule == "count":
            return len(there)
        if not there:
            return None
        if rule == "mean":
            return sum(there) / len(there)
        by = (lambda x: x.encode()) if k == "text" else None
        return {"sum": lambda: sum(there), "min": lambda: min(there, key=by), "max": lambda: max(there, key=by), "first": lambda: there[0],
                "last": lambda: there[-1]}[rule]()

    def expected(self):
        rows = []
        for (u, v), values in self.groups():
            cells = []
            for k in self.keep:
                x = self.merged(k, values)
                cells.append(None if x is None else float(x) if isinstance(x, (int, float)) and not isinstance(x, bool) else write_value(x))
            rows.append((str(self.name(u)), str(self.name(v)), cells))
        return sorted(rows, key=repr)


def read_back(text, case):
    rows = []
    for row in csv.DictReader(io.StringIO(text)):
        cells = []
        for k in case.keep:
            x = row[k]
            number = case.rules.get(k) in ("count", "mean") or (k in ("whole", "real"))
            cells.append(None if x == "" else float(x) if number else x)
        rows.append((row["source"], row["target"], cells))
    return sorted(rows, key=repr)


def run(weft, case, folder):
    table = os.path.join(folder, "table.csv")
    with open(table, "w", newline="") as f:
        f.write(case.text())
    keep = ["--keep", ",".join(case.keep)]
    direction = ["--directed" if case.directed else "--undirected"]
    rules = ["--merge", ",".join(f"{k}:{r}" for k, r in case.rules.items())] if case.rules else ["--duplicates", "keep"]
    where = ["--edges-where", case.condition[0]] if case.condition else []
    everything = ["--keep", ",".join(RULES), "--duplicates", "keep", "--directed"]
    threads = ["-t", str(case.threads)]
    steps = []
    if case.by == "csv":
        steps.append([table, "-", *keep, *rules, *where, *direction])
    elif case.by == "weft":  # rules where the table is read; the rest in the file
        made = os.path.join(folder, "made.weft")
        steps.append([table, made, *keep, *rules, *where, *direction])
        steps.append([made, "-", *(["--duplicates", "keep"] if not case.rules else [])])
    else:
        made = os.path.join(folder, "made.jsonl" if case.by == "jsonl" else "made.weft")
        steps.append([table, made, *everything])
        steps.append([made, "-", *keep, *rules, *where, *direction])
    for step in steps:
        to = ["--to", "csv"] if step[1] == "-" else []
        done = subprocess.run([weft, "convert", *step, *to, *threads, "-q"], capture_output=True, text=True)
        if done.returncode:
            return done, f"exit {done.returncode}: {done.stderr.strip()}"
    return done, None


def check(weft, seed, index):
    case = Case(seed, index)
    with tempfile.TemporaryDirectory() as folder:
        done, fault = run(weft, case, folder)
    if fault:
        return fault, case
    want, got = case.expected(), read_back(done.stdout, case)
    if want == got:
        return None, case
    odd = [x for x in want if x not in got][:2], [x for x in got if x not in want][:2]
    return f"{len(want)} edges expected, {len(got)} came; expected and not there: {odd[0]}; not expected: {odd[1]}", case


def main():
    args = argparse.ArgumentParser()
    args.add_argument("weft")
    args.add_argument("--cases", type=int, default=12)
    args.add_argument("--seed", type=int, default=1)
    args.add_argument("--only", type=int)
    options = args.parse_args()
    failed = 0
    for index in [options.only] if options.only is not None else range(options.cases):
        fault, case = check(options.weft, options.seed, index)
        if fault or options.only is not None:
            print(f"case {index} ({case.by}, keep {case.keep}, rules {case.rules}, directed {case.directed}, where "
                  f"{case.condition[0] if case.condition else None}): {fault or 'ok'}")
        failed += bool(fault)
    print(f"{failed} of {options.cases} tables differ" if failed else f"{options.cases} tables agree")
    sys.exit(bool(failed))


main()
