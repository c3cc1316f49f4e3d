"""bench/lab_table.py on a made-up run: every number of its tables of the documents can be worked out by hand.
    python3 tests/lab/tables.py SOURCES
Also: the times that the ladders know (lab/*/ladder.c) are those of lab_tables/said.tsv.  Ends with 1 and says what is not as it should be."""

import json
import os
import re
import subprocess
import sys
import tempfile

SOURCES = sys.argv[1]
SCRIPT = os.path.join(SOURCES, "bench/lab_table.py")


def row(rung, device, kernels, runs=10, **more):
    parts = {"allocate": 0.25, "copy_in": 0.25, "kernels": kernels, "copy_out": 0.25, "free": 0.25, "host": 0}
    return dict(
        {
            "number": 1,
            "rung": rung,
            "device": device,
            "status": "verified",
            "verified": True,
            "message": "",
            "runs": runs,
            "out_of_patience": False,
            "run_ms": {"median": kernels + 1, "min": kernels, "max": kernels + 2},
            "part_ms": parts,
            "edges_per_second": 1e9,
            "effective_gbs": 500.0,
            "ceiling_share": None,
            "max_difference": 1e-9,
            "nan_apart": False,
            "document_said_ms": None,
            "model_bytes": 0,
        },
        **more,
    )


def table(ladder, graph, n, m, rows, sized=False):
    return {"ladder": ladder, "input": graph, "sized": sized, "vertices": n, "edges": m, "arcs": m, "rows": rows}


def point(n, cpu, gpu, speedup, limit=None, fewer_runs=False):
    return {
        "vertices": n,
        "cpu_rung": cpu,
        "gpu_rung": gpu,
        "speedup": speedup,
        "kernels_speedup": 2 * speedup,
        "limit": limit,
        "fewer_runs": fewer_runs,
    }


def sweep_of(ladder, there, brought, points, **words):
    """there, brought: outcome and vertices.  words: as the lab writes them; older files have none."""
    found = {"ladder": ladder, "points": points, "points_brought": points, **words}
    for key, (outcome, vertices) in (("break_even", there), ("break_even_brought", brought)):
        found.update({key + "_vertices": vertices, key + "_outcome": outcome})
    return found


OLDEST = {"ladder": "pagerank", "break_even_vertices": 777, "points": []}  # one number for both graphs


def book(tables, date="2020-02-02T10:00:00Z", sweeps=(OLDEST,)):
    where = {
        "date": date,
        "build": "weft (0123abcd)",
        "cpu": "a CPU",
        "threads": 2,
        "read_gbs": None,
        "gpu": "a GPU",
        "gpu_read_gbs": 1000.0,
        "load_average": 0.5,
        "repeat": 10,
    }
    return {"complete": True, "provenance": where, "tables": tables, "sweeps": list(sweeps)}


def profile(*launches):
    lines = ["==PROF== words", '"ID","Kernel Name","Block Size","Metric Name","Metric Unit","Metric Value"']
    lines += [f'"0","{kernel}(int)","({block}, 1, 1)","{metric}","{unit}","{value}"' for kernel, block, metric, unit, value in launches]
    return "\n".join(lines) + "\n"


def time_of(kernel, us):
    return kernel, 256, "gpu__time_duration.sum", "us", us


