"""Holds the commands to docs/json.md: json_keys.py WEFT PAGE GRAPHS
Runs every command with --json in the current folder.  Each key that it prints must be listed for it, with the type it has; each listed
key must be in every object it belongs to, or, where the page has a condition, in some run.  What depends on a GPU or NCCL is required only
where that is so, and what it calls ranks (of a run under mpirun: tests/ranks/test_ranks_mpi.sh) nowhere.  GRAPHS is a folder with files of labelled graphs.  Prints what is wrong."""
import json
import os
import re
import subprocess
import sys

weft, page, graphs = sys.argv[1:]
TYPES = {"text": str, "integer": int, "number": (int, float), "boolean": bool, "array": list, "object": dict, "null": type(None)}
problems = []


class Row:
    def __init__(self, key, kinds, when):
        self.kinds, self.when, self.seen = kinds.split(" or "), when, False
        self.parent, _, self.name = key.rpartition(".")

    def fits(self, value):
        if self.kinds == ["any"]:
            return True
        return any(isinstance(value, TYPES[k]) and (k == "boolean" or not isinstance(value, bool)) for k in self.kinds)


def read_page():
    """{command: {key: Row}}"""
    rows = {}
    for number, line in enumerate(open(page, encoding="utf-8"), 1):
        cells = [c.strip() for c in line.strip().strip("|").split("|")]
        if not line.startswith("| `"):
            continue
        if len(cells) != 5 or not cells[2] or not all(k in TYPES or k == "any" for k in cells[1].split(" or ")):
            problems.append(f"{page}:{number}: not a row of key, type, meaning, commands, when")
            continue
        key = cells[0].strip("`")
        for command in cells[3].split(", "):
            listed = rows.setdefault(command, {})
            if key in listed:
                problems.append(f"{page}:{number}: {key} is listed twice for {command}")
            listed[key] = Row(key, cells[1], cells[4])
    return rows


