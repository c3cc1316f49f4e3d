"""typed_tables.py WEFT COUNT [FIRST]: COUNT tables of edges with columns of every type, and beside each a table of vertices,
drawn and written by pyarrow as Parquet and Arrow in many ways (encodings, pages, compression, row groups, dictionaries,
nulls).  What --keep, --edges-where and --nodes make of them is what the tables hold, by Python."""
import datetime as dt
import json
import os
import random
import subprocess
import sys
import tempfile

import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq

weft, count, *first = sys.argv[1:]
UTC = dt.timezone.utc
TEXTS = ["a", '\u00e9"x', "longer than twelve bytes", "q,r", ""]
TYPES = {"i64": pa.int64(), "i8": pa.int8(), "u32": pa.uint32(), "f64": pa.float64(), "f32": pa.float32(), "bool": pa.bool_(),
         "text": pa.string(), "large": pa.large_string(), "coded": pa.dictionary(pa.int32(), pa.string()), "date": pa.date32(),
         "seconds": pa.timestamp("s"), "millis": pa.timestamp("ms"), "micros": pa.timestamp("us"), "nanos": pa.timestamp("ns"),
         "utc": pa.timestamp("us", "UTC"), "zone": pa.timestamp("ns", "Europe/Berlin")}
Y2K, Y2K_UTC = dt.datetime(2000, 1, 1), dt.datetime(2000, 1, 1, tzinfo=UTC)
CONDITIONS = {"i64": ("i64 > 0", lambda x: x > 0), "i8": ("i8 < 0", lambda x: x < 0), "u32": ("u32 > 1000000000", lambda x: x > 10**9),
              "f64": ("f64 >= 0", lambda x: x >= 0), "f32": ("f32 = 0.5", lambda x: x == 0.5), "bool": ("bool = true", lambda x: x),
              "text": ("text = 'a'", lambda x: x == "a"), "large": ("large < 'b'", lambda x: x < "b"),
              "coded": ("coded != 'a'", lambda x: x != "a"), "date": ("date < 2000-01-01", lambda x: x < dt.date(2000, 1, 1))}
for kind in ("seconds", "millis", "micros", "nanos", "utc", "zone"):
    CONDITIONS[kind] = (f"{kind} >= 2000-01-01", lambda x: x >= (Y2K_UTC if x.tzinfo else Y2K))


def value_of(dice, kind):
    if kind in ("text", "large", "coded"):
        return dice.choice(TEXTS) + dice.choice(("", str(dice.randint(0, 50))))
    if kind == "date":
        return dt.date(dice.randint(1, 9999), dice.randint(1, 12), dice.randint(1, 28))
    whole = {"i64": (-2**63, 2**63 - 1), "i8": (-128, 127), "u32": (0, 2**32 - 1)}
    if kind in whole:
        return dice.choice((dice.randint(0, 5), dice.randint(*whole[kind])))
    if kind in ("f64", "f32", "bool"):
        return dice.choice({"f64": (0.1, -0.0, 1e300, -2.5e-7, 3.0), "f32": (0.5, 2.25, -1.0), "bool": (True, False)}[kind])
    micros = 0 if kind == "seconds" else 1000 * dice.randint(0, 999) if kind == "millis" else dice.randint(0, 999999)
    return dt.datetime(dice.randint(1700, 2200), 3, 2, 3, 4, dice.randint(0, 59), micros, tzinfo=UTC if kind in ("utc", "zone") else None)


def column_of(dice, kind, rows):
    nulls = dice.random() < 0.6
    values = [None if nulls and dice.random() < 0.3 else value_of(dice, kind) for _ in range(rows)]
    return values, pa.array(values, TYPES[kind])


