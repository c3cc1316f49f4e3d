"""What layout must answer: see tests/conformance/compare.py.  Places are no numbers to compare; what any layout must be is."""
import math

import networkx as nx

from expecting import Mismatch, expect


def check(case, run):
    answer = run("--verify")
    parts = list(nx.connected_components(case.simple)) if case.vertices else []
    expect("components", answer.result["components"], len(parts))
    x, y = answer.column("x"), answer.column("y")
    places = {(x[v], y[v]) for v in case.vertices}
    expect("places", len(places), len(case.vertices))
    for v in case.vertices:
        if not (math.isfinite(x[v]) and math.isfinite(y[v])):
            raise Mismatch(f"{v} is at {x[v]}, {y[v]}")
    boxes = [(min(x[v] for v in p), max(x[v] for v in p), min(y[v] for v in p), max(y[v] for v in p)) for p in parts]
    for i, a in enumerate(boxes):
        for b in boxes[:i]:
            if a[0] <= b[1] and b[0] <= a[1] and a[2] <= b[3] and b[2] <= a[3]:
                raise Mismatch(f"components overlap: {a} and {b}")
