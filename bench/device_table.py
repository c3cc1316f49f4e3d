#!/usr/bin/env python3
"""What --device auto chose, beside what both devices took.

    bench/device_table.py [LIBRARY] [--scales 8,10,12,14,16,18,20,22] [--road FILE] [--algorithms LIST] [--seconds 400]

LIBRARY is a libweft.so with CUDA [build/libweft.so]; the program `weft` beside it makes the graphs, once: R-MAT of degree
16, a grid of 1024 x 1024, a long one of 64 x 32768 (or the road map FILE), undirected, for toposort and cycle directed.
Two builds are compared by two calls with the same --data.

For each algorithm and graph there are two processes, one for each device: *from nothing* is the first plan and run of
the process, with the GPU's context and the upload, *graph there* the median of later runs.  The CPU's process asks first
what auto would choose from nothing, the GPU's last what it would choose with the graph there.  Both results must have
the same digest: one that differs is shown as DIFFERENT, and the exit code is 1.  A process is ended after --limit
seconds; its time is at least that, and a row without any time is none.  Algorithms whose time grows faster than the
graph are asked for less (LIGHTER).  A choice is good if the chosen device took at most 1.3 times what the better one did.
The time of all is bounded by --seconds; what was not reached is counted.  Needs nothing but Python 3."""
import argparse
import ctypes as c
import json
import os
import select
import signal
import statistics
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
AUTO, CPU, CUDA = 0, 1, 2
U64, BOOL, VERTICES, MATRIX = 0, 2, 6, 8  # weft_param_type
NAMES = {CPU: "cpu", CUDA: "cuda"}
DIRECTED = {"toposort", "cycle"}
FEW, WIDTH = 16, 16
LIGHTER = {"betweenness": {"sources": FEW}, "closeness": {"of": FEW}, "harmonic": {"of": FEW}, "cycle": {"general": 1},
           "similarity": {"edges": 1}}
GOOD = 1.3


class Info(c.Structure):
    _fields_ = [("name", c.c_char_p), ("help", c.c_char_p), ("param_count", c.c_size_t), ("params_size", c.c_size_t),
                ("standard", c.c_void_p)]


class Param(c.Structure):
    _fields_ = [("name", c.c_char_p), ("type", c.c_int), ("offset", c.c_size_t), ("standard", c.c_char_p)]


class Matrix(c.Structure):
    _fields_ = [("size", c.c_size_t), ("data", c.c_void_p), ("rows", c.c_uint64), ("width", c.c_uint64), ("type", c.c_int)]


def load(path):
    lib = c.CDLL(path)
    for name in ("weft_algorithm_at", "weft_algorithm_find"):
        getattr(lib, name).restype = c.POINTER(Info)
    lib.weft_algorithm_at.argtypes = [c.c_size_t]
    lib.weft_algorithm_param_at.restype = c.POINTER(Param)
    lib.weft_algorithm_param_at.argtypes = [c.c_void_p, c.c_size_t]
    lib.weft_algorithm_count.restype = c.c_size_t
    lib.weft_graph_vertices.restype = c.c_uint32
    lib.weft_plan_device_reason.restype = lib.weft_ctx_message.restype = lib.weft_version.restype = c.c_char_p
    return lib


class Refused(Exception):
    pass


