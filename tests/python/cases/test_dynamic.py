"""Graphs that change."""
import re
import threading
from array import array

import pytest
import weftgraph as wg


def arcs(g):
    offsets, targets, weights = (c.tolist() if c is not None else None for c in g.csr())
    ids = g.ids.tolist()
    return {(ids[u], ids[targets[e]], *([weights[e]] if weights else [])) for u in range(len(ids)) for e in range(offsets[u], offsets[u + 1])}


def test_batches_and_snapshots_in_memory():
    d = wg.Dynamic()
    assert d.apply([1, 2], [2, 3])["inserted"] == 2
    before = d.snapshot()
    stats = d.apply([1, 5, 9, 2], [2, 6, 9, 2], change=["-", "+", "+v", "-v"])
    assert (stats["deleted"], stats["inserted"], stats["vertices_added"], stats["vertices_removed"]) == (2, 1, 3, 1)
    assert arcs(before) == {(1, 2), (2, 3)}
    after = d.snapshot()
    assert arcs(after) == {(5, 6)} and after.ids.tolist() == [1, 3, 5, 6, 9]
    assert d.version == 2 and "batch 2: 5 vertices" in repr(d)
    assert after.components().scalars["count"] == 4


def test_a_graph_changes_with_its_ids_and_weights():
    with pytest.raises(TypeError, match="Python objects"):
        wg.Dynamic(wg.from_edges([(1, 2)], [(3, 4)]))
    d = wg.Dynamic(wg.from_edges(["a", "b"], ["b", "c"], [1.5, 2.5], directed=False))
    d.apply(["a", "c"], ["b", "d"], [4.0, 0.5])
    d.apply(["b"], ["c"], [9.0], change="=")
    assert arcs(d.snapshot()) == {(u, v, w) for x, y, w in [("a", "b", 4.0), ("b", "c", 9.0), ("c", "d", 0.5)] for u, v in [(x, y), (y, x)]}


def test_rows_on_the_gpu():
    with pytest.raises(ValueError, match="device"):
        wg.Dynamic(device="gpt")
    try:
        d = wg.Dynamic(device="cuda")
    except wg.DeviceError as e:
        assert "GPU" in str(e)
        return
    d.apply([1, 2], [2, 3])
    d.apply([1], [2], change="-")
    assert arcs(d.snapshot()) == {(2, 3)}


def test_arrays_of_any_integers():
    np = pytest.importorskip("numpy")
    d = wg.Dynamic(weight_type="u32")
    d.apply(np.array([1, 2], np.uint16), np.array([2, 3], np.int64), np.array([7, 8], np.uint32))
    assert arcs(d.snapshot()) == {(1, 2, 7), (2, 3, 8)}
    with pytest.raises(TypeError, match="integers are needed"):
        d.apply(np.array([1.5]), np.array([2]), [1])


def test_a_file_keeps_batches(tmp_path):
    path = tmp_path / "g.weft"
    wg.Dynamic(weight_type="f64", names=True).snapshot().write(path)
    with wg.Dynamic(path) as d:
        d.apply(["a", "b"], ["b", "c"], [1, 2])
        d.apply(["a", "z"], ["b", ""], [0, 0], change=["-", "+v"])
        with pytest.raises(wg.FileError, match="another program is writing"):
            wg.Dynamic(path)
        reader = wg.Dynamic(path, read_only=True)
        d.apply(["x"], ["y"], [3], change=["+"])
        assert reader.version == 2 and reader.follow() and not reader.follow() and reader.version == 3
        assert arcs(reader.snapshot()) == arcs(wg.read(path)) == {("b", "c", 2.0), ("x", "y", 3.0)}
        with pytest.raises(wg.ParameterError, match="read-only"):
            reader.apply(["q"], ["r"], [1])
    assert repr(d) == "<weftgraph.Dynamic, closed>"
    with pytest.raises(ValueError, match="closed"):
        d.snapshot()
    then = wg.Dynamic(path, read_only=True, at=1)
    assert arcs(then.snapshot()) == {("a", "b", 1.0), ("b", "c", 2.0)}
    now = wg.Dynamic(path, durable="never")
    assert now.batch(1) == [("+", "a", "b", 1.0), ("+", "b", "c", 2.0)] and now.batch(2) == [("-", "a", "b"), ("+v", "z")]
    now.sync()
    now.compact()
    assert now.info()["logged_after"] == 3 and now.info()["log_bytes"] == 0
    with pytest.raises(wg.NotFoundError, match="no longer in the log"):
        now.batch(2)


