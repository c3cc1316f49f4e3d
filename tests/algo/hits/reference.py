"""What hits must answer: see tests/conformance/compare.py.

nx.hits gives the singular vectors for the largest singular value; power iteration from equal values tends to the same ones, where it is
the only largest, by a factor (second / first)^2 an iteration.  So:
- every graph: so many iterations by the definition, to rounding;
- one largest singular value, the next well below it: nx.hits, within what the tolerance leaves;
- several that are equal to rounding, the next well below: the part of the starting vector that lies in their space (nx.hits gives any
  vector of that space).
Where the next one is so near that it takes thousands of iterations, the first comparison is all there is."""
import math

import networkx as nx
import numpy as np

from expecting import Mismatch, expect, expect_near

CLOSE, SLOW = 1e-12, 0.999


def power_steps(case, matrix, steps):
    n = len(case.vertices)
    hub = [1 / n] * n
    arcs = [(u, v, matrix[u, v]) for u, v in zip(*np.nonzero(matrix))]
    for _ in range(steps):
        into, out = [[] for _ in range(n)], [[] for _ in range(n)]
        for u, v, w in arcs:
            into[v].append(w * hub[u])
        authority = [math.fsum(terms) for terms in into]
        total = math.fsum(authority)
        authority = [a / total for a in authority]
        for u, v, w in arcs:
            out[u].append(w * authority[v])
        hub = [math.fsum(terms) for terms in out]
        total = math.fsum(hub)
        hub = [h / total for h in hub]
    return hub, authority


def compare(case, run, flags, matrix):
    def near(what, answer, hub, authority, bound):
        expect_near(f"hub, {what}", answer.column("hub"), dict(zip(case.vertices, hub)), bound)
        expect_near(f"authority, {what}", answer.column("authority"), dict(zip(case.vertices, authority)), bound)

    steps = case.rng.randint(1, 20)
    answer = run(*flags, "--iterations", str(steps))
    expect("iterations", answer.result["iterations"], steps)
    near("step by step", answer, *power_steps(case, matrix, steps), 1e-14 * (steps + 1))

    _, values, right = np.linalg.svd(matrix)
    largest = int((values > values[0] * (1 - 1e-9)).sum())
    rate = (values[largest] / values[0]) ** 2 if largest < len(values) else 0
    if rate > SLOW:
        return
    answer = run(*flags, "--tolerance", str(CLOSE), "--max-iterations", "20000")
    if not answer.result["residual"] <= CLOSE:
        raise Mismatch(f"a rate of {rate} and yet no convergence: {answer.result}")
    # Each vector is within tolerance / (1 - rate) of the limit in its last direction; others have died out before.
    bound = 10 * CLOSE / (1 - rate)
    if largest == 1 and len(case.vertices) > 1:
        plain = nx.from_numpy_array(matrix, create_using=nx.DiGraph)
        hubs, authorities = nx.hits(plain, tol=0, max_iter=100000)
        near("NetworkX", answer, hubs.values(), authorities.values(), bound)
    space = right[:largest]
    authority = space.T @ (space @ (matrix.T @ np.ones(len(matrix))))
    hub = matrix @ authority
    near("singular vectors", answer, hub / hub.sum(), authority / authority.sum(), bound)


def check(case, run):
    n = len(case.vertices)
    row = {v: i for i, v in enumerate(case.vertices)}
    for weighted in [False, True] if case.is_weighted() else [False]:
        flags = ["--weights"] * weighted
        matrix = np.zeros((n, n))
        for u, v, w in case.arcs():
            matrix[row[u], row[v]] += w if weighted else 1
        if matrix.any():
            compare(case, run, flags, matrix)
        else:
            answer = run(*flags)
            for column in "hub", "authority":
                expect(column, answer.column(column), {v: 0 for v in case.vertices})
