"""What katz must answer: see tests/conformance/compare.py.

The scores solve (1 - alpha A) x = beta, where A has incoming arcs: numpy does, and NetworkX.  They lie between the columns, and none is
above its lower bound by more than the error; an alpha that is too large is refused."""
import networkx as nx
import numpy as np

from expecting import Mismatch, expect, expect_near, largest_eigenvalue, matrix_of


def expect_between(what, x, low, high):
    for i, value in enumerate(x):
        if not low[i] <= value * (1 + 1e-9) or not high[i] >= value * (1 - 1e-9):
            raise Mismatch(f"{what}: score {i} is {value!r}, not in {low[i]!r} ... {high[i]!r}")


def compare(case, run, flags, matrix, alpha, beta):
    n = len(matrix)
    system = np.eye(n) - alpha * matrix.T
    if np.linalg.cond(system) > 1e6:  # walks grow along chains: numpy's answer would not be good enough
        return
    x = np.linalg.solve(system, np.full(n, beta))
    given = [*flags, "--alpha", repr(alpha), "--beta", repr(beta), "--bounds"]
    for terms in str(case.rng.randint(1, 30)), "20000":
        answer = run(*given, "--max-iterations", terms, "--no-normalized")
        low = np.array([answer.column("score")[v] for v in case.vertices])
        upper, error = answer.column("upper"), answer.result["error"]
        if error is None:  # JSON has no infinity
            continue
        expect_between("upper", x, low, [upper[v] for v in case.vertices])
        expect_between("error", x, low, low + error)
    if error is None or not error <= 1e-8 * low.max():
        raise Mismatch(f"it did not converge: {answer.result}")
    answer = run(*given)
    expect_near("normalized", answer.column("score"), dict(zip(case.vertices, x / np.linalg.norm(x))), 1e-7 * n)
    if n == 1:  # nx.katz_centrality_numpy fails
        return
    plain = nx.from_numpy_array(matrix, create_using=nx.DiGraph)
    named = nx.katz_centrality_numpy(plain, alpha=alpha, beta=beta, weight="weight")
    expect_near("NetworkX", answer.column("score"), dict(zip(case.vertices, named.values())), 1e-7 * n)


def check(case, run):
    for weighted in [False, True] if case.is_weighted() else [False]:
        flags = ["--weights"] * weighted
        matrix = matrix_of(case, weighted)
        if not matrix.any():
            answer = run(*flags, "--beta", "3", "--no-normalized")
            expect("score", answer.column("score"), {v: 3 for v in case.vertices})
            continue
        eigenvalue = largest_eigenvalue(matrix)
        alpha = case.rng.choice([0.3, 0.6, 0.9]) / max(eigenvalue, float(matrix.sum(axis=0).max()) / 8)
        compare(case, run, flags, matrix, alpha, case.rng.choice([1.0, 0.125, 17.5]))
        if eigenvalue > 0:
            answer = run(*flags, "--alpha", repr(1.05 / eigenvalue), "--max-iterations", "5000", codes=(2, 3))
            if "is too large" not in answer.said:
                raise Mismatch(f"1.05 over the eigenvalue is refused with: {answer.said}")
