"""Signals, threads, forks, warnings, progress, and that nothing leaks."""
import functools
import gc
import itertools
import multiprocessing
import operator
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import weftgraph as wg


def test_ctrl_c_ends_a_run():
    program = """
import os, signal, sys, threading, weftgraph as wg
signal.signal(signal.SIGINT, signal.default_int_handler)
g = wg.generate.rmat(14)
threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    g.pagerank(iterations=10**9)
except KeyboardInterrupt:
    print("stopped", g.pagerank(iterations=1).scalars["iterations"])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.stdout == "stopped 1\n", done.stderr


def test_a_handler_that_raises_something_else_is_heard():
    def handler(*_):
        raise RuntimeError("alarm")

    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(RuntimeError, match="alarm"):
            wg.generate.rmat(13).pagerank(iterations=10**9)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_the_gil_is_released():
    g, stop, counted = wg.generate.rmat(14), threading.Event(), [0]

    def count():
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0)

    thread = threading.Thread(target=count)
    thread.start()
    try:
        before = counted[0]
        g.pagerank(iterations=300)
        assert counted[0] > before + 10
    finally:
        stop.set()
        thread.join()


def test_threads_share_a_graph():
    g = wg.generate.rmat(10)
    want = g.pagerank(iterations=20)["rank"].tolist()
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda i: g.pagerank(iterations=20, threads=1 + i % 3)["rank"].tolist(), range(40)))
        levels = list(pool.map(lambda v: g.bfs(v).scalars["reached"], range(40)))
    assert all(a == want for a in answers) and len(levels) == 40


def test_a_plan_belongs_to_one_thread_at_a_time():
    plan, both = wg.generate.rmat(14).plan("pagerank", iterations=2000), threading.Barrier(2)

    def run(_):
        both.wait(60)
        try:
            return plan.run().scalars["iterations"]
        except RuntimeError as error:
            assert "another thread is running this plan" in str(error)

    with ThreadPoolExecutor(2) as pool:
        for _ in range(10):  # until the two meet
            answers = list(pool.map(run, range(2)))
            assert 2000 in answers
            if None in answers:
                return
    pytest.fail("two threads ran one plan, and neither was refused")


def reached_from(v):
    return SHARED.bfs(v).scalars["reached"]


SHARED = wg.generate.rmat(9)


@pytest.mark.parametrize("way", ["fork", "spawn"])
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.filterwarnings("ignore::weftgraph.WeftWarning")
def test_processes(way):
    want = [reached_from(v) for v in range(6)]
    with multiprocessing.get_context(way).Pool(2) as pool:
        assert pool.map(reached_from, range(6)) == want


def test_warnings_are_python_s(tmp_path):
    g = wg.generate.karate()
    with pytest.warns(wg.WeftWarning, match="after 1 iterations? the ranks still change") as seen:
        g.pagerank(max_iterations=1)
    assert seen[0].filename == __file__


def test_warnings_can_be_errors():
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(wg.WeftWarning):
            wg.generate.karate().pagerank(max_iterations=1)


class Enough(Exception):
    pass


def test_progress_is_told_and_what_it_raises_ends_the_call():
    seen = []

    def listen(stage, done, total):
        seen.append(stage)
        if stage == "ranking":
            assert 0 <= done <= total == 10**9
            raise Enough("heard")

    with wg.progress(listen), pytest.raises(Enough, match="heard"):
        wg.generate.rmat(13).pagerank(iterations=10**9)
    assert seen.count("ranking") == 1
    wg.generate.rmat(10).pagerank()
    assert seen.count("ranking") == 1


def test_bars(capfd):
    from weftgraph import _progress

    plain = _progress._PlainBar()
    plain("reading", 1, 2)
    plain.close()
    assert "reading [" in capfd.readouterr().err
    with wg.progress():
        wg.generate.rmat(12).pagerank(iterations=50)


def test_nothing_leaks():
    g = wg.generate.karate()

    def work():
        r = g.pagerank(personalize={1: 1.0})
        memoryview(r["rank"]).tolist()
        r["id"].tolist()
        r.top(2)
        wg.from_edges(["a", "b"], ["b", "c"]).bfs("a").to_dict()
        for bad in ({"damping": 7}, {"personalize": {"x": 1}}):
            try:
                g.pagerank(**bad)
            except (wg.Error, TypeError):
                pass

    def resident():
        with open("/proc/self/statm") as f:
            return int(f.read().split()[1]) * os.sysconf("SC_PAGESIZE")

    for _ in range(300):
        work()
    gc.collect()
    objects, memory = len(gc.get_objects()), resident()
    for _ in range(2000):
        work()
    gc.collect()
    assert len(gc.get_objects()) - objects < 50
    assert resident() - memory < 8 << 20


def test_import_is_light():
    program = "import sys; before = set(sys.modules); import weftgraph; print(sorted(set(sys.modules) - before))"
    loaded = eval(subprocess.run([sys.executable, "-S", "-c", program], capture_output=True, text=True, check=True).stdout)
    assert not {"numpy", "typing", "enum", "pathlib", "dataclasses", "inspect", "warnings"} & set(loaded), loaded
    assert all(name.partition(".")[0] == "weftgraph" or name in ("__future__",) for name in loaded), loaded


@pytest.fixture
def heard_interrupts():
    """A shell's background jobs ignore SIGINT, and what they start does."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def raise_interrupt():
    """A callable that leaves SIGINT pending, without a byte of Python's code that would look for it."""
    import ctypes

    return functools.partial(getattr(ctypes.PyDLL(None), "raise"), int(signal.SIGINT))