class Session:
    """One context with one graph, in a process of its own."""

    def __init__(self, path, graph, algorithm):
        self.lib = load(path)
        self.algorithm = algorithm.encode()
        self.ctx, self.graph = c.c_void_p(), c.c_void_p()
        self.must(self.lib.weft_ctx_new(c.byref(self.ctx)))
        self.must(self.lib.weft_read(self.ctx, graph.encode(), None, c.byref(self.graph)))
        self.fill_params()

    def must(self, status):
        if status:
            raise Refused(self.lib.weft_ctx_message(self.ctx).decode())

    def fill_params(self):
        info = self.lib.weft_algorithm_find(self.algorithm).contents
        self.params = c.create_string_buffer(c.string_at(info.standard, info.params_size), info.params_size)
        self.kept = []
        asked = LIGHTER.get(self.algorithm.decode(), {})
        at = c.addressof(self.params)
        for i in range(info.param_count):
            p = self.lib.weft_algorithm_param_at(c.byref(info), i).contents
            value = asked.get(p.name.decode())
            if p.type == MATRIX and p.standard is None:
                n = self.lib.weft_graph_vertices(self.graph)
                data = (c.c_float * (n * WIDTH))()
                matrix = Matrix(Matrix.type.offset + 4, c.addressof(data), n, WIDTH, 2)
                c.c_void_p.from_address(at + p.offset).value = c.addressof(matrix)
                self.kept += [data, matrix]
            elif value is not None and p.type == VERTICES:
                few = (c.c_uint32 * value)(*range(value))
                c.c_void_p.from_address(at + p.offset).value = c.addressof(few)
                c.c_size_t.from_address(at + p.offset + c.sizeof(c.c_void_p)).value = value
                self.kept.append(few)
            elif value is not None:
                (c.c_uint64 if p.type == U64 else c.c_int).from_address(at + p.offset).value = value

    def plan(self, device):
        self.must(self.lib.weft_ctx_set_device(self.ctx, device))
        plan = c.c_void_p()
        self.must(self.lib.weft_plan_new(self.ctx, self.algorithm, self.graph, self.params, c.byref(plan)))
        return plan

    def choice(self):
        plan = self.plan(AUTO)
        chosen = [self.lib.weft_plan_device(plan), self.lib.weft_plan_device_reason(plan).decode()]
        self.lib.weft_plan_free(plan)
        return chosen

    def run(self, plan):
        result = c.c_void_p()
        begin = time.perf_counter()
        self.must(self.lib.weft_plan_run(plan, c.byref(result)))
        took = time.perf_counter() - begin
        return took, result

    def digest(self, result):
        digest = c.c_uint64()
        self.must(self.lib.weft_result_digest(self.ctx, result, c.byref(digest)))
        self.lib.weft_result_free(result)
        return digest.value


def measure(say, args, graph, algorithm, device):
    """Says, as it goes: auto's choices, the first time, later times, the digest."""
    session = Session(args.library, graph, algorithm)
    if device == CPU:
        say({"auto": session.choice()})
    begin = time.perf_counter()
    plan = session.plan(device)
    _, result = session.run(plan)
    say({"first": time.perf_counter() - begin})
    say({"digest": session.digest(result)})
    later, begin = [], time.perf_counter()
    while len(later) < args.runs and (not later or time.perf_counter() - begin < args.patience):
        took, result = session.run(plan)
        later.append(took)
        session.lib.weft_result_free(result)
    say({"later": statistics.median(later)})
    if device == CUDA:
        say({"auto": session.choice()})


def child(args, graph, algorithm, device):
    """What `measure` said, as far as it came before --limit seconds had passed."""
    read, write = os.pipe()
    pid = os.fork()
    if not pid:
        os.close(read)
        say = lambda what: os.write(write, (json.dumps(what) + "\n").encode())
        try:
            measure(say, args, graph, algorithm, device)
        except Refused as refusal:
            say({"refused": str(refusal)})
        os._exit(0)
    os.close(write)
    said, text, end = {}, b"", time.monotonic() + args.limit
    while True:
        ready, _, _ = select.select([read], [], [], max(0, end - time.monotonic()))
        piece = os.read(read, 65536) if ready else b""
        text += piece
        if not ready:
            said["stopped"] = True
            os.kill(pid, signal.SIGKILL)
        if not piece:
            break
    os.close(read)
    _, status = os.waitpid(pid, 0)
    for line in text.decode().splitlines():
        said.update(json.loads(line))
    if status and not said.get("stopped"):
        said["refused"] = f"the process ended with status {status}"
    return said


def make_graphs(args):
    weft = os.path.join(os.path.dirname(os.path.abspath(args.library)), "weft")
    os.makedirs(args.data, exist_ok=True)
    kinds = [("grid", ["grid", "--rows", "1024", "--columns", "1024"])]
    kinds += [] if args.road else [("long grid", ["grid", "--rows", "64", "--columns", "32768"])]
    kinds += [(f"rmat {s}", ["rmat", "--scale", str(s), "--degree", "16"]) for s in args.scales]
    graphs = []
    for name, flags in kinds:
        both = []
        for way in ("--undirected", "--directed"):
            path = os.path.join(args.data, name.replace(" ", "-") + way[1:] + ".weft")
            loops = ["--loops", "drop"] if way == "--directed" else []
            if not os.path.exists(path):
                subprocess.run([weft, "generate", *flags, way, *loops, "-o", path, "-q"], check=True)
            both.append(path)
        graphs.append((name, *both))
    if args.road:
        both = []
        for way in ("--undirected", "--directed"):
            path = os.path.join(args.data, f"road{way[1:]}.weft")
            if not os.path.exists(path):
                subprocess.run([weft, "convert", args.road, path, way, "--duplicates", "min", "-q"], check=True)
            both.append(path)
        graphs.insert(1, ("road", *both))
    return graphs