def out(*words, may_refuse=False):
    done = subprocess.run([weft, *words, "-q"], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1) and not may_refuse:
        problems.append(f"weft {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


def own_names(algorithm):
    """What `weft help ALGORITHM` calls its results and parameters."""
    names, part = {"Results": set(), "Parameters": set()}, None
    for line in out("help", algorithm, "--all").splitlines():
        part = line if line in names else part if line.startswith(" ") else None
        found = re.match(r"  ([a-z]\w*) " if part == "Results" else r"  (?:    |-[a-z], )--([a-z-]+)", line) if part else None
        if found:
            names[part].update((found[1], found[1].replace("-", "_")))
    return names


def general(key, at):
    """sections.*.how is any section's: in a report, a star stands for one name."""
    return "sections" in key and re.fullmatch(re.escape(key).replace(r"\*", r"[\w-]+"), at)


def check(command, words, thing, path, own):
    """One object: are its keys listed, and are those there that always are?"""
    listed = rows.get(command, {})
    for key, value in thing.items():
        key = re.sub(r"^f[0-9]+$", "f0", key)  # columns of a matrix
        at = f"{path}.{key}" if path else key
        row = listed.get(at)
        if not row and (path.split(".")[-1] in ("attributes", "columns") or key in own["Parameters" if path.endswith("parameters") else "Results"]):
            row = listed.get(f"{path}.*")
        if not row and command == "report":
            row = next((r for k, r in listed.items() if "*" in k and general(k, at)), None)
        if not row:
            problems.append(f"weft {words}: {at} is not listed for {command}")
            continue
        row.seen = True
        if not row.fits(value):
            problems.append(f"weft {words}: {at} is {value!r}, listed as {' or '.join(row.kinds)}")
        for item in value if isinstance(value, list) else [value]:
            place = at + "[]" * isinstance(value, list)
            if isinstance(item, dict):
                check(command, words, item, place, own)
            each = listed.get(place) or next((r for k, r in listed.items() if general(k, place)), None)
            if each and isinstance(value, list):
                each.seen = True
                if not each.fits(item):
                    problems.append(f"weft {words}: {place} is {item!r}, listed as {' or '.join(each.kinds)}")
    for row in listed.values():
        if (row.parent == path or general(row.parent, path)) and not row.when and row.name not in thing and not row.name.endswith(("*", "[]")):
            problems.append(f"weft {words}: {path}: there is no {row.name}, which has no condition")


def run(command, *words, algorithm=None, names=None, may_refuse=False):
    text = out(*words, *([] if "--json" in words else ["--json"]), may_refuse=may_refuse)
    if may_refuse and not text:
        return {}
    try:
        thing = json.loads(text)
    except ValueError as why:
        problems.append(f"weft {' '.join(words)}: not JSON: {why}")
        return {}
    own = own_names(algorithm) if algorithm else {"Results": set(), "Parameters": set()}
    check(command, " ".join(words), thing, "", {part: own[part] | (names or own)[part] for part in own})
    return thing


def run_lines(command, *words):
    """An object a line."""
    lines = out(*words, "--json").splitlines()
    if not lines:
        problems.append(f"weft {' '.join(words)}: printed nothing")
    for line in lines:
        thing = json.loads(line)
        name = thing.get("algorithm")
        check("dynamic refused" if "refused_line" in thing else command, " ".join(words), thing, "", own_names(name) if name else {"Results": set(), "Parameters": set()})


def run_bench(*words):
    """Each row of an algorithm with the names of its own results."""
    text = json.loads(out("bench", "--quick", "--repeat", "1", "--json", *words))
    names = {row["algorithm"] for graph in text["graphs"] for row in graph["rows"]}
    own = {"Results": set().union(*(own_names(name)["Results"] for name in names)), "Parameters": set()}
    check("bench", f"bench {' '.join(words)}", text, "", own)


rows = read_page()
with open("weighted.csv", "w", encoding="utf-8") as file:
    file.write("source,target,weight,year\na,b,1.5,1990\nb,c,2,1991\n")
with open("people.csv", "w", encoding="utf-8") as file:
    file.write("id,label,age\na,Ann,31\nb,,\n")
out("convert", "weighted.csv", "people.weft", "--nodes", "people.csv")
out("convert", "weighted.csv", "years.weft", "--keep", "year")
out("convert", "weighted.csv", "sides.weft", "--bipartite")
out("generate", "uniform", "--n", "40000", "--degree", "4", "-o", "large.txt")
out("generate", "er", "--n", "60", "--p", "0.1", "-o", "g.txt")
out("generate", "dag", "--n", "60", "--p", "0.1", "-o", "dag.txt")
out("generate", "rmat", "--scale", "6", "-o", "g.weft")
with open("sparse.txt", "w", encoding="utf-8") as file:
    file.write("5 900\n900 5000\n")

run("version", "--version")
run("help", "help", "formats")
for words in (["g.txt"], ["weighted.csv"], ["large.txt"], ["sparse.txt"], ["g.weft", "--verify"], ["people.weft"], ["years.weft"], ["sides.weft"]):
    run("info", "info", *words)
for name in sorted(os.listdir(graphs)):
    run("info", "info", os.path.join(graphs, name))
run("convert", "convert", "g.txt", "g.graphml")
run("generate", "generate", "karate")
run("generate", "generate", "planted", "--truth", "truth.tsv")
run("generate", "generate", "grid", "--rows", "3", "--columns", "3", "-o", "grid.txt")
for words in (["g.txt", "--of", "1"], ["weighted.csv", "--of", "a"], ["people.weft", "--of", "a", "b"], ["weighted.csv", "--edge", "a", "b"],
              ["years.weft", "--of", "a"], ["years.weft", "--edge", "a", "b"], ["g.txt", "--edge", "0", "0"]):
    run("neighbors", "neighbors", *words)
for words in (["weighted.csv", "a", "b", "--weights"], ["g.txt", "0", "1", "--undirected", "--k", "3"]):
    run("path", "path", *words, may_refuse=True)
run("run", "run", "g.txt", "pagerank", "bfs", algorithm="pagerank", names=own_names("bfs"))
run("run", "run", "g.txt", "pagerank", "--verify", "-o", "wide.tsv", algorithm="pagerank")
for words in (["g.txt"], ["g.txt", "--undirected", "--replicates", "0"], ["weighted.csv"], ["g.weft", "--quick", "-o", "page.html"]):
    run("report", "report", *words)
with open("grids.txt", "w", encoding="utf-8") as file:  # many grids: too many vertices to be drawn one by one, and no dense part
    for i in range(22500):
        file.write(f"{i} {i + 1}\n" * (i % 25 != 24) + f"{i} {i + 25}\n" * (i % 500 < 475))
run("report", "report", "grids.txt")
out("generate", "rmat", "--scale", "9", "-o", "tail.weft")
run("report", "report", "tail.weft", "--replicates", "5")
out("generate", "rmat", "--scale", "15", "--degree", "4", "-o", "wide.weft")
out("generate", "grid", "--rows", "150", "--columns", "150", "-o", "grid150.weft")
for name in ("wide.weft", "grid150.weft"):
    run("report", "report", name, "--quick")
with open("pairs.txt", "w") as f:
    f.write("1 11\n2 11\n2 12\n")
run("project", "project", "pairs.txt", "--undirected", "-o", "firsts.weft")
run("subgraph", "subgraph", "g.txt", "--undirected", "--largest-component", "-o", "part.weft")
with open("other.txt", "w", encoding="utf-8") as file:
    file.write("1 2 3\n2 40 1\n")
with open("others.txt", "w", encoding="utf-8") as file:
    file.write("1 2 4\n41 2 1\n")
run("compare", "compare", "other.txt", "others.txt", "--by", "pagerank")
run("compare", "compare", "other.txt", "others.txt", "--removed", "r.tsv", "--added", "a.tsv", "--changed", "c.tsv")
run("merge", "merge", "other.txt", "others.txt", "--duplicates", "sum")
run("merge", "merge", "other.txt", "others.txt", "--duplicates", "sum", "-o", "both.weft")
out("labelprop", "g.txt", "-o", "labels.tsv")
run("quality", "quality", "g.txt", "--partition", "labels.tsv")
run("quality", "quality", "g.txt", "--partition", "labels.tsv", "-o", "communities.tsv")
run("agreement", "agreement", "labels.tsv", "labels.tsv")
doctor = run("doctor", "doctor", "--quick")
has_gpu = doctor.get("gpus", 0) > 0
has_nccl = doctor.get("nccl", {}).get("usable", False)

with open("features.npy", "wb") as file:  # 60 rows of two f32
    head = "{'descr': '<f4', 'fortran_order': False, 'shape': (60, 2), }"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    file.write(b"\x93NUMPY\1\0" + len(head).to_bytes(2, "little") + head.encode() + bytes(60 * 2 * 4))
algorithms = re.findall(r"^  ([a-z]+) ", out("help", "--all").split("\nAlgorithms\n")[1].split("\n\n")[0], re.M)
if len(algorithms) < 12:
    problems.append(f"weft help lists few algorithms: {algorithms}")
for name in algorithms:
    need = ["--features", "features.npy"] if name == "aggregate" else []
    run("ALGORITHM", name, "g.txt", "--undirected", *need, algorithm=name, may_refuse=True)
    run("ALGORITHM", name, "dag.txt", "--directed", *need, algorithm=name)
    run("ALGORITHM", name, "dag.txt", "--directed", "--verify", "-o", "rows.tsv", *need, algorithm=name)
    run("plan", name, "dag.txt", "--directed", "--plan", *need, algorithm=name)
    if has_gpu and "CUDA" in out("help", name, "--all"):
        run("ALGORITHM", name, "dag.txt", "--directed", "--device", "cuda", *need, algorithm=name)
run("plan", "degree", "dag.txt", "--plan", "--memory-limit", "1G", algorithm="degree")
if has_gpu:  # small transfers are no stages of their own
    run("ALGORITHM", "degree", "wide.weft", "--device", "cuda", algorithm="degree")
run("ALGORITHM", "bfs", "g.txt", "--sources", "random:2", "--each", "--table", algorithm="bfs")
run("ALGORITHM", "bfs", "g.txt", "-o", "rows.tsv", "--parts", algorithm="bfs")
run("ALGORITHM", "triangles", "g.txt", "--edges", algorithm="triangles")
run("ALGORITHM", "hits", "g.txt", "--checkpoint", "saved", algorithm="hits")

run("dynamic new", "dynamic", "new", "d.weft", "--weight-type", "u32")
with open("changes.txt", "w", encoding="utf-8") as file:
    file.write("+ 1 2 5\n+ 2 3 6\n\n= 1 2 7\n- 2 3\n+v 9\n-v 9\n")
run_lines("dynamic apply", "dynamic", "apply", "d.weft", "changes.txt", "--durable", "never")
run_lines("dynamic watch", "dynamic", "watch", "d.weft", "changes.txt", "--run", "pagerank:top=1", "--run", "components", "--run", "degree",
          "--durable", "never", "--warm")
with open("cycle.txt", "w", encoding="utf-8") as file:
    file.write("+ 1 2 5\n\n+ 2 1 5\n")
run_lines("dynamic watch", "dynamic", "watch", "d.weft", "cycle.txt", "--run", "cycle", "--refuse-cycles", "--durable", "never")
run("dynamic info", "dynamic", "info", "d.weft")
run("dynamic log", "dynamic", "log", "d.weft")
run("dynamic changes", "dynamic", "log", "d.weft", "--at", "1")
run("dynamic snapshot", "dynamic", "snapshot", "d.weft", "--at", "1", "-o", "then.weft")
run("dynamic compact", "dynamic", "compact", "d.weft")
run("dynamic bench", "dynamic", "bench", "--scale", "8", "--batches", "1,100", "--seconds", "0.1", "--analytics")
run("dynamic bench", "dynamic", "bench", "b.weft", "--scale", "8", "--batches", "100", "--seconds", "0.02")
if has_gpu:
    run("dynamic bench", "dynamic", "bench", "--scale", "8", "--batches", "100", "--seconds", "0.1", "--device", "cuda")

run("predict", "predict", "pagerank", "--scale", "30", "--ranks", "8,64", "--cut", "2d")
run("predict", "predict", "pagerank", "dag.txt")
run("machines", "predict")
run("predict calibrate", "predict", "--calibrate", "--quick", "--scale", "6")

run_bench("g.txt", "--algos", "all", "--seconds", "5")
run_bench("--generate", "rmat:scale=5", "--algos", "bfs,pagerank,triangles")
if has_gpu:
    run_bench("g.txt", "--algos", "bfs,pagerank", "--device", "cuda")
run("ladders", "lab", "--json", "-")
lab = ["--quick", "--repeat", "1", "--json", "-", "--generate", "rmat:scale=6"]
run("lab", "lab", "leiden", *lab, "--undirected", "--rungs", "1,engine", algorithm="leiden")
run("lab", "lab", "ranks-bfs", *lab, "--rungs", "2,4", "--ranks", "3", algorithm="bfs")
run("lab", "lab", "pagerank", *lab, "--rungs", "1,2,gpu-naive,engine-gpu", "--sizes", "7,10", *(["--blocks", "128"] if has_gpu else []), algorithm="pagerank")


def can_be_seen(command, when):
    """On this machine, by the runs above."""
    here = {"GPU": has_gpu, "there is no GPU": not has_gpu, "there is NCCL": has_nccl, "there is no NCCL": not has_nccl}
    return here.get(when, not when.startswith("ranks"))


for command, listed in rows.items():
    for key, row in listed.items():
        if not row.seen and can_be_seen(command, row.when):
            problems.append(f"{key} is listed for {command}, and was in no run")
print("\n".join(list(dict.fromkeys(problems))[:40]))
sys.exit(bool(problems))
