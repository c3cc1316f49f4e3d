"""Hostile calls of the native API: whatever comes, it must be an answer or an exception of the ordinary kinds, and what was not changed by
its owner must stay as it was.  Each round is one of: a column by DLPack to a consumer that writes where it may; arrays that a graph keeps and
somebody changes; a result through a pickle, its columns damaged or not; methods with arguments that nobody would give them.
AddressSanitizer sees what goes wrong unseen (make sanitize-python).
   hammer_calls.py [ROUNDS [SEED]]"""
import array
import gc
import pathlib
import pickle
import random
import signal
import sys
import types

sys.path.insert(0, str(pathlib.Path(__file__).parent / "cases"))

import numpy as np
import weftgraph as wg
from dlpack_structs import Consumed
from weftgraph import _weft

LONGEST = 5  # seconds of a call, before a signal ends it
LIMIT = "64 MiB"


class TooLong(Exception):
    pass


def on_alarm(*_):
    raise TooLong


def random_graph(rng):
    n, m = rng.choice((1, 2, 5, 40)), rng.choice((0, 1, 7, 200))
    ends = [[rng.randrange(n) for _ in range(m)] for _ in range(2)]
    names = rng.choice((int, str, lambda i: (i, "x"), lambda i: i * 2**40 - 5))
    weights = [rng.random() for _ in range(m)] if rng.random() < 0.5 else None
    return wg.from_edges([names(u) for u in ends[0]], [names(v) for v in ends[1]], weights, vertices=[names(i) for i in range(n)],
                         directed=rng.random() < 0.7, duplicates=rng.choice(("drop", "keep")))


def random_result(rng, g):
    first = g.ids[rng.randrange(g.vertices)]
    runs = [lambda: g.pagerank(), lambda: g.bfs(first), lambda: g.components(), lambda: g.degree(), lambda: g.kcore(), lambda: g.bfs(sources=[first, first]),
            lambda: g.weighted_by(None).aggregate(np.ones((g.vertices, 3), rng.choice(("f2", "f4")))), lambda: g.pagerank(top=3), lambda: g.run("degree", "pagerank"),
            lambda: g.bfs(first, top=rng.choice((0, 1, 100)))]
    return rng.choice(runs)()


def looked_at(column):
    """Everything that reads a column."""
    values = column.tolist()
    for look in (repr, memoryview, lambda c: c.to_numpy().tolist(), lambda c: np.from_dlpack(c).sum(), lambda c: c.__arrow_c_array__(),
                 lambda c: _weft.top(c, 0, True, 5), lambda c: _weft.groups(c), pickle.dumps, lambda c: c[-1:]):
        try:
            look(column)
        except (BufferError, TypeError, ValueError, AttributeError, OverflowError):
            pass
    return values


# --- rounds ---


def lend(rng):
    """DLPack: who may write scribbles, and nothing changes."""
    g = random_graph(rng)
    r = random_result(rng, g)
    columns = [c for c in (*g.csr(), g.ids, *(r[name] for name in r)) if isinstance(c, wg.Column)]
    column = rng.choice(columns)
    before, print_before = column.tolist(), g.fingerprint()
    how = {"max_version": rng.choice((None, (0, 8), (1, 0), (1, 3), (2, 0), (2**31, 0))), "stream": rng.choice((None, 1, -1, "x")),
           "dl_device": rng.choice((None, None, (1, 0), (2, 0), (1,), "cpu")), "copy": rng.choice((None, True, False, 1))}
    how = {name: value for name, value in how.items() if rng.random() < 0.6}
    module = types.ModuleType(rng.choice(("torch.utils.dlpack", "other")))
    exec("def ask(column, how): return column.__dlpack__(**how)", module.__dict__)
    taken = []
    try:
        for _ in range(rng.choice((1, 3))):
            capsule = module.ask(column, how)
            if rng.random() < 0.8:
                taken.append(Consumed(capsule))
            del capsule
    except (BufferError, TypeError) as error:
        del error
    if rng.random() < 0.5:
        del g, r, columns
        gc.collect(0)
    for t in taken:
        if t.flags != 1:  # not read-only, or nobody says so
            t.scribble()
    assert column.tolist() == before, "a consumer changed a column"
    for t in taken:
        t.end()
    if "g" in locals():
        assert g.fingerprint() == print_before
    return "lent"


