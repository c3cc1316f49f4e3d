"""Run by test_mpi4py.sh, on each of several ranks: ranks.py GRAPH.  What one rank computes by itself, ranks share with the same digest; says on the first
rank what it tried."""
import sys

from mpi4py import MPI

import weftgraph as wg

world = MPI.COMM_WORLD
first = world.rank == 0
g = wg.read(sys.argv[1])


def same(title, alone, shared, comm=world):
    assert (shared is None) == (comm.rank != 0), title
    if shared is None:
        return
    names = alone.columns
    assert names == shared.columns, title
    for name in names:
        assert alone[name].tolist() == shared[name].tolist(), (title, name)
    assert alone.scalars == shared.scalars, title
    if comm is world:
        print("same", title)


for name in ("pagerank", "bfs", "components", "degree", "labelprop", "kcore"):
    same(name, getattr(g, name)(threads=1), getattr(g, name)(comm=world, threads=1))
same("pagerank, twice", g.pagerank(damping=0.5), g.pagerank(comm=world, damping=0.5))

# Questions about a result need no other rank.
r = g.components(comm=world, verify=True)
if first:
    assert r.verified and len(r.sizes()) and len(r.top(3)) == 3
    assert len(g.pagerank(comm=MPI.COMM_SELF, top=2)) == 2
    print("asked the first rank alone")

# Two groups of ranks, side by side.
half = world.Split(world.rank % 2, world.rank)
same("half", g.pagerank(), g.pagerank(comm=half), half)
half.Free()


def refused(kind, words, call):
    try:
        call()
    except kind as e:
        assert words in str(e), e
        return
    raise AssertionError("not refused: " + words)


refused(TypeError, "intracommunicator of mpi4py", lambda: g.pagerank(comm=3))
refused(ValueError, "COMM_NULL", lambda: g.pagerank(comm=MPI.COMM_NULL))
refused(wg.Error, "ranks", lambda: g.distances(comm=world))
refused(ValueError, "damping", lambda: g.pagerank(comm=world, damping=7))
world.Barrier()
if first:
    print("done on", world.size)
