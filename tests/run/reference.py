"""weft run: the columns are those of the algorithms run one by one; rows by --where, --sort and --head are what Python makes of them.
See tests/conformance/compare.py."""
import json

from expecting import expect

ALGORITHMS = ["pagerank:iterations=5", "kcore", "components", "degree", "bfs", "labelprop", "sssp"]


def one_by_one(case, run, chosen):
    """{column: {id: value}}, named as weft run does."""
    single = {}
    for spec in chosen:
        name, _, params = spec.partition(":")
        words = [f"--{p}" for p in params.split(":") if p]
        rows = json.loads(run.other(name, *run.start[2:], *words, "--json", "-q"))["rows"]
        single[name] = {c: {r["id"]: r[c] for r in rows} for c in (rows[0] if rows else {}) if c != "id"}
    columns = {}
    for name, own in single.items():
        for c, values in own.items():
            clash = any(c in other for n, other in single.items() if n != name)
            columns[f"{name}.{c}" if clash else c] = values
    return columns


def check(case, run):
    if not case.vertices or case.index % 3:  # each check starts many programs
        return
    chosen = case.rng.sample(ALGORITHMS, 3)
    columns = one_by_one(case, run, chosen)
    start = run.start
    run.start = start[:3] + chosen + start[3:]
    rows = run().rows
    expect("columns", [c for c in rows[0] if c != "id"], list(columns))
    for c, values in columns.items():
        expect(c, {r["id"]: r[c] for r in rows}, values)
    key = case.rng.choice(list(columns))
    known = [v for v in columns[key].values() if v is not None]
    bound = case.rng.choice(known) if known else 0
    ascending, head = case.rng.random() < 0.5, case.rng.randrange(1, 20)
    got = run("--where", f"not `{key}` < {bound!r} and id != {case.vertices[0]}", "--sort", f"{key}:{'asc' if ascending else 'desc'}",
              "--head", str(head)).rows
    left = [v for v in case.vertices if v != case.vertices[0] and (columns[key][v] is None or not columns[key][v] < bound)]
    left.sort(key=lambda v: (columns[key][v] is None, 0 if columns[key][v] is None else columns[key][v] * (1 if ascending else -1)))
    expect("rows chosen", [r["id"] for r in got], left[:head])