def test_mistakes():
    d = wg.Dynamic()
    with pytest.raises(ValueError, match="change is one of"):
        d.apply([1], [2], change="*")
    with pytest.raises(TypeError, match="edges need targets"):
        d.apply([1])
    with pytest.raises(TypeError, match="no weights"):
        d.apply([1], [2], [3])
    with pytest.raises(ValueError, match="targets has 1 entry, but sources 2"):
        d.apply([1, 2], [2])
    with pytest.raises(ValueError, match="changes has 1 entry, but sources 2"):
        d.apply([1, 2], [2, 3], change=["-"])
    with pytest.raises(wg.ParameterError, match="in memory"):
        d.compact()
    with pytest.raises(TypeError, match="names"):
        wg.Dynamic(names=True).apply([1], [2])
    with pytest.raises(wg.ParameterError, match=re.escape(r"targets[1]: 'a\x00' is no name: it has a NUL character")):
        wg.Dynamic(names=True).apply(["a", "b"], ["b", "a\0"])
    assert d.version == 0


def test_names_that_are_no_utf8_come_back(tmp_path):
    (tmp_path / "g.txt").write_bytes(b"\xfe\xfd b\nb c\n")
    d = wg.Dynamic(wg.read(tmp_path / "g.txt", ids="string"))
    odd = d.snapshot().ids[2]
    assert odd == "\udcfe\udcfd" and arcs(d.snapshot()) == {(odd, "b"), ("b", "c")}
    assert d.apply([odd, odd], ["b", "c\udcff"], change=["-", "+"])["deleted"] == 1
    assert arcs(d.snapshot()) == {(odd, "c\udcff"), ("b", "c")}
    d.snapshot().write(tmp_path / "g.weft")
    with wg.Dynamic(tmp_path / "g.weft") as kept:
        kept.apply([odd], change="-v")
        assert kept.batch(1) == [("-v", odd)] and odd not in kept.snapshot()
    half = re.escape(r"sources[1]: '\ud800' is no name: it cannot be written in UTF-8")
    with pytest.raises(wg.ParameterError, match=half):
        d.apply(["a", "\ud800"], ["b", "c"])
    assert d.version == 1


def test_ids_beyond_64_bits():
    d = wg.Dynamic()
    for bad, shown in [(2**63, "9223372036854775808"), (-2**63 - 1, "-9223372036854775809"), (10**400, "about 2^1328"), (-10**5000, "about -2^16609")]:
        message = re.escape(f"[1]: {shown} is no id: ids are integers from -2^63 to 2^63-1")
        for given in ([1, bad], (1, bad), iter([1, bad]), [1, bad] + [2] * 5000):
            with pytest.raises(wg.ParameterError, match="sources" + message):
                d.apply(given, [1, 2])
        with pytest.raises(wg.ParameterError, match="targets" + message):
            d.apply([1, 2], [1, bad])
    with pytest.raises(wg.ParameterError, match=re.escape("sources[0]: 9223372036854775808 is no id")):
        d.apply(array("Q", [2**63]), change="-v")
    for given in (["a"], [1.5], [None]):
        with pytest.raises(TypeError, match=re.escape(f"sources[0]: integers are needed, not {given[0]!r}")):
            d.apply(given, [1])
    d.apply([-2**63], [2**63 - 1])
    assert arcs(d.snapshot()) == {(-2**63, 2**63 - 1)} and d.version == 1


