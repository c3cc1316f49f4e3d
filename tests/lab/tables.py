"""bench/lab_table.py on a made-up run: every number of its tables of the documents can be worked out by hand.
    python3 tests/lab/tables.py SOURCES
Also: the times that the ladders know (lab/*/ladder.c) are those of lab_tables/said.tsv.  Ends with 1 and says what is not as it should be."""

import json
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # python3 -I leaves it out
sys.dont_write_bytecode = True
from made_up_run import files, page
from tables_refused import refusals, run

SOURCES = sys.argv[1]

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

def letters():
    """Reasons beyond the alphabet have letters of their own."""
    sys.path.insert(0, os.path.join(SOURCES, "bench"))
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
