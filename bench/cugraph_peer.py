"""cuGraph beside Weft, for gpu_peers.py: whole calls from Python in one process, results left on the GPU on both sides, the same graphs
and weights, no time without equal answers.  Needs pylibcugraph and rmm, and weftgraph (a build's python folder on PYTHONPATH will do)."""
import os
import subprocess
import time

import cupy as cp
import numpy as np

ITERATIONS = 20
TOLERANCE = 1e-4  # of ranks, in the L1 norm: cuGraph adds them up in f32


def importable():
    """What is missing, or None."""
    try:
        import pylibcugraph  # noqa: F401
        import rmm  # noqa: F401
        import weftgraph  # noqa: F401
    except ImportError as missing:
        return str(missing)
    return None


def make(weft, folder, name):
    """A symmetrised R-MAT of degree 16 (rmat20), a grid (grid2048), or a file; weights 1 to 63."""
    if os.path.exists(name):
        return name
    path = os.path.join(folder, name + ".weft")
    kind = ["rmat", "--scale", name[4:], "--degree", "16", "--undirected"] if name.startswith("rmat") else [
        "grid", "--rows", name[4:], "--columns", name[4:]]
    subprocess.run([weft, "generate", *kind, "--max-weight", "63", "-q", "-o", path], check=True)
    return path


def both(wg, path):
    """A graph without and with weights, its vertices 0 to n-1.  A file that has none gets some, from 1 to 63 by the two ends."""
    offsets, targets, weights = wg.read(path).csr()
    offsets, targets = np.asarray(offsets), np.asarray(targets)
    if weights is None:
        sources = np.repeat(np.arange(offsets.size - 1, dtype=np.uint64), np.diff(offsets))
        first, second = np.minimum(sources, targets.astype(np.uint64)), np.maximum(sources, targets.astype(np.uint64))
        weights = ((first * 0x9E3779B1 + second * 0x85EBCA77) // 128 % 63 + 1).astype(np.uint32)
    return wg.from_csr(offsets, targets, directed=False), wg.from_csr(offsets, targets, np.asarray(weights), directed=False)


class Sides:
    """One graph as both libraries have it."""

    def __init__(self, path):
        import pylibcugraph as plc
        import weftgraph as wg

        self.plc, self.handle = plc, plc.ResourceHandle()
        self.plain, self.weighted = both(wg, path)
        offsets, targets, weights = (np.asarray(column) for column in self.weighted.csr())
        self.n, self.arcs = offsets.size - 1, targets.size
        degree = np.diff(offsets)
        sources = cp.asarray(np.repeat(np.arange(self.n, dtype=np.int32), degree))
        targets = cp.asarray(targets.astype(np.int32))
        weights = cp.asarray(weights.astype(np.float32))
        properties = plc.GraphProperties(is_symmetric=True, is_multigraph=False)
        everyone = cp.arange(self.n, dtype=cp.int32)  # those without edges too: they have ranks

        def graph(weight, transposed):
            return plc.SGGraph(self.handle, properties, sources, targets, weight_array=weight, store_transposed=transposed,
                               renumber=True, do_expensive_check=False, vertices_array=everyone)

        self.pull, self.push, self.heavy = graph(None, True), graph(None, False), graph(weights, False)
        self.source = int(np.random.default_rng(1).choice(np.nonzero(degree)[0]))

    def dense(self, vertices, values):
        """By vertex number, as cuGraph gives them in an order of its own."""
        out = cp.empty(self.n, values.dtype)
        out[vertices] = values
        return out.get()


def smallest(labels):
    """Components named by their smallest vertex."""
    first = np.full(int(labels.max()) + 1, labels.size, np.int64)
    np.minimum.at(first, labels, np.arange(labels.size))
    return first[labels]


def kernels(s):
    """Name: cuGraph's call, Weft's graph, algorithm and parameters, Weft's column, what cuGraph's answer becomes, how they are compared."""
    plc, h = s.plc, s.handle

    def same(ours, theirs):
        return np.array_equal(ours, theirs)

    def same_or_twice(ours, theirs):  # an edge counts once or, as two arcs, twice
        return same(ours, theirs) or same(2 * ours.astype(np.int64), theirs)

    def near(ours, theirs):
        return float(np.abs(ours.astype(np.float64) - theirs).sum()) < TOLERANCE

    def levels(answer):
        found = s.dense(answer[2], answer[0]).astype(np.int64)
        return np.where(found > s.n, np.iinfo(np.uint32).max, found)

    def distances(answer):
        found = s.dense(answer[0], answer[1]).astype(np.float64)
        return np.where(found > 1e30, np.inf, found)

    def plainly(answer):
        return s.dense(answer[0], answer[1])

    return {
        f"pagerank, {ITERATIONS} iterations":
            (lambda: plc.pagerank(h, s.pull, None, None, None, None, 0.85, 0.0, ITERATIONS, False, fail_on_nonconvergence=False),
             s.plain, "pagerank", {"iterations": ITERATIONS}, "rank", plainly, near),
        "bfs": (lambda: plc.bfs(h, s.push, cp.array([s.source], cp.int32), True, -1, True, False),
                s.plain, "bfs", {"source": s.source}, "level", levels, same),
        "sssp, weights 1 to 63": (lambda: plc.sssp(h, s.heavy, s.source, float("inf"), True, False),
                                  s.weighted, "sssp", {"source": s.source}, "distance", distances, same),
        "components": (lambda: plc.weakly_connected_components(h, s.push, None, None, None, None, False),
                       s.plain, "components", {}, "component", lambda a: smallest(plainly(a).astype(np.int64)), same),
        "triangles": (lambda: plc.triangle_count(h, s.push, None, False),
                      s.plain, "triangles", {}, "triangles", lambda a: plainly(a).astype(np.int64), same),
        "kcore": (lambda: plc.core_number(h, s.push, "bidirectional", False),
                  s.plain, "kcore", {}, "core", lambda a: plainly(a).astype(np.int64), same_or_twice),
    }


def whole_call(call, runs):
    """Median milliseconds until the GPU is idle again, and the last answer."""
    times, answer = [], None
    for i in range(runs + 1):  # the first is a warm-up
        begin = time.perf_counter()
        answer = call()
        cp.cuda.Device().synchronize()
        if i:
            times.append(1e3 * (time.perf_counter() - begin))
    return sorted(times)[len(times) // 2], answer


def rows(weft, folder, names, runs, add):
    """A line of the table for each graph and kernel, given to add.  False: some answer differed."""
    import rmm

    rmm.reinitialize(pool_allocator=True, initial_pool_size=24 << 30)
    right = True
    for name in names:
        s = Sides(make(weft, folder, name))
        for kernel, (theirs, graph, algorithm, parameters, column, become, equal) in kernels(s).items():
            plan = graph.plan(algorithm, device="cuda", on_device=True, **parameters)
            own, result = whole_call(plan.run, runs)
            ours = np.asarray(result.vertices(column) if column == "component" else result[column])
            try:
                peer, answer = whole_call(theirs, min(runs, 5))
            except Exception as failure:  # cuGraph refuses some graphs; the row says so
                add(f"| {os.path.basename(name)} | {kernel} | {type(failure).__name__} | {own:.3f} | - |")
                continue
            fine = bool(equal(ours, become(answer)))
            right &= fine
            add(f"| {os.path.basename(name)} | {kernel} | {peer:.3f} | {own:.3f} | {f'{peer / own:.1f}' if fine else 'WRONG'} |")
            del answer, result
    return right