@pytest.mark.parametrize("kind", ["u32", "f32", "f64"])
def test_weights_that_are_no_number_of_any_kind(kind):
    d = wg.Dynamic(weight_type=kind)
    for given in ([1, 10**400], (1, 10**400), iter([1, 10**400])):
        with pytest.raises(wg.ParameterError, match=re.escape(f"weights[1]: the weight about 2^1328 is no {kind}, the type of this graph's weights")):
            d.apply([1, 2], [2, 3], given)
    with pytest.raises(TypeError, match=re.escape("weights[1]:") + ".*are needed, not 'a'"):
        d.apply([1, 2], [2, 3], [1, "a"])
    assert d.version == 0


def test_one_name_is_no_list_of_names():
    """Its letters would be inserted."""
    d, g = wg.Dynamic(names=True), wg.from_edges(["a", "anna"], ["b", "b"])
    for one in ("anna", b"anna"):
        match = re.escape(f"several ids are needed, not {one!r}: put it in a list")
        for wrong in (lambda: d.apply(one, ["b"] * 4), lambda: d.apply(["b"] * 4, one), lambda: d.apply(one, change="-v"), lambda: wg.Dynamic().apply(one, one),
                      lambda: wg.from_edges(one, one), lambda: wg.from_edges(["a"], ["b"], vertices=one), lambda: g.subgraph(one),
                      lambda: g.bfs(sources=one), lambda: g.path("a", "b", avoid=one)):
            with pytest.raises(TypeError, match=match):
                wrong()
    assert d.version == 0
    assert g.subgraph(ego="anna").ids.tolist() == ["anna", "b"] and g.bfs("anna")["level"].tolist() == [wg.UNREACHED, 0, 1]


def test_batches_that_no_graph_has(tmp_path):
    path = tmp_path / "g.weft"
    wg.Dynamic().snapshot().write(path)
    with wg.Dynamic(path) as d:
        d.apply([1], [2])
        for ask, name in [(d.batch, "number"), (lambda k: wg.Dynamic(path, read_only=True, at=k), "at")]:
            for k, shown in [(-1, "-1"), (-2**70, str(-2**70)), (-10**400, "about -2^1328")]:
                with pytest.raises(wg.ParameterError, match=re.escape(f"{name} is the number of a batch, 0 or more, not {shown}")):
                    ask(k)
            for k, shown in [(2, "2"), (2**64 - 2, str(2**64 - 2)), (2**64 - 1, str(2**64 - 1)), (2**64, str(2**64)), (10**400, "about 2^1328")]:
                with pytest.raises(wg.NotFoundError, match=re.escape(f"there is no batch {shown}")):
                    ask(k)
            with pytest.raises(TypeError, match=f"{name} is the number of a batch, not '1'"):
                ask("1")
        assert d.batch(1) == [("+", 1, 2)] and wg.Dynamic(path, read_only=True, at=0).version == 0


def test_arguments_that_do_not_fit(tmp_path):
    g = wg.from_edges([1], [2], [5], directed=False)
    for given in (None, g):
        for name, value in [("read_only", True), ("at", 5), ("durable", "batch")]:
            with pytest.raises(wg.ParameterError, match=f"{name} is for a file, but this graph is in memory"):
                wg.Dynamic(given, **{name: value})
    path = tmp_path / "g.weft"
    g.write(path)
    for source, called in [(g, "the graph"), (path, str(path))]:
        for name, wrong, right in [("directed", True, False), ("weight_type", "f64", "u32"), ("weight_type", "none", "u32"), ("names", True, False)]:
            with pytest.raises(wg.ParameterError, match=re.escape(f"{name}={wrong!r} does not fit: {called} has {name}={right!r}")):
                wg.Dynamic(source, **{name: wrong})
            wg.Dynamic(source, **{name: right}).close()
    wg.Dynamic(g, durable="never", read_only=False).apply([1], [3], [1])
    with pytest.raises(wg.ParameterError, match="set `read_only`"):
        wg.Dynamic(path, at=0)
    for name, value in [("directed", "no"), ("weight_type", ""), ("durable", "")]:
        with pytest.raises(ValueError, match=f"{name} is "):
            wg.Dynamic(**{name: value})


