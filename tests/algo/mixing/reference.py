"""What mixing must answer: see tests/conformance/compare.py."""
import math
from collections import Counter
from fractions import Fraction

import networkx as nx
from expecting import Mismatch, expect


def near(what, got, want):
    """want: a number, a fraction, None where there is none."""
    if want is None or got is None:
        expect(what, got, want)
    elif abs(got - want) > 1e-12:
        raise Mismatch(f"{what}: weft {got!r}, expected {float(want)!r}")


def correlation(pairs):
    n, x, y = len(pairs), sum(a for a, _ in pairs), sum(b for _, b in pairs)
    xx = n * sum(a * a for a, _ in pairs) - x * x
    yy = n * sum(b * b for _, b in pairs) - y * y
    xy = n * sum(a * b for a, b in pairs) - x * y
    return xy / math.sqrt(xx * yy) if xx and yy else None


def likeness(pairs):
    """Newman's coefficient of the labels at the ends of arcs."""
    n, out, into = len(pairs), Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    chance = sum(Fraction(out[k] * into[k], n * n) for k in out) if n else 1
    return (Fraction(sum(a == b for a, b in pairs), n) - chance) / (1 - chance) if chance != 1 else None


def check_rich_club(case, table, arcs, degree):
    directed, above = case.graph.is_directed(), sorted(set(degree.values()))
    expect("degree", table["degree"], above)
    expect("count", table["count"], [sum(d == k for d in degree.values()) for k in above])
    for k, club, edges, rich in zip(above, table["club"], table["club_edges"], table["rich_club"]):
        members = {v for v in degree if degree[v] >= k}
        between = sum(u in members and v in members and u != v for u, v in arcs)
        expect(f"club of {k}", club, len(members))
        expect(f"edges of the club of {k}", edges, between if directed else between // 2)
        near(f"rich club of {k}", rich, Fraction(between, club * (club - 1)) if club > 1 else None)
    simple = not directed and not case.graph.is_multigraph() and not nx.number_of_selfloops(case.graph)
    if simple and arcs:
        for k, value in nx.rich_club_coefficient(case.graph, normalized=False).items():
            near(f"NetworkX's rich club of {k}", table["rich_club"][next(i for i, d in enumerate(above) if d > k)], value)


def check(case, run):
    arcs = [(u, v) for u, v, _ in case.arcs()]
    directed, there = case.graph.is_directed(), set(arcs)
    out, into = Counter(u for u, _ in arcs), Counter(v for _, v in arcs)
    degree = {v: out[v] + into[v] if directed else out[v] for v in case.vertices}
    label = {v: case.rng.randrange(3) for v in case.vertices}
    flags = ["--groups", run.file("groups.tsv", "id\tlabel\n" + "".join(f"{v}\t{k}\n" for v, k in label.items()))]
    answer = run(*(flags if case.vertices else []))
    result, proper = answer.result, [(u, v) for u, v in arcs if u != v]
    mutual = [(u, v) for u, v in proper if (v, u) in there]
    n = len(case.vertices)
    near("density", result["density"], Fraction(len(proper), n * (n - 1)) if n > 1 else 0)
    near("reciprocity", result["reciprocity"], Fraction(len(mutual), len(proper)) if proper else None)
    expect("mutual", result["mutual"], len(mutual))
    near("assortativity", result["assortativity"], correlation([(out[u], into[v]) for u, v in arcs]))
    near("group_assortativity", result["group_assortativity"], likeness([(label[u], label[v]) for u, v in arcs]))
    near("transitivity", result["transitivity"], nx.transitivity(nx.Graph(proper)) if proper else 0)
    ends, answered, means = Counter(), Counter(), Counter()
    for u, v in proper:
        ends.update((u, v))
    for u, v in mutual:
        answered.update((u, v))
    for u, v in arcs:
        means[u] += out[v]
    for v in case.vertices:
        near(f"neighbour_degree of {v}", answer.column("neighbour_degree")[v], Fraction(means[v], out[v]) if out[v] else 0)
        near(f"reciprocity of {v}", answer.column("reciprocity")[v], Fraction(answered[v], ends[v]) if ends[v] else None)
    check_rich_club(case, result, arcs, degree)
    check_networkx(case, result, label, proper == arcs)


def check_networkx(case, result, label, loopless):
    """Where both mean the same: NetworkX counts an undirected loop twice in a degree, and in its reciprocity."""
    g = case.graph.copy()
    nx.set_node_attributes(g, label, "label")
    if not g.number_of_edges():
        return
    if loopless and result["assortativity"] is not None:
        got, want = result["assortativity"], nx.degree_assortativity_coefficient(g)
        if abs(got - want) > 1e-9:
            raise Mismatch(f"assortativity: weft {got!r}, NetworkX {want!r}")
    if result["group_assortativity"] is not None:
        near("NetworkX's attribute assortativity", result["group_assortativity"],
             nx.attribute_assortativity_coefficient(g, "label"))
    if loopless and g.is_directed() and not g.is_multigraph():
        near("NetworkX's reciprocity", result["reciprocity"], nx.overall_reciprocity(g))
