"""Memory that graphs and results share with others: nobody changes what is theirs, and what is the user's is watched."""
import array
import ctypes
import gc
import mmap
import types

import pytest
import weftgraph as wg
from dlpack_structs import Consumed

np = pytest.importorskip("numpy")


def torch_asks(column, **how):
    """As torch.from_dlpack does: by a function whose module is torch's."""
    module = types.ModuleType("torch.utils.dlpack")
    exec("def ask(column, **how): return column.__dlpack__(**how)", module.__dict__)
    return module.ask(column, **how)


def columns():
    g = wg.from_edges([0, 1, 2, 2], [1, 2, 0, 3], [1.0, 2.0, 3.0, 4.0])
    return g, [*g.csr(), g.ids, g.bfs(0)["level"], g.pagerank()["rank"], g.weighted_by(None).aggregate(np.ones((4, 3), np.float32))["f"]]


@pytest.mark.parametrize("ask", [lambda c: c.__dlpack__(), lambda c: c.__dlpack__(max_version=(0, 8)), lambda c: c.__dlpack__(max_version=(1, 0)),
                                 lambda c: c.__dlpack__(max_version=(1, 1), copy=True), lambda c: torch_asks(c, max_version=(1, 0)),
                                 lambda c: torch_asks(c, max_version=(1, 0), copy=None)],
                         ids=["plain", "old", "no copy named", "copy", "torch", "torch names copy"])
def test_a_consumer_that_may_write_gets_a_copy(ask):
    g, all_columns = columns()
    before, rank = [c.tolist() for c in all_columns], g.pagerank()["rank"].tolist()
    for column in all_columns:
        taken = Consumed(ask(column))
        assert taken.flags in (None, 2) and taken.bytes == memoryview(column).nbytes
        assert ctypes.string_at(taken.tensor.data, taken.bytes) == memoryview(column).tobytes()
        taken.scribble()
        taken.end()
    assert [c.tolist() for c in all_columns] == before and g.pagerank()["rank"].tolist() == rank


def test_a_consumer_that_honours_the_flag_shares():
    _, all_columns = columns()
    for column in all_columns:
        at = np.asarray(column).ctypes.data
        taken = Consumed(column.__dlpack__(max_version=(1, 0), copy=None, dl_device=None))
        assert taken.flags == 1 and taken.tensor.data == at
        taken.end()
        for how in ({}, {"copy": False}, {"copy": None}):
            shared = np.from_dlpack(column, **how)
            assert shared.ctypes.data == at and not shared.flags.writeable
            with pytest.raises(ValueError, match="read-only"):
                shared[0] = 0
        own = np.from_dlpack(column, copy=True)
        assert own.ctypes.data != at and own.flags.writeable
        own[:] = 0
    shared = np.from_dlpack(wg.generate.karate().pagerank()["rank"])
    gc.collect()
    assert shared.sum() == pytest.approx(1)  # the tensor keeps its column


def test_a_copy_is_refused_only_where_it_would_be_shared_unsafely():
    column = wg.generate.karate().csr()[1]
    for ask in (lambda: column.__dlpack__(copy=False), lambda: torch_asks(column, max_version=(1, 0), copy=False),
                lambda: column.__dlpack__(max_version=(0, 5), copy=False)):
        with pytest.raises(BufferError, match="read-only"):
            ask()
    with pytest.raises(BufferError, match="not there"):
        column.__dlpack__(dl_device=(2, 0))
    for wrong in ({"max_version": 1}, {"max_version": ()}, {"dl_device": "cpu"}, {"max_version": ("x", 0)}):
        with pytest.raises((TypeError, IndexError)):
            column.__dlpack__(**wrong)
    unused = column.__dlpack__()  # nobody takes it
    del unused
    gc.collect()


# --- from_csr(copy=False) ---


def rows():
    return np.array([0, 2, 3, 4]), np.array([1, 2, 0, 1], "i4"), np.array([1.0, 2.0, 3.0, 4.0])


def test_arrays_that_a_graph_keeps_are_read_only_as_long():
    offsets, targets, weights = rows()
    g = wg.from_csr(offsets, targets, weights, copy=False)
    result, plan = g.pagerank(), g.plan("bfs", source=0)
    for a in (offsets, targets, weights):
        with pytest.raises(ValueError, match="read-only"):
            a[0] = 1
    again = wg.from_csr(offsets, targets, weights, copy=False)
    del g, result, plan
    gc.collect()
    assert not targets.flags.writeable and again.pagerank(weights=True) is not None
    del again
    gc.collect()
    for a in (offsets, targets, weights):
        a[0] = a[0]