@pytest.mark.parametrize("as_given", [list, tuple, lambda w: array("d", w)])
def test_weights_that_the_graph_cannot_hold(as_given):
    """The program's sentence; nothing of the batch is there afterwards."""
    for kind, bad in [("f64", "nan"), ("f64", "inf"), ("f64", "-inf"), ("f32", "nan"), ("f32", "inf"), ("f32", "1e300"), ("f32", "-1e39"),
                      ("f32", "1e-300")]:
        d = wg.Dynamic(weight_type=kind)
        with pytest.raises(wg.ParameterError, match=re.escape(f"the weight {float(bad)!r} is no {kind}, the type of this graph's weights")):
            d.apply([1, 2], [2, 3], as_given([1.0, float(bad)]))
        d.apply([1], [2], as_given([0.1]))
        with pytest.raises(ValueError, match="the type of this graph's weights"):
            d.apply([1], [2], as_given([float(bad)]), change="=")
        d.apply([1], [3], as_given([float("nan")]), change="-")  # has none
        assert arcs(d.snapshot()) == {(1, 2, 0.1 if kind == "f64" else array("f", [0.1])[0])}


def test_whole_weights_that_the_graph_cannot_hold():
    d = wg.Dynamic(weight_type="u32")
    for bad in (-1, 2**32, 2**70):
        for given in ([1, bad], (1, bad), iter([1, bad])):
            with pytest.raises(wg.ParameterError, match=re.escape(f"weights[1]: the weight {bad} is no u32, the type of this graph's weights")):
                d.apply([1, 2], [2, 3], given)
    with pytest.raises(TypeError, match="integers are needed"):
        d.apply([1], [2], [1.5])
    d.apply([1, 2], [2, 3], [0, 2**32 - 1])
    assert arcs(d.snapshot()) == {(1, 2, 0), (2, 3, 2**32 - 1)}


def test_weights_of_numpy_are_narrowed_with_a_look():
    np = pytest.importorskip("numpy")
    d = wg.Dynamic(weight_type="f32")
    d.apply([1], [2], np.array([0.1], np.float32))
    d.apply([2], [3], np.array([0.1]))
    d.apply([3], [4], np.array([7]))
    assert {w for *_, w in arcs(d.snapshot())} == {float(np.float32(0.1)), 7.0}
    for bad in (np.array([1e300]), np.array([np.inf], np.float32), np.array([np.nan])):
        with pytest.raises(wg.ParameterError, match="is no f32"):
            d.apply([1], [2], bad)


def test_snapshots_while_another_thread_writes():
    d = wg.Dynamic()
    d.apply([0], change="+v")
    wrong = []

    def look():
        while d.version < 200:
            g = d.snapshot()
            if g.vertices != g.edges + 1:
                wrong.append((g.vertices, g.edges))

    threads = [threading.Thread(target=look) for _ in range(4)]
    for t in threads:
        t.start()
    for k in range(200):
        d.apply([k], [k + 1])
    for t in threads:
        t.join()
    assert not wrong and d.snapshot().edges == 200


@pytest.mark.parametrize("change", [[], ["+"], ["+", "+", "+"], ["-"]])
def test_as_many_changes_as_sources(change):
    d = wg.Dynamic()
    with pytest.raises(ValueError, match=f"changes has {len(change)} entr(y|ies), but sources 2"):
        d.apply([1, 2], [3, 4], change=change)
    with pytest.raises(ValueError, match="entr(y|ies), but sources"):
        d.apply([1, 2], None, change=change)
    assert d.version == 0