def change(rng):
    """from_csr(copy=False): a graph whose arrays somebody changes, by whatever way there is."""
    n = rng.choice((1, 3, 30, 2000))
    rows = [sorted(rng.sample(range(n), min(n, rng.randrange(6)))) for _ in range(n)]
    offsets = np.cumsum([0] + [len(row) for row in rows]).astype(rng.choice(("i8", "u8", "i4")))
    targets = np.array([v for row in rows for v in row], rng.choice(("i4", "u4", "i8")))
    weights = rng.choice((None, np.ones(len(targets), rng.choice(("f4", "f8", "u4")))))
    given = [offsets, targets, weights]
    for i, a in enumerate(given):
        if a is not None and rng.random() < 0.3:
            given[i] = array.array({"i4": "i", "u4": "I", "i8": "q", "u8": "Q", "f4": "f", "f8": "d"}[a.dtype.str[1:]], a.tobytes())
    views = [a if isinstance(a, array.array) else a[:] for a in given if a is not None and len(a)]
    g = wg.from_csr(*given, copy=False)
    calls = [lambda: g.pagerank(weights=bool(g.weighted)), lambda: g.bfs(0), lambda: g.components(), lambda: g.subgraph(min_degree=2), lambda: g.info(),
             lambda: g.triangles(), lambda: g.path(0, n - 1), lambda: g.csr()[1].tolist(), lambda: pickle.dumps(g), lambda: g.sssp(0) if g.weighted else g.kcore()]
    first = g.bfs(0)["level"].tolist()
    plan = g.plan("pagerank")
    for _ in range(rng.choice((1, 4))):
        view = rng.choice(views)
        at = rng.randrange(len(view))
        old = view[at]
        value = rng.choice((0, 1, n, 2**31 - 1, 100))
        try:
            view[at] = value
        except ValueError:  # read-only
            continue
        watched = old != value and len(given[0]) and any(np.shares_memory(np.asarray(view), np.asarray(c)) for c in kept(g, given))
        for call in (*rng.sample(calls, 3), plan.run):
            try:
                call()
                assert not watched, "a change was not noticed"
            except wg.InputError as error:
                assert watched and "was changed" in str(error), error
        view[at] = old
    assert g.bfs(0)["level"].tolist() == first
    call = None
    del g, plan, calls, views
    gc.collect(0)
    assert all(a is None or isinstance(a, array.array) or a.flags.writeable for a in given)
    return "changed"


def kept(g, given):
    return [a for name, a in zip(("offsets", "targets", "weights"), given) if name in g._handle.kept]


def through_pickle(rng):
    """A result there and back; then its columns with damage, which must be refused or read."""
    g = random_graph(rng)
    r = random_result(rng, g)
    again = pickle.loads(pickle.dumps(r, protocol=rng.choice((2, 4, 5))))
    assert [c.tolist() for c in again._columns.values()] == [r[name].tolist() for name in r] and repr(again) == repr(r)
    if rng.random() < 0.3:
        copy = pickle.loads(pickle.dumps(g))
        assert copy.fingerprint() == g.fingerprint() and copy.ids.tolist() == g.ids.tolist()
    columns = [c for c in again._columns.values() if isinstance(c, wg.Column)] or [g.csr()[0]]
    parts = list(rng.choice(columns).pack())
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        i = rng.randrange(len(parts))
        if isinstance(parts[i], bytes) and parts[i] and rng.random() < 0.8:
            data = bytearray(parts[i])
            data[rng.randrange(len(data))] = rng.randrange(256)
            parts[i] = bytes(data)[:rng.choice((None, None, None, len(data) - 1))] + rng.choice((b"", b"", b"x"))
        else:
            parts[i] = rng.choice((None, -1, 0, 1, 5, 2**62, 2**70, "z", "I", "q", "B", "\udc80", b"", b"\0" * 16, 1.5, []))
    try:
        looked_at(_weft.unpack_column(*parts))
    except (TypeError, ValueError, OverflowError) as error:
        del error
        return "damaged pickle"
    return "pickled"


class Evil:
    """Fails, or lies, in whatever it is asked."""

    def __init__(self, rng):
        self.rng = rng

    def _any(self, *_, **__):
        if self.rng.random() < 0.5:
            raise self.rng.choice((ValueError, TypeError, RuntimeError, IndexError, StopIteration))("evil")
        return self.rng.choice((-1, 0, 1, 2**70, None, "x", [], self))

    __len__ = __getitem__ = __iter__ = __next__ = __index__ = __float__ = __int__ = __eq__ = __bool__ = __dlpack__ = __dlpack_device__ = _any
    __arrow_c_array__ = __arrow_c_stream__ = __array__ = __contains__ = __fspath__ = __call__ = keys = items = read = tolist = _any

    def __hash__(self):
        return self.rng.choice((1, 2))


