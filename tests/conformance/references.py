"""What each algorithm must answer: NetworkX where it has the algorithm, else the definition, written down plainly.

CHECKS maps the name of an algorithm to a function (case, run).  run(flags...) gives weft's answer as an Answer; expect
raises a Mismatch that shows both.  An algorithm is added by a function with its name and @check."""
import math
from collections import Counter, defaultdict

import networkx as nx
import numpy as np

CHECKS = {}


class Mismatch(Exception):
    pass


def check(function):
    CHECKS[function.__name__] = function
    return function


def expect(what, got, want):
    if got == want:
        return
    if isinstance(got, dict) and isinstance(want, dict):
        keys = [k for k in want if got.get(k) != want[k]] + [k for k in got if k not in want]
        lines = [f"  {k}: weft {got.get(k)}, expected {want.get(k)}" for k in keys[:20]]
        raise Mismatch(f"{what}: {len(keys)} differ\n" + "\n".join(lines))
    raise Mismatch(f"{what}: weft {got}, expected {want}")


def expect_near(what, got, want, bound):
    expect(f"{what}, the vertices", sorted(got), sorted(want))
    off = math.fsum(abs(got[v] - want[v]) for v in want)
    if not off <= bound:
        raise Mismatch(f"{what}: off by {off:.3g} in all, at most {bound:.3g} can be explained\n"
                       + "\n".join(f"  {v}: weft {got[v]!r}, expected {want[v]!r}" for v in list(want)[:20]))


def hub(case):
    """Where a search starts that is not told: most outgoing arcs, of equals the smallest."""
    out = Counter(u for u, _, _ in case.arcs())
    return min(case.vertices, key=lambda v: (-out[v], v))


def some_vertex(case):
    return case.rng.choice(case.vertices)


# --- ranks -----------------------------------------------------------------------------------------


def power_steps(case, steps, damping, weighted, drop, restart):
    """The definition of docs/algo/pagerank.md, step by step."""
    n = len(case.vertices)
    arcs = [(u, v, w if weighted else 1.0) for u, v, w in case.arcs()]
    total = Counter()
    for u, _, w in arcs:
        total[u] += w
    rank = {v: 1 / n for v in case.vertices}
    for _ in range(steps):
        into = defaultdict(list)
        for u, v, w in arcs:
            if total[u] > 0:
                into[v].append(rank[u] * w / total[u])
        dangling = 0.0 if drop else math.fsum(rank[v] for v in case.vertices if not total[v] > 0)
        rank = {v: (1 - damping) * restart[v] + damping * (math.fsum(into[v]) + dangling * restart[v]) for v in rank}
    return rank


@check
def pagerank(case, run):
    n, rng = len(case.vertices), case.rng
    if not n:
        expect("rank", run().column("rank"), {})
        return
    # Two Jacobi iterations that stop at a change of t are each within t d / (1 - d) of the solution (L1).
    close = 1e-12
    f64 = ["--precision", "f64", "--max-iterations", "10000", "--tolerance", str(close)]
    uniform = {v: 1 / n for v in case.vertices}

    def networkx(damping, **more):
        return nx.pagerank(case.graph, alpha=damping, tol=close / n, max_iter=10000, **{"weight": None, **more})

    def bound(damping):
        return 2 * close * damping / (1 - damping) + 1e-14

    answer = run(*f64)
    expect_near("rank", answer.column("rank"), networkx(0.85), bound(0.85))
    if abs(answer.result["sum"] - 1) > 1e-12:
        raise Mismatch(f"the sum of the ranks is {answer.result['sum']!r}")
    damping = rng.choice([0.3, 0.5, 0.95])
    if case.is_weighted():
        ranks = run(*f64, "--weights", "--damping", str(damping)).column("rank")
        expect_near("rank by weight", ranks, networkx(damping, weight="weight"), bound(damping))

    chosen = {v: rng.choice([1, 2, 0.5]) for v in rng.sample(case.vertices, rng.randint(1, min(n, 5)))}
    listed = run.file("restart.txt", "".join(f"{v} {w}\n" for v, w in chosen.items()))
    ranks = run(*f64, "--damping", str(damping), "--personalize", listed).column("rank")
    expect_near("rank, personalised", ranks, networkx(damping, personalization=chosen), bound(damping))

    # An exact number of steps, without the dangling rank: rounding is all that is left.
    steps = rng.randint(1, 20)
    want = power_steps(case, steps, 0.85, False, True, uniform)
    fixed = ["--iterations", str(steps), "--dangling", "drop"]
    answer = run(*fixed, "--precision", "f64")
    expect_near("rank, dangling dropped", answer.column("rank"), want, 1e-14 * steps)
    expect("iterations", answer.result["iterations"], steps)
    # In f32 a step rounds a share, a rank and the sum: positive terms, so relative errors only add up.
    expect_near("rank in f32", run(*fixed).column("rank"), want, 4 * steps * 2.0**-24)


