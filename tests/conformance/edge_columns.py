"""Draws random tables of edges, and compares columns, merges, conditions and windows with plain Python's answer, or DuckDB's:
edge_columns.py WEFT [--cases N] [--seed S] [--only CASE] [--duckdb]

A table is drawn with columns of whole numbers, reals, truth values, texts and times, some values missing, and parallel
edges.  weft reads it with --keep, --merge and --edges-where, straight or by way of .weft or JSON lines, and writes csv,
or with --window a csv for each year, month, week or day; Python filters, groups and merges rows of its own, and DuckDB
the same csv by its SQL."""
import argparse
import csv
import datetime
import glob
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


# What a window is called, by Python and by DuckDB.
SPANS = {"year": (lambda d: f"{d:%Y}", "strftime(time, '%Y')"), "month": (lambda d: f"{d:%Y-%m}", "strftime(time, '%Y-%m')"),
         "week": (lambda d: "%d-W%02d" % d.isocalendar()[:2], "strftime(time, '%G-W%V')"),
         "day": (lambda d: d.isoformat(), "strftime(time, '%Y-%m-%d')")}
SQL = {"whole": "BIGINT", "real": "DOUBLE", "truth": "BOOLEAN", "text": "VARCHAR", "time": "DATE"}


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
        self.by = rng.choice(["csv", "csv", "weft", "jsonl", "filter .weft", "window"])
        self.span = rng.choice(list(SPANS)) if self.by == "window" else None
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
            text, test, sql = self.draw_condition(depth - 1)
            return f"not ({text})", lambda row: not test(row), f"not ({sql})"
        if how in ("and", "or"):
            (a, f, p), (b, g, q) = self.draw_condition(depth - 1), self.draw_condition(depth - 1)
            if how == "and":
                return f"({a}) and ({b})", lambda row: f(row) and g(row), f"({p}) and ({q})"
            return f"({a}) or ({b})", lambda row: f(row) or g(row), f"({p}) or ({q})"
        kind = rng.choice(list(RULES))
        sign = rng.choice(["<", "<=", ">", ">=", "=", "!="])
        want = draw_value(rng, kind)
        literal = write_value(want)
        if kind == "text":
            literal = "'" + literal.replace("'", "''") + "'"
        quoted = f"DATE '{literal}'" if kind == "time" else literal
        sql = f"coalesce({kind} {sign} {quoted}, false)"  # a missing value meets no comparison

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
            return f"{literal} {turned} {kind}", test, sql
        return f"{kind} {sign} {literal}", test, sql

    def text(self):
        out = io.StringIO()
        w = csv.writer(out, lineterminator="\n")
        order = self.order = ["source", "target"] + list(RULES)
        self.rng.shuffle(order)
        w.writerow(order)
        for u, v, values in self.rows:
            cells = {"source": self.name(u), "target": self.name(v), **{k: write_value(x) for k, x in values.items()}}
            w.writerow([cells[c] for c in order])
        return out.getvalue()

    def groups(self):
        rows = [r for r in self.rows if not self.condition or self.condition[1](r[2])]
        found = []
        if self.span:  # an edge without a time is in no window
            rows = [r for r in rows if r[2]["time"] is not None]
        for u, v, values in rows:
            ends = (u, v) if self.directed or u <= v else (v, u)
            found.append(((SPANS[self.span][0](values["time"]) if self.span else "", *ends), values))
        if not self.rules:
            return [(key, [values]) for key, values in found]
        merged = {}
        for key, values in found:
            merged.setdefault(key, []).append(values)
        return list(merged.items())

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
        for (window, u, v), values in self.groups():
            cells = []
            for k in self.keep:
                x = self.merged(k, values)
                cells.append(None if x is None else float(x) if isinstance(x, (int, float)) and not isinstance(x, bool) else write_value(x))
            rows.append((window, str(self.name(u)), str(self.name(v)), cells))
        return sorted(rows, key=repr)

    def expected_by_duckdb(self, table):
        """The same of the file: read with these types, filtered and grouped by SQL."""
        import duckdb
        ends = "VARCHAR" if self.names else "BIGINT"
        types = ", ".join(f"'{k}': '{t}'" for k, t in {"source": ends, "target": ends, **SQL}.items())
        u, v = ("source", "target") if self.directed else ("least(source, target)", "greatest(source, target)")
        window = SPANS[self.span][1] if self.span else "''"
        there = [self.condition[2]] if self.condition else []
        if self.span:
            there.append("time is not null")
        aggregates = {"mean": "avg({0})", "first": "arg_min({0}, row) filter ({0} is not null)",
                      "last": "arg_max({0}, row) filter ({0} is not null)"}
        columns = [aggregates.get(self.rules[k], self.rules[k] + "({0})").format(k) if self.rules else k for k in self.keep]
        query = (f"select {window}, {u}, {v}, {', '.join(columns)} from (select *, row_number() over () as row from "
                 f"read_csv('{table}', header = true, columns = {{{self.sql_order(types)}}}, nullstr = '')) "
                 f"{'where ' + ' and '.join(f'({x})' for x in there) if there else ''} {'group by 1, 2, 3' if self.rules else ''}")
        with duckdb.connect() as db:
            db.execute("set threads = 1")  # row_number() is the order of the file
            found = db.execute(query).fetchall()
        cell = lambda x: None if x is None else float(x) if isinstance(x, (int, float)) and not isinstance(x, bool) else write_value(x)
        return sorted(((w, str(a), str(b), [cell(x) for x in rest]) for w, a, b, *rest in found), key=repr)

    def sql_order(self, types):
        """The types in the order of the file, which read_csv wants."""
        by_name = dict(part.split(": ") for part in types.split(", "))
        return ", ".join(f"'{c}': {by_name[repr(c)]}" for c in self.order)


