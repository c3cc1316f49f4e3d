"""How each peer is asked the questions that Weft answers.

An adapter's tasks() maps a task to (run, answer): run(source) is what the clock sees, answer(raw) turns what it returned
into an array or a number that can be compared, outside the clock.  None in the place of the pair is a reason why the
task is not run, as text.  A task that is not there is one that the peer does not have.  weft_flags, where there is
one, has the flags with which Weft answers the same question."""
import numpy as np

OTHER_DEFINITION = "another algorithm: asynchronous, its answer depends on chance or on the order"
DIRECTED = "on a directed graph it is defined in another way"


def canonical(labels):
    """Labels of parts to the smallest vertex of each part, as Weft has them."""
    _, first, part = np.unique(np.asarray(labels), return_index=True, return_inverse=True)
    return first[part]


def levels(distances):
    d = np.asarray(distances, dtype=np.float64)
    return np.where(np.isfinite(d) & (d < 1e18), d, -1).astype(np.int64)


def far(distances):
    d = np.asarray(distances, dtype=np.float64)
    return np.where(d < 1e300, d, np.inf)


def from_dict(values, n, missing):
    out = np.full(n, missing, dtype=np.float64)
    out[np.fromiter(values.keys(), dtype=np.int64, count=len(values))] = np.fromiter(
        values.values(), dtype=np.float64, count=len(values))
    return out


class Igraph:
    package = "igraph"

    def __init__(self, graph, threads):
        import igraph
        self.version, self.threads, self.lib, self.graph = igraph.__version__, 1, igraph, graph
        self.g = igraph.Graph(n=graph.n, edges=np.column_stack(graph.edges()).tolist(), directed=graph.directed)
        if graph.weights is not None:
            self.g.es["weight"] = graph.edge_weights().tolist()

    def read(self, path):
        return self.lib.Graph.Read_Edgelist(path, directed=self.graph.directed).ecount()

    def tasks(self):
        g, directed = self.g, self.graph.directed
        found = {
            "pagerank": (lambda s: g.pagerank(damping=0.85), np.asarray),
            "bfs": (lambda s: g.distances(source=s), lambda r: levels(r[0])),
            "components": (lambda s: g.connected_components(mode="weak"), lambda r: canonical(r.membership)),
            "triangles": DIRECTED if directed else (lambda s: len(g.list_triangles()), int),
            "clustering": DIRECTED if directed else (lambda s: g.transitivity_local_undirected(mode="zero"), np.asarray),
            "kcore": (lambda s: g.coreness(mode="all"), np.asarray),
            "labelprop": OTHER_DEFINITION,
        }
        if directed:
            found["toposort"] = (lambda s: g.topological_sorting(mode="out"), np.asarray)
        if self.graph.weights is not None:
            found["sssp"] = (lambda s: g.distances(source=s, weights="weight"), lambda r: far(r[0]))
        return found