def write(dice, table, stem):
    form = dice.choice(("v1", "v2", "file", "stream"))
    path = stem + (".parquet" if form in ("v1", "v2") else ".arrow")
    if form == "v1":
        pq.write_table(table, path, compression=dice.choice(("none", "snappy", "zstd", "gzip")), use_dictionary=dice.random() < 0.5,
                       row_group_size=dice.choice((7, 1000, 10**6)), data_page_size=dice.choice((100, 10**6)))
    elif form == "v2":
        pq.write_table(table, path, compression="zstd", data_page_version="2.0", version="2.6", use_dictionary=dice.random() < 0.5,
                       row_group_size=dice.choice((13, 10**6)))
    elif form == "file":
        feather.write_feather(table, path, compression=dice.choice(("lz4", "zstd", "uncompressed")), chunksize=dice.choice((9, 1000)))
    else:
        with pa.OSFile(path, "wb") as f, pa.ipc.new_stream(f, table.schema) as stream:
            stream.write_table(table, max_chunksize=dice.choice((9, 10**5)))
    return path


def shown(x):
    """Of what JSON says, and of Python's values."""
    if isinstance(x, str) and len(x) > 10 and x[10] == "T":
        x = dt.datetime.fromisoformat(x)
    return x.isoformat() if isinstance(x, (dt.date, dt.datetime)) else x


def run(*words):
    done = subprocess.run([weft, *words, "-q"], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(words)}: exit code {done.returncode}: {done.stderr}")


def drawn_table(dice, ends, kinds, rows):
    made = {kind: column_of(dice, kind, rows) for kind in kinds}
    arrays = {name: pa.array(values) for name, values in ends.items()}
    return {k: values for k, (values, _) in made.items()}, pa.table({**arrays, **{k: array for k, (_, array) in made.items()}})


def check(folder, seed):
    dice = random.Random(seed)
    rows = dice.choice((1, 5, 60, 6000))
    names = dice.random() < 0.5
    ids = [f"v{i}" if names else i for i in range(max(2, rows // 3))]
    ends = {"source": [dice.choice(ids) for _ in range(rows)], "target": [dice.choice(ids) for _ in range(rows)]}
    kinds = dice.sample(sorted(TYPES), dice.randint(1, 6))
    values, table = drawn_table(dice, ends, kinds, rows)
    vertices = list(dict.fromkeys(ends["source"] + ends["target"])) + [f"alone{i}" if names else 10**6 + i for i in range(3)]
    dice.shuffle(vertices)
    of_vertices, beside = drawn_table(dice, {"node": vertices}, dice.sample(sorted(TYPES), 4), len(vertices))
    kept, out = os.path.join(folder, "kept.weft"), os.path.join(folder, "out.json")
    asked = kinds[0] if dice.random() < 0.5 else None
    run("convert", write(dice, table, os.path.join(folder, "edges")), kept, "--nodes", write(dice, beside, os.path.join(folder, "nodes")),
        "--keep", ",".join(kinds), "--duplicates", "keep", "--directed", "--threads", dice.choice("12"), "--no-weights",
        *(["--edges-where", CONDITIONS[asked][0]] if asked else []))
    run("convert", kept, out, "--duplicates", "keep")
    with open(out, encoding="utf-8") as f:
        document = json.load(f)
    got = {node["id"]: {k: shown(x) for k, x in node.items() if k != "id"} for node in document["nodes"]}
    hope = {v: {k: shown(column[i]) for k, column in of_vertices.items() if column[i] is not None} for i, v in enumerate(vertices)}
    assert got == hope, next((v, got.get(v), hope[v]) for v in vertices if got.get(v) != hope[v])
    stays = [i for i in range(rows) if not asked or (values[asked][i] is not None and CONDITIONS[asked][1](values[asked][i]))]
    line = lambda u, v, data: json.dumps([u, v, data], sort_keys=True)
    hope = sorted(line(ends["source"][i], ends["target"][i], {k: shown(values[k][i]) for k in kinds if values[k][i] is not None}) for i in stays)
    got = sorted(line(e["source"], e["target"], {k: shown(e[k]) for k in kinds if k in e}) for e in document["links"])
    assert got == hope, (len(got), len(hope), next(((a, b) for a, b in zip(got, hope) if a != b), None))


failures, begin = 0, int(first[0]) if first else 0
with tempfile.TemporaryDirectory() as folder:
    for seed in range(begin, begin + int(count)):
        try:
            check(folder, seed)
        except Exception as e:
            failures += 1
            print(f"FAILED  tables {seed}\n{e!r}")
print(f"{int(count) - failures} passed, {failures} failed, 0 skipped")
sys.exit(failures > 0)
