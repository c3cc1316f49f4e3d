"""What eigenvector must answer: see tests/conformance/compare.py.

- every graph: the interval has the largest eigenvalue, converged or not; so many iterations by the definition, to rounding;
- one largest eigenvalue, the next well below it: numpy's eigenvector, within what the tolerance leaves;
- and NetworkX's, where the graph is strongly connected and it has one."""
import math

import networkx as nx
import numpy as np

from expecting import Mismatch, expect, expect_near, largest_eigenvalue, matrix_of

CLOSE, SLOW = 1e-12, 0.99


def shift_of(matrix, arcs, weighted):
    return 2.0 ** round(math.log2(matrix.sum() / arcs)) if weighted and matrix.any() else 1.0


def power_steps(matrix, shift, steps):
    n = len(matrix)
    x = [1 / n] * n
    arcs = [(u, v, matrix[u, v]) for u, v in zip(*np.nonzero(matrix))]
    for _ in range(steps):
        terms = [[shift * value] for value in x]
        for u, v, w in arcs:
            terms[v].append(w * x[u])
        x = [math.fsum(row) for row in terms]
        total = math.fsum(x)
        x = [value / total for value in x]
    return x


def scaled(x):
    return x / math.sqrt(math.fsum(value * value for value in x))


def expect_inside(answer, eigenvalue):
    low, high = answer.result["lambda_low"], answer.result["lambda_high"]
    if not low <= eigenvalue * (1 + 1e-9) or not high >= eigenvalue * (1 - 1e-9):
        raise Mismatch(f"the largest eigenvalue is {eigenvalue!r}, not in {low!r} ... {high!r}")


def compare(case, run, flags, matrix, shift):
    def near(what, answer, x, bound):
        expect_near(f"score, {what}", answer.column("score"), dict(zip(case.vertices, scaled(np.array(x)))), bound)

    n, steps = len(matrix), case.rng.randint(1, 20)
    eigenvalue = largest_eigenvalue(matrix)
    answer = run(*flags, "--max-iterations", str(steps), "--tolerance", "0")
    near("step by step", answer, power_steps(matrix, shift, answer.result["iterations"]), 1e-14 * (steps + 1) * n)
    expect_inside(answer, eigenvalue)

    values, vectors = np.linalg.eig(matrix.T)
    sizes = abs(values + shift)
    order = np.argsort(-sizes)
    rate = sizes[order[1]] / sizes[order[0]] if n > 1 else 0
    if rate > SLOW or eigenvalue == 0:
        return
    answer = run(*flags, "--tolerance", str(CLOSE), "--max-iterations", "20000")
    expect_inside(answer, eigenvalue)
    if not answer.result["residual"] <= CLOSE:
        raise Mismatch(f"a rate of {rate} and yet no convergence: {answer.result}")
    bound = 1000 * n * CLOSE / (1 - rate)
    near("numpy", answer, abs(vectors[:, order[0]].real), bound)
    plain = nx.from_numpy_array(matrix, create_using=nx.DiGraph)
    if n > 3 and nx.is_strongly_connected(plain):
        near("NetworkX", answer, list(nx.eigenvector_centrality_numpy(plain, weight="weight", max_iter=1000).values()), bound)


def check(case, run):
    for weighted in [False, True] if case.is_weighted() else [False]:
        flags = ["--weights"] * weighted
        matrix = matrix_of(case, weighted)
        if matrix.any():
            compare(case, run, flags, matrix, shift_of(matrix, len(list(case.arcs())), weighted))
        else:
            answer = run(*flags)
            expect("lambda_high", answer.result["lambda_high"], 0)
            expect_near("score", answer.column("score"), {v: len(matrix) ** -0.5 for v in case.vertices}, 1e-12)
