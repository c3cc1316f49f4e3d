"""What harmonic must answer: see tests/conformance/compare.py.

By hops fractions, of which every digit is known, where there are few vertices; NetworkX's values but for the last
digits else, and by weights."""
from fractions import Fraction

import networkx as nx

from expecting import Mismatch, expect


def near(what, got, want):
    expect(f"{what}, which", sorted(got), sorted(want))
    for v, value in want.items():
        if value is None and got[v] is None:
            continue
        if value is None or got[v] is None or abs(got[v] - value) > 1e-12 * value:
            raise Mismatch(f"{what} of {v}: weft {got[v]!r}, expected {value!r}")


def check(case, run):
    towards = case.graph
    away = towards.reverse() if case.directed else towards
    for graph, side in (towards, "in"), (away, "out"):
        flags = ["--direction", side]
        want = nx.harmonic_centrality(graph)
        near(f"harmonic {flags}", run(*flags, "--verify").column("harmonic"), want)
        if len(case.vertices) > 1:
            near(f"normalized {flags}", run(*flags, "--normalized").column("harmonic"),
                 {v: value / (len(case.vertices) - 1) for v, value in want.items()})
        if case.is_weighted():
            want = nx.harmonic_centrality(graph, distance="weight")
            near(f"harmonic by weights {flags}", run(*flags, "--weights", "--verify").column("harmonic"), want)
    if not case.vertices:
        return
    some, sources = (case.rng.sample(case.vertices, case.rng.randint(1, len(case.vertices))) for _ in range(2))
    chosen = ["--of", "@" + run.file("some", "".join(f"{v}\n" for v in some))]
    begun = ["--sources", "@" + run.file("sources", "".join(f"{v}\n" for v in sources))]
    exact = {}
    for v in case.vertices[:200]:
        hops = nx.single_source_shortest_path_length(away, v)
        exact[v] = sum(Fraction(1, d) for u, d in hops.items() if d and u in sources)
    got = run(*begun, "--verify").column("harmonic")
    expect("harmonic from sources", {v: got[v] for v in exact}, {v: float(value) for v, value in exact.items()})
    near("harmonic from sources, NetworkX", got, nx.harmonic_centrality(towards, sources=sources))
    of_some = nx.harmonic_centrality(towards, some, sources=sources)
    near("harmonic of some", run(*chosen, *begun, "--verify").column("harmonic"),
         {v: of_some.get(v) for v in case.vertices})
    run("--estimate", "--registers", case.rng.choice(["16", "128"]), "--verify")
    full, most = run().column("harmonic"), case.rng.randint(1, len(case.vertices))
    few = {v: x for v, x in run("--first", str(most), "--verify").column("harmonic").items() if x is not None}
    expect("the first, as in a full run", few, {v: full[v] for v in few})
    expect("the first", sorted(few.values(), reverse=True), sorted(full.values(), reverse=True)[:most])