def test_only_what_is_kept_is_read_only():
    offsets, targets, weights = rows()
    g = wg.from_csr(offsets.astype("i4"), targets, weights.astype("f2"), copy=False)
    assert not targets.flags.writeable
    narrow, wide = offsets.astype("i4"), targets.astype("i8")
    kept = wg.from_csr(narrow, wide, copy=False)
    narrow[:] = 99
    wide[:] = 99
    assert kept.bfs(0)["level"].tolist() == g.bfs(0)["level"].tolist() == [0, 1, 1]
    read_only = targets.copy()
    read_only.flags.writeable = False
    g = wg.from_csr(offsets, read_only, copy=False)
    del g
    gc.collect()
    assert not read_only.flags.writeable and offsets.flags.writeable
    with pytest.raises(wg.ParameterError):
        wg.from_csr(offsets, targets + 7, copy=False)
    assert offsets.flags.writeable


CALLS = {
    "pagerank": lambda g: g.pagerank(), "bfs": lambda g: g.bfs(0), "components": lambda g: g.components(strong=True), "plan": lambda g: g.plan("kcore"),
    "subgraph": lambda g: g.subgraph(min_degree=1), "path": lambda g: g.path(0, 1), "info": lambda g: g.info(), "csr": lambda g: g.csr(),
    "fingerprint": lambda g: g.fingerprint(), "write": lambda g: g.write("/dev/null", format="tsv"), "dynamic": lambda g: wg.Dynamic(g),
    "pickle": lambda g: __import__("pickle").dumps(g), "report": lambda g: g.report(quick=True), "distances": lambda g: g.distances()}


@pytest.mark.parametrize("which, value", [(1, 2**31 - 1), (1, 2), (0, 2**60), (0, 1), (2, -5.0)])
def test_a_change_by_another_view_is_noticed(which, value):
    arrays = rows()
    view = arrays[which][:]  # writable, and older than the graph
    g = wg.from_csr(*arrays, copy=False)
    plan, first = g.plan("pagerank"), g.pagerank()["rank"].tolist()
    before, at = view[2], 2
    view[at] = value
    for name, call in {**CALLS, "run": lambda g: plan.run()}.items():
        with pytest.raises(wg.InputError, match=f"^{('offsets', 'targets', 'weights')[which]} was changed, but the graph keeps this array"):
            call(g)
            pytest.fail(name)
    view[at] = before  # as it was
    assert plan.run()["rank"].tolist() == first and g.bfs(0) is not None


def test_other_buffers_and_memory_that_nobody_writes():
    offsets, targets, _ = rows()
    at, to = array.array("q", offsets.tolist()), array.array("i", targets.tolist())
    g = wg.from_csr(at, to, copy=False)
    with pytest.raises(BufferError):
        to.append(1)
    assert g.bfs(0)["level"].tolist() == [0, 1, 1]
    to[3] = 2**30
    with pytest.raises(wg.InputError, match="targets was changed"):
        g.bfs(0)
    mapped = mmap.mmap(-1, targets.nbytes)
    mapped[:] = targets.tobytes()
    g = wg.from_csr(offsets, np.frombuffer(mapped, "i4"), copy=False)
    mapped[:4] = b"\xff\xff\xff\x7f"
    with pytest.raises(wg.InputError, match="targets was changed"):
        g.bfs(0)
    sealed = wg.from_csr(np.frombuffer(offsets.tobytes(), "i8"), memoryview(targets.tobytes()).cast("i"), copy=False)
    assert sealed.bfs(0)["level"].tolist() == [0, 1, 1] and sealed._handle.kept == ["targets", "offsets"]


def test_scipy_matrices_are_watched_too():
    sparse = pytest.importorskip("scipy.sparse")
    m = sparse.csr_array(np.array([[0, 2.0], [3.0, 0]]))
    g = wg.from_scipy(m, copy=False)
    with pytest.raises(ValueError, match="read-only"):
        m.data[0] = 9
    del g
    gc.collect()
    m.data[0] = 9