skipped = dict(row("naive", "cpu", 1), status="skipped", verified=False, message="about 16 s for one run")
sweep = [
    table(
        "pagerank",
        "er:n=1000,degree=5,directed",
        1000,
        5000,
        [row("naive", "cpu", 400.0), row("gpu-naive", "cuda", 40.0), row("gpu-warp", "cuda", 4.0, runs=3, graph_already_there=True)],
        True,
    ),
    table("pagerank", "er:n=5000,degree=5,directed", 5000, 25000, [skipped, dict(skipped, rung="gpu-naive"), row("gpu-warp", "cuda", 5.0)], True),
]
few = [
    table("pagerank", "er:n=5000,degree=5,directed", 5000, 25000, [row("naive", "cpu", 500.0, model_bytes=2 * 5000 * (8 * 5000 + 4 * 25000))])
]  # two iterations
n, m, rounds = 10000, 25000000, 5000
kahn = [
    table(
        "kahn",
        "/x/tri10.weft",
        n,
        m,
        [
            row("gpu-dense", "cuda", 100.0, model_bytes=16 * n * n + 32 * n * rounds),
            row("matrix-columns", "cpu", 1999.0),
            row("gpu-csr-cpu", "cuda", 400.0, model_bytes=20 * n + 12 * m + 40 * n * rounds),
        ],
    )
]
sweep_said = sweep_of(
    "pagerank",
    ("crosses", 1234.4),
    ("not ahead at the largest", None),
    [point(1000, "naive", "gpu-warp", 80.2)],  # at 5,000 no rung of the CPU has a time
    break_even_words="the GPU is ahead from about 1234 vertices on",
    break_even_brought_words="the GPU is ahead at some sizes, not at the largest (its own words)",
)
# Before the lab wrote words.  The host's `queue` had one run at 100 vertices; the second file has ten of it.
bfs = [
    table("bfs", f"er:n={n},degree=16", n, 16 * n, [row("queue", "cpu", cpu, runs=runs), row("engine-gpu", "cuda", 1.0, **more)], True)
    for n, cpu, runs, more in ((100, 9.0, 1, {}), (1000, 19.0, 10, {"nan_apart": True, "max_difference": None}))
]
bfs_said = sweep_of(
    "bfs",
    ("always ahead", None),
    ("never ahead", None),
    [point(100, "queue", "engine-gpu", 5, 6, True), point(1000, "queue", "engine-gpu", 10, 12)],
)
bfs_again = [
    table("bfs", "er:n=100,degree=16", 100, 1600, [row("queue", "cpu", 7.0)], True),
    table("bfs", "/x/one.weft", 1000, 16000, [dict(bfs[1]["rows"][0], inf_apart=True, max_difference=None), bfs[1]["rows"][1]]),
]
files = {
    "sweep.json": book(sweep, sweeps=[sweep_said]),
    "bfs.json": book(bfs, sweeps=[bfs_said]),
    "bfs-again.json": book(bfs_again, sweeps=[]),
    "few.json": book(few),
    "kahn.json": book(kahn, "2020-02-02T11:00:00Z"),
    "dense@tri10.csv": profile(
        time_of("dense_degree", "2,000"),
        time_of("dense_remove_pairs", 3),
        time_of("flag_free", 2),
        time_of("scan_blocks", 4),
        time_of("scan_blocks", 4),
        time_of("add_block_sums", 2),
        time_of("compact_flagged", 4),
    ),
    "csr@tri10.csv": profile(time_of("difference", 2), time_of("remove_by_atomics", 800), time_of("mark", "n/a")) + '"0","remove_by',
    "csr-middle@tri10+2500.csv": profile(time_of("remove_by_atomics", 390), time_of("remove_by_atomics", 410)),
    "memory@er10000.csv": profile(
        ("scan_all", 256, "l1tex__t_sector_hit_rate.pct", "%", 80),
        ("void pull", 256, "l1tex__t_sector_hit_rate.pct", "%", 40),
        ("void pull", 128, "l1tex__t_sector_hit_rate.pct", "%", 99),
        ("void pull", 256, "lts__t_sector_hit_rate.pct", "%", 105),
        ("scan_all", 256, "dram__throughput.avg.pct_of_peak_sustained_elapsed", "%", 0),
        ("void pull", 256, "dram__throughput.avg.pct_of_peak_sustained_elapsed", "%", 5),
        ("void pull", 128, "sm__warps_active.avg.pct_of_peak_sustained_active", "%", 12.5),
    ),
}
expected = {
    "provenance": "2020-02-02 10:00:00 to 11:00:00 UTC (starts of the runs). weft (0123abcd). "
    "a GPU (reads 1,000 GB/s, measured). a CPU, 2 threads. Load average before a run 0.5.",
    "times, fewer runs": "| 1,000 | 400 (2,450) | - (a) (1,180) | 40 / 41 (840) | - (a) (150) | - (a) (120) | 4 / 5 [3 runs] (100) |",
    "times, scaled from two iterations": "| 5,000 | 25,000†2 (62,300) |",
    "times, nothing asked": "(a) not asked for in this run.",
    "speed-up": "| 1,000 | - (a) (2.1) | 10 (2.9) | - (a) (16.3) | - (a) (20.4) | 100 (24.5) |",
    "speed-up, mean of 100 and 5000": "2,550 of 2 (29.1) |",
    "overhead": "| 1,000 | 20 (8) | 80 (92) | yes | 100 times | 80.2 |",
    "break-even of the six": "Break-even, document, whose code brings the graph along: 100 vertices. Here, best rung of the GPU against best of the CPU, "
    "whole runs, by sweep, the GPU is ahead (graph brought along in each run) at some sizes, not at the largest (its own words); "
    "(graph already there) from about 1,234 vertices on; (all rungs on the GPU together) from about 777 vertices on.",
    "difference": "| `gpu-warp` | 9.8e-6 | 1.0e-09 |",
    "colab": "| 1,000 | 180; 14 times | 100; 24 times | 80; 30 times | 4 [3 runs]; 100 times |",
    "cache hits, and their ratio": "| L1 hits, % of sectors | 80 (40) | 40 (85) | - (a) | - (a) | 0.5 (2.1) |",
    "cache hits above 100 %": "Hits above 100 %: hits and accesses were counted in different passes",
    "of nothing no multiple": "| DRAM, % of peak | 0 (30) | 5 (85) | - (a) | - (a) | - (b) (2.8) |",
    "occupancy": "| 128 | 12 | 93 | - (a); 12.5; - (a) |",
    "table 1, by 4 n^2 bytes": "| 10,000 acyclic | global memory (`gpu-dense`) | 4.815 | 83.08 / 20.77 | 2 | 200 / 50 |",
    "table 3, by 8 n bytes": "| 10,000 acyclic | csc (`gpu-csr`) | 0.80 | 0.10 / 0.0125 | 0.002 | 40 / 5 |",
    "table 4, from the middle": "| 10,000 acyclic | csr, a thread a vertex (`gpu-csr`) | 0.263 | 0.4 | 2 | 2,501 |",
    "table 4, (400 - 100) / 5000 + 0.003": "| 10,000 acyclic | CPU (`gpu-csr-cpu`) | 0.073 | 0.063 † |",
    "table 5": "| 10,000 acyclic | 10.093 | 5,772 | 1,910 | no | 2 | 5,000 | 100 / 101 (100–102) |",
    "table 6": "| scan | 0.092 to 0.194 | up to 1.34 | up to 0.167 | 0.01 | up to 8 | up to 1 | 1 |",
    "table 7": "| 10,000 acyclic | 5,758 | 2,418 | no | 5,000 | 400 / 401 (400–402) |",
    "table 8, compact by 12 n bytes": "| compact | 0.000 to 0.059 | up to 9.03 | up to 0.752 | 0.004 | up to 30 | up to 2.5 | 1 |",
    "table 9": "| 10,000 acyclic | 1,910 | 2,084 | 101 | 2,000 | - (a) | - (a) |",
    "the thesis on contributions": "| ego-Facebook | 4,039 | 88,234 | - (a) | - (a) |",
    "the blog": "| breadth-first search, GPU against CPU, times | part 7 | 100-1000 |",
}


