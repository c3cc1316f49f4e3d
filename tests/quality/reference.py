"""What weft quality must answer: see tests/conformance/compare.py."""
import math
from collections import defaultdict

import networkx as nx

from expecting import Mismatch, expect


def near(what, got, want):
    if not math.isclose(got, want, rel_tol=1e-9, abs_tol=1e-12):
        raise Mismatch(f"{what}: weft {got!r}, expected {want!r}")


def expect_row(case, row, part, weight):
    """Of a community: every edge by its ends; a directed graph as if it had no direction."""
    inside = cut = everything = 0
    for u, v, w in case.graph.edges(data="weight"):
        w = w if weight else 1
        ends = (u in part) + (v in part)
        inside, cut, everything = inside + w * (ends == 2), cut + w * (ends == 1), everything + 2 * w
    smaller = min(2 * inside + cut, everything - 2 * inside - cut)
    near("internal", row["internal"], inside)
    near("cut", row["cut"], cut)
    near("conductance", row["conductance"], cut / smaller if smaller > 1e-9 * everything else 0)
    plain = nx.Graph(case.graph.subgraph(part).edges())
    plain.add_nodes_from(part)
    expect("pieces", row["pieces"], nx.number_connected_components(plain))


def check(case, run):
    rng, g = case.rng, case.graph
    groups = rng.choice([1, 2, 5, 30])
    label = {v: f"g{rng.randrange(groups)}" for v in case.vertices}
    parts = defaultdict(set)
    for v, name in label.items():
        parts[name].add(v)
    weight = "weight" if case.is_weighted() and rng.random() < 0.6 else None
    gamma = rng.choice([1, 0.5, 3])
    lines = [f"{v}\t{label[v]}\n" for v in rng.sample(case.vertices, len(case.vertices))]
    if not lines:
        return
    flags = ["--partition", run.file("labels.tsv", "id\tlabel\n" + "".join(lines)), "--resolution", str(gamma)]
    if weight and any(w < 0 for _, _, w in g.edges(data="weight")):
        run(*flags, "--weights", codes=(3,))
        return
    answer = run(*flags, *["--weights"] * bool(weight)).document
    result, rows = answer["result"], {row["community"]: row for row in answer["table"]}
    total = sum(w if weight else 1 for _, _, w in g.edges(data="weight"))
    want = nx.community.modularity(g, parts.values(), weight=weight, resolution=gamma) if total else 0
    near("modularity", result["modularity"], want)
    expect("sizes", {c: row["size"] for c, row in rows.items()}, {c: len(part) for c, part in parts.items()})
    expect("largest first", [row["size"] for row in answer["table"]], sorted(map(len, parts.values()), reverse=True))
    for c, part in parts.items():
        expect_row(case, rows[c], part, weight)
    inside = math.fsum(row["internal"] for row in rows.values())
    pairs = sum(len(part) * (len(part) - 1) for part in parts.values()) / (1 if case.directed else 2)
    near("cpm", result["cpm"], inside - gamma * pairs)
    near("coverage", result["coverage"], inside / total if total else 0)
    expect("disconnected", result["disconnected"], sum(row["pieces"] > 1 for row in rows.values()))
