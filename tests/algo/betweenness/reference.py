"""What betweenness must answer: see tests/conformance/compare.py.

Paths are counted in whole numbers and shares of them in fractions, so that every digit is known; NetworkX has the factors."""
from collections import Counter
from fractions import Fraction

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
    """Of one source: what each vertex, and each pair with arcs, has of its shortest paths.  arcs[u][v]: how many there are."""
    level, count, order = {s: 0}, {s: 1}, [s]
    for u in order:
        for v, times in arcs[u].items():
            if v not in level:
                level[v], count[v] = level[u] + 1, 0
                order.append(v)
            if level[v] == level[u] + 1:
                count[v] += count[u] * times
    has, pairs = dict.fromkeys(order, Fraction(0)), Counter()
    for u in reversed(order):
        for v, times in arcs[u].items():
            if level[v] == level[u] + 1:
                brings = Fraction(count[u] * times, count[v]) * (has[v] + (v in targets))
                has[u] += brings
                pairs[u, v] += brings
    has[s] = Fraction(0)
    if ends:
        for v in order:
            has[v] += len(order) - 1 if v == s else 1
    return has, pairs


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
    vertex, pair = dict.fromkeys(case.vertices, Fraction(0)), Counter()
    for s in sources:
        has, pairs = dependencies(arcs, s, targets, ends)
        for v, value in has.items():
            vertex[v] += value
        pair.update(pairs)
    of_source, of_other = factors(case, sources, sample, normalized, ends)
    given = [*flags, *["--normalized"] * normalized, *["--endpoints"] * ends, "--verify"]
    near("betweenness", run(*given).column("betweenness"),
         {v: (f := of_source if v in sources else of_other) and value * f for v, value in vertex.items()})
    whole = factors(case, sources, sample, normalized, True)[1]
    rows = run(*given, "--edges").rows
    want = []
    for u, v in sorted((u, v) if case.directed else (min(u, v), max(u, v)) for u, v, *_ in case.graph.edges):
        value = pair[u, v] + (0 if case.directed or u == v else pair[v, u])
        want.append((u, v, value * whole / max(1, arcs[u][v])))
    near("edges", {i: row["edge_betweenness"] for i, row in enumerate(rows)}, {i: w for i, (_, _, w) in enumerate(want)})
    expect("edges", [(row["source"], row["target"]) for row in rows], [(u, v) for u, v, _ in want])
    return vertex


def check(case, run):
    arcs = {v: Counter() for v in case.vertices}
    for u, v, _ in case.arcs():
        arcs[u][v] += 1
    everything = set(case.vertices)
    if len(everything) > 150:  # fractions take their time
        return
    for normalized in False, True:
        for ends in False, True:
            compare(case, run, arcs, [], everything, everything, False, normalized, ends)
    if not everything:
        return
    sources = set(case.rng.sample(case.vertices, case.rng.randint(1, len(everything))))
    targets = set(case.rng.sample(case.vertices, case.rng.randint(1, len(everything))))
    chosen = ["--sources", "@" + run.file("sources", "".join(f"{v}\n" for v in sources))]
    aimed = ["--targets", "@" + run.file("targets", "".join(f"{v}\n" for v in targets))]
    compare(case, run, arcs, chosen, sources, everything, True, case.index % 2 == 0, case.index % 3 == 0)
    compare(case, run, arcs, [*chosen, *aimed], sources, targets, False, case.index % 2 == 0)
    plain = nx.DiGraph if case.directed else nx.Graph
    named = nx.betweenness_centrality_subset(plain(case.graph), list(sources), list(targets))
    if not case.graph.is_multigraph():
        near("NetworkX", named, {v: value * factors(case, sources, False, False, False)[1] for v, value in
                                 compare(case, run, arcs, [*chosen, *aimed], sources, targets, False).items()})