marks = ("table kahn tri10", "table bfs one.weft", "rungs bfs", "sizes pagerank", "sizes bfs", "sizes nobody", "break-even")
page = "# A page\nwords before\n<!-- lab: kahn -->\nold\n<!-- lab: end -->\nwords after\n"
page += "".join(f"<!-- lab: {mark} -->\n<!-- lab: end -->\n" for mark in marks)
in_page = (
    "# A page\nwords before\n<!-- lab: kahn -->\n",
    "<!-- lab: end -->\nwords after\n",
    expected["table 7"],
    "kahn on tri10.weft: 10,000 vertices, 25,000,000 edges",
    # A NaN or an infinity beside a number; where nothing was measured nothing is invented.
    "| 1 `queue` | 19 | 20 (19–21) | 0.25 | 0.25 | 0.25 | 0.25 | 500 |  | 1 | overflow |",
    "| 1 `engine-gpu` | 1 | 2 (1–3) | 0.25 | 0.25 | 0.25 | 0.25 | 500 | 50 % | 1 | NaN |",
    "<!-- lab: sizes nobody -->\n\nNot measured in this run.\n",
    "| rung | 100 | 1,000 |\n|---|--:|--:|\n| 1 `queue` | 9 / 10 [1 run] | 19 / 20 |",
    # The lab's own words, and the same for a file without.
    "\nBreak-even, graph brought along in each run: the GPU is ahead at some sizes, not at the largest (its own words).\n",
    "\nBreak-even, graph already there: the GPU is ahead from about 1,234 vertices on.\n",
    "\nBreak-even, graph brought along in each run: the GPU is ahead at no size measured (some of it from fewer runs than asked for).\n",
    "\nBreak-even, graph already there: the GPU is ahead at every size measured (some of it from fewer runs than asked for).\n",
    "| 100 | `queue` | `engine-gpu` | 5 | 10 | 6 |",
    # A column for each; 8 ms by 2 and kernels 7 by 1 where the sweep's own had one run.
    "| `bfs` | 100 to 1,000 | at no size measured (some of it from fewer runs than asked for) | "
    "at every size measured (some of it from fewer runs than asked for) | 4‡ and 10 | 7‡ and 20 | 6 and 12 |",
    "| `pagerank` | 1,000 to 1,000 | at some sizes, not at the largest (its own words) | from about 1,234 vertices on | 80.2 [3 runs] and 80.2 [3 runs] |",
)