# --- distances -------------------------------------------------------------------------------------


@check
def bfs(case, run):
    if not case.vertices:
        nothing = {"source": [], "source_reached": [], "source_depth": [], "source_distances": []}
        expect("reached", run().result, {"reached": 0, "depth": 0, **nothing})
        return
    before = defaultdict(set)
    for u, v, _ in case.arcs():
        before[v].add(u)

    def compare(source, depth, flags, sources=()):
        answer = run(*flags)
        level = dict(nx.single_source_shortest_path_length(case.graph, source, cutoff=depth))
        expect("level", answer.column("level"), {v: level.get(v) for v in case.vertices})
        # Of the legal parents the smallest; the source is its own.
        parent = {v: min((u for u in before[v] if level.get(u) == level[v] - 1), default=v) for v in level}
        expect("parent", answer.column("parent"), {v: parent.get(v) for v in case.vertices})
        levels = [nx.single_source_shortest_path_length(case.graph, s, cutoff=depth).values() for s in sources]
        table = {
            "source": list(sources),
            "source_reached": [len(of) for of in levels],
            "source_depth": [max(of) for of in levels],
            "source_distances": [sum(of) for of in levels],
        }
        expect("scalars and table", answer.result, {"reached": len(level), "depth": max(level.values()), **table})

    source = some_vertex(case)
    compare(source, None, ["--source", str(source)])
    compare(hub(case), None, [])
    depth = case.rng.randint(1, 4)
    compare(source, depth, ["--source", str(source), "--max-depth", str(depth)])
    several = case.rng.choices(case.vertices, k=3)
    listed = ["--sources", run.file("sources.txt", "".join(f"{v}\n" for v in several))]
    compare(several[-1], None, listed, several)
    compare(several[-1], depth, [*listed, "--max-depth", str(depth)], several)


def tight_parents(case, source, distance):
    """docs/algo/sssp.md: the smallest tight predecessor that is nearer; where there is none, by hops."""
    tight = defaultdict(set)
    for u, v, w in case.arcs():
        if u in distance and distance[u] + w == distance[v]:
            tight[v].add(u)
    parent, hop = {source: source}, {source: 0}
    for v in distance:
        nearer = [u for u in tight[v] if distance[u] < distance[v]]
        if nearer and v != source:
            parent[v], hop[v] = min(nearer), 0
    hops = 0
    while len(hop) < len(distance):
        found = {v: [u for u in tight[v] if hop.get(u) == hops] for v in distance if v not in hop}
        for v, nearer in found.items():
            if nearer:
                parent[v], hop[v] = min(nearer), hops + 1
        hops += 1
    return parent


@check
def sssp(case, run):
    if not case.vertices:
        expect("reached", run().result["reached"], 0)
        return
    for source, flags in [(hub(case), [])] + [(s, ["--source", str(s)]) for s in (some_vertex(case),)]:
        answer = run(*flags)
        # Lengths are doubles added from the source on: NetworkX's Dijkstra gives the same bits.
        distance = nx.single_source_dijkstra_path_length(case.graph, source)
        parent = tight_parents(case, source, distance)
        expect("distance", answer.column("distance"), {v: distance.get(v) for v in case.vertices})
        expect("parent", answer.column("parent"), {v: parent.get(v) for v in case.vertices})
        expect("scalars", answer.result, {"reached": len(distance), "max_distance": max(distance.values())})


# --- parts, triangles, cores -----------------------------------------------------------------------


@check
def components(case, run):
    g = case.graph
    weak = list(nx.weakly_connected_components(g) if case.directed else nx.connected_components(g))
    strong = list(nx.strongly_connected_components(g)) if case.directed else weak
    for parts, flags in (weak, []), (strong, ["--strong"]):
        answer = run(*flags)
        expect("component", answer.column("component"), {v: min(part) for part in parts for v in part})
        expect("scalars", answer.result, {"count": len(parts), "largest": max(map(len, parts), default=0)})


