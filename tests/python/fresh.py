"""A first look without NumPy or anything else."""
import pickle
import sys

import weftgraph as wg

assert "numpy" not in sys.modules
g = wg.generate.karate()
assert (g.vertices, g.edges, g.directed) == (34, 78, False)
top = g.pagerank(top=2, verify=True)
assert top["id"].tolist() == [34, 1], top
assert pickle.loads(pickle.dumps(g)).fingerprint() == g.fingerprint()
h = wg.from_edges(["a", "b"], ["b", "c"], [1.5, 2.5])
assert h.sssp("a").to_dict() == {"a": 0, "b": 1.5, "c": 4.0}
assert memoryview(g.degree()["total"])[0] == 16
print(wg.__version__, g)
