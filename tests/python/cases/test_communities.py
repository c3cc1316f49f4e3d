"""Communities: sets, sweeps, labels to begin with, and NetworkX's functions."""
import random
from functools import partial

import numpy as np
import pytest

import weftgraph as wg

nx = pytest.importorskip("networkx")

from weftgraph.nx.version import NETWORKX  # noqa: E402


def test_communities_are_sets_of_ids():
    g = wg.from_edges([("a", "b"), ("b", "c"), ("c", "a"), ("x", "y"), ("c", "x")], directed=False)
    r = g.leiden(verify=True)
    assert r.communities() == [{"a", "b", "c"}, {"x", "y"}]
    assert g.leiden(top=2).communities() == r.communities() and g.louvain().communities() == r.communities()
    assert g.components().communities() == [{"a", "b", "c", "x", "y"}]
    assert r.sizes()["size"].tolist() == [3, 2]
    with pytest.raises(ValueError, match="no groups"):
        g.degree().communities()


def test_a_sweep_is_a_table_with_its_results():
    g = wg.generate.karate()
    s = g.leiden(resolution=[0.5, 1, 2.0], seed=3)
    assert s["resolution"].tolist() == [0.5, 1.0, 2.0] and len(s) == 3 and len(s.results) == 3
    assert s["count"].tolist() == [r.count for r in s.results] == sorted(s["count"])
    assert s.results[1].communities() == g.leiden(seed=3).communities()
    assert len(g.louvain(resolution=np.array([1.0, 4.0])).results) == 2
    with pytest.raises(ValueError, match="resolution"):
        g.leiden(resolution=[])
    with pytest.raises(ValueError, match="resolution"):
        g.leiden(resolution=[1, 0])


def test_labels_to_begin_with():
    ring = wg.from_edges([(5 * c + i, 5 * c + k) for c in range(30) for i in range(5) for k in range(i)]
                         + [(5 * c, (5 * c + 5) % 150) for c in range(30)], directed=False)
    cliques = [str(v // 5) for v in ring.ids]
    told = ring.leiden(initial=cliques, objective="cpm", resolution=0.5)
    assert told.count == 30 and told.to_dict() == ring.leiden(initial={v: ("clique", v // 5) for v in ring.ids}, objective="cpm", resolution=0.5).to_dict()
    assert ring.leiden(initial=np.zeros(150, dtype=int), iterations=1, verify=True).count > 1
    with pytest.raises(ValueError, match="149 .*no label|vertex 149 has no label"):
        ring.leiden(initial={v: 0 for v in range(149)})
    with pytest.raises(ValueError, match="150 labels"):
        ring.leiden(initial=[0])
    with pytest.raises(wg.NotFoundError):
        ring.leiden(initial={"elsewhere": 0})


def test_levels_are_columns_from_small_to_large():
    r = wg.generate.grid(rows=20, columns=20).leiden(levels=True, iterations=1)
    levels = [name for name in r.columns if name.startswith("level_")]
    counts = [len(set(r[name])) for name in levels]
    assert len(levels) > 1 and counts == sorted(counts, reverse=True) and counts[-1] == r.count
    assert r[levels[-1]].tolist() == r["community"].tolist()


def graphs():
    rng = random.Random(7)
    for i in range(100):
        n = rng.choice([12, 30, 60, 150])
        g = rng.choice([nx.gnm_random_graph(n, 3 * n, seed=i), nx.watts_strogatz_graph(n, 4, 0.2, seed=i),
                        nx.barabasi_albert_graph(n, 2, seed=i), nx.planted_partition_graph(max(2, n // 10), 10, 0.6, 0.03, seed=i),
                        nx.gnm_random_graph(n, 2 * n, seed=i, directed=True)])
        for _, _, data in g.edges(data=True):
            data["weight"] = rng.randrange(1, 9) if i % 2 else 1
        g.add_edges_from([(v, v, {"weight": 1}) for v in list(g)[: n // 10]] * (i % 3 == 0))
        yield g


def test_as_good_as_louvain_of_networkx():
    """Of 100 graphs our first answer beside the best of three, in the mean; and the best of three of ours, everywhere."""
    ratios = {"leiden": [], "louvain": []}
    for g in graphs():
        best = max(nx.community.modularity(g, nx.community.louvain_communities(g, seed=s, backend="networkx")) for s in range(3))
        ours = wg.from_networkx(g, weight="weight")
        for name in ratios:
            found = getattr(ours, name)(weights=True)
            assert abs(found.modularity - nx.community.modularity(g, found.communities())) < 1e-12
            ratios[name].append(found.modularity / best)
        assert max(ours.leiden(weights=True, seed=s).modularity for s in range(3)) >= 0.97 * best
    assert all(sum(r) / len(r) >= 0.999 for r in ratios.values()), {name: sum(r) / len(r) for name, r in ratios.items()}


@pytest.mark.filterwarnings("ignore::UserWarning")  # of NetworkX's cache
@pytest.mark.parametrize("name", ["louvain", "leiden"])
def test_functions_of_networkx(name):
    g = nx.planted_partition_graph(8, 12, 0.7, 0.02, seed=1)
    how = {"metric": "modularity"} if name == "leiden" and NETWORKX >= (3, 7) else {}  # the other: test_nx_versions.py
    communities = partial(getattr(nx.community, f"{name}_communities"), **how)
    partitions = partial(getattr(nx.community, f"{name}_partitions"), **how)
    found = communities(g, backend="weft")
    assert found == communities(g, backend="weft") and nx.community.is_partition(g, found)  # without a seed, too
    assert communities(g, seed=5, backend="weft") == communities(g, seed=5, backend="weft")
    assert found == list(partitions(g, backend="weft"))[-1]
    assert [min(part) for part in found] == sorted(min(part) for part in found) and type(found[0]) is set
    assert len(communities(g, resolution=4, backend="weft")) >= len(found) >= len(communities(g, resolution=0.2, backend="weft"))
    with pytest.raises(ValueError, match="positive"):
        communities(g, max_level=0, backend="weft")
    with pytest.raises(NotImplementedError):
        communities(g, resolution=0, backend="weft")
    h = nx.MultiGraph(g)
    h.add_edges_from(g.edges)
    assert communities(h, backend="weft") == communities(g, backend="weft")
    assert communities(nx.empty_graph(3), backend="weft") == [{0}, {1}, {2}]