def run(folder, *words):
    command = [sys.executable, "-IS", SCRIPT, *words, *sorted(files)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8")


def problems(folder):
    for name, content in files.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(content if isinstance(content, str) else json.dumps(content))
    ran = run(folder, "--documents")
    if ran.returncode:
        return [f"it ends with {ran.returncode}: {ran.stderr}"]
    wrong = [f"{what}: no line has {line!r}" for what, line in expected.items() if line not in ran.stdout]

    path = os.path.join(folder, "page.md")
    with open(path, "w", encoding="utf-8") as file:
        file.write(page)
    ran = run(folder, "--into", "page.md")
    with open(path, encoding="utf-8") as file:
        filled = file.read()
    if ran.returncode or "\nold\n" in filled:
        wrong.append(f"--into leaves what was there: {ran.stderr}")
    wrong += [f"--into: the page has no {part!r}" for part in in_page if part not in filled]
    if sorted(os.listdir(folder)) != sorted([*files, "page.md"]):
        wrong.append(f"--into leaves files: {os.listdir(folder)}")
    return wrong + refusals(folder, path)


def refusals(folder, path):
    """What cannot be filled is said in a sentence, and the page stays as it is."""
    wrong = []
    for mark in ("nobody", "kahn tri10", "table kahn", "rungs", "sizes kahn 7", ""):
        content = page.replace("kahn -->", f"{mark} -->", 1)
        with open(path, "w", encoding="utf-8") as file:
            file.write(content)
        ran = run(folder, "--into", "page.md")
        with open(path, encoding="utf-8") as file:
            if ran.returncode != 1 or f"what is '{mark}'?" not in ran.stderr or file.read() != content:
                wrong.append(f"--into takes the mark '{mark}': {ran.stderr}")
    for words in (["sweep.json", "--into"], ["--into", "page.md"], ["--into", "--documents", "sweep.json"]):
        ran = subprocess.run([sys.executable, "-IS", SCRIPT, *words], cwd=folder, capture_output=True, text=True, encoding="utf-8")
        if ran.returncode != 1 or "which files?" not in ran.stderr:
            wrong.append(f"{words}: {ran.stderr}")
    return wrong + losses(folder, path) + bad_files(folder)


def into(folder, path, content, *words):
    """What --into says, ends with and leaves."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(content)
    ran = subprocess.run([sys.executable, "-IS", SCRIPT, "--into", "page.md", *words], cwd=folder, capture_output=True, text=True, encoding="utf-8")
    with open(path, encoding="utf-8") as file:
        return ran.stderr, ran.returncode, file.read()


def losses(folder, path):
    """Words by hand are never lost, numbers only where that is asked for."""
    wrong = []
    for content in (page.replace("<!-- lab: end -->\n", "", 1), page + "<!-- lab: break-even -->\nby hand\n", page + "<!-- lab: end -->\n"):
        said, code, left = into(folder, path, content, *sorted(files))
        if code != 1 or "stands alone" not in said or left != content:
            wrong.append(f"--into takes a mark that stands alone: {said}")
    full = into(folder, path, page, *sorted(files))[2]
    if into(folder, path, full, *sorted(files)) != ("", 0, full):
        wrong.append("--into changes a page that was filled from the same files")
    for words, code, says in ((["bfs.json"], 1, "would lose a number"), (["--fewer", "bfs.json"], 0, ""), (["dense@tri10.csv"], 1, "needs a FILE.json")):
        said, ended, left = into(folder, path, full, *words)
        if ended != code or says not in said or (left == full) != bool(code):
            wrong.append(f"--into {words} on a page with numbers ends with {ended}: {said}")
    return wrong


def bad_files(folder):
    """A sentence for each, and no traceback."""
    good = book(bfs, sweeps=[bfs_said])
    spoilt = [None, [], {}, {"tables": [], "provenance": {}}, dict(good, provenance={}), dict(good, sweeps=None), dict(good, tables=[{}])]
    spoilt += [dict(good, tables=[dict(bfs[0], rows=[dict(bfs[0]["rows"][0], **change)])]) for change in ({"run_ms": None}, {"runs": None}, {"message": 7})]
    contents = {f"bad{i}.json": json.dumps(content) for i, content in enumerate(spoilt)}
    contents.update({"bad.csv": "garbage\n", "empty.csv": profile()})
    wrong = []
    for name, content in contents.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(content)
        ran = subprocess.run([sys.executable, "-IS", SCRIPT, name], cwd=folder, capture_output=True, text=True, encoding="utf-8")
        if ran.returncode != 1 or not ran.stderr.startswith("lab_table: ") or ran.stderr.count("\n") != 1:
            wrong.append(f"{content[:90]}: {ran.stderr}")
    ran = subprocess.run([sys.executable, "-IS", SCRIPT, "--help"], capture_output=True, text=True, encoding="utf-8")
    if ran.returncode or "--into PAGE.md" not in ran.stdout:
        wrong.append(f"--help ends with {ran.returncode}: {ran.stderr}")
    return wrong + closed_outputs(folder)


def closed_outputs(folder):
    """A reader that goes away is no error worth a word; a full disk is one."""
    wrong, command = [], [sys.executable, "-IS", SCRIPT, "bfs.json"]
    reader, writer = os.pipe()
    os.close(reader)
    ran = subprocess.run(command, cwd=folder, stdout=writer, stderr=subprocess.PIPE, text=True)
    os.close(writer)
    if ran.stderr:
        wrong.append(f"without a reader it says {ran.stderr}")
    if os.path.exists("/dev/full"):
        with open("/dev/full", "w", encoding="utf-8") as full:
            ran = subprocess.run(command, cwd=folder, stdout=full, stderr=subprocess.PIPE, text=True)
        if ran.returncode != 1 or not ran.stderr.startswith("lab_table: standard output: "):
            wrong.append(f"on a full disk it ends with {ran.returncode}: {ran.stderr}")
    return wrong


def letters():
    """Reasons beyond the alphabet have letters of their own."""
    sys.path.insert(0, os.path.join(SOURCES, "bench"))
    sys.dont_write_bytecode = True
    from lab_tables.markdown import Table

    table = Table("", [])
    told = [table.missing(f"why {i}") for i in range(703)]
    right = told[0] == "- (a)" and told[25:28] == ["- (z)", "- (aa)", "- (ab)"] and told[702] == "- (aaa)" and table.missing("why 27") == "- (ab)"
    return [] if right else [f"the letters of reasons: {told[24:29]}, {told[702]}"]


def two_truths():
    """A time in a ladder's list of figures that the table of published values does not have."""
    with open(os.path.join(SOURCES, "bench/lab_tables/said.tsv"), encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file]
    known = {(of, float(v)) for _, _, table, of, _, values in lines if table.endswith("ms") for v in values.split("; ") if re.fullmatch(r"[\d.]+", v)}
    told = set()
    for ladder, pattern in (("pagerank", r'\{"([\w-]+)", \d+, \d+, \d+, ([\d.]+), '), ("kahn", r'SAID\("([\w-]+)", \d+, \d+, ([\d.]+), ')):
        with open(os.path.join(SOURCES, "lab", ladder, "ladder.c"), encoding="utf-8") as file:
            found = re.findall(pattern, file.read())
        told |= {(rung, float(ms)) for rung, ms in found}
        if len(found) < 6:
            return [f"lab/{ladder}/ladder.c: its figures are not found"]
    return [f"{rung}: a ladder says {ms}, said.tsv does not" for rung, ms in sorted(told - known)]


with tempfile.TemporaryDirectory() as place:
    said = problems(place) + letters() + two_truths()
print("\n".join(said))
sys.exit(bool(said))