def test_ctrl_c_is_heard_inside_of_long_calls(heard_interrupts):
    """Both calls are made by C, one after the other: the second is interrupted if it does not come to its end."""
    np = pytest.importorskip("numpy")
    pyarrow = pytest.importorskip("pyarrow")
    _weft = wg._weft
    words = [str(i) for i in range(40_000)]
    u, v = np.random.default_rng(1).integers(0, 1 << 20, (2, 4_000_000))
    g = wg.generate.rmat(14)
    endless = g.plan("pagerank", iterations=10**9)._plan
    nodes = dict.fromkeys(range(1000), {})
    plain = dict.fromkeys(nodes, dict.fromkeys(range(300), {}))
    parallel = dict.fromkeys(nodes, dict.fromkeys(range(300), {0: {}}))
    calls = {
        "number": functools.partial(_weft.number, words, {}, []),
        "unzip": functools.partial(_weft.unzip, itertools.repeat((1, 2), 10**6)),
        "tolist": functools.partial(g.csr()[1].tolist),
        "arrow": functools.partial(_weft.arrow_values, pyarrow.array(words)),
        "from_arrays": functools.partial(_weft.from_arrays, {"sources": u, "targets": v, "any_ids": True}, {}, {}),
        "run": functools.partial(endless.run, False),
        "nx_convert": functools.partial(_weft.nx_convert, nodes, plain, True, False, "weight", 1),
        "nx_convert, parallel edges": functools.partial(_weft.nx_convert, nodes, parallel, True, True, None, 1),
        "generate": functools.partial(_weft.generate, "rmat", {"scale": 20}, {}, {}),
    }
    for name, call in calls.items():
        done: list = []
        with pytest.raises(KeyboardInterrupt):
            done.extend(map(operator.call, [raise_interrupt(), call]))
        assert len(done) == 1, name
    assert g.pagerank(iterations=1).scalars["iterations"] == 1


CALLS = int(os.environ.get("WEFT_PYTHON_CALLS", 100_000))


def test_reference_counts_stay():
    """100,000 calls in all, of everything in C that takes or gives objects, failures included."""
    g = wg.from_edges(["a", "b"], ["b", "c"], [1.5, 2.5])
    r, _weft, rows = g.bfs("a"), wg._weft, [("a", "b"), ("b", "c")]
    level, ids, parent = r["level"], g.ids, r["parent"]
    sources, words = level.tolist(), ["a", "b", "c"]

    def refused(call, *arguments):
        try:
            call(*arguments)
        except Exception:
            return
        raise AssertionError(call)

    work = [
        lambda: level.tolist(), lambda: ids.tolist(), lambda: parent.tolist(), lambda: level[0], lambda: memoryview(level).tolist(),
        lambda: level.__dlpack__(), lambda: level.__dlpack__(max_version=(1, 0)), lambda: level.__arrow_c_array__(),
        lambda: r.__arrow_c_stream__(), lambda: _weft.dlpack_values(level, None), lambda: _weft.arrow_values(level),
        lambda: _weft.arrow_values(ids), lambda: _weft.unzip(rows), lambda: _weft.number(words, {}, []), lambda: g.csr(),
        lambda: g._handle.find("a"), lambda: g._handle.facts, lambda: g.info(), lambda: g._id_column(None, "id"),
        lambda: refused(_weft.unzip, [(1,)]), lambda: refused(_weft.number, [[]], {}, []), lambda: refused(g._handle.find, "z"),
        lambda: refused(_weft.arrow_values, sources), lambda: refused(_weft.dlpack_values, sources, None),
        lambda: refused(level.__getitem__, 9), lambda: refused(memoryview, ids), lambda: refused(_weft.plan, g._handle, "bfs", {"x": 1}, {}),
        lambda: refused(_weft.plan, g._handle, "pagerank", {"damping": "x"}, {}), lambda: refused(_weft.read, None, b"1 x\n2", "", {}, {}),
        lambda: refused(_weft.from_arrays, {"sources": b"ab", "targets": b"c"}, {}, {}), lambda: _weft.from_arrays({}, {}, {}),
    ]
    watched = [g, g._handle, r, level, ids, rows, words, None, True, type(level), wg.Graph]
    for call in work:
        for _ in range(50):
            call()
    gc.collect()
    counts, blocks = [sys.getrefcount(x) for x in watched], sys.getallocatedblocks()
    for call in work:
        for _ in range(CALLS // len(work)):
            call()
    gc.collect()
    moved = [now - before for now, before in zip((sys.getrefcount(x) for x in watched), counts)]
    assert max(map(abs, moved)) < 20, moved
    # One block lost by each call of a single entry would be twice as many.
    assert sys.getallocatedblocks() - blocks < CALLS // len(work) // 2