def row_of(args, name, algorithm, path):
    """The two cases of an algorithm on a graph; None: there is nothing to compare."""
    on = {device: child(args, path, algorithm, device) for device in (CUDA, CPU)}
    for device, said in on.items():
        if "refused" in said:
            return [], f"{algorithm}, {name}, {NAMES[device]}: {said['refused']}"
    digests = {said["digest"] for said in on.values() if "digest" in said}
    rows = []
    for case, key, asked in (("from nothing", "first", CPU), ("graph there", "later", CUDA)):
        if "auto" not in on[asked]:
            continue
        took = {d: said.get(key, args.limit) for d, said in on.items()}
        if not any(key in said for said in on.values()):
            continue
        chosen, reason = on[asked]["auto"]
        rows.append({"algorithm": algorithm, "graph": name, "case": case, "auto": NAMES[chosen], "reason": reason,
                     "cpu_ms": took[CPU] * 1e3, "cuda_ms": took[CUDA] * 1e3, "ratio": took[chosen] / min(took.values()),
                     "at_least": key not in on[chosen], "different": len(digests) > 1})
    return rows, None


def show(rows):
    print("| algorithm | graph | | CPU, ms | GPU, ms | auto | times the better |")
    print("|---|---|---|--:|--:|---|--:|")
    for r in rows:
        ratio = "DIFFERENT" if r["different"] else f"{'> ' if r['at_least'] else ''}{r['ratio']:.2f}"
        print(f"| {r['algorithm']} | {r['graph']} | {r['case']} | {r['cpu_ms']:.3g} | {r['cuda_ms']:.3g} | {r['auto']} | {ratio} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", nargs="?", default=os.path.join(ROOT, "build", "libweft.so"))
    parser.add_argument("--scales", default="8,10,12,14,16,18,20,22")
    parser.add_argument("--road")
    parser.add_argument("--algorithms", default="")
    parser.add_argument("--data", default=os.path.join(ROOT, "build", "device-table"))
    parser.add_argument("--seconds", type=float, default=400, help="for all of it [400]")
    parser.add_argument("--limit", type=float, default=3, help="for a process [3]")
    parser.add_argument("--patience", type=float, default=0.2, help="for later runs of a process, one at least [0.2]")
    parser.add_argument("--runs", type=int, default=5, help="later runs at most [5]")
    parser.add_argument("--all", action="store_true", help="show every row, not only choices that are not good")
    parser.add_argument("--save", help="write all rows to this file, as JSON")
    args = parser.parse_args()
    args.scales = [int(word) for word in args.scales.split(",")]
    end = time.monotonic() + args.seconds
    # The library is asked for its names in a process of its own: this one must not start threads before it forks.
    listing = ("import sys; sys.path.insert(0, sys.argv[1]); import device_table as t; l = t.load(sys.argv[2]); "
               "print(*[l.weft_algorithm_at(i).contents.name.decode() for i in range(l.weft_algorithm_count())])")
    names = subprocess.run([sys.executable, "-c", listing, os.path.dirname(os.path.abspath(__file__)), args.library],
                           capture_output=True, text=True, check=True).stdout.split()
    names = [n for n in names if not args.algorithms or n in args.algorithms.split(",")]
    graphs, rows, notes, left, slow = make_graphs(args), [], [], 0, set()
    for name, undirected, directed in graphs:
        for algorithm in names:
            if time.monotonic() > end or algorithm in slow and name.startswith("rmat"):
                left += 1
                continue
            more, note = row_of(args, name, algorithm, directed if algorithm in DIRECTED else undirected)
            rows += more
            notes += [note] if note else []
            if not more and not note:
                slow.add(algorithm)  # neither device was done: larger ones are not tried
                left += 1
    show(rows if args.all else [r for r in rows if r["ratio"] > GOOD or r["different"]])
    good = [r for r in rows if r["ratio"] <= GOOD]
    worst = max(rows, key=lambda r: r["ratio"], default=None)
    print(f"\n{len(rows)} choices, {len(good)} within {GOOD} of the better device"
          + (f" ({100 * len(good) / len(rows):.1f} %); the worst {worst['ratio']:.2f}: {worst['algorithm']}, {worst['graph']}, "
             f"{worst['case']}; {sum(r['ratio'] > 2 for r in rows)} above 2" if rows else "")
          + f"; {left} not measured")
    for note in dict.fromkeys(notes):
        print(f"- {note}", file=sys.stderr)
    if args.save:
        with open(args.save, "w") as out:
            json.dump(rows, out, indent=1)
    return any(r["different"] for r in rows)


if __name__ == "__main__":
    sys.exit(main())
