"""What weft agreement must answer: see tests/conformance/compare.py.  The definitions, with whole numbers and fractions as far as they go;
and scikit-learn, where it is installed."""
import json
import math
from collections import Counter
from fractions import Fraction

from expecting import Mismatch

try:
    from sklearn import metrics
except ImportError:
    metrics = None


def entropy(counts, n):
    return -math.fsum(x / n * math.log(x / n) for x in counts.values())


def by_chance(a, b, n):
    """The mean of the mutual information over all partitions with these sizes."""
    terms = []
    for x, times_x in Counter(a.values()).items():
        for y, times_y in Counter(b.values()).items():
            for k in range(max(1, x + y - n), min(x, y) + 1):
                p = Fraction(math.comb(x, k) * math.comb(n - x, y - k), math.comb(n, y))
                terms.append(times_x * times_y * float(p) * k / n * math.log(n * k / (x * y)))
    return math.fsum(terms)


def figures(a, b):
    n, sizes_a, sizes_b, both = len(a), Counter(a), Counter(b), Counter(zip(a, b))
    if len(sizes_a) == len(sizes_b) == len(both):
        return dict.fromkeys(("nmi", "ami", "ari", "homogeneity", "completeness", "v_measure"), 1) | {"vi": 0}
    h_a, h_b = entropy(sizes_a, n), entropy(sizes_b, n)
    shared = math.fsum(x / n * math.log(n * x / (sizes_a[i] * sizes_b[j])) for (i, j), x in both.items())
    chance, mean = by_chance(sizes_a, sizes_b, n), (h_a + h_b) / 2
    pairs_a, pairs_b, together = (sum(math.comb(x, 2) for x in c.values()) for c in (sizes_a, sizes_b, both))
    expected = Fraction(pairs_a * pairs_b, math.comb(n, 2))
    h, c = shared / h_a if h_a else 1, shared / h_b if h_b else 1
    return {"nmi": shared / mean, "ami": (shared - chance) / (mean - chance),
            "ari": float((together - expected) / (Fraction(pairs_a + pairs_b, 2) - expected)), "homogeneity": h, "completeness": c,
            "v_measure": 2 * h * c / (h + c) if h + c else 0, "vi": h_a + h_b - 2 * shared}


def expect_near(whose, got, want, bound):
    for name, value in want.items():
        if not abs(got[name] - value) <= bound:
            raise Mismatch(f"{name}: weft {got[name]!r}, expected {value!r} ({whose})")


def check(case, run):
    rng, ids = case.rng, case.vertices[:300]
    if not ids:
        return
    groups = rng.choice([1, 2, 5, len(ids)])
    a = {v: rng.randrange(groups) for v in ids}
    b = {v: a[v] if rng.random() < 0.7 else rng.randrange(rng.choice([2, 9])) for v in ids}
    names = rng.sample(range(1000), 1000)
    first = run.file("a.tsv", "id\tlabel\n" + "".join(f"{v}\t{a[v]}\n" for v in ids))
    second = run.file("b.csv", "".join(f"{v},c{names[b[v]]}\n" for v in rng.sample(ids, len(ids))))
    run.command = ["weft", "agreement", first, second]
    got = json.loads(run.other("agreement", first, second, "--json"))["result"]
    x, y = [a[v] for v in ids], [b[v] for v in ids]
    expect_near("the definitions", got, figures(x, y), 1e-11)
    if metrics:
        # Its logarithms of factorials cost the adjusted one digits, more where there is little to adjust.
        expect_near("scikit-learn", got, {"ami": metrics.adjusted_mutual_info_score(x, y)}, 1e-8)
        expect_near("scikit-learn", got, {
            "nmi": metrics.normalized_mutual_info_score(x, y), "ari": metrics.adjusted_rand_score(x, y),
            "homogeneity": metrics.homogeneity_score(x, y), "completeness": metrics.completeness_score(x, y),
            "v_measure": metrics.v_measure_score(x, y)}, 1e-12)
