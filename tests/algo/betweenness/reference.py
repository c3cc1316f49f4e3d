"""What betweenness must answer: see tests/conformance/compare.py.

Paths are counted in whole numbers and shares of them in fractions, so that every digit is known; NetworkX has the factors."""
from collections import Counter
from fractions import Fraction
from heapq import heappop, heappush
from math import inf

import networkx as nx

from expecting import Mismatch, expect


def near(what, got, want):
    expect(f"{what}, which", sorted(got), sorted(want))
    for key, value in want.items():
        if value is None and got[key] is None:
            continue
        if value is None or got[key] is None or abs(Fraction(got[key]) - value) > Fraction(1, 10**12) * value:
            raise Mismatch(f"{what} of {key}: weft {got[key]!r}, expected {value and float(value)!r}")


def dependencies(arcs, s, targets, ends):
    """Of one source: what each vertex, and each arc (u, v, weight), has of its shortest paths.  arcs[u][v, weight]: how many there
    are.  Lengths are added from the source on, as floats: whole numbers by hops."""
    length, count, order, heap = {}, Counter({s: 1}), [], [(0, s)]
    best = {s: 0}
    while heap:
        so_far, u = heappop(heap)
        if u in length:
            continue
        length[u] = so_far
        order.append(u)
        for (v, weight), times in arcs[u].items():
            far = so_far + weight
            if far < best.get(v, inf):
                best[v], count[v] = far, 0
                heappush(heap, (far, v))
            if far == best[v]:
                count[v] += count[u] * times
    has, along = dict.fromkeys(order, Fraction(0)), Counter()
    for u in reversed(order):
        for (v, weight), times in arcs[u].items():
            if length[v] == length[u] + weight:
                brings = Fraction(count[u] * times, count[v]) * (has[v] + (v in targets))
                has[u] += brings
                along[u, v, weight] += brings
    has[s] = Fraction(0)
    if ends:
        for v in order:
            has[v] += len(order) - 1 if v == s else 1
    return has, along


def factors(case, sources, sample, normalized, ends):
    """Of sources and of other vertices; None: a sole source has no value."""
    n, k = len(case.vertices) - (not ends), len(sources)
    if n < 2:
        return Fraction(1), Fraction(1)
    whole = Fraction(1, n - 1) if normalized else Fraction(n, 1 if case.directed else 2)
    if not sample:
        return whole / n, whole / n
    return (whole / k if ends else whole / (k - 1) if k > 1 else None), whole / k


def compare(case, run, arcs, flags, sources, targets, sample, normalized=False, ends=False):
    vertex, along = dict.fromkeys(case.vertices, Fraction(0)), Counter()
    for s in sources:
        has, brings = dependencies(arcs, s, targets, ends)
        for v, value in has.items():
            vertex[v] += value
        along.update(brings)
    of_source, of_other = factors(case, sources, sample, normalized, ends)
    given = [*flags, *["--normalized"] * normalized, *["--endpoints"] * ends, "--verify"]
    near("betweenness", run(*given).column("betweenness"),
         {v: (f := of_source if v in sources else of_other) and value * f for v, value in vertex.items()})
    whole = factors(case, sources, sample, normalized, True)[1]
    rows = run(*(flag for flag in given if flag != "--endpoints"), "--edges").rows
    want = []
    for u, v, weight in case.graph.edges(data="weight"):
        u, v = (u, v) if case.directed else (min(u, v), max(u, v))
        weight = weight if "--weights" in flags else 1
        value = along[u, v, weight] + (0 if case.directed or u == v else along[v, u, weight])
        want.append((u, v, value * whole / max(1, arcs[u][v, weight])))
    expect("edges", [(row["source"], row["target"]) for row in rows], sorted((u, v) for u, v, _ in want))
    rows = sorted((row["source"], row["target"], row["edge_betweenness"]) for row in rows)  # of parallel ones by value
    near("edges", {i: value for i, (_, _, value) in enumerate(rows)}, {i: value for i, (_, _, value) in enumerate(sorted(want))})
    return vertex


def compare_all(case, run, arcs, flags, thorough):
    """From all vertices, from some, and from some to some."""
    everything = set(case.vertices)
    whole = {}
    for normalized in (False, True) if thorough else (False,):
        for ends in (False, True) if thorough else (False,):
            whole[normalized, ends] = compare(case, run, arcs, flags, everything, everything, False, normalized, ends)
    if not everything:
        return
    sources = set(case.rng.sample(case.vertices, case.rng.randint(1, len(everything))))
    targets = set(case.rng.sample(case.vertices, case.rng.randint(1, len(everything))))
    chosen = [*flags, "--sources", "@" + run.file("sources", "".join(f"{v}\n" for v in sources))]
    aimed = ["--targets", "@" + run.file("targets", "".join(f"{v}\n" for v in targets))]
    compare(case, run, arcs, chosen, sources, everything, True, case.index % 2 == 0, case.index % 3 == 0)
    some = compare(case, run, arcs, [*chosen, *aimed], sources, targets, False, case.index % 2 == 0)
    if case.graph.is_multigraph():
        return
    plain = (nx.DiGraph if case.directed else nx.Graph)(case.graph)
    weight = "weight" if "--weights" in flags else None
    factor = factors(case, sources, False, False, False)[1]
    near("NetworkX", nx.betweenness_centrality(plain, normalized=False, weight=weight),
         {v: value * factor for v, value in whole[False, False].items()})
    near("NetworkX", nx.betweenness_centrality_subset(plain, list(sources), list(targets), weight=weight),
         {v: value * factor for v, value in some.items()})


def compare_random_paths(case, run, arcs):
    """So sure a bound that no graph that is ever drawn should be beyond it."""
    n, everything = len(case.vertices), set(case.vertices)
    vertex = dict.fromkeys(case.vertices, Fraction(0))
    for s in everything:
        for v, value in dependencies(arcs, s, everything, False)[0].items():
            vertex[v] += value
    answer = run("--error", "0.05", "--confidence", "0.999999", "--normalized", "--seed", str(case.index), "--verify")
    expect("error", answer.result["error"] <= 0.05, True)
    for v, value in answer.column("betweenness").items():
        true = vertex[v] / max(1, (n - 1) * (n - 2))
        if abs(Fraction(value) - true) > Fraction(answer.result["error"]):
            raise Mismatch(f"random paths: {v} has {value!r}, and {float(true)!r} of all, with {answer.result}")


def arcs_of(case, weighted):
    arcs = {v: Counter() for v in case.vertices}
    for u, v, weight in case.arcs():
        arcs[u][v, weight if weighted else 1] += 1
    return arcs


def check(case, run):
    arcs = arcs_of(case, False)
    if len(case.vertices) > 150:  # fractions take their time
        return
    compare_all(case, run, arcs, [], True)
    compare_random_paths(case, run, arcs)
    if not case.is_weighted():
        return
    if any(weight <= 0 for _, _, weight in case.arcs()):
        refused = run("--weights", codes=(3,))
        expect("refused", "has weight 0, but --weights asks for finite numbers above 0" in refused.said, True)
        return
    compare_all(case, run, arcs_of(case, True), ["--weights"], case.index % 2 == 0)