class Networkit:
    package = "networkit"

    def __init__(self, graph, threads):
        import networkit
        self.version, self.threads, self.lib, self.graph = networkit.__version__, threads, networkit, graph
        networkit.setNumberOfThreads(threads)
        u, v = (side.astype(np.uint64) for side in graph.edges())
        self.g = networkit.GraphFromCoo((u, v), n=graph.n, directed=graph.directed)
        self.weighted = None
        if graph.weights is not None:
            self.weighted = networkit.GraphFromCoo((graph.edge_weights().astype(np.float64), (u, v)), n=graph.n,
                                                   weighted=True, directed=graph.directed)
        self.indexed = networkit.graph.Graph(self.g)
        self.indexed.indexEdges()
        # Its handling of sinks does nothing on an undirected graph: isolated vertices lose their rank.
        self.weft_flags = {} if graph.directed else {"pagerank": ["--dangling", "drop"]}

    def read(self, path):
        reader = self.lib.graphio.EdgeListReader(" ", 0, directed=self.graph.directed)
        return reader.read(path).numberOfEdges()

    def pagerank(self, source):
        rank = self.lib.centrality.PageRank(self.g, 0.85, 1e-6,
                                            distributeSinks=self.lib.centrality.SinkHandling.DistributeSinks)
        rank.norm = self.lib.centrality.Norm.L1_NORM
        return rank.run()

    def tasks(self):
        nk, g, directed = self.lib, self.g, self.graph.directed
        parts = nk.components.WeaklyConnectedComponents if directed else nk.components.ParallelConnectedComponents
        vertices = range(self.graph.n)
        found = {
            "pagerank": (self.pagerank, lambda r: np.asarray(r.scores())),
            "bfs": (lambda s: nk.distance.BFS(g, s, storePaths=False).run(), lambda r: levels(r.getDistances())),
            "components": (lambda s: parts(g).run(), lambda r: canonical([r.componentOfNode(v) for v in vertices])),
            "triangles": DIRECTED if directed else
            (lambda s: nk.sparsification.TriangleEdgeScore(self.indexed).run(), lambda r: int(sum(r.scores())) // 3),
            "clustering": DIRECTED if directed else
            (lambda s: nk.centrality.LocalClusteringCoefficient(g, turbo=True).run(), lambda r: np.asarray(r.scores())),
            "kcore": DIRECTED if directed else
            (lambda s: nk.centrality.CoreDecomposition(g).run(), lambda r: np.asarray(r.scores()).astype(np.int64)),
            "labelprop": OTHER_DEFINITION,
        }
        if directed:
            found["toposort"] = (lambda s: nk.graphtools.topologicalSort(g), np.asarray)
        if self.weighted is not None:
            found["sssp"] = (lambda s: nk.distance.Dijkstra(self.weighted, s, storePaths=False).run(),
                             lambda r: far(r.getDistances()))
        return found


class Networkx:
    package = "networkx"

    def __init__(self, graph, threads):
        import networkx
        self.version, self.threads, self.lib, self.graph = networkx.__version__, 1, networkx, graph
        self.g = networkx.DiGraph() if graph.directed else networkx.Graph()
        self.g.add_nodes_from(range(graph.n))
        u, v = (side.tolist() for side in graph.edges())
        if graph.weights is None:
            self.g.add_edges_from(zip(u, v))
        else:
            self.g.add_weighted_edges_from(zip(u, v, graph.edge_weights().tolist()))

    def read(self, path):
        kind = self.lib.DiGraph if self.graph.directed else self.lib.Graph
        return self.lib.read_edgelist(path, nodetype=int, create_using=kind).number_of_edges()

    def components(self, source):
        parts = self.lib.weakly_connected_components if self.graph.directed else self.lib.connected_components
        label = np.empty(self.graph.n, dtype=np.int64)
        for part in parts(self.g):
            label[list(part)] = min(part)
        return label

    def tasks(self):
        nx, g, n, directed = self.lib, self.g, self.graph.n, self.graph.directed
        found = {
            "pagerank": (lambda s: nx.pagerank(g, alpha=0.85, tol=1e-6 / max(n, 1), weight=None),
                         lambda r: from_dict(r, n, 0)),
            "bfs": (lambda s: nx.single_source_shortest_path_length(g, s), lambda r: levels(from_dict(r, n, np.inf))),
            "components": (self.components, canonical),
            "triangles": DIRECTED if directed else (lambda s: sum(nx.triangles(g).values()) // 3, int),
            "clustering": DIRECTED if directed else (lambda s: nx.clustering(g), lambda r: from_dict(r, n, 0)),
            "kcore": DIRECTED if directed else
            (lambda s: nx.core_number(g), lambda r: from_dict(r, n, 0).astype(np.int64)),
            "labelprop": OTHER_DEFINITION,
        }
        if directed:
            found["toposort"] = (lambda s: list(nx.topological_sort(g)), np.asarray)
        if self.graph.weights is not None:
            found["sssp"] = (lambda s: nx.single_source_dijkstra_path_length(g, s), lambda r: from_dict(r, n, np.inf))
        return found


class Graphblas:
    """SuiteSparse GraphBLAS has operations, not algorithms: these are short ones after LAGraph's."""
    package = "python-graphblas"

    def __init__(self, graph, threads):
        import graphblas
        self.version, self.threads, self.gb, self.graph = graphblas.__version__, threads, graphblas, graph
        graphblas.ss.config["nthreads"] = threads
        u, v = graph.arcs()
        n, Matrix = graph.n, graphblas.Matrix
        self.a = Matrix.from_coo(u, v, np.ones(len(u), dtype=bool), nrows=n, ncols=n)
        self.at = Matrix.from_coo(v, u, np.ones(len(u), dtype=bool), nrows=n, ncols=n)
        self.at.wait()
        self.weighted = None
        if graph.weights is not None:
            self.weighted = Matrix.from_coo(u, v, graph.weights.astype(np.float64), nrows=n, ncols=n)
        self.degree = np.diff(graph.offsets).astype(np.float64)

    def dense(self, values):
        return self.gb.Vector.from_dense(values)

    def pagerank(self, source):
        gb, n = self.gb, self.graph.n
        rank, dangling, d = np.full(n, 1.0 / n), self.degree == 0, 0.85
        for _ in range(100):
            share = np.divide(rank, self.degree, out=np.zeros(n), where=~dangling)
            sums = gb.semiring.plus_second(self.at @ self.dense(share)).new(dtype=float).to_dense(fill_value=0.0)
            new = (1 - d) / n + d * (sums + rank[dangling].sum() / n)
            change, rank = np.abs(new - rank).sum(), new
            if change <= 1e-6:
                break
        return rank

    def bfs(self, source):
        gb, n = self.gb, self.graph.n
        level = gb.Vector(int, n)
        frontier = gb.Vector.from_coo([source], [True], size=n)
        depth = 0
        while frontier.nvals:
            level(frontier.S) << depth
            frontier(~level.S, replace=True) << gb.semiring.any_pair(frontier @ self.a)
            depth += 1
        return level

    def triangles(self, source):
        low = self.gb.select.tril(self.a, -1).new()
        return self.gb.semiring.plus_pair[int](low @ low.T).new(mask=low.S).reduce_scalar().new().value or 0

    def sssp(self, source):
        gb, n = self.gb, self.graph.n
        distance = gb.Vector.from_coo([source], [0.0], size=n)
        frontier = distance.dup()
        while frontier.nvals:  # Bellman-Ford, from those that came nearer in the last step
            step = gb.semiring.min_plus(frontier @ self.weighted).new()
            nearer = gb.binary.lt(step & distance).new()
            kept = gb.Vector(bool, n)
            kept(~distance.S) << gb.unary.one(step).new(bool)
            kept(gb.binary.lor) << nearer
            frontier = gb.Vector(float, n)
            frontier(kept.V) << step
            distance(gb.binary.min) << frontier
        return distance

    def tasks(self):
        found = {
            "pagerank": (self.pagerank, np.asarray),
            "bfs": (self.bfs, lambda r: r.to_dense(fill_value=-1)),
            "triangles": DIRECTED if self.graph.directed else (self.triangles, int),
        }
        if self.weighted is not None:
            found["sssp"] = (self.sssp, lambda r: far(r.to_dense(fill_value=np.inf)))
        return found


ADAPTERS = {"igraph": Igraph, "networkit": Networkit, "networkx": Networkx, "graphblas": Graphblas}
