"""What aggregate must answer: see tests/conformance/compare.py."""
import math
from collections import defaultdict

import numpy as np

from expecting import expect


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


def check(case, run):
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