def read_back(text, case, window=""):
    rows = []
    for row in csv.DictReader(io.StringIO(text)):
        cells = []
        for k in case.keep:
            x = row[k]
            number = case.rules.get(k) in ("count", "mean") or (k in ("whole", "real"))
            cells.append(None if x == "" else float(x) if number else x)
        rows.append((window, row["source"], row["target"], cells))
    return sorted(rows, key=repr)


def read_windows(folder, case):
    rows = []
    for path in glob.glob(os.path.join(folder, "window-*.csv")):
        with open(path, newline="") as f:
            rows += read_back(f.read(), case, os.path.basename(path)[len("window-"):-len(".csv")])
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
    if case.by == "window":
        steps.append([table, os.path.join(folder, "window.csv"), "--window", f"time:{case.span}", *keep, *rules, *where, *direction])
    elif case.by == "csv":
        steps.append([table, "-", *keep, *rules, *where, *direction])
    elif case.by == "weft":  # rules where the table is read; the rest in the file
        made = os.path.join(folder, "made.weft")
        steps.append([table, made, *keep, *rules, *where, *direction])
        steps.append([made, "-"])  # as it is: parallel edges with columns stay
    else:
        made = os.path.join(folder, "made.jsonl" if case.by == "jsonl" else "made.weft")
        steps.append([table, made, *everything])
        steps.append([made, "-", *keep, *rules, *where, *direction])
    for step in steps:
        to = ["--to", "csv"] if step[1] == "-" else []
        done = subprocess.run([weft, "convert", *step, *to, *threads, "-q"], capture_output=True, text=True)
        if done.returncode == 3 and "has a value in 'time', so there is no" in done.stderr:
            return [], None
        if done.returncode:
            return None, f"exit {done.returncode}: {done.stderr.strip()}"
    return read_windows(folder, case) if case.span else read_back(done.stdout, case), None


def check(weft, seed, index, duckdb):
    case = Case(seed, index)
    with tempfile.TemporaryDirectory() as folder:
        got, fault = run(weft, case, folder)
        want = case.expected()
        if duckdb and not fault:
            theirs = case.expected_by_duckdb(os.path.join(folder, "table.csv"))
            if theirs != want:
                return f"DuckDB and Python differ: {[x for x in theirs if x not in want][:2]}, {[x for x in want if x not in theirs][:2]}", case
    if fault:
        return fault, case
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
    args.add_argument("--duckdb", action="store_true")
    options = args.parse_args()
    failed = 0
    if options.duckdb:
        import duckdb
        print(f"DuckDB {duckdb.__version__}")
    for index in [options.only] if options.only is not None else range(options.cases):
        fault, case = check(options.weft, options.seed, index, options.duckdb)
        if fault or options.only is not None:
            print(f"case {index} ({case.by}, keep {case.keep}, rules {case.rules}, directed {case.directed}, where "
                  f"{case.condition[0] if case.condition else None}): {fault or 'ok'}")
        failed += bool(fault)
    print(f"{failed} of {options.cases} tables differ" if failed else f"{options.cases} tables agree")
    sys.exit(bool(failed))


main()
