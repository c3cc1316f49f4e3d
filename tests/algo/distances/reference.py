"""What distances must answer: see tests/conformance/compare.py."""
from collections import Counter

import networkx as nx

from expecting import Mismatch, expect


def check(case, run):
    parts = list(nx.connected_components(case.simple)) if case.vertices else []
    part = min(parts, key=lambda p: (-len(p), min(p))) if parts else []
    g = case.simple.subgraph(part)
    lengths = dict(nx.all_pairs_shortest_path_length(g))
    ecc = {v: max(to.values()) for v, to in lengths.items()}
    pairs = Counter(d for u, to in lengths.items() for v, d in to.items() if u < v)
    answer = run("--verify", "--table") if case.index % 2 else run("--verify")
    want = {"diameter": max(ecc.values(), default=0), "radius": min(ecc.values(), default=0), "open": 0, "vertices": len(part)}
    expect("figures", {k: answer.result[k] for k in want}, want)
    expect("distribution", dict(zip(answer.result["distance"], answer.result["pairs"])), dict(pairs))
    if part and len(part) > 1:
        mean = sum(d * c for d, c in pairs.items()) / sum(pairs.values())
        if abs(answer.result["mean_distance"] - mean) > 1e-9 * mean:
            raise Mismatch(f"mean_distance: weft {answer.result['mean_distance']}, expected {mean}")
    if answer.rows:
        expect("eccentricity", answer.column("eccentricity"), {v: ecc.get(v) for v in case.vertices})
    bounded = run("--all-pairs", "0", "--searches", "100000", "--verify")
    expect("figures by bounds", {k: bounded.result[k] for k in ("diameter", "diameter_at_most", "radius", "radius_at_least", "vertices")},
           {"diameter": want["diameter"], "diameter_at_most": want["diameter"], "radius": want["radius"],
            "radius_at_least": want["radius"], "vertices": len(part)})
    low, high = bounded.column("eccentricity"), bounded.column("at_most")
    for v in part:
        if not low[v] <= ecc[v] <= high[v]:
            raise Mismatch(f"eccentricity of {v}: {ecc[v]} is not from {low[v]} to {high[v]}")
    expect("open", bounded.result["open"], sum(low[v] != high[v] for v in part))
