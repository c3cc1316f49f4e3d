"""What closeness must answer: see tests/conformance/compare.py.

By hops NetworkX's own bits; by weights its values but for the last digits, as sums are in another order."""
import networkx as nx

from expecting import Mismatch, expect


def near(what, got, want):
    expect(f"{what}, which", sorted(got), sorted(want))
    for v, value in want.items():
        if abs(got[v] - value) > 1e-12 * value:
            raise Mismatch(f"{what} of {v}: weft {got[v]!r}, expected {value!r}")


def check(case, run):
    towards = case.graph
    away = towards.reverse() if case.directed else towards
    for graph, side in (towards, "in"), (away, "out"):
        for scaled in True, False:
            want = nx.closeness_centrality(graph, wf_improved=scaled)
            flags = ["--direction", side, *["--no-scaled"] * (not scaled)]
            expect(f"closeness {flags}", run(*flags, "--verify").column("closeness"), want)
            if case.is_weighted():
                want = nx.closeness_centrality(graph, distance="weight", wf_improved=scaled)
                near(f"closeness by weights {flags}", run(*flags, "--weights", "--verify").column("closeness"), want)
    if not case.vertices:
        return
    some = case.rng.sample(case.vertices, case.rng.randint(1, len(case.vertices)))
    answer = run("--of", "@" + run.file("some", "".join(f"{v}\n" for v in some)), "--verify")
    want = {v: nx.closeness_centrality(towards, v) if v in some else None for v in case.vertices}
    expect("closeness of some", answer.column("closeness"), want)
    expect("vertices", answer.result["vertices"], len(some))
    run("--estimate", "--registers", case.rng.choice(["16", "128"]), "--verify")
    full, most = run().column("closeness"), case.rng.randint(1, len(case.vertices))
    few = {v: x for v, x in run("--first", str(most), "--verify").column("closeness").items() if x is not None}
    expect("the first, as in a full run", few, {v: full[v] for v in few})
    expect("the first", sorted(few.values(), reverse=True), sorted(full.values(), reverse=True)[:most])