@check
def triangles(case, run):
    answer, want = run(), nx.triangles(case.simple)
    expect("triangles", answer.column("triangles"), want)
    expect("total", answer.result, {"triangles": sum(want.values()) // 3})


def ldbc_coefficients(case):
    """Arcs among the neighbours (joined by an arc in or out), of all that could be: LDBC Graphalytics' LCC."""
    arcs = {(u, v) for u, v, _ in case.arcs() if u != v}
    near = defaultdict(set)
    for u, v in arcs:
        near[u].add(v)
        near[v].add(u)
    want = {}
    for v in case.vertices:
        possible = len(near[v]) * (len(near[v]) - 1)
        found = sum((a, b) in arcs for a in near[v] for b in near[v])
        want[v] = found / possible if possible else 0
    return want


@check
def clustering(case, run):
    ldbc = ldbc_coefficients(case)
    if case.directed:
        fagiolo = nx.clustering(nx.DiGraph(case.graph))
        modes = [([], ldbc), (["--directed-mode", "fagiolo"], fagiolo)]
    else:
        expect("the two definitions", nx.clustering(case.simple), ldbc)
        modes = [([], ldbc)]
    for flags, want in modes:
        answer = run(*flags)  # one division of whole numbers: equal to the last bit
        expect(f"coefficient {flags}", answer.column("coefficient"), want)
        average = math.fsum(want.values()) / len(want) if want else 0
        expect_near("average", {"": answer.result["average"]}, {"": average}, 4e-16)
        expect_near("transitivity", {"": answer.result["transitivity"]}, {"": nx.transitivity(case.simple)}, 4e-16)


@check
def kcore(case, run):
    core = nx.core_number(case.simple)
    k = case.rng.randint(1, 4)
    answer = run("--k", str(k))
    expect("core", answer.column("core"), core)
    members = sorted(nx.k_core(case.simple, k, core)) if core else []
    expect("result", answer.result, {"degeneracy": max(core.values(), default=0), "members": members})


@check
def degree(case, run):
    into, out = Counter(), Counter()
    for u, v, _ in case.arcs():
        out[u] += 1
        into[v] += 1
    if case.directed:  # of an undirected loop NetworkX counts both ends, weft one arc
        expect("NetworkX", {v: (into[v], out[v]) for v in case.vertices},
               {v: (case.graph.in_degree(v), case.graph.out_degree(v)) for v in case.vertices})
    total = {v: into[v] + out[v] if case.directed else out[v] for v in case.vertices}
    answer = run()
    for column, want in ("in", into), ("out", out), ("total", total):
        expect(column, answer.column(column), {v: want[v] for v in case.vertices})
    counts = sorted(Counter(total.values()).items())
    expect("distribution", [(row["degree"], row["count"]) for row in answer.table], counts)
    expect("max_degree", answer.result["max_degree"], max(total.values(), default=0))


# --- labels ----------------------------------------------------------------------------------------


@check
def labelprop(case, run):
    """LDBC's CDLP: synchronous, arcs in and out both count, ties to the smallest label."""
    near = defaultdict(list)
    for u, v, _ in case.arcs():
        near[u].append(v)
        if case.directed:
            near[v].append(u)
    limit = case.rng.choice([1, 2, 3, 10, 25])
    history = [{v: v for v in case.vertices}]
    first_repeat = None
    for step in range(1, limit + 1):
        now = history[-1]
        counts = {v: Counter(now[u] for u in near[v]) for v in case.vertices}
        history.append({v: min(c, key=lambda l: (-c[l], l)) if c else now[v] for v, c in counts.items()})
        if first_repeat is None and history[-1] in history[-3:-1]:
            first_repeat = step
    answer = run("--max-iterations", str(limit))
    expect("label", answer.column("label"), history[-1])
    expect("scalars", answer.result, {"communities": len(set(history[-1].values())),
                                      "iterations": first_repeat or limit})


# --- orders and cycles -----------------------------------------------------------------------------


def refused(case, run):
    """An undirected graph has no order: said in words, with the exit code of wrong input."""
    answer = run(codes=(2, 3))
    if "undirected" not in answer.said:
        raise Mismatch(f"an undirected graph is refused with: {answer.said}")


def on_a_cycle(g):
    loops = {v for v in g if g.has_edge(v, v)}
    return loops.union(*(part for part in nx.strongly_connected_components(g) if len(part) > 1))


def expect_cycle(case, cycle):
    steps = list(zip(cycle, cycle[1:] + cycle[:1]))
    if not cycle or len(set(cycle)) < len(cycle) or not all(case.graph.has_edge(u, v) for u, v in steps):
        raise Mismatch(f"this is no cycle of the graph: {cycle}")
    expect("the first vertex of the cycle", cycle[0], min(cycle))


@check
def toposort(case, run):
    if not case.directed:
        refused(case, run)
        return
    cyclic = on_a_cycle(case.graph)
    behind = cyclic.union(*(nx.descendants(case.graph, v) for v in cyclic))
    rest = case.graph.subgraph(set(case.vertices) - behind)
    generations = [sorted(generation) for generation in nx.topological_generations(rest)]
    order = [v for generation in generations for v in generation]
    level = {v: i for i, generation in enumerate(generations) for v in generation}
    place = {v: i for i, v in enumerate(order)}
    answer = run(codes=(1 if cyclic else 0,))
    expect("level", answer.column("level"), {v: level.get(v) for v in case.vertices})
    expect("position", answer.column("position"), {v: place.get(v) for v in case.vertices})
    expect("acyclic", answer.result["acyclic"], not cyclic)
    expect("levels", answer.result["levels"], len(generations))
    if cyclic:
        expect_cycle(case, answer.result["cycle"])


@check
def cycle(case, run):
    if not case.directed:
        refused(case, run)
        return
    acyclic = nx.is_directed_acyclic_graph(case.graph)
    answer = run(codes=(0 if acyclic else 1,))
    expect("acyclic", answer.result["acyclic"], acyclic)
    expect("length", answer.result["length"], len(answer.result["cycle"]))
    if acyclic:
        expect("cycle", answer.result["cycle"], [])
    else:
        expect_cycle(case, answer.result["cycle"])
        loops = list(nx.nodes_with_selfloops(case.graph))
        if loops:
            expect("the smallest loop", answer.result["cycle"], [min(loops)])


# --- features --------------------------------------------------------------------------------------


def aggregated(case, x, op, self_loop, gcn):
    """docs/algo/aggregate.md, with its order of the sums: equal to the last bit."""
    row = {v: i for i, v in enumerate(case.vertices)}
    before = defaultdict(list)
    for u, v, _ in case.arcs():
        before[v].append(row[u])
    added = {v: self_loop and row[v] not in before[v] for v in case.vertices}
    count = {v: len(before[v]) + added[v] for v in case.vertices}
    scale = np.array([1 / math.sqrt(count[v]) if count[v] else 0 for v in case.vertices]).astype(np.float32)
    terms = x * scale[:, None] if gcn else x
    want = np.zeros_like(x)
    for v in case.vertices:
        near, own = sorted(before[v]), row[v]
        if op == "max":
            if count[v]:
                want[own] = terms[near + [own] * added[v]].max(axis=0)
            continue
        for start in range(0, len(near), 256):
            block = np.zeros_like(want[own])
            for u in near[start:start + 256]:
                block += terms[u]
            want[own] += block
        if added[v]:
            want[own] += terms[own]
        if gcn:
            want[own] *= scale[own]
        elif op == "mean" and count[v]:
            want[own] /= np.float32(count[v])
    return want


@check
def aggregate(case, run):
    n, rng = len(case.vertices), case.rng
    x = np.random.default_rng(case.index).standard_normal((n, rng.choice([1, 3, 8]))).astype(np.float32)
    features = run.file("features.npy", "")
    np.save(features, x)
    for self_loop in False, True:
        op, gcn = rng.choice([("sum", False), ("mean", False), ("max", False), ("mean", True)])
        flags = ["--op", op] + ["--self-loop"] * self_loop + ["--normalize", "gcn"] * gcn
        answer = run("--features", features, *flags)
        want = aggregated(case, x, op, self_loop, gcn)
        for c in range(x.shape[1]):
            got = {v: np.float32(value) for v, value in answer.column(f"f{c}").items()}
            expect(f"column {c} of {' '.join(flags)}", got, dict(zip(case.vertices, want[:, c])))