def junk(rng, deep=True):
    plain = [None, True, -1, 0, 1, 2, 34, 2**31, 2**63, 2**70, -0.5, 0.5, float("nan"), float("inf"), "", "x", "1", "\udcff", "a\0b", b"", b"\xff",
             "auto", "cpu", "cuda", "drop", (), [], {}, set(), object(), Evil(rng), memoryview(b"abcd"), range(3), np.zeros(0), np.arange(5), np.ones((3, 2)),
             np.float32(1), np.array("x"), np.array(["a", None], object), np.array([1, 2], ">i4"), np.arange(10)[::3], np.array(["2020-01-01"], "M8[D]"),
             bytearray(16), array.array("q", [1, 2]), Ellipsis, int, wg]
    if deep and rng.random() < 0.4:
        return rng.choice((list, tuple, lambda x: dict.fromkeys(map(str, x), 1)))([junk(rng, False) for _ in range(rng.randrange(5))])
    return rng.choice(plain)


METHODS = [a["name"] for a in _weft.registry()["algorithms"]]
PARAMS = {a["name"]: [p["name"].replace("-", "_") for p in a["params"]] for a in _weft.registry()["algorithms"]}


def ask_wrongly(rng):
    """Methods and makers with arguments of every kind, a few of them right."""
    g = random_graph(rng)

    def some(*names):
        return {name: junk(rng) for name in names if rng.random() < 0.2}

    def algorithm():
        name = rng.choice(METHODS)
        return getattr(g, name)(**some(*PARAMS[name], "top", "device", "threads", "verify"), memory_limit=LIMIT)

    def on_result():
        r = random_result(rng, g)
        return rng.choice((lambda: r.top(junk(rng), **some("by", "smallest", "at")), lambda: r[junk(rng)], lambda: r.sizes(), lambda: r.vertices(junk(rng)),
                           lambda: r.to_dict(junk(rng)), lambda: [looked_at(c) for c in r._columns.values() if isinstance(c, wg.Column)],
                           lambda: r["id"][junk(rng)], lambda: r["id"].tolist(*some("a", "b").values())))()

    calls = [algorithm, algorithm, on_result,
             lambda: wg.from_edges(junk(rng), junk(rng), **some("weights", "vertices", "directed", "duplicates", "loops"), memory_limit=LIMIT),
             lambda: wg.from_edges([1, 2, 3], [junk(rng), 2, 3], **some("weights", "vertices"), memory_limit=LIMIT),
             lambda: wg.from_edges(junk(rng), memory_limit=LIMIT),
             lambda: wg.from_csr(junk(rng), junk(rng), **some("weights", "directed", "copy"), memory_limit=LIMIT),
             lambda: wg.from_csr(*(junk(rng) if rng.random() < 0.2 else a for a in (np.array([0, 1, 2]), np.array([1, 0], "i4"))), copy=False),
             lambda: g.subgraph(**some("vertices", "ego", "radius", "core", "min_degree", "sample_edges", "seed", "largest_component"), memory_limit=LIMIT),
             lambda: g.path(junk(rng), junk(rng), **some("weights", "count", "avoid"), memory_limit=LIMIT), lambda: junk(rng) in g,
             lambda: wg.Dynamic(g, **some("directed", "weight_type", "names", "loops", "at", "device")).apply(junk(rng), junk(rng), **some("weights", "change")),
             lambda: wg.Graph(junk(rng)), lambda: g.plan(junk(rng), **some("top", "device")), lambda: g.run(junk(rng), memory_limit=LIMIT),
             lambda: g.to_scipy(junk(rng)), lambda: _weft.dlpack_values(junk(rng), junk(rng)), lambda: _weft.arrow_values(junk(rng)),
             lambda: _weft.top(junk(rng), 0, False, 3), lambda: _weft.groups(junk(rng)), lambda: _weft.unpack_column(*(junk(rng) for _ in range(8)))]
    signal.setitimer(signal.ITIMER_REAL, LONGEST)
    try:
        made = rng.choice(calls)()
        repr(made)
        verdict = "answered"
    except SystemError:
        raise
    except Exception as error:
        del error
        verdict = "refused"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return verdict


ROUNDS = (lend, change, through_pickle, ask_wrongly, ask_wrongly, ask_wrongly)


def main():
    rounds, seed = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000, int(sys.argv[2]) if len(sys.argv) > 2 else 1
    signal.signal(signal.SIGALRM, on_alarm)
    seen = {}
    for i in range(rounds):
        rng = random.Random(f"{seed}/{i}")
        try:
            what = rng.choice(ROUNDS)(rng)
        except BaseException:
            print(f"hammer_calls: round {i} of seed {seed}", file=sys.stderr)
            raise
        seen[what] = seen.get(what, 0) + 1
    print(f"{rounds} rounds: " + ", ".join(f"{what} {count}" for what, count in sorted(seen.items())))
    assert len(seen) == 6 or rounds < 100


if __name__ == "__main__":
    main()
